/**
 * The exchange of a file in which nothing is wrong: its settings, and what is recorded of it.
 */
import { assert, type Micros } from '../../../core/index.ts'
import { type ExchangeConfig, type Fields, readSettings } from '../../../model/index.ts'
import { type MetricsTerms, metricsSettings } from '../../../results/index.ts'
import {
  type RecordTerms,
  risingIntervals,
  SNAPSHOT_DEPTH,
  usualRecord,
} from '../../journal-record.ts'
import { nodeAt } from '../located.ts'
import { type Section, settingSections, settingsIn } from '../sections/settings.ts'
import type { Sound } from './sound.ts'
import { durationOf } from './values.ts'

/** The settings of the exchange; what the file leaves out is the venue's own. */
export function configOf(sound: Sound): ExchangeConfig {
  const { start } = sound.schedule
  const parts = settingSections.map((section) => valuesOf(sound, section, settingsIn(section)))
  // The declarations are those of the configuration.
  return Object.assign({ start }, ...parts) as ExchangeConfig
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
export function metricsTerms(sound: Sound): MetricsTerms {
  // The declaration is that of the terms.
  return valuesOf(sound, 'record', metricsSettings)['metrics'] as MetricsTerms
}

/** Settings of a section, whose mistakes have been reported. */
function valuesOf(
  { root, schedule: { start } }: Sound,
  section: Section,
  fields: Fields,
): { readonly [field: string]: unknown } {
  const given = nodeAt(root, [section])?.value
  const reading = { place: 'file', start, path: [section] } as const
  const { values, faults } = readSettings(fields, given, reading)
  assert(faults.length === 0, 'a setting that cannot be has been reported')
  return values
}
