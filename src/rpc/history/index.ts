/**
 * Histories for queries: a bounded sink of events.
 */

export { type Candle, turnoverBasis } from './candles.ts'
export * from './history.ts'
export type { EquityReader, Transaction, TransferPart } from './log/transactions.ts'
export { type HistoryFile, HistoryNotes } from './notes.ts'
export * from './orders.ts'
export { meanBetween, type RateSeries, type Series, sumUntil, valueAt } from './series.ts'
export * from './session-messages.ts'
export {
  allocatedTrade,
  noteHandedOn,
  type OrderTraits,
  type TradeAllocation,
  traitsOf,
  type UserTrade,
} from './user-trades.ts'
export { volatilityNow, volatilityValues } from './volatility.ts'
export { countUntil, keepRow, missingOf, recordsUntil, rowsOf, type Truncation, truncation, whole } from './windows.ts'
