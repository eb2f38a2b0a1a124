/**
 * How much of what has been queries can look back to. A run that needs more reads its tables.
 */

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
  /** Messages to sessions of direct access that are kept, by session. */
  readonly messages: number
}

/** Twice as much still has positions in a list. */
export const HISTORY_LIMIT_MAX = 1_000_000_000

/** Limits where nothing is said. */
export const defaultHistoryLimits: HistoryLimits = {
  trades: 250_000,
  endedOrders: 250_000,
  settlements: 50_000,
  accountSettlements: 50_000,
  prices: 50_000,
  candles: 50_000,
  transactions: 100_000,
  messages: 20_000,
}
