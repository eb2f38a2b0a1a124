/**
 * Merges several feeds into one stream in a documented order: time, then trades before books before indices, then the
 * order of the feeds, then the row. Source: DESIGN 4 and 5.
 *
 * The merge allocates nothing except the message itself, which its cursor creates: `next` returns the message and
 * `source` is its cursor. While a cursor is starved the merge returns nothing, because the next message may be in a
 * batch that has not been added yet.
 *
 * Cost of a message: one comparison for each cursor; suitable for a few dozen cursors.
 */
import { assert, defined } from '../core/index.ts'
import { type MarketMessage, marketKinds } from '../model/index.ts'
import type { FeedCursor } from './cursor/cursor.ts'

/** Feeds merged into one order. */
interface MarketMerge {
  /** The cursor of the message that `next` returned last. */
  readonly source: FeedCursor
  /** True if a cursor needs a batch first. */
  readonly isStarved: boolean
  /** The cursors that need a batch, in the order of the feeds. */
  starved(): readonly FeedCursor[]
  /** Time of the next message; Infinity at the end. No cursor may be starved. */
  peekTime(): number
  /** The next message; undefined at the end, and while a cursor is starved. */
  next(): MarketMessage | undefined
}

/** Merges cursors, which must be in the order of the feeds. */
export function createMarketMerge(cursors: readonly FeedCursor[]): MarketMerge {
  return new Merge(cursors)
}

/** The next cursor must be searched for. */
const UNKNOWN = -2

class Merge implements MarketMerge {
  readonly #feeds: readonly FeedCursor[]
  /** Sorted by kind, and by feed within a kind. At equal times the first one comes next. */
  readonly #ranked: readonly FeedCursor[]
  /** Time of the next message of each ranked cursor; NaN while it is starved. */
  readonly #times: Float64Array
  #starving = 0
  /** Index of the ranked cursor with the next message; -1 without one; unknown after each change of `#times`. */
  #next = UNKNOWN
  #source: FeedCursor | undefined

  constructor(feeds: readonly FeedCursor[]) {
    this.#feeds = feeds
    this.#ranked = marketKinds.flatMap((kind) => feeds.filter(({ options }) => options.kind === kind))
    this.#times = new Float64Array(feeds.length).fill(Number.NaN)
    this.#starving = feeds.length
  }

  get source(): FeedCursor {
    return defined(this.#source, 'a message was given')
  }

  get isStarved(): boolean {
    if (this.#starving > 0) this.#look()
    return this.#starving > 0
  }

  starved(): readonly FeedCursor[] {
    return this.#feeds.filter((cursor) => cursor.isStarved)
  }

  peekTime(): number {
    assert(!this.isStarved, 'the next message is known')
    const first = this.#first()
    return first < 0 ? Number.POSITIVE_INFINITY : (this.#times[first] as number)
  }

  next(): MarketMessage | undefined {
    if (this.isStarved) return undefined
    const first = this.#first()
    if (first < 0) return undefined
    const cursor = this.#ranked[first] as FeedCursor
    this.#source = cursor
    const message = cursor.next()
    this.#note(first, cursor)
    return message
  }

  /** Index of the ranked cursor with the next message, or -1. */
  #first(): number {
    if (this.#next !== UNKNOWN) return this.#next
    const times = this.#times
    let first = -1
    let least = Number.POSITIVE_INFINITY
    for (let at = 0; at < times.length; at += 1) {
      const time = times[at] as number
      if (time < least) {
        least = time
        first = at
      }
    }
    this.#next = first
    return first
  }

  /** Checks the starved cursors again. */
  #look(): void {
    this.#starving = 0
    for (const [at, cursor] of this.#ranked.entries()) {
      if (Number.isNaN(this.#times[at])) this.#note(at, cursor)
    }
  }

  #note(at: number, cursor: FeedCursor): void {
    const isStarved = cursor.isStarved
    this.#times[at] = isStarved ? Number.NaN : cursor.peekTime()
    this.#next = UNKNOWN
    if (isStarved) this.#starving += 1
  }
}
