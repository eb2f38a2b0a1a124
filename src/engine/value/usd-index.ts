/**
 * Values of currencies in USD, the unit of accounts whose currencies share their margin (market.md 6.4).
 */
import { type Currency, currencies } from '../../model/index.ts'
import type { Exchange } from '../state/index.ts'

/** Value of a unit of a stable coin in USD if it has no index. */
const ONE_USD9 = 1_000_000_000
const dollars: ReadonlySet<Currency> = new Set(['USDC', 'USDT', 'USYC', 'USDE'])

/** The value of a currency in 1e-9 USD: its index, 1 USD for stable coins without an index, 0 if unknown. */
export function usdIndex9(exchange: Exchange, currency: Currency): number {
  const price = exchange.indices.get(usdIndexName(currency))?.price ?? 0
  return price === 0 && dollars.has(currency) ? ONE_USD9 : price
}

const names = Object.fromEntries(currencies.map((currency) => [currency, `${currency.toLowerCase()}_usd`])) as {
  readonly [C in Currency]: string
}

/** The name of a currency's index in USD. */
export function usdIndexName(currency: Currency): string {
  return names[currency]
}

/** True if a currency is a coin whose price portfolio margin moves. A coin that follows a national currency is not. */
export function isMovingCoin(currency: Currency): boolean {
  return !dollars.has(currency) && currency !== 'EURR'
}
