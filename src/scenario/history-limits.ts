/**
 * How much queries can look back to, as files and journals say it.
 */
import { z } from '../core/index.ts'
import { HISTORY_LIMIT_MAX, type HistoryLimits } from '../model/index.ts'

const kept = z
  .int()
  .min(1)
  .max(HISTORY_LIMIT_MAX)
  .optional()
  .meta({ description: 'How many are kept at least.', examples: [100_000] })

/** Each limit; what is left out is the default. */
export const historyShape = {
  trades: kept,
  ended_orders: kept,
  settlements: kept,
  account_settlements: kept,
  prices: kept,
  candles: kept,
  transactions: kept,
  messages: kept,
}

type HistoryWords = { readonly [Word in keyof typeof historyShape]?: number | undefined }

const words: { readonly [Name in keyof HistoryLimits]: keyof HistoryWords } = {
  trades: 'trades',
  endedOrders: 'ended_orders',
  settlements: 'settlements',
  accountSettlements: 'account_settlements',
  prices: 'prices',
  candles: 'candles',
  transactions: 'transactions',
  messages: 'messages',
}

const names = Object.keys(words) as readonly (keyof HistoryLimits)[]

/** The limits that are said. */
export function limitsOfWords(given: HistoryWords): Partial<HistoryLimits> {
  const limits: { -readonly [Name in keyof HistoryLimits]?: number } = {}
  for (const name of names) {
    const limit = given[words[name]]
    if (limit !== undefined) limits[name] = limit
  }
  return limits
}

/** The limits as a file says them. */
export function wordsOfLimits(limits: Partial<HistoryLimits>): HistoryWords {
  const said: { -readonly [Word in keyof HistoryWords]?: number } = {}
  for (const name of names) {
    const limit = limits[name]
    if (limit !== undefined) said[words[name]] = limit
  }
  return said
}
