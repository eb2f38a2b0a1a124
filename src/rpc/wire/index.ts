/**
 * Values as JSON: numbers, ids, orders, trades and errors; and the types of requests.
 */
export { blockOut, type WireBlock } from './blocks.ts'
export { errorOf, statusOf } from './errors.ts'
export { eventOut } from './events.ts'
export {
  blockIdIn,
  blockIdOut,
  instrumentIdOut,
  namesakes,
  orderIdIn,
  orderIdOut,
  pendingIdOut,
  tradeIdIn,
} from './ids.ts'
export type {
  WireBookSummary,
  WireComboTicker,
  WireDeliveryPrices,
  WireFunding,
  WireGreeks,
  WireIndexPrice,
  WireInstrument,
  WireOptionTicker,
  WireOrderBook,
  WireStats,
  WireTicker,
  WireUnderlying,
  WireVolumes,
} from './market.ts'
export {
  amountOut,
  balanceCut,
  balanceOut,
  digitsOut,
  greekOut,
  moneyOut,
  nanosOut,
  percentOfPpm,
  percentOut,
  priceOut,
  timeOut,
} from './numbers.ts'
export {
  factsOfView,
  listedOrderOut,
  orderOut,
  type SecondariesNow,
  secondariesNow,
  type WireOrder,
} from './orders.ts'
export {
  envelope,
  type ParamValue,
  type ReplyOf,
  type RequestParams,
  type ServedReply,
  VENUE_VERSION,
  type VenueError,
  type VenueReply,
  type VenueRequest,
} from './request.ts'
export {
  changedQuoteOut,
  openQuoteOut,
  publicRfqOut,
  rfqOut,
  triggerOut,
  type WireBlockRfq,
  type WirePublicRfq,
  type WireRfqHedge,
  type WireRfqLeg,
  type WireRfqQuote,
  type WireRfqShown,
  type WireRfqTrade,
  type WireRfqTrigger,
} from './rfqs.ts'
export { accountSettlementOut, settlementOut, type WireSettlement } from './settlements.ts'
export type { WireLeg, WireRfqShare, WireTradeShare, WireUserLeg } from './trades.ts'
export {
  placesOf,
  publicTradeOut,
  userTradeOut,
  type WireTrade,
  type WireUserTrade,
} from './trades.ts'
export { transactionOut, transactionWords, type WireTransaction } from './transactions.ts'
export {
  depositOut,
  userTransferOut,
  type WireDeposit,
  type WireTransfer,
  type WireWithdrawal,
  withdrawalOut,
} from './wallet.ts'
