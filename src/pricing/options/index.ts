/** The public names of option prices, with integers as inputs and results. */
export { logarithm, power } from './elementary.ts'
export * from './forward.ts'
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
export * from './smile.ts'
export * from './stress.ts'
