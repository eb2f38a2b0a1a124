/**
 * Funding of perpetuals: public/get_funding_rate_value, get_funding_rate_history and
 * get_funding_chart_data. Source: market.md 3.4 (T38), 8.
 */
import { micros, modFloor, scaledToNumber, z } from '../../../../core/index.ts'
import { findInstrument, timeOf } from '../../../../engine/index.ts'
import type { Fault, Instrument } from '../../../../model/index.ts'
import { timeOut } from '../../../wire/index.ts'
import { defineMethod, queryOf, type ReadContext, type ReplyContext } from '../../method.ts'
import {
  argumentFault,
  earlier,
  instrumentName,
  readTime,
  spanFault,
  timeSpan,
  unknownInstrument,
} from '../../params.ts'
import { interestOf } from '../funding-rates.ts'
import { marketOf } from '../ticker.ts'
import { indexAt } from './prices.ts'

const MICROS_PER_MINUTE = 60_000_000
const MICROS_PER_HOUR = 3_600_000_000
/** Largest number of hours in a reply: 31 days. */
const HOURS_MAX = 744

const charts = {
  '8h': { hours: 8, spacing: MICROS_PER_MINUTE },
  '24h': { hours: 24, spacing: 5 * MICROS_PER_MINUTE },
  '1m': { hours: 720, spacing: MICROS_PER_HOUR },
} as const

const rateParams = z.object({ instrument_name: instrumentName, ...timeSpan })

/** Interest from the start until just before the end, as a fraction of the position. */
const getFundingRateValue = defineMethod({
  scope: 'public',
  sessions: 'json_rpc',
  command: 'query',
  params: rateParams,
  read: readRange,
  reply: (context, params): number => {
    const { instrument } = marketOf(context, params.instrument_name)
    const from = readTime(params.start_timestamp)
    const to = Math.max(from, Math.min(readTime(params.end_timestamp), timeOf(context.exchange)))
    return interestOf(context, instrument, from, to)
  },
})

/** A full hour of funding. */
export interface FundingHour {
  /** The end of the hour. */
  readonly timestamp: number
  readonly index_price: number
  /** The index price one hour earlier. */
  readonly prev_index_price: number
  readonly interest_1h: number
  readonly interest_8h: number
}

/**
 * Hours that end between two times, oldest first; if there are too many for one reply, the newest. Hours that begin
 * before the history are omitted.
 */
const getFundingRateHistory = defineMethod({
  scope: 'public',
  sessions: 'json_rpc',
  command: 'query',
  params: rateParams,
  read: readRange,
  reply: (context, params): readonly FundingHour[] => {
    const { instrument } = marketOf(context, params.instrument_name)
    const first = Math.max(
      readTime(params.start_timestamp),
      instrument.creation + 1,
      knownFrom(context, instrument) + MICROS_PER_HOUR,
    )
    const last = Math.min(readTime(params.end_timestamp), timeOf(context.exchange))
    const hours = gridOf(first, last, MICROS_PER_HOUR, HOURS_MAX)
    return hours.map((to) => ({
      timestamp: timeOut(micros(to)),
      index_price: indexAt(context, instrument.priceIndex, to),
      prev_index_price: indexAt(context, instrument.priceIndex, to - MICROS_PER_HOUR),
      interest_1h: interestOf(context, instrument, to - MICROS_PER_HOUR, to),
      interest_8h: interestOf(context, instrument, to - 8 * MICROS_PER_HOUR, to),
    }))
  },
})

/** Points of a chart, and the latest rate. */
export interface FundingChart {
  readonly current_interest: number
  readonly interest_8h: number
  readonly data: readonly {
    readonly timestamp: number
    readonly index_price: number
    readonly interest_8h: number
  }[]
}

/** The last 8 hours by minute, 24 hours in steps of five minutes, or 30 days by hour, as far as the history reaches. */
const getFundingChartData = defineMethod({
  scope: 'public',
  sessions: 'json_rpc',
  command: 'query',
  params: z.object({
    instrument_name: instrumentName,
    length: z.enum(['8h', '24h', '1m']).describe('period before now; 1m is one month'),
  }),
  read: (context, params) => queryOf(perpetualFault(context, params.instrument_name)),
  reply: (context, params): FundingChart => {
    const view = marketOf(context, params.instrument_name)
    const { instrument } = view
    const now = timeOf(context.exchange)
    const { hours, spacing } = charts[params.length]
    const first = Math.max(now - hours * MICROS_PER_HOUR + 1, instrument.creation, knownFrom(context, instrument))
    const interest8h = (to: number): number => interestOf(context, instrument, to - 8 * MICROS_PER_HOUR, to)
    return {
      current_interest: scaledToNumber(view.funding?.rate8 ?? 0, 8),
      interest_8h: interest8h(now),
      data: gridOf(first, now, spacing, HOURS_MAX).map((to) => ({
        timestamp: timeOut(micros(to)),
        index_price: indexAt(context, instrument.priceIndex, to),
        interest_8h: interest8h(to),
      })),
    }
  },
})

/** The time from which the history has both rates and index; 0 if nothing was dropped. */
function knownFrom({ history }: ReplyContext, instrument: Instrument): number {
  const rates = history.funding.get(instrument.id)?.knownFrom ?? 0
  return Math.max(rates, history.indices.get(instrument.priceIndex)?.knownFrom ?? 0)
}

/** The newest points between two times, on a grid aligned to the epoch. */
function gridOf(first: number, last: number, spacing: number, most: number): readonly number[] {
  const points: number[] = []
  for (let at = last - modFloor(last, spacing); at >= first; at -= spacing) {
    if (points.length === most) break
    points.push(at)
  }
  return points.reverse()
}

function readRange(context: ReadContext, params: z.output<typeof rateParams>): ReturnType<typeof queryOf> {
  return queryOf(
    earlier(spanFault(params.start_timestamp, params.end_timestamp), perpetualFault(context, params.instrument_name)),
  )
}

function perpetualFault(context: ReadContext, name: string): Fault | null {
  const instrument = findInstrument(context.exchange, name)
  if (instrument === undefined) return unknownInstrument
  return instrument.funding === null ? argumentFault('invalid_args_for_instrument') : null
}

/** Methods by their names; a part of the table. */
export const fundingMethods = {
  'public/get_funding_rate_value': getFundingRateValue,
  'public/get_funding_rate_history': getFundingRateHistory,
  'public/get_funding_chart_data': getFundingChartData,
} as const
