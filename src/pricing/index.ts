/**
 * The face of `pricing`: reference prices and funding of futures and perpetuals, in exact integers.
 */
export { fundingIncrement, fundingOf, fundingRate8 } from './funding.ts'
export { type FairSide, fairPrice, impactPrice, type PriceLevel } from './impact.ts'
export {
  clampedPrice9,
  DELIVERY_MARK_MICROS,
  deliveryMarkOf,
  markOf,
  markStep9,
  nextPremium,
  roundToStep,
} from './mark.ts'
export { indexOfConstituents, indexStep9 } from './price-index.ts'
