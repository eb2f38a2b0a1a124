/** The public names of the spine: commands and time, market data, views, snapshots and audits. */
export { advanceTo } from './advance.ts'
export { apply, applyChecked, createExchange, simulate } from './apply.ts'
export { applyMarketMessage, type MessageFinding, tellClosedBooks } from './market-data.ts'
export {
  equityOf,
  openPositions,
  type PositionView,
  viewMarginModel,
  viewPosition,
  viewWallet,
  type WalletView,
} from './views/account-views.ts'
export {
  awaitedBlock,
  type BlockRequestView,
  blockAppOf,
  blockRequestsOf,
  blockSignatureOf,
  couldTradeBlock,
  executedBlock,
  findKey,
  type KeyView,
  keysOfAccount,
} from './views/block-views.ts'
export { midOf, queueAheadOf } from './views/book-views.ts'
export { configOf, eventCountOf, lastSequenceOf, nextDue, timeOf } from './views/clock-views.ts'
export { viewLegPrices } from './views/combo-views.ts'
export { orderOfClient, standingQuotes, viewRiskLimits } from './views/direct-views.ts'
export { heldUntil, isAnyHeld, isHeld, isQueued } from './views/held-views.ts'
export { estimatedLiquidation } from './views/liquidation-price.ts'
export { type LspConfig, locksOf, viewLspConfig, viewLspUsage } from './views/lsp-views.ts'
export {
  accountOf,
  allAccounts,
  allIndices,
  allInstruments,
  bookStateOf,
  changeIdOf,
  findAccount,
  findInstrument,
  indexTicks,
  instrumentAt,
  isAccountName,
  isRecorded,
  isRemoved,
  type Level,
  type MarketView,
  pairNumberOf,
  pairOfNumber,
  viewDepth,
  viewIndex,
  viewMarket,
} from './views/market-views.ts'
export { type MmpGroupView, mmpGroupsOf, mmpMarginOf } from './views/mmp-views.ts'
export { type OptionView, viewOption, viewOptionMark } from './views/option-views.ts'
export {
  type OrderView,
  openOrders,
  orderMargin,
  selfTradingOf,
  viewOrder,
} from './views/order-views.ts'
export {
  type SimulatedPair,
  type SimulatedPortfolio,
  type SimulatedPosition,
  simulatedTotals,
  simulatePortfolio,
  simulateProjected,
} from './views/portfolio-views.ts'
export {
  filledRfqs,
  hedgeOfRfq,
  partiesOfRfq,
  type RfqShareView,
  type RfqShownView,
  type RfqTradeView,
  type RfqTriggerView,
  type RfqView,
  rfqMakersFor,
  rfqPartyOf,
  rfqQuotesOf,
  rfqSharesOf,
  rfqsOf,
  viewFilledRfq,
  viewRfq,
} from './views/rfq-views.ts'
export {
  type CrossFigures,
  heldPositions,
  type MarginFigures,
  type PositionRisk,
  usdPrice,
  viewMargins,
  viewMarginsUnder,
  viewRisk,
} from './views/risk-views.ts'
export { seenInstrument, seenOrder, seenOrders } from './views/seen-orders.ts'
export {
  disabledProductsOf,
  isIndexOut,
  isInMaintenance,
  isPublicClosed,
  permissionsOf,
  profileOf,
  staleIndices,
  startsWithCancelOnDisconnect,
  viewSession,
} from './views/session-views.ts'
export { type StandingView, visitStandings } from './views/standing-views.ts'
export {
  type AddressView,
  viewAddresses,
  viewDepositAddress,
  viewWalletType,
} from './views/wallet-views.ts'
export { audit, totalCash } from './whole-state/audit.ts'
export { auditCopy } from './whole-state/copy-audit.ts'
export { fork, putBackState, restore, snapshot } from './whole-state/snapshot.ts'
export { stateHash } from './whole-state/state-hash.ts'
