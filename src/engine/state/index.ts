/**
 * The rows of an exchange, and functions that find and change them: accounts, holdings, orders, groups and sessions.
 * This folder also emits the events that report them.
 */
export {
  type AccountRow,
  ALL_CURRENCIES,
  accountFields,
  type ExactMargin,
  type Liquidation,
  walletRowOf,
} from './account-row.ts'
export * from './accounts.ts'
export * from './awaiting.ts'
export {
  type Approval,
  type BlockSignature,
  blockKey,
  type ExecutedBlock,
  isBlockFree,
  type PendingBlock,
} from './block-rows.ts'
export { type Bump, countWaiting, type OrderTermsBefore, type WaitingCounts } from './bumps.ts'
export * from './check-result.ts'
export { type KeyRow, keyOf, mobileFields, type SessionRow } from './connection-rows.ts'
export { deliveryMean9, exactMean9, sampleUntil, WINDOW_MICROS } from './delivery-average.ts'
export * from './emit.ts'
export * from './exchange.ts'
export * from './fired-triggers.ts'
export {
  type HoldingRisk,
  type HoldingRow,
  holdingFields,
  type PairRow,
  type Skip,
  type SkippedHoldings,
} from './holding-row.ts'
export * from './holdings.ts'
export * from './instrument-row.ts'
export * from './instruments.ts'
export {
  bringTo,
  copyOfOrder,
  type LiveOrder,
  liveOrderUnit,
  type OrderLink,
  type OrderStage,
  type OrderTrigger,
} from './live-order.ts'
export { type MmpGroup, mmpGroupUnit } from './mmp-group.ts'
export * from './mmp-groups.ts'
export {
  amountAt,
  creationTimeAt,
  displayAt,
  extrasAt,
  holdingAt,
  idAt,
  isRareAt,
  linkAt,
  reducesAt,
  setRareTerms,
  setStage,
  setUpdateTime,
  sideAt,
  stageAt,
  timeInForceAt,
  typeAt,
  updateTimeAt,
} from './order-fields.ts'
export { usualTerms } from './order-layout.ts'
export { holdsOrder, holdsRareTerms, restoreRareTerms } from './order-records.ts'
export * from './orders.ts'
export type { LspWindow, Participant } from './participant.ts'
export * from './participants.ts'
export * from './position-share.ts'
export {
  type CreditTerms,
  countInMinute,
  creditsAt,
  creditsOf,
  drainCredits,
  fullBucket,
  type RateBucket,
  secondsUntilFree,
  takeCredits,
  WHOLE_REQUEST,
} from './rate-buckets.ts'
export {
  isRfqFree,
  type RfqDisplay,
  type RfqIndex,
  type RfqQuoteRow,
  type RfqRow,
  type RfqShare,
  type RfqShown,
  type RfqTrade,
  type RfqTrigger,
} from './rfq-rows.ts'
export * from './rfqs.ts'
export * from './sessions.ts'
export { type AccountStanding, isIndexStale, isOutageFree, STALE_MICROS } from './standing.ts'
export * from './timers.ts'
export { type AddressRow, type DepositAddressRow, isWalletFree, type PaymentRow, paymentKey } from './wallet-rows.ts'
