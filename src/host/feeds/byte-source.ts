/**
 * The unpacked bytes of a recorded file: plain, gzip or zstd. The first bytes of the file decide which, never its name.
 *
 * A gzip file may have several members, and a zstd file several frames. The source reads chunks on request, so memory
 * does not grow with the file: a few megabytes for plain and gzip; for zstd its window and the unpacked form of 64 KiB.
 * Reading and inflating run concurrently with the caller, one chunk ahead.
 */
import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { type FileHandle, open } from 'node:fs/promises'
import { pipeline, type Readable } from 'node:stream'
import { createGunzip } from 'node:zlib'
import { ok, type Result } from '../../core/index.ts'
import { badInput, type FeedFault, interruption, ioFault } from './feed-fault.ts'
import type { Reading } from './special-file.ts'
import { createZstdReader, ZstdFault } from './zstd.ts'

/** The packing of a file; `arrow` means that the file is a tape. */
export type FileCoding = 'plain' | 'gzip' | 'zstd' | 'arrow'

/** Bytes of a file, unpacked. */
export interface ByteSource {
  /** The next bytes, valid until the next call; null at the end. */
  next(): Promise<Result<Uint8Array | null, FeedFault>>
  close(): Promise<void>
}

const CHUNK_BYTES = 1 << 20
const ZSTD_CHUNK_BYTES = 1 << 16

const toCsv = 'convert it to CSV first'
const toUtf8 = 'convert it to UTF-8 first, with iconv'

const magics: readonly (readonly [coding: FileCoding, bytes: readonly number[]])[] = [
  ['gzip', [0x1f, 0x8b]],
  ['zstd', [0x28, 0xb5, 0x2f, 0xfd]],
  ['arrow', [...Buffer.from('ARROW1')]],
]

/** Kinds of files that this package cannot read, with their first bytes and a hint how to get text from them. */
const unreadable: readonly (readonly [sort: string, bytes: readonly number[], hint: string])[] = [
  ['a Parquet file', ascii('PAR1'), toCsv],
  ['a zip archive', [...ascii('PK'), 3, 4], 'unpack it first, with unzip'],
  ['an xz file', [0xfd, ...ascii('7zXZ')], 'unpack it first, with xz -d'],
  ['a bzip2 file', ascii('BZh'), 'unpack it first, with bzip2 -d'],
  ['a 7z archive', [...ascii('7z'), 0xbc, 0xaf], 'unpack it first, with 7z x'],
  ['an LZ4 file', [0x04, 0x22, 0x4d, 0x18], 'unpack it first, with lz4 -d'],
  ['a Databento DBN file', ascii('DBN'), toCsv],
  ['a Feather version 1 file', ascii('FEA1'), toCsv],
  ['an ORC file', ascii('ORC'), toCsv],
  ['an HDF5 file', [0x89, ...ascii('HDF')], toCsv],
  ['an SQLite database', ascii('SQLite format 3'), toCsv],
  ['an Arrow stream', [0xff, 0xff, 0xff, 0xff], toCsv],
  ['text in UTF-32', [0xff, 0xfe, 0, 0], toUtf8],
  ['text in UTF-16', [0xff, 0xfe], toUtf8],
  ['text in UTF-16', [0xfe, 0xff], toUtf8],
]

/** The kind of a file whose unpacked bytes begin like this, with a hint how to get text from it; null for text. */
export function unreadableSort(head: Uint8Array): { found: string; hint?: string } | null {
  const known = unreadable.find(([, bytes]) => bytes.every((byte, at) => head[at] === byte))
  if (known !== undefined) return { found: known[0], hint: known[2] }
  const isBinary = head.subarray(0, 512).includes(0)
  return isBinary ? { found: 'a binary file' } : null
}

/** The packing of a file, from its first bytes. */
export async function codingOf(path: string): Promise<Result<FileCoding, FeedFault>> {
  try {
    const handle = await open(path, 'r')
    try {
      const head = new Uint8Array(8)
      await handle.read(head, 0, head.length, 0)
      const found = magics.find(([, bytes]) => bytes.every((byte, at) => head[at] === byte))
      return ok(found?.[0] ?? 'plain')
    } finally {
      await handle.close()
    }
  } catch (error) {
    return ioFault(path, error)
  }
}

function ascii(text: string): readonly number[] {
  return [...Buffer.from(text)]
}

/** SHA-256 of the bytes of a file on the disk (not unpacked), in hexadecimal. */
export async function hashOfFile(
  path: string,
  { interrupted = () => false }: Reading = {},
): Promise<Result<string, FeedFault>> {
  const hash = createHash('sha256')
  const source = openPlain(path)
  for (;;) {
    const chunk = await source.next()
    if (!chunk.ok) return chunk
    if (chunk.value === null) return ok(hash.digest('hex'))
    hash.update(chunk.value)
    if (interrupted()) {
      await source.close()
      return interruption(path)
    }
  }
}

/** The unpacked bytes of a file with this packing, which must not be `arrow`. */
export function openByteSource(path: string, coding: FileCoding): ByteSource {
  return coding === 'plain' ? openPlain(path) : openPacked(path, coding)
}

/** Plain bytes: while the caller works on a chunk, the system fills another buffer with the next one. */
function openPlain(path: string): ByteSource {
  let opened: OpenedFile | null = null
  let ahead: Promise<Uint8Array> | null = null
  let isClosed = false
  const close = async (): Promise<void> => {
    isClosed = true
    const { handle } = opened ?? {}
    opened = null
    ahead = null
    // This waits for a read in progress.
    await handle?.close()
  }
  const next = async (): Promise<Uint8Array | null> => {
    opened ??= await openFile(path)
    const chunk = await (ahead ?? chunkOf(opened))
    // The source may have been closed during the read.
    if (chunk.length === 0 || isClosed) {
      await close()
      return null
    }
    ahead = chunkOf(opened)
    // The next call of `next` reports a failure. After `close` no call follows, so the failure is ignored.
    ahead.catch(() => {})
    return chunk
  }
  return {
    next: async () => {
      if (isClosed) return ok(null)
      try {
        return ok(await next())
      } catch (error) {
        await close()
        return ioFault(path, error)
      }
    },
    close,
  }
}

/** A file with two buffers that are filled in turn. */
interface OpenedFile {
  readonly handle: FileHandle
  readonly buffers: readonly [Uint8Array, Uint8Array]
  turn: 0 | 1
}

async function openFile(path: string): Promise<OpenedFile> {
  const handle = await open(path, 'r')
  return { handle, buffers: [new Uint8Array(CHUNK_BYTES), new Uint8Array(CHUNK_BYTES)], turn: 0 }
}

/** Fills the next buffer with the next bytes of a file; empty at its end. */
async function chunkOf(opened: OpenedFile): Promise<Uint8Array> {
  const buffer = opened.buffers[opened.turn]
  opened.turn = opened.turn === 0 ? 1 : 0
  const { bytesRead } = await opened.handle.read(buffer, 0, CHUNK_BYTES, null)
  return buffer.subarray(0, bytesRead)
}

/** The stream opens with the first chunk, so that waiting files hold no resources. */
function openPacked(path: string, coding: FileCoding): ByteSource {
  let stream: Readable | null = null
  let chunks: AsyncGenerator<Uint8Array, undefined> | null = null
  let isClosed = false
  return {
    next: async () => {
      if (isClosed) return ok(null)
      try {
        stream ??= streamOf(path, coding)
        chunks ??= coding === 'zstd' ? zstdChunks(stream) : bytesOf(stream)
        const { done, value } = await chunks.next()
        return ok(done === true ? null : value)
      } catch (error) {
        const found = packingFault(error)
        if (found === null) return ioFault(path, error)
        return badInput({
          code: 'SYNTAX',
          file: path,
          expected: `a complete ${coding} file`,
          found,
        })
      }
    },
    close: async () => {
      isClosed = true
      stream?.destroy()
      stream = null
      chunks = null
    },
  }
}

function streamOf(path: string, coding: FileCoding): Readable {
  const highWaterMark = coding === 'zstd' ? ZSTD_CHUNK_BYTES : CHUNK_BYTES
  const file = createReadStream(path, { highWaterMark })
  if (coding !== 'gzip') return file
  const gunzip = createGunzip({ chunkSize: CHUNK_BYTES })
  // The reader of the chunks gets the errors of both streams; nothing remains to be done here.
  pipeline(file, gunzip, () => {})
  return gunzip
}

async function* bytesOf(stream: Readable): AsyncGenerator<Uint8Array, undefined> {
  for await (const chunk of stream) yield chunk
}

async function* zstdChunks(stream: Readable): AsyncGenerator<Uint8Array, undefined> {
  const reader = createZstdReader()
  for await (const chunk of stream) yield* reader.push(chunk)
  reader.end()
}

/** The mistake in the packing of a file; null if the error has another cause. */
function packingFault(error: unknown): string | null {
  if (error instanceof ZstdFault) return error.message
  if (!(error instanceof Error) || !('code' in error)) return null
  if (error.code === 'Z_BUF_ERROR') return 'a truncated file'
  return String(error.code).startsWith('Z_') ? `damaged bytes (${error.message})` : null
}
