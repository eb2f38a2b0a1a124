/**
 * One side of a recorded book: the size that a feed shows at each price, the lots that own orders have taken of it, and
 * the row that set it.
 *
 * Own takers consume the visible size. It stays consumed until the feed sets that level again (`setRecorded`), or for a
 * limited time (`refreshes.ts`). Only the remaining size can be taken. Sizes in lots, prices in ticks. `source` is a
 * number that identifies the row; this file does not interpret it.
 *
 * Cost: 4 KB for a page of 256 levels, 6 KB after lots were taken of it; a row costs a page lookup, a store of size and
 * source in adjacent cells, and a bit if a level opens or closes (`recorded-pages.ts`).
 */
import { assert } from '../core/index.ts'
import type { Side } from '../model/index.ts'
import { PAGE_LEVELS, pageNumberOf } from './levels.ts'
import {
  addRecordedPage,
  auditPages,
  bestOfPage,
  cellOf,
  clearPages,
  closeRecordedLevel,
  emptyPages,
  levelIn,
  NO_PAGE,
  nextBit,
  nextPageInUse,
  nextRecordedPrice,
  openRecordedLevel,
  type RecordedPages,
  recordedPageOf,
} from './recorded-pages.ts'

/** One side of a recorded book. */
export type RecordedSide = RecordedPages

/** A recorded level as plain data. */
export interface RecordedLevel {
  readonly price: number
  readonly size: number
  readonly taken: number
  readonly source: number
}

/** An empty side; `sign` is 1 for bids, -1 for asks. */
export function createRecordedSide(sign: 1 | -1): RecordedSide {
  return emptyPages(sign)
}

/**
 * Sets the visible size at a price, 0 for none, and gives back all taken lots. Returns the previous visible size: if
 * both are 0, the row removed a level that did not exist.
 */
export function setRecorded(side: RecordedSide, price: number, size: number, source: number): number {
  let page = recordedPageOf(side, price)
  if (page === NO_PAGE) {
    if (size === 0) return 0
    page = addRecordedPage(side, price)
  }
  const level = levelIn(price)
  const cell = cellOf(page, level)
  const { cells } = side
  const before = cells[cell] as number
  cells[cell] = size
  cells[cell + 1] = size === 0 ? 0 : source
  if (side.hasTaken) giveBack(side, page, level)
  if (before === 0) {
    if (size !== 0) openRecordedLevel(side, page, price)
  } else if (size === 0) {
    closeRecordedLevel(side, page, price)
  }
  return before
}

/** Takes a part of the remaining size at a price. */
export function takeRecorded(side: RecordedSide, price: number, lots: number): void {
  const page = recordedPageOf(side, price)
  assert(page !== NO_PAGE && lots > 0, 'a fill takes from an existing level')
  const level = levelIn(price)
  const known = side.taken[page] ?? new Float64Array(PAGE_LEVELS)
  const taken = (known[level] as number) + lots
  assert(taken <= (side.cells[cellOf(page, level)] as number), 'a fill takes at most the visible size')
  known[level] = taken
  side.taken[page] = known
  side.hasTaken = true
}

/** Gives back all taken lots at a price; returns true if that changes the remaining size. */
export function refreshRecorded(side: RecordedSide, price: number): boolean {
  const page = recordedPageOf(side, price)
  if (page === NO_PAGE) return false
  const isLess = recordedLeft(side, price) < recordedSize(side, price)
  giveBack(side, page, levelIn(price))
  return isLess
}

/** Removes every level. */
export function clearRecorded(side: RecordedSide): void {
  clearPages(side)
}

/** The best visible price, or undefined. */
export function bestRecorded(side: RecordedSide): number | undefined {
  return side.bestPage === NO_PAGE ? undefined : side.best
}

/** The best price with a remaining size, or undefined. */
export function bestLeft(side: RecordedSide): number | undefined {
  let price = side.bestPage === NO_PAGE ? undefined : side.best
  while (price !== undefined && recordedLeft(side, price) === 0) price = nextRecordedPrice(side, price)
  return price
}

/** The next worse price with a remaining size, or undefined. */
export function nextLeft(side: RecordedSide, from: number): number | undefined {
  let price = nextRecordedPrice(side, from)
  while (price !== undefined && recordedLeft(side, price) === 0) price = nextRecordedPrice(side, price)
  return price
}

/**
 * While the best bid and ask are equal or cross, removes the older of the two levels; the row that set a level
 * determines its age. Calls `onGone` for each removed level.
 */
export function uncrossRecorded(
  bids: RecordedSide,
  asks: RecordedSide,
  onGone: ((side: Side, price: number) => void) | null,
): void {
  while (isCrossed(bids, asks)) {
    const bidIsOlder = recordedSource(bids, bids.best) < recordedSource(asks, asks.best)
    const price = bidIsOlder ? bids.best : asks.best
    setRecorded(bidIsOlder ? bids : asks, price, 0, 0)
    onGone?.(bidIsOlder ? 'buy' : 'sell', price)
  }
}

/** True if the best bid is at or above the best ask. */
export function isCrossed(bids: RecordedSide, asks: RecordedSide): boolean {
  return bids.bestPage !== NO_PAGE && asks.bestPage !== NO_PAGE && bids.best >= asks.best
}

/** The visible size at a price. */
export function recordedSize(side: RecordedSide, price: number): number {
  const page = recordedPageOf(side, price)
  return page === NO_PAGE ? 0 : (side.cells[cellOf(page, levelIn(price))] as number)
}

/** Remaining size at a price. */
export function recordedLeft(side: RecordedSide, price: number): number {
  const page = recordedPageOf(side, price)
  if (page === NO_PAGE) return 0
  return leftIn(side, page, levelIn(price))
}

/** The row that set the level at a price; 0 without a level. */
export function recordedSource(side: RecordedSide, price: number): number {
  const page = recordedPageOf(side, price)
  return page === NO_PAGE ? 0 : (side.cells[cellOf(page, levelIn(price)) + 1] as number)
}

/** Calls `visit` for the best `depth` visible levels, best first. */
export function visitRecorded(side: RecordedSide, depth: number, visit: (price: number, size: number) => void): void {
  let price = bestRecorded(side)
  for (let level = 0; level < depth && price !== undefined; level += 1) {
    visit(price, recordedSize(side, price))
    price = nextRecordedPrice(side, price)
  }
}

/**
 * Calls `visit` for the best `depth` levels with a remaining size, best first, until it returns false. It walks along
 * the bitsets of the pages and looks up each page once.
 */
export function visitLeft(side: RecordedSide, depth: number, visit: (price: number, size: number) => boolean): void {
  let page = side.bestPage
  let level = levelIn(side.best)
  let from = side.best - level
  let more = page === NO_PAGE ? 0 : depth
  while (more > 0) {
    const left = leftIn(side, page, level)
    if (left > 0) {
      more -= 1
      if (!visit(from + level, left)) return
    }
    level = nextBit(side, page, level)
    if (level >= 0) continue
    const next = nextPageInUse(side, pageNumberOf(from))
    if (next === undefined) return
    const best = bestOfPage(side, next)
    page = recordedPageOf(side, best)
    level = levelIn(best)
    from = best - level
  }
}

/** All levels, best first, for a snapshot. */
export function recordedLevels(side: RecordedSide): RecordedLevel[] {
  const levels: RecordedLevel[] = []
  for (let price = bestRecorded(side); price !== undefined; price = nextRecordedPrice(side, price)) {
    const size = recordedSize(side, price)
    const taken = size - recordedLeft(side, price)
    levels.push({ price, size, taken, source: recordedSource(side, price) })
  }
  return levels
}

/** Restores a level from a snapshot. */
export function restoreRecorded(side: RecordedSide, level: RecordedLevel): void {
  setRecorded(side, level.price, level.size, level.source)
  if (level.taken > 0) takeRecorded(side, level.price, level.taken)
}

/** Recomputes stored values and compares. */
export function auditRecorded(side: RecordedSide): void {
  auditPages(side)
}

function leftIn(side: RecordedSide, page: number, level: number): number {
  const size = side.cells[cellOf(page, level)] as number
  const taken = side.taken[page] ?? null
  return taken === null ? size : size - (taken[level] as number)
}

/** Gives back all taken lots of a level that a row sets again. */
function giveBack(side: RecordedSide, page: number, level: number): void {
  const taken = side.taken[page] ?? null
  if (taken !== null) taken[level] = 0
}
