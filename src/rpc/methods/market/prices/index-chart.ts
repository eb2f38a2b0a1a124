/**
 * public/get_index_chart_data: means of an index over equal periods.
 *
 * Assumed: the venue documents the length of each range, but the spacing of points (an hour) is known only for the
 * month. Each point is the time-weighted mean from its time to the time of the next point, or until now.
 * Source: market.md 8.
 */
import { micros, modFloor, price9, z } from '../../../../core/index.ts'
import { indexTicks, timeOf } from '../../../../engine/index.ts'
import { finestStep9, roundToStep } from '../../../../pricing/index.ts'
import { meanBetween } from '../../../history/index.ts'
import { priceOut, timeOut } from '../../../wire/index.ts'
import { defineMethod, queryOf } from '../../method.ts'
import { indexName } from '../../params.ts'
import { indexFault } from './index-prices.ts'

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

/** Methods by their names; a part of the table. */
export const indexChartMethods = {
  'public/get_index_chart_data': getIndexChartData,
} as const
