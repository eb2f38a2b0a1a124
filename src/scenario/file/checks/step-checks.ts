/**
 * Checks the steps before they run: the account, the method, the names of parameters, the saved values that they use.
 * Wrong values of existing parameters are allowed: the run sends them as written, so that scenarios can show refusals.
 * Source: coverage R32 (an unknown parameter of a known method is a mistake here), DESIGN 6.
 */
import { nearest, parseDecimalInput } from '../../../core/index.ts'
import { findMethod, methodNames, unknownNames } from '../../../gateways/index.ts'
import { combosOfLegs } from '../../../model/index.ts'
import { methodHint } from '../../../rpc/index.ts'
import { namesIn } from '../../run/saved-values.ts'
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
import { reportUnknownKey } from '../shape.ts'
import { isWrittenDecimal } from './settings-checks.ts'
import type { InstrumentNames } from './venue-checks.ts'

/** Names known so far in a file; steps add to them. */
export interface Known {
  readonly accounts: Set<string>
  /** Keys of accounts, as `account/key`. */
  readonly keys: Set<string>
  readonly instruments: InstrumentNames
  readonly saved: Set<string>
}

const SAVE_NAME = /^[A-Za-z_][A-Za-z0-9_]*$/
const SAVE_KEYS = /^(?:result|error)(?:\.[^.\s]+)*$/

/** Checks all steps, in their order. */
export function checkSteps(findings: Findings, known: Known): void {
  itemsOf(nodeAt(findings.root, ['steps'])).forEach((step, index) => {
    const path: Path = ['steps', index]
    checkAccount(findings, step, path, known)
    checkMethod(findings, step, path)
    checkInserted(findings, [...path, 'params'], known)
    checkSaves(findings, step, path, known)
    checkExpect(findings, step, path)
    checkInserted(findings, [...path, 'expect'], known)
    learn(step, known)
  })
}

/** Checks the dollar signs in all texts at and below a path. */
export function checkInserted(findings: Findings, path: Path, known: Known): void {
  const node = nodeAt(findings.root, path)
  if (node !== undefined) checkDollars(findings, node, path, known)
}

/** The mistake of an account that the file lacks. */
export function unknownAccount(name: string, known: Known): { readonly expected: string; readonly hint?: string } {
  const names = [...known.accounts, ...known.keys]
  return { expected: 'an account of this file', ...meant(nearest(name, names)) }
}

function checkAccount(findings: Findings, step: Located, path: Path, known: Known): void {
  const account = textAt(step, 'as')
  if (account !== undefined && !known.accounts.has(account) && !known.keys.has(account)) {
    report(findings, [...path, 'as'], unknownAccount(account, known))
  }
  const isPrivate = textAt(step, 'call')?.startsWith('private/') === true
  const refused = nodeAt(step, ['expect', 'error']) !== undefined
  if (isPrivate && !refused && !entriesOf(step).has('as')) {
    report(findings, [...path, 'as'], { expected: 'an account, because the method is private' })
  }
}

/** Parts of a run that `sim/restore` cannot restore together with the venue. */
const goingOn = [
  ['feeds', 'recorded data'],
  ['strategies', 'strategies'],
] as const

function checkMethod(findings: Findings, step: Located, path: Path): void {
  const call = textAt(step, 'call')
  if (call === undefined) return
  const method = findMethod(call)
  if (method === undefined) {
    const hint = methodHint(call, methodNames)
    const expected = 'a method of the venue or a sim/ method'
    report(findings, [...path, 'call'], hint === null ? { expected } : { expected, hint })
    return
  }
  if (call === 'sim/advance' && itemsOf(nodeAt(findings.root, ['feeds'])).length > 0) {
    // Rows recorded in the meantime would arrive late, in an order that a journal does not contain.
    const expected = 'no sim/advance in a run with feeds, because their rows set the clock'
    report(findings, [...path, 'call'], { expected, hint: 'give the next step a later time' })
  }
  if (call === 'sim/restore') {
    for (const [section, what] of goingOn) {
      if (nodeAt(findings.root, [section]) === undefined) continue
      // The venue would go back but these parts would not, and would act on events that have not happened.
      const expected = `no sim/restore in a run with ${section}, because ${what} cannot go back`
      report(findings, [...path, 'call'], {
        expected,
        hint: 'sim/restore works in files without feeds and strategies',
      })
    }
  }
  for (const unknown of unknownNames(call, nodeAt(step, ['params'])?.value)) {
    reportUnknownKey(findings, [...path, 'params', ...unknown.path], unknown.known)
  }
}

function checkSaves(findings: Findings, step: Located, path: Path, known: Known): void {
  for (const [name, { node }] of entriesOf(nodeAt(step, ['save']))) {
    const at = [...path, 'save', name]
    if (!SAVE_NAME.test(name)) {
      reportKey(findings, at, { expected: 'a name of letters, digits and _' })
    }
    if (typeof node.value === 'string' && !SAVE_KEYS.test(node.value)) {
      const [first = ''] = node.value.split('.')
      const expected = 'a part of the reply such as result.order.order_id'
      report(findings, at, { expected, ...meant(nearest(first, ['result', 'error'])) })
    }
    known.saved.add(name)
  }
}

function checkExpect(findings: Findings, step: Located, path: Path): void {
  const expect = nodeAt(step, ['expect'])
  if (expect?.kind !== 'mapping') return
  const parts = ['result', 'error'].filter((part) => expect.entries.has(part))
  if (parts.length === 1) return
  const found = parts.length === 0 ? 'neither' : 'both'
  report(findings, [...path, 'expect'], { expected: 'either result or error', found })
}

/** Adds accounts, keys and instruments that the step creates. */
function learn(step: Located, known: Known): void {
  const call = textAt(step, 'call')
  const params = nodeAt(step, ['params'])
  const account = textAt(params, 'name')
  const instrument = textAt(params, 'instrument_name')
  if (call === 'sim/create_account' && account !== undefined) known.accounts.add(account)
  const owner = textAt(params, 'account')
  if (call === 'sim/create_key' && owner !== undefined) known.keys.add(`${owner}/${account}`)
  const asker = textAt(step, 'as')
  if (call === 'private/create_api_key' && asker !== undefined) learnKey(asker, known)
  if (call === 'sim/list_instrument' && instrument !== undefined) known.instruments.add(instrument)
  if (call === 'private/create_combo' && params !== undefined) learnCombo(params, known)
}

/** Adds the next key that an account may have created. Which of these numbers exist is known only during the run. */
function learnKey(asker: string, { keys }: Known): void {
  const [owner] = asker.split('/')
  let number = 2
  while (keys.has(`${owner}/key_${number}`)) number += 1
  keys.add(`${owner}/key_${number}`)
}

/** Adds the combo of these legs under each of its names. Which name is listed is known only during the run. */
function learnCombo(params: Located, known: Known): void {
  const legs = itemsOf(nodeAt(params, ['trades'])).map((leg) => {
    const amount = nodeAt(leg, ['amount'])?.value
    const scaled = isWrittenDecimal(amount) ? parseDecimalInput(amount, 9) : undefined
    const size = scaled?.ok === true ? Number(scaled.value) : 0
    const whole = Number.isSafeInteger(size) ? size : 0
    const ratio = textAt(leg, 'direction') === 'sell' ? -whole : whole
    return { instrumentName: textAt(leg, 'instrument_name') ?? '', ratio }
  })
  const combos = combosOfLegs(legs)
  if (combos.ok) for (const { name } of combos.value) known.instruments.add(name)
}

function checkDollars(findings: Findings, node: Located, path: Path, known: Known): void {
  if (node.kind === 'mapping') {
    for (const [key, entry] of node.entries) {
      checkDollars(findings, entry.node, [...path, key], known)
    }
  } else if (node.kind === 'list') {
    node.items.forEach((item, index) => {
      checkDollars(findings, item, [...path, index], known)
    })
  } else if (typeof node.value === 'string') {
    const names = namesIn(node.value)
    if (!names.ok) {
      report(findings, path, {
        expected: 'a name after each $',
        hint: 'write $$ for a dollar sign',
      })
      return
    }
    const unsaved = names.value.find((name) => !known.saved.has(name))
    if (unsaved === undefined) return
    const expected = `a value that an earlier step saves as ${unsaved}`
    report(findings, path, { expected, ...meant(nearest(unsaved, known.saved)) })
  }
}
