/**
 * Volatilities of the index of a currency in USD: public/get_historical_volatility, the realized volatility, and
 * public/get_volatility_index_data, the volatility of the next 30 days that options imply. Source: market.md 7
 * (volatility index), 8.
 */
import { divNearest, micros, modFloor, z } from '../../../../core/index.ts'
import { timeOf } from '../../../../engine/index.ts'
import { logarithm } from '../../../../pricing/index.ts'
import { countUntil, type RateSeries, type Series, valueAt, volatilityValues } from '../../../history/index.ts'
import { timeOut } from '../../../wire/index.ts'
import { defineMethod, queryOf } from '../../method.ts'
import { readTime, requestCurrency, spanFault, timeSpan } from '../../params.ts'

const SECOND = 1_000_000
const HOUR = 3600 * SECOND
const DAY = 24 * HOUR
const DAYS_OF_YEAR = 365
/** Number of daily returns, and number of hours in a reply. */
const RETURN_DAYS = 15
const HOURS_REPORTED = 384
/** Largest number of candles in a reply. */
const CANDLES_MAX = 1000
/** Volatilities of the index are in hundredths of a percent. */
const POINTS_PER_PERCENT = 100
/** Realized volatilities have 8 decimals of a percent. */
const PER_PERCENT = 100_000_000
const PER_UNIT = 100 * PER_PERCENT

/**
 * The volatility at each whole hour of the last 16 days, in percent per year, oldest first: the standard deviation of
 * up to 15 daily logarithmic returns before that hour, times the square root of 365.
 *
 * Assumed: the venue says that it samples the index once a day at a fixed time, over 15 days, and publishes a value
 * each hour. Here each hour is its own fixed time, and the deviation is that of a sample (n - 1). If the index is known
 * for less than 15 days, fewer returns count, at least two.
 */
const getHistoricalVolatility = defineMethod({
  scope: 'public',
  sessions: 'json_rpc',
  command: 'query',
  params: z.object({ currency: requestCurrency }),
  read: () => queryOf(null),
  reply: ({ exchange, history }, params): readonly (readonly [number, number])[] => {
    const series = history.indexHours.get(usdIndex(params.currency))
    if (series === undefined) return []
    const now = timeOf(exchange)
    const last = now - modFloor(now, HOUR)
    const hours: (readonly [number, number])[] = []
    for (let back = HOURS_REPORTED - 1; back >= 0; back -= 1) {
      const at = last - back * HOUR
      const volatility = realizedAt(series, at)
      if (volatility !== undefined) hours.push([timeOut(micros(at)), volatility])
    }
    return hours
  },
})

/** Percent per year at a time; undefined with less than two returns. */
function realizedAt(series: RateSeries, at: number): number | undefined {
  const returns: number[] = []
  for (let day = 0; day < RETURN_DAYS; day += 1) {
    const price = valueAt(series, at - day * DAY)
    const before = valueAt(series, at - (day + 1) * DAY)
    if (price === undefined || before === undefined) break
    returns.push(logarithm(price / before))
  }
  const count = returns.length
  if (count < 2) return undefined
  const mean = returns.reduce((sum, each) => sum + each, 0) / count
  const squares = returns.reduce((sum, each) => sum + (each - mean) * (each - mean), 0)
  const part = Math.sqrt((squares / (count - 1)) * DAYS_OF_YEAR)
  return divNearest(Math.round(part * PER_UNIT), PER_PERCENT)
}

const resolutions = ['1', '60', '3600', '43200', '1D'] as const

/** Candles of a volatility index. */
export interface WireVolatilityCandles {
  /** Time, open, high, low and close of each candle in percent, oldest first. */
  readonly data: readonly (readonly [number, number, number, number, number])[]
  /** The `end_timestamp` that requests the earlier candles; null at the first ones. */
  readonly continuation: number | null
}

/** Candles of the volatility index of a currency that begin between two times, at most the newest 1000. */
const getVolatilityIndexData = defineMethod({
  scope: 'public',
  sessions: 'json_rpc',
  command: 'query',
  params: z.object({
    currency: requestCurrency,
    ...timeSpan,
    resolution: z.enum(resolutions).describe('seconds of a candle, or 1D'),
  }),
  read: (_context, params) => queryOf(spanFault(params.start_timestamp, params.end_timestamp)),
  reply: ({ exchange, history }, params): WireVolatilityCandles => {
    const volatility = history.volatilities.get(usdIndex(params.currency))
    if (volatility === undefined) return { data: [], continuation: null }
    const values = volatilityValues(volatility)
    const width = params.resolution === '1D' ? DAY : Number(params.resolution) * SECOND
    const end = Math.min(readTime(params.end_timestamp), timeOf(exchange))
    const last = end - modFloor(end, width)
    const known = values.times[0] ?? last + width
    const start = Math.max(readTime(params.start_timestamp), known - modFloor(known, width))
    // A candle begins on the grid: the first that begins at the start or after it.
    const earliest = start + modFloor(-start, width)
    const first = Math.max(earliest, last - (CANDLES_MAX - 1) * width)
    const data: WireVolatilityCandles['data'][number][] = []
    for (let at = first; at <= last; at += width) data.push(candleOf(values, at, width))
    return { data, continuation: first > earliest ? timeOut(micros(first - width)) : null }
  },
})

/** The candle that begins at a time, which is not before the first value's own. */
function candleOf(
  { times, values }: Pick<Series, 'times' | 'values'>,
  start: number,
  width: number,
): readonly [number, number, number, number, number] {
  const next = countUntil(times, start)
  const open = values[next - 1] ?? values[next] ?? 0
  let high = open
  let low = open
  let close = open
  for (let at = next; at < times.length && (times[at] ?? 0) < start + width; at += 1) {
    close = values[at] ?? close
    high = Math.max(high, close)
    low = Math.min(low, close)
  }
  return [timeOut(micros(start)), volatilityOut(open), volatilityOut(high), volatilityOut(low), volatilityOut(close)]
}

/** A value of a volatility index in percent. */
export function volatilityOut(value: number): number {
  return divNearest(value, POINTS_PER_PERCENT)
}

function usdIndex(currency: string): string {
  return `${currency.toLowerCase()}_usd`
}

/** Methods by their names; a part of the table. */
export const volatilityMethods = {
  'public/get_historical_volatility': getHistoricalVolatility,
  'public/get_volatility_index_data': getVolatilityIndexData,
} as const
