/**
 * Prints profit and activity of accounts as lines for people: each account if there are few, otherwise the sum of all.
 */
import type { CurrencyRecord, OrderRecord, PerformanceRecord, RunReport } from '../src/node.ts'
import { conventionLine, metricsLines, returnsText } from './metrics.ts'
import { paint } from './print.ts'
import { withSeparators } from './progress.ts'

/** Maximum number of accounts that are shown one by one. */
export const ACCOUNTS_SHOWN_MAX = 6

/** The accounts whose money changed, or the totals if there are many accounts. */
export function performanceLines(report: RunReport): string[] {
  const { performance, performance_totals, metrics } = report
  if (performance.length <= ACCOUNTS_SHOWN_MAX) {
    const moved = performance.filter(({ currencies }) => currencies.some(hasMoved))
    const lines = moved.flatMap((record) => {
      const own = metrics.accounts.find(({ account }) => account === record.account)
      return [...accountLines(record), ...(own === undefined ? [] : metricsLines(own))]
    })
    return moved.length === 0 ? [] : [...lines, conventionLine(metrics)]
  }
  return [
    paint('bold', `  all ${withSeparators(performance_totals.accounts)} accounts`),
    ...performance_totals.currencies.filter(hasMoved).flatMap((one) => [profitLine(one), ...fillsLines(one)]),
    line('orders', ordersText(performance_totals.orders)),
    ...fewReturns(report),
    conventionLine(metrics),
  ]
}

/**
 * Returns of some accounts if there are too many to show each: first accounts of strategies, then those with the
 * largest changes.
 */
function fewReturns(report: RunReport): string[] {
  const driven = new Set(report.strategies.map(({ account }) => account))
  const moved = report.metrics.accounts.flatMap((account) => {
    const profit = account.currencies.at(-1)?.figures['net_profit'] ?? 0
    return profit === 0 ? [] : [{ account, profit, isDriven: driven.has(account.account) }]
  })
  const shown = moved
    .toSorted(
      (left, right) => Number(right.isDriven) - Number(left.isDriven) || Math.abs(right.profit) - Math.abs(left.profit),
    )
    .slice(0, ACCOUNTS_SHOWN_MAX)
  if (shown.length === 0) return []
  const words =
    driven.size === 0 ? 'with the largest profits or losses' : 'with the largest profits or losses, strategies first'
  return [
    paint('bold', `  ${withSeparators(shown.length)} accounts ${words}`),
    ...shown.map(({ account }) => line(account.account, returnsText(account))),
  ]
}

/** True if an account has fills, or profit without fills such as funding. */
function hasMoved({ fills, profit }: CurrencyRecord): boolean {
  return fills > 0 || [profit.price, profit.funding, profit.fees, profit.insurance].some((part) => part !== 0)
}

function accountLines(record: PerformanceRecord): string[] {
  return [
    paint('bold', `  ${record.account}`),
    ...record.currencies
      .filter(hasMoved)
      .flatMap((one) => [profitLine(one), ...fillsLines(one), line('drawdown', drawdownText(one))]),
    ...record.instruments.map(({ instrument, bought, sold, position }) =>
      line('position', `${position} ${instrument}${aside(`bought ${bought}, sold ${sold}`)}`),
    ),
    line('orders', ordersText(record.orders)),
  ]
}

function profitLine({ currency, profit }: CurrencyRecord): string {
  const { price, funding, funding_accrued: accrued, fees, insurance, total } = profit.exact
  const sign = profit.total > 0 ? '+' : ''
  // Bankruptcies are rare, so the part is shown only if it is not zero.
  const shared = insurance === '0' ? '' : `, insurance ${insurance}`
  // The table `funding` has only booked funding.
  const unbooked = accrued === '0' ? '' : ` (including ${accrued} accrued but not booked)`
  const parts = aside(`price ${price}, funding ${funding}${unbooked}, fees ${fees}${shared}`)
  return line('profit', `${sign}${total} ${currency}${parts}`)
}

function fillsLines({ currency, fills, maker_share, turnover }: CurrencyRecord): string[] {
  if (fills === 0) return []
  const share = `${percent(maker_share ?? 0)} as maker`
  const parts = aside(`${share}, turnover ${decimal(turnover)} ${currency}`)
  return [line('fills', `${withSeparators(fills)}${parts}`)]
}

function drawdownText(one: PerformanceRecord['currencies'][number]): string {
  const share = one.drawdown === 0 ? '' : aside(`${percent(one.drawdown_fraction)} of the peak`)
  return `${decimal(one.drawdown)} ${one.currency}${share}`
}

/** The outcomes of orders, without zero counts. */
function ordersText(orders: OrderRecord): string {
  const { triggers } = orders
  const parts: [number, string][] = [
    [orders.filled, 'filled'],
    [orders.filled_partly, 'partially filled'],
    [sumOf(orders.cancelled), `cancelled${reasons(orders.cancelled)}`],
    [orders.resting, 'resting'],
    [orders.edited, 'edits'],
    [sumOf(orders.refused), `refused${reasons(orders.refused)}`],
    [sumOf(orders.edits_refused), `edits refused${reasons(orders.edits_refused)}`],
    [triggers.placed, 'triggers'],
    [triggers.fired, 'triggers fired'],
    [triggers.rejected, 'triggers rejected'],
    [triggers.cancelled, 'triggers cancelled'],
  ]
  const happened = parts.filter(([number]) => number > 0)
  return [
    `${withSeparators(orders.placed)} placed`,
    ...happened.map(([number, word]) => `${withSeparators(number)} ${word}`),
  ].join(', ')
}

/** ` (post_only_reject 10, not_enough_funds 2)`, or an empty text without reasons. */
function reasons(counts: Readonly<Record<string, number>>): string {
  const words = Object.entries(counts).map(([reason, number]) => `${reason} ${withSeparators(number)}`)
  return words.length === 0 ? '' : ` (${words.join(', ')})`
}

function sumOf(counts: Readonly<Record<string, number>>): number {
  return Object.values(counts).reduce((sum, number) => sum + number, 0)
}

/** A number without an exponent. Money has at most nine decimals. */
export function decimal(value: number): string {
  const text = String(value)
  return text.includes('e-') ? value.toFixed(9).replace(/0+$/, '') : text
}

function percent(fraction: number): string {
  // A nonzero fraction is never shown as zero.
  if (fraction > 0 && fraction < 0.00005) return 'under 0.01%'
  return `${(fraction * 100).toFixed(2)}%`
}

function aside(text: string): string {
  return paint('dim', `  ${text}`)
}

function line(name: string, value: string): string {
  return `    ${paint('dim', name.padEnd(12))} ${value}`
}
