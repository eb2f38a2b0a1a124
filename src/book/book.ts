/**
 * A book of one instrument, bids and asks, behind one face for both kinds: closed, where all orders
 * are those of the run's accounts, and replay, where a recorded book stands beside them.
 *
 * It knows slots, prices in ticks and sizes in lots, nothing else; who may trade with whom, fees and
 * margin are the engine's. In a replay book a taker meets at each price first what is left of the
 * recorded size and then the orders of the run, so that the recorded part is always taken to have come
 * first; what a resting order waits for is in `queue-models.ts`. A best price or the size of a level is that
 * of both together, without what own takers have consumed.
 *
 * Invariants: own orders never cross at rest, queues in the order of arrival, the size of a level is
 * the sum of what its orders show (`auditBook`).
 * Source: trading.md 6.1 (price-time priority) and 6.10 (what keeps a place); DESIGN 5.
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

/** Both sides of a recorded book, what its prints took before rows showed it, and its queue model. */
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
  /** Depth that a feed shows; null in a closed book. */
  readonly recorded: RecordedBook | null
}

/** An empty closed book over shared slots. */
export function createBook(slots: OrderSlots): Book {
  return { slots, bids: createBookSide(1), asks: createBookSide(-1), recorded: null }
}

/** An empty replay book over shared slots; the model says where orders stand in its recorded queues. */
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
 * Puts an order at the end of the queue of its price. In a replay book the model places it behind what
 * is recorded there, but for what prints took. That includes what own takers consumed: the prints to
 * come will go through it.
 */
export function restOrder(book: Book, side: Side, slot: number): void {
  const { slots, recorded } = book
  if (recorded !== null) {
    const price = priceOf(slots, slot)
    setAhead(slots, slot, recorded.model.placeOnArrival(recordedStanding(recorded, side, price)))
    // Rows that shortened an earlier place of the order explain no print to it here.
    setCut(slots, slot, 0)
  }
  appendToLevel(sideOf(book, side), slots, slot)
}

/** Takes an order out of the book. */
export function removeOrder(book: Book, side: Side, slot: number): void {
  removeFromLevel(sideOf(book, side), book.slots, slot)
}

/** Takes `lots` off what a resting order shows; it keeps its place. */
export function reduceOrder(book: Book, side: Side, change: { readonly slot: number; readonly lots: number }): void {
  reduceInLevel(sideOf(book, side), book.slots, change)
}

/** Takes `lots`, less than all, off a resting order: first off what it hides. It keeps its place. */
export function cutOrder(book: Book, side: Side, change: { readonly slot: number; readonly lots: number }): void {
  const { slot, lots } = change
  const own = sideOf(book, side)
  const hidden = Math.min(lots, hiddenOf(book.slots, slot))
  if (hidden > 0) reduceHidden(own, book.slots, { slot, lots: hidden })
  if (lots > hidden) reduceInLevel(own, book.slots, { slot, lots: lots - hidden })
}

/** Hides `lots` of what a resting order shows; it keeps its place. */
export function hideOrder(book: Book, side: Side, change: { readonly slot: number; readonly lots: number }): void {
  hideInLevel(sideOf(book, side), book.slots, change)
}

/** The order that is first in the queue of a side, or NO_SLOT. */
export function firstInBook(book: Book, side: Side): number {
  return bestSlot(sideOf(book, side))
}

/** The order after `slot` on its side, or NO_SLOT; does not change the book. */
export function nextInBook(book: Book, side: Side, slot: number): number {
  return slotAfter(sideOf(book, side), book.slots, slot)
}

/** The first order in the queue of a price, or NO_SLOT. */
export function firstAtPrice(book: Book, side: Side, price: number): number {
  return firstSlotAt(sideOf(book, side), price)
}

/** The best price of a side in ticks, or undefined when it is empty. */
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

/** Calls `visit` for the best `depth` levels of a side, best first, until it says false. */
export function visitLevels(
  book: Book,
  side: Side,
  levels: { readonly depth: number; readonly visit: (price: number, size: number) => boolean },
): void {
  if (book.recorded !== null && sideOf(book, side).bestPage === undefined) {
    visitLeft(recordedOf(book.recorded, side), levels.depth, levels.visit)
    return
  }
  let price = bestPrice(book, side)
  for (let level = 0; level < levels.depth && price !== undefined; level += 1) {
    if (!levels.visit(price, levelSize(book, side, price))) return
    price = priceAfter(book, side, price)
  }
}

/**
 * Walks what a taker would meet on a side, best first, until `visit` says false: at each price what is
 * left of the recorded size (`slot` is NO_SLOT), then what each order of the run shows, then what each
 * hides (C25).
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

/** Throws when anything that the book stores twice disagrees, or when own orders cross. */
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

/** The recorded size at a price that prints have left there. */
export function recordedStanding(recorded: RecordedBook, side: Side, price: number): number {
  return recordedSize(recordedOf(recorded, side), price) - printedAt(recorded.prints[side], price)
}

/** The recorded side that orders of `side` rest beside. */
export function recordedOf(recorded: RecordedBook, side: Side): RecordedSide {
  return side === 'buy' ? recorded.bids : recorded.asks
}

/** The next worse price of both kinds of liquidity together. */
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
