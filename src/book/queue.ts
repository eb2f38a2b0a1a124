/**
 * The queue model `risk_averse`: where an order of the run stands in a recorded queue, and what a
 * recorded row gives it.
 *
 * - On arrival all of the recorded size at its price is ahead of it.
 * - A print at its price, of a taker from the other side, first goes through what is ahead; only what
 *   is left of the print after that fills the order.
 * - A print through its price (a worse price for the taker's counterparty) fills it up to the size of
 *   the print, whatever is ahead: price comes before time.
 * - A row that sets the level cannot put more ahead than the level now shows, and never moves it back:
 *   what joins a queue joins behind. What leaves it is taken to leave from behind, as far as it can.
 *   Where the row came before the print that made it so, that print shortens the queue no second time.
 * - A print consumes the size that it took from the levels, once, whichever is told first, print or row
 *   (`prints.ts`).
 * - When the recorded opposite best reaches its price, it fills up to what is left of that level.
 * - An order that fills by one of these last two is first from then on: nothing is ahead of it.
 * - Orders of the run share one print, or one level, in price-time order.
 *
 * Known bias: it is the careful end of the models. Cancels ahead of the order are only noticed once
 * the level has become smaller than its place, so that it fills later than it would have; the market
 * does not react to the run's own orders. Source: DESIGN 5.
 */
import { assert } from '../core/index.ts'
import { type MarketRows, rowSide, type Side, sides, sourceOf } from '../model/index.ts'
import {
  type Book,
  firstAtPrice,
  firstInBook,
  nextInBook,
  recordedOf,
  visitOrders,
} from './book.ts'
import { highestLevel, lowestLevel } from './levels.ts'
import { NO_SLOT, type OrderSlots } from './order-slots.ts'
import { clearPrints, settleRow } from './prints.ts'
import {
  bestRecorded,
  clearRecorded,
  isCrossed,
  recordedSize,
  setRecorded,
  uncrossRecorded,
} from './recorded-side.ts'

/** A side and a price of a book. */
export interface BookLevel {
  readonly side: Side
  readonly price: number
}

/** What stands before the order in a slot. */
export function aheadOf(slots: OrderSlots, slot: number): number {
  return slots.ahead[slot] as number
}

/** Sets what stands before it. */
export function setAhead(slots: OrderSlots, slot: number, ahead: number): void {
  slots.ahead[slot] = ahead
}

/** Lots by which rows have cut what stands before it, and which a print may still explain. */
export function cutOf(slots: OrderSlots, slot: number): number {
  return slots.cut[slot] as number
}

/** Sets those lots. */
export function setCut(slots: OrderSlots, slot: number, cut: number): void {
  slots.cut[slot] = cut
}

/**
 * What stood before an order when a print at its price was made: what stands there now, and what a row
 * of the `claimed` lots of that print has cut already. The cut is used up.
 */
export function aheadAtPrint(slots: OrderSlots, slot: number, claimed: number): number {
  const explained = Math.min(slots.cut[slot] as number, claimed)
  slots.cut[slot] = (slots.cut[slot] as number) - explained
  return (slots.ahead[slot] as number) + explained
}

/** What stands before an order after a print at its price. */
export function aheadAfterPrint(ahead: number, print: number): number {
  return Math.max(0, ahead - print)
}

/**
 * Takes over the rows of a recorded message: each sets the size that its level shows. A snapshot
 * replaces the whole book. Orders of the run keep their places, clamped. Returns how many levels were
 * to go that were not there.
 *
 * The hot loop of a replay: about 30 ns a row of a real book, most of it memory; nothing allocated.
 */
export function recordRows(
  book: Book,
  rows: MarketRows,
  message: {
    readonly from: number
    readonly to: number
    readonly feed: number
    readonly snapshot: boolean
    readonly time: number
  },
): number {
  const { recorded } = book
  assert(recorded !== null, 'a recorded book is told to a replay book')
  const { bids, asks } = recorded
  const { side, price, amount, row } = rows
  const { from, to, snapshot, time: now } = message
  // Before the first print nothing has to be settled.
  const prints = recorded.prints.seen ? recorded.prints : null
  const source = sourceOf(message.feed, 0)
  // Own orders stand from the best price on; a snapshot clamps all of them at its end.
  const holdsBids = !snapshot && book.bids.orders > 0
  const holdsAsks = !snapshot && book.asks.orders > 0
  const bidFrom = holdsBids ? lowestLevel(book.bids) : Number.POSITIVE_INFINITY
  const bidTo = book.bids.best
  const askFrom = book.asks.best
  const askTo = holdsAsks ? highestLevel(book.asks) : Number.NEGATIVE_INFINITY
  let unknown = 0
  if (snapshot) {
    clearRecorded(bids)
    clearRecorded(asks)
    clearPrints(recorded.prints)
  }
  for (let at = from; at < to; at += 1) {
    const sells = side[at] === rowSide.sell
    const ticks = price[at] as number
    const size = amount[at] as number
    const levels = sells ? asks : bids
    let anew = false
    if (prints !== null) {
      anew = settleRow(sells ? prints.sell : prints.buy, {
        price: ticks,
        before: recordedSize(levels, ticks),
        after: size,
        isBest: ticks === bestRecorded(levels),
        now,
      })
    }
    if (!setRecorded(levels, ticks, size, source + (row[at] as number))) unknown += 1
    if (sells ? ticks <= askTo && ticks >= askFrom : ticks >= bidFrom && ticks <= bidTo) {
      clampAtPrice(book, { side: sells ? 'sell' : 'buy', price: ticks, size, anew })
    }
  }
  if (snapshot) clampPlaces(book)
  return unknown
}

/**
 * The places of the orders at a price are at most the size that is shown there. What is cut from them is
 * noted for the print that may explain it; `anew` forgets what was noted before.
 */
function clampAtPrice(
  book: Book,
  level: BookLevel & { readonly size: number; readonly anew: boolean },
): void {
  const { slots } = book
  const { side, price, size, anew } = level
  let slot = firstAtPrice(book, side, price)
  while (slot !== NO_SLOT) {
    if (anew) slots.cut[slot] = 0
    const over = (slots.ahead[slot] as number) - size
    if (over > 0) {
      slots.ahead[slot] = size
      slots.cut[slot] = (slots.cut[slot] as number) + over
    }
    slot = slots.next[slot] as number
  }
}

/**
 * Tells whether the recorded bids and asks cross, and with `uncross` mends it: the older levels go, and
 * with them what stood before orders there. What goes is added to `gone`, if asked for.
 */
export function settleCrossed(book: Book, uncross: boolean, gone: BookLevel[] | null): boolean {
  const { recorded } = book
  if (recorded === null) return false
  const { bids, asks, prints } = recorded
  if (!isCrossed(bids, asks)) return false
  if (uncross) {
    uncrossRecorded(bids, asks, (side, price) => {
      prints[side].printed.delete(price)
      clampAtPrice(book, { side, price, size: 0, anew: false })
      gone?.push({ side, price })
    })
  }
  return true
}

/** After a whole recorded book was replaced: every order keeps its place, clamped. */
function clampPlaces(book: Book): void {
  const { slots, recorded } = book
  if (recorded === null) return
  for (const side of sides) {
    const levels = recordedOf(recorded, side)
    visitOrders(book, side, (slot) => {
      const size = recordedSize(levels, slots.price[slot] as number)
      if ((slots.ahead[slot] as number) > size) slots.ahead[slot] = size
    })
  }
}

/** The orders of a side that a print at `price` reaches, at it or through it, in match order. */
export function ordersReached(book: Book, side: Side, price: number): number[] {
  const reached: number[] = []
  let slot = firstInBook(book, side)
  while (slot !== NO_SLOT) {
    const own = book.slots.price[slot] as number
    if (side === 'buy' ? own < price : own > price) break
    reached.push(slot)
    slot = nextInBook(book, side, slot)
  }
  return reached
}
