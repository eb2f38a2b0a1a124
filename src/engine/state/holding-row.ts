/**
 * Rows of holdings (an account and an instrument) and of pairs, the holdings of one index and one currency
 * that portfolio margin counts together.
 */
import type { MatrixRisk, RiskGroup } from '../../margin/index.ts'
import type { IndexRow, InstrumentRow } from './instrument-row.ts'

/** The positions of an account in one pair, under portfolio margin: those of one index and one currency. */
export interface PairRow {
  readonly wallet: number
  readonly index: IndexRow
  readonly group: RiskGroup
  /** In the order in which they arose. */
  readonly holdings: HoldingRow[]
  /** Those whose part of the matrices is to be found anew. */
  readonly stale: HoldingRow[]
  /** The minute for which options were valued; -1 before. */
  minute: number
  /** The risk of the three matrices, in the currency of the pair, and the index it was found at. */
  risks: readonly MatrixRisk[] | null
  riskIndex: number
  /** How far the premium of each expiration may move, at a minute. */
  readonly moves: Map<number, number>
  movesAt: number
  /** What dampens its extended cells, at an index. */
  dampeners: Float64Array | null
  dampenedAt: number
}

/** What margin makes of a holding. */
export type HoldingRisk =
  /** Spot and the house: nothing. */
  | 'none'
  /** Standard margin of a future. */
  | 'future'
  /** Standard margin of an option. */
  | 'option'
  /** A combo: its open orders count on its legs. */
  | 'combo'
  /** Standard margin of an account whose currencies share it. */
  | 'cross'
  | 'portfolio'

/**
 * A pair of account and instrument, with the rows it has in the ledger and in margin (`holding`) and
 * in the wallets of its account (`wallet`), and its resting reduce-only orders.
 */
export interface HoldingRow {
  readonly holding: number
  readonly account: number
  readonly wallet: number
  readonly row: InstrumentRow
  /** Whether margin binds it: not spot, which reserves what it needs, and not the house. */
  readonly margined: boolean
  readonly risk: HoldingRisk
  /** Its pair under portfolio margin, else null. */
  readonly pair: PairRow | null
  /** Whether it is among the stale ones of its pair. */
  isStale: boolean
  /** Slots of its resting reduce-only orders. */
  readonly reducing: number[]
  /** Where the accumulator of funding was when it was last touched. */
  funded: bigint
}
