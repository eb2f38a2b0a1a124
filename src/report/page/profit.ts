/** The sources of profit and loss: prices, funding, fees, insurance; funding by instrument. */
import { element, section, tableOf } from './dom.ts'
import { capital, digits, percent } from './format.ts'
import { isFlat } from './lines.ts'
import type { Series } from './plot.ts'
import { figureOf, type View } from './view.ts'

/** Rows of the split, with their sign in the sum. */
const parts: readonly (readonly [metric: string, words: string, sign: 1 | -1])[] = [
  ['profit_price', 'Prices', 1],
  ['funding_booked', 'Funding, booked', 1],
  ['funding_accrued', 'Funding, accrued since the last booking', 1],
  ['profit_fees', 'Fees', -1],
  ['profit_insurance', 'Insurance fund and socialised losses', 1],
]

const fees: readonly (readonly [metric: string, words: string])[] = [
  ['maker_fees', 'as maker'],
  ['taker_fees', 'as taker'],
  ['delivery_fees', 'delivery'],
  ['liquidation_fees', 'liquidation'],
]

/** Figures `attribution_…`, in the order of the expansion. */
const greeks: readonly (readonly [name: string, words: string])[] = [
  ['delta', 'Delta: price moves of the underlyings'],
  ['gamma', 'Gamma: squares of the price moves'],
  ['vega', 'Vega: volatility moves'],
  ['theta', 'Theta: passage of time'],
  ['residual', 'Residual: not explained by greeks'],
  ['trading', 'Trading: fills against the next mark'],
]

/** The profit split into its exact parts. */
export function profitSection(view: View): HTMLElement | null {
  const { account, wallet, span } = view
  if (account === null || wallet === null || wallet.split === null) return null
  const { currency, split } = wallet
  const total = figureOf(account, 'profit_total', currency)
  const lines: readonly Series[] = [
    { label: 'prices', colour: 'main', line: split.price, shape: 'step' },
    {
      label: 'funding, booked',
      colour: 'second',
      line: split.funding,
      shape: 'step',
      dash: [6, 3],
    },
    { label: 'fees', colour: 'loss', line: split.fees, shape: 'step', dash: [2, 2] },
    {
      label: 'insurance',
      colour: 'gain',
      line: split.insurance,
      shape: 'step',
      dash: [8, 3, 2, 3],
    },
  ]
  const moved = lines.filter(({ line }) => line.points > 0 && !isFlat(line))
  const chart =
    moved.length === 0
      ? null
      : view.chart({
          id: 'chart-split',
          title: `Cumulative profit by component (${currency})`,
          about: 'Each component since the start; fees count as negative. Components that are always zero are omitted.',
          series: moved,
          format: (value) => digits(value, 5),
          span,
          withZero: true,
        })
  return section(
    'profit',
    'Profit components',
    total === null ? null : splitTable(view, currency),
    chart,
    greekTable(view, currency),
  )
}

function splitTable({ account }: View, currency: string): HTMLElement {
  const figures = parts.map(([metric, text, sign]) => ({
    text,
    sign,
    row: figureOf(account, metric, currency),
  }))
  const most = Math.max(...figures.map(({ row }) => Math.abs(row?.value ?? 0)), 1e-18)
  const rows = figures.map(({ text, sign, row }) => {
    const value = sign * (row?.value ?? 0)
    return [text, bar(value / most), exact(row?.exact ?? null, sign)]
  })
  const total = figureOf(account, 'profit_total', currency)
  const paid = fees.flatMap(([metric, text]) => {
    const row = figureOf(account, metric, currency)
    const isNothing = row === null || row.value === 0 || row.value === null
    return isNothing ? [] : [[`  fees ${text}`, '', exact(row.exact, -1)]]
  })
  return tableOf(
    `Profit of ${account?.name ?? ''} in ${currency}, exact to the last digit`,
    ['Part', 'Share', currency],
    [...rows, ...paid, ['Total', '', element('strong', {}, exact(total?.exact ?? null, 1))]],
    true,
    [2],
  )
}

/** The part of the profit by prices for each greek; null if the account held no options. */
function greekTable({ account }: View, currency: string): HTMLElement | null {
  if (account === null) return null
  const figures = greeks.map(([name, text]) => ({
    text,
    value: figureOf(account, `attribution_${name}`, currency)?.value ?? 0,
  }))
  // Without options the whole profit by prices is delta and trading, which the split above shows as prices.
  if (figures.slice(1, 5).every(({ value }) => value === 0)) return null
  const most = Math.max(...figures.map(({ value }) => Math.abs(value)))
  const rows = figures.map(({ text, value }) => [text, bar(value / most), digits(value, 6)])
  return tableOf(`Price profit in ${currency} by cause`, ['Part', 'Share', currency], rows, true, [2])
}

function exact(text: string | null, sign: 1 | -1): string {
  if (text === null) return 'n/a'
  if (sign === 1 || text === '0') return text
  return text.startsWith('-') ? text.slice(1) : `-${text}`
}

/** A bar that extends left or right from the middle. */
function bar(part: number): HTMLElement {
  const inner = element('span', { class: part < 0 ? 'fill loss' : 'fill gain' })
  inner.style.setProperty('--part', `${Math.abs(50 * part).toFixed(2)}%`)
  return element('span', { class: 'bar', 'aria-hidden': true }, inner)
}

/** Funding received and paid, with the rates. */
export function fundingSection(view: View): HTMLElement | null {
  const rates = view.run.markets.flatMap(({ name, funding }) =>
    funding === null || isFlat(funding) ? [] : [{ name, funding }],
  )
  const grid = view.account?.funding
  const hasPaid = grid !== undefined && grid.rows.length > 0
  if (rates.length === 0 && !hasPaid) return null
  const of = (metric: string): string => {
    const row = figureOf(view.account, metric, view.wallet?.currency ?? null)
    return row?.value === null || row?.value === undefined ? 'n/a' : percent(row.value)
  }
  const charts = rates.map(({ name, funding }) =>
    view.chart({
      id: `chart-funding-${name}`,
      title: `8-hour funding rate of ${name}`,
      about: 'Above zero, longs pay shorts.',
      series: [{ label: 'rate', colour: 'second', line: funding, shape: 'step' }],
      format: (value) => percent(value, 3),
      height: 170,
      span: view.span,
      withZero: true,
    }),
  )
  const facts = `Mean rate while a position was held: ${of('funding_rate_mean')} per 8 hours, ${of('funding_rate_annual')} per year.`
  const heads = (grid?.columns ?? []).map(capital)
  const rows = (grid?.rows ?? []).map((row) => row.map((cell) => String(cell ?? '')))
  return section(
    'funding',
    'Funding',
    element('p', {}, facts),
    hasPaid ? tableOf('Funding by instrument', heads, rows, undefined, [2, 3, 4, 5]) : null,
    ...charts,
  )
}
