/**
 * Overrides: replaces some fields of a specification by values that a user wrote. Fields have the names of the wire, if
 * it has the field. All mistakes are reported at once.
 *
 * | Field | Meaning |
 * |---|---|
 * | `tick_size` | base tick in quote units; the grid becomes flat |
 * | `amount_step` | size of one lot in the amount unit |
 * | `min_trade_amount` | smallest order; also the amount step unless that is given (market.md 1.2) |
 * | `contract_size` | amount of one contract |
 * | `maker_commission`, `taker_commission` | rates as fractions, a rebate is negative |
 * | `delivery_commission` | rate of a delivery at expiry, of dated futures |
 * | `mark_band` | largest distance of the mark of a future from its index, as a fraction |
 * | `impact_amount` | size for the average price in the mark of a perpetual, in coin (inverse) or quote units |
 * | `funding_cap` | largest funding rate for 8 hours, of perpetuals |
 * | `funding_damper` | premium that is free of funding, at all times, of perpetuals |
 * | `price_index` | name of the price index, such as `btc_usd` |
 * | `band` | price band as a fraction of the mark, 0 for none |
 * | `max_leverage` | a whole number |
 * | `initial_margin`, `maintenance_margin` | base rates as fractions |
 * | `routing` | `third_party` if another exchange matches the orders of a spot pair, otherwise `venue` (R37) |
 * | `route_delay_ms` | travel time of an order to that exchange, in milliseconds; 5 unless given |
 * | `engine` | `main` or `alt`; its speed bump follows unless it is given too |
 * | `gateway` | the gateway pair of an instrument of the alternative engine |
 * | `speed_bump_ms` | delay of an order that would match, in milliseconds, 0 for no delay |
 * | `margin_slope` | rate added for each coin, or for each million of quote units (`MarginTerms`) |
 *
 * Rule: instruments.override.
 */
import {
  divFloor,
  err,
  formatScaledNumber,
  type Lots,
  lots,
  micros,
  modFloor,
  nearest,
  ok,
  parseScaled,
  type Result,
} from '../../core/index.ts'
import type { InstrumentSpec } from '../instrument.ts'
import { type GatewayPair, gatewayPairs } from '../words/instruments.ts'
import { speedBumpOf } from './matching.ts'
import { TICK9_MAX } from './price-grid.ts'

/** Replacements by field, as decimal text or as a word. */
export type SpecOverrides = Readonly<Record<string, string>>

/** One mistake among the overrides. */
interface OverrideMistake {
  readonly field: string
  readonly found: string
  readonly expected: string
}

/** A decimal field: its digits after the point, and its range in that unit, including both ends. */
interface DecimalField {
  readonly scale: number
  readonly min: number
  readonly max: number
  readonly expected: string
}

const NANO_SCALE = 9
const PPM_SCALE = 6
const NANO = 1_000_000_000
const PPM = 1_000_000
const SAFE_MAX = Number.MAX_SAFE_INTEGER
/** 5 ms (R37). */
const ROUTE_DELAY = 5_000
const PRICE_INDEX = /^[a-z0-9]+_[a-z0-9]+$/

const positiveAmount: DecimalField = {
  scale: NANO_SCALE,
  min: 1,
  max: SAFE_MAX,
  expected: 'a decimal above 0, up to 9007199, with up to 9 decimals',
}
const rate: DecimalField = {
  scale: NANO_SCALE,
  min: -NANO,
  max: NANO,
  expected: 'a rate between -1 and 1 with up to 9 decimals',
}
const fraction: DecimalField = {
  scale: PPM_SCALE,
  min: 0,
  max: PPM,
  expected: 'a fraction between 0 and 1 with up to 6 decimals',
}

const fundingRate: DecimalField = {
  scale: 8,
  min: 0,
  max: 100_000_000,
  expected: 'a rate between 0 and 1 with up to 8 decimals',
}

const decimalFields = {
  tick_size: {
    scale: NANO_SCALE,
    min: 1,
    max: TICK9_MAX,
    expected: 'a decimal above 0, up to 1000, with up to 9 decimals',
  },
  amount_step: positiveAmount,
  min_trade_amount: positiveAmount,
  contract_size: positiveAmount,
  maker_commission: rate,
  taker_commission: rate,
  delivery_commission: rate,
  mark_band: fraction,
  impact_amount: positiveAmount,
  funding_cap: fundingRate,
  funding_damper: fundingRate,
  band: fraction,
  max_leverage: { scale: 0, min: 1, max: 1000, expected: 'a whole number from 1 to 1000' },
  initial_margin: fraction,
  maintenance_margin: fraction,
  route_delay_ms: {
    scale: 3,
    min: 0,
    max: 86_400_000_000,
    expected: 'milliseconds from 0 to a day with up to 3 decimals',
  },
  speed_bump_ms: {
    scale: 3,
    min: 0,
    max: 1_000_000,
    expected: 'milliseconds from 0 to 1000 with up to 3 decimals',
  },
  margin_slope: {
    scale: NANO_SCALE,
    min: 0,
    max: NANO,
    expected: 'a rate between 0 and 1 with up to 9 decimals',
  },
} as const satisfies Readonly<Record<string, DecimalField>>

type DecimalFieldName = keyof typeof decimalFields

const wordFields = ['price_index', 'routing', 'engine', 'gateway'] as const
type WordField = (typeof wordFields)[number]

/** Fields that may be overridden. */
export const overridableFields: readonly string[] = [...Object.keys(decimalFields), ...wordFields]

/** The specification with the overridden fields, or all mistakes in the overrides. */
export function overrideSpec(
  spec: InstrumentSpec,
  overrides: SpecOverrides,
): Result<InstrumentSpec, readonly OverrideMistake[]> {
  const mistakes: OverrideMistake[] = []
  const found = new Map<DecimalFieldName, number>()
  for (const [field, text] of Object.entries(overrides)) {
    if (isWordField(field)) {
      const expected = wordMistake(spec, field, text)
      if (expected !== null) mistakes.push({ field, found: text, expected })
    } else if (isDecimalField(field)) {
      const value = parseField(decimalFields[field], text)
      if (value === undefined) {
        mistakes.push({ field, found: text, expected: decimalFields[field].expected })
      } else found.set(field, value)
    } else mistakes.push(unknownField(field))
  }
  const routed = overrides.routing === undefined ? spec.routeDelay !== null : overrides.routing === 'third_party'
  const delay = found.get('route_delay_ms')
  if (delay !== undefined && !routed) {
    const expected = 'routing: third_party for a delay'
    mistakes.push({ field: 'route_delay_ms', found: formatScaledNumber(delay, 3), expected })
  }
  const sized = overrideSizes(spec, found)
  const priced = overrideReference(spec, found)
  const overridden: InstrumentSpec = {
    ...spec,
    ...overrideMatching(spec, overrides, found.get('speed_bump_ms')),
    priceIndex: overrides.price_index ?? spec.priceIndex,
    tick9: found.get('tick_size') ?? spec.tick9,
    tickSteps: found.has('tick_size') ? [] : spec.tickSteps,
    amountStep9: sized.amountStep9,
    contractSize9: sized.contractSize9,
    minTradeLots: sized.minTradeLots,
    makerFee9: found.get('maker_commission') ?? spec.makerFee9,
    takerFee9: found.get('taker_commission') ?? spec.takerFee9,
    maxLeverage: found.get('max_leverage') ?? spec.maxLeverage,
    margin: {
      initialPpm: found.get('initial_margin') ?? spec.margin.initialPpm,
      maintenancePpm: found.get('maintenance_margin') ?? spec.margin.maintenancePpm,
      slopePpb: found.get('margin_slope') ?? spec.margin.slopePpb,
      per: spec.margin.per,
    },
    deliveryFee9: found.get('delivery_commission') ?? spec.deliveryFee9,
    bandPpm: found.get('band') ?? spec.bandPpm,
    mark: priced.mark,
    funding: priced.funding,
    routeDelay: routed ? micros(delay ?? spec.routeDelay ?? ROUTE_DELAY) : null,
  }
  mistakes.push(...sized.mistakes, ...priced.mistakes, ...marginMistakes(overridden, overrides))
  return mistakes.length === 0 ? ok(overridden) : err(mistakes)
}

/** The allowed words of a field, if the text is not one of them; otherwise null. */
function wordMistake(spec: InstrumentSpec, field: WordField, text: string): string | null {
  const isSpot = spec.payoff === 'spot'
  switch (field) {
    case 'price_index':
      return PRICE_INDEX.test(text) ? null : 'a price index such as btc_usd'
    case 'routing': {
      const isRouting = text === 'venue' || (text === 'third_party' && isSpot)
      return isRouting ? null : 'venue, or third_party for a spot pair'
    }
    case 'engine': {
      const isEngine = text === 'main' || (text === 'alt' && !isSpot)
      return isEngine ? null : 'main, or alt for anything but spot'
    }
    case 'gateway':
      return isGatewayPair(text) ? null : `one of ${gatewayPairs.join(', ')}`
  }
}

/** The matching engine of the instrument and the delay of takers. */
function overrideMatching(
  spec: InstrumentSpec,
  { engine: engineText, gateway: gatewayText }: SpecOverrides,
  speedBump: number | undefined,
): Pick<InstrumentSpec, 'engine' | 'gateway' | 'speedBump'> {
  const engine = engineText === 'main' || engineText === 'alt' ? engineText : spec.engine
  const gateway = gatewayText !== undefined && isGatewayPair(gatewayText) ? gatewayText : spec.gateway
  const own = engine === spec.engine ? spec.speedBump : speedBumpOf(spec, engine)
  return { engine, gateway, speedBump: speedBump === undefined ? own : micros(speedBump) }
}

/** Sizes that are consistent: the minimum is a whole number of steps, and a step a whole number of 1e-9 contracts. */
function overrideSizes(
  spec: InstrumentSpec,
  found: ReadonlyMap<DecimalFieldName, number>,
): {
  readonly amountStep9: number
  readonly contractSize9: number
  readonly minTradeLots: Lots
  readonly mistakes: readonly OverrideMistake[]
} {
  const mistakes: OverrideMistake[] = []
  const minAmount9 = found.get('min_trade_amount') ?? spec.minTradeLots * spec.amountStep9
  const amountStep9 = found.get('amount_step') ?? found.get('min_trade_amount') ?? spec.amountStep9
  const contractSize9 = found.get('contract_size') ?? spec.contractSize9
  if (modFloor(minAmount9, amountStep9) !== 0) {
    mistakes.push({
      field: found.has('min_trade_amount') ? 'min_trade_amount' : 'amount_step',
      found: `min_trade_amount ${decimal(minAmount9)} and amount_step ${decimal(amountStep9)}`,
      expected: 'a minimum of whole amount steps',
    })
  }
  if ((BigInt(amountStep9) * BigInt(NANO)) % BigInt(contractSize9) !== 0n) {
    mistakes.push({
      field: found.has('contract_size') ? 'contract_size' : 'amount_step',
      found: `contract_size ${decimal(contractSize9)} and amount_step ${decimal(amountStep9)}`,
      expected: 'sizes at which one amount step is a number of contracts with up to 9 decimals',
    })
  }
  const minTradeLots = lots(divFloor(minAmount9, amountStep9))
  return { amountStep9, contractSize9, minTradeLots, mistakes }
}

/** Terms of the mark and of funding. A field that does not apply to the instrument is a mistake. */
function overrideReference(
  { mark, funding, detail }: InstrumentSpec,
  found: ReadonlyMap<DecimalFieldName, number>,
): Pick<InstrumentSpec, 'mark' | 'funding'> & { readonly mistakes: readonly OverrideMistake[] } {
  const impact9 = found.get('impact_amount')
  const clampPpm = found.get('mark_band')
  const cap8 = found.get('funding_cap')
  const damper8 = found.get('funding_damper')
  const mistakes: OverrideMistake[] = []
  const refuse = (
    field: DecimalFieldName,
    value: number | undefined,
    of: 'a perpetual' | 'a future or perpetual' | 'a dated future',
  ): void => {
    if (value === undefined) return
    const text = formatScaledNumber(value, decimalFields[field].scale)
    mistakes.push({ field, found: text, expected: `a field for ${of} only` })
  }
  if (detail.type !== 'future') {
    refuse('delivery_commission', found.get('delivery_commission'), 'a dated future')
  }
  if (mark === null) refuse('mark_band', clampPpm, 'a future or perpetual')
  if (funding === null) {
    refuse('impact_amount', impact9, 'a perpetual')
    refuse('funding_cap', cap8, 'a perpetual')
    refuse('funding_damper', damper8, 'a perpetual')
  }
  return {
    mark: mark === null ? null : { impact9: impact9 ?? mark.impact9, clampPpm: clampPpm ?? mark.clampPpm },
    funding:
      funding === null
        ? null
        : {
            dampers: damper8 === undefined ? funding.dampers : [{ from: micros(0), rate8: damper8 }],
            cap8: cap8 ?? funding.cap8,
          },
    mistakes,
  }
}

function marginMistakes({ margin }: InstrumentSpec, overrides: SpecOverrides): readonly OverrideMistake[] {
  if (margin.maintenancePpm <= margin.initialPpm) return []
  const field = 'maintenance_margin' in overrides ? 'maintenance_margin' : 'initial_margin'
  const [initial, maintenance] = [margin.initialPpm, margin.maintenancePpm].map((ppm) =>
    formatScaledNumber(ppm, PPM_SCALE),
  )
  const found = `initial_margin ${initial} and maintenance_margin ${maintenance}`
  return [{ field, found, expected: 'a maintenance margin up to the initial margin' }]
}

function parseField({ scale, min, max }: DecimalField, text: string): number | undefined {
  const scaled = parseScaled(text, scale)
  if (!scaled.ok || scaled.value < BigInt(min) || scaled.value > BigInt(max)) return undefined
  return Number(scaled.value)
}

function unknownField(field: string): OverrideMistake {
  const meant = nearest(field, overridableFields)
  const hint = meant === undefined ? '' : `; did you mean ${meant}?`
  return { field, found: field, expected: `one of ${overridableFields.join(', ')}${hint}` }
}

function isWordField(field: string): field is WordField {
  return (wordFields as readonly string[]).includes(field)
}

function isGatewayPair(text: string): text is GatewayPair {
  return (gatewayPairs as readonly string[]).includes(text)
}

function isDecimalField(field: string): field is DecimalFieldName {
  return Object.hasOwn(decimalFields, field)
}

function decimal(value9: number): string {
  return formatScaledNumber(value9, NANO_SCALE)
}
