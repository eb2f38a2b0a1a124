/**
 * The timer of the session's end, which is at 08:00 UTC.
 */
import { schedule, sessionBoundaryAfter } from '../../core/index.ts'
import { type Exchange, timerRank } from './exchange.ts'

/** Makes sure that the session's end is awaited. */
export function awaitSessionEnd(exchange: Exchange): void {
  if (exchange.sessionEndScheduled) return
  exchange.sessionEndScheduled = true
  schedule(exchange.timers, {
    time: sessionBoundaryAfter(exchange.now),
    rank: timerRank.settlement,
    payload: { kind: 'session_end' },
  })
}
