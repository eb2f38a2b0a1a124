/**
 * Price levels of one side of a book, best first: pages of 256 neighbouring levels, created when a level is first
 * needed. A page has the size of each level and a bitset of the levels that are not empty. A sorted list contains the
 * numbers of the pages in use. So opening and closing a level and finding the best one are O(1), except for the rare
 * step to another page, and a wide price range costs only the pages that it uses.
 *
 * The page type of the owning side adds its own data for each level, a queue of orders. Recorded levels have separate
 * pages (`recorded-pages.ts`).
 */
import { assert, defined } from '../core/index.ts'

export const PAGE_LEVELS = 256
const INVERSE_PAGE = 0.003_906_25
const WORDS = 8
/** Up to this number, pages without levels are kept for reuse. */
const EMPTY_PAGES_MAX = 16

/** A page of 256 neighbouring levels. */
export interface LevelPage {
  readonly number: number
  readonly size: Float64Array
  readonly bits: Int32Array
  levels: number
}

/** The levels of a side. `sign` is 1 if higher prices are better (bids), -1 for asks. */
export interface Levels<Page extends LevelPage> {
  readonly sign: 1 | -1
  readonly pages: Map<number, Page>
  /** Numbers of the pages with levels, ascending. */
  readonly inUse: number[]
  /** The page used last; most operations stay on one page. */
  last: Page | undefined
  /** The page of the best level; undefined if the side is empty. */
  bestPage: Page | undefined
  /** The best price in ticks; meaningless if the side is empty. */
  best: number
}

/** A side without levels; `sign` is 1 for bids, -1 for asks. */
export function emptyLevels<Page extends LevelPage>(sign: 1 | -1): Levels<Page> {
  return {
    sign,
    pages: new Map(),
    inUse: [],
    last: undefined,
    bestPage: undefined,
    best: 0,
  }
}

/** The common part of the pages of every side. */
export function emptyPage(number: number): LevelPage {
  return {
    number,
    size: new Float64Array(PAGE_LEVELS),
    bits: new Int32Array(WORDS),
    levels: 0,
  }
}

/** The number of the page of a price. */
export function pageNumberOf(price: number): number {
  return Math.floor(price * INVERSE_PAGE)
}

/** The page of a price, or undefined. */
export function findPage<Page extends LevelPage>(side: Levels<Page>, price: number): Page | undefined {
  const number = Math.floor(price * INVERSE_PAGE)
  const { last } = side
  if (last !== undefined && last.number === number) return last
  return side.pages.get(number)
}

/** Adds a missing page for a price. */
export function addPage<Page extends LevelPage>(side: Levels<Page>, page: Page): Page {
  if (side.pages.size > side.inUse.length + EMPTY_PAGES_MAX) dropEmptyPages(side)
  side.pages.set(page.number, page)
  side.last = page
  return page
}

/** Marks a level that was empty; it may be the new best. */
export function openLevel<Page extends LevelPage>(side: Levels<Page>, page: Page, price: number): void {
  const level = price - page.number * PAGE_LEVELS
  page.bits[level >> 5] = (page.bits[level >> 5] as number) | (1 << (level & 31))
  page.levels += 1
  if (page.levels === 1) side.inUse.splice(rankOf(side.inUse, page.number), 0, page.number)
  if (side.bestPage === undefined || (price - side.best) * side.sign > 0) {
    side.best = price
    side.bestPage = page
  }
}

/** Unmarks a level that has become empty; the next one may be the new best. */
export function closeLevel<Page extends LevelPage>(side: Levels<Page>, page: Page, price: number): void {
  const level = price - page.number * PAGE_LEVELS
  page.bits[level >> 5] = (page.bits[level >> 5] as number) & ~(1 << (level & 31))
  page.levels -= 1
  if (page.levels === 0) side.inUse.splice(rankOf(side.inUse, page.number), 1)
  if (price === side.best && page === side.bestPage) findBest(side, page, level)
}

/** The size at a price, 0 without a level. */
export function sizeAt<Page extends LevelPage>(side: Levels<Page>, price: number): number {
  const page = findPage(side, price)
  return page === undefined ? 0 : (page.size[price - page.number * PAGE_LEVELS] as number)
}

/** A lower bound for the prices of all levels; infinite if the side is empty. */
export function lowestLevel<Page extends LevelPage>(side: Levels<Page>): number {
  const page = side.inUse[0]
  return page === undefined ? Number.POSITIVE_INFINITY : page * PAGE_LEVELS
}

/** An upper bound for the prices of all levels; minus infinite if the side is empty. */
export function highestLevel<Page extends LevelPage>({ inUse }: Levels<Page>): number {
  const page = inUse[inUse.length - 1]
  return page === undefined ? Number.NEGATIVE_INFINITY : (page + 1) * PAGE_LEVELS - 1
}

/** The next worse price with a level, or undefined. */
export function nextPrice<Page extends LevelPage>(side: Levels<Page>, price: number): number | undefined {
  const number = Math.floor(price * INVERSE_PAGE)
  const page = side.pages.get(number)
  if (page !== undefined) {
    const level = nextBit(page, price - number * PAGE_LEVELS, side.sign)
    if (level >= 0) return number * PAGE_LEVELS + level
  }
  const next = nextPageInUse(side, number)
  return next === undefined ? undefined : next.number * PAGE_LEVELS + bestBit(next, side.sign)
}

/** Recomputes the marks, the list of pages and the best from the sizes, and compares. */
export function auditLevels<Page extends LevelPage>(side: Levels<Page>): void {
  let best: number | undefined
  const inUse: number[] = []
  for (const page of side.pages.values()) {
    let levels = 0
    for (let level = 0; level < PAGE_LEVELS; level += 1) {
      const bit = ((page.bits[level >> 5] as number) >>> (level & 31)) & 1
      const size = page.size[level] as number
      assert((bit === 1) === size > 0, 'the bitset marks the levels with size')
      if (size === 0) continue
      levels += 1
      const price = page.number * PAGE_LEVELS + level
      if (best === undefined || (price - best) * side.sign > 0) best = price
    }
    assert(levels === page.levels, `page ${page.number} has the correct count of levels`)
    if (levels > 0) inUse.push(page.number)
  }
  inUse.sort((a, b) => a - b)
  assert(inUse.join() === side.inUse.join(), 'the list of used pages is complete and sorted')
  assert((side.bestPage === undefined) === (best === undefined), 'an empty side has no best page')
  assert(best === undefined || best === side.best, 'the best price is the price of the best level')
}

function dropEmptyPages<Page extends LevelPage>(side: Levels<Page>): void {
  for (const page of side.pages.values()) {
    if (page.levels > 0) continue
    side.pages.delete(page.number)
  }
  side.last = undefined
}

/** Index of the first entry that is not below `number`. */
export function rankOf(sorted: readonly number[], number: number): number {
  let low = 0
  let high = sorted.length
  while (low < high) {
    const middle = (low + high) >>> 1
    if ((sorted[middle] as number) < number) low = middle + 1
    else high = middle
  }
  return low
}

function findBest<Page extends LevelPage>(side: Levels<Page>, page: Page, level: number): void {
  const inPage = nextBit(page, level, side.sign)
  const best = inPage >= 0 ? page : nextPageInUse(side, page.number)
  side.bestPage = best
  if (best === undefined) return
  side.best = best.number * PAGE_LEVELS + (inPage >= 0 ? inPage : bestBit(best, side.sign))
}

/** The next page in use with worse prices. */
function nextPageInUse<Page extends LevelPage>(side: Levels<Page>, number: number): Page | undefined {
  const rank = rankOf(side.inUse, number)
  const at = side.sign === 1 ? rank - 1 : side.inUse[rank] === number ? rank + 1 : rank
  const next = side.inUse[at]
  return next === undefined ? undefined : defined(side.pages.get(next), 'a used page exists')
}

/** The best level of a page, which must have a level. */
function bestBit(page: LevelPage, sign: 1 | -1): number {
  return nextBit(page, sign === 1 ? PAGE_LEVELS : -1, sign)
}

/** The next worse marked level of the page after `level`, or -1. */
function nextBit(page: LevelPage, level: number, sign: 1 | -1): number {
  return sign === 1 ? bitBelow(page.bits, 0, level) : bitAbove(page.bits, 0, level)
}

/** The highest set bit below `level` of the bitset that begins at a word, or -1. */
export function bitBelow(bits: Int32Array, first: number, level: number): number {
  let word = (level - 1) >> 5
  if (word < 0) return -1
  const shift = level & 31
  let mask = shift === 0 ? -1 : (1 << shift) - 1
  for (; word >= 0; word -= 1) {
    const found = (bits[first + word] as number) & mask
    if (found !== 0) return (word << 5) + 31 - Math.clz32(found)
    mask = -1
  }
  return -1
}

/** The lowest set bit above `level` of the bitset that begins at a word, or -1. */
export function bitAbove(bits: Int32Array, first: number, level: number): number {
  const from = level + 1
  let word = from >> 5
  let mask = -1 << (from & 31)
  for (; word < WORDS; word += 1) {
    const found = (bits[first + word] as number) & mask
    if (found !== 0) return (word << 5) + 31 - Math.clz32(found & -found)
    mask = -1
  }
  return -1
}
