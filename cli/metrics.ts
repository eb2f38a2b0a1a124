/**
 * Prints returns, risk and trading of accounts as lines for people. All figures are in `--json` and in the table
 * `metrics`.
 */
import type { AccountMetrics, CurrencyMetrics, MetricsReport } from '../src/node.ts'
import { paint } from './print.ts'

/** The form of a figure: a fraction as a percentage, or a plain number with its unit. */
type Shown = readonly [metric: string, word: string, form: 'percent' | 'plain', unit?: string]

const ofReturns: readonly Shown[] = [
  ['total_return', 'return', 'percent'],
  ['volatility', 'volatility', 'percent'],
  ['sharpe', 'Sharpe', 'plain'],
  ['sortino', 'Sortino', 'plain'],
  ['max_drawdown_intraperiod', 'drawdown', 'percent'],
  ['calmar', 'Calmar', 'plain'],
  ['benchmark_return', 'benchmark', 'percent'],
]
const ofRisk: readonly Shown[] = [
  ['exposure', 'exposed', 'percent'],
  ['leverage_max', 'leverage up to', 'plain'],
  ['maintenance_margin_use_max', 'margin used up to', 'percent'],
  ['liquidation_distance_min', 'liquidation at least', 'percent', ' away'],
]
const ofTrading: readonly Shown[] = [
  ['win_rate_trades', 'win rate', 'percent'],
  ['profit_factor', 'profit factor', 'plain'],
  ['return_over_turnover', 'return over turnover', 'plain', ' bps'],
  ['shortfall', 'shortfall', 'plain', ' bps'],
  ['stop_slippage', 'stop slippage', 'plain', ' bps'],
]
const ofPrices: readonly Shown[] = [
  ['attribution_delta', 'delta', 'plain'],
  ['attribution_gamma', 'gamma', 'plain'],
  ['attribution_vega', 'vega', 'plain'],
  ['attribution_theta', 'theta', 'plain'],
  ['attribution_residual', 'residual', 'plain'],
  ['attribution_trading', 'trading', 'plain'],
]
const horizons = ['0s', '1s', '5s', '30s', '300s'] as const

/** Lines of one account: the defined figures for each currency and for USD over all currencies. */
export function metricsLines({ currencies }: AccountMetrics): string[] {
  return currencies.flatMap((one) => [
    ...line(`${one.currency} returns`, [...parts(one, ofReturns), ...lengthWords(one)]),
    ...line(`${one.currency} prices`, earnedByPrices(one)),
    ...line(`${one.currency} risk`, parts(one, ofRisk)),
    ...line(`${one.currency} trading`, parts(one, ofTrading)),
    ...line('markouts', [...markouts(one, 'maker'), ...markouts(one, 'taker')]),
  ])
}

/** Returns of an account that is shown in one line. */
export function returnsText({ currencies }: AccountMetrics): string {
  const reported = currencies.flatMap((one) => {
    const found = parts(one, ofReturns.slice(0, 5))
    return found.length === 0 ? [] : [`${one.currency} ${found.join(', ')}`]
  })
  return reported.at(-1) ?? 'no returns'
}

/** The parts of the profit by prices; without options only delta and trading. */
function earnedByPrices(one: CurrencyMetrics): string[] {
  const earned = ofPrices.filter(([metric]) => (one.figures[metric] ?? 0) !== 0)
  return parts(one, earned)
}

/** The conventions that all figures follow. */
export function conventionLine(report: MetricsReport): string {
  const words = `returns of ${report.every}, ${six(report.periods_per_year)} a year, risk-free ${report.risk_free}, benchmark ${report.benchmark ?? 'none'}`
  return paint('dim', `  metrics        ${words}; --json and metrics.arrow have all metrics`)
}

/** Remarks about the ratios of a short series. */
function lengthWords({ is_short, reasons }: CurrencyMetrics): string[] {
  if (reasons['sharpe'] === 'too_short') return ['no annualized ratios (they need 30 returns and 7 days)']
  return is_short ? ['under 30 days'] : []
}

function parts({ figures }: CurrencyMetrics, shown: readonly Shown[]): string[] {
  return shown.flatMap(([metric, word, form, unit = '']) => {
    const value = figures[metric]
    if (value === undefined || value === null) return []
    return [`${word} ${form === 'percent' ? `${six(value * 100)}%` : six(value)}${unit}`]
  })
}

function markouts({ figures }: CurrencyMetrics, role: 'maker' | 'taker'): string[] {
  const values = horizons.map((horizon) => [horizon, figures[`markout_${role}_${horizon}`]] as const)
  const known = values.flatMap(([horizon, value]) =>
    value === undefined || value === null ? [] : [`${six(value)} after ${horizon}`],
  )
  return known.length === 0 ? [] : [`${role} ${known.join(', ')} bps`]
}

function line(name: string, found: readonly string[]): string[] {
  return found.length === 0 ? [] : [`    ${paint('dim', name.padEnd(12))} ${found.join(', ')}`]
}

/** Six significant digits, without an exponent if the number is short enough. */
export function six(value: number): string {
  return String(Number(value.toPrecision(6)))
}
