/**
 * The timer of the end of the trading day, which is at 08:00 UTC.
 */
import { dayBoundaryAfter } from '../../core/index.ts'
import type { Exchange } from './exchange.ts'
import { setTimer } from './timers.ts'

/** Makes sure that the end of the day is awaited. */
export function awaitDayEnd(exchange: Exchange): void {
  if (exchange.isDayEndAwaited) return
  exchange.isDayEndAwaited = true
  setTimer(exchange.timers, dayBoundaryAfter(exchange.now), { kind: 'day_end' })
}
