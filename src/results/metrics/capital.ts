/**
 * Equity of accounts at the points of their series: when money comes in, at the ends of periods, at the end of the run.
 *
 * The series in USD has the equity of all currencies that an account ever had, at their indices. It begins when all of
 * them have a price; if a price is missing later, the series has no figures.
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

/** Adds a point to all series: the end of a period, of a day, or of both. */
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

/** Switches to the next longer of the usual periods once it fits often enough into the run. */
function lengthenPeriods(state: State, time: number): void {
  const { start, benchmarkTimes, benchmarkPrices } = state
  const every = usualPeriods[usualPeriods.indexOf(state.every) + 1]
  if (every === undefined || time - start < RETURNS_MIN * every) return
  state.every = every
  for (const { series } of state.accounts) {
    for (const one of series.values()) lengthen(one, start, every)
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

/** True once a series has begun. A currency without a deposit begins with the first equity from trading. */
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

/** Ends the last period and all sums over time at the end of the run. */
export function endSeries(state: State, views: MetricsViews, time: number): void {
  if (state.benchmarkTimes.at(-1) !== time) addBenchmark(state, views, time)
  for (const account of state.accounts) {
    for (const [currency, series] of account.series) {
      if (state.isFull || !isSeen(state, views, account, currency, time)) continue
      const equity = equityIn(state, views, account, currency)
      // Changes at the time of the last point, but after it, form a period without length, which joins the last one.
      const isReported = series.times.at(-1) === time && series.equities.at(-1) === equity
      if (!isReported || series.flow !== 0) endPeriod(series, { time, equity })
      endDay(series, { time, equity })
    }
    for (const wallet of account.wallets.values()) if (wallet.at >= 0) passExposure(wallet, time)
    for (const inventory of account.inventories.values()) {
      if (inventory.at >= 0) passInventory(inventory, time)
    }
  }
}

/** Cuts each series at money that came in or left. */
export function settleFlows(state: State, views: MetricsViews): void {
  const flows = [...state.flows]
  state.flows.length = 0
  for (const [at, { account: id, currency, time, amount }] of flows.entries()) {
    const account = accountAt(state, id)
    // The equity already includes later flows of the list.
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
      // Before the first price nothing can be measured; without a price after it the series cannot continue.
      if (usd.start >= 0) account.isWithoutUsd = true
      continue
    }
    const price = (of: Currency): number => scaledToNumber(views.usdPriceOf(of), 9)
    const ahead = later.reduce((sum, next) => sum + scaledToNumber(next.amount, 9) * price(next.currency), 0)
    followFlow(usd, { time, equity: equity - ahead, flow: flow * price(currency) })
  }
}

/** Begins series in USD, and benchmarks, that waited for the price of an index. */
export function startWithPrices(state: State, views: MetricsViews): void {
  const { indexTime } = state
  state.isIndexNew = false
  const benchmark = benchmarkNow(state, views)
  for (const account of state.accounts) {
    const usd = account.series.get(USD)
    if (usd !== undefined && usd.start < 0) {
      const equity = equityInUsd(state, views, account)
      // If the money came in before the price, the series starts with the price.
      if (equity !== null) followFlow(usd, { time: indexTime, equity, flow: equity })
    }
    for (const series of account.series.values()) {
      if (series.benchmark === 0) series.benchmark = benchmark
    }
  }
}

/** Equity in one currency, or of all currencies in USD; 0 if a price is missing. */
function equityIn(state: State, views: MetricsViews, account: AccountState, currency: string): number {
  // Each series except the one of all currencies is in one currency.
  if (currency !== USD) return scaledToNumber(equityNow(state, views, account, currency as Currency), 9)
  const equity = equityInUsd(state, views, account)
  if (equity === null) account.isWithoutUsd = true
  return equity ?? 0
}

/** Equity of all currencies in USD; null if one of them has no price. */
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
