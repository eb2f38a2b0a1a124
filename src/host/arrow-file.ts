/**
 * Tables on disk: writing them through the encoder of `results`, and reading them back row by row.
 *
 * A reader checks the frame of a file and the metadata of each message before apache-arrow sees them. That package
 * reports internal errors for a truncated file, returns a table without rows for an empty one, and loops endlessly over
 * damaged lengths. A reader holds one batch at a time.
 */

import { type FileHandle, open } from 'node:fs/promises'
import type { DataType, RecordBatch, RecordBatchReader, Vector } from 'apache-arrow'
import { assert, err, type InputError, ok, type Result } from '../core/index.ts'
import { isSystemError, systemWords } from './system-words.ts'

/** A value as stored in a file; a time is microseconds since the epoch. */
export type FileCell = bigint | number | boolean | string | null

/** A row by column name. */
export type FileRow = Readonly<Record<string, FileCell>>

/** A column of a file. */
export interface FileColumn {
  readonly name: string
  /** Arrow's name of the type, such as `Float64`. */
  readonly type: string
  /** The unit of a value, such as `BTC`; null if the file gives none. */
  readonly unit: string | null
  readonly description: string | null
  /** A value counts 10^-scale; 0 if the file gives no scale. */
  readonly scale: number
}

/** A table that is being read. */
export interface ArrowFile {
  readonly columns: readonly FileColumn[]
  readonly metadata: ReadonlyMap<string, string>
  /** The rows in order, a batch at a time; can be read only once. Throws if the file changes meanwhile. */
  batches(): AsyncGenerator<readonly FileRow[]>
  close(): Promise<void>
}

/** A field of a table, in the order of its schema file. */
type Slot =
  /** A number or a structure with this many bytes. */
  | number
  | 'text'
  /** A list of numbers or structures with this many bytes each. */
  | { readonly listOf: number }
  | { readonly tables: () => Table }
  | { readonly table: () => Table }
  /** A table whose kind is given by the slot before it. */
  | { readonly oneOf: Readonly<Record<number, Table>> }

type Table = readonly Slot[]

/** Position of a message in a file, according to the footer. */
interface Block {
  readonly position: number
  /** Length of the metadata with its prefix. */
  readonly metadataBytes: number
  readonly bodyBytes: number
}

/** A valid form of columns or batches that this reader does not support. */
type UnreadForm =
  | { readonly is: 'type'; readonly name: string }
  | { readonly is: 'compression'; readonly name: 'LZ4' | 'ZSTD' }

interface Walk {
  readonly view: DataView
  readonly blocks: Block[]
  unread: UnreadForm | null
  left: number
}

/** A message or a footer that can be decoded. */
interface SoundMetadata {
  /** The messages listed in a footer. */
  readonly blocks: readonly Block[]
  /** The first form that this reader does not support; null if it supports all. */
  readonly unread: UnreadForm | null
}

const magic = 'ARROW1'

const PREFIX_BYTES = 8

/** Length of the footer in four bytes, then the magic. */
const SUFFIX_BYTES = 10

/** The metadata of a batch takes a few hundred bytes; larger metadata does not belong to a table. */
const METADATA_BYTES_MAX = 1 << 20

/** Opens an Arrow file, or returns the mistake in it. */
export async function openArrowFile(path: string): Promise<Result<ArrowFile, InputError>> {
  const opened = await openArrowReader(path, 'checked')
  if (!opened.ok) return opened
  const { reader, close } = opened.value
  return ok({
    columns: reader.schema.fields.map(({ name, type, metadata }) => ({
      name,
      type: String(type),
      unit: metadata.get('unit') ?? null,
      description: metadata.get('description') ?? null,
      scale: Number(metadata.get('scale') ?? 0),
    })),
    metadata: reader.schema.metadata,
    async *batches(): AsyncGenerator<readonly FileRow[]> {
      for await (const batch of reader) yield rowsOf(batch)
    },
    close,
  })
}

/** An Arrow file at its first batch. */
interface OpenArrow {
  readonly reader: RecordBatchReader
  readonly handle: FileHandle
  close(): Promise<void>
}

/**
 * Opens an Arrow file for reading batch by batch, or returns the mistake in it. With `checked`, this function also
 * checks the messages that the footer names. With `sealed`, the caller verifies their bytes before it decodes them.
 */
export async function openArrowReader(
  path: string,
  messages: 'checked' | 'sealed',
): Promise<Result<OpenArrow, InputError>> {
  let handle: FileHandle
  try {
    handle = await open(path, 'r')
  } catch (error) {
    if (!isSystemError(error)) throw error
    return err(faultOf(path, systemWords(error)))
  }
  const found = await frameFault(handle)
  if (found !== null) {
    await handle.close()
    return err(faultOf(path, found))
  }
  try {
    const form = await formFault(handle, messages)
    if (form !== null) {
      await handle.close()
      return err({ ...faultOf(path, ''), ...form })
    }
    const { RecordBatchReader } = await import('apache-arrow')
    const reader = await RecordBatchReader.from(handle)
    await reader.open()
    return ok({ reader, handle, close: () => handle.close() })
  } catch (error) {
    await handle.close()
    return err({ ...faultOf(path, ''), ...unreadWords(error) })
  }
}

/** A mistake in a file whose frame is intact. */
type FormFault = Pick<InputError, 'found' | 'hint'>

const damaged: FormFault = { found: 'a damaged file' }

/** Why apache-arrow could not read a file whose metadata can be decoded: a type that it does not know, or damage. */
export function unreadWords(error: unknown): FormFault {
  const isType = error instanceof Error && error.message.includes('Unrecognized type')
  return isType ? wordsOfForm({ is: 'type', name: 'unknown' }) : damaged
}

function wordsOfForm({ is, name }: UnreadForm): FormFault {
  if (is === 'compression') {
    const hint = "write it uncompressed: compression='uncompressed' in to_feather and write_ipc"
    return { found: `a file with batches compressed with ${name}`, hint }
  }
  const hint =
    'use older types: pa.string() for pa.string_view() in pyarrow, compat_level=CompatLevel.oldest() in Polars'
  return { found: `a file with columns of type ${name}, which is not supported`, hint }
}

/** The reason why the footer, or a message that it names, cannot be read; null if all can be read. */
async function formFault(handle: FileHandle, messages: 'checked' | 'sealed'): Promise<FormFault | null> {
  const { size } = await handle.stat()
  const tail = await bytesAt(handle, size - SUFFIX_BYTES, SUFFIX_BYTES)
  const footerBytes = tail.readInt32LE(0)
  const footer = await bytesAt(handle, size - SUFFIX_BYTES - footerBytes, footerBytes)
  const sound = soundMetadata('footer', footer)
  if (sound === null) return damaged
  if (sound.unread !== null) return wordsOfForm(sound.unread)
  if (messages === 'sealed') return null
  for (const block of sound.blocks) {
    const form = await messageForm(handle, block, size)
    if (form === 'damaged') return damaged
    if (form !== null) return wordsOfForm(form)
  }
  return null
}

/**
 * The form of a message that this reader does not support or that cannot be decoded; null if the message can be read.
 */
async function messageForm(
  handle: FileHandle,
  { position, metadataBytes }: Block,
  size: number,
): Promise<UnreadForm | 'damaged' | null> {
  if (metadataBytes < PREFIX_BYTES || metadataBytes > METADATA_BYTES_MAX) return 'damaged'
  if (!(position >= PREFIX_BYTES && position + metadataBytes <= size)) return 'damaged'
  const bytes = await bytesAt(handle, position, metadataBytes)
  const length = bytes.readInt32LE(0) === -1 ? bytes.readInt32LE(4) : -1
  if (length < 0 || length > metadataBytes - PREFIX_BYTES) return 'damaged'
  const metadata = Uint8Array.from(bytes.subarray(PREFIX_BYTES, PREFIX_BYTES + length))
  const sound = soundMetadata('message', metadata)
  if (sound === null) return 'damaged'
  if (sound.unread !== null) return sound.unread
  const { Message } = await import('apache-arrow')
  const message = Message.decode(metadata)
  const body = Number(message.bodyLength)
  if (!(body >= 0 && position + metadataBytes + body <= size)) return 'damaged'
  if (!message.isRecordBatch()) return message.isDictionaryBatch() ? null : 'damaged'
  // Each value takes at least one bit, so a body cannot have more rows than bits.
  const most = 8 * body
  const header = message.header()
  const isBounded = header.length <= most && header.nodes.every(({ length: rows }) => rows <= most)
  return isBounded ? null : 'damaged'
}

async function bytesAt(handle: FileHandle, position: number, length: number): Promise<Buffer> {
  const bytes = Buffer.alloc(length)
  const { bytesRead } = await handle.read(bytes, 0, length, position)
  return bytes.subarray(0, bytesRead)
}

/** The mistake in the magic, the size or the length of the footer, or null. */
async function frameFault(handle: FileHandle): Promise<string | null> {
  const { size } = await handle.stat()
  if (size === 0) return 'an empty file'
  const head = Buffer.alloc(PREFIX_BYTES)
  const tail = Buffer.alloc(SUFFIX_BYTES)
  await handle.read(head, 0, PREFIX_BYTES, 0)
  if (head.toString('latin1', 0, magic.length) !== magic) return 'a file of another type'
  if (size < PREFIX_BYTES + SUFFIX_BYTES) return 'a truncated file'
  await handle.read(tail, 0, SUFFIX_BYTES, size - SUFFIX_BYTES)
  const footerLength = tail.readInt32LE(0)
  const isWhole =
    tail.toString('latin1', 4) === magic && footerLength > 0 && footerLength <= size - PREFIX_BYTES - SUFFIX_BYTES
  return isWhole ? null : 'a truncated file'
}

function rowsOf(batch: RecordBatch): FileRow[] {
  const columns = batch.schema.fields.map(({ name, type }, at) => {
    const vector = batch.getChildAt(at)
    assert(vector !== null, 'every field of a batch has its column')
    return { name, cellAt: cellReader(vector, type) }
  })
  return Array.from({ length: batch.numRows }, (_, row) =>
    Object.fromEntries(columns.map(({ name, cellAt }) => [name, cellAt(row)])),
  )
}

/** Times are read from their memory, because the accessor would round them to milliseconds. */
function cellReader(vector: Vector, type: DataType): (row: number) => FileCell {
  if (!String(type).startsWith('Timestamp')) return (row) => vector.get(row)
  const times = vector.data[0]?.values
  assert(times instanceof BigInt64Array, 'a timestamp is an integer of 64 bits')
  return (row) => (vector.isValid(row) ? (times[row] ?? null) : null)
}

function faultOf(path: string, found: string): InputError {
  return { code: 'SYNTAX', file: path, found, expected: 'a complete Arrow file' }
}

/**
 * Checks that the metadata of an Arrow file can be decoded safely.
 *
 * apache-arrow trusts the offsets and lengths in the metadata: after a flipped bit it may follow a list of a billion
 * elements that do not exist. This check requires that every table, list and text lies within the bytes and is nested
 * no deeper than `DEPTH_MAX`. It bounds the elements that a reader would visit by the number of bytes. Source: the
 * schema files Message.fbs, Schema.fbs and File.fbs of Apache Arrow, and the layout of FlatBuffers.
 */

const BLOCK_BYTES = 24

const DEPTH_MAX = 64

/** The walk may look at each byte this many times on average, because tables may share texts. */
const LOOKS_MAX = 4

const keyValue: Table = ['text', 'text']

const integer: Table = [4, 1]

const types: Readonly<Record<number, Table>> = {
  1: [],
  2: integer,
  3: [2],
  4: [],
  5: [],
  6: [],
  7: [4, 4, 4],
  8: [2],
  9: [2, 4],
  10: [2, 'text'],
  11: [2],
  12: [],
  13: [],
  14: [2, { listOf: 4 }],
  15: [4],
  16: [4],
  17: [1],
  18: [2],
  19: [],
  20: [],
  21: [],
}

/** Newer types, which apache-arrow cannot read. */
const newerTypes: Readonly<Record<number, string>> = {
  22: 'RunEndEncoded',
  23: 'BinaryView',
  24: 'Utf8View',
  25: 'ListView',
  26: 'LargeListView',
}

const dictionaryEncoding: Table = [8, { table: () => integer }, 1, 2]

const field: Table = [
  'text',
  1,
  1,
  { oneOf: types },
  { table: () => dictionaryEncoding },
  { tables: () => field },
  { tables: () => keyValue },
]

const schema: Table = [2, { tables: () => field }, { tables: () => keyValue }, { listOf: 8 }]

/** The codec (LZ4 by default) and the method. */
const compression: Table = [1, 1]

const recordBatch: Table = [8, { listOf: 16 }, { listOf: 16 }, { table: () => compression }, { listOf: 8 }]

const dictionaryBatch: Table = [8, { table: () => recordBatch }, 1]

const roots = {
  message: [2, 1, { oneOf: { 1: schema, 2: dictionaryBatch, 3: recordBatch } }, 8, { tables: () => keyValue }],
  footer: [2, { table: () => schema }, { listOf: BLOCK_BYTES }, { listOf: BLOCK_BYTES }, { tables: () => keyValue }],
} as const satisfies Record<string, Table>

/** Walks once through a message or a footer; null if it cannot be decoded. */
export function soundMetadata(kind: keyof typeof roots, bytes: Uint8Array): SoundMetadata | null {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const walk: Walk = { view, blocks: [], unread: null, left: LOOKS_MAX * bytes.length }
  const root = targetOf(walk, 0)
  return root !== null && isTableSound(walk, root, { table: roots[kind], depth: 0 }) ? walk : null
}

/** True if `length` bytes exist at this offset, and the walk has not exceeded its limit. */
function isWithin(walk: Walk, at: number, length: number): boolean {
  return at >= 0 && length >= 0 && at + length <= walk.view.byteLength && walk.left >= 0
}

/** The target of an offset, or null. */
function targetOf(walk: Walk, at: number): number | null {
  if (!isWithin(walk, at, 4)) return null
  const target = at + walk.view.getUint32(at, true)
  return isWithin(walk, target, 4) ? target : null
}

interface Shape {
  readonly table: Table
  readonly depth: number
}

function isTableSound(walk: Walk, at: number, { table, depth }: Shape): boolean {
  walk.left -= 4
  if (depth > DEPTH_MAX || !isWithin(walk, at, 4)) return false
  const fields = at - walk.view.getInt32(at, true)
  if (!isWithin(walk, fields, 4)) return false
  const fieldBytes = walk.view.getUint16(fields, true)
  const tableBytes = walk.view.getUint16(fields + 2, true)
  const isPlaced = isWithin(walk, fields, fieldBytes) && isWithin(walk, at, tableBytes)
  if (!isPlaced || fieldBytes < 4 || fieldBytes % 2 !== 0) return false
  const offsetOf = (slot: number): number => {
    const entry = 4 + 2 * slot
    return entry + 2 <= fieldBytes ? walk.view.getUint16(fields + entry, true) : 0
  }
  if (table === compression) {
    const codec = offsetOf(0)
    if (codec !== 0 && !isWithin(walk, at + codec, 1)) return false
    const isZstd = codec !== 0 && walk.view.getUint8(at + codec) === 1
    walk.unread ??= { is: 'compression', name: isZstd ? 'ZSTD' : 'LZ4' }
  }
  return table.every((slot, index) => {
    const offset = offsetOf(index)
    if (offset === 0) return true
    const place = at + offset
    if (typeof slot === 'number') return isWithin(walk, place, slot)
    if (typeof slot === 'string' || !('oneOf' in slot)) {
      return isReferenceSound(walk, place, { slot, depth })
    }
    const kind = offsetOf(index - 1)
    if (kind === 0 || !isWithin(walk, at + kind, 1)) return false
    const code = walk.view.getUint8(at + kind)
    const newer = slot.oneOf === types ? newerTypes[code] : undefined
    if (newer !== undefined) walk.unread ??= { is: 'type', name: newer }
    const chosen = newer === undefined ? slot.oneOf[code] : []
    const reference = { slot: { table: () => chosen ?? [] }, depth }
    return chosen !== undefined && isReferenceSound(walk, place, reference)
  })
}

interface Reference {
  readonly slot: Exclude<Slot, number | { readonly oneOf: unknown }>
  readonly depth: number
}

function isReferenceSound(walk: Walk, place: number, { slot, depth }: Reference): boolean {
  const target = targetOf(walk, place)
  if (target === null) return false
  if (typeof slot === 'object' && 'table' in slot) {
    return isTableSound(walk, target, { table: slot.table(), depth: depth + 1 })
  }
  const count = walk.view.getUint32(target, true)
  const first = target + 4
  const width = slot === 'text' ? 1 : 'listOf' in slot ? slot.listOf : 4
  walk.left -= 4 + count * width
  if (!isWithin(walk, first, count * width)) return false
  if (slot === 'text') return true
  if ('listOf' in slot) return slot.listOf !== BLOCK_BYTES || noteBlocks(walk, first, count)
  const shape = { table: slot.tables(), depth: depth + 1 }
  for (let at = 0; at < count; at += 1) {
    const element = targetOf(walk, first + 4 * at)
    if (element === null || !isTableSound(walk, element, shape)) return false
  }
  return true
}

function noteBlocks({ view, blocks }: Walk, first: number, count: number): true {
  for (let at = first; at < first + count * BLOCK_BYTES; at += BLOCK_BYTES) {
    blocks.push({
      position: Number(view.getBigInt64(at, true)),
      metadataBytes: view.getInt32(at + 8, true),
      bodyBytes: Number(view.getBigInt64(at + 16, true)),
    })
  }
  return true
}
