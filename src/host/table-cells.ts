/**
 * Reads the Arrow file of a result table as cells, batch by batch, for writing other formats.
 *
 * A file must have the columns of its table in this version, so that no unit or scale is guessed. A double becomes its
 * shortest decimal, which is exact up to about 9 million. A folder written with `--exact` has exact integers for all
 * values.
 */

import type { DataType, RecordBatch, Vector } from 'apache-arrow'
import { assert, err, type InputError, ok, parseDecimalInput, type Result } from '../core/index.ts'
import type { Cell, ColumnSchema, TableSchema } from '../results/index.ts'
import { openArrowReader } from './arrow-file.ts'

/** A table that is read as cells. */
interface TableCells {
  /** Metadata of the file. */
  readonly metadata: ReadonlyMap<string, string>
  /** The rows in order, as columns of equal length in the order of the schema; can be read only once. */
  batches(): AsyncGenerator<readonly (readonly Cell[])[]>
  close(): Promise<void>
}

/** The cells of one column in a batch. A cell without a value is NaN, or null as text. */
export interface TableColumn {
  numberAt(row: number): number
  textAt(row: number): string | null
}

/** Rows of a table, by column. */
export interface TableBatch {
  readonly rows: number
  /** A column by its name; empty if the file lacks it. */
  column(name: string): TableColumn
}

/** A table that is being read. */
export interface TableColumns {
  readonly metadata: ReadonlyMap<string, string>
  /** The rows in order; can be read only once. Throws if the bytes of a batch are damaged. */
  batches(): AsyncGenerator<TableBatch>
  close(): Promise<void>
}

/** Opens the file of a table, or returns the mistake in it. */
export async function openTableCells(
  file: string,
  schema: TableSchema,
  exact: boolean,
): Promise<Result<TableCells, InputError>> {
  const opened = await openArrowReader(file, 'checked')
  if (!opened.ok) return opened
  const { reader, close } = opened.value
  const found = reader.schema.fields.map(({ name, type }) => `${name} ${String(type)}`)
  const expected = schema.columns.map((column) => `${column.name} ${arrowTypeOf(column, exact)}`)
  const at = expected.findIndex((column, index) => column !== found[index])
  if (at >= 0 || found.length !== expected.length) {
    await close()
    const place = at >= 0 ? at : expected.length
    return err({
      code: 'RUN_FOLDER',
      file,
      expected: `the column ${expected[place] ?? 'nothing more'}`,
      found: found[place] ?? 'nothing more',
    })
  }
  return ok({
    metadata: reader.schema.metadata,
    async *batches(): AsyncGenerator<readonly (readonly Cell[])[]> {
      for await (const batch of reader) {
        yield schema.columns.map((column, index) => {
          const vector = batch.getChildAt(index)
          assert(vector !== null, 'every field of a batch has its column')
          return cellsOf(vector, column, exact)
        })
      }
    },
    close,
  })
}

/** Arrow's name for the type of a column. */
function arrowTypeOf(column: ColumnSchema, exact: boolean): string {
  switch (column.type) {
    case 'time':
      return 'Timestamp<MICROSECOND, UTC>'
    case 'int64':
      return column.scale > 0 && !exact ? 'Float64' : 'Int64'
    case 'int32':
      return 'Int32'
    case 'float64':
      return 'Float64'
    case 'boolean':
      return 'Bool'
    case 'dictionary':
      return 'Dictionary<Int8, Utf8>'
    case 'utf8':
      return 'Utf8'
  }
}

function cellsOf(vector: Vector<DataType>, column: ColumnSchema, exact: boolean): readonly Cell[] {
  const cellAt = cellReader(vector, column, exact)
  return Array.from({ length: vector.length }, (_, row) => (vector.isValid(row) ? cellAt(row) : null))
}

function cellReader(vector: Vector<DataType>, { type, scale }: ColumnSchema, exact: boolean): (row: number) => Cell {
  if (type !== 'time' && type !== 'int64') return (row) => vector.get(row)
  // Times are read from their memory, because the accessor would round them to milliseconds.
  const values: unknown = vector.data[0]?.values
  if (type === 'int64' && scale > 0 && !exact) {
    assert(values instanceof Float64Array, 'a decimal is a double')
    return (row) => scaledOf(values[row] ?? 0, scale)
  }
  assert(values instanceof BigInt64Array, 'an integer has 64 bits')
  return (row) => integerOf(values[row] ?? 0n)
}

/** The scaled integer of the shortest decimal that reads back as the double. */
function scaledOf(double: number, scale: number): number | bigint {
  const scaled = parseDecimalInput(double, scale)
  assert(scaled.ok, 'a double of a table has no more places than its scale')
  return integerOf(scaled.value)
}

/** A number if a double can hold the integer. */
function integerOf(value: bigint): number | bigint {
  const double = Number(value)
  return Number.isSafeInteger(double) ? double : value
}

/**
 * Reads the Arrow file of a result table as columns, batch by batch, for callers that need a few cells of millions of
 * rows.
 *
 * Numbers are doubles: integers are exact up to 2^53, scaled integers of `--exact` become the decimals that they
 * represent, times are microseconds since 1970. Memory: one batch.
 */

const HIGH_WORD = 2 ** 32

const empty: TableColumn = { numberAt: () => Number.NaN, textAt: () => null }

/** Opens the file of a table, or returns the mistake in it. */
export async function openTableColumns(file: string): Promise<Result<TableColumns, InputError>> {
  const opened = await openArrowReader(file, 'checked')
  if (!opened.ok) return err(opened.error)
  const { reader, close } = opened.value
  return ok({
    metadata: reader.schema.metadata,
    async *batches(): AsyncGenerator<TableBatch> {
      for await (const batch of reader) yield batchOf(batch)
    },
    close,
  })
}

function batchOf(batch: RecordBatch): TableBatch {
  const { fields } = batch.schema
  return {
    rows: batch.numRows,
    column: (name) => {
      const at = fields.findIndex((field) => field.name === name)
      const vector = at < 0 ? null : batch.getChildAt(at)
      const field = fields[at]
      if (vector === null || field === undefined) return empty
      return columnOf(vector, String(field.type), Number(field.metadata.get('scale') ?? 0))
    },
  }
}

function columnOf(vector: Vector, type: string, scale: number): TableColumn {
  const isKnown = knownCells(vector)
  const numberAt = numbersOf(vector, type, scale)
  const wordAt = type.startsWith('Dictionary') ? wordsOf(vector) : null
  return {
    numberAt: (row) => (isKnown(row) ? numberAt(row) : Number.NaN),
    textAt: (row) => {
      if (!isKnown(row)) return null
      if (wordAt !== null) return wordAt(row)
      const cell: unknown = vector.get(row)
      return cell === null ? null : String(cell)
    },
  }
}

function knownCells(vector: Vector): (row: number) => boolean {
  return vector.nullCount === 0 ? () => true : (row) => vector.isValid(row)
}

function numbersOf(vector: Vector, type: string, scale: number): (row: number) => number {
  const values: unknown = vector.data[0]?.values
  if (values instanceof BigInt64Array) {
    // Adding the two halves of an integer as doubles takes a tenth of the time of a bigint.
    const halves = new Int32Array(values.buffer, values.byteOffset, 2 * values.length)
    const unit = 10 ** scale
    const whole = (row: number): number => (halves[2 * row + 1] ?? 0) * HIGH_WORD + ((halves[2 * row] ?? 0) >>> 0)
    return scale === 0 || type.startsWith('Timestamp') ? whole : (row) => whole(row) / unit
  }
  if (values instanceof Float64Array || values instanceof Int32Array) {
    return (row) => values[row] ?? Number.NaN
  }
  return (row) => {
    const cell: unknown = vector.get(row)
    return typeof cell === 'boolean' || typeof cell === 'number' ? Number(cell) : Number.NaN
  }
}

/** Words of a closed vocabulary are looked up once per batch. */
function wordsOf(vector: Vector): (row: number) => string | null {
  const [data] = vector.data
  const codes: unknown = data?.values
  const dictionary = data?.dictionary
  if (!(codes instanceof Int8Array) || dictionary === undefined || dictionary === null) {
    return (row) => String(vector.get(row))
  }
  const words = Array.from({ length: dictionary.length }, (_, at) => String(dictionary.get(at)))
  return (row) => words[codes[row] ?? -1] ?? null
}
