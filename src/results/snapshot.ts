/**
 * Snapshots of blocks: the rows that no block hash covers yet, as plain data for the codec.
 *
 * Typed arrays are copied up to the last row. What a snapshot holds was written by this file and is
 * guarded by the checksum of its section; a shape that this version does not know is still refused.
 */
import { defined, type Plain } from '../core/index.ts'
import {
  BLOCK_ROWS,
  type Block,
  type BlockColumn,
  endTexts,
  type LargeValues,
  nextBlock,
  setMoney,
  type WideColumn,
} from './columns.ts'

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

/** Fills a new block with the rows of a snapshot; false where they are not of its table. */
export function restoreBlock(block: Block, saved: Plain | undefined): boolean {
  if (!isRecord(saved)) return false
  const { table, version, firstRow, rows, columns } = saved
  if (table !== block.schema.name || version !== block.schema.version) return false
  if (!isCount(firstRow) || !isCount(rows) || rows >= BLOCK_ROWS) return false
  if (!Array.isArray(columns) || columns.length !== block.columns.length) return false
  nextBlock(block)
  block.firstRow = firstRow
  block.rows = rows
  return block.columns.every((column, at) => restoreColumn(column, rows, columns[at]))
}

/** Whether a decoded value is a record, with fields to look at. */
export function isRecord(value: Plain | undefined): value is { readonly [key: string]: Plain } {
  const isObject = typeof value === 'object' && value !== null && !Array.isArray(value)
  return isObject && !ArrayBuffer.isView(value)
}

function isCount(value: Plain | undefined): value is number {
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0
}

function snapshotColumn(column: BlockColumn, rows: number): Plain {
  const valid = column.valid === null ? null : column.valid.slice(0, (rows + 7) >> 3)
  if (column.kind === 'text') {
    const ends = column.ends.slice(0, rows + 1)
    return { ends, bytes: column.bytes.slice(0, ends[rows]), valid }
  }
  // A column without a value has its zeros from the start.
  const values = column.values.slice(0, column.hasValues ? rows : 0)
  return { values, large: column.kind === 'wide' ? largeEntries(column.large) : [], valid }
}

function restoreColumn(column: BlockColumn, rows: number, saved: Plain | undefined): boolean {
  if (!isRecord(saved)) return false
  const { valid, values, ends, bytes } = saved
  if ((column.valid === null) !== (valid === null)) return false
  if (column.valid !== null) {
    if (!(valid instanceof Uint8Array) || valid.length !== (rows + 7) >> 3) return false
    column.valid.set(valid)
    column.hasValues = valid.some((bits) => bits !== 0)
  }
  if (column.kind === 'text') {
    if (!(ends instanceof Int32Array && bytes instanceof Uint8Array)) return false
    if (ends.length !== rows + 1 || ends[rows] !== bytes.length) return false
    column.ends.set(ends)
    column.ended = rows
    if (bytes.length > column.bytes.length) column.bytes = bytes
    else column.bytes.set(bytes)
    return true
  }
  const count = column.hasValues ? rows : 0
  if (column.kind === 'wide') {
    if (!(values instanceof Float64Array) || values.length !== count) return false
    column.values.set(values)
    return restoreLarge(column, saved['large'])
  }
  const isOfKind = column.kind === 'int32' ? values instanceof Int32Array : isBytes(values)
  if (!isOfKind || !isNumbers(values) || values.length !== count) return false
  column.values.set(values)
  return true
}

function isBytes(value: Plain | undefined): boolean {
  return value instanceof Uint8Array
}

function isNumbers(value: Plain | undefined): value is Int32Array | Uint8Array {
  return value instanceof Int32Array || value instanceof Uint8Array
}

function largeEntries(large: LargeValues): Plain {
  return Array.from(large.rows.subarray(0, large.count), (row, index) => [
    row,
    defined(large.values[index], 'every large value has its row'),
  ])
}

function restoreLarge(column: WideColumn, saved: Plain | undefined): boolean {
  if (!Array.isArray(saved)) return false
  for (const entry of saved) {
    const [row, value] = Array.isArray(entry) ? entry : []
    if (typeof row !== 'number' || typeof value !== 'bigint') return false
    setMoney(column, row, value)
  }
  return true
}
