/**
 * The public names of `model/instruments`: names, the catalogue with its overrides and fee profiles, price grids and
 * sizes.
 */
export { blockTermsOf } from './block-terms.ts'
export {
  expirationMillisOf,
  instrumentTypeOf,
  neverExpires,
  productGroupOf,
  specFromName,
} from './catalogue.ts'
export { withFeeProfile } from './fee-profiles.ts'
export { baseName } from './matching.ts'
export { comboLegsOf, combosOfLegs } from './names/combo-legs.ts'
export { optionComboCodes } from './names/combo-shapes.ts'
export {
  type ParsedName,
  parseInstrumentName,
  printInstrumentName,
} from './names/instrument-names.ts'
export { overridableFields, overrideSpec, type SpecOverrides } from './overrides.ts'
export {
  ceilToGrid,
  endOfPrices,
  farthestPrice,
  floorToGrid,
  hasNegativePrices,
  isOnGrid,
  nearestOnGrid,
  nextTickAbove,
  nextTickBelow,
  type PriceGrid,
  price9OfTicks,
  priceBand,
  TICK9_MAX,
  tickAt,
  ticksOfPrice9,
} from './price-grid.ts'
export { rescaled } from './rescale.ts'
export {
  amount9OfLots,
  amountTextOfLots,
  coinSize9,
  contracts9OfLots,
  contractsTextOfLots,
  lotsOfAmount9,
  lotsOfAmountText,
  lotsOfContracts9,
  lotsOfContractsText,
  type SizeFault,
  type SizeUnits,
} from './sizes.ts'
export { amountStepOf, floorToStep, isOnStep, sizeReason, tickOf } from './steps.ts'
export { hasListedOptions, isListedPair, withVenueTerms } from './venue-terms.ts'
