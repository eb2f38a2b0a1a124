/**
 * The input of metrics of returns: the series of an account, its days and months, and the benchmark beside it.
 */
import { civilOf, micros, modFloor } from '../../core/index.ts'
import { type Drawdown, drawdownsOf } from './drawdowns.ts'
import type { NoValue } from './figure.ts'
import { type Sample, sampleOf } from './ratios.ts'
import { curveOf, type Series, wholePeriods } from './series.ts'
import type { AccountState, State } from './state.ts'

/** The benchmark over the same periods. */
export interface BenchmarkReturns {
  /** Returns above the risk-free rate, one for each return of the sample. */
  readonly excess: readonly number[]
  readonly returns: readonly number[]
  /** From the beginning of the series to its end. */
  readonly total: number
}

/** A month of a series. */
export interface MonthReturn {
  /** As `2026-01`, in UTC. */
  readonly month: string
  readonly value: number
}

/** The returns of an account in one currency, or in USD. */
export interface ReturnInput {
  /** Why no return can be computed, or null. */
  readonly blocked: NoValue | null
  readonly series: Series
  readonly sample: Sample
  readonly drawdowns: readonly Drawdown[]
  /** Compounded inside the day and the month; days are none where periods are longer. */
  readonly days: readonly number[]
  readonly months: readonly MonthReturn[]
  readonly benchmark: BenchmarkReturns | NoValue
  /** Largest fall of equity less flows below its highest value. */
  readonly fallOfProfit: number
  /** The largest share of the peak that was lost at any sample of the performance, or null of USD. */
  readonly eventFall: number | null
}

/** How returns are looked at. */
export interface ReturnTerms {
  readonly periodsPerYear: number
  readonly riskFree: number
}

const DAY = 86_400_000_000
const BENCHMARK_USD = '_usd'

/** Prepares a series. */
export function returnInputOf(
  state: State,
  of: {
    readonly account: AccountState
    readonly currency: string
    readonly series: Series
    readonly terms: ReturnTerms
    readonly eventFall: number | null
  },
): ReturnInput {
  const { account, currency, series, terms, eventFall } = of
  const blocked = blockOf(state, { account, currency, series })
  const curve = blocked === null ? curveOf(series) : []
  const places = wholePeriods(series, state.every)
  const returns = blocked === null ? places.map((at) => series.returns[at] ?? 0) : []
  const sample = sampleOf({ returns, curve, ...terms })
  return {
    blocked,
    series,
    sample,
    drawdowns: drawdownsOf(curve),
    days: blocked === null && state.every <= DAY ? compounded(series, dayOf).map(partOf) : [],
    months: blocked === null ? compounded(series, monthOf) : [],
    benchmark: blocked ?? benchmarkOf(state, { currency, series, places, sample }),
    fallOfProfit: fallOfProfit(series),
    eventFall,
  }
}

function blockOf(
  state: State,
  of: { readonly account: AccountState; readonly currency: string; readonly series: Series },
): NoValue | null {
  if (of.currency === 'USD' && (of.account.isWithoutUsd || of.series.start < 0))
    return 'no_usd_price'
  if (of.series.start < 0) return 'no_capital'
  if (state.isFull) return 'series_too_long'
  return of.series.isBroken ? 'equity_nonpositive' : null
}

/** Holding the index: its returns over the whole periods of a series. */
function benchmarkOf(
  state: State,
  of: {
    readonly currency: string
    readonly series: Series
    readonly places: readonly number[]
    readonly sample: Sample
  },
): BenchmarkReturns | NoValue {
  const { currency, series, places, sample } = of
  const { benchmarkName: name } = state
  if (name === null) return 'no_benchmark'
  if (name === `${currency.toLowerCase()}${BENCHMARK_USD}`) return 'benchmark_is_currency'
  const prices = new Map(state.benchmarkTimes.map((time, at) => [time, state.benchmarkPrices[at]]))
  const priceAt = (time: number): number => prices.get(time) ?? 0
  const returns: number[] = []
  for (const at of places) {
    const time = series.times[at] ?? 0
    const from = time - state.every
    // The first whole period may begin where money came in, on a point that nobody else has.
    const before = from === series.start ? series.benchmark : priceAt(from)
    if (before === 0 || priceAt(time) === 0) return 'no_benchmark'
    returns.push(priceAt(time) / before - 1)
  }
  const last = priceAt(series.times.at(-1) ?? -1)
  if (last === 0 || series.benchmark === 0) return 'no_benchmark'
  const rate = (sample.returns[0] ?? 0) - (sample.excess[0] ?? 0)
  const excess = returns.map((value) => value - rate)
  return { excess, returns, total: last / series.benchmark - 1 }
}

/** Returns compounded inside the days or months that their periods end in; an end at midnight is of the day before. */
function compounded(series: Series, keyOf: (time: number) => string): readonly MonthReturn[] {
  const products = new Map<string, number>()
  for (const [at, time] of series.times.entries()) {
    const key = keyOf(time - 1)
    products.set(key, (products.get(key) ?? 1) * (1 + (series.returns[at] ?? 0)))
  }
  return [...products].map(([month, product]) => ({ month, value: product - 1 }))
}

function partOf({ value }: MonthReturn): number {
  return value
}

function dayOf(time: number): string {
  return String(time - modFloor(time, DAY))
}

function monthOf(time: number): string {
  const { year, month } = civilOf(micros(time))
  return `${year}-${String(month).padStart(2, '0')}`
}

function fallOfProfit({ equities, flows }: Series): number {
  let [flow, peak, fall] = [0, 0, 0]
  for (const [at, equity] of equities.entries()) {
    flow += flows[at] ?? 0
    const profit = equity - flow
    peak = Math.max(peak, profit)
    fall = Math.max(fall, peak - profit)
  }
  return fall
}
