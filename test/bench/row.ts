/** A measured figure in the form that benchmarks return and the report prints. */

/** A figure with its unit and its target. */
export interface BenchRow {
  readonly name: string
  /** Null if it could not be measured. Sections return their rows as JSON, which has no other value for it. */
  readonly value: number | null
  readonly unit: string
  readonly target?: string
}
