/**
 * The seal of a tape: checksums over every byte of the file, which are verified before anything decodes it.
 *
 * The seal is between the end of the batches and the footer, where Arrow readers do not look. It has a CRC-32 for each
 * batch (the first one includes the beginning of the file), then a head. A SHA-256 in the head covers everything except
 * the batches: the mark after the last one, the checksums, the footer and the end of the file. CRC-32 detects every
 * single flipped bit and every damaged run of up to 32 bits, and costs half as much as SHA-256.
 *
 * | bytes | what |
 * |---|---|
 * | 8 a batch | its length and its CRC-32, each a little-endian integer of 32 bits |
 * | 8 | `PITCTAPE` |
 * | 4, 4 | version of the seal, number of batches |
 * | 32 | SHA-256 from the mark after the last batch to the end of the file, these bytes left out |
 */
import { createHash } from 'node:crypto'
import type { FileHandle } from 'node:fs/promises'
import { crc32 } from 'node:zlib'
import { assert, err, ok, type Result } from '../../core/index.ts'
import type { WriteBytes } from '../../results/index.ts'

const sealMagic = 'PITCTAPE'
const fileMagic = 'ARROW1'
const SEAL_VERSION = 1
const SHA_BYTES = 32
/** The head of the seal without its SHA-256. */
const HEAD_BYTES = 16
const ENTRY_BYTES = 8
/** The mark after the last batch: a message of no length. */
const endMark = Buffer.from([0xff, 0xff, 0xff, 0xff, 0, 0, 0, 0])
/** Length of the footer, and the magic at the end. */
const SUFFIX_BYTES = 10
/** A batch takes 24 bytes in the footer; the rest of the footer is the schema. */
const FOOTER_BYTES_MAX = 1 << 26
/** A message has up to 4 million rows of 44 bytes. */
const BATCH_BYTES_MAX = 1 << 28

/** Inserts the seal into the bytes of a tape while they are written. */
interface TapeSealer {
  readonly write: WriteBytes
  /** Ends a batch: the bytes since the previous batch get one checksum. */
  endBatch(): void
  /** The following bytes are the mark after the last batch and the footer. */
  beginFooter(): void
  /** Writes the seal and the footer. */
  finish(): void
}

/** Creates a sealer that passes bytes on to a file. */
export function createTapeSealer(put: WriteBytes): TapeSealer {
  const entries: { readonly length: number; readonly crc: number }[] = []
  const tail: Uint8Array[] = []
  let isFooter = false
  let length = 0
  let crc = 0
  return {
    write: (bytes) => {
      if (isFooter) {
        tail.push(Uint8Array.from(bytes))
        return
      }
      length += bytes.length
      crc = crc32(bytes, crc)
      put(bytes)
    },
    endBatch: () => {
      assert(length <= BATCH_BYTES_MAX, 'a batch of a tape has a bounded length')
      entries.push({ length, crc })
      length = 0
      crc = 0
    },
    beginFooter: () => {
      assert(length === 0, 'a footer comes after whole batches')
      isFooter = true
    },
    finish: () => {
      const closing = Buffer.concat(tail)
      const mark = closing.subarray(0, endMark.length)
      assert(mark.equals(endMark), 'a mark ends the batches')
      const sums = Buffer.alloc(entries.length * ENTRY_BYTES)
      for (const [at, entry] of entries.entries()) {
        sums.writeUInt32LE(entry.length, at * ENTRY_BYTES)
        sums.writeUInt32LE(entry.crc, at * ENTRY_BYTES + 4)
      }
      const head = Buffer.alloc(HEAD_BYTES)
      head.write(sealMagic, 'latin1')
      head.writeUInt32LE(SEAL_VERSION, 8)
      head.writeUInt32LE(entries.length, 12)
      const footer = closing.subarray(endMark.length)
      const sha = createHash('sha256').update(mark).update(sums).update(head).update(footer)
      for (const bytes of [mark, sums, head, sha.digest(), footer]) put(bytes)
    },
  }
}

/** A batch as described by the seal. */
export interface SealedBatch {
  readonly position: number
  readonly length: number
  readonly crc: number
}

/** Reads the seal and verifies all bytes outside the batches. Returns the mistake in the file if they do not match. */
export async function readTapeSeal(handle: FileHandle): Promise<Result<readonly SealedBatch[], string>> {
  const { size } = await handle.stat()
  const footerBytes = await footerLength(handle, size)
  const headAt = size - SUFFIX_BYTES - footerBytes - SHA_BYTES - HEAD_BYTES
  if (footerBytes === 0 || headAt < endMark.length) return err('a truncated file')
  const head = await readAt(handle, headAt, HEAD_BYTES + SHA_BYTES)
  if (head.toString('latin1', 0, 8) !== sealMagic || head.readUInt32LE(8) !== SEAL_VERSION) {
    return err('no checksums, as in a damaged tape or one of an earlier version')
  }
  const count = head.readUInt32LE(12)
  const markAt = headAt - count * ENTRY_BYTES - endMark.length
  if (markAt < 0) return err('a file with a damaged seal')
  const sums = await readAt(handle, markAt, headAt - markAt)
  const footer = await readAt(handle, headAt + HEAD_BYTES + SHA_BYTES, footerBytes + SUFFIX_BYTES)
  const sha = createHash('sha256').update(sums).update(head.subarray(0, HEAD_BYTES)).update(footer)
  if (!sha.digest().equals(head.subarray(HEAD_BYTES))) return err('a file with a damaged seal')
  const batches: SealedBatch[] = []
  let position = 0
  for (let at = endMark.length; at < sums.length; at += ENTRY_BYTES) {
    const length = sums.readUInt32LE(at)
    batches.push({ position, length, crc: sums.readUInt32LE(at + 4) })
    position += length
  }
  const isBounded = batches.every(({ length }) => length <= BATCH_BYTES_MAX)
  return position === markAt && isBounded ? ok(batches) : err('a file with a damaged seal')
}

/** The length of the footer according to the end of the file; 0 if that value is impossible. */
async function footerLength(handle: FileHandle, size: number): Promise<number> {
  if (size < SUFFIX_BYTES) return 0
  const suffix = await readAt(handle, size - SUFFIX_BYTES, SUFFIX_BYTES)
  const length = suffix.readInt32LE(0)
  if (suffix.toString('latin1', 4) !== fileMagic || length < 0) return 0
  return length <= FOOTER_BYTES_MAX ? length : 0
}

/** Bytes of a file; fewer if the file ends earlier. */
async function readAt(handle: FileHandle, position: number, length: number): Promise<Buffer> {
  const bytes = Buffer.alloc(length)
  await readFully(handle, bytes, length, position)
  return bytes
}

/** True if the bytes have the checksum in the seal. */
export function isSealed(bytes: Uint8Array, { crc }: SealedBatch): boolean {
  return crc32(bytes) === crc
}

/** Fills the first bytes of a buffer from a file, which must be long enough. */
export async function readFully(handle: FileHandle, target: Buffer, length: number, position: number): Promise<void> {
  let done = 0
  while (done < length) {
    const left = length - done
    const { bytesRead } = await handle.read(target, done, left, position + done)
    assert(bytesRead > 0, 'a file has its stated length')
    done += bytesRead
  }
}
