/**
 * A book enters another state.
 */
import type { InstrumentState } from '../../model/index.ts'
import { nextEvent, type Turn } from '../state/emit.ts'
import type { InstrumentRow } from '../state/instrument-row.ts'

/** Tells a new state of a book. */
export function setState(turn: Turn, row: InstrumentRow, state: InstrumentState): void {
  const { exchange } = turn
  if (row.state === state) return
  row.state = state
  row.stateSince = exchange.now
  turn.sink.emit({
    kind: 'instrument_state_changed',
    time: exchange.now,
    number: nextEvent(exchange),
    cause: turn.cause,
    instrument: row.instrument.id,
    state,
  })
}
