/**
 * Checks the accounts of a file: unique names, money in existing currencies, positions in existing instruments, and
 * main accounts that are not subaccounts themselves.
 */
import { nearest } from '../../../core/index.ts'
import {
  entriesOf,
  type Findings,
  type Located,
  meant,
  nodeAt,
  type Path,
  report,
  reportKey,
  textAt,
} from '../located.ts'
import { checkAccountSettings, checkDecimal, checkFraction } from './settings-checks.ts'

/** Checks all accounts and returns their names, beginning with the traders of the population. */
export function checkAccounts(
  findings: Findings,
  traders: readonly string[],
  instruments: ReadonlyMap<string, unknown>,
  /** Names of the futures that the schedule lists. */
  scheduled: ReadonlySet<string>,
): Set<string> {
  const names = new Set(traders)
  const accounts = entriesOf(nodeAt(findings.root, ['accounts']))
  for (const [name, { node }] of accounts) {
    const path = ['accounts', name]
    if (name.includes('.')) reportKey(findings, path, { expected: 'a name without dots' })
    if (names.has(name)) {
      reportKey(findings, path, { expected: 'a name that the population does not use' })
    }
    checkMain(findings, name, path)
    checkAccountSettings(findings, path)
    const factor = nodeAt(node, ['fee_factor'])
    if (factor !== undefined) {
      checkFraction(findings, [...path, 'fee_factor'], factor, 6)
    }
    for (const [currency, { node: amount }] of entriesOf(nodeAt(node, ['deposit']))) {
      checkDecimal(findings, [...path, 'deposit', currency], amount, 'money')
    }
    for (const [instrument, { node: position }] of entriesOf(nodeAt(node, ['positions']))) {
      const at = [...path, 'positions', instrument]
      if (!instruments.has(instrument)) {
        // The schedule lists its futures itself; they are not part of the set-up.
        const hint = scheduled.has(instrument)
          ? {
              hint: 'for an instrument from venue.listed_futures, use sim/give_position in a step at 0s',
            }
          : meant(nearest(instrument, instruments.keys()))
        reportKey(findings, at, { expected: 'an instrument of this file', ...hint })
      }
      checkPosition(findings, position, at)
    }
    names.add(name)
  }
  return names
}

/** Checks that the main account of a subaccount is in the file, before or after its subaccounts. */
function checkMain(findings: Findings, name: string, path: Path): void {
  const accounts = entriesOf(nodeAt(findings.root, ['accounts']))
  const main = textAt(accounts.get(name)?.node, 'main')
  if (main === undefined) return
  if (nodeAt(findings.root, [...path, 'member']) !== undefined) {
    reportKey(findings, [...path, 'member'], { expected: 'this key only in a main account' })
  }
  const others = [...accounts.keys()].filter((other) => other !== name)
  if (!others.includes(main)) {
    const mistake = { expected: 'another account of this file' }
    report(findings, [...path, 'main'], { ...mistake, ...meant(nearest(main, others)) })
  } else if (textAt(accounts.get(main)?.node, 'main') !== undefined) {
    report(findings, [...path, 'main'], { expected: 'an account that is not a subaccount' })
  }
}

function checkPosition(findings: Findings, position: Located, path: Path): void {
  for (const [key, sort] of [
    ['amount', 'size'],
    ['price', 'price'],
  ] as const) {
    const part = nodeAt(position, [key])
    if (part !== undefined) checkDecimal(findings, [...path, key], part, sort)
  }
}
