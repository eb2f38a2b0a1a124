/**
 * Signatures of block trades: a text that binds a signer and its role to a time, a nonce and trades.
 *
 * It has three parts, `<timestamp>.<8 characters>.<url-safe text>`: the timestamp in milliseconds, the start of the
 * SHA-256 of the signed content, and the HMAC-SHA-256 of that content with the key of the run. The same inputs give the
 * same text; the clock is not read.
 *
 * Rule: block.signature. Source: sessions-blocks-gateways.md 4.4. Assumed: the construction; the venue shows only the
 * form.
 */

import { hmac } from '@noble/hashes/hmac.js'
import { sha256 } from '@noble/hashes/sha2.js'
import { utf8ToBytes } from '@noble/hashes/utils.js'
import { formatScaled } from '../core/index.ts'
import type { Liquidity, Side } from '../model/index.ts'

/** A trade of a block in a signature. */
interface SignedLeg {
  readonly instrument: string
  /** The maker's side. */
  readonly side: Side
  /** Price in 1e-9. */
  readonly price9: bigint
  readonly amount9: bigint
}

/** Terms that a signature covers. */
interface SignedTerms {
  /** Number of the signer's account. */
  readonly account: number
  readonly role: Liquidity
  /** Milliseconds since the epoch. */
  readonly timestamp: number
  readonly nonce: string
  /** In the order of the request. */
  readonly legs: readonly SignedLeg[]
}

const SCALE = 9

const NAME_LENGTH = 8

/** The signature of a block with a key. */
export function blockSignature(key: string, terms: SignedTerms): string {
  const content = utf8ToBytes(contentOf(terms))
  const name = textOf(sha256(content)).slice(0, NAME_LENGTH)
  return `${terms.timestamp}.${name}.${textOf(hmac(sha256, utf8ToBytes(key), content))}`
}

function contentOf(terms: SignedTerms): string {
  const trades = terms.legs.map(({ instrument, side, price9, amount9 }) => [
    instrument,
    side,
    formatScaled(price9, SCALE),
    formatScaled(amount9, SCALE),
  ])
  return JSON.stringify([terms.account, terms.role, terms.timestamp, terms.nonce, trades])
}

const LETTERS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_'

/** Bytes as url-safe base64 without padding: six bits per letter, the last filled up with zeros. */
function textOf(bytes: Uint8Array): string {
  let text = ''
  let bits = 0
  let held = 0
  for (const byte of bytes) {
    held = (held << 8) | byte
    bits += 8
    while (bits >= 6) {
      bits -= 6
      text += LETTERS[(held >> bits) & 63]
    }
    held &= (1 << bits) - 1
  }
  return bits === 0 ? text : text + LETTERS[(held << (6 - bits)) & 63]
}

/**
 * Time window of a valid signature: equally long before and after its timestamp, both ends included.
 *
 * Rule: block.window. Source: sessions-blocks-gateways.md 4.4; coverage R70; S255.
 */

/** True if a moment is within the window around a timestamp; all in one unit. */
export function isInWindow(now: number, timestamp: number, window: number): boolean {
  const distance = now > timestamp ? now - timestamp : timestamp - now
  return distance <= window
}
