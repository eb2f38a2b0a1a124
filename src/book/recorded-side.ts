/**
 * One side of a recorded book: what a feed shows at each price, what own orders have taken of it,
 * and the row that set it.
 *
 * Own takers consume the size that is shown, and it stays consumed until the feed says something
 * about that level again (`setRecorded`); what is left is what can be taken. Sizes in lots, prices in
 * ticks. `source` is a number that names the row; this file does not look into it.
 *
 * Cost: 4 KB a page of 256 levels, 6 KB once something was taken of it; about 25 ns a row (the page, one
 * store each of size and source, and a bit where a level opens or closes).
 */
import { assert } from '../core/index.ts'
import type { Side } from '../model/index.ts'
import {
  addPage,
  auditLevels,
  clearLevels,
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
  sizeAt,
} from './levels.ts'

/**
 * Rows of a feed wander over some thousand ticks, so that the pages around the first one are found by
 * their number: 8 KB a side. Own orders stand close together and need none of it.
 */
const NEAR_PAGES = 1024

/** Levels with what was taken of them and the row that set them. */
interface RecordedPage extends LevelPage {
  /** Null while nothing of the page was ever taken, as of most pages. */
  taken: Float64Array | null
  readonly source: Float64Array
}

/** One side of a recorded book. */
export type RecordedSide = Levels<RecordedPage>

/** A recorded level as plain data. */
export interface RecordedLevel {
  readonly price: number
  readonly size: number
  readonly taken: number
  readonly source: number
}

/** An empty side; `sign` is 1 for bids, -1 for asks. */
export function createRecordedSide(sign: 1 | -1): RecordedSide {
  return emptyLevels(sign, NEAR_PAGES)
}

/**
 * Sets the size that is shown at a price, 0 for none; nothing of it is taken any more. Returns false
 * where a level was to go that was not there.
 */
export function setRecorded(
  side: RecordedSide,
  price: number,
  size: number,
  source: number,
): boolean {
  const page = findPage(side, price)
  if (page === undefined) {
    if (size === 0) return false
    const made = addPage(side, recordedPage(pageNumberOf(price)))
    setLevel(made, price - made.number * PAGE_LEVELS, size, source)
    openLevel(side, made, price)
    return true
  }
  side.last = page
  const level = price - page.number * PAGE_LEVELS
  const before = page.size[level] as number
  setLevel(page, level, size, source)
  if (before === 0) {
    if (size === 0) return false
    openLevel(side, page, price)
  } else if (size === 0) {
    closeLevel(side, page, price)
  }
  return true
}

/** Takes part of what is left at a price. */
export function takeRecorded(side: RecordedSide, price: number, lots: number): void {
  const page = findPage(side, price)
  assert(page !== undefined && lots > 0, 'what is taken is there')
  const level = price - page.number * PAGE_LEVELS
  page.taken ??= new Float64Array(PAGE_LEVELS)
  const taken = (page.taken[level] as number) + lots
  assert(taken <= (page.size[level] as number), 'no more is taken than is shown')
  page.taken[level] = taken
}

/** Forgets every level. */
export function clearRecorded(side: RecordedSide): void {
  for (const number of side.inUse) {
    const page = side.pages.get(number)
    page?.taken?.fill(0)
    page?.source.fill(0)
  }
  clearLevels(side)
}

/** The best price that is shown, or undefined. */
export function bestRecorded(side: RecordedSide): number | undefined {
  return side.bestPage === undefined ? undefined : side.best
}

/** The best price at which something is left to take, or undefined. */
export function bestLeft(side: RecordedSide): number | undefined {
  let price = side.bestPage === undefined ? undefined : side.best
  while (price !== undefined && recordedLeft(side, price) === 0) price = nextPrice(side, price)
  return price
}

/** The next worse price at which something is left, or undefined. */
export function nextLeft(side: RecordedSide, from: number): number | undefined {
  let price = nextPrice(side, from)
  while (price !== undefined && recordedLeft(side, price) === 0) price = nextPrice(side, price)
  return price
}

/**
 * Where the best bid and ask meet or cross, takes the older of the two levels away until they do not;
 * the row that set a level tells its age. `onGone` is told each level that went.
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
  return bids.bestPage !== undefined && asks.bestPage !== undefined && bids.best >= asks.best
}

/** The size that is shown at a price. */
export function recordedSize(side: RecordedSide, price: number): number {
  return sizeAt(side, price)
}

/** Size left to take at a price. */
export function recordedLeft(side: RecordedSide, price: number): number {
  const page = findPage(side, price)
  if (page === undefined) return 0
  const level = price - page.number * PAGE_LEVELS
  const size = page.size[level] as number
  return page.taken === null ? size : size - (page.taken[level] as number)
}

/** The row that set the level at a price; 0 where there is no level. */
export function recordedSource(side: RecordedSide, price: number): number {
  const page = findPage(side, price)
  return page === undefined ? 0 : (page.source[price - page.number * PAGE_LEVELS] as number)
}

/** Calls `visit` for the best `depth` levels that are shown, best first. */
export function visitRecorded(
  side: RecordedSide,
  depth: number,
  visit: (price: number, size: number) => void,
): void {
  let price = bestRecorded(side)
  for (let level = 0; level < depth && price !== undefined; level += 1) {
    visit(price, recordedSize(side, price))
    price = nextPrice(side, price)
  }
}

/** All levels, best first, for a snapshot. */
export function recordedLevels(side: RecordedSide): RecordedLevel[] {
  const levels: RecordedLevel[] = []
  for (let price = bestRecorded(side); price !== undefined; price = nextPrice(side, price)) {
    const size = recordedSize(side, price)
    const taken = size - recordedLeft(side, price)
    levels.push({ price, size, taken, source: recordedSource(side, price) })
  }
  return levels
}

/** Puts a level of a snapshot back. */
export function restoreRecorded(side: RecordedSide, level: RecordedLevel): void {
  setRecorded(side, level.price, level.size, level.source)
  if (level.taken > 0) takeRecorded(side, level.price, level.taken)
}

/** Recomputes what is stored twice and compares. */
export function auditRecorded(side: RecordedSide): void {
  auditLevels(side)
  for (const page of side.pages.values()) {
    for (let level = 0; level < PAGE_LEVELS; level += 1) {
      const taken = page.taken?.[level] ?? 0
      assert(taken >= 0 && taken <= (page.size[level] as number), 'no more is taken than is shown')
    }
  }
}

function setLevel(page: RecordedPage, level: number, size: number, source: number): void {
  page.size[level] = size
  if (page.taken !== null) page.taken[level] = 0
  page.source[level] = size === 0 ? 0 : source
}

function recordedPage(number: number): RecordedPage {
  const { size, bits, levels } = emptyPage(number)
  return {
    number,
    size,
    bits,
    levels,
    taken: null,
    source: new Float64Array(PAGE_LEVELS),
  }
}
