/**
 * The face of `engine`: the exchange as a pure machine of commands and events.
 */

export { advanceTo } from './spine/advance.ts'
export { apply, createExchange, simulate } from './spine/apply.ts'
export { applyMarketMessage, type MessageFinding, tellClosedBooks } from './spine/market-data.ts'
export {
  equityOf,
  openPositions,
  type PositionView,
  viewPosition,
  viewWallet,
  type WalletView,
} from './spine/views/account-views.ts'
export { viewLegPrices } from './spine/views/combo-views.ts'
export { orderOfClient, standingQuotes, viewRiskLimits } from './spine/views/direct-views.ts'
export { heldUntil } from './spine/views/held-views.ts'
export { estimatedLiquidation } from './spine/views/liquidation-price.ts'
export { type LspUsage, locksOf, viewLspUsage } from './spine/views/lsp-views.ts'
export {
  accountOf,
  allAccounts,
  allIndices,
  allInstruments,
  type FundingView,
  findAccount,
  findInstrument,
  type IndexView,
  type Level,
  type MarketView,
  type OrderView,
  openOrders,
  orderMargin,
  type SelfTrading,
  selfTradingOf,
  viewDepth,
  viewIndex,
  viewMarket,
  viewOrder,
} from './spine/views/market-views.ts'
export { type MmpGroupView, mmpGroupsOf, mmpMarginOf } from './spine/views/mmp-views.ts'
export { type OptionView, viewOption } from './spine/views/option-views.ts'
export {
  type SimulatedPair,
  type SimulatedPortfolio,
  type SimulatedPosition,
  simulatedTotals,
  simulatePortfolio,
  simulateProjected,
} from './spine/views/portfolio-views.ts'
export {
  type CrossFigures,
  heldPositions,
  type MarginFigures,
  type PositionRisk,
  usdPrice,
  viewMargins,
  viewRisk,
} from './spine/views/risk-views.ts'
export { seenOrder, seenOrders } from './spine/views/seen-orders.ts'
export {
  permissionsOf,
  type SessionView,
  startsWithCancelOnDisconnect,
  viewSession,
} from './spine/views/session-views.ts'
export { type StandingView, visitStandings } from './spine/views/standing-views.ts'
export { audit, totalCash } from './spine/whole-state/audit.ts'
export { auditCopy } from './spine/whole-state/copy-audit.ts'
export { fork, restore, snapshot } from './spine/whole-state/snapshot.ts'
export { stateHash } from './spine/whole-state/state-hash.ts'
export type { Exchange } from './state/exchange.ts'
export { sessionAt } from './state/sessions.ts'
export {
  type AccountMargins,
  marginPools,
  marginsOf,
  marginsOfPool,
  underMargined,
  withdrawableOf,
} from './value/account-margins.ts'
export { marginForOrder } from './value/order-margin.ts'
export { type ProjectedMargins, projectedMargins } from './value/projected.ts'
