/**
 * Accounts whose margin is more than a sum over their holdings, and which of them are calm; `value/calm-accounts.ts` has
 * what that means.
 */
import { createNumberHeap, type NumberHeap } from '../../core/index.ts'
import type { IndexRow, InstrumentRow } from './instrument-row.ts'

/** An index in USD and the prices between which an account is calm, in 1e-9 USD. */
export interface IndexBounds {
  readonly index: IndexRow
  readonly low: number
  readonly high: number
}

/** These accounts, who of them is not calm, and the suspects that are. */
export interface SharedAccounts {
  /** In the order in which they were opened. */
  readonly accounts: number[]
  /** Accounts that each move of an index has to look at. */
  readonly restless: Set<number>
  /** So many accounts, the first ones, are suspects without their names. */
  unnamed: number
  /** So are the calm holders of these instruments. */
  readonly unnamedRows: Set<InstrumentRow>
  /** And those of these options that are under portfolio margin. */
  readonly unnamedOptions: Set<InstrumentRow>
  /** Accounts by the time until which they may be calm. */
  readonly deadlines: NumberHeap
}

/** There is none. */
export function createSharedAccounts(): SharedAccounts {
  return {
    accounts: [],
    restless: new Set(),
    unnamed: 0,
    unnamedRows: new Set(),
    unnamedOptions: new Set(),
    deadlines: createNumberHeap(),
  }
}
