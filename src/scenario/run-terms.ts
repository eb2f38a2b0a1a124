/**
 * Terms of a run in addition to the settings of its exchange: the recorded tables, and how its metrics are computed.
 * Scenario files have them in the section `record`, heads of journals next to the configuration. The digest of a run
 * does not depend on them.
 */
import type { Micros } from '../core/index.ts'
import { defaultsOf, type SettingsOf } from '../model/index.ts'
import { type MetricsTerms, metricsSettings, type TableFormat, tableFormats } from '../results/index.ts'

/** Terms of book snapshots. */
interface BookSnapshotTerms {
  /** Interval between snapshots. */
  readonly every: Micros
  /** Number of levels per side. */
  readonly depth: number
}

/** Tables that a run writes only on request, and the format of all tables. */
export interface RecordTerms {
  /** Format of the tables of a run folder. */
  readonly format: TableFormat
  /** Interval between rows of `quotes`; null for no rows. */
  readonly quotes: Micros | null
  /** Interval between snapshots of books and their number of levels per side; null for no snapshots. */
  readonly bookSnapshot: BookSnapshotTerms | null
  /** Lengths of bars of trades, in ascending order. */
  readonly bars: readonly Micros[]
}

/** Terms of a run in addition to the settings of its exchange. */
export interface RunTerms {
  /** Interval between samples of equity, in addition to those at 08:00; null for those only. */
  readonly equityEvery: Micros | null
  /** How the metrics of the run are computed. */
  readonly metrics: MetricsTerms
  /** Terms of its tables, and their format. */
  readonly record: RecordTerms
}

/** The shortest and longest interval between rows of series. */
const seriesTime = { unit: 'micros', min: 1_000, max: 31_536_000_000_000 } as const

const snapshotSettings: SettingsOf<BookSnapshotTerms> = {
  every: {
    ...seriesTime,
    key: 'every',
    says: 'Snapshots are at whole multiples of this since 1970-01-01T00:00Z',
    examples: ['1s'],
  },
  depth: {
    key: 'depth',
    unit: 'count',
    min: 1,
    max: 10_000,
    default: 10,
    says: 'Levels of each side',
    examples: [10],
  },
}

/** The declaration of the terms of tables. */
const recordSettings: SettingsOf<RecordTerms> = {
  format: {
    key: 'format',
    unit: 'word',
    words: tableFormats,
    default: 'arrow',
    isLean: true,
    says: 'Format of the tables of a run folder',
    examples: ['parquet'],
  },
  quotes: {
    ...seriesTime,
    key: 'quotes',
    default: null,
    isLean: true,
    says: 'Best bid and ask of every book, with the mid price, at whole multiples of this since 1970-01-01T00:00Z',
    otherwise: null,
    examples: ['100ms'],
  },
  bookSnapshot: {
    key: 'book_snapshot',
    fields: snapshotSettings,
    absent: 'null',
    says: 'Levels of every book at an interval',
    examples: [{ depth: 10, every: '1s' }],
  },
  bars: {
    key: 'bars',
    journal: 'bars_micros',
    items: { ...seriesTime, key: null, says: 'A length' },
    default: [],
    isLean: true,
    repeats: 'sorted',
    most: 20,
    isLone: true,
    says: 'Bars of the trades of every instrument, with recorded trades: the length of a bar, or several lengths',
    examples: ['1m', ['1m', '1h']],
  },
}

const equitySettings: SettingsOf<Pick<RunTerms, 'equityEvery'>> = {
  equityEvery: {
    key: 'equity',
    unit: 'micros',
    min: 1_000_000,
    default: null,
    says: 'Equity of all accounts at whole multiples of this since 1970-01-01T00:00Z, so that 1h samples at full hours, and 7h is not aligned with midnight',
    otherwise: 'only at 08:00 and at the end',
    examples: ['1h'],
  },
}

/** The declaration of all terms, in the form of journal heads. */
export const runSettings: SettingsOf<RunTerms> = {
  ...equitySettings,
  ...metricsSettings,
  record: {
    key: 'record',
    fields: recordSettings,
    absent: 'usual',
    says: 'Additional data to record',
  },
}

/** The same declarations in the form of the section `record`, without nesting. */
export const recordedSettings: SettingsOf<Omit<RunTerms, 'record'> & RecordTerms> = {
  ...equitySettings,
  ...recordSettings,
  ...metricsSettings,
}

/** The default terms of recording. */
export const usualRecord: RecordTerms = defaultsOf(recordSettings)

/** Terms of a run from values of `recordedSettings`. */
export function runTermsOf({ equityEvery, metrics, ...record }: Omit<RunTerms, 'record'> & RecordTerms): RunTerms {
  return { equityEvery, metrics, record }
}
