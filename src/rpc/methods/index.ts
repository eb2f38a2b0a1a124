/**
 * The methods that a venue serves, one declaration each, with their parameters and replies.
 */

export type { WireApiKey } from './account/api-keys.ts'
export { findGatewayMethod, gatewayTable } from './account/gateway/gateway-methods.ts'
export * from './account/holdings/holding-methods.ts'
export { positionOut, type WirePosition } from './account/holdings/positions.ts'
export { summaryOut, type WireAccountSummary } from './account/holdings/summary.ts'
export { accessOut, type WireAccess } from './account/records/access-log.ts'
export { lspConfigOut, type WireLspConfig } from './account/risk/lsp-usage.ts'
export { blockRequestOut, type WireBlockRequest } from './blocks/block-trades.ts'
export { announcementOut, type WireAnnouncement } from './market/announcements.ts'
export { interestValue } from './market/funding-rates.ts'
export { instrumentOut } from './market/instruments.ts'
export * from './market/market-methods.ts'
export { barNow, chartWidth, type WireBar } from './market/prices/chart.ts'
export { volatilityOut } from './market/prices/volatility.ts'
export { percentChange } from './market/statistics.ts'
export { tickerOut } from './market/ticker.ts'
export * from './method.ts'
export * from './method-set.ts'
export * from './parameter-names.ts'
export {
  argumentFault,
  decimal,
  earlier,
  instrumentName,
  isParams,
  paramFault,
  readPrice,
  readSize,
  sessionClock,
  silenceClock,
  unknownInstrument,
} from './params.ts'
export * from './queue-parts.ts'
export { isRfqOf } from './rfqs/queries.ts'
export * from './schema-reader.ts'
export { hiddenParams, keySecretOf, secretsOf, withoutSecrets } from './secrets.ts'
export * from './sim/controls.ts'
export { rulesOf } from './sim/faults.ts'
export type { ForkedVenue } from './sim/snapshots.ts'
export * from './table.ts'
export { unchanged } from './trading/entry/edit.ts'
export { readDisplay } from './trading/entry/order-terms.ts'
export { plainPlacement } from './trading/entry/place.ts'
export * from './trading/order-methods.ts'
export { listedInstrument, orderReport, ownOrder, tradeReport } from './trading/order-reports.ts'
export * from './trading/queries/order-queries.ts'
export * from './unserved.ts'
