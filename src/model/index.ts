/**
 * The public names of `model`, the vocabulary of the exchange: currencies, ids, instruments with their names and
 * catalogue, accounts, orders, refusals, commands, events and settings.
 */
export { KEYS_MAX, type KeyChanges, type KeyTerms, keySettings } from './access-keys.ts'
export {
  type Account,
  feeAccount,
  houseAccountNames,
  insuranceAccount,
  marketAccountName,
  NO_ACCOUNT,
  positionAccount,
  roundingAccount,
  transitAccountName,
} from './account.ts'
export { accountSettings } from './account-settings.ts'
export type {
  AnswerBlockTrade,
  BlockApps,
  BlockCommand,
  BlockLeg,
  BlockTradeTerms,
  ChangeKey,
  CreateKey,
  ExecuteBlockTrade,
  InvalidateBlockSignature,
  RemoveKey,
  SignBlockTrade,
} from './commands/block-commands.ts'
export {
  type AdvanceTime,
  anyOrder,
  type CancelOrder,
  type CancelOrders,
  type Command,
  type CommandKind,
  type CommandOf,
  type CreateCombo,
  commandKinds,
  type Deposit,
  type EditOrder,
  type FollowMid,
  type GivePosition,
  type ListInstrument,
  type MovedPosition,
  type MovePositions,
  type OpenAccount,
  type OrderFilter,
  type PlaceOrder,
  type RescaleInstrument,
  type SetIndex,
  type SetInstrumentState,
  type SetLspParticipant,
  type SetMark,
  type SetSelfTrading,
  type TransferCash,
  type Unreadable,
} from './commands/command.ts'
export {
  type DirectKind,
  isDirectKind,
} from './commands/direct-kinds.ts'
export type { CommandHeader } from './commands/header.ts'
export {
  type BoundViews,
  commandNumbers,
  type NumberRule,
  numberFaults,
  type PartRule,
} from './commands/numbers.ts'
export type {
  ChangeMarginModel,
  ProfileCommand,
  RemoveAccount,
  SetProfile,
} from './commands/profile-commands.ts'
export {
  anyQuote,
  type CancelQuotes,
  type CloseSession,
  type LockAccount,
  type LockPortfolio,
  type MassQuote,
  type OpenSession,
  type ProtectionCommand,
  type QuoteEntry,
  type QuoteFilter,
  type QuoteSide,
  type ResetMmp,
  type SetCancelOnDisconnect,
  type SetDisabledProducts,
  type SetGatewaySwitch,
  type SetMmpConfig,
  type SetPermissions,
  type SetRiskLimits,
  type TrimOrders,
} from './commands/protection-commands.ts'
export type {
  AcceptBlockRfq,
  AddRfqQuote,
  CancelBlockRfq,
  CancelRfqQuote,
  CancelRfqQuotes,
  CancelRfqTrigger,
  CreateBlockRfq,
  EditRfqQuote,
  RfqAllocation,
  RfqAsk,
  RfqClient,
  RfqCommand,
  RfqLeg,
  RfqQuotedLeg,
  RfqQuoteName,
  RfqQuoteTerms,
  SetRfqParty,
} from './commands/rfq-commands.ts'
export type {
  AddAddress,
  AddressChoice,
  AddressDetails,
  CancelPayment,
  CreateDepositAddress,
  HoldTransfers,
  MovePayment,
  ReceiveDeposit,
  RemoveAddress,
  SetAddress,
  SetWallet,
  SubmitTransfer,
  UpdateAddress,
  WalletCommand,
  Withdraw,
} from './commands/wallet-commands.ts'
export {
  defaultConfig,
  type ExchangeConfig,
  type OpenOrderLimits,
  venueSettings,
} from './config.ts'
export {
  type Event,
  type EventKind,
  type EventOf,
  type EventTakers,
  eventFamilies,
  type TotalTakers,
} from './events/event.ts'
export * as eventUnits from './events/event-units.ts'
export { type Columns, columnOf, type EventHeader } from './events/family.ts'
export {
  EventLog,
  LOG_PAGE_BYTES,
  type LogPlace,
  type LogRecord,
  logStart,
  type PageReader,
  placedRecords,
  recordBytes,
} from './events/log/event-log.ts'
export { isLogged, recordCodes } from './events/log/layout.ts'
export {
  createLogBuffer,
  type LogBuffer,
  logBufferOf,
  WORD_BYTES,
} from './events/log/log-buffer.ts'
export {
  createLogReader,
  type LogReader,
  type RecordTakers,
  readRecords,
} from './events/log/log-reader.ts'
export { type EventLogView, logHead, openEventLog } from './events/log/log-view.ts'
export type { PlainOrderNow } from './events/log/order-records.ts'
export * as orderRecords from './events/log/order-records.ts'
export type { PlainFill, PlainTrade } from './events/log/plain-trades.ts'
export { bitsAt, lengthAt } from './events/log/records.ts'
export type { FillRow } from './events/log/trade-records.ts'
export * as tradeRecords from './events/log/trade-records.ts'
export type { OptionMark } from './events/money-events.ts'
export {
  blankHeader,
  blankOrder,
  type OrderChanged,
  type OrderNow,
  orderEvent,
  usualNow,
} from './events/order-event.ts'
export type { MarginState, TransferSide } from './events/risk-events.ts'
export {
  borrowing,
  type EventSink,
  fanOut,
  logOf,
  pageSink,
  sinkOf,
  whileAsked,
} from './events/sinks.ts'
export type {
  Fill,
  OptionTrade,
  Print,
  TapeTrade,
  Trade,
  TradeLeg,
} from './events/trading-events.ts'
export { defaultHistoryLimits, type HistoryLimits } from './history-limits.ts'
export {
  currencyOfId,
  formOfId,
  makeOrderId,
  makeTradeId,
  NO_ORDER,
  numberOfId,
  type OrderForm,
  orderForms,
} from './ids.ts'
export type {
  ComboLeg,
  FundingTerms,
  Instrument,
  InstrumentSpec,
  MarginTerms,
  TickStep,
} from './instrument.ts'
export {
  amount9OfLots,
  amountStepOf,
  amountTextOfLots,
  blockTermsOf,
  ceilToGrid,
  coinSize9,
  comboLegsOf,
  combosOfLegs,
  contracts9OfLots,
  contractsTextOfLots,
  endOfPrices,
  expirationMillisOf,
  farthestPrice,
  floorToGrid,
  floorToStep,
  hasListedOptions,
  hasNegativePrices,
  instrumentTypeOf,
  isListedPair,
  isOnGrid,
  isOnStep,
  lotsOfAmount9,
  lotsOfAmountText,
  lotsOfContracts9,
  lotsOfContractsText,
  nearestOnGrid,
  neverExpires,
  nextTickAbove,
  nextTickBelow,
  optionComboCodes,
  overridableFields,
  overrideSpec,
  type ParsedName,
  type PriceGrid,
  parseInstrumentName,
  price9OfTicks,
  priceBand,
  printInstrumentName,
  productGroupOf,
  rescaled,
  type SizeFault,
  type SizeUnits,
  type SpecOverrides,
  sizeReason,
  specFromName,
  TICK9_MAX,
  tickAt,
  tickOf,
  ticksOfPrice9,
  withFeeProfile,
  withVenueTerms,
} from './instruments/index.ts'
export { lspGroupName, lspGroupOf, lspLimits } from './lsp-terms.ts'
export {
  FEED_FILES_MAX,
  type FeedRow,
  feedRowOf,
  type MarketMessage,
  type MarketRows,
  rowSide,
  sourceOf,
} from './market-message.ts'
export {
  type AdvancedTerms,
  accepts,
  type LinkedTerms,
  type Order,
  type OrderLinks,
  type OrderTerms,
  opposite,
  orderFields,
  originOf,
  type Trigger,
  type TriggerTerms,
  termsWord,
  unlinked,
  usualOrderTerms,
  usualTerms,
} from './order.ts'
export { type AccountProfile, accountTitle, profileSettings, usualProfile } from './profile.ts'
export {
  leastFreezeMicros,
  type MmpConfig,
  type MmpKey,
  type MmpMembership,
} from './protection/mmp.ts'
export {
  type ChangedBy,
  type DirectTerms,
  type LastingExtras,
  lastingOf,
  type OrderExtras,
  type OrderOrigin,
  type PlacementExtras,
} from './protection/order-extras.ts'
export {
  type BucketTerms,
  defaultRateLimits,
  type RateCharge,
  type RateLimitTerms,
} from './protection/rate-limits.ts'
export {
  type GatewayId,
  gatewayIds,
  gatewayPairOf,
  heartbeatMicros,
  inactivityMicros,
  NO_SESSION,
  schemaSince,
  schemaVersions,
} from './protection/sessions.ts'
export {
  defaultPermissions,
  type Permissions,
  productOf,
  type RiskLimits,
} from './protection/standing.ts'
export { type Fault, type ValidationStep, validationStep } from './refusal.ts'
export { type RfqRole, rfqRoleSettings, usualRole } from './rfq-roles.ts'
export { defaultPortfolioTerms, flatSmile, type PortfolioTerms, type Smile } from './risk-terms.ts'
export type {
  Fields,
  Group,
  Leaf,
  List,
  Setting,
  SettingsOf,
  Several,
} from './settings/declaration.ts'
export { defaultsOf } from './settings/defaults.ts'
export { readSettings, type SettingFault } from './settings/reading.ts'
export { defaultWords, sentenceOf } from './settings/sentences.ts'
export { settingFields } from './settings/state-fields.ts'
export { leafBounds, leafExpectation, leafPlaces } from './settings/units.ts'
export { writeSettings } from './settings/writing.ts'
export { walletSettingsOf } from './wallet-settings.ts'
export type { Reason } from './words/direct-reasons.ts'
export * from './words/index.ts'
