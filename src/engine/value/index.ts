/**
 * Prices, marks, margins and funding, and the selection of accounts that a liquidation round must check.
 */
export * from './account-margins.ts'
export * from './advanced-price.ts'
export * from './average-price.ts'
export { coinRisks, crossOf, currencyOfPair, unpairedCoins } from './cross-pairs.ts'
export { paysFunding, suspect } from './due-looks.ts'
export { exactMargin, noExactMargin } from './exact-margin.ts'
export * from './funding.ts'
export * from './funding-look.ts'
export * from './grid.ts'
export * from './leg-prices.ts'
export { marginInput } from './margin-input.ts'
export { bandOf, canValueAt, changeMark, hasProfitRoom, isCountableAt, shownPremium } from './mark.ts'
export * from './mmp-margin.ts'
export * from './mmp-sizes.ts'
export type { Moved, Opened } from './models/margin-model.ts'
export * from './models/margin-models.ts'
export { followForwards, releaseOption, underlyingOf } from './option-marks.ts'
export { deltaOf9, optionMarketOf, optionTradeOf, volatilityAt9 } from './option-prices.ts'
export { heldContract, noteOptionMarket, type PairMargin, pairMargin, risksOfGroup, updateStalePair } from './pairs.ts'
export * from './projected.ts'
export * from './reference.ts'
export { followOptionMarket, rebuildMargin, recomputeMargin, refreshMargin } from './refresh.ts'
export {
  isWithin,
  needsSlack,
  pendingAtLeast,
  updateAllSkipped,
  updateSkippedHolding,
  updateSkippedOfWallet,
} from './skipped-revaluations.ts'
export { suspectHolderIfShort, suspectWalletOwner } from './suspects.ts'
export { usdIndex9, usdIndexName } from './usd-index.ts'
export { awaitSecond, isWholeMinute, noteBookChange, wake } from './wake.ts'
export { isSurelyFree, setFree } from './wallet-state.ts'
