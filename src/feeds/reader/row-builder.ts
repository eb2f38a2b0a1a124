/**
 * Rows on their way from a reader to a batch: scaled to the decimals of the batch, grouped into
 * messages, flagged, and cut into batches between two messages.
 *
 * A reader writes the cells of a row into the draft and commits it; the fast and the slow reader of
 * lines share both, so that they cannot differ in anything but how they read a cell.
 *
 * - Rows of one message follow each other and agree in `localTime`, in being part of a snapshot, and
 *   in their sequence number where there is one.
 * - Decimals of a batch only grow: a row with more of them rescales the rows before it, and the next
 *   batch starts with as many. A mantissa stays a safe integer or the row is refused.
 *
 * Cost of a row: about 20 stores and comparisons, and 41 bytes.
 */
import { divFloor, modFloor } from '../../core/index.ts'
import type { MarketKind } from '../../model/index.ts'
import { type FeedBatch, rowFlags } from '../batch.ts'

/** Places in the numbers of a draft. */
export const draftSlot = {
  time: 0,
  localTime: 1,
  price: 2,
  priceDecimals: 3,
  amount: 4,
  amountDecimals: 5,
  /** The number of the message or the trade; `noNumber` or `textNumber` else. */
  sequence: 6,
  previousSequence: 7,
} as const

/** A draft without such a number. */
export const noNumber = -1
/** A trade whose id is a text: `idBytes` from `idFrom` to `idTo`. */
export const textNumber = -2

/** The most decimals of a price or an amount, trailing zeros not counted. */
export const DECIMALS_MAX = 9
/** A batch ends with the first message at or beyond so many rows. */
const BATCH_ROWS = 65_536
/** Room for a message that begins at the end of a batch. */
const CAPACITY = BATCH_ROWS + 4_096
/** The most rows of one message. */
const MESSAGE_ROWS_MAX = 4_000_000
const ID_BYTES_MAX = 64

/** The powers of ten that scale a mantissa. */
export const powers: Float64Array = Float64Array.from(
  Array.from({ length: 16 }, (_, exponent) => Number(`1e${exponent}`)),
)

/** The cells of one row. */
export interface RowDraft {
  readonly numbers: Float64Array
  /** `rowFlags` of side and snapshot. */
  flags: number
  idBytes: Uint8Array
  idFrom: number
  idTo: number
}

/** Why a row could not be added. */
export type RowFault = 'price' | 'amount' | 'message'

/** Columns that grow, and what has to be known of the rows before. */
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
  /** First row of the message at work. */
  messageFrom: number
  /** True if the next row begins a message in any case: the first of a file. */
  isNew: boolean
  priceDecimals: number
  amountDecimals: number
  /** Greatest number of a trade, number of the last message; in a typed array to stay unboxed. */
  readonly last: Float64Array
  readonly idBytes: Uint8Array
  idLength: number
  done: FeedBatch[]
}

/** A draft of which no cell is read; numbers that no column tells stay as they are here. */
export function createRowDraft(): RowDraft {
  const numbers = new Float64Array(8)
  numbers[draftSlot.sequence] = noNumber
  numbers[draftSlot.previousSequence] = noNumber
  return { numbers, flags: 0, idBytes: new Uint8Array(0), idFrom: 0, idTo: 0 }
}

/** A builder without rows. */
export function createRowBuilder(kind: MarketKind): RowBuilder {
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
    idBytes: new Uint8Array(ID_BYTES_MAX),
    idLength: -1,
    done: [],
  }
}

/** Adds the draft as the row of this number, or says what does not fit. */
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
    if (builder.kind !== 'trades' && sequence !== noNumber) flags |= gapOfMessage(builder, sequence)
  } else if (at - builder.messageFrom >= MESSAGE_ROWS_MAX) {
    return 'message'
  }
  if (at === builder.time.length) growRows(builder)

  const priceDecimals = numbers[draftSlot.priceDecimals] as number
  let price = numbers[draftSlot.price] as number
  if (priceDecimals !== builder.priceDecimals) price = fitPrice(builder, price, priceDecimals)
  if (!(price <= Number.MAX_SAFE_INTEGER)) return 'price'
  const amountDecimals = numbers[draftSlot.amountDecimals] as number
  let amount = numbers[draftSlot.amount] as number
  if (amountDecimals !== builder.amountDecimals) amount = fitAmount(builder, amount, amountDecimals)
  if (!(amount <= Number.MAX_SAFE_INTEGER)) return 'amount'

  if (builder.kind === 'trades') {
    if (sequence !== noNumber) flags |= flagsOfTrade(builder, sequence)
  } else if (
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
  builder.rows = at + 1
  return null
}

/** Makes a batch of the rows so far, if there are any. */
export function sealRows(builder: RowBuilder): void {
  const { kind, rows, priceDecimals, amountDecimals } = builder
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
    priceDecimals,
    amountDecimals,
  })
  builder.time = new Float64Array(CAPACITY)
  builder.localTime = new Float64Array(CAPACITY)
  builder.flags = new Uint8Array(CAPACITY)
  builder.price = new Float64Array(CAPACITY)
  builder.amount = new Float64Array(CAPACITY)
  builder.row = new Float64Array(CAPACITY)
  builder.rows = 0
}

/** Hands out the batches that are complete. */
export function takeBatches(builder: RowBuilder): readonly FeedBatch[] {
  const { done } = builder
  builder.done = []
  return done
}

/** True if the draft begins a message; the row before it is in the same batch, or there is none. */
function isFirstOfMessage(builder: RowBuilder, localTime: number, sequence: number): boolean {
  const { rows } = builder
  if (builder.isNew || builder.localTime[rows - 1] !== localTime) return true
  const changed = (builder.flags[rows - 1] as number) ^ builder.draft.flags
  if ((changed & rowFlags.snapshot) !== 0) return true
  return builder.kind !== 'trades' && sequence !== noNumber && builder.last[0] !== sequence
}

/** A message tells the number of the one before it; a snapshot needs none. */
function gapOfMessage(builder: RowBuilder, sequence: number): number {
  const previous = builder.draft.numbers[draftSlot.previousSequence] as number
  const last = builder.last[0] as number
  builder.last[0] = sequence
  const isBroken = previous !== noNumber && last !== noNumber && previous !== last
  return isBroken && (builder.draft.flags & rowFlags.snapshot) === 0 ? rowFlags.gap : 0
}

/** Numbers of trades rise by one; other ids only tell a trade that is there twice in a row. */
function flagsOfTrade(builder: RowBuilder, id: number): number {
  if (id === textNumber) return flagsOfTextId(builder)
  const greatest = builder.last[0] as number
  if (id > greatest) builder.last[0] = id
  if (greatest === noNumber) return 0
  if (id <= greatest) return rowFlags.duplicate
  return id > greatest + 1 ? rowFlags.gap : 0
}

function flagsOfTextId(builder: RowBuilder): number {
  const { idBytes: bytes, idFrom: from, idTo: to } = builder.draft
  const length = to - from
  const { idBytes: last } = builder
  let isSame = length === builder.idLength
  for (let at = 0; at < length && isSame; at += 1) isSame = last[at] === bytes[from + at]
  if (isSame) return rowFlags.duplicate
  // An id that is too long to keep is never found again.
  builder.idLength = length <= ID_BYTES_MAX ? length : -1
  for (let at = 0; at < length && at < ID_BYTES_MAX; at += 1) last[at] = bytes[from + at] as number
  return 0
}

/** The mantissa of a price in the decimals of the batch, which grow if they must; else infinite. */
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

/** The same of an amount. */
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

/** Multiplies the rows of a column, or leaves them alone and says no where one would not fit. */
function rescale(column: Float64Array, rows: number, factor: number): boolean {
  for (let row = 0; row < rows; row += 1) {
    if ((column[row] as number) * factor > Number.MAX_SAFE_INTEGER) return false
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
  const flags = new Uint8Array(builder.flags.length * 2)
  flags.set(builder.flags)
  builder.flags = flags
}

function grown(column: Float64Array): Float64Array {
  const larger = new Float64Array(column.length * 2)
  larger.set(column)
  return larger
}
