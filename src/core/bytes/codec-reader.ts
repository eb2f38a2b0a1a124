/**
 * Strict decoding of the format of `codec.ts`: for bytes that `encodeValue` would not have written it returns a fault
 * with its offset, and never throws or loops forever.
 *
 * A reader keeps its first fault; after a fault every function here returns immediately, with any value. Each item of a
 * list takes at least one byte, so the number of bytes bounds work and memory, and `CODEC_DEPTH_MAX` bounds nesting.
 */

import { err, ok, type Result } from '../result.ts'
import { CODEC_DEPTH_MAX, codecTags, hasLoneSurrogate, isPlainDouble, isRecordKey, type Plain } from './codec.ts'

/** The position at which bytes are invalid, and the reason. `offset` counts from the first byte. */
interface CodecFault {
  readonly offset: number
  readonly expected: string
  readonly found: string
}

interface Reader {
  readonly bytes: Uint8Array
  readonly view: DataView
  offset: number
  fault: CodecFault | undefined
}

const utf8Decoder = new TextDecoder('utf-8', { ignoreBOM: true })
const utf8Encoder = new TextEncoder()
const SHORT_TEXT_MAX = 64
const SIZE_MAX = Number.MAX_SAFE_INTEGER
/** Smallest encodings of a list's item and of a record's entry. */
const ITEM_BYTES = 1
const ENTRY_BYTES = 3

/** Decodes a value that takes all of the bytes. */
export function decodeValue(bytes: Uint8Array): Result<Plain, CodecFault> {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const reader: Reader = { bytes, view, offset: 0, fault: undefined }
  const value = readValue(reader, 0)
  const left = bytes.length - reader.offset
  if (left > 0) fail(reader, reader.offset, 'the end of the value', `${left} more bytes`)
  return reader.fault === undefined ? ok(value) : err(reader.fault)
}

function readValue(reader: Reader, depth: number): Plain {
  const start = reader.offset
  if (depth > CODEC_DEPTH_MAX) {
    return failNull(reader, start, `at most ${CODEC_DEPTH_MAX} levels`, 'a deeper level')
  }
  const tag = readByte(reader)
  if (reader.fault !== undefined) return null
  switch (tag) {
    case codecTags.null:
      return null
    case codecTags.false:
      return false
    case codecTags.true:
      return true
    case codecTags.integer:
      return readInteger(reader)
    case codecTags.double:
      return readDouble(reader)
    case codecTags.bigint:
    case codecTags.bigintNegative:
      return readBigint(reader, tag === codecTags.bigintNegative)
    case codecTags.text:
    case codecTags.textUtf16:
      return readText(reader, tag)
    case codecTags.bytes:
      return readBytes(reader, readCount(reader, 1)).slice()
    case codecTags.int32Array:
      return readInt32Array(reader)
    case codecTags.float64Array:
      return readFloat64Array(reader)
    case codecTags.list:
      return readList(reader, depth)
    case codecTags.record:
      return readRecord(reader, depth)
    default:
      return failNull(reader, start, 'a tag from 0 to 13', `byte ${tag}`)
  }
}

function readInteger(reader: Reader): number {
  const start = reader.offset
  const first = readByte(reader)
  const rest = first < 128 ? 0 : readSize(reader)
  if (first >= 128 && rest === 0) fail(reader, start, 'the shortest varint', 'a longer varint')
  const magnitude = rest * 64 + ((first & 127) >> 1)
  const value = (first & 1) === 1 ? -magnitude - 1 : magnitude
  if (!Number.isSafeInteger(value)) fail(reader, start, 'a safe integer', 'a larger number')
  return value
}

function readDouble(reader: Reader): number {
  const start = reader.offset
  if (!hasBytes(reader, 8)) return 0
  const value = reader.view.getFloat64(start, true)
  reader.offset += 8
  const isCanonical = isPlainDouble(value) && !Number.isSafeInteger(value)
  if (!isCanonical) {
    fail(reader, start, 'a double that is not NaN, -0 or a safe integer', doubleText(value))
  }
  return value
}

function readBigint(reader: Reader, isNegative: boolean): bigint {
  const start = reader.offset
  const bytes = readBytes(reader, readCount(reader, 1))
  if (reader.fault !== undefined) return 0n
  if (bytes.length === 0 && isNegative) fail(reader, start, 'a bigint below 0', '0')
  if (bytes[bytes.length - 1] === 0) fail(reader, start, 'no leading zero byte', 'one')
  // Through hexadecimal text, which engines read in linear time.
  let digits = ''
  for (const byte of bytes) digits = byte.toString(16).padStart(2, '0') + digits
  const magnitude = BigInt(`0x0${digits}`)
  return isNegative ? -magnitude : magnitude
}

function readText(reader: Reader, tag: number): string {
  const start = reader.offset
  const bytes = readBytes(reader, readCount(reader, 1))
  if (reader.fault !== undefined) return ''
  return tag === codecTags.text ? readUtf8(reader, start, bytes) : readUtf16(reader, start, bytes)
}

function readUtf8(reader: Reader, start: number, bytes: Uint8Array): string {
  const ascii = shortAsciiText(bytes)
  if (ascii !== undefined) return ascii
  // Without `fatal`, which would throw: encoding the text again reveals a replacement.
  const text = utf8Decoder.decode(bytes)
  if (!isSameBytes(utf8Encoder.encode(text), bytes)) {
    fail(reader, start, 'valid UTF-8 text', 'invalid bytes')
  }
  return text
}

/** Most texts are short ASCII, for which a loop is faster than the platform's decoder. */
function shortAsciiText(bytes: Uint8Array): string | undefined {
  if (bytes.length > SHORT_TEXT_MAX) return undefined
  let text = ''
  for (const byte of bytes) {
    if (byte > 127) return undefined
    text += String.fromCharCode(byte)
  }
  return text
}

function readUtf16(reader: Reader, start: number, bytes: Uint8Array): string {
  if ((bytes.length & 1) === 1) fail(reader, start, 'complete UTF-16 units', 'half a unit')
  let text = ''
  for (let index = 0; index + 1 < bytes.length; index += 2) {
    text += String.fromCharCode((bytes[index] ?? 0) | ((bytes[index + 1] ?? 0) << 8))
  }
  if (!hasLoneSurrogate(text)) fail(reader, start, 'a lone surrogate', 'text that UTF-8 can encode')
  return text
}

function readInt32Array(reader: Reader): Int32Array {
  const array = new Int32Array(readCount(reader, 4))
  for (let index = 0; index < array.length; index += 1) {
    array[index] = reader.view.getInt32(reader.offset, true)
    reader.offset += 4
  }
  return array
}

function readFloat64Array(reader: Reader): Float64Array {
  const array = new Float64Array(readCount(reader, 8))
  for (let index = 0; index < array.length; index += 1) {
    const value = reader.view.getFloat64(reader.offset, true)
    if (!isPlainDouble(value)) {
      fail(reader, reader.offset, 'a double that is not NaN or -0', doubleText(value))
    }
    array[index] = value
    reader.offset += 8
  }
  return array
}

function readList(reader: Reader, depth: number): Plain[] {
  const count = readCount(reader, ITEM_BYTES)
  const list: Plain[] = []
  while (list.length < count && reader.fault === undefined) {
    list.push(readValue(reader, depth + 1))
  }
  return list
}

function readRecord(reader: Reader, depth: number): { readonly [key: string]: Plain } {
  const count = readCount(reader, ENTRY_BYTES)
  const record: Record<string, Plain> = {}
  for (let index = 0; index < count && reader.fault === undefined; index += 1) {
    const start = reader.offset
    const key = readKey(reader)
    if (Object.hasOwn(record, key)) fail(reader, start, 'a new key', `the key '${key}' again`)
    record[key] = readValue(reader, depth + 1)
  }
  return record
}

function readKey(reader: Reader): string {
  const start = reader.offset
  const tag = readByte(reader)
  if (tag !== codecTags.text && tag !== codecTags.textUtf16) {
    fail(reader, start, 'the tag of a text for a key', `byte ${tag}`)
  }
  if (reader.fault !== undefined) return ''
  const key = readText(reader, tag)
  if (isRecordKey(key)) return key
  fail(reader, start, 'a key in the expected order', `'${key}'`)
  return ''
}

/** Reads a varint that counts elements of at least `elementBytes` bytes each; 0 if too few bytes remain. */
function readCount(reader: Reader, elementBytes: number): number {
  const start = reader.offset
  const count = readSize(reader)
  const left = reader.bytes.length - reader.offset
  if (count * elementBytes <= left && reader.fault === undefined) return count
  fail(reader, start, `at least ${count * elementBytes} more bytes`, `${left}`)
  return 0
}

function readSize(reader: Reader): number {
  const start = reader.offset
  let size = 0
  let unit = 1
  let byte = 128
  while (byte >= 128 && reader.fault === undefined) {
    byte = readByte(reader)
    size += (byte & 127) * unit
    unit *= 128
    if (size > SIZE_MAX) fail(reader, start, 'a varint below 2^53', 'a larger number')
    if (byte === 0 && unit > 128) fail(reader, start, 'the shortest varint', 'a longer varint')
  }
  return size
}

function readBytes(reader: Reader, count: number): Uint8Array {
  if (!hasBytes(reader, count)) return new Uint8Array(0)
  reader.offset += count
  return reader.bytes.subarray(reader.offset - count, reader.offset)
}

function readByte(reader: Reader): number {
  if (!hasBytes(reader, 1)) return 0
  reader.offset += 1
  return reader.view.getUint8(reader.offset - 1)
}

function hasBytes(reader: Reader, count: number): boolean {
  const left = reader.bytes.length - reader.offset
  if (left >= count) return true
  fail(reader, reader.offset, `at least ${count} more bytes`, `${left}`)
  return false
}

function fail(reader: Reader, offset: number, expected: string, found: string): void {
  reader.fault ??= { offset, expected, found }
}

function failNull(reader: Reader, offset: number, expected: string, found: string): null {
  fail(reader, offset, expected, found)
  return null
}

function doubleText(value: number): string {
  return Object.is(value, -0) ? '-0' : String(value)
}

function isSameBytes(left: Uint8Array, right: Uint8Array): boolean {
  return left.length === right.length && left.every((byte, index) => byte === right[index])
}
