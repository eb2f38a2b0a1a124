/** Metrics of returns: for an account in each currency that it had, and in USD over all currencies. */

import { civilOf, micros } from '../../core/index.ts'
import { type Drawdown, drawdownsOf } from './drawdowns.ts'
import {
  checked,
  type Figure,
  type MetricDeclaration,
  type MetricDeclarations,
  mapFigure,
  metric,
  type NoValue,
  ratio,
} from './figure.ts'
import * as ratios from './ratios.ts'
import { type Sample, sampleOf } from './ratios.ts'
import { curveOf, type PeriodReturn, returnsOf, type Series } from './series.ts'
import type { AccountState, State } from './state.ts'
import {
  deviationOf,
  type Line,
  lineOf,
  type Moments,
  meanOf,
  type Weighed,
  weighedMeanOf,
  weighedMomentsOf,
} from './statistics.ts'

/** The benchmark over the same periods. */
interface BenchmarkReturns {
  /** Returns above the risk-free rate, one for each return of the sample. */
  readonly excess: readonly Weighed[]
  readonly returns: readonly Weighed[]
  /** From the beginning of the series to its end. */
  readonly total: number
}

/** A month of a series. */
export interface MonthReturn {
  /** In UTC, such as `2026-01`. */
  readonly month: string
  readonly value: number
}

/** The returns of an account in one currency, or in USD. */
export interface ReturnInput {
  /** Reason why no return can be computed, or null. */
  readonly blocked: NoValue | null
  readonly series: Series
  readonly sample: Sample
  readonly drawdowns: readonly Drawdown[]
  /** Returns of days and months in UTC. */
  readonly days: readonly number[]
  readonly months: readonly MonthReturn[]
  readonly benchmark: BenchmarkReturns | NoValue
}

/** Terms for the analysis of returns. */
export interface ReturnTerms {
  readonly periodsPerYear: number
  readonly riskFree: number
}

const MICROS_PER_DAY = 86_400_000_000

/** Equity, flows and profit of an account; in USD at the indices of their times. */
export const equityMetrics: MetricDeclarations<ReturnInput> = {
  equity_end: metric('currency', 'Equity at the end of the run.', ({ series }) => checked(series.equities.at(-1) ?? 0)),
  net_flow: metric('currency', 'Deposits minus withdrawals.', ({ series }) => checked(flowOf(series.flows))),
  net_profit: metric('currency', '`equity_end - net_flow`.', ({ series }) =>
    checked((series.equities.at(-1) ?? 0) - flowOf(series.flows)),
  ),
  span: metric('days', 'Time from the first deposit to the end of the run.', ({ series }) =>
    series.start < 0 ? 'no_capital' : checked(((series.times.at(-1) ?? series.start) - series.start) / MICROS_PER_DAY),
  ),
}

/** Metrics of the returns themselves. */
export const returnMetrics: MetricDeclarations<ReturnInput> = blockable({
  periods: metric(
    'count',
    'Number of returns `r`: one per period; a partial period at either end counts if it is longer than half a period.',
    ({ sample }) => sample.returns.length,
  ),
  total_return: metric('part', '`prod(1 + r) - 1`.', ({ sample }) => ratios.totalReturnOf(sample)),
  cagr: metric('part', '`prod(1 + r)^(1 / Y) - 1`, where Y is the number of elapsed years.', ({ sample }) =>
    ratios.cagrOf(sample),
  ),
  volatility: metric('part', '`sd(r) sqrt(P)`.', ({ sample }) => ratios.volatilityOf(sample)),
  sharpe: metric('ratio', '`mean(x) / sd(x) sqrt(P)`.', ({ sample }) => ratios.sharpeOf(sample)),
  smart_sharpe: metric(
    'ratio',
    '`sharpe / sqrt(1 + 2 sum((n - j) / n rho^j))` with j from 1 to n - 1, where rho is the absolute correlation of consecutive returns.',
    ({ sample }) => ratios.smartSharpeOf(sample),
  ),
  probabilistic_sharpe: metric(
    'part',
    'Probability that the true Sharpe ratio is above 0: `Phi(S sqrt(n - 1) / sqrt(1 - g3 S + (g4 - 1) / 4 S^2))`, where S is the Sharpe ratio per period, g3 the skew and g4 the kurtosis (3 for the normal distribution).',
    ({ sample }) => ratios.probabilisticSharpeOf(sample),
  ),
  downside_deviation: metric(
    'part',
    '`sqrt(mean(min(x, 0)^2 / t)) sqrt(P)`; the mean includes all n returns.',
    ({ sample }) => ratios.downsideOf(sample),
  ),
  sortino: metric('ratio', '`mean(x) P / downside_deviation`.', ({ sample }) => ratios.sortinoOf(sample)),
  max_drawdown: metric(
    'part',
    'Deepest fall of the curve `prod(1 + r)` from its highest point so far, including the start, at period ends; negative.',
    ({ sample }) => ratios.maxDrawdownOf(sample),
  ),
  max_drawdown_intraperiod: metric(
    'part',
    'Deepest fall of the curve at any sample of equity: after each fill, and in each second with a price move.',
    ({ series }) => checked(series.fall),
  ),
  average_drawdown: metric('part', 'Mean depth of all drawdowns, at period ends.', ({ drawdowns }) =>
    drawdowns.length === 0 ? 'no_drawdown' : checked(meanOf(drawdowns.map(({ depth }) => depth))),
  ),
  longest_drawdown: metric(
    'days',
    'Longest time from a highest point until the curve was as high again at a period end, or until the end of the run.',
    ({ drawdowns, series }) => {
      const spans = drawdowns.map(({ start, recovery }) => (recovery ?? series.times.at(-1) ?? start) - start)
      const bounds = ratios.boundsOf(spans)
      return bounds === null ? 'no_drawdown' : checked(bounds[1] / MICROS_PER_DAY)
    },
  ),
  calmar: metric('ratio', '`cagr / |max_drawdown_intraperiod|`.', ({ sample }) => ratios.calmarOf(sample)),
  ulcer_index: metric(
    'part',
    '`sqrt(mean(fall^2))` at period ends, weighted by the length of the periods.',
    ({ sample }) => ratios.ulcerOf(sample),
  ),
  martin: metric('ratio', '`(cagr - rf) / ulcer_index`.', ({ sample }) => ratios.martinOf(sample)),
  omega: metric('ratio', '`sum(max(r, 0)) / sum(max(-r, 0))`.', ({ sample }) => ratios.omegaOf(sample)),
  gain_to_pain: metric('ratio', '`sum(r) / |sum(r < 0)|`.', ({ sample }) => ratios.gainToPainOf(sample.returns)),
  gain_to_pain_monthly: metric('ratio', '`gain_to_pain` of monthly returns.', ({ months }) =>
    ratios.gainToPainOf(months.map(({ value }) => value)),
  ),
  recovery_factor: metric(
    'ratio',
    '`net_profit` divided by the largest fall of equity without deposits and withdrawals, at any sample of equity, both in money.',
    ({ series }) => ratio((series.equities.at(-1) ?? 0) - flowOf(series.flows), series.profitFall, 'no_drawdown'),
  ),
  var_95: metric('part', '5th percentile of r with linear interpolation (historical).', ({ sample }) =>
    ratios.returnPercentileOf(sample, 0.05),
  ),
  var_95_normal: metric('part', '`mean(r) - 1.645 sd(r)` per period (normal).', ({ sample }) =>
    ratios.normalVarOf(sample),
  ),
  cvar_95: metric('part', 'Mean of the `floor((n - 1) 0.05) + 1` smallest r.', ({ sample }) =>
    ratios.conditionalVarOf(sample),
  ),
  skew: metric('ratio', 'Skew of r, bias-corrected.', ({ sample }) => ratios.sampleSkewOf(sample)),
  excess_kurtosis: metric('ratio', 'Excess kurtosis of r, bias-corrected.', ({ sample }) =>
    ratios.sampleKurtosisOf(sample),
  ),
  tail_ratio: metric('ratio', '`|95th percentile| / |5th percentile|` of r.', ({ sample }) =>
    ratios.tailRatioOf(sample),
  ),
  stability: metric('part', 'R^2 of a straight line fitted to the cumulative `log(1 + r)` over time.', ({ sample }) =>
    ratios.stabilityOf(sample),
  ),
  win_rate_periods: metric('part', 'Share of gains among the r other than 0.', ({ sample }) =>
    ratios.winShareOf(sample.returns),
  ),
  best_period: metric('part', 'Largest r.', ({ sample }) => boundOf(sample.returns, 1)),
  worst_period: metric('part', 'Smallest r.', ({ sample }) => boundOf(sample.returns, 0)),
  best_day: metric('part', 'Largest return of a UTC day.', ({ days }) => boundOf(days, 1)),
  worst_day: metric('part', 'Smallest return of a UTC day.', ({ days }) => boundOf(days, 0)),
  win_days: metric('part', 'Share of gains among the days with a return other than 0.', ({ days }) =>
    days.length === 0 ? 'too_few_returns' : ratios.winShareOf(days),
  ),
  best_month: metric('part', 'Largest return of a UTC month, compounded from its days.', ({ months }) =>
    boundOf(monthly(months), 1),
  ),
  worst_month: metric('part', 'Smallest return of a UTC month.', ({ months }) => boundOf(monthly(months), 0)),
  win_months: metric('part', 'Share of gains among the months with a return other than 0.', ({ months }) =>
    months.length === 0 ? 'too_few_returns' : ratios.winShareOf(monthly(months)),
  ),
  consecutive_wins: metric('count', 'Longest sequence of periods with a gain.', ({ sample }) =>
    ratios.longestRunOf(sample.returns, (r) => r > 0),
  ),
  consecutive_losses: metric('count', 'Longest sequence of periods with a loss.', ({ sample }) =>
    ratios.longestRunOf(sample.returns, (r) => r < 0),
  ),
  benchmark_return: metric(
    'part',
    'Return of holding the benchmark index from the first deposit to the end.',
    ({ benchmark }) => (typeof benchmark === 'string' ? benchmark : checked(benchmark.total)),
  ),
  alpha: metric(
    'part',
    'Intercept of the regression of x on the benchmark return b minus the risk-free rate, times P.',
    besideYear((benchmark, input) => {
      const line = lineBeside(benchmark, input)
      return line === null ? 'no_variance' : checked(line.intercept * input.sample.periodsPerYear)
    }),
  ),
  beta: metric(
    'ratio',
    'Slope of the regression of x on b.',
    beside((benchmark, input) => {
      const line = lineBeside(benchmark, input)
      return line === null ? 'no_variance' : checked(line.slope)
    }),
  ),
  correlation: metric('ratio', 'Correlation of x and b.', beside(correlationOf)),
  r_squared: metric(
    'part',
    'Square of `correlation`.',
    beside((benchmark, input) => mapFigure(correlationOf(benchmark, input), (value) => value * value)),
  ),
  information_ratio: metric(
    'ratio',
    '`mean(r - b) / sd(r - b) sqrt(P)`.',
    besideYear((benchmark, input) => {
      const active = activeOf(benchmark, input)
      return mapFigure(
        ratio(active.mean, deviationOf(active), 'no_variance'),
        (value) => value * Math.sqrt(input.sample.periodsPerYear),
      )
    }),
  ),
  tracking_error: metric(
    'part',
    '`sd(r - b) sqrt(P)`.',
    besideYear((benchmark, input) =>
      checked(deviationOf(activeOf(benchmark, input)) * Math.sqrt(input.sample.periodsPerYear)),
    ),
  ),
  up_capture: metric(
    'ratio',
    '`mean(r) / mean(b)` over the periods with b > 0.',
    beside((benchmark, input) => captureOf(benchmark, input, (b) => b > 0)),
  ),
  down_capture: metric(
    'ratio',
    '`mean(r) / mean(b)` over the periods with b < 0.',
    beside((benchmark, input) => captureOf(benchmark, input, (b) => b < 0)),
  ),
})

/** Makes metrics without a value if the series has no returns. */
function blockable(declared: MetricDeclarations<ReturnInput>): MetricDeclarations<ReturnInput> {
  const guarded = Object.entries(declared).map(([name, one]): [string, MetricDeclaration<ReturnInput>] => {
    const of = (input: ReturnInput): Figure => input.blocked ?? one.of(input)
    return [name, { unit: one.unit, sentence: one.sentence, of }]
  })
  return Object.fromEntries(guarded)
}

/** A figure that compares with the benchmark; it needs at least two periods. */
function beside(of: (benchmark: BenchmarkReturns, input: ReturnInput) => Figure): (input: ReturnInput) => Figure {
  return (input) => {
    if (typeof input.benchmark === 'string') return input.benchmark
    return input.benchmark.returns.length < 2 ? 'too_few_returns' : of(input.benchmark, input)
  }
}

/** An annual figure that compares with the benchmark. */
function besideYear(of: (benchmark: BenchmarkReturns, input: ReturnInput) => Figure): (input: ReturnInput) => Figure {
  const compared = beside(of)
  return (input) =>
    typeof input.benchmark === 'string' || ratios.isAnnual(input.sample) ? compared(input) : 'too_short'
}

/** The regression line of x over b. */
function lineBeside(benchmark: BenchmarkReturns, { sample }: ReturnInput): Line | null {
  return lineOf(weighedMomentsOf(benchmark.excess), weighedMomentsOf(sample.excess))
}

function correlationOf(benchmark: BenchmarkReturns, input: ReturnInput): Figure {
  const line = lineBeside(benchmark, input)
  return line === null ? 'no_variance' : checked(line.correlation)
}

function activeOf({ returns }: BenchmarkReturns, input: ReturnInput): Moments {
  return weighedMomentsOf(
    input.sample.periods.map(({ value, length }, at) => ({
      value: value - (returns[at]?.value ?? 0),
      length,
    })),
  )
}

function captureOf({ returns }: BenchmarkReturns, input: ReturnInput, isMeant: (b: number) => boolean): Figure {
  const own = input.sample.periods.filter((_, at) => isMeant(returns[at]?.value ?? 0))
  const theirs = returns.filter(({ value }) => isMeant(value))
  if (theirs.length === 0) return 'no_variance'
  return ratio(weighedMeanOf(own), weighedMeanOf(theirs), 'no_variance')
}

function boundOf(values: readonly number[], end: 0 | 1): Figure {
  const bounds = ratios.boundsOf(values)
  return bounds === null ? 'too_few_returns' : checked(bounds[end])
}

function monthly(months: ReturnInput['months']): readonly number[] {
  return months.map(({ value }) => value)
}

function flowOf(flows: readonly number[]): number {
  return flows.reduce((sum, flow) => sum + flow, 0)
}

/** The input for metrics of returns: the series of an account, its days and months, and the benchmark. */

const BENCHMARK_USD = '_usd'

/** Prepares the input from a series. */
export function returnInputOf(
  state: State,
  account: AccountState,
  currency: string,
  series: Series,
  terms: ReturnTerms,
): ReturnInput {
  const blocked = blockOf(state, account, currency, series)
  const curve = blocked === null ? curveOf(series) : []
  const all = blocked === null ? returnsOf(series, state.every) : []
  const sample = sampleOf({ periods: all, curve, deepestFall: series.fall, ...terms })
  const days = blocked === null ? daysOf(series) : []
  return {
    blocked,
    series,
    sample,
    drawdowns: drawdownsOf(curve),
    days: days.map(({ value }) => value),
    months: monthsOf(days),
    benchmark: blocked ?? benchmarkOf(state, currency, series, all, sample),
  }
}

function blockOf(state: State, account: AccountState, currency: string, series: Series): NoValue | null {
  if (currency === 'USD' && (account.isWithoutUsd || series.start < 0)) return 'no_usd_price'
  if (series.start < 0) return 'no_capital'
  if (state.isFull) return 'series_too_long'
  return series.isBroken ? 'equity_nonpositive' : null
}

/** The returns of holding the index over the periods of a series. */
function benchmarkOf(
  state: State,
  currency: string,
  series: Series,
  all: readonly PeriodReturn[],
  sample: Sample,
): BenchmarkReturns | NoValue {
  if (state.benchmarkName === null) return 'no_benchmark'
  if (state.benchmarkName === `${currency.toLowerCase()}${BENCHMARK_USD}`) return 'benchmark_is_currency'
  const prices = new Map(state.benchmarkTimes.map((time, at) => [time, state.benchmarkPrices[at]]))
  const priceAt = (time: number): number => prices.get(time) ?? 0
  const returns: Weighed[] = []
  for (const { from, until, length } of all) {
    if (length === 0) continue
    // The first period may begin when money came in, at a time without a point of other series.
    const before = from === series.start ? series.benchmark : priceAt(from)
    if (before === 0 || priceAt(until) === 0) return 'no_benchmark'
    returns.push({ value: priceAt(until) / before - 1, length })
  }
  const last = priceAt(series.times.at(-1) ?? -1)
  if (last === 0 || series.benchmark === 0) return 'no_benchmark'
  const excess = returns.map(({ value, length }, at) => {
    const rate = (sample.returns[at] ?? 0) - (sample.excess[at]?.value ?? 0)
    return { value: value - rate, length }
  })
  return { excess, returns, total: last / series.benchmark - 1 }
}

/** The return of a day, or of the covered part of a day, and its end. */
interface DayReturn {
  readonly time: number
  readonly value: number
}

function daysOf({ dayTimes, dayCurve }: Series): readonly DayReturn[] {
  let before = 1
  return dayTimes.map((time, at) => {
    const now = dayCurve[at] ?? 0
    const value = before === 0 ? 0 : now / before - 1
    before = now
    return { time, value }
  })
}

/** Returns compounded by month. A day that ends at midnight belongs to the earlier date. */
function monthsOf(days: readonly DayReturn[]): readonly MonthReturn[] {
  const products = new Map<string, number>()
  for (const { time, value } of days) {
    const month = monthOf(time - 1)
    products.set(month, (products.get(month) ?? 1) * (1 + value))
  }
  return [...products].map(([month, product]) => ({ month, value: product - 1 }))
}

function monthOf(time: number): string {
  const { year, month } = civilOf(micros(time))
  return `${year}-${String(month).padStart(2, '0')}`
}
