/**
 * Places of the run's orders in recorded queues, and the effects of recorded rows on them.
 *
 * A place is the recorded size ahead of an order at its price. The queue model of the book determines changes of it
 * (`queue-models.ts`). This file calls the model at the right moments and records the lots that rows cut from a place,
 * so that a print that an earlier row has already shown does not shorten the queue again.
 * Source: DESIGN 5.
 */
import { assert } from '../core/index.ts'
import { type MarketRows, rowSide, type Side, sides, sourceOf } from '../model/index.ts'
import { type Book, firstAtPrice, firstInBook, nextInBook, type RecordedBook, recordedOf, visitOrders } from './book.ts'
import { highestLevel, lowestLevel } from './levels.ts'
import { aheadOf, cutOf, NO_SLOT, nextOf, type OrderSlots, priceOf, setAhead, setCut } from './order-slots.ts'
import { clearPrints, settleRow } from './prints.ts'
import type { QueueModelRules } from './queue-models.ts'
import {
  bestRecorded,
  clearRecorded,
  isCrossed,
  recordedSize,
  refreshRecorded,
  setRecorded,
  uncrossRecorded,
  visitRecorded,
} from './recorded-side.ts'
import { clearRefreshes, takeDue } from './refreshes.ts'

/** A side and a price of a book. */
export interface BookLevel {
  readonly side: Side
  readonly price: number
}

/**
 * The place of an order at the time of a print at its price. Earlier rows have already shown `claimed` lots of that
 * print; the lots that they cut from the place for it are used up.
 */
export function aheadAtPrint(slots: OrderSlots, slot: number, model: QueueModelRules, claimed: number): number {
  const explained = Math.min(cutOf(slots, slot), claimed)
  setCut(slots, slot, cutOf(slots, slot) - explained)
  return model.placeBeforePrint({ ahead: aheadOf(slots, slot), explained })
}

/** Range of rows of one recorded message. */
interface RecordedMessage {
  readonly from: number
  readonly to: number
  readonly feed: number
  readonly snapshot: boolean
  readonly time: number
}

/**
 * Applies the rows of a recorded message: each sets the size of its level. A snapshot replaces the whole book. The
 * model determines the new places of the run's orders. Returns the number of removed levels that did not exist.
 *
 * The hot loop of a replay: about 30 ns for each row of a real book, most of it memory access; nothing is allocated.
 */
export function recordRows(book: Book, rows: MarketRows, message: RecordedMessage): number {
  const { recorded } = book
  assert(recorded !== null, 'a recorded book goes to a replay book')
  const { bids, asks } = recorded
  const { side, price, amount, row } = rows
  const { from, to, snapshot, time: now } = message
  // Before the first print there is nothing to settle, and no print explains the differences of a snapshot.
  const prints = recorded.prints.seen && !snapshot ? recorded.prints : null
  const source = sourceOf(message.feed, 0)
  // Own orders begin at the best price; a snapshot checks all of them at its end.
  const holdsBids = !snapshot && book.bids.orders > 0
  const holdsAsks = !snapshot && book.asks.orders > 0
  const bidFrom = holdsBids ? lowestLevel(book.bids) : Number.POSITIVE_INFINITY
  const bidTo = book.bids.best
  const askFrom = book.asks.best
  const askTo = holdsAsks ? highestLevel(book.asks) : Number.NEGATIVE_INFINITY
  // Rows only remove from these maps, so empty ones stay empty during the message.
  const refreshes = recorded.refreshes.next < Number.POSITIVE_INFINITY ? recorded.refreshes : null
  let unknown = 0
  if (snapshot) {
    clearRecorded(bids)
    clearRecorded(asks)
    clearPrints(recorded.prints)
    clearRefreshes(recorded.refreshes)
  }
  for (let at = from; at < to; at += 1) {
    const sells = side[at] === rowSide.sell
    const ticks = price[at] as number
    const size = amount[at] as number
    const levels = sells ? asks : bids
    const isBest = prints !== null && ticks === levels.best && bestRecorded(levels) !== undefined
    const before = setRecorded(levels, ticks, size, source + (row[at] as number))
    if (before === 0 && size === 0) unknown += 1
    if (refreshes !== null) refreshes[sells ? 'sell' : 'buy'].delete(ticks)
    let anew = false
    if (prints !== null) {
      const own = sells ? prints.sell : prints.buy
      // Other rows do not affect the state of prints.
      if ((isBest && size < before) || (own.printed.size > 0 && own.printed.has(ticks))) {
        anew = settleRow(own, { price: ticks, before, after: size, isBest, now })
      }
    }
    if (sells ? ticks <= askTo && ticks >= askFrom : ticks >= bidFrom && ticks <= bidTo) {
      shiftAtPrice(book, recorded.model, { side: sells ? 'sell' : 'buy', price: ticks, size, anew })
    }
  }
  if (snapshot) shiftAll(book, recorded)
  return unknown
}

/** Clears a recorded book because its instrument has ended; calls `onGone` for each level. */
export function endRecorded(recorded: RecordedBook, onGone: (level: BookLevel) => void): void {
  const gone = sides.flatMap((side) => {
    const levels: BookLevel[] = []
    visitRecorded(recordedOf(recorded, side), Number.POSITIVE_INFINITY, (price) => {
      levels.push({ side, price })
    })
    return levels
  })
  clearRecorded(recorded.bids)
  clearRecorded(recorded.asks)
  clearPrints(recorded.prints)
  clearRefreshes(recorded.refreshes)
  for (const level of gone) onGone(level)
}

/**
 * Gives back consumed levels that are due at a time: the feed continues and shows them unchanged. Calls `onRefresh` for
 * each level with more remaining size than before.
 */
export function refreshLevels(
  { prints, refreshes, bids, asks }: RecordedBook,
  now: number,
  onRefresh: (level: BookLevel) => void,
): void {
  takeDue(refreshes, now, (side, price) => {
    prints[side].printed.delete(price)
    if (refreshRecorded(side === 'buy' ? bids : asks, price)) onRefresh({ side, price })
  })
}

/** A level with its new recorded size; `anew` is true if it comes from a snapshot. */
interface ShiftedLevel extends BookLevel {
  readonly size: number
  readonly anew: boolean
}

/**
 * Updates the places of the orders at a price whose level now shows `size`. The cut lots are recorded for the print
 * that may explain them; `anew` first forgets earlier ones.
 */
function shiftAtPrice(book: Book, model: QueueModelRules, level: ShiftedLevel): void {
  const { slots } = book
  const { side, price, size, anew } = level
  let slot = firstAtPrice(book, side, price)
  while (slot !== NO_SLOT) {
    if (anew) setCut(slots, slot, 0)
    const cut = shift(slots, slot, model, size)
    setCut(slots, slot, cutOf(slots, slot) + cut)
    slot = nextOf(slots, slot)
  }
}

/** Updates the place of an order whose level now shows `shown` lots; returns the cut lots. */
function shift(slots: OrderSlots, slot: number, model: QueueModelRules, shown: number): number {
  const ahead = aheadOf(slots, slot)
  const left = model.placeAtRow({ ahead, shown })
  assert(left <= ahead, 'an order joins a queue at its end')
  setAhead(slots, slot, left)
  return ahead - left
}

/**
 * Returns true if the recorded bids and asks cross. With `uncross` it removes the older levels, and with them the size
 * ahead of orders there. Adds removed levels to `gone`, if given.
 */
export function settleCrossed(book: Book, uncross: boolean, gone: BookLevel[] | null): boolean {
  const { recorded } = book
  if (recorded === null || !isCrossed(recorded.bids, recorded.asks)) return false
  if (uncross) uncrossBook(book, recorded, gone)
  return true
}

function uncrossBook(book: Book, { bids, asks, prints, model }: RecordedBook, gone: BookLevel[] | null): void {
  uncrossRecorded(bids, asks, (side, price) => {
    prints[side].printed.delete(price)
    shiftAtPrice(book, model, { side, price, size: 0, anew: false })
    gone?.push({ side, price })
  })
}

/** Updates the places of all orders after a snapshot replaced the recorded book; no print explains these changes. */
function shiftAll(book: Book, recorded: RecordedBook): void {
  const { slots } = book
  for (const side of sides) {
    const levels = recordedOf(recorded, side)
    visitOrders(book, side, (slot) => {
      const shown = recordedSize(levels, priceOf(slots, slot))
      shift(slots, slot, recorded.model, shown)
    })
  }
}

/** The orders of a side that a print at `price` reaches or passes, in match order. */
export function ordersReached(book: Book, side: Side, price: number): number[] {
  const reached: number[] = []
  let slot = firstInBook(book, side)
  while (slot !== NO_SLOT) {
    const own = priceOf(book.slots, slot)
    if (side === 'buy' ? own < price : own > price) break
    reached.push(slot)
    slot = nextInBook(book, side, slot)
  }
  return reached
}
