/**
 * Currencies that accounts can hold, with the digits the wire shows.
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

/** Those that instruments settle in, so that settlements and the insurance fund have them. */
export const settlementCurrencies = ['BTC', 'ETH', 'USDC', 'USDT', 'EURR'] as const

/** A currency symbol that an account can hold. */
export type Currency = (typeof currencies)[number]

/** Room for currencies in ids and in the rows of wallets; a power of two above their number. */
export const CURRENCY_SLOTS = 16

/** Digits after the point of a balance on the wire: BTC, SOL and USDC 8, the others 6 (market.md 0). */
export function balanceDigits(currency: Currency): number {
  return currency === 'BTC' || currency === 'SOL' || currency === 'USDC' ? 8 : 6
}

/** Tells if the text is a currency that an account can hold. */
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
