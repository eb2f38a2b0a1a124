/**
 * The public names of `pricing`: reference prices and funding of futures and perpetuals in exact integers, and values
 * of options.
 */
export * from './funding.ts'
export * from './impact.ts'
export * from './mark.ts'
export * from './options/index.ts'
export * from './price-index.ts'
