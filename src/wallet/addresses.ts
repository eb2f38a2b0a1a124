/**
 * Chains of currencies and the forms of their addresses.
 *
 * Assumed: only letters and length make an address valid; checksums are not verified. The currencies of Ethereum share
 * addresses, in which case has no meaning.
 * Source: sessions-blocks-gateways.md 6.2, 6.4.
 */
import { type Currency, currencies } from '../model/index.ts'

/** A chain for deposits and withdrawals. */
export type Chain = 'bitcoin' | 'ethereum' | 'solana' | 'ripple' | 'bnb'

const chains: { readonly [C in Currency]: Chain } = {
  BTC: 'bitcoin',
  ETH: 'ethereum',
  USDC: 'ethereum',
  USDT: 'ethereum',
  EURR: 'ethereum',
  SOL: 'solana',
  XRP: 'ripple',
  STETH: 'ethereum',
  USYC: 'ethereum',
  PAXG: 'ethereum',
  BNB: 'bnb',
  USDE: 'ethereum',
}

const shapes: { readonly [C in Chain]: RegExp } = {
  bitcoin: /^(?:[123mn][1-9A-HJ-NP-Za-km-z]{25,34}|(?:bc1|tb1)[02-9ac-hj-np-z]{11,71})$/,
  ethereum: /^0x[0-9a-fA-F]{40}$/,
  solana: /^[1-9A-HJ-NP-Za-km-z]{32,44}$/,
  ripple: /^r[1-9A-HJ-NP-Za-km-z]{24,34}$/,
  bnb: /^0x[0-9a-fA-F]{40}$/,
}

/** The chain of a currency. */
export function chainOf(currency: Currency): Chain {
  return chains[currency]
}

/** True if a text has the form of an address of a currency. */
export function isAddress(currency: Currency, text: string): boolean {
  return shapes[chains[currency]].test(text)
}

/** True for a currency that is a token of Ethereum (ERC20). */
export function isToken(currency: Currency): boolean {
  return currency !== 'ETH' && chains[currency] === 'ethereum'
}

/** The tokens of Ethereum. */
export const tokens: readonly Currency[] = currencies.filter(isToken)

/** Identifies the place of an address by its chain: equal places have equal texts. */
export function placeOfAddress(currency: Currency, address: string): string {
  const chain = chains[currency]
  const text = address.startsWith('0x') ? address.toLowerCase() : address
  return `${chain} ${text}`
}
