/**
 * One side of a book with the run's own orders: price levels with a queue each, best price first.
 *
 * Cost: 4 KB for a page of levels (`levels.ts`); a side that trades within 1.5 % of a mark of 60,000 at tick 0.5 needs
 * 8 pages.
 */
import { assert } from '../core/index.ts'
import {
  addPage,
  auditLevels,
  closeLevel,
  emptyLevels,
  emptyPage,
  findPage,
  type LevelPage,
  type Levels,
  nextPrice,
  openLevel,
  PAGE_LEVELS,
  pageNumberOf,
} from './levels.ts'
import {
  hiddenOf,
  NO_SLOT,
  nextOf,
  type OrderSlots,
  placeOf,
  previousOf,
  priceOf,
  remainingOf,
  setHidden,
  setNext,
  setPrevious,
  setRemaining,
  shownOf,
  takePlace,
} from './order-slots.ts'

/** Levels with the ends of their queues. */
interface QueuePage extends LevelPage {
  /** The first and the last order of each level, in adjacent cells. */
  readonly ends: Int32Array
}

/** One side of a book. The size of a level is the sum of the visible sizes of its orders. */
export interface BookSide extends Levels<QueuePage> {
  orders: number
  /** Hidden size of icebergs, in lots; 0 on most sides. */
  hidden: number
}

/** An empty side. */
export function createBookSide(sign: 1 | -1): BookSide {
  return { ...emptyLevels<QueuePage>(sign), orders: 0, hidden: 0 }
}

/** Appends the order in `slot` to the queue of its price. The order must have a visible size. */
export function appendToLevel(side: BookSide, slots: OrderSlots, slot: number): void {
  const price = priceOf(slots, slot)
  const page = pageFor(side, price)
  const level = price - page.number * PAGE_LEVELS
  const tail = page.ends[2 * level] === NO_SLOT ? NO_SLOT : (page.ends[2 * level + 1] as number)
  const shown = shownOf(slots, slot)
  assert(shown > 0, 'a resting order has a visible size')
  takePlace(slots, slot)
  setPrevious(slots, slot, tail)
  setNext(slots, slot, NO_SLOT)
  if (tail === NO_SLOT) {
    page.ends[2 * level] = slot
    page.size[level] = shown
    openLevel(side, page, price)
  } else {
    setNext(slots, tail, slot)
    page.size[level] = (page.size[level] as number) + shown
  }
  page.ends[2 * level + 1] = slot
  side.orders += 1
  side.hidden += hiddenOf(slots, slot)
}

/** Removes the order in `slot` from its queue. */
export function removeFromLevel(side: BookSide, slots: OrderSlots, slot: number): void {
  const price = priceOf(slots, slot)
  const page = pageFor(side, price)
  const level = price - page.number * PAGE_LEVELS
  const before = previousOf(slots, slot)
  const after = nextOf(slots, slot)
  if (before === NO_SLOT) page.ends[2 * level] = after
  else setNext(slots, before, after)
  if (after === NO_SLOT) page.ends[2 * level + 1] = before
  else setPrevious(slots, after, before)
  setNext(slots, slot, NO_SLOT)
  setPrevious(slots, slot, NO_SLOT)
  side.orders -= 1
  side.hidden -= hiddenOf(slots, slot)
  if (page.ends[2 * level] === NO_SLOT) {
    page.size[level] = 0
    closeLevel(side, page, price)
  } else {
    page.size[level] = (page.size[level] as number) - shownOf(slots, slot)
  }
}

/** Subtracts `lots` from the visible size of the order in `slot`; it keeps its place. */
export function reduceInLevel(side: BookSide, slots: OrderSlots, slot: number, lots: number): void {
  const price = priceOf(slots, slot)
  const page = pageFor(side, price)
  const level = price - page.number * PAGE_LEVELS
  assert(shownOf(slots, slot) > lots, 'a reduced order still has a visible size')
  setRemaining(slots, slot, remainingOf(slots, slot) - lots)
  page.size[level] = (page.size[level] as number) - lots
}

/** Subtracts `lots` from the hidden size of the order in `slot`. */
export function reduceHidden(side: BookSide, slots: OrderSlots, slot: number, lots: number): void {
  assert(hiddenOf(slots, slot) >= lots, 'a refill takes at most the hidden size')
  setRemaining(slots, slot, remainingOf(slots, slot) - lots)
  setHidden(slots, slot, hiddenOf(slots, slot) - lots)
  side.hidden -= lots
}

/** Hides `lots` of the visible size of the order in `slot`; it keeps its place. */
export function hideInLevel(side: BookSide, slots: OrderSlots, slot: number, lots: number): void {
  const price = priceOf(slots, slot)
  const page = pageFor(side, price)
  const level = price - page.number * PAGE_LEVELS
  assert(shownOf(slots, slot) > lots, 'an order with more hidden size still has a visible size')
  setHidden(slots, slot, hiddenOf(slots, slot) + lots)
  side.hidden += lots
  page.size[level] = (page.size[level] as number) - lots
}

/** The first order in the queue of the best price, or NO_SLOT. */
export function bestSlot(side: BookSide): number {
  const page = side.bestPage
  if (page === undefined) return NO_SLOT
  return page.ends[2 * (side.best - page.number * PAGE_LEVELS)] as number
}

/** The first order in the queue of a price, or NO_SLOT. */
export function firstSlotAt(side: BookSide, price: number): number {
  const page = findPage(side, price)
  if (page === undefined) return NO_SLOT
  return page.ends[2 * (price - page.number * PAGE_LEVELS)] as number
}

/** The order after `slot` in match order (same queue, then the next worse price), or NO_SLOT. */
export function slotAfter(side: BookSide, slots: OrderSlots, slot: number): number {
  const behind = nextOf(slots, slot)
  if (behind !== NO_SLOT) return behind
  const price = nextPrice(side, priceOf(slots, slot))
  return price === undefined ? NO_SLOT : firstSlotAt(side, price)
}

/** Recomputes stored values and compares: sizes, bits, links, counts, best. */
export function auditSide(side: BookSide, slots: OrderSlots): void {
  const found = { orders: 0, hidden: 0 }
  for (const page of side.pages.values()) {
    for (let level = 0; level < PAGE_LEVELS; level += 1) auditQueue(page, level, slots, found)
  }
  assert(found.orders === side.orders, 'a side has the correct count of orders')
  assert(found.hidden === side.hidden, 'a side has the correct hidden size')
  auditLevels(side)
}

/** Orders and hidden lots that an audit has counted so far. */
interface QueueTotals {
  orders: number
  hidden: number
}

/** Checks one queue and adds its orders to `found`. */
function auditQueue(page: QueuePage, level: number, slots: OrderSlots, found: QueueTotals): void {
  let size = 0
  let orders = 0
  let before = NO_SLOT
  let slot = page.ends[2 * level] as number
  // Most levels are empty, and an audit after every command checks all of them.
  if (slot === NO_SLOT && page.size[level] === 0) return
  while (slot !== NO_SLOT) {
    assert(priceOf(slots, slot) === page.number * PAGE_LEVELS + level, 'an order is in the queue of its price')
    assert(previousOf(slots, slot) === before, 'neighbours in a queue refer to each other')
    const place = before === NO_SLOT ? 0 : placeOf(slots, before)
    assert(placeOf(slots, slot) > place, 'queue positions increase along a queue')
    assert(placeOf(slots, slot) <= slots.arrivals, 'a queue position was assigned on arrival')
    assert(shownOf(slots, slot) > 0, 'a resting order has a visible size')
    assert(hiddenOf(slots, slot) >= 0, 'the hidden size of an order is not negative')
    size += shownOf(slots, slot)
    orders += 1
    found.hidden += hiddenOf(slots, slot)
    before = slot
    slot = nextOf(slots, slot)
  }
  assert(size === page.size[level], 'a level has the correct size')
  assert(orders === 0 || page.ends[2 * level + 1] === before, 'a queue has the correct last order')
  found.orders += orders
}

function pageFor(side: BookSide, price: number): QueuePage {
  const page = findPage(side, price)
  if (page === undefined) return addPage(side, queuePage(pageNumberOf(price)))
  side.last = page
  return page
}

function queuePage(number: number): QueuePage {
  const { size, bits, levels } = emptyPage(number)
  return {
    number,
    size,
    bits,
    levels,
    ends: new Int32Array(PAGE_LEVELS * 2).fill(NO_SLOT),
  }
}
