/**
 * The hash of a table: the same rows give the same hash on every machine, whatever is written. The manifest of a run
 * has it of each table that it wrote. (The digest of the run is that of its event log: `digest.ts`.)
 *
 * The rows in order are cut into blocks of 4,096; the last one may be shorter.
 *
 *     block hash = SHA-256(previous block hash, column 1, column 2, …)
 *
 * The hash before the first block is 32 zero bytes, and the hash of a table is that of its last
 * block. The columns stand in the order of the schema, without the derived ones. All integers are
 * little-endian. The bytes of a column are:
 *
 * | Type | Bytes for n rows |
 * |---|---|
 * | `int64` | n signed 64-bit integers, at the column's scale |
 * | `time` | n signed 64-bit integers, microseconds since the epoch |
 * | `int32`, `dictionary`, `boolean` | n signed 64-bit integers: value, code, 0 or 1 |
 * | `float64` | n doubles of 64 bits (IEEE 754), zero without a sign |
 * | `utf8` | n unsigned 32-bit byte lengths, then the UTF-8 bytes of all rows, joined |
 *
 * A nullable column begins with its validity: n bits in ceil(n / 8) bytes, row r is bit r % 8 (from the
 * least) of byte floor(r / 8), 1 where there is a value; the bits after the last row are 0. Where no row
 * has a value nothing follows; else the bytes above do, null being 0 or a text of length 0. DESIGN 7 has
 * values first and always; columns that few orders use would then cost every order their hash.
 *
 * The state between blocks is one hash, so that a snapshot continues it. SHA-256 is injected.
 */
import { assert } from '../core/index.ts'
import { BLOCK_ROWS, type Block, type BlockColumn, copyInt64 } from './columns.ts'
import { hexOf, type Sha256, type Sha256Factory } from './sha256.ts'
import type { TableSchema } from './tables/table-schema.ts'

/** Facts about a table that was made. */
export interface TableDigest {
  readonly name: string
  readonly version: number
  readonly rows: number
  /** Hash of the last block in hexadecimal; zeros for a table without rows. */
  readonly hash: string
}

/** A table with its number of rows and its hash. */
export interface HashedTable {
  readonly schema: TableSchema
  readonly rows: number
  readonly hash: Uint8Array
}

interface Scratch {
  /** Integers of 64 bits as a low and a high half. */
  readonly halves: Int32Array
  /** Integers of 64 bits of which only the lowest byte is ever set. */
  readonly codes: Uint8Array
}

const HASH_BYTES = 32

/** The hash before the first block. */
export function firstHash(): Uint8Array {
  return new Uint8Array(HASH_BYTES)
}

/** Hashes blocks one after another, with one scratch buffer. */
export function createBlockHasher(
  sha256: Sha256Factory,
): (previous: Uint8Array, block: Block) => Uint8Array {
  const scratch = {
    halves: new Int32Array(2 * BLOCK_ROWS),
    codes: new Uint8Array(8 * BLOCK_ROWS),
  }
  assert(isLittleEndian(), 'the platform is little-endian')
  return (previous, block) => {
    assert(block.rows > 0 && block.rows <= BLOCK_ROWS, 'a hashed block has rows')
    const hash = sha256()
    hash.update(previous)
    for (const column of block.columns) {
      if (column.valid !== null) hash.update(column.valid.subarray(0, (block.rows + 7) >> 3))
      if (column.hasValues) hashValues(hash, column, block.rows, scratch)
    }
    return hash.digest()
  }
}

/** Facts about a table. */
export function tableDigest({ schema: { name, version }, rows, hash }: HashedTable): TableDigest {
  return { name, version, rows, hash: hexOf(hash) }
}

function hashValues(hash: Sha256, column: BlockColumn, rows: number, scratch: Scratch): void {
  const { halves, codes } = scratch
  if (column.kind === 'text') {
    const { ends, bytes } = column
    for (let row = 0; row < rows; row += 1) {
      halves[row] = (ends[row + 1] as number) - (ends[row] as number)
    }
    hash.update(bytesOf(halves, rows))
    hash.update(bytes.subarray(0, ends[rows]))
    return
  }
  if (column.kind === 'code') {
    for (let row = 0; row < rows; row += 1) codes[8 * row] = column.values[row] as number
    hash.update(codes.subarray(0, 8 * rows))
    return
  }
  if (column.kind === 'double') {
    hash.update(new Uint8Array(column.values.buffer, column.values.byteOffset, rows * 8))
    return
  }
  if (column.kind === 'wide') copyInt64(column, rows, halves)
  else widenInt32(column.values, rows, halves)
  hash.update(bytesOf(halves, 2 * rows))
}

function widenInt32(values: Int32Array, rows: number, halves: Int32Array): void {
  for (let row = 0; row < rows; row += 1) {
    const value = values[row] as number
    halves[2 * row] = value
    halves[2 * row + 1] = value >> 31
  }
}

function bytesOf(words: Int32Array, length: number): Uint8Array {
  return new Uint8Array(words.buffer, words.byteOffset, length * 4)
}

function isLittleEndian(): boolean {
  return new Uint8Array(new Uint16Array([1]).buffer)[0] === 1
}
