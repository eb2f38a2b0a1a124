/**
 * The volatility index of a price index: the volatility of the next 30 days, from the marks of its options.
 *
 * Assumed: the venue computes its index from the prices of all strikes, by a method that it does not publish in full.
 * Here, an expiry has the volatility of its marks at the forward, interpolated linearly between the strikes on both
 * sides. The total variances of the expiries on both sides of 30 days are interpolated linearly to 30 days; before the
 * first or after the last expiry, that expiry's volatility holds. The index has a value for each second in which a mark
 * changed, from the marks at the end of that second, so a market without changes has no new value.
 *
 * Source: market.md 7 (volatility index), 8.
 */
import {
  changing,
  divFloor,
  fixed,
  type Micros,
  mapOf,
  type Price9,
  plainUnit,
  type RowOf,
  rowUnit,
  units,
} from '../../core/index.ts'
import type { EventOf, Instrument } from '../../model/index.ts'
import { addValue, createSeries, type Series } from './series.ts'

const MICROS_PER_SECOND = 1_000_000
const MONTH_MICROS = 2_592_000_000_000
/** Volatilities of marks are in 1e-9, and values of the index in hundredths of a percent. */
const NANO_PER_POINT = 100_000

/** The last mark of an option. */
export interface OptionMark {
  readonly strike: Price9
  readonly expiration: Micros
  volatility9: number
}

/** The last forward of an expiry. */
export interface ExpiryForward {
  readonly expiration: Micros
  forward: Price9
}

const volatilityFields = {
  options: fixed(mapOf(units.instrumentId, plainUnit<OptionMark>('mark of an option'))),
  /** The last forward of each expiry. They are few, and a search is faster than a map of times. */
  forwards: changing(plainUnit<ExpiryForward[]>('forwards of expiries')),
  /** The time of the last mark, whose second is not over. */
  last: changing(units.micros),
  /** Values of the index in hundredths of a percent, for each second that is over. */
  values: fixed(plainUnit<Series>('series')),
}

/** Marks of the options of an index, and the past values of its volatility index. */
interface Volatility extends RowOf<typeof volatilityFields> {}

export const volatilityUnit = rowUnit('volatility', volatilityFields)

/** Creates a volatility index without options. */
export function createVolatility(): Volatility {
  return { options: new Map(), forwards: [], last: 0 as Micros, values: createSeries() }
}

/** Takes the mark of an option. A mark in a new second ends the previous second. */
export function noteOptionMark(
  volatility: Volatility,
  { time, option }: EventOf<'mark'>,
  instrument: Instrument,
  limit: number,
): void {
  const { id, detail, expiration } = instrument
  if (option === null || option.volatility9 === 0 || detail.type !== 'option') return
  if (secondOf(time) !== secondOf(volatility.last)) endSecond(volatility, limit)
  volatility.last = time
  const expiry = expiryOf(volatility.forwards, expiration)
  if (expiry !== undefined) expiry.forward = option.forward
  else volatility.forwards.push({ expiration, forward: option.forward })
  const known = volatility.options.get(id)
  if (known !== undefined) known.volatility9 = option.volatility9
  else volatility.options.set(id, { strike: detail.strike, expiration, volatility9: option.volatility9 })
}

/** The values with their times, including the second that is not over. */
export function volatilityValues(volatility: Volatility): Pick<Series, 'times' | 'values'> {
  const value = monthVolatility(volatility)
  if (value === undefined) return volatility.values
  return { times: [...volatility.values.times, volatility.last], values: [...volatility.values.values, value] }
}

/**
 * The value at the last mark in hundredths of a percent. If no option has a mark, the last stored value, or undefined
 * without one.
 */
export function volatilityNow(volatility: Volatility): number | undefined {
  return monthVolatility(volatility) ?? volatility.values.values.at(-1)
}

function endSecond(volatility: Volatility, limit: number): void {
  const { last, values, options } = volatility
  const value = monthVolatility(volatility)
  if (value !== undefined) addValue(values, { time: last, value }, limit)
  if (!volatility.forwards.some(({ expiration }) => expiration <= last)) return
  volatility.forwards = volatility.forwards.filter(({ expiration }) => expiration > last)
  for (const [id, { expiration }] of options) if (expiration <= last) options.delete(id)
}

/** The strikes nearest to the forward of an expiry on both sides, each with the sum over its options. */
interface Expiry {
  readonly expiration: Micros
  readonly forward: Price9
  readonly below: Strike
  readonly above: Strike
}

/** The nearest strike of a side with the sum over its options; `count` 0 if it has no option. */
interface Strike {
  strike: number
  sum9: number
  count: number
}

/** The index at the last mark in hundredths of a percent. */
function monthVolatility(volatility: Volatility): number | undefined {
  const { last } = volatility
  const points: { readonly left: number; readonly volatility: number }[] = []
  for (const expiry of expiriesOf(volatility)) {
    points.push({ left: expiry.expiration - last, volatility: atForward(expiry) })
  }
  points.sort((one, other) => one.left - other.left)
  const later = points.find(({ left }) => left >= MONTH_MICROS)
  const earlier = points.findLast(({ left }) => left <= MONTH_MICROS)
  const only = later ?? earlier
  if (only === undefined) return undefined
  if (later === undefined || earlier === undefined || later === earlier) {
    return Math.round(only.volatility / NANO_PER_POINT)
  }
  const first = earlier.volatility * earlier.volatility * earlier.left
  const second = later.volatility * later.volatility * later.left
  const part = (MONTH_MICROS - earlier.left) / (later.left - earlier.left)
  const variance = (first + (second - first) * part) / MONTH_MICROS
  return Math.round(Math.sqrt(variance) / NANO_PER_POINT)
}

function expiriesOf({ options, forwards, last }: Volatility): readonly Expiry[] {
  const expiries = forwards
    .filter(({ expiration }) => expiration > last)
    .map(({ expiration, forward }): Expiry => {
      return { expiration, forward, below: createStrike(), above: createStrike() }
    })
  for (const { strike, expiration, volatility9 } of options.values()) {
    const expiry = expiryOf(expiries, expiration)
    if (expiry === undefined) continue
    const isBelow = strike <= expiry.forward
    const side = isBelow ? expiry.below : expiry.above
    const isNearer = isBelow ? strike > side.strike : strike < side.strike
    if (side.count === 0 || isNearer) {
      side.strike = strike
      side.sum9 = 0
      side.count = 0
    }
    if (strike !== side.strike) continue
    side.sum9 += volatility9
    side.count += 1
  }
  return expiries
}

function expiryOf<E extends { readonly expiration: Micros }>(
  expiries: readonly E[],
  expiration: Micros,
): E | undefined {
  for (const expiry of expiries) if (expiry.expiration === expiration) return expiry
  return undefined
}

function createStrike(): Strike {
  return { strike: 0, sum9: 0, count: 0 }
}

/**
 * A volatility in 1e-9 at the forward, interpolated between the nearest strikes; if only one side has a strike, the
 * volatility of that strike.
 */
function atForward({ forward, below, above }: Expiry): number {
  if (below.count === 0) return above.sum9 / above.count
  const low = below.sum9 / below.count
  if (above.count === 0) return low
  const high = above.sum9 / above.count
  return low + ((high - low) * (forward - below.strike)) / (above.strike - below.strike)
}

function secondOf(time: number): number {
  return divFloor(time, MICROS_PER_SECOND)
}
