/**
 * Writes tables as Parquet files with hyparquet-writer, which is loaded only for this format.
 *
 * - Times are TIMESTAMP(MICROS, UTC), counts and ids INT64 or INT32, texts and words STRING. Prices, amounts, rates and
 *   money are DOUBLE, each the double nearest to the exact decimal; with `exact` they are DECIMAL(18, 9).
 * - Parquet has no column metadata that readers show. So the units and descriptions of columns are stored as JSON under
 *   `pitclock.columns` in the metadata of the file, in addition to the metadata of an Arrow file.
 * - A row group has up to 65,536 rows and is written when it is full. So memory grows with the file only by a few
 *   hundred bytes of the footer for each column of a group. Equal rows and metadata give equal bytes.
 */
import { ByteWriter, type ColumnSource, ParquetWriter, type SchemaElement } from 'hyparquet-writer'
import { assert, scaledToNumber } from '../../core/index.ts'
import type { ColumnSchema } from '../column-schema.ts'
import { metadataOfTable, type TableEncoder, type TableOptions, type WriteBytes } from '../table-format.ts'
import type { TableSchema } from '../tables/table-schema.ts'
import { blockWriter, type Cell, type CellEncoder, type CellWriter } from './block-cells.ts'

/** Maximum number of rows in a row group. */
const GROUP_ROWS = 65_536

/** Digits of a DECIMAL that is stored in 64 bits. */
const DECIMAL_DIGITS = 18

/** The encoder of Parquet files. */
export const parquetEncoder: TableEncoder & CellEncoder = {
  createCellWriter,
  createTableWriter: (schema, options, write) => blockWriter(createCellWriter(schema, options, write)),
}

/** A buffer that passes its bytes on after each row group and is then reused. */
class GroupBuffer extends ByteWriter {
  readonly #put: WriteBytes

  constructor(put: WriteBytes) {
    super()
    this.#put = put
  }

  flush(): void {
    this.#put(this.getBytes())
    this.index = 0
  }

  override finish(): void {
    this.flush()
  }
}

function createCellWriter(schema: TableSchema, options: TableOptions, write: WriteBytes): CellWriter {
  const kvMetadata = [...metadataOfTable(schema, options), ['pitclock.columns', columnsText(schema)] as const].map(
    ([key, value]) => ({ key, value }),
  )
  const writer = new ParquetWriter({
    writer: new GroupBuffer(write),
    schema: [
      { name: 'schema', num_children: schema.columns.length },
      ...schema.columns.map((column) => elementOf(column, options.exact)),
    ],
    kvMetadata,
    createdBy: 'pitclock',
  })
  const waiting: Cell[][] = schema.columns.map(() => [])
  const waitingRows = (): number => waiting[0]?.length ?? 0
  let isClosed = false

  const writeGroup = (rows: number): void => {
    const columnData = schema.columns.map((column, at) => {
      const cells = waiting[at]?.splice(0, rows) ?? []
      return sourceOf(column, cells, options.exact)
    })
    const done = writer.write({ columnData, rowGroupSize: rows })
    assert(done === undefined, 'no earlier bytes are pending')
  }
  return {
    write: (columns) => {
      assert(!isClosed, 'a closed file accepts no rows')
      assert(columns.length === waiting.length, 'rows have the columns of the table')
      columns.forEach((cells, at) => {
        const own = waiting[at]
        for (const cell of cells) own?.push(cell)
      })
      while (waitingRows() >= GROUP_ROWS) writeGroup(GROUP_ROWS)
    },
    close: () => {
      assert(!isClosed, 'a file is closed once')
      isClosed = true
      if (waitingRows() > 0) writeGroup(waitingRows())
      const done = writer.finish()
      assert(done === undefined, 'no earlier bytes are pending')
    },
  }
}

/** Unit and description of each column as JSON, without empty texts. */
function columnsText(schema: TableSchema): string {
  const entries = schema.columns.map((column) => {
    const about: { [key: string]: string } = { description: column.description }
    if (column.unit !== '') about['unit'] = column.unit
    if (column.derivedFrom !== null) about['derived_from'] = column.derivedFrom
    return [column.name, about] as const
  })
  return JSON.stringify(Object.fromEntries(entries))
}

function elementOf(column: ColumnSchema, exact: boolean): SchemaElement {
  const { name } = column
  const repetition_type = column.nullable ? 'OPTIONAL' : 'REQUIRED'
  switch (column.type) {
    case 'time':
      return {
        name,
        repetition_type,
        type: 'INT64',
        converted_type: 'TIMESTAMP_MICROS',
        logical_type: { type: 'TIMESTAMP', isAdjustedToUTC: true, unit: 'MICROS' },
      }
    case 'int64':
      if (column.scale === 0) return { name, repetition_type, type: 'INT64' }
      return { name, repetition_type, ...(exact ? decimalOf(column.scale) : { type: 'DOUBLE' }) }
    case 'int32':
      return { name, repetition_type, type: 'INT32' }
    case 'float64':
      return { name, repetition_type, type: 'DOUBLE' }
    case 'boolean':
      return { name, repetition_type, type: 'BOOLEAN' }
    case 'dictionary':
    case 'utf8':
      return {
        name,
        repetition_type,
        type: 'BYTE_ARRAY',
        converted_type: 'UTF8',
        logical_type: { type: 'STRING' },
      }
  }
}

/** The type of exact decimals. The writer expects a bigint with the scaled integer. */
function decimalOf(scale: number): Omit<SchemaElement, 'name'> {
  const terms = { precision: DECIMAL_DIGITS, scale }
  return {
    type: 'INT64',
    converted_type: 'DECIMAL',
    logical_type: { type: 'DECIMAL', ...terms },
    ...terms,
  }
}

function sourceOf(column: ColumnSchema, cells: Cell[], exact: boolean): ColumnSource {
  const { name, type, scale } = column
  if (type !== 'int64' && type !== 'time') return { name, data: cells }
  const isDouble = scale > 0 && !exact
  // Integers are always numbers or bigints here.
  const data = (cells as (number | bigint | null)[]).map((cell) => {
    if (cell === null) return null
    return isDouble ? scaledToNumber(cell, scale) : BigInt(cell)
  })
  return { name, data }
}
