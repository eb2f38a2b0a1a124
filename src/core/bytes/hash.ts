/**
 * The state hash: 128 bits over a sequence of integers, bigints, booleans and text.
 *
 * It shows that two runs reached the same state. It is not cryptographic: collisions can be constructed. Digests of
 * results use SHA-256.
 *
 * It has four 32-bit lanes. Each value becomes words, the first of which contains its type, so that the words determine
 * the sequence: 1 is not true, and 'ab', 'c' is not 'a', 'bc'. Each word passes through all four lanes, which is a
 * bijection for a given word. Only 32-bit integer operations are used. The known answers in the test hold on every
 * engine and must never change, because committed hashes do not. The state consists of plain integers and can be saved
 * in a snapshot.
 */

import { assert } from '../assert.ts'
import type { Plain } from './codec.ts'

/** An unfinished hash: four lanes and the number of words so far, each a signed 32-bit integer. */
interface StateHash {
  lane0: number
  lane1: number
  lane2: number
  lane3: number
  wordCount: number
}

/**
 * Adds plain data to a state hash. Snapshots and the hash use the same data, so neither can omit a field.
 *
 * The hash includes the counts of lists and records before their content, and keys with their values, so that the
 * sequence of words determines the structure. Doubles that are not safe integers are added as their bits.
 */

const bits = new DataView(new ArrayBuffer(8))

/** Adds a value of plain data. */
export function hashPlain(hash: StateHash, value: Plain): void {
  if (value === null) hashText(hash, 'null')
  else if (typeof value === 'boolean') hashBoolean(hash, value)
  else if (typeof value === 'number') hashNumber(hash, value)
  else if (typeof value === 'bigint') hashBig(hash, value)
  else if (typeof value === 'string') hashString(hash, value)
  else if (isNumbers(value)) {
    hashText(hash, 'numbers')
    hashInt(hash, value.length)
    for (const item of value) hashNumber(hash, item)
  } else if (isList(value)) {
    hashText(hash, 'list')
    hashInt(hash, value.length)
    for (const item of value) hashPlain(hash, item)
  } else hashRecord(hash, value)
}

function hashRecord(hash: StateHash, record: Readonly<Record<string, Plain>>): void {
  const keys = Object.keys(record)
  hashText(hash, 'record')
  hashInt(hash, keys.length)
  for (const key of keys) {
    hashText(hash, key)
    hashPlain(hash, record[key] as Plain)
  }
}

/** A text has a marker, because the type names of this file are texts too. */
function hashString(hash: StateHash, value: string): void {
  hashText(hash, 'text')
  hashText(hash, value)
}

function hashNumber(hash: StateHash, value: number): void {
  if (Number.isSafeInteger(value)) {
    hashInt(hash, value)
    return
  }
  bits.setFloat64(0, value)
  hashText(hash, 'double')
  hashInt(hash, bits.getInt32(0))
  hashInt(hash, bits.getInt32(4))
}

function isNumbers(value: Plain & object): value is Uint8Array | Int32Array | Float64Array {
  return ArrayBuffer.isView(value)
}

/** `Array.isArray` does not narrow to a readonly array. */
function isList(value: Plain & object): value is readonly Plain[] {
  return Array.isArray(value)
}

const TAG_INT = 0x01000000

const TAG_BOOLEAN = 0x02000000

const TAG_BIG_SAFE = 0x03000000

const TAG_BIG = 0x04000000

const TAG_BIG_NEGATIVE = 0x05000000

const TAG_TEXT = 0x06000000

/** 2^-32, an exact double. */
const ONE_OF_POW_32 = 2.3283064365386963e-10

const HIGH_BITS = 0x3fffff

const LENGTH_MAX = 0xffffff

/** A hash without values. */
export function createStateHash(): StateHash {
  // The first digits of the golden ratio, pi, e and the square root of two.
  return {
    lane0: 0x9e3779b9 | 0,
    lane1: 0x243f6a88,
    lane2: 0xb7e15162 | 0,
    lane3: 0x6a09e667,
    wordCount: 0,
  }
}

/** Adds a safe integer; -0 counts as 0. */
export function hashInt(hash: StateHash, value: number): void {
  assert(Number.isSafeInteger(value), 'a hashed number is a safe integer')
  mixSafe(hash, TAG_INT, value)
}

/** Adds a bigint of at most 2^24 - 1 words of 32 bits. */
export function hashBig(hash: StateHash, value: bigint): void {
  // Most money is small. Rounding never turns a bigint beyond the safe integers into a safe integer.
  const small = Number(value)
  if (Number.isSafeInteger(small)) {
    mixSafe(hash, TAG_BIG_SAFE, small)
    return
  }
  let rest = value < 0n ? -value : value
  const words: number[] = []
  while (rest > 0n) {
    words.push(Number(BigInt.asIntN(32, rest)))
    rest >>= 32n
  }
  assert(words.length <= LENGTH_MAX, 'a hashed bigint has at most 2^24 - 1 words')
  mixWord(hash, (value < 0n ? TAG_BIG_NEGATIVE : TAG_BIG) | words.length)
  for (const word of words) mixWord(hash, word)
}

/** Adds a text of at most 2^24 - 1 UTF-16 units. */
export function hashText(hash: StateHash, value: string): void {
  assert(value.length <= LENGTH_MAX, 'a hashed text has at most 2^24 - 1 units')
  mixWord(hash, TAG_TEXT | value.length)
  for (let index = 0; index < value.length; index += 2) {
    // After the end charCodeAt returns NaN, whose bits are 0; the length distinguishes the two.
    mixWord(hash, value.charCodeAt(index) | (value.charCodeAt(index + 1) << 16))
  }
}

/** Adds a boolean. */
export function hashBoolean(hash: StateHash, value: boolean): void {
  mixWord(hash, TAG_BOOLEAN | (value ? 1 : 0))
}

/** The hash so far as 32 hexadecimal digits; `hash` does not change. */
export function hashHex(hash: Readonly<StateHash>): string {
  let a = hash.lane0 ^ hash.wordCount
  let b = hash.lane1 ^ hash.wordCount
  let c = hash.lane2 ^ hash.wordCount
  let d = hash.lane3 ^ hash.wordCount
  a = (a + b + c + d) | 0
  b = finalised((b + a) | 0)
  c = finalised((c + b) | 0)
  d = finalised((d + c) | 0)
  a = finalised((a + d) | 0)
  b = finalised((b + a) | 0)
  c = finalised((c + b) | 0)
  d = finalised((d + c) | 0)
  return hexWord(a) + hexWord(b) + hexWord(c) + hexWord(d)
}

/** Two words: the tag over the upper 22 bits of the two's complement, then the lower 32 bits. */
function mixSafe(hash: StateHash, tag: number, value: number): void {
  const high = (value - (value >>> 0)) * ONE_OF_POW_32
  mixWord(hash, tag | (high & HIGH_BITS))
  mixWord(hash, value | 0)
}

/** Passes one word through the four lanes. Multipliers: xxHash32's primes, odd and so invertible. */
function mixWord(hash: StateHash, word: number): void {
  const a = Math.imul(rotated(hash.lane0 ^ word, 13), 0x9e3779b1)
  const b = Math.imul(rotated((hash.lane1 + a) | 0, 17), 0x85ebca77)
  const c = Math.imul(rotated(hash.lane2 ^ b, 11), 0xc2b2ae3d)
  const d = Math.imul(rotated((hash.lane3 + c) | 0, 19), 0x27d4eb2f)
  hash.lane0 = a ^ rotated(d, 15)
  hash.lane1 = b
  hash.lane2 = c
  hash.lane3 = d
  hash.wordCount = (hash.wordCount + 1) | 0
}

function rotated(word: number, bits: number): number {
  return (word << bits) | (word >>> (32 - bits))
}

/** The finaliser of MurmurHash3: every input bit reaches every output bit. */
function finalised(word: number): number {
  let mixed = word ^ (word >>> 16)
  mixed = Math.imul(mixed, 0x85ebca6b)
  mixed ^= mixed >>> 13
  mixed = Math.imul(mixed, 0xc2b2ae35)
  return mixed ^ (mixed >>> 16)
}

function hexWord(word: number): string {
  return (word >>> 0).toString(16).padStart(8, '0')
}
