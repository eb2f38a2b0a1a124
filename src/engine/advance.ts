/**
 * Moving the clock: every timer that is due runs at its own time.
 */
import { assert, type Micros, micros, popDue, sequence } from '../core/index.ts'
import type { EventSink } from '../model/index.ts'
import type { Turn } from './emit.ts'
import { arriveOrder } from './matching/entering.ts'
import { endSession } from './session-end.ts'
import type { Exchange } from './state/exchange.ts'
import { drainWork } from './work.ts'

/** The cause of events that no request caused: timers, recorded messages, the exchange's creation. */
export const NO_CAUSE = sequence(0)

/** Moves the clock to `time` and runs every timer due until then, each at its own time. */
export function advanceTo(exchange: Exchange, time: Micros, sink: EventSink): void {
  assert(time >= exchange.now, 'the clock never goes back')
  for (;;) {
    const timer = popDue(exchange.timers, time)
    if (timer === undefined) break
    exchange.now = micros(timer.time)
    const turn: Turn = { exchange, sink, cause: NO_CAUSE }
    switch (timer.payload.kind) {
      case 'session_end':
        endSession(turn)
        break
      case 'order_arrival':
        arriveOrder(turn, timer.payload.order)
        break
    }
    drainWork(exchange, sink, NO_CAUSE)
  }
  exchange.now = time
}
