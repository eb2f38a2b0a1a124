/**
 * One measured figure, as the benchmarks give it and the report prints it.
 */

/** A figure with its unit, and what it should be. */
export interface BenchRow {
  readonly name: string
  /** Null where it could not be measured: JSON, in which sections give their rows, has no other word for it. */
  readonly value: number | null
  readonly unit: string
  readonly target?: string
}
