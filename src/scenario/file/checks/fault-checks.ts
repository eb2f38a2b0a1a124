/**
 * Checks the faults of a file: that each has the fields of its kind, and names existing accounts, methods and indices.
 */
import { nearest, parseDuration } from '../../../core/index.ts'
import { ruleMistakes, type SaidRule } from '../../../faults/index.ts'
import { methodNames } from '../../../gateways/index.ts'
import {
  entriesOf,
  type Findings,
  itemsOf,
  type Located,
  meant,
  nodeAt,
  type Path,
  report,
  reportKey,
  textAt,
} from '../located.ts'
import { type FaultShape, faultFormat, isMarketFault, type MarketFaultKind } from '../sections/faults.ts'
import { type Known, unknownAccount } from './step-checks.ts'

/** Checks all faults. The schema reports mistakes in their shape. */
export function checkFaults(findings: Findings, known: Known, indices: ReadonlySet<string>): void {
  for (const [at, node] of itemsOf(nodeAt(findings.root, ['faults'])).entries()) {
    const path: Path = ['faults', at]
    const account = textAt(node, 'account')
    if (account !== undefined && !known.accounts.has(account)) {
      report(findings, [...path, 'account'], unknownAccount(account, known))
    }
    const index = textAt(node, 'index')
    if (index !== undefined && !indices.has(index)) {
      const expected = 'the index of an instrument of this file'
      report(findings, [...path, 'index'], { expected, ...meant(nearest(index, indices)) })
    }
    const shape = faultFormat.safeParse(node.value)
    if (!shape.success) continue
    const { kind } = shape.data
    if (isMarketFault(kind)) checkMarketFault(findings, path, kind, node, shape.data)
    else checkRule(findings, path, { ...shape.data, kind })
  }
}

function checkRule(findings: Findings, path: Path, said: SaidRule & Pick<FaultShape, 'index' | 'gateway'>): void {
  for (const field of ['index', 'gateway'] as const) {
    if (said[field] !== undefined) reportNotTaken(findings, path, said.kind, field)
  }
  for (const { field, index, expected, meant: name } of ruleMistakes(said, methodNames)) {
    const place: Path = index === undefined ? [...path, field] : [...path, field, index]
    if (expected.startsWith('no ')) reportKey(findings, place, { expected })
    else report(findings, place, { expected, ...meant(name) })
  }
}

type Field = Exclude<keyof FaultShape, 'kind'>

/** Fields of faults of the market, and the expected content of required ones. */
const fieldsOf: {
  readonly [K in MarketFaultKind]: { readonly [F in Field]?: string | null }
} = {
  maintenance: { from: null, until: null },
  index_outage: { index: 'an index such as btc_usd', from: null, until: null },
  gateway_outage: { gateway: 'a gateway such as ETH_A', from: null, until: null },
  clock_jump: { by: 'the length of the jump, such as 10m', from: null },
}

function checkMarketFault(
  findings: Findings,
  path: Path,
  kind: MarketFaultKind,
  node: Located,
  said: FaultShape,
): void {
  const fields = fieldsOf[kind]
  for (const field of entriesOf(node).keys()) {
    if (field !== 'kind' && !Object.hasOwn(fields, field)) {
      reportNotTaken(findings, path, kind, field)
    }
  }
  for (const [field, expected] of Object.entries(fields)) {
    const isGiven = entriesOf(node).has(field)
    if (expected !== null && !isGiven) report(findings, [...path, field], { expected })
  }
  if (kind !== 'clock_jump') return
  if (said.by !== undefined) {
    const by = parseDuration(said.by)
    if (!by.ok) report(findings, [...path, 'by'], { expected: by.error.expected })
    else if (by.value < 1) report(findings, [...path, 'by'], { expected: 'a duration above 0' })
  }
  if (itemsOf(nodeAt(findings.root, ['feeds'])).length > 0) {
    const expected = 'no clock_jump in a run with feeds, because their rows set the clock'
    report(findings, [...path, 'kind'], { expected })
  }
}

function reportNotTaken(findings: Findings, path: Path, kind: string, field: string): void {
  reportKey(findings, [...path, field], { expected: `no ${field} in a fault of kind ${kind}` })
}
