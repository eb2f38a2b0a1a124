/**
 * The public names of `pricing`: reference prices and funding of futures and perpetuals in exact integers, and values
 * of options.
 */
export * from './funding.ts'
export * from './impact.ts'
export * from './mark.ts'
export { logarithm, power } from './options/elementary.ts'
export * from './options/forward.ts'
export { normalBelow, normalQuantile } from './options/normal.ts'
export {
  boundedVolatility9,
  type Greeks9,
  impliedVolatility9,
  type OptionContract,
  type OptionMarket,
  optionContract,
  optionGreeks9,
  optionPrice9,
} from './options/option-price.ts'
export * from './options/smile.ts'
export * from './options/stress.ts'
export * from './price-index.ts'
