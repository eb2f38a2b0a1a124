/**
 * Faults of runs, in words for people.
 */

/** The reason why something could not be run. */
export interface RunFault {
  readonly kind: 'input' | 'io'
  readonly lines: readonly string[]
  readonly hint?: string
}
