/**
 * Block trades of each account, with all their legs, and those of each instrument for its statistics.
 */
import type { Trade } from '../../model/index.ts'

/** A block that an account took part in. */
export interface BlockRecord {
  readonly number: number
  readonly time: Trade['time']
  /** In the order of the legs. */
  readonly trades: Trade[]
}
