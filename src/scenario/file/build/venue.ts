/**
 * The exchange of a file in which nothing is wrong: its settings, and what is recorded of it.
 */
import {
  type Amount,
  amount,
  assert,
  type Micros,
  parseIsoTime,
  scaledToNumber,
} from '../../../core/index.ts'
import {
  type Currency,
  defaultConfig,
  type ExchangeConfig,
  settlementCurrencies,
} from '../../../model/index.ts'
import { type MetricsTerms, usualTerms } from '../../../results/index.ts'
import { limitsOfWords } from '../../history-limits.ts'
import {
  type RecordTerms,
  risingIntervals,
  SNAPSHOT_DEPTH,
  usualRecord,
} from '../../journal-record.ts'
import type { ScenarioShape } from '../format.ts'
import { protectionsOf } from './protection.ts'
import { rateLimitsOf } from './rate-limits.ts'
import { riskOf } from './risk.ts'
import type { Sound } from './sound.ts'
import { durationOf, scaledOf } from './values.ts'
import { walletOf } from './wallet.ts'

/** The settings of the exchange; what the file leaves out is the venue's own. */
export function configOf({ shape, schedule }: Sound): ExchangeConfig {
  const preset = defaultConfig(schedule.start)
  const { venue = {}, record = {} } = shape
  const limits = venue.open_order_limits
  const { openOrderLimits: usual } = preset
  return {
    ...preset,
    priceBands: venue.price_bands ?? preset.priceBands,
    selfMatch: venue.self_match ?? preset.selfMatch,
    openOrderLimits: {
      total: limits?.total ?? usual.total,
      future: limits?.future ?? usual.future,
      option: limits?.option ?? usual.option,
      spot: limits?.spot ?? usual.spot,
      triggers: limits?.triggers ?? usual.triggers,
      secondaries: limits?.secondaries ?? usual.secondaries,
    },
    marks: venue.marks ?? preset.marks,
    listedFutures: venue.listed_futures ?? preset.listedFutures,
    listedOptions: venue.listed_options ?? preset.listedOptions,
    feeProfile: venue.fees ?? preset.feeProfile,
    fundingDampers: dampersOf(venue.funding_dampers),
    settlementTime: durationOf(venue.settlement_time) ?? preset.settlementTime,
    insuranceFund: { ...preset.insuranceFund, ...fundOf(venue.insurance_fund ?? {}) },
    ...riskOf(venue, preset),
    ...protectionsOf(venue, preset),
    rateLimits: rateLimitsOf(venue.rate_limits, preset.rateLimits),
    ...walletOf(venue.wallet),
    bookEvents: record.book ?? preset.bookEvents,
    printEvents: record.feed ?? preset.printEvents,
    ...(venue.history_limits === undefined
      ? {}
      : { historyLimits: limitsOfWords(venue.history_limits) }),
  }
}

/** How far samples of equity lie apart; null where the file does not ask for more than 08:00 and the end. */
export function equityEvery({ shape }: Sound): Micros | null {
  return durationOf(shape.record?.equity) ?? null
}

/** Terms of its tables, and their format. */
export function recordTerms({ shape }: Sound): RecordTerms {
  const { format = usualRecord.format, quotes, book_snapshot: book, bars = [] } = shape.record ?? {}
  const every = durationOf(book?.every)
  const intervals = typeof bars === 'string' ? [bars] : bars
  return {
    format,
    quotes: durationOf(quotes) ?? null,
    bookSnapshot: every === undefined ? null : { every, depth: book?.depth ?? SNAPSHOT_DEPTH },
    bars: risingIntervals(intervals.map(durationOf).filter((length) => length !== undefined)),
  }
}

/** How the metrics of the run are computed. */
export function metricsTerms({ shape }: Sound): MetricsTerms {
  const {
    every,
    periods_per_year: periods,
    risk_free: rate,
    benchmark,
  } = shape.record?.metrics ?? {}
  return {
    every: durationOf(every) ?? usualTerms.every,
    periodsPerYear: periods === undefined ? null : scaledToNumber(scaledOf(periods, 6), 6),
    riskFree: rate === undefined ? 0 : scaledToNumber(scaledOf(rate, 9), 9),
    benchmark: benchmark ?? null,
  }
}

type Venue = NonNullable<ScenarioShape['venue']>

function dampersOf(dampers: Venue['funding_dampers']): ExchangeConfig['fundingDampers'] {
  if (dampers === undefined) return null
  return dampers.map(({ from, rate }) => {
    const time = parseIsoTime(from)
    assert(time.ok, 'a time that is none has been reported')
    return { from: time.value, rate8: Number(scaledOf(rate, 8)) }
  })
}

function fundOf(fund: NonNullable<Venue['insurance_fund']>): ExchangeConfig['insuranceFund'] {
  const found: { -readonly [C in Currency]?: Amount } = {}
  for (const currency of settlementCurrencies) {
    const money = fund[currency]
    if (money !== undefined) found[currency] = amount(scaledOf(money, 9))
  }
  return found
}
