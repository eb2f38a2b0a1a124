/**
 * The book of one instrument, bids and asks. It has one interface for both kinds: closed, where all orders belong to
 * the run's accounts, and replay, which also has a recorded book.
 *
 * The book contains only slots, prices in ticks and sizes in lots; the engine handles permissions, fees and margin. In
 * a replay book a taker first takes the remaining recorded size at each price and then the orders of the run, so the
 * recorded part always counts as earlier. `queue-models.ts` determines the place of a resting order in the recorded
 * queue. A best price or the size of a level counts both parts together, without the size that own takers have
 * consumed.
 *
 * Invariants: own orders never cross at rest, queues are in the order of arrival, the size of a level is the sum of the
 * visible sizes of its orders (`auditBook`).
 * Source: trading.md 6.1 (price-time priority) and 6.10 (when an order keeps its place); DESIGN 5.
 */
import { assert } from '../core/index.ts'
import { type Side, sides } from '../model/index.ts'
import {
  appendToLevel,
  auditSide,
  type BookSide,
  bestSlot,
  createBookSide,
  firstSlotAt,
  hideInLevel,
  reduceHidden,
  reduceInLevel,
  removeFromLevel,
  slotAfter,
} from './book-side.ts'
import { nextPrice, sizeAt } from './levels.ts'
import {
  aheadOf,
  hiddenOf,
  NO_SLOT,
  nextOf,
  type OrderSlots,
  priceOf,
  setAhead,
  setCut,
  shownOf,
} from './order-slots.ts'
import { createPrintAccount, type PrintAccount, printedAt } from './prints.ts'
import type { QueueModelRules } from './queue-models.ts'
import {
  auditRecorded,
  bestLeft,
  createRecordedSide,
  nextLeft,
  type RecordedSide,
  recordedLeft,
  recordedSize,
  visitLeft,
} from './recorded-side.ts'
import { auditRefreshes, createRefreshes, type Refreshes } from './refreshes.ts'

/** Both sides of a recorded book, the sizes that prints took before rows confirmed it, and its queue model. */
export interface RecordedBook {
  readonly bids: RecordedSide
  readonly asks: RecordedSide
  readonly prints: PrintAccount
  readonly refreshes: Refreshes
  readonly model: QueueModelRules
}

/** A book; several books share one pool of slots. */
export interface Book {
  readonly slots: OrderSlots
  readonly bids: BookSide
  readonly asks: BookSide
  /** Recorded depth of a feed; null in a closed book. */
  readonly recorded: RecordedBook | null
}

/** An empty closed book over shared slots. */
export function createBook(slots: OrderSlots): Book {
  return { slots, bids: createBookSide(1), asks: createBookSide(-1), recorded: null }
}

/** An empty replay book over shared slots; the model determines the places of orders in its recorded queues. */
export function createReplayBook(slots: OrderSlots, model: QueueModelRules): Book {
  const recorded = {
    bids: createRecordedSide(1),
    asks: createRecordedSide(-1),
    prints: createPrintAccount(),
    refreshes: createRefreshes(),
    model,
  }
  return { slots, bids: createBookSide(1), asks: createBookSide(-1), recorded }
}

/**
 * Appends an order to the queue of its price. In a replay book the model places it behind the recorded size there,
 * without the part that prints took. That includes size that own takers consumed, because future prints will trade it.
 */
export function restOrder(book: Book, side: Side, slot: number): void {
  const { slots, recorded } = book
  if (recorded !== null) {
    const price = priceOf(slots, slot)
    setAhead(slots, slot, recorded.model.placeOnArrival(recordedSizeAt(recorded, side, price)))
    // Rows that cut an earlier place of the order do not explain prints at its new place.
    setCut(slots, slot, 0)
  }
  appendToLevel(sideOf(book, side), slots, slot)
}

/** Removes an order from the book. */
export function removeOrder(book: Book, side: Side, slot: number): void {
  removeFromLevel(sideOf(book, side), book.slots, slot)
}

/** Subtracts `lots` from the visible size of a resting order; it keeps its place. */
export function reduceOrder(book: Book, side: Side, slot: number, lots: number): void {
  reduceInLevel(sideOf(book, side), book.slots, slot, lots)
}

/** Subtracts `lots`, less than its whole size, from a resting order: first from its hidden size. It keeps its place. */
export function cutOrder(book: Book, side: Side, slot: number, lots: number): void {
  const own = sideOf(book, side)
  const hidden = Math.min(lots, hiddenOf(book.slots, slot))
  if (hidden > 0) reduceHidden(own, book.slots, slot, hidden)
  if (lots > hidden) reduceInLevel(own, book.slots, slot, lots - hidden)
}

/** Hides `lots` of the visible size of a resting order; it keeps its place. */
export function hideOrder(book: Book, side: Side, slot: number, lots: number): void {
  hideInLevel(sideOf(book, side), book.slots, slot, lots)
}

/** The order that is first in the queue of a side, or NO_SLOT. */
export function firstInBook(book: Book, side: Side): number {
  return bestSlot(sideOf(book, side))
}

/** The order after `slot` on its side, or NO_SLOT; only reads. */
export function nextInBook(book: Book, side: Side, slot: number): number {
  return slotAfter(sideOf(book, side), book.slots, slot)
}

/** The first order in the queue of a price, or NO_SLOT. */
export function firstAtPrice(book: Book, side: Side, price: number): number {
  return firstSlotAt(sideOf(book, side), price)
}

/** The best price of a side in ticks, or undefined if it is empty. */
export function bestPrice(book: Book, side: Side): number | undefined {
  const own = sideOf(book, side)
  const ownBest = own.bestPage === undefined ? undefined : own.best
  if (book.recorded === null) return ownBest
  return better(own.sign, ownBest, bestLeft(recordedOf(book.recorded, side)))
}

/** The size at a price of a side. */
export function levelSize(book: Book, side: Side, price: number): number {
  const own = sizeAt(sideOf(book, side), price)
  return book.recorded === null ? own : own + recordedLeft(recordedOf(book.recorded, side), price)
}

/** True if a price would match against the other side: buy at or above the best ask, sell mirrored. */
export function wouldTake(book: Book, side: Side, price: number): boolean {
  const met = bestPrice(book, side === 'buy' ? 'sell' : 'buy')
  return met !== undefined && (side === 'buy' ? price >= met : price <= met)
}

/** Calls `visit` for the best `depth` levels of a side, best first, until it returns false. */
export function visitLevels(
  book: Book,
  side: Side,
  depth: number,
  visit: (price: number, size: number) => boolean,
): void {
  if (book.recorded !== null && sideOf(book, side).bestPage === undefined) {
    visitLeft(recordedOf(book.recorded, side), depth, visit)
    return
  }
  let price = bestPrice(book, side)
  for (let level = 0; level < depth && price !== undefined; level += 1) {
    if (!visit(price, levelSize(book, side, price))) return
    price = priceAfter(book, side, price)
  }
}

/**
 * Visits the liquidity that a taker would take on a side, best first, until `visit` returns false. At each price it
 * visits the remaining recorded size (`slot` is NO_SLOT), then the visible size of each order of the run, then the
 * hidden sizes (C25).
 */
export function visitOffers(
  book: Book,
  side: Side,
  visit: (offer: { readonly price: number; readonly lots: number; readonly slot: number }) => boolean,
): void {
  const { slots, recorded } = book
  const hides = sideOf(book, side).hidden > 0
  let price = bestPrice(book, side)
  while (price !== undefined) {
    const left = recorded === null ? 0 : recordedLeft(recordedOf(recorded, side), price)
    if (left > 0 && !visit({ price, lots: left, slot: NO_SLOT })) return
    let slot = firstAtPrice(book, side, price)
    while (slot !== NO_SLOT) {
      if (!visit({ price, lots: shownOf(slots, slot), slot })) return
      slot = nextOf(slots, slot)
    }
    slot = hides ? firstAtPrice(book, side, price) : NO_SLOT
    while (slot !== NO_SLOT) {
      const lots = hiddenOf(slots, slot)
      if (lots > 0 && !visit({ price, lots, slot })) return
      slot = nextOf(slots, slot)
    }
    price = priceAfter(book, side, price)
  }
}

/** Calls `visit` for every resting order of a side in match order. */
export function visitOrders(book: Book, side: Side, visit: (slot: number) => void): void {
  let slot = firstInBook(book, side)
  while (slot !== NO_SLOT) {
    visit(slot)
    slot = nextInBook(book, side, slot)
  }
}

/** Number of resting orders. */
export function ordersInBook(book: Book): number {
  return book.bids.orders + book.asks.orders
}

/** Throws if stored values disagree with recomputed ones, or if own orders cross. */
export function auditBook(book: Book): void {
  auditSide(book.bids, book.slots)
  auditSide(book.asks, book.slots)
  const { bids, asks, recorded } = book
  const crossed = bids.bestPage !== undefined && asks.bestPage !== undefined
  assert(!crossed || bids.best < asks.best, 'a book at rest is not crossed')
  if (recorded === null) return
  auditRecorded(recorded.bids)
  auditRecorded(recorded.asks)
  auditRefreshes(recorded.refreshes)
  for (const side of sides) {
    visitOrders(book, side, (slot) => {
      assert(aheadOf(book.slots, slot) >= 0, 'the size ahead of an order is not negative')
    })
  }
}

/** The recorded size at a price after prints took their part. */
export function recordedSizeAt(recorded: RecordedBook, side: Side, price: number): number {
  return recordedSize(recordedOf(recorded, side), price) - printedAt(recorded.prints[side], price)
}

/** The recorded side on which orders of `side` rest. */
export function recordedOf(recorded: RecordedBook, side: Side): RecordedSide {
  return side === 'buy' ? recorded.bids : recorded.asks
}

/** The next worse price of own and recorded liquidity together. */
function priceAfter(book: Book, side: Side, price: number): number | undefined {
  const own = sideOf(book, side)
  const next = nextPrice(own, price)
  if (book.recorded === null) return next
  return better(own.sign, next, nextLeft(recordedOf(book.recorded, side), price))
}

function better(sign: 1 | -1, left: number | undefined, right: number | undefined): number | undefined {
  if (left === undefined || right === undefined) return left ?? right
  return (left - right) * sign >= 0 ? left : right
}

function sideOf(book: Book, side: Side): BookSide {
  return side === 'buy' ? book.bids : book.asks
}
