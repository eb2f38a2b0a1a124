/**
 * One measured figure, as the benchmarks give it and the report prints it.
 */

/** A figure with its unit, and what it should be. */
export interface BenchRow {
  readonly name: string
  readonly value: number
  readonly unit: string
  readonly target?: string
}
