/**
 * The columns of a tape. Converts batches of recorded rows to batches of an Arrow file, and back.
 *
 * A value is mantissa * 10^exponent; the exponents are separate columns, constant in a batch, so that any reader sees
 * them. 64-bit integers are written and read as two 32-bit halves, which takes two nanoseconds each; a bigint for each
 * would take ten times as long. Source: DESIGN 7.
 */
import {
  type Data,
  Field,
  Int8,
  Int64,
  makeData,
  RecordBatch,
  Schema,
  Struct,
  TimestampMicrosecond,
} from 'apache-arrow'
import { defined, err, ok, type Result } from '../../core/index.ts'
import type { FeedBatch, IdScope } from '../../feeds/index.ts'
import { type MarketKind, marketKinds } from '../../model/index.ts'

const descriptions: readonly (readonly [name: string, type: 'time' | 'int64' | 'int8', text: string])[] = [
  ['timestamp', 'time', "The exchange's clock."],
  ['local_timestamp', 'time', "The recorder's clock."],
  ['kind', 'int8', `Kind of the row: ${wordsOf(marketKinds)}.`],
  [
    ...(['flags', 'int8'] as const),
    'Bits: 1 ask or selling taker, 2 side unknown, 4 snapshot, 8 first row of its message, 32 equal to an earlier row of its message, 64 excluded by a column.',
  ],
  ['price', 'int64', 'Mantissa: the price is price * 10^price_exponent.'],
  [
    ...(['amount', 'int64'] as const),
    'Mantissa: the amount is amount * 10^amount_exponent. For an index, the mark price, or 0 without one.',
  ],
  ['price_exponent', 'int8', 'Constant in a batch.'],
  ['amount_exponent', 'int8', 'Constant in a batch.'],
  ['row', 'int64', 'Number of the row in its source, from 1.'],
]

/** Columns of a tape whose source has numbers of messages or trades. */
const idDescriptions: typeof descriptions = [
  [
    ...(['number', 'int64'] as const),
    'Number of the message or trade; -1 without one; less than -1 for the hash of an id in text.',
  ],
  ['previous_number', 'int64', 'Number of the previous message, or -1 without one.'],
]

function fieldsOf(hasIds: boolean): Field[] {
  const columns = hasIds ? [...descriptions, ...idDescriptions] : descriptions
  return columns.map(([name, type, text]) => new Field(name, typeOf(type), false, new Map([['description', text]])))
}

const TWO_32 = 4_294_967_296
const INVERSE_TWO_32 = 2.3283064365386963e-10

/**
 * Names and types of the columns as one text, without and with ids. The columns of a tape must match one of the two.
 */
export function tapeForm(hasIds: boolean): string {
  return formOf(new Schema(fieldsOf(hasIds)))
}

/** Names and types of the columns of a schema as one text. */
export function formOf(schema: Schema): string {
  return schema.fields.map(({ name, type }) => `${name}: ${type}`).join(', ')
}

/** The schema of a tape. */
export function tapeSchema(metadata: ReadonlyMap<string, string>, hasIds: boolean): Schema {
  return new Schema(fieldsOf(hasIds), new Map(metadata))
}

/** A batch without rows. */
export function emptyBatch(kind: MarketKind): FeedBatch {
  const none = new Float64Array(0)
  const values = { time: none, localTime: none, price: none, amount: none, row: none }
  const flags = new Uint8Array(0)
  return { kind, rows: 0, ...values, flags, ids: null, priceDecimals: 0, amountDecimals: 0 }
}

/** Returns a function that makes batches of an Arrow file; each batch reuses the memory of the previous one. */
export function batchEncoder(schema: Schema): (batch: FeedBatch) => RecordBatch {
  let halves = longColumns.map(() => new Int32Array(0))
  let bytes = new Int8Array(0)
  return (batch) => {
    const { rows } = batch
    if (bytes.length < rows * byteColumns) {
      halves = longColumns.map(() => new Int32Array(2 * rows))
      bytes = new Int8Array(byteColumns * rows)
    }
    for (const [at, column] of int64Columns.entries()) {
      splitInto(defined(halves[at], 'a column has its memory'), batch[column], rows)
    }
    if (batch.ids !== null) {
      splitInto(defined(halves[5], 'a column has its memory'), batch.ids.number, rows)
      splitInto(defined(halves[6], 'a column has its memory'), batch.ids.previous, rows)
    }
    const wide = (at: number): BigInt64Array =>
      new BigInt64Array(defined(halves[at], 'a column has its memory').buffer, 0, rows)
    const constant = (at: number, value: number): Int8Array => bytes.subarray(at * rows, (at + 1) * rows).fill(value)
    const time = new TimestampMicrosecond('UTC')
    const children = [
      int64Data(time, wide(0)),
      int64Data(time, wide(1)),
      int8Data(constant(0, marketKinds.indexOf(batch.kind))),
      int8Data(new Int8Array(batch.flags.buffer, batch.flags.byteOffset, rows)),
      int64Data(new Int64(), wide(2)),
      int64Data(new Int64(), wide(3)),
      int8Data(constant(1, -batch.priceDecimals)),
      int8Data(constant(2, -batch.amountDecimals)),
      int64Data(new Int64(), wide(4)),
      ...(batch.ids === null ? [] : [int64Data(new Int64(), wide(5)), int64Data(new Int64(), wide(6))]),
    ]
    const type = new Struct(schema.fields)
    return new RecordBatch(schema, makeData({ type, length: rows, nullCount: 0, children }))
  }
}

const int64Columns = ['time', 'localTime', 'price', 'amount', 'row'] as const
/** The columns of ids come last. */
const longColumns = [...int64Columns, 'number', 'previous'] as const
/** Columns of one byte that the encoder fills itself: the kind and two exponents. */
const byteColumns = 3

/** Header of a record batch: the number of rows, and the positions of the columns' buffers in its body. */
interface BatchHeader {
  readonly length: number
  readonly buffers: readonly { readonly offset: number; readonly length: number }[]
}

/** A mistake in a tape, with the row of its source if it concerns one row. */
export interface CellFault {
  readonly line?: number
  readonly path?: string
  readonly expected?: string
  readonly found: string
}

/** The upper half of a safe integer that is not negative is below this. */
const SAFE_HIGH = 0x200000
const EXPONENT_LEAST = -9

/**
 * Returns a function that decodes the bodies of record batches; each batch reuses the memory of the previous one. The
 * caller has checked the form of the file. Times and row numbers must be safe integers. The policy of the feed decides
 * about a price or an amount that is not a safe integer, like one that is off the grid.
 */
export function createBatchDecoder(
  kind: MarketKind,
  idScope: IdScope | null,
): (header: BatchHeader, body: Uint8Array) => Result<FeedBatch, CellFault> {
  let columns = longColumns.map(() => new Float64Array(0))
  const widths = idScope === null ? plainWidths : [...plainWidths, 8, 8]
  const wideColumns = widths.flatMap((width, at) => (width === 8 ? [at] : []))
  let flags = new Uint8Array(0)
  return ({ length: rows, buffers }, body) => {
    // Each column has two buffers: validity, which is empty, and values.
    const isWhole = widths.every((width, at) => {
      const { offset, length } = buffers[2 * at + 1] ?? { offset: 0, length: -1 }
      const isPlaced = offset >= 0 && offset % 8 === 0 && offset + length <= body.length
      return isPlaced && rows >= 0 && length >= rows * width
    })
    if (!isWhole) return err({ found: 'a batch with columns outside its body' })
    if (flags.length < rows) {
      columns = longColumns.map(() => new Float64Array(rows))
      flags = new Uint8Array(rows)
    }
    const bytesOf = (at: number): Uint8Array => {
      const { offset } = defined(buffers[2 * at + 1], 'a column has its values')
      return body.subarray(offset, offset + rows * (widths[at] ?? 1))
    }
    const exponents = [6, 7].map((at) => (((bytesOf(at)[0] ?? 0) << 24) >> 24) + 0)
    const [priceExponent = 0, amountExponent = 0] = exponents
    if (exponents.some((exponent) => exponent > 0 || exponent < EXPONENT_LEAST)) {
      return err({ found: `exponents ${exponents.join(' and ')}` })
    }
    const isOdd = wideColumns.map((at, column) => {
      const target = defined(columns[column], 'a column has its memory')
      return numbersInto(target, bytesOf(at), rows) >= SAFE_HIGH
    })
    flags.set(bytesOf(3))
    const [time, localTime, price, amount, row, number, previous] = columns as Wide
    const batch: FeedBatch = {
      kind,
      rows,
      time,
      localTime,
      flags,
      price,
      amount,
      row,
      ids: idScope === null ? null : { number, previous, scope: idScope },
      priceDecimals: 0 - priceExponent,
      amountDecimals: 0 - amountExponent,
    }
    if (isOdd[0] || isOdd[1] || isOdd[4]) return err(oddNumber(batch))
    return ok(batch)
  }
}

type Column = Float64Array<ArrayBuffer>
type Wide = [Column, Column, Column, Column, Column, Column, Column]

/** Bytes of a value of each column except ids. */
const plainWidths = descriptions.map(([, type]) => (type === 'int8' ? 1 : 8))

/** The first row with a time or a number that is negative or not a safe integer. */
function oddNumber({ rows, time, localTime, row }: FeedBatch): CellFault {
  const named = [
    ['timestamp', time],
    ['local_timestamp', localTime],
    ['row', row],
  ] as const
  for (let at = 0; at < rows; at += 1) {
    for (const [path, column] of named) {
      const value = column[at] ?? 0
      if (value >= 0 && value <= Number.MAX_SAFE_INTEGER) continue
      const line = path === 'row' ? {} : { line: (row[at] ?? 0) + 1 }
      return { ...line, path, expected: 'a number from 0 to 9007199254740991', found: `${value}` }
    }
  }
  return { found: 'a damaged file' }
}

function typeOf(type: 'time' | 'int64' | 'int8'): TimestampMicrosecond | Int64 | Int8 {
  if (type === 'time') return new TimestampMicrosecond('UTC')
  return type === 'int64' ? new Int64() : new Int8()
}

function int8Data(data: Int8Array): Data<Int8> {
  return makeData({ type: new Int8(), data, nullCount: 0 })
}

function int64Data(type: Int64 | TimestampMicrosecond, data: BigInt64Array): Data<Int64> {
  // Both types hold 64-bit integers; the overloads of makeData do not take their union.
  return makeData({ type: type as Int64, data, nullCount: 0 })
}

/** Writes safe integers as low and high halves. */
function splitInto(halves: Int32Array, values: Float64Array, rows: number): void {
  for (let row = 0; row < rows; row += 1) {
    const value = values[row] as number
    const high = Math.floor(value * INVERSE_TWO_32)
    halves[2 * row] = (value - high * TWO_32) | 0
    halves[2 * row + 1] = high
  }
}

/**
 * Reads 64-bit integers from low and high halves; the bytes must start at a multiple of the word size. Returns the
 * bitwise OR of all upper halves, so that the caller can check that all values are safe integers.
 */
function numbersInto(numbers: Float64Array, bytes: Uint8Array, rows: number): number {
  const halves = new Int32Array(bytes.buffer, bytes.byteOffset, 2 * rows)
  let highs = 0
  for (let row = 0; row < rows; row += 1) {
    const low = (halves[2 * row] as number) >>> 0
    const high = halves[2 * row + 1] as number
    highs |= high
    numbers[row] = high * TWO_32 + low
  }
  return highs >>> 0
}

function wordsOf(words: readonly string[]): string {
  return words.map((word, code) => `${code} ${word}`).join(', ')
}
