/**
 * When a consumed level of a recorded book counts as refreshed, although no row has set it since.
 *
 * - A print that no row confirms consumes for one second: rows that show a print come within milliseconds.
 * - An own taker consumes for one minute. The recorded market never saw it, and goes on showing the level.
 *
 * Only a later message of the book refreshes levels: a feed that has stopped shows nothing. Assumed: both times are
 * ours, because the venue has no rule for orders that it never saw. Times in microseconds.
 *
 * Cost: one comparison a message; where a level is due, a step for each consumed level.
 */

import { assert } from '../core/index.ts'

/** How long a print consumes. */
export const PRINT_REFRESH_MICROS = 1_000_000
/** How long an own taker consumes. */
export const TAKER_REFRESH_MICROS = 60_000_000

/** Consumed levels of one side: their prices, in the order of consumption, with the time of their refresh. */
export type SideRefreshes = Map<number, number>

/** Consumed levels of a recorded book. */
export interface Refreshes {
  readonly buy: SideRefreshes
  readonly sell: SideRefreshes
  /** The first time at which a level may be due; infinite without any. */
  next: number
}

/** No consumed levels. */
export function createRefreshes(): Refreshes {
  return { buy: new Map(), sell: new Map(), next: Number.POSITIVE_INFINITY }
}

/** Forgets all of them, because a snapshot replaces the book. */
export function clearRefreshes(refreshes: Refreshes): void {
  refreshes.buy.clear()
  refreshes.sell.clear()
  refreshes.next = Number.POSITIVE_INFINITY
}

/** Notes that a level is refreshed at a time, or later where it was consumed for longer before. */
export function noteConsumed(
  refreshes: Refreshes,
  level: { readonly side: 'buy' | 'sell'; readonly price: number; readonly until: number },
): void {
  const { side, price, until } = level
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

/** Throws if a level is due before the first time at which one may be. */
export function auditRefreshes({ buy, sell, next }: Refreshes): void {
  for (const due of [...buy.values(), ...sell.values()]) {
    assert(next <= due, 'a consumed level is due after the start of time')
  }
}
