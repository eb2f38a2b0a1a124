/**
 * The facts of live orders that their book does not know, one row of numbers under each slot.
 *
 * Rows instead of records, because a resting order outlives many garbage collections: records of
 * 10,000 live orders cost the engine a tenth of its time, and a resting order 100 bytes more. Words are
 * kept as their position in the lists below; only this file knows the layout. 96 bytes a row and a
 * reference to the label.
 */
import {
  assert,
  copyWide,
  type Lots,
  lots,
  type Micros,
  micros,
  type OrderId,
  orderId,
  type Sequence,
  sequence,
  type Ticks,
  ticks,
} from '../../core/index.ts'
import type { Order, OrderType, PostOnly, Side, TimeInForce } from '../../model/index.ts'

const STRIDE = 12
const ID = 0
const HOLDING = 1
const AMOUNT = 2
const TRAITS = 3
const CREATED = 4
const CREATED_AT = 5
const UPDATED_AT = 6
const NEXT = 7
const PREVIOUS = 8
const FILL_PRICE = 9
/** The basis of all fills, once they had more than one price. Two cells. */
const FILL_BASIS = 10

/** The bits of TRAITS: one for the side, then two for each list of words, then the flags. */
const TYPE_SHIFT = 1
const TIME_IN_FORCE_SHIFT = 3
const POST_ONLY_SHIFT = 5
const POST_ONLY_BITS = 3 << POST_ONLY_SHIFT
const REDUCE_ONLY = 1 << 7
const REPLACED = 1 << 8
const MIXED_FILLS = 1 << 9

const types = ['limit', 'market', 'market_limit'] as const
const timesInForce = [
  'good_til_cancelled',
  'immediate_or_cancel',
  'fill_or_kill',
  'good_til_day',
] as const
const postOnlys = ['off', 'slide', 'reject'] as const

/** The rows; they double with the slots. */
export interface OrderRows {
  cells: Float64Array
  labels: string[]
}

/** What a new row holds beside the order itself. */
export interface NewOrder {
  readonly id: OrderId
  readonly holding: number
  readonly side: Side
  readonly type: OrderType
  readonly timeInForce: TimeInForce
  readonly label: string
  readonly postOnly: PostOnly
  readonly reduceOnly: boolean
  readonly replaced: boolean
  readonly amount: Lots
  readonly created: Sequence
  readonly createdAt: Micros
  readonly fillPrice: Ticks
}

/** No rows yet. */
export function createOrderRows(): OrderRows {
  return { cells: new Float64Array(0), labels: [] }
}

/** Makes room for slots 0..slots-1. */
export function reserveOrderRows(rows: OrderRows, slots: number): void {
  if (slots * STRIDE <= rows.cells.length) return
  const larger = new Float64Array(slots * STRIDE)
  larger.set(rows.cells)
  rows.cells = larger
}

/** Writes a new row; its links to neighbours are none of its business. */
export function writeOrderRow(rows: OrderRows, slot: number, order: NewOrder): void {
  const { cells } = rows
  const at = slot * STRIDE
  cells[at + ID] = order.id
  cells[at + HOLDING] = order.holding
  cells[at + AMOUNT] = order.amount
  cells[at + TRAITS] =
    (order.side === 'buy' ? 0 : 1) |
    (codeOf(types, order.type) << TYPE_SHIFT) |
    (codeOf(timesInForce, order.timeInForce) << TIME_IN_FORCE_SHIFT) |
    (codeOf(postOnlys, order.postOnly) << POST_ONLY_SHIFT) |
    (order.reduceOnly ? REDUCE_ONLY : 0) |
    (order.replaced ? REPLACED : 0)
  cells[at + CREATED] = order.created
  cells[at + CREATED_AT] = order.createdAt
  cells[at + UPDATED_AT] = order.createdAt
  cells[at + FILL_PRICE] = order.fillPrice
  rows.labels[slot] = order.label
}

/** Lets go of what a row refers to; the numbers are overwritten by the next order. */
export function clearOrderRow(rows: OrderRows, slot: number): void {
  rows.labels[slot] = ''
}

/** The id of the order in a slot. */
export function idAt(rows: OrderRows, slot: number): OrderId {
  return orderId(cellOf(rows, slot, ID))
}

/** The holding whose order it is, which knows account and instrument. */
export function holdingAt(rows: OrderRows, slot: number): number {
  return cellOf(rows, slot, HOLDING)
}

/** Total size, fills included. */
export function amountAt(rows: OrderRows, slot: number): Lots {
  return lots(cellOf(rows, slot, AMOUNT))
}

/** The side of the order. */
export function sideAt(rows: OrderRows, slot: number): Side {
  return (cellOf(rows, slot, TRAITS) & 1) === 0 ? 'buy' : 'sell'
}

/** The type as entered. */
export function typeAt(rows: OrderRows, slot: number): OrderType {
  return wordOf(types, cellOf(rows, slot, TRAITS) >> TYPE_SHIFT)
}

/** How long the order stands. */
export function timeInForceAt(rows: OrderRows, slot: number): TimeInForce {
  return wordOf(timesInForce, cellOf(rows, slot, TRAITS) >> TIME_IN_FORCE_SHIFT)
}

/** Its post-only mode. */
export function postOnlyAt(rows: OrderRows, slot: number): PostOnly {
  return wordOf(postOnlys, cellOf(rows, slot, TRAITS) >> POST_ONLY_SHIFT)
}

/** Whether it may only reduce a position. */
export function reduceOnlyAt(rows: OrderRows, slot: number): boolean {
  return (cellOf(rows, slot, TRAITS) & REDUCE_ONLY) !== 0
}

/** Whether it was edited. */
export function replacedAt(rows: OrderRows, slot: number): boolean {
  return (cellOf(rows, slot, TRAITS) & REPLACED) !== 0
}

/** Its label. */
export function labelAt(rows: OrderRows, slot: number): string {
  return rows.labels[slot] as string
}

/** The sequence of the request that created it. */
export function creationSequenceAt(rows: OrderRows, slot: number): Sequence {
  return sequence(cellOf(rows, slot, CREATED))
}

/** The time of its creation. */
export function creationTimeAt(rows: OrderRows, slot: number): Micros {
  return micros(cellOf(rows, slot, CREATED_AT))
}

/** The time of its last change. */
export function updateTimeAt(rows: OrderRows, slot: number): Micros {
  return micros(cellOf(rows, slot, UPDATED_AT))
}

/** Notes the time of a change. */
export function setUpdateTime(rows: OrderRows, slot: number, time: number): void {
  rows.cells[slot * STRIDE + UPDATED_AT] = time
}

/** Changes what an edit may change. */
export function editOrderRow(
  rows: OrderRows,
  slot: number,
  edit: { readonly amount: number; readonly postOnly: PostOnly; readonly reduceOnly: boolean },
): void {
  const at = slot * STRIDE
  rows.cells[at + AMOUNT] = edit.amount
  rows.cells[at + TRAITS] =
    (cellOf(rows, slot, TRAITS) & ~(POST_ONLY_BITS | REDUCE_ONLY)) |
    (codeOf(postOnlys, edit.postOnly) << POST_ONLY_SHIFT) |
    (edit.reduceOnly ? REDUCE_ONLY : 0) |
    REPLACED
}

/** The price of its fills in ticks, while they all had one. */
export function fillPriceAt(rows: OrderRows, slot: number): Ticks {
  return ticks(cellOf(rows, slot, FILL_PRICE))
}

/** Notes the price of a first fill. */
export function setFillPrice(rows: OrderRows, slot: number, price: number): void {
  rows.cells[slot * STRIDE + FILL_PRICE] = price
}

/** Where in `cells` the basis of its fills stands, or -1 while they all had one price. */
export function fillBasisAt(rows: OrderRows, slot: number): number {
  return (cellOf(rows, slot, TRAITS) & MIXED_FILLS) === 0 ? -1 : slot * STRIDE + FILL_BASIS
}

/** Gives it a basis of fills, copied from elsewhere; returns where in `cells` that stands. */
export function setFillBasis(
  rows: OrderRows,
  slot: number,
  basis: { readonly source: Float64Array; readonly from: number },
): number {
  const { cells } = rows
  const at = slot * STRIDE
  cells[at + TRAITS] = cellOf(rows, slot, TRAITS) | MIXED_FILLS
  copyWide(cells, at + FILL_BASIS, basis.source, basis.from)
  return at + FILL_BASIS
}

/** The neighbours in the account's list. */
export function nextInAccount(rows: OrderRows, slot: number): number {
  return cellOf(rows, slot, NEXT)
}

/** See `nextInAccount`. */
export function previousInAccount(rows: OrderRows, slot: number): number {
  return cellOf(rows, slot, PREVIOUS)
}

/** Sets the neighbour that follows. */
export function setNextInAccount(rows: OrderRows, slot: number, next: number): void {
  rows.cells[slot * STRIDE + NEXT] = next
}

/** Sets the neighbour before it. */
export function setPreviousInAccount(rows: OrderRows, slot: number, previous: number): void {
  rows.cells[slot * STRIDE + PREVIOUS] = previous
}

/** The row as a record; `instrument` is that of its holding. */
export function readOrderRow(
  rows: OrderRows,
  slot: number,
  instrument: Order['instrument'],
): Order {
  return {
    id: idAt(rows, slot),
    instrument,
    side: sideAt(rows, slot),
    type: typeAt(rows, slot),
    timeInForce: timeInForceAt(rows, slot),
    label: labelAt(rows, slot),
    postOnly: postOnlyAt(rows, slot),
    reduceOnly: reduceOnlyAt(rows, slot),
    amount: amountAt(rows, slot),
    replaced: replacedAt(rows, slot),
    created: creationSequenceAt(rows, slot),
    fillPrice: fillPriceAt(rows, slot),
  }
}

/** The caller's slot is in use, so the cell exists. */
function cellOf(rows: OrderRows, slot: number, field: number): number {
  return rows.cells[slot * STRIDE + field] as number
}

/** The lists are short and their words interned, so that a scan costs less than a hash lookup. */
function codeOf(words: readonly string[], word: string): number {
  for (let code = 0; code < words.length; code += 1) if (words[code] === word) return code
  assert(false, `a word belongs to its list, found ${word}`)
  return -1
}

function wordOf<Word>(words: readonly Word[], bits: number): Word {
  return words[bits & 3] as Word
}
