/**
 * Currencies that accounts can hold, with their number of digits on the wire.
 *
 * Source: interface document, currency (response enum); market.md 0 for the digits; R44.
 */
import { assert, type CurrencyId, currencyId } from '../../core/index.ts'

/** The twelve currencies of the response enumeration, in its order; the position is the id. */
export const currencies = [
  'BTC',
  'ETH',
  'USDC',
  'USDT',
  'EURR',
  'SOL',
  'XRP',
  'STETH',
  'USYC',
  'PAXG',
  'BNB',
  'USDE',
] as const

/** Currencies in which instruments settle, and therefore currencies of settlements and of the insurance fund. */
export const settlementCurrencies = ['BTC', 'ETH', 'USDC', 'USDT', 'EURR'] as const

/** A currency symbol that an account can hold. */
export type Currency = (typeof currencies)[number]

/** Number of slots for currencies in ids and in the rows of wallets; a power of two above the number of currencies. */
export const CURRENCY_SLOTS = 16

/** Digits after the point of a balance on the wire: 8 for BTC, SOL and USDC, 6 for all others (market.md 0). */
export function balanceDigits(currency: Currency): number {
  return currency === 'BTC' || currency === 'SOL' || currency === 'USDC' ? 8 : 6
}

/** True if the text is a currency that an account can hold. */
export function isCurrency(text: string): text is Currency {
  return (currencies as readonly string[]).includes(text)
}

/** The id of a currency. */
export function currencyIdOf(currency: Currency): CurrencyId {
  return currencyId(currencies.indexOf(currency))
}

/** The currency of an id. */
export function currencyOf(id: CurrencyId): Currency {
  const currency = currencies[id]
  assert(currency !== undefined, `a currency id is below ${currencies.length}, found ${id}`)
  return currency
}
