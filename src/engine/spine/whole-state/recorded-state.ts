/** Recorded books in a snapshot: their levels, and the state of the prints that took from them. */
import {
  noteConsumed,
  type RecordedLevel,
  recordedLevels,
  restoreRecorded,
  restoreSidePrints,
  type SidePrintsState,
  sidePrintsState,
} from '../../../book/index.ts'
import type { InstrumentRow } from '../../state/index.ts'

/** A recorded book as plain data. */
export type RecordedState = {
  readonly bids: readonly RecordedLevel[]
  readonly asks: readonly RecordedLevel[]
  readonly hasPrints: boolean
  readonly bidPrints: SidePrintsState
  readonly askPrints: SidePrintsState
  /** Consumed levels with the times of their refresh, in the order of consumption. */
  readonly bidRefreshes: readonly (readonly [price: number, due: number])[]
  readonly askRefreshes: readonly (readonly [price: number, due: number])[]
}

/** The recorded book of an instrument; null in a closed market. */
export function recordedStateOf({ book }: InstrumentRow): RecordedState | null {
  if (book.recorded === null) return null
  const { bids, asks, prints, refreshes } = book.recorded
  return {
    bids: recordedLevels(bids),
    asks: recordedLevels(asks),
    hasPrints: prints.seen,
    bidPrints: sidePrintsState(prints.buy),
    askPrints: sidePrintsState(prints.sell),
    bidRefreshes: [...refreshes.buy],
    askRefreshes: [...refreshes.sell],
  }
}

/** Restores a recorded book into an empty one. */
export function restoreRecordedBook({ book: { recorded } }: InstrumentRow, state: RecordedState | null): void {
  if (recorded === null || state === null) return
  for (const level of state.bids) restoreRecorded(recorded.bids, level)
  for (const level of state.asks) restoreRecorded(recorded.asks, level)
  recorded.prints.seen = state.hasPrints
  restoreSidePrints(recorded.prints.buy, state.bidPrints)
  restoreSidePrints(recorded.prints.sell, state.askPrints)
  for (const [price, until] of state.bidRefreshes) {
    noteConsumed(recorded.refreshes, { side: 'buy', price, until })
  }
  for (const [price, until] of state.askRefreshes) {
    noteConsumed(recorded.refreshes, { side: 'sell', price, until })
  }
}
