/**
 * The conventions of a run's metrics, which stand beside every figure.
 */
import { formatScaledNumber, type Micros, micros } from '../../core/index.ts'
import { defaultsOf, type SettingsOf } from '../../model/index.ts'

/** How the metrics of a run are computed. */
export interface MetricsTerms {
  /** Time between two points of the series: a period. */
  readonly every: Micros
  /** Periods in a year; null for 365 days over the period. */
  readonly periodsPerYear: number | null
  /** Risk-free rate of a year. */
  readonly riskFree: number
  /** The index that is held for comparison; null for that of the first instrument. */
  readonly benchmark: string | null
}

const DAY = 86_400_000_000
const YEAR = 365 * DAY

/** The declaration: a point at each midnight in UTC, a market of 365 days, no risk-free rate. */
const metricsFields: SettingsOf<MetricsTerms> = {
  every: {
    key: 'every',
    unit: 'micros',
    min: 1_000_000,
    max: YEAR,
    default: micros(DAY),
    says: 'The period of returns, which ends at whole multiples of this since 1970-01-01T00:00Z',
    examples: ['1h'],
  },
  periodsPerYear: {
    key: 'periods_per_year',
    unit: 'double',
    scale: 6,
    min: 1n,
    max: 1_000_000_000_000_000n,
    default: null,
    says: 'Periods that ratios of a year count; else those of 365 days. Other libraries take 252 days',
    examples: [252],
  },
  riskFree: {
    key: 'risk_free',
    unit: 'double',
    scale: 9,
    noun: 'rate of a year',
    min: -500_000_000n,
    max: 10_000_000_000n,
    default: 0,
    says: 'Risk-free rate of a year',
    examples: [0.02],
  },
  benchmark: {
    key: 'benchmark',
    unit: 'text',
    default: null,
    says: 'The index that is held for comparison',
    otherwise: 'that of the first instrument',
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

/** The conventions where nothing is said. */
export const usualTerms: MetricsTerms = defaultsOf(metricsFields)

/** Periods in a year. */
export function periodsPerYearOf({ every, periodsPerYear }: MetricsTerms): number {
  return periodsPerYear ?? YEAR / every
}

/** The conventions as sentences, for summaries and the metadata of files. `benchmark` is the one that was used. */
export function conventionsOf(terms: MetricsTerms, benchmark: string | null): readonly string[] {
  return [
    `r is the return of equity over a whole period of ${durationText(terms.every)}, cut where money came or left (time-weighted); periods end at whole multiples since 1970-01-01T00:00Z`,
    `x is r less the risk-free rate of a period, (1 + ${terms.riskFree})^(1 / P) - 1; P is ${periodsPerYearOf(terms)} periods per year, a year 365 days of 86,400 s`,
    'sd is the standard deviation of a sample (n - 1); means are arithmetic',
    `the benchmark is holding ${benchmark ?? 'nothing'}; USD is equity of all currencies at their indices`,
    'a figure that is not defined is null with a reason; `is_short` marks less than 30 days',
  ]
}

/** A duration in its largest whole unit, such as `1d` or `90m`. */
export function durationText(micros: number): string {
  const units = [
    [DAY, 'd'],
    [3_600_000_000, 'h'],
    [60_000_000, 'm'],
    [1_000_000, 's'],
  ] as const
  for (const [size, unit] of units) if (micros % size === 0) return `${micros / size}${unit}`
  return `${formatScaledNumber(micros, 6)}s`
}
