/** Faults of runs, as text for people and with codes for programs. */
import { formatInputError, type InputError } from '../../core/index.ts'

/** The reason why a run failed to start or to finish. */
export interface RunFault {
  readonly kind: 'input' | 'io'
  /** The mistakes as text, a line each. */
  readonly lines: readonly string[]
  /** The mistakes with their codes and places, in the same order. */
  readonly errors: readonly InputError[]
  readonly hint?: string
}

/** Mistakes as the fault of a run. */
export function runFault(kind: RunFault['kind'], ...errors: readonly InputError[]): RunFault {
  return { kind, lines: errors.map(formatInputError), errors }
}
