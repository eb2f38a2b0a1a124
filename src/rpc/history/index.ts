/**
 * The past for queries: a bounded sink beside the engine.
 */
export { type Candle, turnoverBasis } from './candles.ts'
export { type Truncation, truncation, whole } from './cuts.ts'
export {
  createHistory,
  type EquityReader,
  type History,
  type OrderTraits,
  recordEvent,
  traitsOf,
  type UserTrade,
} from './history.ts'
export { append, countUntil, recordsUntil } from './lists.ts'
export { cashIn } from './log/cash.ts'
export type { Transaction, TransferPart } from './log/transactions.ts'
export { endedOrdersOf, isOtocoPrimary, ordersTruncation, tradesOfOrder } from './orders.ts'
export { type RateSeries, type Series, sumUntil, valueAt } from './series.ts'
export type { SessionMessage } from './session-messages.ts'
export type { AccountSettlement, PublicSettlement } from './settlements.ts'
export { type HistoryState, restoreHistory, snapshotHistory } from './state.ts'
export { transferOfNonce, transfersOf } from './transfers.ts'
