/**
 * A book enters another state.
 */
import type { InstrumentState } from '../../model/index.ts'
import { closeRfqsOf } from '../market/index.ts'
import { eventHeader, type InstrumentRow, type Turn } from '../state/index.ts'

/** Tells a new state of a book, and ends the Block RFQs that it closes. */
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
  if (state !== 'open' && exchange.rfqs.open.size > 0) closeRfqsOf(turn, row.instrument.id)
}
