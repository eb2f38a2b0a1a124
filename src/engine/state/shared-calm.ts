/**
 * Which accounts are calm of those whose currencies share their margin; `value/calm-accounts.ts` has what it means.
 */
import type { IndexRow, InstrumentRow } from './instrument-row.ts'

/** An index in USD and the prices between which an account is calm, in 1e-9 USD. */
export interface IndexBounds {
  readonly index: IndexRow
  readonly low: number
  readonly high: number
}

/** The accounts that are not calm, and the suspects that are. */
export interface SharedCalm {
  /** Accounts that each move of an index has to look at. */
  readonly restless: Set<number>
  /** Calm accounts that came to hold a perpetual, of which funding may run: the next look makes them restless. */
  readonly joined: number[]
  /** So many accounts, the first of those that share their margin, are suspects without their names. */
  unnamed: number
  /** So are the calm holders of these instruments. */
  readonly unnamedRows: Set<InstrumentRow>
}

/** Nobody is calm, and nobody suspect. */
export function createSharedCalm(): SharedCalm {
  return { restless: new Set(), joined: [], unnamed: 0, unnamedRows: new Set() }
}
