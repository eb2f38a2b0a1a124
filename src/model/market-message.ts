/**
 * Recorded market data as input of the engine. Each recorded message is one input, and the engine applies all of it.
 *
 * A message is a range of rows in shared columns, in integer units of its instrument. It belongs to no request: it has
 * no sequence number, and the events it causes have cause 0.
 * Source: DESIGN 5.
 */
import { divFloor, type InstrumentId, type Micros } from '../core/index.ts'
import type { FeedPolicy, MarketKind } from './words/feeds.ts'

/** Sides of a row: a bid or a buying taker, an ask or a selling taker, or unknown. */
export const rowSide = { buy: 0, sell: 1, unknown: 2 } as const

/** Columns of rows in the units of one instrument; many messages share them. */
export interface MarketRows {
  /** A code of `rowSide`; `unknown` only in trades. */
  readonly side: Uint8Array
  /** Ticks of the instrument; for an index the price in 1e-9. */
  readonly price: Float64Array
  /**
   * Lots: the size of a trade, or the new size at a level; 0 removes the level. For an index: the recorded mark price
   * of the instrument in 1e-9, 0 for none.
   */
  readonly amount: Float64Array
  /**
   * Number of the row in its file, from 1. A row of a later file than its message contains `sourceOf(files, row)`,
   * where `files` is the number of files between the two. `sourceOf(message.feed, row)` then identifies it.
   */
  readonly row: Float64Array
}

/** A row of a recorded file. */
export interface FeedRow {
  readonly feed: number
  /** From 1. */
  readonly row: number
}

/** Largest number of rows of a file. */
const FEED_ROWS_MAX = 1_099_511_627_776

/** Largest number of files of all feeds of a run, so that one safe integer identifies a row of any file. */
export const FEED_FILES_MAX = 8_191

/** One number for a row of a file, from 1; 0 means no row. */
export function sourceOf(feed: number, row: number): number {
  return feed * FEED_ROWS_MAX + row
}

/** The row with a number from `sourceOf`. */
export function feedRowOf(source: number): FeedRow {
  const feed = divFloor(source, FEED_ROWS_MAX)
  return { feed, row: source - feed * FEED_ROWS_MAX }
}

/** One recorded message: the rows from `from` up to but not including `to`. */
export interface MarketMessage {
  readonly kind: MarketKind
  readonly time: Micros
  readonly instrument: InstrumentId
  /** Number of the file among all files of the run's feeds, from 0. */
  readonly feed: number
  /** True if the rows are the complete book and replace everything known before. */
  readonly snapshot: boolean
  /** True if a message that leaves the recorded book crossed removes the older levels (policy `skip`). */
  readonly uncross: boolean
  /**
   * Policy for prints far from the recorded book, which are always counted. Without it, the book of the message is
   * always trusted.
   */
  readonly offBook?: FeedPolicy
  readonly rows: MarketRows
  readonly from: number
  readonly to: number
}
