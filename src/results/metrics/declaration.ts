/**
 * The declaration of a metric: its unit, its meaning and its computation, in one place. The table `metrics`, summaries,
 * `--json` and the guide derive from the declarations.
 */
import type { Figure } from './figure.ts'

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

/** Declares a metric. */
export function metric<Input>(
  unit: MetricUnit,
  sentence: string,
  of: (input: Input) => Figure,
): MetricDeclaration<Input> {
  return { unit, sentence, of }
}
