/** The most important figures: profit, risk and the amount of trading. */
import type { FigureRow } from '../payload.ts'
import { type Child, element, note, section } from './dom.ts'
import { digits, duration, figure, wordsText } from './format.ts'
import { figureOf, type View } from './view.ts'

/** A tile: its heading and its metrics, the first one large. */
interface Tile {
  readonly title: string
  readonly metric: string
  readonly beside?: readonly (readonly [metric: string, words: string])[]
  /** True for a figure of the orders, which has no currency. */
  readonly isOfOrders?: true
}

const tiles: readonly Tile[] = [
  { title: 'Net profit', metric: 'net_profit', beside: [['equity_end', 'equity']] },
  { title: 'Total return', metric: 'total_return', beside: [['benchmark_return', 'benchmark']] },
  { title: 'CAGR', metric: 'cagr', beside: [['volatility', 'volatility']] },
  { title: 'Sharpe', metric: 'sharpe', beside: [['probabilistic_sharpe', 'P(Sharpe > 0)']] },
  { title: 'Sortino', metric: 'sortino', beside: [['omega', 'Omega']] },
  {
    title: 'Max drawdown',
    metric: 'max_drawdown_intraperiod',
    beside: [['max_drawdown', 'at period ends']],
  },
  { title: 'Calmar', metric: 'calmar', beside: [['ulcer_index', 'ulcer']] },
  { title: 'Profit factor', metric: 'profit_factor', beside: [['win_rate_trades', 'winners']] },
  { title: 'Closed trades', metric: 'trades_closed', beside: [['expectancy', 'mean']] },
  { title: 'Fills', metric: 'fills', beside: [['maker_share', 'maker share']] },
  { title: 'Turnover', metric: 'turnover', beside: [['turnover_ratio', 'turnover / equity']] },
  {
    title: 'Profit / turnover',
    metric: 'return_over_turnover',
    beside: [['fee_rate', 'fees']],
  },
  { title: 'Fees', metric: 'profit_fees', beside: [['taker_fees', 'taker fees']] },
  {
    title: 'Funding',
    metric: 'profit_funding',
    beside: [
      ['funding_accrued', 'accrued'],
      ['funding_rate_mean', 'mean rate'],
    ],
  },
  { title: 'Exposure', metric: 'exposure', beside: [['leverage_max', 'max leverage']] },
  {
    title: 'Margin headroom',
    metric: 'margin_headroom_min',
    beside: [['liquidation_distance_min', 'distance to liquidation']],
  },
  { title: 'Liquidations', metric: 'liquidations', beside: [['adl_transfers', 'deleveraged']] },
  {
    title: 'Order fill ratio',
    metric: 'fill_ratio',
    beside: [['order_to_trade', 'orders per fill']],
    isOfOrders: true,
  },
]

/** Metrics whose sign is coloured as a gain or a loss. */
const signed: ReadonlySet<string> = new Set([
  'net_profit',
  'total_return',
  'cagr',
  'sharpe',
  'sortino',
  'return_over_turnover',
])

/** Headline figures of an account in one currency. */
export function headline(view: View): HTMLElement {
  const { account, wallet, run } = view
  if (account === null || wallet === null) {
    return section('headline', 'Headline', note('No account of this run had any funds.'))
  }
  const { currency } = wallet
  const made = tiles.flatMap((tile) => {
    const { metric, isOfOrders = false } = tile
    const of = (name: string): FigureRow | null => figureOf(account, name, isOfOrders ? null : currency)
    const main = of(metric)
    return main === null ? [] : [tileOf(tile, main, of)]
  })
  const days = (run.until - run.from) / 86_400
  const isWithout = figureOf(account, 'sharpe', currency)?.reason === 'too_short'
  const little = isWithout
    ? 'annualised ratios need at least 30 returns and 7 days.'
    : 'annualised ratios are unreliable below 30 days.'
  const short = days < 30 ? [note(`${duration(run.until - run.from)} of data: ${little}`)] : []
  const usd = wallet.currency === 'USD' ? [note('USD is the value of all currencies at their index prices.')] : []
  return section(
    'headline',
    `Headline: ${account.name}, ${currency}`,
    element('dl', { class: 'tiles' }, ...made),
    ...short,
    ...usd,
  )
}

function tileOf({ title, beside = [] }: Tile, main: FigureRow, of: (name: string) => FigureRow | null): HTMLElement {
  const small = beside.flatMap(([name, text]) => {
    const row = of(name)
    const isSame = row === null || row.value === null || row.metric === main.metric
    return isSame ? [] : [`${text} ${textOf(row)}`]
  })
  const kind = signed.has(main.metric) ? signOf(main, of('total_return')) : ''
  const value =
    main.value === null
      ? element('dd', { class: 'none' }, 'n/a')
      : element('dd', { class: `value ${kind}` }, ...withUnit(textOf(main)))
  const why = main.value === null && main.reason !== null ? [wordsText(main.reason)] : []
  return element(
    'div',
    { class: 'tile' },
    element('dt', {}, title),
    value,
    element('dd', { class: 'beside' }, [...why, ...small].join(' · ')),
  )
}

/** Shows the unit of a money figure in small print, so that its digits have room. */
function withUnit(text: string): readonly Child[] {
  const [, number = text, unit] = /^(.*\d) ([A-Za-z].*)$/.exec(text) ?? []
  return unit === undefined ? [number] : [number, element('small', {}, ` ${unit}`)]
}

/** The style of a figure: gain or loss. A positive figure is a gain only if the total return is positive. */
function signOf({ value }: FigureRow, total: FigureRow | null): string {
  if (value === null || value === 0) return ''
  if (value < 0) return 'loss'
  return (total?.value ?? value) > 0 ? 'gain' : ''
}

/** A figure with its unit, and with a sign if it may have either sign. */
export function textOf({ metric, value, unit, currency }: FigureRow): string {
  if (value === null) return 'n/a'
  const text = figure(value, unit, currency)
  return signed.has(metric) && value > 0 && metric !== 'sharpe' && metric !== 'sortino' ? `+${text}` : text
}

/** Facts about the run, above all figures. */
export function information({ run }: View): HTMLElement {
  const facts: readonly (readonly [string, string])[] = [
    ['Span', duration(run.until - run.from)],
    ['Requests', digits(run.requests, 15)],
    ['Events', digits(run.events, 15)],
    ['Accounts', run.accounts.map(({ name }) => name).join(', ') || 'none'],
    ['Markets', run.markets.map(({ name }) => name).join(', ') || 'none'],
    ['Seed', run.receipt.seed],
    ['Digest', run.receipt.digest.slice(0, 16)],
    ['Engine', run.receipt.engine],
  ]
  return element(
    'dl',
    { class: 'facts' },
    ...facts.map(([name, text]) => element('div', {}, element('dt', {}, name), element('dd', {}, text))),
  )
}
