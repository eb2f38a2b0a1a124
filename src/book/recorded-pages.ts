/**
 * Price levels of one side of a recorded book: pages of 256 neighbouring levels as in `levels.ts`, but all in one block
 * of memory, with the size of a level next to the row that set it. So a row of a feed touches one memory line outside
 * the cache, and no object.
 *
 * A list finds pages near the first one by their number; a map finds all others. Cost: 4 KB for each page and 4 KB for
 * each side with pages.
 */
import { assert, defined } from '../core/index.ts'
import { bitAbove, bitBelow, PAGE_LEVELS, pageNumberOf, rankOf } from './levels.ts'

/** Words of the bitset of a page. */
const WORDS = 8
/** Cells of a page: size and source of each level. */
const CELLS = 2 * PAGE_LEVELS
/** Number of pages in the list. Rows of a feed vary over some thousand ticks around the first. */
const NEAR_PAGES = 1024
const NEAR_LEVELS = NEAR_PAGES * PAGE_LEVELS
const FIRST_PAGES = 2
/** Up to this number, pages without levels are kept for reuse. */
const EMPTY_PAGES_MAX = 16

/** Place of a page that does not exist. */
export const NO_PAGE = -1

/** The levels of a side. `sign` is 1 if higher prices are better (bids), -1 for asks. */
export interface RecordedPages {
  readonly sign: 1 | -1
  /** Size and source of each level, page after page. */
  cells: Float64Array
  /** For each page a bitset of the levels that are not empty. */
  bits: Int32Array
  /** Number of levels of each page that are not empty. */
  counts: Int32Array
  /** Lots taken of each level, by page; null for pages from which nothing was ever taken, as most. */
  readonly taken: (Float64Array | null)[]
  /** True after lots were taken of any level. */
  hasTaken: boolean
  /** The place of each page, by its number minus that of the first, or NO_PAGE; empty before the first page exists. */
  near: Int32Array
  /** The lowest price of the pages in `near`. */
  nearFrom: number
  /** Places of all pages by their number. */
  readonly places: Map<number, number>
  /** Unused places; their cells are all empty. */
  readonly free: number[]
  /** Numbers of the pages with levels, ascending. */
  readonly inUse: number[]
  /** The place of the page of the best level; NO_PAGE if the side is empty. */
  bestPage: number
  /** The best price in ticks; meaningless if the side is empty. */
  best: number
}

/** A side without levels. */
export function emptyPages(sign: 1 | -1): RecordedPages {
  return {
    sign,
    cells: new Float64Array(0),
    bits: new Int32Array(0),
    counts: new Int32Array(0),
    taken: [],
    hasTaken: false,
    near: new Int32Array(0),
    // A price above all others, so that no price is in the list.
    nearFrom: Number.MAX_SAFE_INTEGER,
    places: new Map(),
    free: [],
    inUse: [],
    bestPage: NO_PAGE,
    best: 0,
  }
}

/** The place of the page of a price, or NO_PAGE. */
export function recordedPageOf(side: RecordedPages, price: number): number {
  const offset = price - side.nearFrom
  if (offset >= 0 && offset < NEAR_LEVELS) return side.near[offset >>> 8] as number
  return side.places.get(pageNumberOf(price)) ?? NO_PAGE
}

/** The place of a price in its page. Pages begin at multiples of 256, also below zero. */
export function levelIn(price: number): number {
  return price & (PAGE_LEVELS - 1)
}

/** The cell of the size of a level; the next cell contains its source. */
export function cellOf(page: number, level: number): number {
  return page * CELLS + 2 * level
}

/** Adds a missing page for a price; returns its place. */
export function addRecordedPage(side: RecordedPages, price: number): number {
  const number = pageNumberOf(price)
  if (side.places.size > side.inUse.length + EMPTY_PAGES_MAX) dropEmptyPages(side)
  if (side.near.length === 0) {
    side.near = new Int32Array(NEAR_PAGES).fill(NO_PAGE)
    side.nearFrom = (number - (NEAR_PAGES >> 1)) * PAGE_LEVELS
  }
  const page = side.free.pop() ?? growPages(side)
  side.places.set(number, page)
  noteNear(side, number, page)
  return page
}

/** Marks a level that was empty; it may be the new best. */
export function openRecordedLevel(side: RecordedPages, page: number, price: number): void {
  const level = levelIn(price)
  const { bits, counts } = side
  const word = page * WORDS + (level >> 5)
  bits[word] = (bits[word] as number) | (1 << (level & 31))
  const levels = (counts[page] as number) + 1
  counts[page] = levels
  if (levels === 1) {
    const number = pageNumberOf(price)
    side.inUse.splice(rankOf(side.inUse, number), 0, number)
  }
  if (side.bestPage === NO_PAGE || (price - side.best) * side.sign > 0) {
    side.best = price
    side.bestPage = page
  }
}

/** Unmarks a level that has become empty; the next one may be the new best. */
export function closeRecordedLevel(side: RecordedPages, page: number, price: number): void {
  const level = levelIn(price)
  const { bits, counts } = side
  const word = page * WORDS + (level >> 5)
  bits[word] = (bits[word] as number) & ~(1 << (level & 31))
  const levels = (counts[page] as number) - 1
  counts[page] = levels
  if (levels === 0) side.inUse.splice(rankOf(side.inUse, pageNumberOf(price)), 1)
  if (price === side.best) findBest(side, page, price)
}

/** The next worse price with a level, or undefined. */
export function nextRecordedPrice(side: RecordedPages, price: number): number | undefined {
  const number = pageNumberOf(price)
  const page = recordedPageOf(side, price)
  if (page !== NO_PAGE) {
    const level = nextBit(side, page, levelIn(price))
    if (level >= 0) return number * PAGE_LEVELS + level
  }
  const next = nextPageInUse(side, number)
  return next === undefined ? undefined : bestOfPage(side, next)
}

/** Empties every level but keeps the pages. */
export function clearPages(side: RecordedPages): void {
  for (const number of side.inUse) {
    const page = defined(side.places.get(number), 'a used page exists')
    side.cells.fill(0, page * CELLS, (page + 1) * CELLS)
    side.bits.fill(0, page * WORDS, (page + 1) * WORDS)
    side.counts[page] = 0
    side.taken[page]?.fill(0)
  }
  side.inUse.length = 0
  side.bestPage = NO_PAGE
}

/** Recomputes the marks, the list of pages and the best from the sizes, and compares. */
export function auditPages(side: RecordedPages): void {
  const { bits, cells, counts, free, inUse, places, sign, taken } = side
  let best: number | undefined
  const found: number[] = []
  for (const [number, page] of places) {
    let levels = 0
    for (let level = 0; level < PAGE_LEVELS; level += 1) {
      const bit = ((bits[page * WORDS + (level >> 5)] as number) >>> (level & 31)) & 1
      const size = cells[cellOf(page, level)] as number
      const gone = taken[page]?.[level] ?? 0
      assert((bit === 1) === size > 0, 'the bitset marks the levels with size')
      assert(gone >= 0 && gone <= size, 'a fill takes at most the visible size')
      if (size === 0) continue
      levels += 1
      const price = number * PAGE_LEVELS + level
      if (best === undefined || (price - best) * sign > 0) best = price
    }
    assert(levels === counts[page], `page ${number} has the correct count of levels`)
    assert(recordedPageOf(side, number * PAGE_LEVELS) === page, 'a page is found by its number')
    if (levels > 0) found.push(number)
  }
  found.sort((a, b) => a - b)
  assert(found.join() === inUse.join(), 'the list of used pages is complete and sorted')
  const all = [...places.values(), ...free].sort((a, b) => a - b)
  assert(
    all.every((page, at) => page === at),
    'each place has a page or is free',
  )
  assert((side.bestPage === NO_PAGE) === (best === undefined), 'an empty side has no best page')
  assert(best === undefined || best === side.best, 'the best price is the price of the best level')
}

/** Doubles the room for pages; returns a new place. */
function growPages(side: RecordedPages): number {
  const before = side.counts.length
  const after = before === 0 ? FIRST_PAGES : 2 * before
  const { cells, bits, counts } = side
  side.cells = new Float64Array(after * CELLS)
  side.bits = new Int32Array(after * WORDS)
  side.counts = new Int32Array(after)
  side.cells.set(cells)
  side.bits.set(bits)
  side.counts.set(counts)
  for (let page = after - 1; page > before; page -= 1) side.free.push(page)
  while (side.taken.length < after) side.taken.push(null)
  return before
}

function noteNear(side: RecordedPages, number: number, page: number): void {
  const at = number - pageNumberOf(side.nearFrom)
  if (at >= 0 && at < NEAR_PAGES) side.near[at] = page
}

function dropEmptyPages(side: RecordedPages): void {
  for (const [number, page] of side.places) {
    if ((side.counts[page] as number) > 0) continue
    side.places.delete(number)
    noteNear(side, number, NO_PAGE)
    side.free.push(page)
  }
}

/** Finds the next best level after the level of a price, which was the best, closed. */
function findBest(side: RecordedPages, page: number, price: number): void {
  const level = nextBit(side, page, levelIn(price))
  if (level >= 0) {
    side.best = price - levelIn(price) + level
    side.bestPage = page
    return
  }
  const next = nextPageInUse(side, pageNumberOf(price))
  if (next === undefined) {
    side.bestPage = NO_PAGE
    return
  }
  side.best = bestOfPage(side, next)
  side.bestPage = recordedPageOf(side, side.best)
}

/** The number of the next page in use with worse prices. */
export function nextPageInUse({ inUse, sign }: RecordedPages, number: number): number | undefined {
  const rank = rankOf(inUse, number)
  return inUse[sign === 1 ? rank - 1 : inUse[rank] === number ? rank + 1 : rank]
}

/** The best price of a page in use. */
export function bestOfPage(side: RecordedPages, number: number): number {
  const page = recordedPageOf(side, number * PAGE_LEVELS)
  const level = nextBit(side, page, side.sign === 1 ? PAGE_LEVELS : -1)
  // Otherwise a walk along the levels would not end.
  assert(level >= 0, 'a used page has levels')
  return number * PAGE_LEVELS + level
}

/** The next worse marked level of a page after `level`, or -1. */
export function nextBit({ bits, sign }: RecordedPages, page: number, level: number): number {
  return sign === 1 ? bitBelow(bits, page * WORDS, level) : bitAbove(bits, page * WORDS, level)
}
