/**
 * Ids of wallets: of entries (UUID7), deposit addresses, and transactions of a chain. All are SHA-256 of a key and a
 * counter, so that the same run gives the same ids; the clock is not read.
 *
 * Source: sessions-blocks-gateways.md 6.2, 9 (rule 2). Assumed: the construction; the venue shows only the form.
 */

import { sha256 } from '@noble/hashes/sha2.js'
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js'
import { type Currency, currencies } from '../model/index.ts'

/** A chain for deposits and withdrawals. */
type Chain = 'bitcoin' | 'ethereum' | 'solana' | 'ripple' | 'bnb'

const BECH32 = 'qpzry9x8gf2tvdw0s3jn54khce6mua7l'

const BASE58 = '123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz'

/** The parts of an id: the key of the run, and the number of the object. */
interface Seeded {
  readonly key: string
  readonly number: number
}

/** The id of an entry of an address book; its first 48 bits are milliseconds since the epoch. */
export function entryIdOf({ key, number }: Seeded, millis: number): string {
  const time = millis.toString(16).padStart(12, '0')
  const bits = bytesToHex(hashOf('entry', { key, number }))
  // Version 7, then the variant, whose two highest bits are 10.
  const variant = lettersOf(hashOf('variant', { key, number }).subarray(0, 1), '89ab')
  return [
    time.slice(0, 8),
    time.slice(8),
    `7${bits.slice(0, 3)}`,
    `${variant}${bits.slice(3, 6)}`,
    bits.slice(6, 18),
  ].join('-')
}

/** An address of a chain. */
export function addressOf(chain: Chain, seeded: Seeded): string {
  const bytes = hashOf(`address of ${chain}`, seeded)
  switch (chain) {
    case 'bitcoin':
      return `bc1q${lettersOf(bytes, BECH32)}${lettersOf(hashOf('rest', seeded), BECH32).slice(0, 6)}`
    case 'ethereum':
    case 'bnb':
      return `0x${bytesToHex(bytes).slice(0, 40)}`
    case 'solana':
      return `${lettersOf(bytes, BASE58)}${lettersOf(hashOf('rest', seeded), BASE58).slice(0, 12)}`
    case 'ripple':
      return `r${lettersOf(bytes, BASE58)}`
  }
}

/** The hash of a transaction. */
export function transactionOf(sort: string, seeded: Seeded): string {
  return bytesToHex(hashOf(`transaction of ${sort}`, seeded))
}

/** Converts each byte to a letter; the letters need not be equally frequent. */
function lettersOf(bytes: Uint8Array, letters: string): string {
  let text = ''
  for (const byte of bytes) text += letters[(byte * letters.length) >> 8]
  return text
}

function hashOf(what: string, seeded: Seeded): Uint8Array {
  return sha256(utf8ToBytes(JSON.stringify([seeded.key, what, seeded.number])))
}

/**
 * Chains of currencies and the forms of their addresses.
 *
 * Assumed: only letters and length make an address valid; checksums are not verified. The currencies of Ethereum share
 * addresses, in which case has no meaning.
 * Source: sessions-blocks-gateways.md 6.2, 6.4.
 */

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
