/**
 * Builds batches from the rows of a reader: scales rows to the decimals of the batch, groups them into messages, and
 * ends batches between two messages.
 *
 * A reader writes the cells of a row into the draft and commits it. The fast and the slow reader of lines share both,
 * so that they can only differ in the reading of a cell.
 *
 * - Rows of one message are adjacent and agree in `localTime`, in being part of a snapshot, and in their sequence
 *   number if they have a number.
 * - The number of decimals of a batch only grows: a row with more decimals rescales the rows before it, and the next
 *   batch starts with that number. A mantissa stays a safe integer, or the row is refused.
 *
 * Cost of a row: about 20 stores and comparisons, and 41 bytes.
 */
import { divFloor, modFloor } from '../../core/index.ts'
import type { MarketKind } from '../../model/index.ts'
import { type FeedBatch, type IdScope, rowFlags } from '../batch.ts'

/** Indices in the numbers of a draft. */
export const draftSlot = {
  time: 0,
  localTime: 1,
  price: 2,
  priceDecimals: 3,
  amount: 4,
  amountDecimals: 5,
  /** The number of the message or the trade; otherwise `noNumber` or `textNumber`. */
  sequence: 6,
  previousSequence: 7,
} as const

/** The value for a draft without such a number. */
export const noNumber = -1
/** The value for a trade whose id is a text: `idBytes` from `idFrom` to `idTo`. */
export const textNumber = -2

/** Maximum number of decimals of a price or an amount, without trailing zeros. */
export const DECIMALS_MAX = 9
/** A batch ends with the first message that reaches this number of rows. */
const BATCH_ROWS = 65_536
/** Capacity, with room for a message that begins at the end of a batch. */
const CAPACITY = BATCH_ROWS + 4_096
/** Maximum number of rows in one message. */
const MESSAGE_ROWS_MAX = 4_000_000
/** Maximum number of digits in the number of an id. */
const ID_DIGITS_MAX = 15

/** The powers of ten for scaling a mantissa. */
export const powers: Float64Array = Float64Array.from(
  Array.from({ length: 16 }, (_, exponent) => Number(`1e${exponent}`)),
)

/** The cells of one row. */
export interface RowDraft {
  readonly numbers: Float64Array
  /** `rowFlags` of the side and the snapshot. */
  flags: number
  idBytes: Uint8Array
  idFrom: number
  idTo: number
}

/** Reason why a row could not be added. */
export type RowFault = 'price' | 'amount' | 'message'

/** Columns that grow, and the necessary facts about the preceding rows. */
export interface RowBuilder {
  readonly kind: MarketKind
  readonly draft: RowDraft
  time: Float64Array
  localTime: Float64Array
  flags: Uint8Array
  price: Float64Array
  amount: Float64Array
  row: Float64Array
  rows: number
  /** First row of the current message. */
  messageFrom: number
  /** True if the next row always begins a message, because it is the first one of a file. */
  isNew: boolean
  priceDecimals: number
  amountDecimals: number
  /** Number of the last message; in a typed array so that it stays unboxed. */
  readonly last: Float64Array
  /** Columns of ids; null for a file without ids. */
  ids: IdColumns | null
  idScope: IdScope
  done: FeedBatch[]
}

/** Columns of ids that grow. */
interface IdColumns {
  number: Float64Array
  previous: Float64Array
}

/** An empty draft. Numbers without a column keep these values. */
function createRowDraft(): RowDraft {
  const numbers = new Float64Array(8)
  numbers[draftSlot.sequence] = noNumber
  numbers[draftSlot.previousSequence] = noNumber
  return { numbers, flags: 0, idBytes: new Uint8Array(0), idFrom: 0, idTo: 0 }
}

/** A builder without rows. */
export function createRowBuilder(kind: MarketKind, hasIds: boolean): RowBuilder {
  return {
    kind,
    draft: createRowDraft(),
    time: new Float64Array(CAPACITY),
    localTime: new Float64Array(CAPACITY),
    flags: new Uint8Array(CAPACITY),
    price: new Float64Array(CAPACITY),
    amount: new Float64Array(CAPACITY),
    row: new Float64Array(CAPACITY),
    rows: 0,
    messageFrom: 0,
    isNew: true,
    priceDecimals: 0,
    amountDecimals: 0,
    last: Float64Array.of(noNumber),
    ids: hasIds ? idColumns(CAPACITY) : null,
    idScope: 'instrument',
    done: [],
  }
}

/** Adds the draft as the row with this number, or returns the reason why it cannot be added. */
export function commitRow(builder: RowBuilder, row: number): RowFault | null {
  const { numbers, flags: draftFlags } = builder.draft
  const localTime = numbers[draftSlot.localTime] as number
  const sequence = numbers[draftSlot.sequence] as number
  let at = builder.rows
  let flags = draftFlags
  if (isFirstOfMessage(builder, localTime, sequence)) {
    if (at >= BATCH_ROWS) {
      sealRows(builder)
      at = 0
    }
    builder.messageFrom = at
    builder.isNew = false
    flags |= rowFlags.first
    if (sequence !== noNumber) builder.last[0] = sequence
  } else if (at - builder.messageFrom >= MESSAGE_ROWS_MAX) {
    return 'message'
  }
  if (at === builder.time.length) growRows(builder)

  const priceDecimals = numbers[draftSlot.priceDecimals] as number
  let price = numbers[draftSlot.price] as number
  if (priceDecimals !== builder.priceDecimals) price = fitPrice(builder, price, priceDecimals)
  if (!(Math.abs(price) <= Number.MAX_SAFE_INTEGER)) return 'price'
  const amountDecimals = numbers[draftSlot.amountDecimals] as number
  let amount = numbers[draftSlot.amount] as number
  if (amountDecimals !== builder.amountDecimals) amount = fitAmount(builder, amount, amountDecimals)
  if (!(Math.abs(amount) <= Number.MAX_SAFE_INTEGER)) return 'amount'

  if (
    builder.kind === 'book' &&
    (flags & rowFlags.first) === 0 &&
    builder.price[at - 1] === price &&
    builder.amount[at - 1] === amount &&
    (((builder.flags[at - 1] as number) ^ flags) & rowFlags.sell) === 0
  ) {
    flags |= rowFlags.duplicate
  }
  builder.time[at] = numbers[draftSlot.time] as number
  builder.localTime[at] = localTime
  builder.flags[at] = flags
  builder.price[at] = price
  builder.amount[at] = amount
  builder.row[at] = row
  if (builder.ids !== null) {
    builder.ids.number[at] = sequence === textNumber ? numberOfText(builder.draft) : sequence
    builder.ids.previous[at] = numbers[draftSlot.previousSequence] as number
  }
  builder.rows = at + 1
  return null
}

/** Makes a batch of the rows so far; does nothing without rows. */
export function sealRows(builder: RowBuilder): void {
  const { kind, rows, priceDecimals, amountDecimals, ids, idScope } = builder
  if (rows === 0) return
  builder.done.push({
    kind,
    rows,
    time: builder.time.subarray(0, rows),
    localTime: builder.localTime.subarray(0, rows),
    flags: builder.flags.subarray(0, rows),
    price: builder.price.subarray(0, rows),
    amount: builder.amount.subarray(0, rows),
    row: builder.row.subarray(0, rows),
    ids:
      ids === null
        ? null
        : {
            number: ids.number.subarray(0, rows),
            previous: ids.previous.subarray(0, rows),
            scope: idScope,
          },
    priceDecimals,
    amountDecimals,
  })
  builder.time = new Float64Array(CAPACITY)
  builder.localTime = new Float64Array(CAPACITY)
  builder.flags = new Uint8Array(CAPACITY)
  builder.price = new Float64Array(CAPACITY)
  builder.amount = new Float64Array(CAPACITY)
  builder.row = new Float64Array(CAPACITY)
  if (ids !== null) builder.ids = idColumns(CAPACITY)
  builder.rows = 0
}

/** Returns the completed batches and removes them. */
export function takeBatches(builder: RowBuilder): readonly FeedBatch[] {
  const { done } = builder
  builder.done = []
  return done
}

/** True if the draft begins a message. The previous row, if it exists, is in the same batch. */
function isFirstOfMessage(builder: RowBuilder, localTime: number, sequence: number): boolean {
  if (builder.isNew || builder.localTime[builder.rows - 1] !== localTime) return true
  const changed = (builder.flags[builder.rows - 1] as number) ^ builder.draft.flags
  if ((changed & rowFlags.snapshot) !== 0) return true
  return builder.kind !== 'trades' && sequence !== noNumber && builder.last[0] !== sequence
}

/**
 * The number in the text of an id, after a word and a dash or an underscore, as in `ETH-12`. Other texts give their
 * hash, which is below `noNumber`.
 */
function numberOfText({ idBytes: bytes, idFrom: from, idTo: to }: RowDraft): number {
  let at = from
  while (at < to && isWordByte(bytes[at] as number)) at += 1
  const isNamed = at > from && (bytes[at] === DASH || bytes[at - 1] === UNDERSCORE)
  if (bytes[at] === DASH) at += 1
  let number = 0
  const digits = to - at
  while (at < to && isDigitByte(bytes[at] as number)) {
    number = number * 10 + (bytes[at] as number) - ZERO
    at += 1
  }
  const isNumber = isNamed && at === to && digits > 0 && digits <= ID_DIGITS_MAX
  return isNumber ? number : textNumber - hashOfBytes(bytes, from, to)
}

const ZERO = 48
const DASH = 45
const UNDERSCORE = 95

function isDigitByte(byte: number): boolean {
  return byte >= ZERO && byte <= ZERO + 9
}

/** A letter of ASCII or an underscore. */
function isWordByte(byte: number): boolean {
  const upper = byte & 0xdf
  return byte === UNDERSCORE || (upper >= 65 && upper <= 90)
}

/** 52 bits of two FNV-1a hashes with different factors. */
function hashOfBytes(bytes: Uint8Array, from: number, to: number): number {
  let [low, high] = [0x811c9dc5, 0x9747b28c]
  for (let at = from; at < to; at += 1) {
    low = Math.imul(low ^ (bytes[at] as number), 0x01000193)
    high = Math.imul(high ^ (bytes[at] as number), 0x85ebca6b)
  }
  return ((high >>> 12) & 0xfffff) * TWO_32 + (low >>> 0)
}

const TWO_32 = 4_294_967_296

/**
 * The mantissa of a price with the decimals of the batch, which grow if necessary; Infinity if it cannot be
 * represented.
 */
function fitPrice(builder: RowBuilder, mantissa: number, decimals: number): number {
  const enough = builder.priceDecimals
  if (decimals < enough) return mantissa * (powers[enough - decimals] as number)
  const [least, fewest] = withoutZeros(mantissa, decimals, enough)
  if (fewest > enough) {
    const factor = powers[fewest - enough] as number
    if (fewest > DECIMALS_MAX || !rescale(builder.price, builder.rows, factor)) return Infinity
    builder.priceDecimals = fewest
  }
  return least * (powers[builder.priceDecimals - fewest] as number)
}

/** The mantissa of an amount with the decimals of the batch; like `fitPrice`. */
function fitAmount(builder: RowBuilder, mantissa: number, decimals: number): number {
  const enough = builder.amountDecimals
  if (decimals < enough) return mantissa * (powers[enough - decimals] as number)
  const [least, fewest] = withoutZeros(mantissa, decimals, enough)
  if (fewest > enough) {
    const factor = powers[fewest - enough] as number
    if (fewest > DECIMALS_MAX || !rescale(builder.amount, builder.rows, factor)) return Infinity
    builder.amountDecimals = fewest
  }
  return least * (powers[builder.amountDecimals - fewest] as number)
}

/** Drops trailing zeros until at most `enough` decimals are left. */
function withoutZeros(
  mantissa: number,
  decimals: number,
  enough: number,
): readonly [mantissa: number, decimals: number] {
  let least = mantissa
  let fewest = decimals
  while (fewest > enough && modFloor(least, 10) === 0) {
    least = divFloor(least, 10)
    fewest -= 1
  }
  return [least, fewest]
}

/** Multiplies the rows of a column; leaves them unchanged and returns false if a product would be too large. */
function rescale(column: Float64Array, rows: number, factor: number): boolean {
  for (let row = 0; row < rows; row += 1) {
    if (Math.abs(column[row] as number) * factor > Number.MAX_SAFE_INTEGER) return false
  }
  for (let row = 0; row < rows; row += 1) column[row] = (column[row] as number) * factor
  return true
}

function growRows(builder: RowBuilder): void {
  builder.time = grown(builder.time)
  builder.localTime = grown(builder.localTime)
  builder.price = grown(builder.price)
  builder.amount = grown(builder.amount)
  builder.row = grown(builder.row)
  if (builder.ids !== null) {
    builder.ids = { number: grown(builder.ids.number), previous: grown(builder.ids.previous) }
  }
  const flags = new Uint8Array(builder.flags.length * 2)
  flags.set(builder.flags)
  builder.flags = flags
}

function idColumns(rows: number): IdColumns {
  return { number: new Float64Array(rows), previous: new Float64Array(rows) }
}

function grown(column: Float64Array): Float64Array {
  const larger = new Float64Array(column.length * 2)
  larger.set(column)
  return larger
}
