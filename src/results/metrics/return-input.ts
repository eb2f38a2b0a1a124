/** The input for metrics of returns: the series of an account, its days and months, and the benchmark. */
import { civilOf, micros } from '../../core/index.ts'
import { type Drawdown, drawdownsOf } from './drawdowns.ts'
import type { NoValue } from './figure.ts'
import { type Sample, sampleOf } from './ratios.ts'
import { curveOf, type PeriodReturn, returnsOf, type Series } from './series.ts'
import type { AccountState, State } from './state.ts'
import type { Weighed } from './statistics.ts'

/** The benchmark over the same periods. */
export interface BenchmarkReturns {
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

const BENCHMARK_USD = '_usd'

/** Prepares the input from a series. */
export function returnInputOf(
  state: State,
  of: {
    readonly account: AccountState
    readonly currency: string
    readonly series: Series
    readonly terms: ReturnTerms
  },
): ReturnInput {
  const { account, currency, series, terms } = of
  const blocked = blockOf(state, { account, currency, series })
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
    benchmark: blocked ?? benchmarkOf(state, { currency, series, all, sample }),
  }
}

function blockOf(
  state: State,
  of: { readonly account: AccountState; readonly currency: string; readonly series: Series },
): NoValue | null {
  if (of.currency === 'USD' && (of.account.isWithoutUsd || of.series.start < 0)) return 'no_usd_price'
  if (of.series.start < 0) return 'no_capital'
  if (state.isFull) return 'series_too_long'
  return of.series.isBroken ? 'equity_nonpositive' : null
}

/** The returns of holding the index over the periods of a series. */
function benchmarkOf(
  state: State,
  of: {
    readonly currency: string
    readonly series: Series
    readonly all: readonly PeriodReturn[]
    readonly sample: Sample
  },
): BenchmarkReturns | NoValue {
  const { currency, series, all, sample } = of
  const { benchmarkName: name } = state
  if (name === null) return 'no_benchmark'
  if (name === `${currency.toLowerCase()}${BENCHMARK_USD}`) return 'benchmark_is_currency'
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
