/**
 * A closed price-time book: resting orders of one instrument, bids and asks.
 *
 * It knows slots, prices in ticks and sizes in lots, nothing else; who may trade with whom, fees and
 * margin are the engine's. Invariants: never crossed at rest, queues in the order of arrival, the
 * size of a level is the sum of what is left of its orders (`auditBook`).
 * Source: trading.md 6.1 (price-time priority) and 6.10 (what keeps a place).
 */
import { assert } from '../core/index.ts'
import {
  appendToLevel,
  auditSide,
  type BookSide,
  bestSlot,
  createBookSide,
  nextPrice,
  reduceInLevel,
  removeFromLevel,
  sizeAt,
  slotAfter,
} from './book-side.ts'
import { NO_SLOT, type OrderSlots } from './order-slots.ts'

/** A book; several books share one pool of slots. */
export interface Book {
  readonly slots: OrderSlots
  readonly bids: BookSide
  readonly asks: BookSide
}

/** Which side of the book an order rests on. */
export type BookSideName = 'buy' | 'sell'

/** An empty book over shared slots. */
export function createBook(slots: OrderSlots): Book {
  return { slots, bids: createBookSide(1), asks: createBookSide(-1) }
}

/** Puts an order at the end of the queue of its price. */
export function restOrder(book: Book, side: BookSideName, slot: number): void {
  appendToLevel(sideOf(book, side), book.slots, slot)
}

/** Takes an order out of the book. */
export function removeOrder(book: Book, side: BookSideName, slot: number): void {
  removeFromLevel(sideOf(book, side), book.slots, slot)
}

/** Takes `lots` off a resting order, which keeps its place. */
export function reduceOrder(
  book: Book,
  side: BookSideName,
  change: { readonly slot: number; readonly lots: number },
): void {
  reduceInLevel(sideOf(book, side), book.slots, change)
}

/** The slot that is matched next on a side, or NO_SLOT. */
export function firstInBook(book: Book, side: BookSideName): number {
  return bestSlot(sideOf(book, side))
}

/** The slot matched after `slot` on its side, or NO_SLOT; does not change the book. */
export function nextInBook(book: Book, side: BookSideName, slot: number): number {
  return slotAfter(sideOf(book, side), book.slots, slot)
}

/** The best price of a side in ticks, or undefined when it is empty. */
export function bestPrice(book: Book, side: BookSideName): number | undefined {
  const found = sideOf(book, side)
  return found.bestPage === undefined ? undefined : found.best
}

/** The size at a price of a side. */
export function levelSize(book: Book, side: BookSideName, price: number): number {
  return sizeAt(sideOf(book, side), price)
}

/** Whether a price would match against the other side: buy at or above the best ask, sell mirrored. */
export function wouldTake(book: Book, side: BookSideName, price: number): boolean {
  if (side === 'buy') return book.asks.bestPage !== undefined && price >= book.asks.best
  return book.bids.bestPage !== undefined && price <= book.bids.best
}

/** Calls `visit` for the best `depth` levels of a side, best first. */
export function visitLevels(
  book: Book,
  side: BookSideName,
  levels: { readonly depth: number; readonly visit: (price: number, size: number) => void },
): void {
  const found = sideOf(book, side)
  let price = found.bestPage === undefined ? undefined : found.best
  for (let level = 0; level < levels.depth && price !== undefined; level += 1) {
    levels.visit(price, sizeAt(found, price))
    price = nextPrice(found, price)
  }
}

/** Calls `visit` for every resting order of a side in match order. */
export function visitOrders(book: Book, side: BookSideName, visit: (slot: number) => void): void {
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

/** Throws when anything that the book stores twice disagrees, or when it is crossed. */
export function auditBook(book: Book): void {
  auditSide(book.bids, book.slots)
  auditSide(book.asks, book.slots)
  const bid = bestPrice(book, 'buy')
  const ask = bestPrice(book, 'sell')
  assert(bid === undefined || ask === undefined || bid < ask, 'a book at rest is not crossed')
}

function sideOf(book: Book, side: BookSideName): BookSide {
  return side === 'buy' ? book.bids : book.asks
}
