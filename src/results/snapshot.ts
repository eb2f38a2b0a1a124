/**
 * Snapshots of blocks: the rows that no block hash covers yet, as plain data for the codec.
 *
 * Typed arrays are copied up to the last row. The checksum of the section shows that this file wrote the snapshot.
 */
import { assert, decodeValue, defined, encodeValue, type Plain } from '../core/index.ts'
import {
  type Block,
  type BlockColumn,
  createBlock,
  endTexts,
  type LargeValues,
  nextBlock,
  setMoney,
} from './columns.ts'
import { tableNames, tableSchemas } from './schema.ts'

/** The rows of a block in the form of `snapshotBlock`. */
export interface SavedBlock {
  readonly table: string
  readonly version: number
  readonly firstRow: number
  readonly rows: number
  readonly columns: readonly SavedColumn[]
}

/** A text column has `ends` and `bytes`; any other column has `values`, and large values by row. */
interface SavedColumn {
  readonly valid: Uint8Array | null
  readonly ends: Int32Array
  readonly bytes: Uint8Array
  readonly values: Float64Array
  readonly large: readonly (readonly [number, bigint])[]
}

/** The rows of a block. */
export function snapshotBlock(block: Block): Plain {
  endTexts(block)
  return {
    table: block.schema.name,
    version: block.schema.version,
    firstRow: block.firstRow,
    rows: block.rows,
    columns: block.columns.map((column) => snapshotColumn(column, block.rows)),
  }
}

/** Fills a new block with the rows of a snapshot; false if they are of another version of its table. */
export function restoreBlock(block: Block, saved: SavedBlock): boolean {
  const { table, version, firstRow, rows, columns } = saved
  if (table !== block.schema.name || version !== block.schema.version) return false
  nextBlock(block)
  block.firstRow = firstRow
  block.rows = rows
  for (const [at, column] of block.columns.entries()) {
    restoreColumn(column, rows, defined(columns[at], 'the version of a table has columns'))
  }
  return true
}

/** The rows of a block as bytes. */
export function encodeBlock(block: Block): Uint8Array {
  return encodeValue(snapshotBlock(block))
}

/**
 * Creates a decoder for the output of `encodeBlock`. The caller must have checked the bytes. The decoder reuses one
 * block for each table.
 */
export function createBlockDecoder(): (bytes: Uint8Array) => Block {
  const blocks = new Map<string, Block>()
  return (bytes) => {
    const decoded = decodeValue(bytes)
    assert(decoded.ok, 'the bytes of a block are complete')
    const saved = decoded.value as unknown as SavedBlock
    const name = defined(
      tableNames.find((known) => known === saved.table),
      'a block belongs to a table',
    )
    const block = blocks.get(name) ?? createBlock<typeof name>(tableSchemas[name] as never)
    blocks.set(name, block)
    assert(restoreBlock(block, saved), 'a block has the version of its table')
    return block
  }
}

function snapshotColumn(column: BlockColumn, rows: number): Plain {
  const valid = column.valid === null ? null : column.valid.slice(0, (rows + 7) >> 3)
  if (column.kind === 'text') {
    const ends = column.ends.slice(0, rows + 1)
    return { ends, bytes: column.bytes.slice(0, ends[rows]), valid }
  }
  // A new column contains zeros, so a column without values needs no copy.
  const values = column.values.slice(0, column.hasValues ? rows : 0)
  return { values, large: column.kind === 'wide' ? largeEntries(column.large) : [], valid }
}

function restoreColumn(column: BlockColumn, rows: number, saved: SavedColumn): void {
  if (column.valid !== null && saved.valid !== null) {
    column.valid.set(saved.valid)
    column.hasValues = saved.valid.some((bits) => bits !== 0)
  }
  if (column.kind === 'text') {
    const { ends, bytes } = saved
    column.ends.set(ends)
    column.ended = rows
    if (bytes.length > column.bytes.length) column.bytes = bytes
    else column.bytes.set(bytes)
    return
  }
  column.values.set(saved.values)
  if (column.kind !== 'wide') return
  for (const [row, value] of saved.large) setMoney(column, row, value)
}

function largeEntries(large: LargeValues): Plain {
  return Array.from(large.rows.subarray(0, large.count), (row, index) => [
    row,
    defined(large.values[index], 'every large value has a row'),
  ])
}
