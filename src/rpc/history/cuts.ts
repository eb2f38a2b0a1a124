/**
 * Which lists of the history have lost their oldest records, and since when they are whole.
 */
import { type AccountId, type InstrumentId, type Micros, millisOf } from '../../core/index.ts'
import type { Currency } from '../../model/index.ts'

/** Keys of the lists that have dropped records. The log of an account tells by its numbers. */
export interface Cuts {
  readonly trades: Set<InstrumentId>
  readonly userTrades: Set<AccountId>
  readonly settlements: Set<Currency>
  readonly accountSettlements: Set<AccountId>
  orders: boolean
}

/** The cuts as plain data. */
export interface CutsState {
  readonly trades: readonly InstrumentId[]
  readonly userTrades: readonly AccountId[]
  readonly settlements: readonly Currency[]
  readonly accountSettlements: readonly AccountId[]
  readonly orders: boolean
}

/** What a page of records says beside them where older ones are gone; empty where none is missing. */
export interface Truncation {
  /** Records from before it may be missing: milliseconds, or the first sequence number that is kept. */
  readonly truncated_before?: number
}

/** Nothing is missing. */
export const whole: Truncation = {}

/** No cuts. */
export function createCuts(): Cuts {
  return {
    trades: new Set(),
    userTrades: new Set(),
    settlements: new Set(),
    accountSettlements: new Set(),
    orders: false,
  }
}

/** The cuts as plain data for a snapshot. */
export function snapshotCuts(cuts: Cuts): CutsState {
  return {
    trades: [...cuts.trades],
    userTrades: [...cuts.userTrades],
    settlements: [...cuts.settlements],
    accountSettlements: [...cuts.accountSettlements],
    orders: cuts.orders,
  }
}

/** The cuts of a snapshot. */
export function restoreCuts(state: CutsState): Cuts {
  return {
    trades: new Set(state.trades),
    userTrades: new Set(state.userTrades),
    settlements: new Set(state.settlements),
    accountSettlements: new Set(state.accountSettlements),
    orders: state.orders,
  }
}

/** What a page says whose list begins at a record; `from` is the earliest millisecond that it asks for. */
export function truncation(
  first: { readonly time: Micros } | undefined,
  from = Number.NEGATIVE_INFINITY,
): Truncation {
  if (first === undefined) return whole
  const kept = millisOf(first.time)
  // Records of the first millisecond may be missing too.
  return from > kept ? whole : { truncated_before: kept }
}
