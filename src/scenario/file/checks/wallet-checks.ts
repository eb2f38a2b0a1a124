/**
 * Checks of the settings of wallets in a file: durations and fees within their bounds.
 */
import { entriesOf, type Findings, nodeAt, type Path } from '../located.ts'
import { checkRange } from './decimal-checks.ts'
import { checkDuration } from './duration-checks.ts'

const YEAR = 31_536_000_000_000
/** A billion units. */
const FEE_MAX = 1_000_000_000_000_000_000n

/** Checks the settings. */
export function checkWallet(findings: Findings): void {
  const base: Path = ['venue', 'wallet']
  checkDuration(findings, [...base, 'address_wait'], {
    min: 0,
    max: YEAR,
    expected: 'a duration of at most 365 days',
  })
  for (const key of ['confirmation_time', 'completion_time', 'deposit_time']) {
    checkDuration(findings, [...base, key], {
      min: 1,
      max: YEAR,
      expected: 'a duration above 0 and up to 365 days',
    })
  }
  for (const [currency, { node }] of entriesOf(nodeAt(findings.root, [...base, 'fees']))) {
    checkRange(findings, {
      path: [...base, 'fees', currency],
      node,
      decimals: 9,
      min: 0n,
      max: FEE_MAX,
      meaning: 'money from 0 to a billion',
    })
  }
}
