/**
 * How a metric is declared: once, with its unit, its meaning, and how it is computed. The table `metrics`, summaries,
 * `--json` and the guide follow from the declarations.
 */
import type { Figure } from './figure.ts'

/** Units of metrics. `currency` is the one that the row names; rates and shares are parts of one. */
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

/** A metric of what `Input` holds. */
export interface MetricDeclaration<Input> {
  readonly unit: MetricUnit
  /** Its meaning and formula, as the guide says it. */
  readonly sentence: string
  readonly of: (input: Input) => Figure
}

/** Metrics by name, in the order of the output. */
export type MetricDeclarations<Input> = Readonly<Record<string, MetricDeclaration<Input>>>

/** A metric in one line of a declaration. */
export function metric<Input>(
  unit: MetricUnit,
  sentence: string,
  of: (input: Input) => Figure,
): MetricDeclaration<Input> {
  return { unit, sentence, of }
}
