/**
 * Determines when a consumed level of a recorded book counts as refreshed although no row has set it since.
 *
 * - A print without a confirming row consumes for one second: rows that show a print come within milliseconds.
 * - An own taker consumes for one minute. The recorded market never saw the trade, and continues to show the level.
 *
 * Only a later message of the book refreshes levels, because a stopped feed shows nothing. Assumed: both times are our
 * choice, because the venue has no rule for orders that it never saw. Times in microseconds.
 *
 * Cost: one comparison for each message; if a level is due, a step for each consumed level.
 */

import { assert } from '../core/index.ts'

/** Time for which a print consumes. */
export const PRINT_REFRESH_MICROS = 1_000_000
/** Time for which an own taker consumes. */
export const TAKER_REFRESH_MICROS = 60_000_000

/** Consumed levels of one side: their prices, in the order of consumption, with the time of their refresh. */
type SideRefreshes = Map<number, number>

/** Consumed levels of a recorded book. */
export interface Refreshes {
  readonly buy: SideRefreshes
  readonly sell: SideRefreshes
  /** The first time at which a level may be due; infinite without consumed levels. */
  next: number
}

/** The state without consumed levels. */
export function createRefreshes(): Refreshes {
  return { buy: new Map(), sell: new Map(), next: Number.POSITIVE_INFINITY }
}

/** Removes all levels, because a snapshot replaces the book. */
export function clearRefreshes(refreshes: Refreshes): void {
  refreshes.buy.clear()
  refreshes.sell.clear()
  refreshes.next = Number.POSITIVE_INFINITY
}

/** Records the time at which a level is refreshed; a later time that was recorded before remains. */
export function noteConsumed(refreshes: Refreshes, side: 'buy' | 'sell', price: number, until: number): void {
  const due = Math.max(until, refreshes[side].get(price) ?? until)
  refreshes[side].set(price, due)
  refreshes.next = Math.min(refreshes.next, due)
}

/** Removes the levels that are due, and calls `onDue` for each. */
export function takeDue(refreshes: Refreshes, now: number, onDue: (side: 'buy' | 'sell', price: number) => void): void {
  if (now < refreshes.next) return
  refreshes.next = Number.POSITIVE_INFINITY
  for (const side of ['buy', 'sell'] as const) {
    for (const [price, due] of refreshes[side]) {
      if (now < due) {
        refreshes.next = Math.min(refreshes.next, due)
      } else {
        refreshes[side].delete(price)
        onDue(side, price)
      }
    }
  }
}

/** Throws if a level is due before `next`. */
export function auditRefreshes({ buy, sell, next }: Refreshes): void {
  for (const due of [...buy.values(), ...sell.values()]) {
    assert(next <= due, 'a consumed level is due after the start of time')
  }
}
