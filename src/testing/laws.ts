/** The laws of the state of an exchange, for any test runner. */
import { checkArgument, coded } from '../core/index.ts'
import { brokenLaw, type Desk } from '../rpc/index.ts'

/**
 * Throws unless every law of the exchange holds: the cash of each currency equals the deposits and the initial insurance
 * fund, books at rest are not crossed, positions and session profits of an instrument sum to zero, open orders have a
 * remaining amount, and margin totals equal margin computed from nothing.
 *
 * @throws RangeError with the code `LAW` for the first law that does not hold, with decimal amounts; an error of the
 * code `DEFECT` if internal totals of the engine disagree; a RangeError with the code `OPTION` if the argument
 * has another kind.
 *
 * @example
 * import { openVenue } from 'pitclock'
 * import { assertLaws } from 'pitclock/testing'
 *
 * const venue = openVenue({ start: '2026-01-05T09:00:00Z', accounts: { ann: { BTC: 1 } } })
 * assertLaws(venue.desk)
 */
export function assertLaws(desk: Desk): void {
  checkArgument('assertLaws: desk', desk, 'object')
  const problem = brokenLaw(desk)
  if (problem !== null) throw coded(new RangeError(problem), 'LAW')
}
