/**
 * Values as JSON: numbers, ids, orders, trades and errors; and the types of requests.
 */

export * from './events.ts'
export {
  blockIdIn,
  blockIdOut,
  idPrefixOf,
  instrumentIdOut,
  namesakes,
  orderIdIn,
  orderIdOut,
  pendingIdOut,
  tradeIdIn,
} from './ids.ts'
export type * from './market.ts'
export * from './numbers.ts'
export * from './orders.ts'
export * from './request.ts'
export * from './rfqs.ts'
export * from './settlements.ts'
export {
  placesOf,
  publicTradeOut,
  userTradeOut,
  type WireLeg,
  type WireRfqShare,
  type WireTrade,
  type WireTradeShare,
  type WireUserLeg,
  type WireUserTrade,
} from './trades.ts'
export * from './transactions.ts'
export * from './wallet.ts'
