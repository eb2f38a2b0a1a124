/**
 * Figures: numbers, or the reason why a number is missing. A figure is never NaN and never infinite.
 */

import { assert, plainUnit, type Unit } from '../../core/index.ts'

/** Why a figure has no value. */
export type NoValue = keyof typeof noValueReasons

/** A number, or the reason why it is missing. */
export type Figure = number | NoValue

/** Units of metrics. `currency` is the one named in the row; rates and shares are fractions of one. */
export type MetricUnit =
  | 'currency'
  | 'part'
  | 'ratio'
  | 'count'
  | 'days'
  | 'minutes'
  | 'seconds'
  | 'basis points'
  | 'amount'
  | 'price'
  | 'USD'
  | 'coin'

/** A metric computed from `Input`. */
export interface MetricDeclaration<Input> {
  readonly unit: MetricUnit
  /** Its meaning and formula, as printed in the guide. */
  readonly sentence: string
  readonly of: (input: Input) => Figure
}

/** Metrics by name, in the order of the output. */
export type MetricDeclarations<Input> = Readonly<Record<string, MetricDeclaration<Input>>>

/**
 * The declaration of a metric: its unit, its meaning and its computation, in one place. The table `metrics`, summaries,
 * `--json` and the guide derive from the declarations.
 */

/** Declares a metric. */
export function metric<Input>(
  unit: MetricUnit,
  sentence: string,
  of: (input: Input) => Figure,
): MetricDeclaration<Input> {
  return { unit, sentence, of }
}

/** Reasons why a figure has no value, each with its sentence in the guide. */
export const noValueReasons = {
  too_few_returns: 'there are fewer periods than the formula needs',
  too_short: 'an annualised figure needs 30 returns and 7 days',
  no_variance: 'all returns are equal',
  no_loss: 'there is no loss among the returns, trades or days',
  no_gain: 'there is no gain among the returns, trades or days',
  no_drawdown: 'the curve never fell, or recovered by the end of each period',
  equity_nonpositive: 'equity was zero or negative at the beginning of a period',
  total_loss: 'the product of 1 + r is zero or negative',
  no_capital: 'the account never received money',
  no_time: 'no virtual time passed',
  series_too_long: 'the run has more points than the metrics keep; choose a longer period',
  no_usd_price: 'a held currency has no index in USD',
  no_benchmark: 'the benchmark index had no price',
  benchmark_is_currency: 'the benchmark is the currency itself',
  no_fill: 'there were no fills',
  no_closed_trade: 'no position was closed',
  no_position: 'no position was held',
  no_order: 'no order was placed',
  no_trigger: 'no triggered order was filled',
  no_funding: 'no perpetual with a funding rate was held',
  no_mid: 'one side of the book was empty at these times',
  no_queue: 'no order waited behind others in a queue',
  no_liquidation_price: 'no price change of a single future would cause a liquidation',
  not_reverting: 'the position does not revert to its mean',
} as const

/** A quotient, or the reason if the divisor is zero. */
export function ratio(numerator: Figure, denominator: Figure, reason: NoValue): Figure {
  if (typeof numerator !== 'number') return numerator
  if (typeof denominator !== 'number') return denominator
  return denominator === 0 ? reason : checked(numerator / denominator)
}

/** A figure computed from another one; keeps the reason of a missing value. */
export function mapFigure(figure: Figure, of: (value: number) => number): Figure {
  return typeof figure === 'number' ? checked(of(figure)) : figure
}

/** The same number, which must be finite; minus zero becomes zero. */
export function checked(value: number): number {
  assert(Number.isFinite(value), 'a figure is a finite number')
  return value + 0
}

/** The unit of sums that are doubles. */

/** A double that is not NaN. Zero has no sign, because snapshots do not contain one. */
export const double: Unit<number> = {
  ...plainUnit<number>('double', 'number'),
  save: (value) => value + 0,
}
