/**
 * Figures: numbers, or the reason why there is none. A figure is never NaN and never infinite.
 */
import { assert } from '../../core/index.ts'

/** Why a figure has no value, with the sentence that the guide has of each. */
export const noValueReasons = {
  too_few_returns: 'fewer periods than the formula needs',
  too_short: 'a figure of a year needs 30 returns and 7 days',
  no_variance: 'the returns do not differ',
  no_loss: 'no return, trade or day was a loss',
  no_gain: 'no return, trade or day was a gain',
  no_drawdown: 'the curve never fell, or was as high again at the end of each period',
  equity_nonpositive: 'equity was zero or less at the beginning of a period',
  total_loss: 'the product of 1 + r is zero or less',
  no_capital: 'no money ever came in',
  no_time: 'no virtual time passed',
  series_too_long: 'the run has more points than are kept; choose a longer period',
  no_usd_price: 'a currency that was held has no index in USD',
  no_benchmark: 'the index of the benchmark had no price',
  benchmark_is_currency: 'the benchmark is this very currency',
  no_fill: 'nothing was traded',
  no_closed_trade: 'no position was closed',
  no_position: 'no position was held',
  no_order: 'no order was placed',
  no_trigger: 'no order that a trigger placed was filled',
  no_funding: 'no perpetual with a funding rate was held',
  no_mid: 'the book had no price on one of its sides at these times',
  no_queue: 'no order rested behind others',
  no_liquidation_price: 'no price of one future alone would lead to a liquidation',
  not_reverting: 'the position does not return to its mean',
} as const

/** Why a figure has no value. */
export type NoValue = keyof typeof noValueReasons

/** A number, or why there is none. */
export type Figure = number | NoValue

/** A quotient, or the reason where the divisor is zero. */
export function ratio(numerator: Figure, denominator: Figure, reason: NoValue): Figure {
  if (typeof numerator !== 'number') return numerator
  if (typeof denominator !== 'number') return denominator
  return denominator === 0 ? reason : checked(numerator / denominator)
}

/** A figure made of another, which keeps the reason where that has none. */
export function mapFigure(figure: Figure, of: (value: number) => number): Figure {
  return typeof figure === 'number' ? checked(of(figure)) : figure
}

/** The same number, which is finite; minus zero becomes zero. */
export function checked(value: number): number {
  assert(Number.isFinite(value), 'a figure is a finite number')
  return value + 0
}
