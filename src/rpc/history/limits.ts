/**
 * How much the history keeps. The venue keeps more; a run that needs more reads its tables.
 */
import { assert } from '../../core/index.ts'

/** How much is kept at least, each from 1; up to twice as much stands before the oldest go. */
export interface HistoryLimits {
  /** Trades of each instrument, and of each account. */
  readonly trades: number
  /** Orders that have ended. */
  readonly endedOrders: number
  /** Records of each currency, and delivery prices of each index. */
  readonly settlements: number
  /** Records of each account. */
  readonly accountSettlements: number
  /** Values of each index, mark and funding rate; older ones stay for whole minutes. */
  readonly prices: number
  /** Minutes with a trade, of each instrument. */
  readonly candles: number
  /** Rows of each account's log. */
  readonly transactions: number
  /** What each session of direct access was told. */
  readonly messages: number
}

/** What a desk keeps where nothing is said. */
export const historyDefaults: HistoryLimits = {
  trades: 20_000,
  endedOrders: 20_000,
  settlements: 20_000,
  accountSettlements: 2000,
  prices: 50_000,
  candles: 20_000,
  transactions: 2000,
  messages: 2000,
}

/** The limits, where those not given are the defaults. */
export function limitsOf(given: Partial<HistoryLimits>): HistoryLimits {
  const limits = { ...historyDefaults, ...given }
  for (const limit of Object.values(limits)) {
    // A request's reply reads the last record, so that one of each is the least.
    assert(Number.isSafeInteger(limit) && limit >= 1, 'a limit of the history is at least 1')
  }
  return limits
}
