/**
 * The timer for the end of the trading day, at 08:00 UTC.
 */
import { dayBoundaryAfter } from '../../core/index.ts'
import type { Exchange } from './exchange.ts'
import { setTimer } from './timers.ts'

/** Sets the timer for the end of the day unless it is already set. */
export function awaitDayEnd(exchange: Exchange): void {
  if (exchange.isDayEndAwaited) return
  exchange.isDayEndAwaited = true
  setTimer(exchange.timers, dayBoundaryAfter(exchange.now), { kind: 'day_end' })
}
