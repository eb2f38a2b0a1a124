/**
 * Unpacks zstd in bounded memory: this file splits frames into blocks, and fzstd unpacks one block at a time.
 *
 * A few packed bytes may become a block of up to 128 KiB, so at most one unpacked block waits to be read. The window
 * before it has at most `WINDOW_BYTES_MAX`, the size that the format requires every reader to support. The reader
 * verifies the checksum and the content size of a frame if the frame states them. All versions of Node run the same
 * decoder, so they read a file alike. Source: RFC 8878, 3.1.
 */
import { Decompress } from 'fzstd'
import { createXxHash64, type XxHash64 } from './xxhash.ts'

/** A mistake in a zstd file; the message describes it. */
export class ZstdFault extends Error {}

/** Unpacks the pieces of a file. */
interface ZstdReader {
  /**
   * Takes the next bytes and returns their unpacked form, a block at a time. The caller may keep the returned bytes.
   */
  push(bytes: Uint8Array): Iterable<Uint8Array>
  /** Ends the file; throws if the file is truncated. */
  end(): void
}

const FRAME_MAGIC = 0xfd2fb528
const SKIPPED_MAGIC = 0x184d2a50
const BLOCK_BYTES_MAX = 1 << 17
/** The window that the format asks decoders to support; `zstd` exceeds it only with --ultra or --long. */
const WINDOW_BYTES_MAX = 1 << 23
const blockType = { run: 1, packed: 2, reserved: 3 } as const

/** State of the current frame. */
interface Frame {
  readonly decoder: Decompress
  readonly hash: XxHash64 | null
  /** Null if the frame does not state it. */
  readonly contentBytes: number | null
  /**
   * The last byte received, which fzstd gets together with the next ones; otherwise fzstd keeps everything it has read.
   */
  held: Uint8Array
  unpacked: Uint8Array[]
  bytes: number
}

type Part = 'head' | 'skipped' | 'block' | 'checksum'

/** Creates a reader of one file, from its first byte. */
export function createZstdReader(): ZstdReader {
  let waiting = Buffer.alloc(0)
  let part: Part = 'head'
  let frame: Frame | null = null
  let toSkip = 0

  /** Takes the next part if it is complete, and returns its number of bytes; otherwise 0. */
  const take = (): number => {
    if (part === 'skipped') {
      const skipped = Math.min(toSkip, waiting.length)
      toSkip -= skipped
      if (toSkip === 0) part = 'head'
      return skipped
    }
    if (part === 'head') {
      const head = headIn(waiting)
      if (head === null) return 0
      if (head.frame === null) {
        toSkip = head.skip
        part = toSkip > 0 ? 'skipped' : 'head'
      } else {
        frame = head.frame
        part = 'block'
      }
      return head.bytes
    }
    if (frame === null) throw new ZstdFault('invalid zstd data')
    if (part === 'checksum') {
      if (waiting.length < 4) return 0
      if (frame.hash?.low32() !== waiting.readUInt32LE(0)) {
        throw new ZstdFault('content that does not match its checksum')
      }
      part = 'head'
      return 4
    }
    const block = blockIn(waiting)
    if (block === null) return 0
    unpackBlock(frame, waiting.subarray(0, block.bytes), block.isLast)
    if (block.isLast) part = endOfFrame(frame)
    return block.bytes
  }

  return {
    *push(bytes): Generator<Uint8Array, void> {
      waiting = waiting.length === 0 ? Buffer.from(bytes) : Buffer.concat([waiting, bytes])
      for (;;) {
        const taken = take()
        if (taken === 0) return
        waiting = waiting.subarray(taken)
        if (frame === null) continue
        const { unpacked } = frame
        frame.unpacked = []
        yield* unpacked
      }
    },
    end: () => {
      if (part !== 'head' || waiting.length > 0) throw new ZstdFault('a truncated file')
    },
  }
}

type Head =
  | { readonly bytes: number; readonly frame: Frame }
  | { readonly bytes: number; readonly frame: null; readonly skip: number }

/** The head of a frame, or of a frame to skip; null while it is incomplete. */
function headIn(bytes: Buffer): Head | null {
  if (bytes.length < 5) return null
  const magic = bytes.readUInt32LE(0)
  if ((magic & 0xfffffff0) >>> 0 === SKIPPED_MAGIC) {
    return bytes.length < 8 ? null : { bytes: 8, frame: null, skip: bytes.readUInt32LE(4) }
  }
  if (magic !== FRAME_MAGIC) throw new ZstdFault('bytes that are not the start of a frame')
  const flags = bytes[4] ?? 0
  if ((flags & 8) !== 0) throw new ZstdFault('invalid zstd data')
  if ((flags & 3) !== 0) throw new ZstdFault('a frame that needs a dictionary')
  const isSingle = (flags & 32) !== 0
  const sizeFlag = flags >> 6
  const sizeBytes = sizeFlag === 0 ? Number(isSingle) : 1 << sizeFlag
  const sizeAt = isSingle ? 5 : 6
  const length = sizeAt + sizeBytes
  if (bytes.length < length) return null
  const declaredSize = numberIn(bytes.subarray(sizeAt, length)) + (sizeFlag === 1 ? 256 : 0)
  const windowBytes = isSingle ? declaredSize : windowOf(bytes[5] ?? 0)
  if (windowBytes > WINDOW_BYTES_MAX) {
    throw new ZstdFault(`a window of ${windowBytes} bytes, above the limit of ${WINDOW_BYTES_MAX}`)
  }
  const hash = (flags & 4) === 0 ? null : createXxHash64()
  const contentBytes = sizeBytes === 0 ? null : declaredSize
  const frame: Frame = {
    decoder: new Decompress((chunk) => {
      if (chunk.length === 0) return
      frame.bytes += chunk.length
      hash?.update(chunk)
      frame.unpacked.push(chunk)
    }),
    hash,
    contentBytes,
    held: new Uint8Array(0),
    unpacked: [],
    bytes: 0,
  }
  // The frame head is written again in its plainest form, followed by empty blocks, because fzstd waits for 18 bytes.
  const window = windowFor(Math.min(windowBytes, contentBytes ?? windowBytes))
  push(frame, Uint8Array.of(0x28, 0xb5, 0x2f, 0xfd, 0, window, ...emptyBlocks))
  return { bytes: length, frame }
}

/** Four blocks of no bytes, three bytes each. */
const emptyBlocks: readonly number[] = Array.from({ length: 12 }, () => 0)

/** An integer of up to eight bytes, in little-endian order. */
function numberIn(bytes: Uint8Array): number {
  return bytes.reduceRight((value, byte) => value * 256 + byte, 0)
}

/** The window size of a descriptor: a power of two plus eighths of it. */
function windowOf(descriptor: number): number {
  const base = 2 ** (10 + (descriptor >> 3))
  return base + base * 0.125 * (descriptor & 7)
}

/** The descriptor of a window with at least this size. */
function windowFor(bytes: number): number {
  let descriptor = 0x38
  while (windowOf(descriptor) < bytes) descriptor += 8
  return descriptor
}

/** The bytes of a block with its head, and whether it is the last; null while it is incomplete. */
function blockIn(bytes: Buffer): { readonly bytes: number; readonly isLast: boolean } | null {
  if (bytes.length < 3) return null
  const head = bytes.readUIntLE(0, 3)
  const type = (head >> 1) & 3
  const size = head >> 3
  if (type === blockType.reserved) throw new ZstdFault('invalid block type')
  if (size > BLOCK_BYTES_MAX) throw new ZstdFault('a block of more than 128 KiB')
  const length = 3 + (type === blockType.run ? 1 : size)
  return bytes.length < length ? null : { bytes: length, isLast: (head & 1) === 1 }
}

function unpackBlock(frame: Frame, block: Uint8Array, isLast: boolean): void {
  const given = Buffer.concat([frame.held, block])
  // The block is never marked as the last, because fzstd would then look for the head of another frame.
  const first = frame.held.length
  given[first] = (given[first] ?? 0) & 0xfe
  frame.held = Uint8Array.from(given.subarray(given.length - 1))
  push(frame, given.subarray(0, given.length - 1))
  if (isLast) push(frame, frame.held)
}

function push(frame: Frame, bytes: Uint8Array): void {
  try {
    frame.decoder.push(bytes)
  } catch (error) {
    // The package also throws exceptions of other kinds when it reads damaged data.
    throw new ZstdFault(error instanceof Error ? error.message : String(error))
  }
}

function endOfFrame({ bytes, contentBytes, hash }: Frame): Part {
  if (contentBytes !== null && contentBytes !== bytes) {
    throw new ZstdFault(`${bytes} bytes in a frame that declares ${contentBytes}`)
  }
  return hash === null ? 'head' : 'checksum'
}
