/**
 * The public names of `model`, the vocabulary of the exchange: currencies, ids, instruments with their names and
 * catalogue, accounts, orders, refusals, commands, events and settings.
 */
export * from './access-keys.ts'
export * from './account.ts'
export { type RfqRole, rfqRoleSettings, usualRole } from './block-and-rfq-settings.ts'
export type * from './commands/block-commands.ts'
export * from './commands/command.ts'
export type * from './commands/header.ts'
export * from './commands/numbers.ts'
export * from './commands/protection-commands.ts'
export type * from './commands/rfq-commands.ts'
export type * from './commands/wallet-commands.ts'
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
export * from './instruments/block-terms.ts'
export * from './instruments/catalogue.ts'
export * from './instruments/names/combo-legs.ts'
export { optionComboCodes } from './instruments/names/combo-shapes.ts'
export { type ParsedName, parseInstrumentName, printInstrumentName } from './instruments/names/instrument-names.ts'
export * from './instruments/overrides.ts'
export * from './instruments/price-grid.ts'
export * from './instruments/sizes.ts'
export * from './instruments/steps.ts'
export * from './instruments/venue-terms.ts'
export * from './market-message.ts'
export * from './order.ts'
export * from './protection/mmp.ts'
export * from './protection/order-extras.ts'
export * from './protection/rate-limits.ts'
export * from './protection/sessions.ts'
export * from './protection/standing.ts'
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
export * from './words/accounts.ts'
export * from './words/blocks-and-rfqs.ts'
export * from './words/currencies.ts'
export { type DirectNames, type Reason, type ReasonOf, type ReasonTable, reasonIn } from './words/direct-names.ts'
export * from './words/feeds.ts'
export * from './words/instruments.ts'
export * from './words/liquidations.ts'
export * from './words/orders.ts'
export * from './words/protections.ts'
export * from './words/refusals.ts'
export * from './words/trades.ts'
export * from './words/wallet.ts'
