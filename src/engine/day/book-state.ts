/** Changes of the state of a book. */
import { endRecorded } from '../../book/index.ts'
import type { InstrumentState } from '../../model/index.ts'
import { closeRfqsOf, emitPriceLevel } from '../market/index.ts'
import { eventHeader, type InstrumentRow, type Turn } from '../state/index.ts'

/**
 * Emits a new state of a book, and ends the Block RFQs that it closes. A delivered instrument shows no recorded book.
 */
export function setState(turn: Turn, row: InstrumentRow, state: InstrumentState): void {
  const { exchange } = turn
  if (row.state === state) return
  row.state = state
  row.stateSince = exchange.now
  turn.log.append({
    kind: 'state',
    ...eventHeader(turn),
    instrument: row.instrument.id,
    state,
  })
  const { recorded } = row.book
  if (state === 'delivered' && recorded !== null) {
    endRecorded(recorded, (level) => {
      if (exchange.config.bookEvents) emitPriceLevel(turn, row, level)
    })
  }
  if (state !== 'open' && exchange.rfqs.open.size > 0) closeRfqsOf(turn, row.instrument.id)
}
