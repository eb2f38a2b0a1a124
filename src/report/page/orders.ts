/** The outcomes of orders, and the market after fills. */
import type { FigureRow, Grid } from '../payload.ts'
import { type Child, element, note, section, tableOf } from './dom.ts'
import { digits, formatCount, percent, wordsText } from './format.ts'
import type { Series } from './plot.ts'
import { countedLine, figureOf, type View } from './view.ts'

const stages: readonly (readonly [metric: string, words: string])[] = [
  ['orders_placed', 'Placed'],
  ['orders_filled', 'Filled completely'],
  ['orders_filled_partly', 'Partially filled'],
  ['orders_cancelled', 'Cancelled'],
  ['orders_resting', 'Resting at the end'],
  ['orders_edited', 'Edits'],
  ['edits_refused', 'Rejected edits'],
  ['orders_refused', 'Rejected on entry'],
]

/** Outcomes of orders that are counted by reason. */
const reasoned = ['orders_cancelled', 'orders_refused', 'edits_refused']

/** The funnel of orders. */
export function funnelSection(view: View): HTMLElement | null {
  const { account } = view
  if (account === null) return null
  const rows = stages.flatMap(([metric, text]) => {
    const row = figureOf(account, metric, null)
    return row === null || row.value === null ? [] : [{ text, value: row.value }]
  })
  const placed = figureOf(account, 'orders_placed', null)?.value ?? 0
  if (rows.every(({ value }) => value === 0)) return null
  const most = Math.max(...rows.map(({ value }) => value), 1)
  const funnel = rows.map(({ text, value }): readonly Child[] => [
    text,
    stage(value / most),
    formatCount(value),
    placed > 0 ? percent(value / placed, 3) : '',
  ])
  const reasons = account.figures.filter(({ metric, label }) => reasoned.includes(metric) && label !== null)
  const sorted = reasons.toSorted((left, right) => (right.value ?? 0) - (left.value ?? 0))
  const heads = ['Stage', 'Bar', 'Orders', 'Share of placed']
  return section(
    'orders',
    'Order funnel',
    tableOf(`Orders of ${account.name}`, heads, funnel, true, [2, 3]),
    sorted.length === 0 ? null : reasonTable(sorted),
    refusalTable(account.refusals),
  )
}

function stage(part: number): HTMLElement {
  const inner = element('span', { class: 'fill main' })
  inner.style.setProperty('--part', `${(100 * part).toFixed(2)}%`)
  return element('span', { class: 'bar whole', 'aria-hidden': true }, inner)
}

function reasonTable(rows: readonly FigureRow[]): HTMLElement {
  const cells = rows.map(({ metric, label, value }) => [
    wordsText(metric.replace('orders_', '')),
    wordsText(label ?? ''),
    formatCount(value ?? 0),
  ])
  return tableOf('By reason', ['What', 'Reason', 'Count'], cells, undefined, [2])
}

function refusalTable({ rows, total }: Grid): HTMLElement | null {
  if (rows.length === 0) return null
  const cells = rows
    .slice(0, 20)
    .map((row) => row.map((cell, at) => (at === 3 ? formatCount(Number(cell)) : wordsText(String(cell ?? '')))))
  const more = total > cells.length ? `: first ${cells.length} of ${total}` : ''
  const heads = ['Request', 'Reason', 'Parameter', 'Count']
  return tableOf(`Rejected requests${more}`, heads, cells, undefined, [3])
}

const horizons = ['0s', '1s', '5s', '30s', '300s']
const horizonWords = ['at once', '1 s', '5 s', '30 s', '5 min']
const colours = { maker: 'main', taker: 'second' } as const

/** Markouts and other measures of the quality of fills. */
export function markoutSection(view: View): HTMLElement | null {
  const { account, wallet } = view
  if (account === null || wallet === null) return null
  const { currency } = wallet
  const series = (['maker', 'taker'] as const).flatMap((side): readonly Series[] => {
    const values = horizons.map(
      (horizon) => figureOf(account, `markout_${side}_${horizon}`, currency)?.value ?? Number.NaN,
    )
    if (values.every(Number.isNaN)) return []
    const dash = side === 'taker' ? { dash: [5, 4] } : {}
    return [
      {
        label: `as ${side}`,
        colour: colours[side],
        line: countedLine(values),
        shape: 'line',
        ...dash,
      },
    ]
  })
  if (series.length === 0) return null
  const facts: readonly (readonly [string, string])[] = [
    ['shortfall', 'Shortfall against the mid price on arrival'],
    ['stop_slippage', 'Slippage of triggered orders against the trigger price'],
    ['time_to_fill_p50', 'Median time to a maker fill'],
    ['time_to_fill_p90', '90th percentile'],
    ['time_to_fill_p99', '99th percentile'],
    ['time_to_take_p50', 'Median time to a taker fill'],
    ['time_to_take_p99', '99th percentile'],
  ]
  const rows = facts.flatMap(([metric, text]) => {
    const row = figureOf(account, metric, currency)
    if (row === null || row.value === null) return []
    return [[text, `${digits(row.value, 4)} ${row.unit === 'basis points' ? 'bps' : row.unit}`]]
  })
  return section(
    'markouts',
    'Markouts',
    view.chart({
      id: 'chart-markouts',
      title: 'Markout in basis points',
      about:
        'Move of the mid price in favour of each fill after the given time, weighted by notional. Below zero, prices moved against the fills.',
      series,
      format: (value) => digits(value, 3),
      categories: horizonWords,
      nameX: 'after the fill',
      withZero: true,
    }),
    rows.length === 0 ? note('No fill times were measured.') : tableOf('Fills', ['Figure', 'Value'], rows, true, [1]),
    element(
      'p',
      { class: 'note' },
      `A positive markout means that the price moved in favour of the fills; ${currency}.`,
    ),
  )
}
