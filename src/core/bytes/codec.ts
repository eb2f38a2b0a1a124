/**
 * The canonical binary form of plain data, for snapshots: one value, one sequence of bytes.
 *
 * Each value is a tag byte and its content; lengths are unsigned varints; all fixed-width numbers are little-endian.
 *
 * | Tag | Content |
 * |---|---|
 * | 0 null, 1 false, 2 true | none |
 * | 3 safe integer | zigzag varint |
 * | 4 other double | 8 bytes |
 * | 5 bigint from 0, 6 bigint below 0 | byte length, magnitude without leading zero bytes |
 * | 7 text | byte length, UTF-8 |
 * | 8 text with a lone surrogate | byte length, UTF-16 |
 * | 9 bytes, 10 Int32Array, 11 Float64Array | element count, elements |
 * | 12 list | count, values |
 * | 13 record | count, then each key as a text and its value, in insertion order |
 *
 * Not plain, and refused by assertion: NaN, -0, undefined, functions, objects with a class, and the keys that an object
 * does not keep in insertion order or treats as its own (`0`, `12`, `__proto__`). Limits: `CODEC_DEPTH_MAX` levels of
 * lists and records, 2^32 - 1 bytes. `codec-reader.ts` decodes, and refuses every form that this file does not write.
 */
import { assert } from '../assert.ts'
import { divFloor, modFloor } from '../integer.ts'

/** Data that the codec supports. Decoded typed arrays are copies. */
export type Plain =
  | null
  | boolean
  | number
  | bigint
  | string
  | Uint8Array
  | Int32Array
  | Float64Array
  | readonly Plain[]
  | { readonly [key: string]: Plain }

/** The tag bytes; see the table above. */
export const codecTags = {
  null: 0,
  false: 1,
  true: 2,
  integer: 3,
  double: 4,
  bigint: 5,
  bigintNegative: 6,
  text: 7,
  textUtf16: 8,
  bytes: 9,
  int32Array: 10,
  float64Array: 11,
  list: 12,
  record: 13,
} as const

/** Largest nesting depth of lists and records. */
export const CODEC_DEPTH_MAX = 64

const SHORT_TEXT_MAX = 64
const INITIAL_CAPACITY = 256
const CAPACITY_MAX = 4_294_967_295
const LONE_SURROGATE = /\p{Surrogate}/u
const utf8 = new TextEncoder()
const INDEX_KEY = /^(?:0|[1-9][0-9]*)$/

interface Writer {
  view: DataView<ArrayBuffer>
  length: number
}

/** The bytes of a value. */
export function encodeValue(value: Plain): Uint8Array {
  const view = new DataView(new ArrayBuffer(INITIAL_CAPACITY))
  const writer = { view, length: 0 }
  writeValue(writer, value, 0)
  return new Uint8Array(writer.view.buffer.slice(0, writer.length))
}

/** True if an object keeps this key in insertion order and as data. */
export function isRecordKey(key: string): boolean {
  return key !== '__proto__' && !INDEX_KEY.test(key)
}

/** True if a text has a surrogate without its pair, so that UTF-8 cannot carry it. */
export function hasLoneSurrogate(text: string): boolean {
  return LONE_SURROGATE.test(text)
}

/** True if the codec supports a double. */
export function isPlainDouble(value: number): boolean {
  return !Number.isNaN(value) && !Object.is(value, -0)
}

function writeValue(writer: Writer, value: Plain, depth: number): void {
  assert(depth <= CODEC_DEPTH_MAX, 'the depth of plain data is limited')
  if (value === null) writeByte(writer, codecTags.null)
  else if (typeof value === 'boolean') writeByte(writer, value ? codecTags.true : codecTags.false)
  else if (typeof value === 'number') writeNumber(writer, value)
  else if (typeof value === 'bigint') writeBigint(writer, value)
  else if (typeof value === 'string') writeText(writer, value)
  else if (value instanceof Uint8Array) writeBytes(writer, codecTags.bytes, value)
  else if (value instanceof Int32Array) writeInt32Array(writer, value)
  else if (value instanceof Float64Array) writeFloat64Array(writer, value)
  else if (isList(value)) writeList(writer, value, depth)
  else writeRecord(writer, value, depth)
}

function writeList(writer: Writer, list: readonly Plain[], depth: number): void {
  writeTagAndSize(writer, codecTags.list, list.length)
  for (const item of list) writeValue(writer, item, depth + 1)
}

function writeRecord(writer: Writer, record: Readonly<Record<string, Plain>>, depth: number): void {
  // Callers without types may pass undefined, a function or an instance of a class.
  if (typeof record !== 'object') assert(false, `plain data contains no ${typeof record}`)
  const prototype: unknown = Object.getPrototypeOf(record)
  assert(prototype === Object.prototype || prototype === null, 'a record is not an instance of a class')
  const entries = Object.entries(record)
  writeTagAndSize(writer, codecTags.record, entries.length)
  for (const [key, item] of entries) {
    if (!isRecordKey(key)) assert(false, `the keys of a record are in order, found key '${key}'`)
    writeText(writer, key)
    writeValue(writer, item, depth + 1)
  }
}

/** `Array.isArray` does not narrow to a readonly array. */
function isList(value: Plain & object): value is readonly Plain[] {
  return Array.isArray(value)
}

function writeNumber(writer: Writer, value: number): void {
  assert(isPlainDouble(value), 'a plain number is neither NaN nor -0')
  if (!Number.isSafeInteger(value)) {
    writeByte(writer, codecTags.double)
    const offset = reserve(writer, 8)
    writer.view.setFloat64(offset, value, true)
    return
  }
  writeByte(writer, codecTags.integer)
  // The zigzag of a large integer exceeds 2^53, so its first seven bits are written separately.
  const magnitude = value < 0 ? -value - 1 : value
  const low = modFloor(magnitude, 64) * 2 + (value < 0 ? 1 : 0)
  const rest = divFloor(magnitude, 64)
  writeByte(writer, rest === 0 ? low : low + 128)
  if (rest > 0) writeSize(writer, rest)
}

function writeBigint(writer: Writer, value: bigint): void {
  const isNegative = value < 0n
  let rest = isNegative ? -value : value
  const bytes: number[] = []
  while (rest > 0n) {
    bytes.push(Number(BigInt.asUintN(8, rest)))
    rest >>= 8n
  }
  const tag = isNegative ? codecTags.bigintNegative : codecTags.bigint
  writeBytes(writer, tag, Uint8Array.from(bytes))
}

function writeText(writer: Writer, value: string): void {
  if (isShortAscii(value)) {
    writeTagAndSize(writer, codecTags.text, value.length)
    const offset = reserve(writer, value.length)
    for (let index = 0; index < value.length; index += 1) {
      writer.view.setUint8(offset + index, value.charCodeAt(index))
    }
    return
  }
  if (!hasLoneSurrogate(value)) {
    writeBytes(writer, codecTags.text, utf8.encode(value))
    return
  }
  writeTagAndSize(writer, codecTags.textUtf16, value.length * 2)
  const offset = reserve(writer, value.length * 2)
  for (let index = 0; index < value.length; index += 1) {
    writer.view.setUint16(offset + index * 2, value.charCodeAt(index), true)
  }
}

/** Most texts are short ASCII, for which a loop is faster than the platform's encoder. */
function isShortAscii(value: string): boolean {
  if (value.length > SHORT_TEXT_MAX) return false
  for (let index = 0; index < value.length; index += 1) {
    if (value.charCodeAt(index) > 127) return false
  }
  return true
}

function writeBytes(writer: Writer, tag: number, value: Uint8Array): void {
  writeTagAndSize(writer, tag, value.length)
  const offset = reserve(writer, value.length)
  new Uint8Array(writer.view.buffer).set(value, offset)
}

function writeInt32Array(writer: Writer, value: Int32Array): void {
  writeTagAndSize(writer, codecTags.int32Array, value.length)
  const offset = reserve(writer, value.length * 4)
  for (let index = 0; index < value.length; index += 1) {
    writer.view.setInt32(offset + index * 4, value[index] ?? 0, true)
  }
}

function writeFloat64Array(writer: Writer, value: Float64Array): void {
  writeTagAndSize(writer, codecTags.float64Array, value.length)
  const offset = reserve(writer, value.length * 8)
  for (let index = 0; index < value.length; index += 1) {
    const item = value[index] ?? 0
    assert(isPlainDouble(item), 'a plain number is neither NaN nor -0')
    writer.view.setFloat64(offset + index * 8, item, true)
  }
}

function writeTagAndSize(writer: Writer, tag: number, size: number): void {
  writeByte(writer, tag)
  writeSize(writer, size)
}

/** Writes an unsigned varint: seven bits per byte, the lowest first; the top bit is set while more bytes follow. */
function writeSize(writer: Writer, size: number): void {
  let rest = size
  while (rest >= 128) {
    writeByte(writer, modFloor(rest, 128) + 128)
    rest = divFloor(rest, 128)
  }
  writeByte(writer, rest)
}

function writeByte(writer: Writer, byte: number): void {
  const offset = reserve(writer, 1)
  writer.view.setUint8(offset, byte)
}

/** Makes room for `size` more bytes and returns their offset. */
function reserve(writer: Writer, size: number): number {
  const offset = writer.length
  const length = offset + size
  assert(length <= CAPACITY_MAX, 'encoded data has at most 2^32 - 1 bytes')
  if (length > writer.view.byteLength) {
    const grown = new Uint8Array(Math.max(length, writer.view.byteLength * 2))
    grown.set(new Uint8Array(writer.view.buffer, 0, offset))
    writer.view = new DataView(grown.buffer)
  }
  writer.length = length
  return offset
}
