/**
 * The types of results, which the files of their methods declare and `pitclock/wire` exports. For a file that also
 * exports other types, the names are listed.
 */
export type * from './account/api-keys.ts'
export type * from './account/gateway/gateway-methods.ts'
export type { WirePosition } from './account/holdings/positions.ts'
export type * from './account/holdings/subaccounts.ts'
export type {
  IndexMap,
  WireAccountSummaries,
  WireAccountSummary,
  WireFee,
  WireLimits,
  WireRate,
  WireTradingProduct,
} from './account/holdings/summary.ts'
export type * from './account/records/access-log.ts'
export type * from './account/records/money-records.ts'
export type * from './account/risk/lsp-usage.ts'
export type * from './account/risk/margins.ts'
export type {
  WireBucket,
  WireModelParams,
  WireRiskMargins,
  WireRiskMatrix,
  WireVectors,
} from './account/risk/risk-matrix.ts'
export type * from './account/risk/user-locks.ts'
export type * from './account/transfers/transfers.ts'
export type * from './blocks/block-trades.ts'
export type * from './combos/combos.ts'
export type { WireLegPrices } from './combos/leg-prices.ts'
export type * from './connection/connection.ts'
export type * from './market/announcements.ts'
export type * from './market/currencies.ts'
export type * from './market/expirations.ts'
export type * from './market/prices/chart.ts'
export type * from './market/prices/funding.ts'
export type * from './market/prices/prices.ts'
export type * from './market/prices/volatility.ts'
export type * from './market/settlements.ts'
export type * from './market/trade-volumes.ts'
export type * from './market/trades.ts'
export type { WireMmpConfig, WireMmpStatus } from './protection/mmp.ts'
export type * from './rfqs/queries.ts'
export type * from './rfqs/takers.ts'
export type * from './sessions/connections.ts'
export type * from './sim/faults.ts'
export type * from './sim/rescale.ts'
export type * from './sim/snapshots.ts'
export type * from './sim/wallet.ts'
export type * from './trading/cancels/cancels.ts'
export type { OrderResult } from './trading/order-reports.ts'
export type { OrderHistory, Page, TriggerEntry, TriggerPage } from './trading/queries/order-history.ts'
export type * from './trading/queries/order-queries.ts'
export type * from './trading/queries/user-trades.ts'
export type * from './trading/quotes/quotes.ts'
export type * from './wallet/payments.ts'
