/**
 * The public names of `model`, the vocabulary of the exchange: currencies, ids, instruments with their names and
 * catalogue, accounts, orders, refusals, commands, events and settings.
 */
export * from './access-keys.ts'
export * from './account.ts'
export { type RfqRole, rfqRoleSettings, usualRole } from './block-and-rfq-settings.ts'
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
export * from './commands/command.ts'
export * from './commands/direct-kinds.ts'
export type * from './commands/header.ts'
export * from './commands/numbers.ts'
export * from './commands/protection-commands.ts'
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
export * from './config.ts'
export {
  type Event,
  type EventKind,
  type EventOf,
  type EventTakers,
  eventFamilies,
  type TotalTakers,
} from './events/event.ts'
export * as eventUnits from './events/family.ts'
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
export { familyLayout, isLogged, recordCodes } from './events/log/layout.ts'
export {
  appendNumber,
  appendWide,
  createLogBuffer,
  type LogBuffer,
  logBufferOf,
  reserve,
  WORD_BYTES,
} from './events/log/log-buffer.ts'
export * from './events/log/log-reader.ts'
export type { PlainOrderNow } from './events/log/order-records.ts'
export * as orderRecords from './events/log/order-records.ts'
export { appendRecord, bitsAt, codeAt, lengthAt, rowAt, setHead } from './events/log/records.ts'
export type { FillRow, PlainFill, PlainTrade } from './events/log/trade-records.ts'
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
export * from './events/sinks.ts'
export type { Fill, OptionTrade, Print, TapeTrade, Trade, TradeLeg } from './events/trading-events.ts'
export { defaultHistoryLimits, type HistoryLimits } from './history-limits.ts'
export * from './ids.ts'
export type { ComboLeg, FundingTerms, Instrument, InstrumentSpec, MarginTerms, TickStep } from './instrument.ts'
export * from './instruments/index.ts'
export * from './market-message.ts'
export * from './order.ts'
export * from './protection/mmp.ts'
export {
  type ChangedBy,
  type DirectTerms,
  type LastingExtras,
  lastingOf,
  type OrderExtras,
  type OrderOrigin,
  type PlacementExtras,
} from './protection/order-extras.ts'
export { type BucketTerms, defaultRateLimits, type RateCharge, type RateLimitTerms } from './protection/rate-limits.ts'
export * from './protection/sessions.ts'
export { defaultPermissions, type Permissions, productOf, type RiskLimits } from './protection/standing.ts'
export * from './refusal.ts'
export {
  defaultPortfolioTerms,
  flatSmile,
  lspGroupName,
  lspGroupOf,
  lspLimits,
  type PortfolioTerms,
  type Smile,
} from './risk-terms.ts'
export type { Fields, Group, Leaf, List, Setting, SettingsOf, Several } from './settings/declaration.ts'
export { defaultsOf, settingFields } from './settings/defaults.ts'
export { readSettings, type SettingFault } from './settings/reading.ts'
export * from './settings/sentences.ts'
export { leafBounds, leafExpectation, leafPlaces } from './settings/units.ts'
export * from './settings/writing.ts'
export { walletSettingsOf } from './wallet-settings.ts'
export * from './words/index.ts'
