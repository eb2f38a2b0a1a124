/**
 * public/get_index_price, get_index_price_names, get_supported_index_names, get_delivery_prices, and the value of an
 * index at a time. Source: market.md 3.1, 3.5, 8.
 */

import { defined, formatIsoTime, micros, modFloor, price9, z } from '../../../../core/index.ts'
import { allIndices, allInstruments, findInstrument, indexTicks, timeOf, viewIndex } from '../../../../engine/index.ts'
import type { Fault, InstrumentKind } from '../../../../model/index.ts'
import { finestStep9, roundToStep } from '../../../../pricing/index.ts'
import { countUntil, meanBetween, rowsOf, valueAt } from '../../../history/index.ts'
import { priceOut, timeOut, type WireDeliveryPrices, type WireIndexPrice } from '../../../wire/index.ts'
import { defineMethod, queryOf, type ReadContext, type ReplyContext } from '../../method.ts'
import {
  count,
  earlier,
  indexName,
  instrumentName,
  paramFault,
  readTime,
  spanFault,
  timeSpan,
  unknownInstrument,
} from '../../params.ts'
import { marketOf } from '../ticker.ts'

/** An index, and whether clients may list combos of its instruments. */
export interface WireIndexName {
  /** Name of the index. */
  readonly name: string
  /** True if futures of the index are listed. */
  readonly future_combo_creation_enabled: boolean
  /** True if options of the index are listed. */
  readonly option_combo_creation_enabled: boolean
}

/**
 * public/get_index_chart_data: means of an index over equal periods.
 *
 * Assumed: the venue documents the length of each range, but the spacing of points (an hour) is known only for the
 * month. Each point is the time-weighted mean from its time to the time of the next point, or until now.
 * Source: market.md 8.
 */

const MINUTE = 60_000_000

const HOUR = 60 * MINUTE

const DAY = 24 * HOUR

/** Decimals of a mean: 8, or more if the ticks of the instruments need them. */
const STEP_8_DIGITS = 10

/** The length of each range, the spacing of its points, and whether hourly values are precise enough. */
const ranges = {
  '1h': { back: HOUR, spacing: MINUTE, hourly: false },
  '1d': { back: DAY, spacing: 5 * MINUTE, hourly: false },
  '2d': { back: 2 * DAY, spacing: 10 * MINUTE, hourly: false },
  '1m': { back: 30 * DAY, spacing: HOUR, hourly: true },
  '1y': { back: 365 * DAY, spacing: DAY, hourly: true },
  all: { back: Number.POSITIVE_INFINITY, spacing: DAY, hourly: true },
} as const

/** Time and mean price of each point, oldest first, as far as the history reaches. */
const getIndexChartData = defineMethod({
  scope: 'public',
  sessions: 'json_rpc',
  command: 'query',
  params: z.object({
    index_name: indexName,
    range: z
      .enum(['1h', '1d', '2d', '1m', '1y', 'all'])
      .describe(
        'period before now: an hour, days, a month, a year, or all; the points are between a minute and a day apart',
      ),
  }),
  read: (context, params) => queryOf(indexFault(context, params.index_name)),
  reply: ({ exchange, history }, params): readonly (readonly [number, number])[] => {
    const { back, spacing, hourly } = ranges[params.range]
    const known = hourly ? history.indexHours : history.indices
    const series = known.get(params.index_name)
    if (series === undefined) return []
    const now = timeOf(exchange)
    const first = Math.max(now - back, series.times[0] ?? now)
    const step9 = finestStep9(STEP_8_DIGITS, indexTicks(exchange, params.index_name))
    const points: (readonly [number, number])[] = []
    for (let at = first - modFloor(first, spacing); at < now; at += spacing) {
      const mean = meanBetween(series, at, Math.min(at + spacing, now))
      if (mean === undefined) continue
      points.push([timeOut(micros(at)), priceOut(price9(roundToStep(Number(mean), step9)))])
    }
    return points
  },
})

/**
 * public/get_mark_price_history. Source: market.md 8.
 */

/** Changes of the mark price between two times, both inclusive: time and mark price, oldest first. */
const getMarkPriceHistory = defineMethod({
  scope: 'public',
  sessions: 'json_rpc',
  command: 'query',
  params: z.object({
    instrument_name: instrumentName,
    ...timeSpan,
  }),
  read: (context, params) => {
    const listed = findInstrument(context.exchange, params.instrument_name) !== undefined
    return queryOf(earlier(spanFault(params.start_timestamp, params.end_timestamp), listed ? null : unknownInstrument))
  },
  reply: (context, params): readonly (readonly [number, number])[] => {
    const { instrument } = marketOf(context, params.instrument_name)
    const series = context.history.marks.get(instrument.id)
    if (series === undefined) return []
    const first = countUntil(series.times, readTime(params.start_timestamp) - 1)
    // The last microsecond of the end millisecond is included.
    const last = countUntil(series.times, readTime(params.end_timestamp) + 999)
    return series.times.slice(first, last).map((time, at) => {
      const mark = series.values[first + at] ?? 0
      return [timeOut(micros(time)), priceOut(price9(mark))] as const
    })
  },
})

/** The current index price and the estimated delivery price. */
const getIndexPrice = defineMethod({
  scope: 'public',
  sessions: 'json_rpc',
  command: 'query',
  params: z.object({ index_name: indexName }),
  read: (context, params) => queryOf(indexFault(context, params.index_name)),
  reply: (context, params): WireIndexPrice => {
    const view = defined(viewIndex(context.exchange, params.index_name), 'the index exists')
    return {
      index_price: priceOut(view.price),
      estimated_delivery_price: priceOut(view.estimatedDelivery),
    }
  },
})

/** The indices of the run, in order of first use. */
const getIndexPriceNames = defineMethod({
  scope: 'public',
  sessions: 'json_rpc',
  command: 'query',
  params: z.object({
    extended: z.boolean().default(false).describe('true if combos may be listed as well, by index'),
  }),
  read: () => queryOf(null),
  reply: ({ exchange }, { extended }): readonly string[] | readonly WireIndexName[] => {
    const names = allIndices(exchange)
    if (!extended) return names
    const listed = (kind: InstrumentKind): ReadonlySet<string> =>
      new Set(
        allInstruments(exchange)
          .filter((instrument) => instrument.kind === kind)
          .map(({ priceIndex }) => priceIndex),
      )
    const [futures, options] = [listed('future'), listed('option')]
    return names.map((name) => ({
      name,
      future_combo_creation_enabled: futures.has(name),
      option_combo_creation_enabled: options.has(name),
    }))
  },
})

/**
 * The indices of a type of instrument, in order of first use. Assumed: `spot` means the indices of spot books,
 * `derivative` those of all other books, and `all` every index of the run.
 */
const getSupportedIndexNames = defineMethod({
  scope: 'public',
  sessions: 'json_rpc',
  command: 'query',
  params: z.object({
    type: z
      .enum(['all', 'spot', 'derivative'])
      .default('all')
      .describe('indices of spot books, of derivatives, or all'),
  }),
  read: () => queryOf(null),
  reply: ({ exchange }, { type }): readonly string[] => {
    const names = allIndices(exchange)
    if (type === 'all') return names
    const ofType = allInstruments(exchange).filter(({ kind }) => (kind === 'spot') === (type === 'spot'))
    const named = new Set(ofType.map(({ priceIndex }) => priceIndex))
    return names.filter((name) => named.has(name))
  },
})

/** Delivery prices of an index, newest first. */
const getDeliveryPrices = defineMethod({
  scope: 'public',
  sessions: 'json_rpc',
  command: 'query',
  params: z.object({
    index_name: indexName,
    offset: z.int().min(0).default(0).describe('number of records to skip'),
    count: count(10),
  }),
  read: (context, params) => queryOf(indexFault(context, params.index_name)),
  reply: (context, params): WireDeliveryPrices => {
    const fixed = rowsOf(context.history.deliveries, params.index_name)
    const page = fixed.toReversed().slice(params.offset, params.offset + params.count)
    return {
      data: page.map(({ time, price }) => ({
        date: formatIsoTime(time).slice(0, DATE_LENGTH),
        delivery_price: priceOut(price),
      })),
      records_total: fixed.length,
    }
  },
})

/** Length of a date `YYYY-MM-DD`. */
const DATE_LENGTH = 10

/** Price of an index at a time, as far as the history reaches; 0 before its first value. */
export function indexAt(context: ReplyContext, name: string, time: number): number {
  const series = context.history.indices.get(name)
  const found = series === undefined ? undefined : valueAt(series, time)
  return found === undefined ? 0 : priceOut(price9(found))
}

/** The fault of an index that the run does not know, or null. */
export function indexFault(context: ReadContext, name: string): Fault | null {
  const known = viewIndex(context.exchange, name) !== undefined
  return known ? null : paramFault('index_name', 'unknown_value')
}

/** Methods by their names; a part of the table. */
export const priceMethods = {
  'public/get_index_price': getIndexPrice,
  'public/get_index_price_names': getIndexPriceNames,
  'public/get_supported_index_names': getSupportedIndexNames,
  'public/get_delivery_prices': getDeliveryPrices,
  'public/get_index_chart_data': getIndexChartData,
  'public/get_mark_price_history': getMarkPriceHistory,
} as const
