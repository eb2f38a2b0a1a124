/**
 * Equity of accounts at the points of their series: where money comes in, at the ends of periods, at the end of the run.
 *
 * USD is the equity of all currencies that an account ever had, at their indices. Its series begins with the first price
 * of all of them; where a price is missing later, it has no figures.
 */
import { scaledToNumber } from '../../core/index.ts'
import type { Currency } from '../../model/index.ts'
import { passExposure } from './exposure.ts'
import { passInventory } from './inventory.ts'
import { endDay, endPeriod, followFlow, lengthen, POINTS_MAX, sampleSeries } from './series.ts'
import { type AccountState, accountAt, equityNow, type State, seriesOf } from './state.ts'
import { RETURNS_MIN, usualPeriods } from './terms.ts'
import type { MetricsViews } from './views.ts'

const USD = 'USD'
const DAY = 86_400_000_000

/** A point of all series: the end of a period, of a day, or of both. */
export function addPoint(state: State, views: MetricsViews, time: number): void {
  const isPeriod = time === state.nextPoint
  const isDay = time === state.nextDay
  if (isPeriod) addBenchmark(state, views, time)
  state.points += 1
  for (const account of state.accounts) {
    for (const [currency, series] of account.series) {
      if (series.start >= time || !isSeen(state, views, account, currency, time)) continue
      state.points += 1
      const equity = equityIn(state, views, account, currency)
      if (isDay) endDay(series, { time, equity })
      if (isPeriod) endPeriod(series, { time, equity })
    }
  }
  if (isPeriod && state.isByLength) lengthenPeriods(state, time)
  if (isPeriod) state.nextPoint = time + state.every
  if (isDay) state.nextDay += DAY
  if (state.points >= POINTS_MAX) state.isFull = true
}

/** Takes the next longer of the usual periods once it fits often enough into the run. */
function lengthenPeriods(state: State, time: number): void {
  const { start, benchmarkTimes, benchmarkPrices } = state
  const every = usualPeriods[usualPeriods.indexOf(state.every) + 1]
  if (every === undefined || time - start < RETURNS_MIN * every) return
  state.every = every
  for (const { series } of state.accounts) {
    for (const one of series.values()) lengthen(one, { start, every })
  }
  const kept = [...benchmarkTimes.entries()].filter(([, at]) => (at - start) % every === 0)
  const prices = kept.map(([at]) => benchmarkPrices[at] ?? 0)
  benchmarkTimes.splice(0, benchmarkTimes.length, ...kept.map(([, at]) => at))
  benchmarkPrices.splice(0, benchmarkPrices.length, ...prices)
}

/** Samples all series of an account. */
export function sampleAccount(state: State, views: MetricsViews, id: number): void {
  const account = accountAt(state, id)
  for (const [currency, series] of account.series) {
    if (currency !== USD) sampleSeries(series, equityIn(state, views, account, currency))
  }
  const usd = account.series.get(USD)
  const equity = usd === undefined ? null : equityInUsd(state, views, account)
  if (usd !== undefined && equity !== null) sampleSeries(usd, equity)
}

function addBenchmark(state: State, views: MetricsViews, time: number): void {
  state.benchmarkTimes.push(time)
  state.benchmarkPrices.push(benchmarkNow(state, views))
}

/** True once a series has begun. A currency without a deposit begins with the first equity that trading brings. */
function isSeen(state: State, views: MetricsViews, account: AccountState, currency: string, time: number): boolean {
  const series = seriesOf(account, currency)
  if (series.start >= 0) return true
  if (currency === USD || equityIn(state, views, account, currency) === 0) return false
  series.start = time
  return true
}

/** The price of the benchmark in 1e-9; 0 until it is known. */
function benchmarkNow({ benchmarkName }: State, views: MetricsViews): number {
  return benchmarkName === null ? 0 : views.indexPriceOf(benchmarkName)
}

/** The last period ends with the run, and so do all sums over time. */
export function endSeries(state: State, views: MetricsViews, time: number): void {
  if (state.benchmarkTimes.at(-1) !== time) addBenchmark(state, views, time)
  for (const account of state.accounts) {
    for (const [currency, series] of account.series) {
      if (state.isFull || !isSeen(state, views, account, currency, time)) continue
      const equity = equityIn(state, views, account, currency)
      // What happened at the very time of the last point, and after it, is a period without length, which joins that.
      const isTold = series.times.at(-1) === time && series.equities.at(-1) === equity
      if (!isTold || series.flow !== 0) endPeriod(series, { time, equity })
      endDay(series, { time, equity })
    }
    for (const wallet of account.wallets.values()) if (wallet.at >= 0) passExposure(wallet, time)
    for (const inventory of account.inventories.values()) {
      if (inventory.at >= 0) passInventory(inventory, time)
    }
  }
}

/** Money that came in or left: each series is cut there. */
export function settleFlows(state: State, views: MetricsViews): void {
  const flows = [...state.flows]
  state.flows.length = 0
  for (const [at, { account: id, currency, time, amount }] of flows.entries()) {
    const account = accountAt(state, id)
    // What comes later in the list is in the equity already.
    const later = flows.slice(at + 1).filter((flow) => flow.account === id)
    const own = later.filter((flow) => flow.currency === currency)
    const after = equityNow(state, views, account, currency) - own.reduce((sum, flow) => sum + flow.amount, 0n)
    const flow = scaledToNumber(amount, 9)
    const single = seriesOf(account, currency)
    const usd = seriesOf(account, USD)
    for (const series of [single, usd]) {
      if (series.benchmark === 0) series.benchmark = benchmarkNow(state, views)
    }
    followFlow(single, { time, equity: scaledToNumber(after, 9), flow })
    const equity = equityInUsd(state, views, account)
    if (equity === null) {
      // Before the first price there is nothing to measure; after it there is no way to go on.
      if (usd.start >= 0) account.isWithoutUsd = true
      continue
    }
    const price = (of: Currency): number => scaledToNumber(views.usdPriceOf(of), 9)
    const ahead = later.reduce((sum, next) => sum + scaledToNumber(next.amount, 9) * price(next.currency), 0)
    followFlow(usd, { time, equity: equity - ahead, flow: flow * price(currency) })
  }
}

/** Begins what waited for the price of an index: series in USD, and benchmarks. */
export function startWithPrices(state: State, views: MetricsViews): void {
  const { indexTime } = state
  state.isIndexNew = false
  const benchmark = benchmarkNow(state, views)
  for (const account of state.accounts) {
    const usd = account.series.get(USD)
    if (usd !== undefined && usd.start < 0) {
      const equity = equityInUsd(state, views, account)
      // The price starts with the money if the money came in earlier.
      if (equity !== null) followFlow(usd, { time: indexTime, equity, flow: equity })
    }
    for (const series of account.series.values()) {
      if (series.benchmark === 0) series.benchmark = benchmark
    }
  }
}

/** Equity in one currency, or of all of them in USD; 0 where that has no price. */
function equityIn(state: State, views: MetricsViews, account: AccountState, currency: string): number {
  // Each series is of one currency, except the series of all of them.
  if (currency !== USD) return scaledToNumber(equityNow(state, views, account, currency as Currency), 9)
  const equity = equityInUsd(state, views, account)
  if (equity === null) account.isWithoutUsd = true
  return equity ?? 0
}

/** Equity of all currencies in USD; null where one of them has no price. */
function equityInUsd(state: State, views: MetricsViews, account: AccountState): number | null {
  let sum = 0
  for (const name of account.series.keys()) {
    if (name === USD) continue
    const equity = equityIn(state, views, account, name)
    if (equity === 0) continue
    const price = views.usdPriceOf(name as Currency)
    if (price === 0) return null
    sum += equity * scaledToNumber(price, 9)
  }
  return sum
}
