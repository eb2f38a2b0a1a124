/** SHA-256 from the platform, for digests and for naming files by their content. */
import { createHash } from 'node:crypto'
import type { Sha256 } from '../results/index.ts'

/**
 * Starts a SHA-256 computation with Node.
 *
 * @example
 * const hash = nodeSha256()
 * hash.update(new Uint8Array([1, 2, 3]))
 * console.log(hash.digest().length) // 32
 */
export function nodeSha256(): Sha256 {
  const hash = createHash('sha256')
  return {
    update: (bytes) => {
      hash.update(bytes)
    },
    digest: () => {
      return hash.digest()
    },
  }
}

/** SHA-256 of bytes in hexadecimal. */
export function sha256Hex(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex')
}
