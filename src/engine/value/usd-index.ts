/**
 * Currencies in USD, in which accounts whose currencies share their margin are counted (market.md 6.4).
 */
import { type Currency, currencies } from '../../model/index.ts'
import type { Exchange } from '../state/index.ts'

/** USD that a unit of a stable coin is worth where no index tells. */
const ONE_USD9 = 1_000_000_000
const dollars: ReadonlySet<Currency> = new Set(['USDC', 'USDT', 'USYC', 'USDE'])

/** A currency in 1e-9 USD: its index, 1 USD for stable coins without one, 0 where it is unknown. */
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

/** True if a currency is a coin whose price portfolio margin moves: not one that follows a currency of a state. */
export function isMovingCoin(currency: Currency): boolean {
  return !dollars.has(currency) && currency !== 'EURR'
}
