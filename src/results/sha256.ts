/**
 * The SHA-256 that callers inject into results: `host` has the platform's implementation, `pureSha256` runs anywhere.
 */

/** A running SHA-256. */
export interface Sha256 {
  update(bytes: Uint8Array): void
  digest(): Uint8Array
}

/** Starts a SHA-256 computation: `host` has the platform's implementation, `pureSha256` runs anywhere. */
export type Sha256Factory = () => Sha256

/** Bytes in lowercase hexadecimal. */
export function hexOf(bytes: Uint8Array): string {
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')
}
