/**
 * Ids of wallets: of entries (UUID7), deposit addresses, and transactions of a chain. All are SHA-256 of a key and a
 * counter, so that the same run gives the same ids; the clock is not read.
 *
 * Source: sessions-blocks-gateways.md 6.2, 9 (rule 2). Assumed: the construction; the venue shows only the form.
 */
import { sha256 } from '@noble/hashes/sha2.js'
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js'
import type { Chain } from './addresses.ts'

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

function hashOf(what: string, { key, number }: Seeded): Uint8Array {
  return sha256(utf8ToBytes(JSON.stringify([key, what, number])))
}
