/** Equity and figures derived from it: drawdowns, months, the distribution of returns, rolling ratios. */
import type { Fall, Line, Wallet } from '../payload.ts'
import { element, note, section, tableOf } from './dom.ts'
import { digits, duration, formatTime, percent } from './format.ts'
import { drawdownOf, lineValueAt, mapped } from './lines.ts'
import type { Series } from './plot.ts'
import { countedLine, type View } from './view.ts'

const DAY = 86_400
const YEAR = 365 * DAY
/**
 * Number of returns in a rolling ratio. The ratio is annual if these returns cover the number of days that metrics
 * require.
 */
const WINDOW_MAX = 30
const ANNUAL_DAYS_MIN = 7
const WINDOW_MIN = 10
const BINS = 28
const monthNames = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec']

/** Equity with its benchmark, and its distance below the peak. */
export function equitySection(view: View): HTMLElement | null {
  const { wallet, span, account } = view
  if (wallet === null || account === null) return null
  const benchmark = benchmarkOf(view, wallet)
  const series: Series[] = [{ label: 'equity', colour: 'main', line: wallet.equity, shape: 'step' }]
  if (benchmark !== null) {
    const label = `holding ${wallet.benchmark ?? ''}`
    series.push({ label, colour: 'second', line: benchmark, shape: 'line', dash: [5, 4] })
  }
  const money = (value: number): string => digits(value, 7)
  return section(
    'equity',
    'Equity and drawdown',
    view.chart({
      id: 'chart-equity',
      title: `Equity in ${wallet.currency}`,
      about: `Cash plus unrealised profit at the mark price, after each event that changed it${wallet.currency === 'USD' ? '; all currencies at their index prices' : ''}.`,
      series,
      format: money,
      height: 300,
      canLog: true,
      span,
    }),
    view.chart({
      id: 'chart-drawdown',
      title: 'Drawdown',
      about: 'Fall of the cumulative return from its highest point so far; deposits and withdrawals do not change it.',
      series: [{ label: 'drawdown', colour: 'loss', line: drawdownOf(wallet.growth), shape: 'area' }],
      format: (value) => percent(value),
      height: 150,
      span,
      withZero: true,
    }),
  )
}

/** The index, scaled to the equity at the first time when both are known. */
function benchmarkOf(view: View, { equity, benchmark }: Wallet): Line | null {
  const index = view.run.indices.find(({ name }) => name === benchmark)
  if (index === undefined) return null
  const from = Math.max(equity.time[0] ?? 0, index.line.time[0] ?? 0)
  const [base, held] = [lineValueAt(index.line, from), lineValueAt(equity, from)]
  if (!(base > 0) || !(held > 0)) return null
  return mapped(index.line, (price) => (held * price) / base)
}

/** Months, the distribution of returns, rolling ratios and the deepest drawdowns. */
export function returnsSection(view: View): HTMLElement | null {
  const { wallet } = view
  if (wallet === null) return null
  const charts = [spreadChart(view, wallet), rollingChart(view, wallet)].filter((chart) => chart !== null)
  return section(
    'returns',
    'Returns',
    monthGrid(view, wallet),
    charts.length === 0
      ? note('There are too few periods for a distribution of returns.')
      : element('div', { class: 'pair' }, ...charts),
    fallTable(wallet.falls),
  )
}

function monthGrid(view: View, { currency }: Wallet): HTMLElement {
  const months = (view.account?.figures ?? []).filter(
    (row) => row.metric === 'month_return' && row.currency === currency,
  )
  const values = new Map(months.map(({ label, value }) => [label ?? '', value ?? 0]))
  const years = [...new Set([...values.keys()].map((month) => month.slice(0, 4)))].toSorted()
  if (years.length === 0) return note('There are no monthly returns.')
  const deepest = Math.max(...[...values.values()].map(Math.abs), 1e-12)
  const rows = years.map((year) => {
    const cells = monthNames.map((_, at) => {
      const value = values.get(`${year}-${String(at + 1).padStart(2, '0')}`)
      return value === undefined ? '' : heat(value, deepest)
    })
    const whole = [...values]
      .filter(([month]) => month.startsWith(year))
      .reduce((product, [, value]) => product * (1 + value), 1)
    return [year, ...cells, percent(whole - 1, 3)]
  })
  const numeric = Array.from({ length: 13 }, (_, at) => at + 1)
  const heads = ['Year', ...monthNames, 'Year to date']
  return tableOf(`Returns by month (${currency}, UTC)`, heads, rows, true, numeric)
}

function heat(value: number, deepest: number): HTMLElement {
  const cell = element('span', { class: value < 0 ? 'heat loss' : 'heat gain' }, percent(value, 3))
  cell.style.setProperty('--heat', `${Math.round((70 * Math.abs(value)) / deepest)}%`)
  return cell
}

function spreadChart(view: View, { returns }: Wallet): HTMLElement | null {
  const { value } = returns.line
  if (value.length < 5) return null
  const [low, high] = [Math.min(...value), Math.max(...value)]
  if (low === high) return null
  // One bin is centred on zero, which the chart must include.
  const width = (Math.max(high, 0) - Math.min(low, 0)) / BINS
  const first = Math.round(Math.min(low, 0) / width) - 1
  const last = Math.round(Math.max(high, 0) / width) + 1
  const counts = Array.from({ length: last - first + 1 }, () => 0)
  for (const one of value) {
    const bin = Math.round(one / width) - first
    counts[bin] = (counts[bin] ?? 0) + 1
  }
  const counted = countedLine(counts)
  const line = { ...counted, time: counted.time.map((at) => (first + at) * width) }
  return view.chart({
    id: 'chart-spread',
    title: `Distribution of returns of ${returns.every}`,
    about: `Number of returns in each range: ${value.length} periods of ${returns.every}. The first and the last period are between half and one and a half times as long.`,
    series: [{ label: 'periods', colour: 'main', line, shape: 'bars' }],
    format: (number) => digits(number),
    formatX: (number) => percent(number, 2),
    nameX: 'return',
    withZero: true,
  })
}

function rollingChart(view: View, { returns, growth }: Wallet): HTMLElement | null {
  const { time: ends, value } = returns.line
  const size = Math.min(WINDOW_MAX, Math.floor(value.length / 3))
  if (size < WINDOW_MIN) return null
  const isLong = size === WINDOW_MAX && size * returns.seconds >= ANNUAL_DAYS_MIN * DAY
  const scale = isLong ? Math.sqrt(YEAR / returns.seconds) : 1
  const times: number[] = []
  const sharpes: number[] = []
  const begin = growth.time[0] ?? 0
  // The first and the last period may have another length: each return counts by its length, as in the metrics.
  const lengths = value.map((_, at) => ((ends[at] ?? 0) - (at === 0 ? begin : (ends[at - 1] ?? 0))) / returns.seconds)
  for (let at = size; at <= value.length; at += 1) {
    const window = value.subarray(at - size, at)
    const lasting = lengths.subarray(at - size, at)
    const mean = sumOf(window) / sumOf(lasting)
    const squares = window.map((one, k) => (one - mean * (lasting[k] ?? 1)) ** 2 / (lasting[k] ?? 1))
    const variance = sumOf(squares) / (size - 1)
    times.push(ends[at - 1] ?? 0)
    sharpes.push(variance > 0 ? (mean / Math.sqrt(variance)) * scale : Number.NaN)
  }
  const line = (values: readonly number[]): Line => ({
    time: Float64Array.from(times),
    value: Float64Array.from(values),
    points: times.length,
  })
  const unit = isLong ? 'annualised' : `per ${returns.every}, not annualised`
  return view.chart({
    id: 'chart-rolling',
    title: `Rolling Sharpe ratio (${size} x ${returns.every})`,
    about: `Mean divided by standard deviation of the last ${size} returns, ${unit}.`,
    series: [{ label: 'Sharpe', colour: 'main', line: line(sharpes), shape: 'line' }],
    format: (number) => digits(number, 4),
    span: view.span,
    withZero: true,
  })
}

function sumOf(values: Float64Array): number {
  return values.reduce((sum, one) => sum + one, 0)
}

function fallTable(falls: readonly Fall[]): HTMLElement {
  if (falls.length === 0) return note('The cumulative return never fell.')
  const rows = falls.map(({ start, valley, recovery, depth }) => [
    percent(depth),
    formatTime(start),
    formatTime(valley),
    recovery === null ? 'not yet' : formatTime(recovery),
    duration(valley - start),
    recovery === null ? '' : duration(recovery - valley),
  ])
  const heads = ['Depth', 'Start', 'Trough', 'Recovery', 'Time to trough', 'Time to recovery']
  return tableOf('Deepest drawdowns (within periods)', heads, rows, undefined, [0])
}
