/**
 * What every event carries: `number` counts events of the run from 1 and `cause` is the sequence of the
 * request they belong to.
 */
import type { Micros, Sequence } from '../../core/index.ts'

/** What every event carries. */
export interface EventHeader {
  readonly time: Micros
  readonly number: number
  readonly cause: Sequence
}
