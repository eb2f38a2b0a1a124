/**
 * The types of results, which the files of their methods declare. `pitclock/wire` exports all types that these files
 * export, so a file exports exactly the types that its results consist of.
 */
export type * from './account/api-keys.ts'
export type * from './account/gateway/alt-risk-limits.ts'
export type { GatewayInstrument } from './account/gateway/gateway-instruments.ts'
export type { GatewayOrder } from './account/gateway/open-orders.ts'
export type { WirePosition } from './account/holdings/position-out.ts'
export type * from './account/holdings/subaccounts.ts'
export type {
  IndexMap,
  WireAccountSummaries,
  WireAccountSummary,
  WireFee,
  WireLimits,
  WireRate,
  WireTradingProduct,
} from './account/holdings/summary-types.ts'
export type * from './account/records/access-log.ts'
export type * from './account/records/transaction-log.ts'
export type * from './account/risk/lsp-usage.ts'
export type * from './account/risk/margin-model.ts'
export type * from './account/risk/margins.ts'
export type {
  WireBucket,
  WireModelParams,
  WireRiskMargins,
  WireRiskMatrix,
  WireVectors,
} from './account/risk/risk-matrix.ts'
export type * from './account/risk/user-locks.ts'
export type * from './account/transfers/cash-transfers.ts'
export type * from './account/transfers/move-positions.ts'
export type * from './blocks/approval.ts'
export type * from './blocks/signing.ts'
export type * from './combos/combos.ts'
export type * from './combos/leg-prices.ts'
export type * from './connection/session-life.ts'
export type * from './connection/tokens.ts'
export type * from './market/announcements.ts'
export type * from './market/currencies.ts'
export type * from './market/expirations.ts'
export type * from './market/prices/chart.ts'
export type * from './market/prices/funding.ts'
export type * from './market/prices/index-prices.ts'
export type * from './market/prices/volatility.ts'
export type * from './market/settlements.ts'
export type * from './market/trade-volumes.ts'
export type * from './market/trades.ts'
export type { WireMmpConfig, WireMmpStatus } from './protection/mmp-records.ts'
export type * from './rfqs/queries.ts'
export type * from './rfqs/takers.ts'
export type * from './sessions/connections.ts'
export type * from './sim/faults.ts'
export type * from './sim/rescale.ts'
export type * from './sim/snapshots.ts'
export type * from './sim/wallet.ts'
export type * from './trading/cancels/bulk-cancel.ts'
export type { OrderResult } from './trading/order-reports.ts'
export type * from './trading/queries/order-history.ts'
export type { Page } from './trading/queries/order-pages.ts'
export type * from './trading/queries/order-state.ts'
export type * from './trading/queries/trigger-history.ts'
export type * from './trading/queries/user-trades.ts'
export type * from './trading/quotes/mass-quote.ts'
export type * from './wallet/address-book.ts'
export type * from './wallet/deposits.ts'
export type { WalletPage } from './wallet/wallet-params.ts'
