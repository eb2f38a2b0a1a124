/**
 * Histories for queries: a bounded sink of events.
 */

export {
  type AccessNote,
  type AccessRecord,
  accessRecord,
  addAccess,
  LOCAL_ADDRESS,
} from './access-log.ts'
export {
  type Announcement,
  addAnnouncement,
  deleteAnnouncement,
  isReadBy,
  lastDeletion,
  markRead,
  nextAnnouncementId,
} from './announcements.ts'
export type { BlockRecord } from './blocks.ts'
export { type Candle, turnoverBasis } from './candles.ts'
export type {
  DirectFill,
  DirectNames,
  DirectOrder,
  DirectStatus,
  LayerMessage,
  LoggedOutMessage,
  LogonMessage,
  MmpMessage,
  OrderAmendedMessage,
  OrderCancelledMessage,
  OrderFilledMessage,
  OrderGone,
  OrderPlacedMessage,
  OrdersCanceledMessage,
  QuotePlacedMessage,
  SessionMessage,
} from './direct-messages.ts'
export {
  type AccountSettlement,
  createHistory,
  forgetEndedOrders,
  type History,
  historySink,
  historyUnit,
  isOfBlock,
  type PublicSettlement,
} from './history.ts'
export { countUntil, recordsUntil } from './lists.ts'
export type { EquityReader, Transaction, TransferPart } from './log/transactions.ts'
export { endedOrdersOf, isOtocoPrimary, ordersTruncation, tradesOfOrder } from './orders.ts'
export { meanBetween, type RateSeries, type Series, sumUntil, valueAt } from './series.ts'
export {
  type Canceller,
  nextInbound,
  noteInbound,
  type RequestAtWork,
  resetInbound,
} from './session-messages.ts'
export {
  allocatedTrade,
  noteHandedOn,
  type OrderTraits,
  type TradeAllocation,
  traitsOf,
  type UserTrade,
} from './user-trades.ts'
export { volatilityNow, volatilityValues } from './volatility.ts'
export { keepRow, missingOf, rowsOf, type Truncation, truncation, whole } from './windows.ts'
