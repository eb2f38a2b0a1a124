/** The conventions of a run's metrics, which are reported together with the figures. */
import { formatScaledNumber, type Micros } from '../../core/index.ts'
import { defaultsOf, type SettingsOf } from '../../model/index.ts'

/** How the metrics of a run are computed. */
export interface MetricsTerms {
  /** Time between two points of the series: a period. Null if it follows from the length of the run. */
  readonly every: Micros | null
  /** Number of periods in a year; null for 365 days divided by the period. */
  readonly periodsPerYear: number | null
  /** Risk-free rate per year. */
  readonly riskFree: number
  /** The index for comparison, as if it were held; null for the index of the first instrument. */
  readonly benchmark: string | null
}

const SECOND = 1_000_000
const MINUTE = 60 * SECOND
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR
const YEAR = 365 * DAY

/**
 * Number of returns that an annual figure needs. A run without a set period chooses one that gives at least this
 * number, if it is long enough.
 */
export const RETURNS_MIN = 30
/** Number of days that an annual figure needs. */
export const ANNUAL_DAYS_MIN = 7

/** Periods of runs that do not set one, each a multiple of the previous one. */
export const usualPeriods: readonly [number, ...number[]] = [
  SECOND,
  10 * SECOND,
  MINUTE,
  5 * MINUTE,
  15 * MINUTE,
  HOUR,
  4 * HOUR,
  DAY,
]

/**
 * The declaration. Defaults: a period that follows from the length of the run, a market of 365 days, no risk-free rate.
 */
const metricsFields: SettingsOf<MetricsTerms> = {
  every: {
    key: 'every',
    unit: 'micros',
    min: 1_000_000,
    max: YEAR,
    default: null,
    says: 'Period of returns; the first period begins with the run',
    otherwise: 'the longest of 1d, 4h, 1h, 15m, 5m, 1m, 10s and 1s that fits into the run 30 times',
    examples: ['1h'],
  },
  periodsPerYear: {
    key: 'periods_per_year',
    unit: 'double',
    scale: 6,
    min: 1n,
    max: 1_000_000_000_000_000n,
    default: null,
    says: 'Periods per year for annualised ratios. The default counts 365 days; other libraries use 252',
    examples: [252],
  },
  riskFree: {
    key: 'risk_free',
    unit: 'double',
    scale: 9,
    noun: 'yearly rate',
    min: -500_000_000n,
    max: 10_000_000_000n,
    default: 0,
    says: 'Annual risk-free rate',
    examples: [0.02],
  },
  benchmark: {
    key: 'benchmark',
    unit: 'text',
    default: null,
    says: 'Index of the buy-and-hold benchmark',
    otherwise: 'the index of the first instrument',
    examples: ['btc_usd'],
  },
}

/** The declaration of `metrics` in the section `record` of files and in the heads of journals. */
export const metricsSettings: SettingsOf<{ readonly metrics: MetricsTerms }> = {
  metrics: {
    key: 'metrics',
    fields: metricsFields,
    absent: 'usual',
    says: 'How metrics are computed',
    examples: [{ every: '1h' }],
  },
}

/** The default conventions. */
export const usualTerms: MetricsTerms = defaultsOf(metricsFields)

/** Number of periods in a year; `every` is the period that was used. */
export function periodsPerYearOf(terms: MetricsTerms, every: number): number {
  return terms.periodsPerYear ?? YEAR / every
}

/** The conventions as sentences, for summaries and the metadata of files. `benchmark` is the one that was used. */
export function conventionsOf(terms: MetricsTerms, benchmark: string | null): readonly string[] {
  const period = terms.every === null ? 'a period chosen from the length of the run' : durationText(terms.every)
  const perYear = terms.periodsPerYear === null ? '365 days divided by the period' : String(terms.periodsPerYear)
  return [
    `r is the return of equity over ${period}, split at deposits and withdrawals (time-weighted); the first period begins with the run; shorter periods at both ends count in proportion to their length`,
    `x is r minus the risk-free rate per period, (1 + ${terms.riskFree})^(1 / P) - 1; P is the number of periods per year: ${perYear}; a year has 365 days of 86,400 s`,
    'means and standard deviations weight each return by the length of its period; standard deviations divide by n - 1',
    `annualised figures need ${RETURNS_MIN} returns and ${ANNUAL_DAYS_MIN} days`,
    `the benchmark is holding ${benchmark ?? 'nothing'}; USD is the equity in all currencies at their index prices`,
    'an undefined figure is null and has a reason; `is_short` marks data of less than 30 days',
  ]
}

/** A duration in its largest whole unit, such as `1d` or `90m`. */
export function durationText(micros: number): string {
  const units = [
    [DAY, 'd'],
    [HOUR, 'h'],
    [MINUTE, 'm'],
    [SECOND, 's'],
  ] as const
  for (const [size, unit] of units) if (micros % size === 0) return `${micros / size}${unit}`
  return `${formatScaledNumber(micros, 6)}s`
}
