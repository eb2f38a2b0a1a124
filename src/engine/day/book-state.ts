/**
 * A book enters another state.
 */
import type { InstrumentState } from '../../model/index.ts'
import { eventHeader, type InstrumentRow, type Turn } from '../state/index.ts'

/** Tells a new state of a book. */
export function setState(turn: Turn, row: InstrumentRow, state: InstrumentState): void {
  const { exchange } = turn
  if (row.state === state) return
  row.state = state
  row.stateSince = exchange.now
  turn.sink.emit({
    kind: 'state',
    ...eventHeader(turn),
    instrument: row.instrument.id,
    state,
  })
}
