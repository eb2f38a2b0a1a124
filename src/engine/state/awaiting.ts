/**
 * The timer of the session's end, which is at 08:00 UTC.
 */
import { sessionBoundaryAfter } from '../../core/index.ts'
import type { Exchange } from './exchange.ts'
import { setTimer } from './timers.ts'

/** Makes sure that the session's end is awaited. */
export function awaitSessionEnd(exchange: Exchange): void {
  if (exchange.sessionEndScheduled) return
  exchange.sessionEndScheduled = true
  setTimer(exchange.timers, sessionBoundaryAfter(exchange.now), { kind: 'session_end' })
}
