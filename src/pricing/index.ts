/**
 * The public names of `pricing`: reference prices and funding of futures and perpetuals in exact integers, and values
 * of options.
 */
export {
  fundingExcess,
  fundingIncrement,
  fundingIncrementNear,
  fundingOf,
  fundingRate8,
} from './funding.ts'
export {
  addToImpact,
  beginImpact,
  type FairSide,
  fairPrice,
  impactOf,
  impactPrice,
  type PriceLevel,
} from './impact.ts'
export {
  clampedPrice9,
  DELIVERY_MARK_MICROS,
  deliveryMarkOf,
  finerStep9,
  markOf,
  markStep9,
  nextPremium,
  roundToStep,
} from './mark.ts'
export {
  boundedVolatility9,
  type Greeks9,
  hasPremium,
  impliedVolatility9,
  logarithm,
  nextVolatility9,
  normalBelow,
  normalQuantile,
  type OptionContract,
  type OptionMarket,
  optionContract,
  optionDelta9,
  optionGreeks9,
  optionPrice9,
  optionStresses9,
  power,
  rollMove9,
  shockedVolatilities,
  smileVolatility9,
  syntheticForward9,
  type VolatilityNode,
  volatilityBetween9,
} from './options/index.ts'
export { finestStep9, indexOfConstituents, indexStep9 } from './price-index.ts'
