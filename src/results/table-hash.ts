/**
 * The hash of a table: the same rows give the same hash on every machine, in any file format. The manifest of a run
 * contains it for each written table. (The digest of the run covers its event log: `digest.ts`.)
 *
 * `data/README.md` has the layout of the hashed bytes.
 *
 * The state between blocks is one hash, so that a snapshot can continue it. SHA-256 is injected.
 */
import { assert } from '../core/index.ts'
import { BLOCK_ROWS, type Block, type BlockColumn, copyInt64 } from './columns.ts'
import { hexOf, type Sha256, type Sha256Factory } from './sha256.ts'
import type { TableSchema } from './tables/table-schema.ts'

/** Facts about a finished table. */
export interface TableDigest {
  readonly name: string
  readonly version: number
  readonly rows: number
  /** Hash of the last block in hexadecimal; zeros for a table without rows. */
  readonly hash: string
}

/** A table with its number of rows and its hash. */
interface HashedTable {
  readonly schema: TableSchema
  readonly rows: number
  readonly hash: Uint8Array
}

const HASH_BYTES = 32

/** The hash before the first block. */
export function firstHash(): Uint8Array {
  return new Uint8Array(HASH_BYTES)
}

/** Hashes blocks one after another, with one reused buffer. */
export function createBlockHasher(sha256: Sha256Factory): (previous: Uint8Array, block: Block) => Uint8Array {
  /** Lengths of texts, or 64-bit integers as a low and a high half. */
  const words = new Int32Array(2 * BLOCK_ROWS)
  assert(isLittleEndian(), 'the platform is little-endian')
  return (previous, block) => {
    assert(block.rows > 0 && block.rows <= BLOCK_ROWS, 'a hashed block has rows')
    const hash = sha256()
    hash.update(previous)
    for (const column of block.columns) {
      if (!column.hasValues) continue
      hash.update(headOf(column.schema.name))
      if (column.valid !== null) hash.update(column.valid.subarray(0, (block.rows + 7) >> 3))
      hashValues(hash, column, block.rows, words)
    }
    return hash.digest()
  }
}

/** Facts about a table. */
export function tableDigest({ schema: { name, version }, rows, hash }: HashedTable): TableDigest {
  return { name, version, rows, hash: hexOf(hash) }
}

/** The bytes of column names, each followed by a zero byte. */
const heads = new Map<string, Uint8Array>()
const encoder = new TextEncoder()

function headOf(name: string): Uint8Array {
  const known = heads.get(name)
  if (known !== undefined) return known
  const head = encoder.encode(`${name}\0`)
  heads.set(name, head)
  return head
}

function hashValues(hash: Sha256, column: BlockColumn, rows: number, words: Int32Array): void {
  if (column.kind === 'text') {
    const { ends, bytes } = column
    for (let row = 0; row < rows; row += 1) {
      words[row] = (ends[row + 1] as number) - (ends[row] as number)
    }
    hash.update(bytesOf(words, rows))
    hash.update(bytes.subarray(0, ends[rows]))
  } else if (column.kind === 'wide') {
    copyInt64(column, rows, words)
    hash.update(bytesOf(words, 2 * rows))
  } else hash.update(bytesOf(column.values, rows))
}

function bytesOf(values: Uint8Array | Int32Array | Float64Array, length: number): Uint8Array {
  return new Uint8Array(values.buffer, values.byteOffset, length * values.BYTES_PER_ELEMENT)
}

function isLittleEndian(): boolean {
  return new Uint8Array(new Uint16Array([1]).buffer)[0] === 1
}
