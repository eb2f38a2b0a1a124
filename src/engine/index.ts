/**
 * The face of `engine`: the exchange as a pure machine of commands and events.
 */

export { advanceTo } from './advance.ts'
export { apply, createExchange, simulate } from './apply.ts'
export {
  type AccountMargins,
  marginPools,
  marginsOf,
  marginsOfPool,
  underMargined,
  withdrawableOf,
} from './margins/account-margins.ts'
export { marginForOrder } from './margins/order-margin.ts'
export { type ProjectedMargins, projectedMargins } from './margins/projected.ts'
export { applyMarketMessage, type MessageFinding, tellClosedBooks } from './market-data.ts'
export type { Exchange } from './state/exchange.ts'
export { sessionAt } from './state/protection/sessions.ts'
export {
  equityOf,
  openPositions,
  type PositionView,
  viewPosition,
  viewWallet,
  type WalletView,
} from './views/account-views.ts'
export { viewLegPrices } from './views/combo-views.ts'
export { heldUntil } from './views/held-views.ts'
export { estimatedLiquidation } from './views/liquidation-price.ts'
export { type LspUsage, locksOf, viewLspUsage } from './views/lsp-views.ts'
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
} from './views/market-views.ts'
export { type OptionView, viewOption } from './views/option-views.ts'
export {
  type SimulatedPair,
  type SimulatedPortfolio,
  type SimulatedPosition,
  simulatedTotals,
  simulatePortfolio,
  simulateProjected,
} from './views/portfolio-views.ts'
export { orderOfClient, standingQuotes, viewRiskLimits } from './views/protection/direct-views.ts'
export { type MmpGroupView, mmpGroupsOf, mmpMarginOf } from './views/protection/mmp-views.ts'
export { seenOrder, seenOrders } from './views/protection/seen-orders.ts'
export {
  permissionsOf,
  type SessionView,
  startsWithCancelOnDisconnect,
  viewSession,
} from './views/protection/session-views.ts'
export {
  type CrossFigures,
  heldPositions,
  type MarginFigures,
  type PositionRisk,
  usdPrice,
  viewMargins,
  viewRisk,
} from './views/risk-views.ts'
export { type StandingView, visitStandings } from './views/standing-views.ts'
export { audit, totalCash } from './whole-state/audit.ts'
export { auditCopy } from './whole-state/copy-audit.ts'
export { fork, restore, snapshot } from './whole-state/snapshot.ts'
export { stateHash } from './whole-state/state-hash.ts'
