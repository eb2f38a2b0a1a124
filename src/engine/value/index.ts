/**
 * Prices, marks, margins and funding, and the selection of accounts that a liquidation round must check.
 */
export {
  type AccountMargins,
  marginPools,
  marginsOf,
  marginsOfPool,
  spendableOf,
  underMargined,
  withdrawableOf,
} from './account-margins.ts'
export { advancedRefusal, advancedTicks, isPastVolatility } from './advanced-price.ts'
export { averagePriceOf } from './average-price.ts'
export { bandOf } from './band.ts'
export { coinRisks, crossOf, currencyOfPair, unpairedCoins } from './cross-pairs.ts'
export { paysFunding, suspect } from './due-looks.ts'
export { exactMargin, noExactMargin } from './exact-margin.ts'
export { shownPremium } from './fair-price.ts'
export {
  accrueFunding,
  accumulatedNow,
  addPending,
  pendingFunding,
  pendingOfWallet,
  pendingUntil,
  refreshRate,
  touchFunding,
} from './funding.ts'
export { lookAtFunding } from './funding-look.ts'
export { tickPrices } from './grid.ts'
export { legLots, legSizes } from './leg-lots.ts'
export { legPrices, lowestComboPrice, lowestLegPrices } from './leg-prices.ts'
export { marginInput } from './margin-input.ts'
export { canValueAt, changeMark, isCountableAt } from './mark.ts'
export { heldForGroups, heldForGroupsUsd, marginOfQuotes } from './mmp-margin.ts'
export { mmpCoinSize9, type SidedTrade, tradeShare } from './mmp-sizes.ts'
export { marginsUnder, putUnderModel } from './model-change.ts'
export type { Moved, Opened } from './models/margin-model.ts'
export { modelOf } from './models/margin-models.ts'
export { bearsMoves } from './moved.ts'
export { deltaOf9 } from './option-delta.ts'
export { noteOptionMarket } from './option-market.ts'
export { followForwards, releaseOption, underlyingOf } from './option-marks.ts'
export { optionMarketOf, optionTradeOf, volatilityAt9 } from './option-prices.ts'
export { marginForOrder, orderNeed } from './order-margin.ts'
export {
  freshenPair,
  heldContract,
  type PairMargin,
  pairMargin,
  risksOfGroup,
} from './pairs.ts'
export {
  liquidationHeader,
  liquidationOf,
  type Pool,
  type PoolPosition,
  type PoolState,
  poolsOf,
  positionsOfPool,
  stateOfPool,
} from './pools.ts'
export { projectedMargins } from './projected.ts'
export {
  changeIndex,
  followMid,
  publishMark,
  sampleIndex,
  settleMarks,
  settleOptions,
  ticksOfIndex,
} from './reference.ts'
export {
  followOptionMarket,
  rebuildMargin,
  recomputeMargin,
  refreshMargin,
} from './refresh.ts'
export {
  freshenAll,
  freshenHolding,
  freshenWallet,
  isWithin,
  needsSlack,
  pendingAtLeast,
} from './skipped-revaluations.ts'
export { watchHolding, watchWallet } from './suspects.ts'
export { usdIndex9, usdIndexName } from './usd-index.ts'
export { awaitSecond, isWholeMinute, noteBookChange, wake } from './wake.ts'
export { isSurelyFree, setFree } from './wallet-state.ts'
