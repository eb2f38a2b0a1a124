/**
 * SHA-256 that runs anywhere, for digests in a browser. About ten times slower than the one of
 * `host`, with equal results.
 */
import { sha256 } from '@noble/hashes/sha2.js'
import type { Sha256 } from './sha256.ts'

/**
 * Starts a SHA-256 computation in plain JavaScript.
 *
 * @example
 * const hash = pureSha256()
 * hash.update(new Uint8Array())
 * console.log(hash.digest().length) // 32
 */
export function pureSha256(): Sha256 {
  const hash = sha256.create()
  return {
    update: (bytes) => {
      hash.update(bytes)
    },
    digest: () => {
      return hash.digest()
    },
  }
}
