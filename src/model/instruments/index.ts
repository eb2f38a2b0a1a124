/**
 * The public names of `model/instruments`: names, the catalogue with its overrides and fee profiles, price grids and
 * sizes.
 */
export * from './block-terms.ts'
export * from './catalogue.ts'
export { baseName } from './matching.ts'
export * from './names/combo-legs.ts'
export { optionComboCodes } from './names/combo-shapes.ts'
export { type ParsedName, parseInstrumentName, printInstrumentName } from './names/instrument-names.ts'
export * from './overrides.ts'
export * from './price-grid.ts'
export * from './sizes.ts'
export * from './steps.ts'
export * from './venue-terms.ts'
