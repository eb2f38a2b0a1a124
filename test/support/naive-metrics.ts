/**
 * Metrics the slow, obvious way: figures of one account in BTC, recomputed from the rows of a run's tables with the
 * platform's mathematics. The run must sample equity at the ends of the periods, and move money only there.
 */
import type { FileRow } from '../../src/host/index.ts'

/** The rows of the tables that the metrics need, in their order. */
export interface RunRows {
  readonly equity: readonly FileRow[]
  readonly cash: readonly FileRow[]
  readonly fills: readonly FileRow[]
  readonly orders: readonly FileRow[]
  readonly settlements: readonly FileRow[]
  readonly book: readonly FileRow[]
  readonly marks: readonly FileRow[]
}

const HOUR = 3_600_000_000
const YEAR = 365 * 24 * HOUR
/** The period of the run. */
export const PERIOD_HOURS = 6
const PERIOD = PERIOD_HOURS * HOUR

/** The account and the time of the metrics. */
export interface NaiveTerms {
  readonly account: string
  readonly start: number
  readonly until: number
  readonly riskFree: number
}

/** Metrics by name; NaN or infinite if a metric is undefined. */
export function naiveMetrics(rows: RunRows, terms: NaiveTerms): Readonly<Record<string, number>> {
  return { ...naiveReturns(rows, terms), ...naiveTrading(rows, terms) }
}

function naiveReturns(
  { equity, cash }: RunRows,
  { account, start, until, riskFree }: NaiveTerms,
): Record<string, number> {
  const own = equity.filter((row) => row['account'] === account && row['currency'] === 'BTC')
  const at = (time: number): number => Number(own.findLast((row) => Number(row['time']) <= time)?.['equity'] ?? 0)
  const flowFrom = (time: number): number =>
    sum(
      cash
        .filter((row) => row['account'] === account && Number(row['time']) === time)
        .map((row) => Number(row['change'])),
    )
  const all: number[] = []
  for (let from = start; from < until; from += PERIOD) {
    const to = Math.min(from + PERIOD, until)
    const before = from === start ? 0 : at(from)
    all.push(at(to) / (before + flowFrom(from)) - 1)
  }
  const lengths = all.map((_, at) => Math.min(1, (until - start) / PERIOD - at))
  const whole = [...all]
  if ((lengths.at(-1) ?? 1) < 0.5 && whole.length > 1) {
    const [last = 0, part = 0] = [whole.pop(), lengths.pop()]
    whole.push((1 + (whole.pop() ?? 0)) * (1 + last) - 1)
    lengths.push((lengths.pop() ?? 0) + part)
  }
  const n = whole.length
  const periods = YEAR / PERIOD
  const x = whole.map((r, at) => r - ((1 + riskFree) ** ((lengths[at] ?? 0) / periods) - 1))
  const isLong = n >= 30 && until - start >= 7 * 24 * HOUR
  const curve = [1]
  for (const r of all) curve.push((curve.at(-1) ?? 1) * (1 + r))
  const falls = curve.map((value, k) => value / Math.max(...curve.slice(0, k + 1)) - 1)
  const growth = curve.at(-1) ?? 1
  const cagr = growth ** (YEAR / (until - start)) - 1
  const down = Math.sqrt(mean(x.map((v, at) => Math.min(v, 0) ** 2 / (lengths[at] ?? 0)))) * Math.sqrt(periods)
  const spreadOf = (values: readonly number[]): number => {
    const centre = sum(values) / sum(lengths)
    const squares = values.map((v, at) => {
      const length = lengths[at] ?? 0
      return (v - centre * length) ** 2 / length
    })
    return Math.sqrt(sum(squares) / (n - 1))
  }
  const centre = sum(x) / sum(lengths)
  const weights = all.map((_, at) => Math.min(1, (until - start) / PERIOD - at))
  const squares = falls.slice(1).map((fall, at) => fall * fall * (weights[at] ?? 0))
  const ofYear = {
    cagr,
    volatility: spreadOf(whole) * Math.sqrt(periods),
    sharpe: (centre / spreadOf(x)) * Math.sqrt(periods),
    downside_deviation: down,
    sortino: (centre * periods) / down,
  }
  return {
    periods: n,
    total_return: growth - 1,
    ...Object.fromEntries(Object.entries(ofYear).map(([name, value]) => [name, isLong ? value : Number.NaN])),
    max_drawdown: Math.min(...falls),
    ulcer_index: Math.sqrt(sum(squares) / sum(weights)),
    omega: sum(whole.map((r) => Math.max(r, 0))) / sum(whole.map((r) => Math.max(-r, 0))),
    best_period: Math.max(...whole),
    worst_period: Math.min(...whole),
  }
}

function naiveTrading(rows: RunRows, { account, start, until }: NaiveTerms): Record<string, number> {
  const fills = rows.fills.filter((row) => row['account'] === account)
  const notional = (row: FileRow): number => Number(row['amount']) / Number(row['price'])
  // Money is rounded to 1e-9 of its currency, fill by fill.
  const turnover = (row: FileRow): number => Math.round(notional(row) * 1e9) / 1e9
  const makers = fills.filter((row) => row['liquidity'] === 'maker')
  const placed = ordersOf(rows, account, 'opened')
  const cancelled = ordersOf(rows, account, 'cancelled').length
  const edited = ordersOf(rows, account, 'edited').length
  const trades = closedTrades(rows, account)
  const [gains, losses] = [trades.filter((v) => v > 0), trades.filter((v) => v < 0)]
  const found: Record<string, number> = {
    fills: fills.length,
    maker_share: sum(makers.map(turnover)) / sum(fills.map(turnover)),
    fee_rate: (sum(fills.map((row) => Number(row['fee']))) / sum(fills.map(turnover))) * 1e4,
    orders_placed: placed.length,
    orders_cancelled: cancelled,
    order_to_trade: (placed.length + cancelled + edited) / fills.length,
    trades_closed: trades.length,
    profit_factor: sum(gains) / -sum(losses),
    win_rate_trades: gains.length / (gains.length + losses.length),
    expectancy: mean(trades),
    sqn: (Math.sqrt(trades.length) * mean(trades)) / deviation(trades),
    inventory_mean: overTime(fills, { start, until }, (size) => size),
    exposure: overTime(fills, { start, until }, (size) => (size === 0 ? 0 : 1)),
    shortfall: averageBy(fills, notional, (row) => {
      const order = placed.find((one) => one['order_id'] === row['order_id'])
      const mid = midBefore(rows, Number(order?.['time']), false)
      return mid === null ? null : (sign(row) * (Number(row['price']) - mid) * 1e4) / mid
    }),
  }
  for (const seconds of [0, 1, 5, 30, 300]) {
    for (const role of ['maker', 'taker']) {
      const own = fills.filter((row) => row['liquidity'] === role)
      found[`markout_${role}_${seconds}s`] = averageBy(own, notional, (row) => {
        const due = Number(row['time']) + seconds * 1e6
        const mid = due > until ? null : midBefore(rows, due, seconds === 0)
        const price = Number(row['price'])
        return mid === null ? null : (sign(row) * (mid - price) * 1e4) / price
      })
    }
  }
  return found
}

function ordersOf({ orders }: RunRows, account: string, change: string): readonly FileRow[] {
  return orders.filter((row) => row['account'] === account && row['change'] === change)
}

/** Results of positions that became flat or changed side, including their settlements. */
function closedTrades({ fills, settlements }: RunRows, account: string): readonly number[] {
  const steps = [...fills, ...settlements.filter((row) => row['scope'] === 'account')]
    .filter((row) => row['account'] === account)
    .toSorted((left, right) => Number(left['event']) - Number(right['event']))
  const results: number[] = []
  let [position, profit] = [0, 0]
  for (const row of steps) {
    if ('scope' in row) {
      if (position !== 0) profit += Number(row['session_profit_loss']) - Number(row['profit_loss'])
      continue
    }
    profit += Number(row['realized']) - Number(row['fee'])
    const next = Number(row['position'])
    if (position !== 0 && Math.sign(next) !== Math.sign(position)) {
      results.push(Math.round(profit * 1e9) / 1e9)
      profit = 0
    }
    position = next
  }
  return results
}

/** The mean over the time since the initial deposit; NaN without a fill. */
function overTime(
  fills: readonly FileRow[],
  { start, until }: Pick<NaiveTerms, 'start' | 'until'>,
  of: (size: number) => number,
): number {
  const parts = fills.map((row, at) => {
    const end = Number(fills[at + 1]?.['time'] ?? until)
    return of(Number(row['position'])) * (end - Number(row['time']))
  })
  return fills.length === 0 ? Number.NaN : sum(parts) / (until - start)
}

/** The mid price of the book from all changes before a time, or up to and including it. */
function midBefore({ book }: RunRows, time: number, isAtToo: boolean): number | null {
  const sides = { buy: new Map<number, number>(), sell: new Map<number, number>() }
  for (const row of book) {
    const when = Number(row['time'])
    if (when > time || (when === time && !isAtToo)) break
    const side = row['side'] === 'buy' ? sides.buy : sides.sell
    if (Number(row['amount']) === 0) side.delete(Number(row['price']))
    else side.set(Number(row['price']), Number(row['amount']))
  }
  if (sides.buy.size === 0 || sides.sell.size === 0) return null
  return (Math.max(...sides.buy.keys()) + Math.min(...sides.sell.keys())) / 2
}

function averageBy(
  rows: readonly FileRow[],
  weightOf: (row: FileRow) => number,
  of: (row: FileRow) => number | null,
): number {
  const known = rows.flatMap((row) => {
    const value = of(row)
    return value === null ? [] : [{ weight: weightOf(row), value }]
  })
  return sum(known.map(({ weight, value }) => weight * value)) / sum(known.map((one) => one.weight))
}

function sign(row: FileRow): number {
  return row['side'] === 'buy' ? 1 : -1
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0)
}

function mean(values: readonly number[]): number {
  return sum(values) / values.length
}

function deviation(values: readonly number[]): number {
  const centre = mean(values)
  return Math.sqrt(sum(values.map((value) => (value - centre) ** 2)) / (values.length - 1))
}
