/**
 * The past for queries: a bounded sink beside the engine.
 */
export { type Candle, turnoverBasis } from './candles.ts'
export { type Truncation, truncation, whole } from './cuts.ts'
export {
  createHistory,
  type History,
  historySink,
  type OrderTraits,
  traitsOf,
  type UserTrade,
} from './history.ts'
export { append, countUntil, recordsUntil } from './lists.ts'
export type { EquityReader, Transaction, TransferPart } from './log/transactions.ts'
export { endedOrdersOf, isPairPrimary, ordersTruncation, tradesOfOrder } from './orders.ts'
export { type RateSeries, type Series, sumUntil, valueAt } from './series.ts'
export type { SessionMessage } from './session-messages.ts'
export type { AccountSettlement, PublicSettlement } from './settlements.ts'
export { type HistoryState, restoreHistory, snapshotHistory } from './state.ts'
export { transferOfNonce, transfersOf } from './transfers.ts'
