/** Limits of the histories that queries can read. A run that needs more can read the tables of its results. */

import type { SettingsOf } from './settings/declaration.ts'
import { defaultsOf } from './settings/defaults.ts'

/**
 * Number of rows that each history keeps at least, from 1. A history drops its oldest rows when it has twice as many.
 */
export interface HistoryLimits {
  /** Trades of each instrument, and of each account. */
  readonly trades: number
  /** Orders that have ended. */
  readonly endedOrders: number
  /** Records of each currency, and delivery prices of each index. */
  readonly settlements: number
  /** Records of each account. */
  readonly accountSettlements: number
  /** Values of each index, mark and funding rate. One value for each whole minute remains of older ones. */
  readonly prices: number
  /** Minutes with a trade, of each instrument. */
  readonly candles: number
  /** Rows of the log of each account. */
  readonly transactions: number
  /** Messages of each session of direct access. */
  readonly messages: number
}

/** Positions in a list of twice this length are still valid. */
const kept = { unit: 'count', min: 1, max: 1_000_000_000, examples: [100_000] } as const

/** Declaration of the limits. */
export const historySettings: SettingsOf<HistoryLimits> = {
  trades: {
    ...kept,
    key: 'trades',
    default: 250_000,
    says: 'Trades per instrument and per account',
  },
  endedOrders: { ...kept, key: 'ended_orders', default: 250_000, says: 'Ended orders' },
  settlements: {
    ...kept,
    key: 'settlements',
    default: 50_000,
    says: 'Records per currency, and delivery prices per index',
  },
  accountSettlements: {
    ...kept,
    key: 'account_settlements',
    default: 50_000,
    says: 'Records per account',
  },
  prices: {
    ...kept,
    key: 'prices',
    default: 50_000,
    says: 'Values per index, mark price and funding rate; older values are kept for whole minutes',
  },
  candles: {
    ...kept,
    key: 'candles',
    default: 50_000,
    says: 'Minutes with trades, per instrument',
  },
  transactions: {
    ...kept,
    key: 'transactions',
    default: 100_000,
    says: 'Rows of the transaction log per account',
  },
  messages: {
    ...kept,
    key: 'messages',
    default: 20_000,
    says: 'Messages of direct access per session',
  },
}

/** The default limits. */
export const defaultHistoryLimits: HistoryLimits = defaultsOf(historySettings)
