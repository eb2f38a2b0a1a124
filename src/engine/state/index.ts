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
export {
  accountRow,
  addAccount,
  hasRestrictions,
  isOfMember,
  isUsername,
  noteRestrictions,
  setMarginModel,
} from './accounts.ts'
export { askingOf } from './asking.ts'
export { awaitDayEnd } from './awaiting.ts'
export {
  type Approval,
  type BlockSignature,
  blockKey,
  type ExecutedBlock,
  isBlockFree,
  type PendingBlock,
} from './block-rows.ts'
export { type Bump, countWaiting, type OrderTermsBefore, type WaitingCounts } from './bumps.ts'
export { askedConversion } from './changed-by.ts'
export { fitsLegs, isMarked, legLotsOf, legSide, linkCombos } from './combos.ts'
export { deliveryMean9, exactMean9, sampleUntil, WINDOW_MICROS } from './delivery-average.ts'
export { emitDone, emitLevel, emitOrder, eventHeader, nextEvent, type Turn } from './emit.ts'
export {
  type ConnectionTask,
  type Exchange,
  emptyExchange,
  exchangeFields,
  stateTables,
} from './exchange.ts'
export {
  type HoldingRisk,
  type HoldingRow,
  holdingFields,
  type PairRow,
  type Skip,
  type SkippedHoldings,
} from './holding-row.ts'
export {
  addHolding,
  findHolding,
  followModel,
  holdingFor,
  holdingOfOrder,
  mayBeDue,
  noteFundable,
  reducible,
} from './holdings.ts'
export {
  type ComboLegRow,
  type FundingState,
  type IndexRow,
  type InstrumentRow,
  indexFields,
  instrumentFields,
  isCoinSettled,
  isPriceFixed,
  isSourceKnown,
  NO_INSTRUMENT,
  ONE_COIN9,
  type OptionState,
  type OptionStress,
  optionFields,
  type PriceBand,
  type SeriesRow,
  seriesFields,
  setMark,
  sourcePrice,
} from './instrument-row.ts'
export { enterIndex, indexRow, instrumentRow, leaveIndex, setSteps } from './instruments.ts'
export { type KeyRow, keyOf } from './key-rows.ts'
export { keysOf, namedKey, OWN_KEY } from './keys.ts'
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
export { addMmpGroup, findMmpGroup, listMmpGroup, mmpGroupAt } from './mmp-groups.ts'
export {
  clearWindow,
  countTrade,
  type MmpCounters,
  type MmpTrade,
  reachedLimit,
} from './mmp-window.ts'
export {
  appsWith,
  forgetMobile,
  isMobileAsk,
  isMobileSession,
  noteMobile,
} from './mobile.ts'
export { mobileFields } from './mobile-row.ts'
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
export {
  averagePrice,
  closeOrder,
  filledOf,
  instrumentOf,
  linksOf,
  listOrder,
  newRecord,
  noteFillPrice,
  orderAt,
  orderPrice9,
  orderSlotOf,
  rowOfInstrument,
  stateOf,
  stateOfStage,
  takeOrderSlot,
  triggerOf,
  visibleOf,
  visitAccountOrders,
} from './orders.ts'
export { isIndexStale, isOutageFree, STALE_MICROS } from './outages.ts'
export { emptyPair, findPair, scenarioTableOf } from './pair-rows.ts'
export type { LspWindow, Participant } from './participant.ts'
export { forgetParticipant, groupOfRow, limitPpmOf, mayOnlyReduce } from './participants.ts'
export {
  inExecutionOrder,
  isAtOrBefore,
  partnerAt,
  type Share,
  shareOf,
  sharesPosition,
  take,
  wantedShare,
} from './position-share.ts'
export { forgetQuote, isOpenQuote, quoteSlot, rememberQuote } from './quotes.ts'
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
export {
  findRfqQuote,
  isOfOneOwner,
  isSelfMatch,
  isTarget,
  legLotsFor,
  makerAliasOf,
  makersOf,
  partyFor,
  partyOf,
  rfqAt,
  rfqPrice9,
  rfqSize9,
  takerAliasOf,
} from './rfqs.ts'
export type { SessionRow } from './session-row.ts'
export { heirSession, isDirect, isOver, sessionAt } from './sessions.ts'
export type { AccountStanding } from './standing.ts'
export { emitStanding } from './standing-changes.ts'
export { setTimer, type TimerKind, type TimerTask } from './timers.ts'
export { firstFault, pass, refuse, type Verdict } from './verdict.ts'
export {
  type AddressRow,
  type DepositAddressRow,
  isWalletFree,
  type PaymentRow,
  paymentKey,
} from './wallet-rows.ts'
export { collectFired } from './watch.ts'
export type { Work } from './work.ts'
