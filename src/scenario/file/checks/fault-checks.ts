/**
 * Checks of the faults of a file: fields that their kinds take, and accounts and methods that there are.
 */
import { nearest } from '../../../core/index.ts'
import { ruleMistakes, type SaidRule } from '../../../faults/index.ts'
import { methodNames } from '../../../rpc/index.ts'
import {
  type Findings,
  itemsOf,
  meant,
  nodeAt,
  type Path,
  report,
  reportKey,
  textAt,
} from '../located.ts'
import { faultFormat } from '../sections/faults.ts'
import { type Known, unknownAccount } from './step-checks.ts'

/** Checks all faults; what is wrong with their shape is left to the schema. */
export function checkFaults(findings: Findings, known: Known): void {
  for (const [index, node] of itemsOf(nodeAt(findings.root, ['faults'])).entries()) {
    const path: Path = ['faults', index]
    const account = textAt(node, 'account')
    if (account !== undefined && !known.accounts.has(account)) {
      report(findings, [...path, 'account'], unknownAccount(account, known))
    }
    for (const [at, method] of itemsOf(nodeAt(node, ['methods'])).entries()) {
      checkMethod(findings, [...path, 'methods', at], method.value)
    }
    const shape = faultFormat.safeParse(node.value)
    if (shape.success) checkFields(findings, path, shape.data)
  }
}

function checkFields(findings: Findings, path: Path, said: SaidRule): void {
  for (const { field, index, expected } of ruleMistakes(said)) {
    const place: Path = index === undefined ? [...path, field] : [...path, field, index]
    if (said[field] === undefined) report(findings, place, { expected })
    else if (expected.startsWith('no ')) reportKey(findings, place, { expected })
    else report(findings, place, { expected })
  }
}

function checkMethod(findings: Findings, path: Path, name: unknown): void {
  if (typeof name !== 'string') return
  const asked = methodNames.filter((method) => !method.startsWith('sim/'))
  if (asked.some((method) => method === name)) return
  const expected = 'a method of private/ or public/'
  report(findings, path, { expected, ...meant(nearest(name, asked)) })
}
