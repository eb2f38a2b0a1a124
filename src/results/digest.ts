/**
 * The digest of a run: SHA-256 over the event log (`model/events/log`), in pages.
 *
 *     hash 0 = SHA-256(the name of the layout in ASCII, a line feed)
 *     hash n = SHA-256(hash n - 1, page n)
 *
 * A page has 65,536 bytes of the log; the last one has the remaining bytes and is never empty. The digest is the hash
 * of the last page. It does not depend on tables, files or options. Its state between two events is one hash and the
 * bytes of the open page, so that a snapshot can continue it.
 *
 * Source: DESIGN 7 (digest version 2).
 */
import { assert, checkArgument } from '../core/index.ts'
import { LOG_PAGE_BYTES, logHead } from '../model/index.ts'
import { hexOf, type Sha256Factory } from './sha256.ts'

/** A digest of a log that is being written. */
export interface LogDigest {
  /** The hash of the pages before the open one. */
  hash: Uint8Array
  /** The open page, and the number of bytes in it. */
  readonly page: Uint8Array
  used: number
  readonly sha256: Sha256Factory
}

/** Its state in a snapshot. */
export interface SavedLogDigest {
  readonly hash: Uint8Array
  readonly page: Uint8Array
}

/** The digest of a log without records. */
export function createLogDigest(sha256: Sha256Factory): LogDigest {
  const hash = sha256()
  hash.update(logHead())
  return { hash: hash.digest(), page: new Uint8Array(LOG_PAGE_BYTES), used: 0, sha256 }
}

/** Adds the next bytes of the log. */
export function addToDigest(digest: LogDigest, bytes: Uint8Array): void {
  let from = 0
  while (from < bytes.length) {
    const length = Math.min(bytes.length - from, digest.page.length - digest.used)
    digest.page.set(bytes.subarray(from, from + length), digest.used)
    digest.used += length
    from += length
    if (digest.used === digest.page.length) {
      digest.hash = hashOfPage(digest)
      digest.used = 0
    }
  }
}

/** The digest of the log so far. */
export function digestOf(digest: LogDigest): Uint8Array {
  return digest.used === 0 ? digest.hash : hashOfPage(digest)
}

/**
 * Returns the digest of the records of a whole log, in hexadecimal.
 *
 * @throws RangeError with the code `OPTION` if an argument has another kind.
 *
 * @example
 * console.log(digestOfLog(new Uint8Array(0), pureSha256).length) // 64
 */
export function digestOfLog(records: Uint8Array, sha256: Sha256Factory): string {
  checkArgument('digestOfLog: records', records, 'object')
  checkArgument('digestOfLog: sha256', sha256, 'function')
  const digest = createLogDigest(sha256)
  addToDigest(digest, records)
  return hexOf(digestOf(digest))
}

/** The state of a digest. */
export function saveLogDigest(digest: LogDigest): SavedLogDigest {
  return { hash: digest.hash, page: digest.page.slice(0, digest.used) }
}

/** A digest that continues from a saved state. */
export function restoreLogDigest(sha256: Sha256Factory, saved: SavedLogDigest): LogDigest {
  const digest = createLogDigest(sha256)
  assert(saved.page.length < LOG_PAGE_BYTES, 'the open page has space')
  digest.hash = saved.hash
  addToDigest(digest, saved.page)
  return digest
}

function hashOfPage({ hash, page, used, sha256 }: LogDigest): Uint8Array {
  const next = sha256()
  next.update(hash)
  next.update(page.subarray(0, used))
  return next.digest()
}
