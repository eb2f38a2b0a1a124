/** Compressed files and tapes made by hand, block by block, for tests of what their readers refuse. */
import { createHash } from 'node:crypto'
import { crc32 } from 'node:zlib'

/** A zstd block that stores its content without compression. */
export function storedBlock(content: Uint8Array, isLast: boolean): Uint8Array {
  return Buffer.concat([blockHead(content.length, 0, isLast), content])
}

/** RLE blocks of zstd: each holds 100,000 times one letter, in four bytes. */
export function runsOf(letter: string, count: number): Uint8Array[] {
  return Array.from({ length: count }, (_, at) =>
    Buffer.concat([blockHead(100_000, 1, at === count - 1), Buffer.from(letter)]),
  )
}

function blockHead(size: number, type: number, isLast: boolean): Uint8Array {
  const head = Buffer.alloc(3)
  head.writeUIntLE((size << 3) | (type << 1) | (isLast ? 1 : 0), 0, 3)
  return head
}

/** A zstd frame with a window of 1 MiB, and optionally a checksum and the size of its content. */
export function frameOf(
  blocks: readonly Uint8Array[],
  reported: { readonly checksum?: Uint8Array; readonly size?: number } = {},
): Uint8Array {
  const flags = (reported.checksum === undefined ? 0 : 4) | (reported.size === undefined ? 0 : 0x80)
  const size = Buffer.alloc(reported.size === undefined ? 0 : 4)
  if (reported.size !== undefined) size.writeUInt32LE(reported.size)
  const head = Uint8Array.of(0x28, 0xb5, 0x2f, 0xfd, flags, 0x50)
  return Buffer.concat([head, size, ...blocks, reported.checksum ?? new Uint8Array(0)])
}

/** A tape without its seal; old tapes had no checksums. */
export function plainTape(bytes: Buffer): Buffer {
  const footerAt = bytes.length - 10 - bytes.readInt32LE(bytes.length - 10)
  const headAt = footerAt - 48
  const sumsAt = headAt - 8 * bytes.readUInt32LE(headAt + 12)
  return Buffer.concat([bytes.subarray(0, sumsAt), bytes.subarray(footerAt)])
}

/** The changed bytes of a tape, with correct checksums; the seal does not change. */
export function resealed(whole: Buffer, changed: Buffer): Buffer {
  const footerAt = whole.length - 10 - whole.readInt32LE(whole.length - 10)
  const headAt = footerAt - 48
  const sumsAt = headAt - 8 * whole.readUInt32LE(headAt + 12)
  const out = Buffer.concat([changed.subarray(0, sumsAt - 8), whole.subarray(sumsAt - 8, footerAt)])
  const tail = Buffer.from(changed.subarray(footerAt))
  // The offset of the footer does not change either.
  whole.copy(tail, tail.length - 10, whole.length - 10)
  let position = 0
  for (let at = sumsAt; at < headAt; at += 8) {
    const length = out.readUInt32LE(at)
    out.writeUInt32LE(crc32(out.subarray(position, position + length)), at + 4)
    position += length
  }
  const sha = createHash('sha256')
    .update(out.subarray(sumsAt - 8, headAt + 16))
    .update(tail)
  sha.digest().copy(out, headAt + 16)
  return Buffer.concat([out, tail])
}
