/**
 * Checks that the metadata of an Arrow file can be decoded safely.
 *
 * apache-arrow trusts the offsets and lengths in the metadata: after a flipped bit it may follow a list of a billion
 * elements that do not exist. This check requires that every table, list and text lies within the bytes and is nested
 * no deeper than `DEPTH_MAX`. It bounds the elements that a reader would visit by the number of bytes. Source: the
 * schema files Message.fbs, Schema.fbs and File.fbs of Apache Arrow, and the layout of FlatBuffers.
 */

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

/** Position of a message in a file, according to the footer. */
export interface Block {
  readonly position: number
  /** Length of the metadata with its prefix. */
  readonly metadataBytes: number
  readonly bodyBytes: number
}

/** A valid form of columns or batches that this reader does not support. */
export type UnreadForm =
  | { readonly is: 'type'; readonly name: string }
  | { readonly is: 'compression'; readonly name: 'LZ4' | 'ZSTD' }

interface Walk {
  readonly view: DataView
  readonly blocks: Block[]
  unread: UnreadForm | null
  left: number
}

/** A message or a footer that can be decoded. */
export interface SoundMetadata {
  /** The messages listed in a footer. */
  readonly blocks: readonly Block[]
  /** The first form that this reader does not support; null if it supports all. */
  readonly unread: UnreadForm | null
}

/** Walks once through a message or a footer; null if it cannot be decoded. */
export function soundMetadata(kind: keyof typeof roots, bytes: Uint8Array): SoundMetadata | null {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const walk: Walk = { view, blocks: [], unread: null, left: LOOKS_MAX * bytes.length }
  const root = targetOf(walk, 0)
  return root !== null && isTableSound(walk, root, { table: roots[kind], depth: 0 }) ? walk : null
}

/** True if `length` bytes exist at this offset, and the walk has not exceeded its limit. */
function isWithin({ view, left }: Walk, at: number, length: number): boolean {
  return at >= 0 && length >= 0 && at + length <= view.byteLength && left >= 0
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
  const { view } = walk
  walk.left -= 4
  if (depth > DEPTH_MAX || !isWithin(walk, at, 4)) return false
  const fields = at - view.getInt32(at, true)
  if (!isWithin(walk, fields, 4)) return false
  const fieldBytes = view.getUint16(fields, true)
  const tableBytes = view.getUint16(fields + 2, true)
  const isPlaced = isWithin(walk, fields, fieldBytes) && isWithin(walk, at, tableBytes)
  if (!isPlaced || fieldBytes < 4 || fieldBytes % 2 !== 0) return false
  const offsetOf = (slot: number): number => {
    const entry = 4 + 2 * slot
    return entry + 2 <= fieldBytes ? view.getUint16(fields + entry, true) : 0
  }
  if (table === compression) {
    const codec = offsetOf(0)
    if (codec !== 0 && !isWithin(walk, at + codec, 1)) return false
    const isZstd = codec !== 0 && view.getUint8(at + codec) === 1
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
    const code = view.getUint8(at + kind)
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
