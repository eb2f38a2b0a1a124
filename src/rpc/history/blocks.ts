/**
 * Block trades of each account with all their legs, and of each instrument for its statistics.
 */
import type { Trade } from '../../model/index.ts'

/** A block trade of an account. */
export interface BlockRecord {
  readonly number: number
  readonly time: Trade['time']
  /** In the order of the legs. */
  readonly trades: Trade[]
}
