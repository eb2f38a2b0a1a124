/**
 * The exchange of a file in which nothing is wrong: its settings, and what is recorded of it.
 */
import { assert, type Micros, scaledToNumber } from '../../../core/index.ts'
import { type ExchangeConfig, readSettings } from '../../../model/index.ts'
import { type MetricsTerms, usualTerms } from '../../../results/index.ts'
import {
  type RecordTerms,
  risingIntervals,
  SNAPSHOT_DEPTH,
  usualRecord,
} from '../../journal-record.ts'
import { nodeAt } from '../located.ts'
import { settingSections, settingsIn } from '../sections/settings.ts'
import type { Sound } from './sound.ts'
import { durationOf, scaledOf } from './values.ts'

/** The settings of the exchange; what the file leaves out is the venue's own. */
export function configOf({ root, schedule: { start } }: Sound): ExchangeConfig {
  const read = settingSections.map((section) => {
    const given = nodeAt(root, [section])?.value
    return readSettings(settingsIn(section), given, { place: 'file', start, path: [section] })
  })
  assert(
    read.every(({ faults }) => faults.length === 0),
    'a setting that cannot be has been reported',
  )
  // The declarations are those of the configuration.
  return Object.assign({ start }, ...read.map(({ values }) => values)) as ExchangeConfig
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
