/**
 * Blocks: up to 4,096 rows of one table in typed arrays, filled row by row and then reused.
 *
 * A 64-bit integer is stored as a double, which is exact up to 2^53; larger ones (such as an amount above 9 million)
 * are stored separately in `large`. Nothing wraps: a value beyond 64 bits fails an assertion.
 *
 * A row of a nullable column is null until a value is set: 0 with a clear validity bit. A writer without a value does
 * not touch the column, so any number of such columns costs nothing.
 *
 * Only this file knows the layout of values. `test/support/naive-columns.ts` is its oracle: arrays of plain objects.
 *
 * Cost of a row: one store for each column. Memory: 8 bytes per value for `int64`, `time` and `float64`, 4 for `int32`
 * and text, 1 for words and flags; about 550 KB for a block of `orders`.
 */
import { assert, mulSub } from '../core/index.ts'
import type { ColumnSchema } from './column-schema.ts'
import type { StoredColumn, TableName } from './schema.ts'
import type { TableSchema } from './tables/table-schema.ts'

/** Rows of a full block. A multiple of 8, so that validity bits of blocks can be joined. */
export const BLOCK_ROWS = 4096

/** 64-bit integers that a double cannot hold: row `rows[i]` is `values[i]`, in ascending row order. */
export interface LargeValues {
  count: number
  rows: Int32Array
  values: BigInt64Array
  /** The low and the high half of each of `values`, as a view of the same memory. */
  halves: Int32Array
}

/** Fields that columns of all kinds have. */
interface AnyColumn {
  readonly schema: ColumnSchema
  /** A bit for each row of a nullable column, 1 for a row with a value; null for other columns. */
  readonly valid: Uint8Array | null
  /** True if any row has a value; always true for a column that is not nullable. */
  hasValues: boolean
}

/** Values of an `int64` or `time` column. Rows in `large` are 0 in `values`. */
export interface WideColumn extends AnyColumn {
  readonly kind: 'wide'
  readonly values: Float64Array
  readonly large: LargeValues
}

/** Values of an `int32` column. */
export interface Int32Column extends AnyColumn {
  readonly kind: 'int32'
  readonly values: Int32Array
}

/** Values of a `float64` column; never NaN. */
export interface DoubleColumn extends AnyColumn {
  readonly kind: 'double'
  readonly values: Float64Array
}

/** Codes of a `dictionary` column, or 0 and 1 of a `boolean` one. */
export interface CodeColumn extends AnyColumn {
  readonly kind: 'code'
  readonly values: Uint8Array
}

/** Texts of a `utf8` column: row r is `bytes` from `ends[r]` to `ends[r + 1]`. */
export interface TextColumn extends AnyColumn {
  readonly kind: 'text'
  /** Number of rows whose end is known. Later rows that the writer did not set are null. */
  ended: number
  readonly ends: Int32Array
  bytes: Uint8Array
}

/** A column of a block. */
export type BlockColumn = WideColumn | Int32Column | DoubleColumn | CodeColumn | TextColumn

interface ColumnByType {
  readonly int64: WideColumn
  readonly time: WideColumn
  readonly int32: Int32Column
  readonly float64: DoubleColumn
  readonly dictionary: CodeColumn
  readonly boolean: CodeColumn
  readonly utf8: TextColumn
}

/** The stored columns of a table by name. */
type ColumnsOf<Name extends TableName> = {
  readonly [C in StoredColumn<Name> as C['name']]: ColumnByType[C['type']]
}

/** The values of columns that are neither texts nor nullable, by name, for direct stores: `time[row] = …`. */
type ValuesOf<Name extends TableName> = {
  readonly [C in Exclude<
    StoredColumn<Name>,
    { readonly type: 'utf8' } | { readonly nullable: true }
  > as C['name']]: Exclude<ColumnByType[C['type']], TextColumn>['values']
}

/** Names of ids, in the order of the ids; derived columns are looked up here. */
export interface IdNames {
  readonly instrument_id: string[]
  readonly account_id: string[]
}

/** Rows of one table that have not been hashed and written yet. */
export interface Block {
  readonly schema: TableSchema
  /** The stored columns in the order of the schema. */
  readonly columns: readonly BlockColumn[]
  /** Number of rows filled so far, the same in every column. */
  rows: number
  /** Number of rows of the table before this block. */
  firstRow: number
}

/** A block with access to its columns by name. */
export interface NamedBlock<Name extends TableName> extends Block {
  readonly byName: ColumnsOf<Name>
  readonly values: ValuesOf<Name>
}

const encoder = new TextEncoder()
const TEXT_BYTES_MIN = 1024
const LARGE_VALUES_MIN = 64
const TWO_32 = 4_294_967_296
const INVERSE_TWO_32 = 2.3283064365386963e-10

/** An empty block of a table. */
export function createBlock<Name extends TableName>(schema: TableSchema & { readonly name: Name }): NamedBlock<Name> {
  const columns = schema.columns.filter(({ derivedFrom }) => derivedFrom === null).map((column) => createColumn(column))
  const byName = columns.map((column) => [column.schema.name, column] as const)
  const values = columns.flatMap((column) =>
    column.kind === 'text' || column.valid !== null ? [] : [[column.schema.name, column.values] as const],
  )
  // Written out instead of spread: objects of one literal have one shape, which makes V8 a fifth faster.
  return {
    schema,
    columns,
    rows: 0,
    firstRow: 0,
    // The types give each column its type from the schema; a loop over columns cannot be typed.
    byName: Object.fromEntries(byName) as unknown as ColumnsOf<Name>,
    values: Object.fromEntries(values) as unknown as ValuesOf<Name>,
  }
}

/** Prepares for the next rows: empties the block and sets `firstRow` after its former rows. */
export function nextBlock(block: Block): void {
  block.firstRow += block.rows
  block.rows = 0
  for (const column of block.columns) {
    if (column.kind === 'wide') column.large.count = 0
    if (column.kind === 'text') column.ended = 0
    if (column.valid === null || !column.hasValues) continue
    column.valid.fill(0)
    column.hasValues = false
    if (column.kind !== 'text') column.values.fill(0)
  }
}

/** Ends the texts that writers did not set, so that the rows of a block can be read. */
export function endTexts(block: Block): void {
  for (const column of block.columns) {
    if (column.kind === 'text') endTextsBefore(column, block.rows)
  }
}

/** Ends the current row, and passes a full block to `seal`, which empties it. */
export function endRow(block: Block, seal: (block: Block) => void): void {
  block.rows += 1
  if (block.rows === BLOCK_ROWS) seal(block)
  assert(block.rows < BLOCK_ROWS, 'the block has space for the next row')
}

/** Sets the product of two safe integers, such as lots and the amount of one lot. */
export function setProduct(column: WideColumn, row: number, lots: number, step9: number): void {
  const product = lots * step9
  if (product <= Number.MAX_SAFE_INTEGER && product >= Number.MIN_SAFE_INTEGER) {
    column.values[row] = product
    return
  }
  // The double is off by at most 2^10, so the high half is either right or off by one.
  let high = Math.floor(product * INVERSE_TWO_32)
  let low = mulSub(lots, step9, high, TWO_32)
  if (low < 0) {
    high -= 1
    low += TWO_32
  } else if (low >= TWO_32) {
    high += 1
    low -= TWO_32
  }
  setHalves(column, row, high, low | 0)
}

/** Sets money. */
export function setMoney(column: WideColumn, row: number, value: bigint): void {
  const double = Number(value)
  if (Number.isSafeInteger(double)) {
    column.values[row] = double
    return
  }
  const high = Number(value >> 32n)
  setHalves(column, row, high, Number(BigInt.asIntN(32, value)))
}

/** Sets money from a 64-bit integer in two halves: the low half at an index, the high half after it. */
export function setMoneyHalves(column: WideColumn, row: number, source: Int32Array, at: number): void {
  const low = source[at] as number
  const high = source[at + 1] as number
  const value = high * TWO_32 + (low >>> 0)
  if (value <= Number.MAX_SAFE_INTEGER && value >= Number.MIN_SAFE_INTEGER) {
    column.values[row] = value
  } else setHalves(column, row, high, low)
}

/** The largest value of a 64-bit column. */
const MONEY_MAX = 9_223_372_036_854_775_807n

/** The smallest value of a 64-bit column. */
const MONEY_MIN = -9_223_372_036_854_775_808n

/** Valued money in the form of result tables: margins and values that exceed 64 bits become the largest such value. */
export function moneyInTable(money: bigint): bigint {
  if (money > MONEY_MAX) return MONEY_MAX
  return money < MONEY_MIN ? MONEY_MIN : money
}

/** The exact form of a sum, or null if it exceeds 64 bits: its row has the nearest double as well. */
export function exactInTable(sum: bigint | null): bigint | null {
  return sum !== null && moneyInTable(sum) === sum ? sum : null
}

/** Sets a value in a nullable column. */
export function setValue(column: Exclude<BlockColumn, TextColumn>, row: number, value: number): void {
  column.values[row] = value
  markValid(column, row)
}

/** Sets a product in a nullable column. */
export function setValidProduct(column: WideColumn, row: number, lots: number, step9: number): void {
  setProduct(column, row, lots, step9)
  markValid(column, row)
}

/** Sets money in a nullable column. */
export function setValidMoney(column: WideColumn, row: number, value: bigint): void {
  setMoney(column, row, value)
  markValid(column, row)
}

/** Sets a text, or null in a nullable column, where a row may also stay unset. Rows must come in order. */
export function setText(column: TextColumn, row: number, text: string | null): void {
  if (column.ended !== row) endTextsBefore(column, row)
  const start = column.ends[row] as number
  column.ended = row + 1
  column.ends[row + 1] = text === null || text === '' ? start : appendText(column, start, text)
  if (column.valid === null) assert(text !== null, 'only a nullable column holds null')
  else if (text !== null) markValid(column, row)
}

/** True if a row has a value. */
export function isValidAt(column: BlockColumn, row: number): boolean {
  return column.valid === null || ((column.valid[row >> 3] as number) & (1 << (row & 7))) !== 0
}

/**
 * Writes the first `rows` values as little-endian 64-bit integers, each as a low and a high half. Cost: two nanoseconds
 * per value; a BigInt64Array filled with BigInt() costs twenty.
 */
export function copyInt64(column: WideColumn, rows: number, target: Int32Array): void {
  for (let row = 0; row < rows; row += 1) {
    const value = column.values[row] as number
    const high = Math.floor(value * INVERSE_TWO_32)
    target[2 * row] = (value - high * TWO_32) | 0
    target[2 * row + 1] = high | 0
  }
  for (let index = 0; index < column.large.count; index += 1) {
    const row = column.large.rows[index] as number
    target[2 * row] = column.large.halves[2 * index] as number
    target[2 * row + 1] = column.large.halves[2 * index + 1] as number
  }
}

/** The exact value of a column at a row, ignoring validity; codes stay codes. */
export function exactAt(column: BlockColumn, row: number): bigint | number | string {
  if (column.kind === 'wide') {
    const index = column.large.rows.subarray(0, column.large.count).indexOf(row)
    return column.large.values[index] ?? BigInt(column.values[row] as number)
  }
  if (column.kind !== 'text') return column.values[row] as number
  const [from, to] = [column.ends[row] as number, column.ends[row + 1] as number]
  return new TextDecoder('utf-8', { ignoreBOM: true }).decode(column.bytes.subarray(from, to))
}

function createColumn(schema: ColumnSchema): BlockColumn {
  const valid = schema.nullable ? new Uint8Array(BLOCK_ROWS >> 3) : null
  const hasValues = !schema.nullable
  switch (schema.type) {
    case 'int64':
    case 'time':
      return {
        schema,
        kind: 'wide',
        values: new Float64Array(BLOCK_ROWS),
        large: createLarge(0),
        valid,
        hasValues,
      }
    case 'int32':
      return { schema, kind: 'int32', values: new Int32Array(BLOCK_ROWS), valid, hasValues }
    case 'float64':
      return { schema, kind: 'double', values: new Float64Array(BLOCK_ROWS), valid, hasValues }
    case 'dictionary':
    case 'boolean':
      return { schema, kind: 'code', values: new Uint8Array(BLOCK_ROWS), valid, hasValues }
    case 'utf8':
      return {
        schema,
        kind: 'text',
        ended: 0,
        ends: new Int32Array(BLOCK_ROWS + 1),
        bytes: new Uint8Array(TEXT_BYTES_MIN),
        valid,
        hasValues,
      }
  }
}

/** Memory for large values. Columns that never need it allocate none. */
function createLarge(capacity: number): LargeValues {
  const values = new BigInt64Array(capacity)
  const halves = new Int32Array(values.buffer)
  return { count: 0, rows: new Int32Array(capacity), values, halves }
}

function setHalves(column: WideColumn, row: number, high: number, low: number): void {
  assert((high | 0) === high, 'a value of a result table fits in 64 bits')
  const { large } = column
  if (large.count === large.rows.length) growLarge(large)
  column.values[row] = 0
  large.rows[large.count] = row
  large.halves[2 * large.count] = low
  large.halves[2 * large.count + 1] = high
  large.count += 1
}

function growLarge(large: LargeValues): void {
  const { count, rows, values } = large
  Object.assign(large, createLarge(Math.max(2 * count, LARGE_VALUES_MIN)))
  large.count = count
  large.rows.set(rows)
  large.values.set(values)
}

function markValid(column: BlockColumn, row: number): void {
  assert(column.valid !== null, 'only a nullable column has validity marks')
  column.valid[row >> 3] = (column.valid[row >> 3] as number) | (1 << (row & 7))
  column.hasValues = true
}

/** Makes unset rows before a row null. */
function endTextsBefore(column: TextColumn, row: number): void {
  assert(column.ended <= row, 'rows of a text column are set in order')
  assert(column.ended === row || column.valid !== null, 'only a nullable text may be missing')
  column.ends.fill(column.ends[column.ended] as number, column.ended + 1, row + 1)
  column.ended = row
}

/** Appends the UTF-8 of a text at `start`; returns its end. */
function appendText(column: TextColumn, start: number, text: string): number {
  reserveText(column, start + text.length * 3)
  const { bytes } = column
  for (let at = 0; at < text.length; at += 1) {
    const unit = text.charCodeAt(at)
    // The platform encodes texts beyond ASCII; its standard turns a lone surrogate into U+FFFD.
    if (unit > 0x7f) return start + encoder.encodeInto(text, bytes.subarray(start)).written
    bytes[start + at] = unit
  }
  return start + text.length
}

function reserveText(column: TextColumn, length: number): void {
  if (length <= column.bytes.length) return
  let capacity = column.bytes.length
  while (capacity < length) capacity *= 2
  const grown = new Uint8Array(capacity)
  grown.set(column.bytes)
  column.bytes = grown
}
