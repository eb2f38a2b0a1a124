/**
 * A book enters another state.
 */
import type { InstrumentState } from '../../model/index.ts'
import { type InstrumentRow, nextEvent, type Turn } from '../state/index.ts'

/** Tells a new state of a book. */
export function setState(turn: Turn, row: InstrumentRow, state: InstrumentState): void {
  const { exchange } = turn
  if (row.state === state) return
  row.state = state
  row.stateSince = exchange.now
  turn.sink.emit({
    kind: 'state',
    time: exchange.now,
    number: nextEvent(exchange),
    cause: turn.cause,
    instrument: row.instrument.id,
    state,
  })
}
