/**
 * The account in each market: prices with its fills and orders, its positions, leverage and margins.
 */
import type { Activity, Market } from '../payload.ts'
import { element, note, section, tableOf } from './dom.ts'
import { digits, formatCount, percent } from './format.ts'
import { textOf } from './headline.ts'
import type { Markers, Series } from './plot.ts'
import { figureOf, type View } from './view.ts'

const LEVERAGE_HEIGHT = 190

/** Prices of each market, with the account's fills and orders. */
export function priceSection(view: View): HTMLElement | null {
  const charts = view.run.markets.flatMap((market) => {
    const activity = view.account?.activities.find(({ instrument }) => instrument === market.name)
    const isBusy = activity !== undefined || view.run.markets.length === 1
    return isBusy ? [priceChart(view, market, activity)] : []
  })
  if (charts.length === 0) return null
  return section('prices', 'Price, fills and orders', ...charts)
}

function priceChart(view: View, market: Market, activity: Activity | undefined): HTMLElement {
  const series: Series[] = []
  const own: readonly (readonly [string, 'buy' | 'sell', Activity['bids'] | undefined])[] = [
    ['own bid', 'buy', activity?.bids],
    ['own ask', 'sell', activity?.asks],
  ]
  for (const [label, colour, line] of own) {
    if (line !== undefined && line.points > 0) {
      series.push({ label, colour, line, shape: 'step', width: 1, dash: [3, 2], isFaint: true })
    }
  }
  if (market.mark.points > 0) {
    series.push({ label: 'mark', colour: 'ink', line: market.mark, shape: 'line', width: 1 })
  }
  const fills: readonly (readonly [string, Markers['shape'], Activity['buys'] | undefined])[] = [
    ['buys', 'up', activity?.buys],
    ['sells', 'down', activity?.sells],
  ]
  const markers = fills.flatMap(([label, shape, line]): readonly Markers[] => {
    if (line === undefined || line.points === 0) return []
    const colour = shape === 'up' ? 'buy' : 'sell'
    return [{ label: `${formatCount(line.points)} ${label}`, colour, shape, line }]
  })
  return view.chart({
    id: `chart-price-${market.name}`,
    title: `${market.name} in ${market.quote}`,
    about:
      "Mark price. Triangles point up where the account bought and down where it sold; dashed lines are the best prices of the account's resting orders. Drag to zoom.",
    series,
    markers,
    format: (value) => digits(value, 9),
    height: 340,
    span: view.span,
  })
}

/** Positions and leverage. */
export function inventorySection(view: View): HTMLElement | null {
  const { account, wallet, run, span } = view
  if (account === null) return null
  const charts = account.activities
    .filter(({ position }) => position.points > 0)
    .map(({ instrument, position }) => {
      const unit = run.markets.find(({ name }) => name === instrument)?.amountUnit ?? 'units'
      return view.chart({
        id: `chart-position-${instrument}`,
        title: `Position in ${instrument} (${unit})`,
        about: 'Signed size after each fill; above zero the position is long.',
        series: [{ label: 'position', colour: 'main', line: position, shape: 'step' }],
        format: (value) => digits(value),
        height: LEVERAGE_HEIGHT,
        span,
        withZero: true,
      })
    })
  if (wallet?.leverage !== null && wallet?.leverage !== undefined) {
    charts.push(
      view.chart({
        id: 'chart-leverage',
        title: `Leverage (${wallet.currency})`,
        about: 'Sum of the notionals of all positions divided by equity.',
        series: [{ label: 'leverage', colour: 'second', line: wallet.leverage, shape: 'step' }],
        format: (value) => digits(value, 4),
        height: LEVERAGE_HEIGHT,
        span,
        withZero: true,
      }),
    )
  }
  if (charts.length === 0) return null
  return section(
    'inventory',
    'Inventory and leverage',
    element('div', { class: 'pair' }, ...charts),
    inventoryTable(view),
  )
}

function inventoryTable({ account }: View): HTMLElement | null {
  const rows = (account?.activities ?? []).flatMap(({ instrument }) => {
    const of = (metric: string): string => {
      const row = (account?.figures ?? []).find((one) => one.metric === metric && one.instrument === instrument)
      return row === undefined ? '' : textOf(row)
    }
    const names = ['inventory_mean', 'inventory_deviation', 'inventory_half_life']
    const queue = ['queue_at_entry_p50', 'queue_at_fill_p50']
    return [[instrument, ...names.map(of), ...queue.map(of)]]
  })
  if (rows.length === 0) return null
  const heads = ['Instrument', 'Mean', 'Deviation', 'Half-life', 'Queue at entry', 'Queue at fill']
  return tableOf('Positions over time', heads, rows, true, [1, 2, 3, 4, 5])
}

const marginMetrics: readonly (readonly [metric: string, words: string])[] = [
  ['initial_margin_use_max', 'Largest initial margin, share of the margin balance'],
  ['maintenance_margin_use_max', 'Largest maintenance margin, share of the margin balance'],
  ['margin_headroom_min', 'Smallest headroom before a liquidation'],
  ['margin_strain', 'Time above 80 % of the maintenance margin'],
  ['liquidation_distance_min', 'Smallest distance of a mark price from liquidation'],
  ['liquidation_price_nearest', 'Mark price at which liquidation would have begun'],
]

/** The account's distance from a liquidation. */
export function marginSection(view: View): HTMLElement | null {
  const { account, wallet, span } = view
  if (account === null || wallet === null) return null
  const rows = marginMetrics.flatMap(([metric, text]) => {
    const row = figureOf(account, metric, wallet.currency)
    return row === null ? [] : [[text, row.value === null ? reasonOf(row.reason) : textOf(row)]]
  })
  const { initial, maintenance } = wallet
  const isDrawn = maintenance !== null && maintenance.time.length > 1
  const chart =
    isDrawn && initial !== null
      ? view.chart({
          id: 'chart-margin',
          title: 'Margin in use, share of equity',
          about:
            'Sampled at 08:00 every day, at the interval of record.equity, and at the end. Liquidation begins at 100 % of maintenance margin.',
          series: [
            { label: 'initial', colour: 'second', line: initial, shape: 'line' },
            { label: 'maintenance', colour: 'loss', line: maintenance, shape: 'area' },
          ],
          format: (value) => percent(value),
          height: LEVERAGE_HEIGHT,
          span,
          withZero: true,
        })
      : note(
          'There is only one sample of the margins: set record: { equity: 1h } in the scenario to chart them. The figures use every margin calculation.',
        )
  if (rows.length === 0 && !isDrawn) return null
  return section(
    'margin',
    'Margin headroom',
    rows.length === 0 ? null : tableOf('Margins', ['Figure', 'Value'], rows, true, [1]),
    chart,
  )
}

function reasonOf(reason: string | null): string {
  return `n/a: ${(reason ?? 'not measured').replaceAll('_', ' ')}`
}
