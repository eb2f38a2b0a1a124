/**
 * The bytes of an event log while they are written and read: one buffer, seen as doubles, as integers of 32 and of
 * 64 bits and as bytes. Places count words of eight bytes. All numbers are little-endian.
 */
import { assert, type Nano } from '../../../core/index.ts'

/** Bytes of a log. The words before `at` are written. */
export interface LogBuffer {
  bytes: Uint8Array<ArrayBuffer>
  doubles: Float64Array<ArrayBuffer>
  ints: Int32Array<ArrayBuffer>
  wides: BigInt64Array<ArrayBuffer>
  at: number
}

/** Bytes of a word. */
export const WORD_BYTES = 8

const INVERSE_WORD_BYTES = 0.125
const TWO_32 = 4_294_967_296
const INVERSE_TWO_32 = 2.3283064365386963e-10

const encoder = new TextEncoder()
/** A byte order mark at the start of a text is part of the text. */
const decoder = new TextDecoder('utf-8', { ignoreBOM: true })
/** Largest number of UTF-8 bytes for one unit of UTF-16. */
const UTF8_UNIT_MAX = 3
/** Bytes before a text, which hold its length. */
const LENGTH_BYTES = 4

/** An empty buffer with room for this many words. */
export function createLogBuffer(words: number): LogBuffer {
  return bufferOver(new ArrayBuffer(words * WORD_BYTES), 0)
}

/** A buffer that holds records. */
export function logBufferOf(records: Uint8Array): LogBuffer {
  assert(records.length % WORD_BYTES === 0, 'records are whole words')
  return bufferOver(new Uint8Array(records).buffer, wordsIn(records.length))
}

/** The words that this many bytes take. */
export function wordsIn(bytes: number): number {
  return Math.ceil(bytes * INVERSE_WORD_BYTES)
}

/**
 * Makes room for this many words after the written ones. The views of the buffer may be different objects afterwards.
 */
export function reserve(buffer: LogBuffer, words: number): void {
  const needed = buffer.at + words
  if (needed > buffer.doubles.length) grow(buffer, needed)
}

function grow(buffer: LogBuffer, needed: number): void {
  const grown = bufferOver(new ArrayBuffer(2 * needed * WORD_BYTES), buffer.at)
  grown.bytes.set(buffer.bytes)
  Object.assign(buffer, grown)
}

/** Appends a double; minus zero becomes zero, so that equal values are equal bytes. */
export function appendNumber(buffer: LogBuffer, value: number): void {
  reserve(buffer, 1)
  buffer.doubles[buffer.at] = value + 0
  buffer.at += 1
}

/** Appends an integer of 64 bits. */
export function appendWide(buffer: LogBuffer, value: bigint): void {
  reserve(buffer, 1)
  setWideWord(buffer, buffer.at, value)
  buffer.at += 1
}

/** Sets a word to an integer of 64 bits. */
export function setWideWord({ wides }: LogBuffer, at: number, value: bigint): void {
  wides[at] = value
  assert(wides[at] === value, 'money has 64 bits')
}

/** Sets a word to an amount in nano. */
export function setMoneyWord(buffer: LogBuffer, at: number, nano: Nano): void {
  if (typeof nano === 'bigint') {
    setWideWord(buffer, at, nano)
    return
  }
  const high = Math.floor(nano * INVERSE_TWO_32)
  buffer.ints[2 * at] = (nano - high * TWO_32) | 0
  buffer.ints[2 * at + 1] = high | 0
}

/** Appends an amount in nano. */
export function appendMoney(buffer: LogBuffer, nano: Nano): void {
  reserve(buffer, 1)
  setMoneyWord(buffer, buffer.at, nano)
  buffer.at += 1
}

/**
 * Appends a text: the length of its UTF-8 in four bytes, the UTF-8, then zeros up to a whole word. Half of a surrogate
 * pair becomes U+FFFD.
 */
export function appendText(buffer: LogBuffer, text: string): void {
  const room = wordsIn(LENGTH_BYTES + text.length * UTF8_UNIT_MAX)
  reserve(buffer, room)
  const { at, bytes, doubles, ints } = buffer
  const from = at * WORD_BYTES + LENGTH_BYTES
  for (let word = at; word < at + room; word += 1) doubles[word] = 0
  const length = asciiInto(bytes, from, text)
  const written = length < 0 ? encoder.encodeInto(text, bytes.subarray(from)).written : length
  ints[2 * at] = written
  buffer.at = at + wordsIn(LENGTH_BYTES + written)
}

/** Writes a short ASCII text, which nearly all texts are. Returns its length, or -1 for any other text. */
function asciiInto(bytes: Uint8Array, from: number, text: string): number {
  if (text.length > SHORT_TEXT_MAX) return -1
  for (let at = 0; at < text.length; at += 1) {
    const unit = text.charCodeAt(at)
    if (unit >= ASCII_END) return -1
    bytes[from + at] = unit
  }
  return text.length
}

const SHORT_TEXT_MAX = 64
const ASCII_END = 128

/** Position of the next column after the fixed part of a record. */
export interface Cursor {
  readonly buffer: LogBuffer
  at: number
}

/** The next double. */
export function nextNumber(cursor: Cursor): number {
  cursor.at += 1
  return cursor.buffer.doubles[cursor.at - 1] as number
}

/** The next integer of 64 bits. */
export function nextWide(cursor: Cursor): bigint {
  cursor.at += 1
  return cursor.buffer.wides[cursor.at - 1] as bigint
}

/** The next text. */
export function nextText(cursor: Cursor): string {
  const { bytes, ints } = cursor.buffer
  const from = cursor.at * WORD_BYTES + LENGTH_BYTES
  const length = ints[2 * cursor.at] as number
  cursor.at += wordsIn(LENGTH_BYTES + length)
  return decoder.decode(bytes.subarray(from, from + length))
}

function bufferOver(memory: ArrayBuffer, at: number): LogBuffer {
  return {
    bytes: new Uint8Array(memory),
    doubles: new Float64Array(memory),
    ints: new Int32Array(memory),
    wides: new BigInt64Array(memory),
    at,
  }
}
