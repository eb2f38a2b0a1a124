/**
 * The catalogue: makes the complete specification of an instrument from its name, with the venue's defaults. Sizes and
 * fees come from the tables in `families.ts`.
 *
 * Payoffs: inverse futures and their spreads are `inverse` (amount in USD); everything else with an expiry is `linear`
 * (amount in base coin, profit in the quote currency). Options on BTC and ETH are linear in this sense too: their quote
 * currency is the coin. The wire still calls them `reversed`; see `instrumentTypeOf`.
 *
 * Rule: instruments.catalogue, instruments.product-group, instruments.units.
 * Source: market.md 1.1-1.3, 2, 4, 6.1; R05, R21, R26, R44.
 */

import {
  checkArgument,
  checkOptions,
  err,
  isLastFridayOfMonth,
  lots,
  type Micros,
  micros,
  millisOf,
  ok,
  PERPETUAL_EXPIRY_MILLIS,
  type Result,
  weekdayOf,
} from '../../core/index.ts'
import type { InstrumentSpec } from '../instrument.ts'
import { type Currency, isCurrency } from '../words/currencies.ts'
import type { ProductGroup, SettlementPeriod } from '../words/instruments.ts'
import {
  bandPpm,
  baseMarginTerms,
  coinQuotedSpotTick9,
  datedMark,
  type FamilySizes,
  fundingTerms,
  futureBlockFee9,
  futureDeliveryFee9,
  futureLeverageMax,
  futureTakerFee9,
  groupTerms,
  inverseFutures,
  inverseImpact9,
  inverseOptionComboTick9,
  inverseOptionSteps,
  inverseOptions,
  inversePerpetuals,
  linearFutures,
  linearImpact9,
  linearOptions,
  noMargin,
  optionDeliveryFee9,
  optionFee9,
  optionLiquidationFee9,
  otherLinearFuture,
  otherSpotPair,
  perpetualClampPpm,
  spotPairs,
  tier2Bases,
} from './families.ts'
import { engineOf, speedBumpOf } from './matching.ts'
import { comboLegsOf } from './names/combo-legs.ts'
import { type Pair, type ParsedName, parseInstrumentName } from './names/instrument-names.ts'

/** Fields that `specOf` adds to specifications of derivatives and spot. */
type Derived =
  | 'name'
  | 'priceIndex'
  | 'productGroup'
  | 'engine'
  | 'gateway'
  | 'speedBump'
  | 'amountStep9'
  | 'minTradeLots'
  | 'routeDelay'
  | 'creation'

/** A specification without the fields that follow from the others. */
type Terms = Omit<InstrumentSpec, Derived | 'contractSize9' | 'tick9'> & {
  readonly sizes: FamilySizes
}

type NameOf<K extends ParsedName['type']> = Extract<ParsedName, { readonly type: K }>

/** The currencies of a specification. */
type Currencies = Pick<InstrumentSpec, 'baseCurrency' | 'quoteCurrency' | 'counterCurrency' | 'settlementCurrency'>

/** `expiration` of perpetuals and spot: later than any time of a run. */
export const neverExpires: Micros = micros(Number.MAX_SAFE_INTEGER)

const FRIDAY = 5

const WITHOUT_LEVERAGE = 1

/**
 * Returns the specification of an instrument with the venue's defaults, or an error: the name does not follow the
 * grammar, or the venue lists no such instrument.
 *
 * @throws RangeError with the code `OPTION` if an argument has another kind.
 *
 * @example
 * const spec = specFromName('ETH-PERPETUAL', { creation: micros(0) })
 * console.log(spec.ok && spec.value.kind) // future
 * console.log(specFromName('ETH-PERP', { creation: micros(0) }).ok) // false
 */
export function specFromName(name: string, options: Pick<InstrumentSpec, 'creation'>): Result<InstrumentSpec, string> {
  checkArgument('specFromName: name', name, 'string')
  checkOptions('specFromName', options, { creation: 'number' })
  const parsed = parseInstrumentName(name)
  if (!parsed.ok) return parsed
  const terms = termsOf(parsed.value)
  if (!terms.ok) return terms
  return ok(specOf(name, terms.value, options.creation))
}

/** The risk group of a base symbol (R21). */
export function productGroupOf(base: string): ProductGroup {
  if (base === 'BTC') return 'BTC'
  if (base === 'ETH' || base === 'STETH') return 'ETH'
  return tier2Bases.has(base) ? 'TIER_2' : 'TIER_3'
}

/** `instrument_type` on the wire: `reversed` if profit is in coin and the counter currency is USD. */
export function instrumentTypeOf(spec: InstrumentSpec): 'reversed' | 'linear' {
  return spec.counterCurrency === 'USD' ? 'reversed' : 'linear'
}

/** `expiration_timestamp` on the wire, in milliseconds; the year 3000 for perpetuals and spot. */
export function expirationMillisOf(spec: InstrumentSpec): number {
  return spec.expiration === neverExpires ? PERPETUAL_EXPIRY_MILLIS : millisOf(spec.expiration)
}

/**
 * `settlement_period` of an expiry: `month` for the last Friday of a month, `week` for other Fridays, otherwise `day`.
 */
function settlementPeriodOf(expiration: Micros): SettlementPeriod {
  if (isLastFridayOfMonth(expiration)) return 'month'
  return weekdayOf(expiration) === FRIDAY ? 'week' : 'day'
}

function termsOf(parsed: ParsedName): Result<Terms, string> {
  switch (parsed.type) {
    case 'perpetual':
    case 'future':
      return futureTerms(parsed)
    case 'option':
      return optionTerms(parsed)
    case 'spot':
      return spotTerms(parsed)
    case 'future_combo':
      return futureComboTerms(parsed)
    case 'option_combo':
      return optionComboTerms(parsed)
  }
}

function specOf(name: string, terms: Terms, creation: Micros): InstrumentSpec {
  const engine = engineOf(terms.kind, terms.baseCurrency)
  return {
    name,
    kind: terms.kind,
    payoff: terms.payoff,
    detail: terms.detail,
    baseCurrency: terms.baseCurrency,
    quoteCurrency: terms.quoteCurrency,
    counterCurrency: terms.counterCurrency,
    settlementCurrency: terms.settlementCurrency,
    priceIndex: `${terms.baseCurrency}_${terms.counterCurrency}`.toLowerCase(),
    productGroup: productGroupOf(terms.baseCurrency),
    settlementPeriod: terms.settlementPeriod,
    tick9: terms.sizes.tick9,
    tickSteps: terms.tickSteps,
    amountStep9: terms.sizes.minAmount9,
    contractSize9: terms.sizes.contractSize9,
    minTradeLots: lots(1),
    makerFee9: terms.makerFee9,
    takerFee9: terms.takerFee9,
    blockFee9: terms.blockFee9,
    liquidationFee9: terms.liquidationFee9,
    deliveryFee9: terms.deliveryFee9,
    maxLeverage: terms.maxLeverage,
    margin: terms.margin,
    bandPpm: terms.bandPpm,
    mark: terms.mark,
    funding: terms.funding,
    routeDelay: null,
    engine,
    gateway: productGroupOf(terms.baseCurrency),
    speedBump: speedBumpOf(terms, engine),
    creation,
    expiration: terms.expiration,
  }
}

function futureTerms(parsed: NameOf<'perpetual'> | NameOf<'future'>): Result<Terms, string> {
  const { pair, type } = parsed
  const currencies = futureCurrencies(pair)
  if (!currencies.ok) return currencies
  const sizes = futureSizes(pair, type)
  if (!sizes.ok) return sizes
  const isInverse = pair.quote === null
  const perpetualBandPpm = isInverse ? bandPpm.inversePerpetual : bandPpm.linearPerpetual
  const group = groupTerms[productGroupOf(pair.base)]
  const expiration = type === 'future' ? parsed.expiration : neverExpires
  const settlementPeriod = type === 'future' ? settlementPeriodOf(expiration) : 'perpetual'
  const impact9 = isInverse ? (inverseImpact9.get(pair.base) ?? 0) : linearImpact9
  const perpetualMark = { impact9, clampPpm: perpetualClampPpm }
  return ok({
    kind: 'future',
    payoff: isInverse ? 'inverse' : 'linear',
    detail: { type },
    ...currencies.value,
    settlementPeriod,
    sizes: sizes.value,
    tickSteps: [],
    makerFee9: 0,
    takerFee9: futureTakerFee9,
    blockFee9: futureBlockFee9,
    liquidationFee9: group.liquidationFee9,
    deliveryFee9: settlementPeriod === 'month' ? futureDeliveryFee9 : 0,
    maxLeverage: futureLeverageMax,
    margin: baseMarginTerms.get(pair.base) ?? group.margin,
    bandPpm: type === 'future' ? bandPpm.datedFuture : perpetualBandPpm,
    mark: type === 'future' ? datedMark : perpetualMark,
    funding: type === 'future' ? null : fundingTerms[productGroupOf(pair.base)],
    expiration,
  })
}

function optionTerms(parsed: NameOf<'option'>): Result<Terms, string> {
  const { pair, right, strike, expiration } = parsed
  const currencies = optionCurrencies(pair)
  if (!currencies.ok) return currencies
  const sizes = optionSizes(pair)
  if (!sizes.ok) return sizes
  return ok({
    kind: 'option',
    payoff: 'linear',
    detail: { type: 'option', right, strike },
    ...currencies.value,
    settlementPeriod: settlementPeriodOf(expiration),
    sizes: sizes.value,
    tickSteps: pair.quote === null ? inverseOptionSteps : [],
    makerFee9: optionFee9,
    takerFee9: optionFee9,
    blockFee9: optionFee9,
    liquidationFee9: optionLiquidationFee9,
    deliveryFee9: settlementPeriodOf(expiration) === 'day' ? 0 : optionDeliveryFee9,
    maxLeverage: WITHOUT_LEVERAGE,
    margin: noMargin,
    bandPpm: bandPpm.option,
    ...followsIndex,
    expiration,
  })
}

function spotTerms({ base, quote }: NameOf<'spot'>): Result<Terms, string> {
  if (!isCurrency(base)) return notHeld('base', base)
  if (!isCurrency(quote)) return notHeld('quote', quote)
  const sizes = spotPairs.get(base) ?? otherSpotPair
  const isCoinQuoted = inversePerpetuals.has(quote)
  return ok({
    kind: 'spot',
    payoff: 'spot',
    detail: { type: 'spot' },
    baseCurrency: base,
    quoteCurrency: quote,
    counterCurrency: quote,
    settlementCurrency: quote,
    settlementPeriod: null,
    sizes: isCoinQuoted ? { ...sizes, tick9: coinQuotedSpotTick9 } : sizes,
    tickSteps: [],
    ...withoutFees,
    maxLeverage: WITHOUT_LEVERAGE,
    margin: noMargin,
    bandPpm: bandPpm.spot,
    ...followsIndex,
    expiration: neverExpires,
  })
}

function futureComboTerms(parsed: NameOf<'future_combo'>): Result<Terms, string> {
  const currencies = futureCurrencies(parsed.pair)
  if (!currencies.ok) return currencies
  const sizes = futureSizes(parsed.pair, 'perpetual')
  if (!sizes.ok) return sizes
  return ok({
    kind: 'future_combo',
    payoff: parsed.pair.quote === null ? 'inverse' : 'linear',
    detail: { type: 'combo', code: 'FS', legs: comboLegsOf(parsed) },
    ...currencies.value,
    ...comboTerms(earliestOf([parsed.long, parsed.short].filter((date) => date !== 'perpetual'))),
    sizes: sizes.value,
  })
}

function optionComboTerms(parsed: NameOf<'option_combo'>): Result<Terms, string> {
  const currencies = optionCurrencies(parsed.pair)
  if (!currencies.ok) return currencies
  const sizes = optionSizes(parsed.pair)
  if (!sizes.ok) return sizes
  const isInverse = parsed.pair.quote === null
  return ok({
    kind: 'option_combo',
    payoff: 'linear',
    detail: { type: 'combo', code: parsed.code, legs: comboLegsOf(parsed) },
    ...currencies.value,
    ...comboTerms(earliestOf(parsed.dates)),
    // Assumed: linear option combos have the tick of their legs, because only inverse ones were observed.
    sizes: isInverse ? { ...sizes.value, tick9: inverseOptionComboTick9 } : sizes.value,
  })
}

/** Combos show no fee, because their legs are charged. They expire with their first leg. */
function comboTerms(expiration: Micros): Omit<Terms, keyof Currencies | 'kind' | 'payoff' | 'detail' | 'sizes'> {
  return {
    settlementPeriod: settlementPeriodOf(expiration),
    tickSteps: [],
    ...withoutFees,
    maxLeverage: WITHOUT_LEVERAGE,
    margin: noMargin,
    bandPpm: bandPpm.none,
    ...followsIndex,
    expiration,
  }
}

const withoutFees = {
  makerFee9: 0,
  takerFee9: 0,
  blockFee9: 0,
  liquidationFee9: 0,
  deliveryFee9: 0,
} as const

/** Terms of instruments without mark terms (spot, options, combos) and without funding. */
const followsIndex = { mark: null, funding: null } as const

function earliestOf(dates: readonly Micros[]): Micros {
  return micros(Math.min(...dates))
}

function notHeld(part: 'base' | 'quote', symbol: string): { readonly ok: false; readonly error: string } {
  return err(`expected a currency that accounts can hold as ${part} of a spot pair, found ${symbol}`)
}

/**
 * Pairs: the underlyings on which the venue lists derivatives, and the currencies and sizes of these.
 *
 * Inverse derivatives exist on BTC and ETH only, and settle in the coin; linear futures on every base, in USDC or USDT;
 * linear options on the bases of their table, in USDC.
 * Source: market.md 1.1, 1.2 (base, quote, counter and settlement currency), 1.3.
 */

/** The currencies of futures and future spreads on a pair, or the reason why the venue lists none. */
function futureCurrencies({ base, quote }: Pair): Result<Currencies, string> {
  if (quote === null) {
    if (!isCurrency(base) || !inversePerpetuals.has(base)) return notInverse(base)
    return ok(currenciesOf(base, 'USD', 'USD', base))
  }
  if (quote !== 'USDC' && quote !== 'USDT') {
    return err(`expected a future settled in USDC or USDT, found ${base}_${quote}`)
  }
  return ok(currenciesOf(base, quote, quote, quote))
}

/** The currencies of options and option combos on a pair, or the reason why the venue lists none. */
function optionCurrencies({ base, quote }: Pair): Result<Currencies, string> {
  if (quote === null) {
    if (!isCurrency(base) || !inverseOptions.has(base)) return notInverse(base)
    return ok(currenciesOf(base, base, 'USD', base))
  }
  if (quote !== 'USDC') return err(`expected an option settled in USDC, found ${base}_${quote}`)
  return ok(currenciesOf(base, quote, quote, quote))
}

/** Sizes and tick of futures on a pair. */
function futureSizes({ base, quote }: Pair, type: 'perpetual' | 'future'): Result<FamilySizes, string> {
  if (quote !== null) return ok(linearFutures.get(base) ?? otherLinearFuture)
  const found = (type === 'perpetual' ? inversePerpetuals : inverseFutures).get(base)
  return found === undefined ? notInverse(base) : ok(found)
}

/** Sizes and tick of options on a pair. */
function optionSizes({ base, quote }: Pair): Result<FamilySizes, string> {
  if (quote === null) {
    const found = inverseOptions.get(base)
    return found === undefined ? notInverse(base) : ok(found)
  }
  const found = linearOptions.get(base)
  const known = [...linearOptions.keys()].join(' ')
  return found === undefined ? err(`expected a linear option on one of ${known}, found ${base}`) : ok(found)
}

function currenciesOf(base: string, quote: string, counter: string, settlement: Currency): Currencies {
  return {
    baseCurrency: base,
    quoteCurrency: quote,
    counterCurrency: counter,
    settlementCurrency: settlement,
  }
}

function notInverse(base: string): { readonly ok: false; readonly error: string } {
  const known = [...inversePerpetuals.keys()].join(' or ')
  return err(`expected ${known}, or a linear pair such as ${base}_USDC, found ${base}`)
}
