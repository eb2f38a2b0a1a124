/**
 * Terms of a run beside the settings of its exchange: what is recorded, and how its metrics are computed. Files say
 * them in the section `record`, heads of journals beside the configuration. The digest of a run knows nothing of them.
 */
import type { Micros } from '../core/index.ts'
import { defaultsOf, type SettingsOf } from '../model/index.ts'
import { type MetricsTerms, metricsSettings, type TableFormat, tableFormats } from '../results/index.ts'

/** Snapshots of books. */
interface BookSnapshotTerms {
  /** How far they lie apart. */
  readonly every: Micros
  /** Levels of a side that they show. */
  readonly depth: number
}

/** Tables of a run beside the usual, and their format. */
export interface RecordTerms {
  /** Format of the tables of a run folder. */
  readonly format: TableFormat
  /** How far rows of `quotes` lie apart; null for none. */
  readonly quotes: Micros | null
  /** How far snapshots of books lie apart, and how many levels of a side they show; null for none. */
  readonly bookSnapshot: BookSnapshotTerms | null
  /** Lengths of bars of trades, from the shortest to the longest. */
  readonly bars: readonly Micros[]
}

/** Terms of a run beside the settings of its exchange. */
export interface RunTerms {
  /** How far samples of equity lie apart, beside those at 08:00; null for those alone. */
  readonly equityEvery: Micros | null
  /** How the metrics of the run are computed. */
  readonly metrics: MetricsTerms
  /** Terms of its tables, and their format. */
  readonly record: RecordTerms
}

/** Rows of series lie at least so far apart, and at most. */
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

/** The declaration of the tables. */
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

/** The declaration of all of them, as heads of journals have them. */
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

/** The same as the section `record` of files has them, one beside the other. */
export const recordedSettings: SettingsOf<Omit<RunTerms, 'record'> & RecordTerms> = {
  ...equitySettings,
  ...recordSettings,
  ...metricsSettings,
}

/** Terms of recording where nothing is said. */
export const usualRecord: RecordTerms = defaultsOf(recordSettings)

/** Terms of a run from values of `recordedSettings`. */
export function runTermsOf({ equityEvery, metrics, ...record }: Omit<RunTerms, 'record'> & RecordTerms): RunTerms {
  return { equityEvery, metrics, record }
}
