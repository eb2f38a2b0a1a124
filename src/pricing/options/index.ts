/** The public names of option prices, with integers as inputs and results. */
export { logarithm, power } from './elementary.ts'
export { hasPremium, syntheticForward9 } from './forward.ts'
export { normalBelow, normalQuantile } from './normal.ts'
export {
  boundedVolatility9,
  type Greeks9,
  impliedVolatility9,
  type OptionContract,
  type OptionMarket,
  optionContract,
  optionGreeks9,
  optionPrice9,
} from './option-price.ts'
export {
  nextVolatility9,
  smileVolatility9,
  type VolatilityNode,
  volatilityBetween9,
} from './smile.ts'
export { optionDelta9, optionStresses9, rollMove9, shockedVolatilities } from './stress.ts'
