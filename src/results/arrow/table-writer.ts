/**
 * Writes blocks as Arrow files (IPC file format) with apache-arrow. Only this folder of `results` imports that package,
 * and it is loaded only when a run writes files.
 *
 * - Prices, amounts, rates and money are Float64, each the double nearest to the exact decimal; with `exact` they are
 *   Int64 with the field metadata `scale`.
 * - Equal rows and metadata give equal bytes: nothing depends on the machine or the time.
 * - Dictionaries are complete before the first batch, and a table without rows has one empty batch, because batches
 *   carry them.
 * - A batch has up to 16,384 rows. Its arrays are written before `add` returns and then reused, so that memory does not
 *   grow with the length of a file. Each column of a batch copies the rows of blocks into its arrays.
 */
import {
  Bool,
  type Data,
  type DataType,
  Dictionary,
  Field,
  Float64,
  Int8,
  Int32,
  Int64,
  Message,
  makeData,
  RecordBatch,
  RecordBatchFileWriter,
  Schema,
  Struct,
  TimestampMicrosecond,
  Utf8,
  vectorFromArray,
} from 'apache-arrow'
import { assert, defined, divNearest, powerOfTen, scaledToNumber } from '../../core/index.ts'
import type { ColumnSchema, DerivedFrom } from '../column-schema.ts'
import {
  BLOCK_ROWS,
  type Block,
  type BlockColumn,
  type CodeColumn,
  copyInt64,
  type DoubleColumn,
  type IdNames,
  type Int32Column,
  isValidAt,
  type TextColumn,
  type WideColumn,
} from '../columns.ts'
import {
  metadataOfTable,
  type TableEncoder,
  type TableOptions,
  type TableWriter,
  type WriteBytes,
} from '../table-format.ts'
import type { TableSchema } from '../tables/table-schema.ts'

/** The encoder that `loadArrowEncoder` returns. */
export interface ArrowEncoder extends TableEncoder {
  /** A writer of batches other than result tables, such as the batches of a tape. */
  createFileWriter(write: WriteBytes): ArrowFileWriter
}

/** Writes the batches of one file. */
interface ArrowFileWriter {
  /** Writes a batch; its arrays may be reused afterwards. The first batch determines the schema. */
  write(batch: RecordBatch): void
  /**
   * Writes the footer. Metadata that is known only now is added to the schema in the footer, where readers of files
   * find it. The head of the file, which readers of streams see, cannot contain it.
   */
  close(closing?: ReadonlyMap<string, string>): void
}

/**
 * Writes Arrow files (IPC file format) piece by piece, without a queue.
 *
 * The writer of apache-arrow queues its output, so that memory grows with the file and arrays cannot be reused. It also
 * omits the schema message at the head (arrow-js issue 51), without which readers of streams refuse the bytes after the
 * magic.
 */

/** A writer that passes its bytes on at once. */
function createFileWriter(put: WriteBytes): ArrowFileWriter {
  const writer = new SynchronousFileWriter(put)
  return {
    write: (batch) => writer.write(batch),
    close: (closing = new Map()) => {
      writer.closing = closing
      writer.close()
    },
  }
}

/** A file writer that passes each piece on at once instead of queueing it. */
class SynchronousFileWriter extends RecordBatchFileWriter {
  readonly #put: WriteBytes
  /** Metadata for the footer only. */
  closing: ReadonlyMap<string, string> = new Map()

  constructor(put: WriteBytes) {
    super()
    this.#put = put
  }

  protected override _write(chunk: unknown): this {
    assert(ArrayBuffer.isView(chunk), 'an Arrow file is written as byte views')
    if (!this._started || chunk.byteLength === 0) return this
    this.#put(new Uint8Array(chunk.buffer, chunk.byteOffset, chunk.byteLength))
    this._position += chunk.byteLength
    return this
  }

  protected override _writeSchema(schema: Schema): this {
    return super._writeSchema(schema)._writeMessage(Message.from(schema))
  }

  protected override _writeFooter(schema: Schema): this {
    const whole = new Map([...schema.metadata, ...this.closing])
    return super._writeFooter(new Schema(schema.fields, whole, schema.dictionaries))
  }
}

/** The encoder that uses apache-arrow. */
export const arrowEncoder: ArrowEncoder = { createTableWriter, createFileWriter }

function createTableWriter(schema: TableSchema, options: TableOptions, write: WriteBytes): TableWriter {
  const columns = batchColumns(schema, options.exact)
  const arrowSchema = new Schema(
    columns.map(({ field }) => field),
    metadataOfTable(schema, options),
  )
  const writer = createFileWriter(write)
  let rows = 0
  let hasBatch = false
  let isClosed = false

  const flush = (): void => {
    const children = columns.map((column) => column.data(rows))
    const type = new Struct(arrowSchema.fields)
    const data = makeData({ type, length: rows, nullCount: 0, children })
    writer.write(new RecordBatch(arrowSchema, data))
    hasBatch = true
    rows = 0
  }

  return {
    add: (block, names) => {
      assert(!isClosed, 'a closed file accepts no block')
      assert(rows % BLOCK_ROWS === 0, 'only the last block of a file is partly filled')
      for (const column of columns) column.append(block, rows, names)
      rows += block.rows
      if (rows === BATCH_ROWS) flush()
    },
    close: () => {
      assert(!isClosed, 'a file is closed once')
      isClosed = true
      if (rows > 0 || !hasBatch) flush()
      writer.close()
    },
  }
}

/** Rows and values of one column that are collected for a batch. */
interface BatchColumn {
  readonly field: Field
  /** Copies the first `rows` rows of a block after the first `at` rows of the batch. */
  append(block: Block, at: number, names: IdNames): void
  /** The first `rows` rows, as views of the arrays that the next batch will reuse. */
  data(rows: number): Data
}

/** Maximum number of rows in a batch. */
const BATCH_ROWS = 4 * BLOCK_ROWS
const TEXT_BYTES_MIN = 1024
const encoder = new TextEncoder()

/** A column of a batch for each column of a table, in their order. */
function batchColumns(schema: TableSchema, exact: boolean): BatchColumn[] {
  const stored = schema.columns.filter(({ derivedFrom }) => derivedFrom === null)
  return schema.columns.map((column, id) => {
    if (column.derivedFrom !== null) {
      const source = stored.findIndex(({ name }) => name === column.derivedFrom)
      return derivedColumn(column, column.derivedFrom, source)
    }
    return batchColumn(column, id, stored.indexOf(column), exact)
  })
}

function batchColumn(column: ColumnSchema, id: number, at: number, exact: boolean): BatchColumn {
  switch (column.type) {
    case 'time':
      return int64Column(column, at, new TimestampMicrosecond('UTC'))
    case 'int64':
      if (column.scale === 0 || exact) return int64Column(column, at, new Int64())
      return float64Column(column, at)
    case 'int32':
      return int32Column(column, at)
    case 'float64':
      return doubleColumn(column, at)
    case 'boolean':
      return booleanColumn(column, at)
    case 'dictionary':
      return dictionaryColumn(column, at, id)
    case 'utf8':
      return textColumn(column, at)
  }
}

function int64Column(column: ColumnSchema, at: number, type: Int64 | TimestampMicrosecond): BatchColumn {
  const halves = new Int32Array(2 * BATCH_ROWS)
  const values = new BigInt64Array(halves.buffer)
  const validity = createValidity(column)
  return {
    field: fieldOf(column, type),
    append: (block, row) => {
      const source = storedColumn<WideColumn>(block, at, 'wide')
      copyInt64(source, block.rows, halves.subarray(2 * row))
      validity.append(source.valid, block.rows, row)
    },
    data: (rows) =>
      // Both types hold 64-bit integers; the overloads of makeData do not accept their union.
      makeData({ type: type as Int64, data: values, ...validity.props(rows) }),
  }
}

function float64Column(column: ColumnSchema, at: number): BatchColumn {
  const values = new Float64Array(BATCH_ROWS)
  const validity = createValidity(column)
  const divisor = powerOfTen(column.scale)
  return {
    field: fieldOf(column, new Float64()),
    append: (block, row) => {
      const source = storedColumn<WideColumn>(block, at, 'wide')
      scaleInto(values.subarray(row), source.values, block.rows, divisor)
      const { count, rows, values: large } = source.large
      for (let index = 0; index < count; index += 1) {
        values[row + (rows[index] as number)] = scaledToNumber(large[index] as bigint, column.scale)
      }
      validity.append(source.valid, block.rows, row)
    },
    data: (rows) => makeData({ type: new Float64(), data: values, ...validity.props(rows) }),
  }
}

function doubleColumn(column: ColumnSchema, at: number): BatchColumn {
  const values = new Float64Array(BATCH_ROWS)
  const validity = createValidity(column)
  return {
    field: fieldOf(column, new Float64()),
    append: (block, row) => {
      const source = storedColumn<DoubleColumn>(block, at, 'double')
      values.set(source.values.subarray(0, block.rows), row)
      validity.append(source.valid, block.rows, row)
    },
    data: (rows) => makeData({ type: new Float64(), data: values, ...validity.props(rows) }),
  }
}

/** Scales integers to doubles. Both operands are exact, so the single division rounds once, to the nearest double. */
function scaleInto(target: Float64Array, values: Float64Array, rows: number, divisor: number): void {
  for (let row = 0; row < rows; row += 1) {
    // Adding zero turns -0 into 0.
    target[row] = divNearest(values[row] as number, divisor) + 0
  }
}

function int32Column(column: ColumnSchema, at: number): BatchColumn {
  const values = new Int32Array(BATCH_ROWS)
  const validity = createValidity(column)
  return {
    field: fieldOf(column, new Int32()),
    append: (block, row) => {
      const source = storedColumn<Int32Column>(block, at, 'int32')
      values.set(source.values.subarray(0, block.rows), row)
      validity.append(source.valid, block.rows, row)
    },
    data: (rows) => makeData({ type: new Int32(), data: values, ...validity.props(rows) }),
  }
}

function booleanColumn(column: ColumnSchema, at: number): BatchColumn {
  const bits = new Uint8Array(BATCH_ROWS >> 3)
  const validity = createValidity(column)
  return {
    field: fieldOf(column, new Bool()),
    append: (block, row) => {
      const source = storedColumn<CodeColumn>(block, at, 'code')
      for (let from = 0; from < block.rows; from += 8) {
        let byte = 0
        for (let bit = 0; bit < 8 && from + bit < block.rows; bit += 1) {
          byte |= (source.values[from + bit] as number) << bit
        }
        bits[(row + from) >> 3] = byte
      }
      validity.append(source.valid, block.rows, row)
    },
    data: (rows) => makeData({ type: new Bool(), data: bits, ...validity.props(rows) }),
  }
}

function dictionaryColumn(column: ColumnSchema, at: number, id: number): BatchColumn {
  const codes = new Int8Array(BATCH_ROWS)
  const dictionary = vectorFromArray([...column.words], new Utf8())
  // A dictionary without an id takes the next one of the process, which is not reproducible.
  const type = new Dictionary(new Utf8(), new Int8(), id)
  const validity = createValidity(column)
  return {
    field: fieldOf(column, type),
    append: (block, row) => {
      const source = storedColumn<CodeColumn>(block, at, 'code')
      codes.set(source.values.subarray(0, block.rows), row)
      validity.append(source.valid, block.rows, row)
    },
    data: (rows) => makeData({ type, data: codes, dictionary, ...validity.props(rows) }),
  }
}

function textColumn(column: ColumnSchema, at: number): BatchColumn {
  const texts = createTexts()
  const validity = createValidity(column)
  return {
    field: fieldOf(column, new Utf8()),
    append: (block, row) => {
      const source = storedColumn<TextColumn>(block, at, 'text')
      appendTexts(texts, row, source, block.rows)
      validity.append(source.valid, block.rows, row)
    },
    data: (rows) => textData(texts, validity.props(rows)),
  }
}

function derivedColumn(column: ColumnSchema, from: DerivedFrom, at: number): BatchColumn {
  const texts = createTexts()
  const validity = createValidity(column)
  const encoded: Uint8Array[] = []
  return {
    field: fieldOf(column, new Utf8()),
    append: (block, row, names) => {
      const source = storedColumn<Int32Column>(block, at, 'int32')
      let length = texts.ends[row] as number
      for (let index = 0; index < block.rows; index += 1) {
        if (!isValidAt(source, index)) continue
        const id = source.values[index] as number
        const name = encoded[id] ?? encoder.encode(defined(names[from][id], 'every id has a name'))
        encoded[id] = name
        length += name.length
      }
      if (length > texts.bytes.length) growTexts(texts, length)
      appendNames(texts, row, source, block.rows, encoded)
      validity.append(source.valid, block.rows, row)
    },
    data: (rows) => textData(texts, validity.props(rows)),
  }
}

/** Appends the name of each id. For a dozen bytes a loop is as fast as `set`, and it is inlined. */
function appendNames(
  texts: Texts,
  row: number,
  source: Int32Column,
  rows: number,
  encoded: readonly Uint8Array[],
): void {
  const { ends, bytes } = texts
  let end = ends[row] as number
  for (let index = 0; index < rows; index += 1) {
    if (source.valid === null || bitAt(source.valid, index) === 1) {
      const name = encoded[source.values[index] as number] as Uint8Array
      for (let at = 0; at < name.length; at += 1) bytes[end + at] = name[at] as number
      end += name.length
    }
    ends[row + index + 1] = end
  }
}

interface Texts {
  readonly ends: Int32Array
  bytes: Uint8Array
}

function createTexts(): Texts {
  return { ends: new Int32Array(BATCH_ROWS + 1), bytes: new Uint8Array(TEXT_BYTES_MIN) }
}

function appendTexts(texts: Texts, row: number, source: TextColumn, rows: number): void {
  const start = texts.ends[row] as number
  const length = source.ends[rows] as number
  if (start + length > texts.bytes.length) growTexts(texts, start + length)
  texts.bytes.set(source.bytes.subarray(0, length), start)
  for (let index = 1; index <= rows; index += 1) {
    texts.ends[row + index] = start + (source.ends[index] as number)
  }
}

function growTexts(texts: Texts, length: number): void {
  let capacity = texts.bytes.length
  while (capacity < length) capacity *= 2
  const grown = new Uint8Array(capacity)
  grown.set(texts.bytes)
  texts.bytes = grown
}

function textData(texts: Texts, props: ValidityProps): Data {
  const bytes = texts.bytes.subarray(0, texts.ends[props.length])
  return makeData({ type: new Utf8(), valueOffsets: texts.ends, data: bytes, ...props })
}

interface ValidityProps {
  readonly length: number
  readonly nullCount: number
  readonly nullBitmap: Uint8Array | null
}

interface Validity {
  append(valid: Uint8Array | null, rows: number, at: number): void
  props(rows: number): ValidityProps
}

function createValidity(column: ColumnSchema): Validity {
  const bitmap = column.nullable ? new Uint8Array(BATCH_ROWS >> 3) : null
  return {
    append: (valid, rows, at) => {
      if (bitmap === null) return
      assert(valid !== null, 'a nullable column has validity bits')
      bitmap.set(valid.subarray(0, (rows + 7) >> 3), at >> 3)
    },
    props: (rows) => {
      if (bitmap === null) return { length: rows, nullCount: 0, nullBitmap: null }
      return { length: rows, nullCount: rows - countBits(bitmap, rows), nullBitmap: bitmap }
    },
  }
}

/** The number of ones among the first `rows` bits. */
function countBits(bits: Uint8Array, rows: number): number {
  let ones = 0
  for (let at = 0; at < rows >> 3; at += 1) {
    for (let rest = bits[at] as number; rest !== 0; rest &= rest - 1) ones += 1
  }
  for (let row = rows & ~7; row < rows; row += 1) ones += bitAt(bits, row)
  return ones
}

function bitAt(bits: Uint8Array, at: number): number {
  return ((bits[at >> 3] as number) >> (at & 7)) & 1
}

function fieldOf(column: ColumnSchema, type: DataType): Field {
  const metadata = new Map([['description', column.description]])
  if (column.unit !== '') metadata.set('unit', column.unit)
  if (column.scale > 0 && type instanceof Int64) metadata.set('scale', String(column.scale))
  if (column.derivedFrom !== null) metadata.set('derived_from', column.derivedFrom)
  return new Field(column.name, type, column.nullable, metadata)
}

/** The column of a block at an index of the schema, of the kind that belongs to its type. */
function storedColumn<C extends BlockColumn>(block: Block, at: number, kind: C['kind']): C {
  const column = block.columns[at]
  assert(column?.kind === kind, `a column of a block has kind ${kind}`)
  // The assertion above has checked the kind, which is the tag of the union.
  return column as C
}
