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

/** How an account is calm whose margin is more than a sum. */
export interface CalmAccount {
  /** Where indices may be. */
  readonly bounds: readonly IndexBounds[]
  /** Until when; infinite where time alone does nothing to it. */
  readonly until: number
  /**
   * Amount that each of its pools surely has to spare meanwhile, by the currency of the pool, in nano or, of all
   * currencies, in 1e-9 USD.
   */
  readonly left: ReadonlyMap<number, number>
}

/** Suspects that are calm, without their names: a round would do nothing about them. */
export interface UnnamedSuspects {
  /** So many accounts, the first ones. */
  accounts: number
  /** The calm holders of these instruments. */
  readonly rows: Set<InstrumentRow>
  /** And those of these options that are under portfolio margin. */
  readonly options: Set<InstrumentRow>
}

/** These accounts, who of them is not calm, and the suspects that are. */
export interface SharedAccounts {
  /** In the order in which they were opened. */
  readonly accounts: number[]
  /** Accounts that each move of an index has to look at. */
  readonly restless: Set<number>
  /** Those that the next round passes by. */
  unnamed: UnnamedSuspects
  /** Those that the round which runs now passes by. */
  passed: UnnamedSuspects
  /** Accounts of these that are calm no more: the round looks at them when it is their turn. */
  readonly joining: number[]
  /** Accounts by the time until which they may be calm. */
  readonly deadlines: NumberHeap
}

/** There is none. */
export function createSharedAccounts(): SharedAccounts {
  return {
    accounts: [],
    restless: new Set(),
    unnamed: noUnnamed(),
    passed: noUnnamed(),
    joining: [],
    deadlines: createNumberHeap(),
  }
}

function noUnnamed(): UnnamedSuspects {
  return { accounts: 0, rows: new Set(), options: new Set() }
}

/** Forgets suspects without names. */
export function clearUnnamed(unnamed: UnnamedSuspects): void {
  unnamed.accounts = 0
  unnamed.rows.clear()
  unnamed.options.clear()
}
