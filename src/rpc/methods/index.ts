/**
 * The methods that a venue serves, one declaration each, and what they read and answer.
 */

export type { WireRiskLimits } from './account/gateway/alt-risk-limits.ts'
export type { GatewayInstrument } from './account/gateway/gateway-instruments.ts'
export { findGatewayMethod, methodOver } from './account/gateway/gateway-methods.ts'
export type { GatewayOrder } from './account/gateway/open-orders.ts'
export { positionOut, type WirePosition } from './account/holdings/position-out.ts'
export type {
  WirePortfolio,
  WireSubaccount,
  WireSubaccountDetails,
} from './account/holdings/subaccounts.ts'
export { summaryOut } from './account/holdings/summary.ts'
export type {
  IndexMap,
  WireAccountSummaries,
  WireAccountSummary,
  WireFee,
  WireLimits,
  WireRate,
} from './account/holdings/summary-types.ts'
export { accessOut, type WireAccess, type WireAccessLog } from './account/records/access-log.ts'
export type { TransactionPage } from './account/records/transaction-log.ts'
export {
  lspConfigOut,
  type WireLspConfig,
  type WireLspUsage,
  type WireLspUsages,
} from './account/risk/lsp-usage.ts'
export type { WireMargins } from './account/risk/margins.ts'
export type {
  WireBucket,
  WireModelParams,
  WireRiskMargins,
  WireRiskMatrix,
  WireVectors,
} from './account/risk/risk-matrix.ts'
export type { WireUserLock } from './account/risk/user-locks.ts'
export type { TransferPage } from './account/transfers/cash-transfers.ts'
export type { WireMove } from './account/transfers/move-positions.ts'
export type { WireApproval } from './blocks/approval.ts'
export { blockRequestOut, type WireBlockRequest } from './blocks/approval.ts'
export type { WireSignature } from './blocks/signing.ts'
export type { WireCombo } from './combos/combos.ts'
export type { WireLegPrices } from './combos/leg-prices.ts'
export type { WireStatus, WireVersion } from './connection/session-life.ts'
export type { Authenticated, TokenPair } from './connection/tokens.ts'
export { announcementOut, type WireAnnouncement } from './market/announcements.ts'
export type { WireCurrency } from './market/currencies.ts'
export type { Expirations, GroupedExpirations } from './market/expirations.ts'
export { interestValue } from './market/funding-rates.ts'
export { instrumentOut } from './market/instruments.ts'
export type { WireChart } from './market/prices/chart.ts'
export { barNow, chartWidth, type WireBar } from './market/prices/chart.ts'
export type { FundingChart, FundingHour } from './market/prices/funding.ts'
export { optionOut } from './market/prices/option-fields.ts'
export type { WireVolatilityCandles } from './market/prices/volatility.ts'
export { volatilityOut } from './market/prices/volatility.ts'
export type { SettlementPage } from './market/settlements.ts'
export { changeOf } from './market/statistics.ts'
export { tickerOut } from './market/ticker.ts'
export type { WireTradeVolumes } from './market/trade-volumes.ts'
export type { TradePage } from './market/trades.ts'
export {
  asker,
  type CommandBody,
  type DeskWork,
  defineMethod,
  type Method,
  originOf,
  type Quoted,
  queryOf,
  type ReadContext,
  type ReadRequest,
  type ReplyContext,
  scopeOf,
  unreadable,
  viewContext,
} from './method.ts'
export {
  type DirectDesk,
  type LostSequence,
  type MessageHistory,
  type MethodSet,
  methodSet,
  type NumberedMessage,
  ownMethods,
  type RefusedMessage,
} from './method-set.ts'
export {
  nameProblemIn,
  optionProblem,
  strangeNames,
  type UnknownName,
  unknownNamesIn,
} from './parameter-names.ts'
export { envelopeFault, readEnvelope, readParams } from './parameter-shape.ts'
export {
  argumentFault,
  decimal,
  earlier,
  instrumentName,
  paramFault,
  readPrice,
  readSize,
  unknownInstrument,
} from './params.ts'
export type { WireMmpConfig, WireMmpStatus } from './protection/mmp-records.ts'
export { type QueuePart, queuePartOf } from './queue-parts.ts'
export { chargeOf } from './rate-charges.ts'
export type { WireBlockRfqs, WirePublicRfqs, WireRfqUser, WireRfqUserInfo } from './rfqs/queries.ts'
export { isRfqOf } from './rfqs/queries.ts'
export type { WireAccepted } from './rfqs/takers.ts'
export { withoutSecrets } from './secrets.ts'
export type { ClosedSession } from './sessions/connections.ts'
export { type FaultsParams, rulesOf, type WireFaultRule, type WireFaults } from './sim/faults.ts'
export type { RescaledInstrument } from './sim/rescale.ts'
export type { ForkedVenue } from './sim/snapshots.ts'
export type { WireReceived } from './sim/wallet.ts'
export {
  type MethodName,
  type MethodParams,
  type MethodResult,
  methodNames,
  methods,
  writtenParams,
} from './table.ts'
export type { CancelReport } from './trading/cancels/bulk-cancel.ts'
export { unchanged } from './trading/entry/edit.ts'
export { readDisplay } from './trading/entry/order-terms.ts'
export { plainPlacement } from './trading/entry/place.ts'
export type { OrderResult } from './trading/order-reports.ts'
export { instrumentOf, orderReport, ownOrder, tradeReport } from './trading/order-reports.ts'
export type { OrderHistory } from './trading/queries/order-history.ts'
export type { Page } from './trading/queries/order-pages.ts'
export type { WireOrderMargin } from './trading/queries/order-state.ts'
export type { TriggerEntry, TriggerPage } from './trading/queries/trigger-history.ts'
export type { UserTradePage } from './trading/queries/user-trades.ts'
export type {
  MassQuoteResult,
  WireQuoteSide,
} from './trading/quotes/mass-quote.ts'
export type { WireAddress } from './wallet/address-book.ts'
export type { WireDepositAddress } from './wallet/deposits.ts'
export type { WalletPage } from './wallet/wallet-params.ts'
