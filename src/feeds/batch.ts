/**
 * Batches of recorded rows as a reader gives them: typed columns, still in the decimals of the file.
 *
 * A batch holds whole messages of one kind only; a message never goes on in the next batch. The value
 * of a price is `price[i] / 10^priceDecimals`, exactly, and of an amount likewise; the mantissas are
 * safe integers. Of an index the amount is the mark price of the instrument, 0 where none is told. Columns may be longer than the batch, and whoever reads a file may use them again for
 * its next batch: what is to be kept is copied.
 */
import type { MarketKind } from '../model/index.ts'

/** Bits of the flags of a row. */
export const rowFlags = {
  /** Ask, or a selling taker; without it bid, or a buying taker. */
  sell: 1,
  /** A trade whose taker's side is not told. */
  unknownSide: 2,
  /** Part of a snapshot, which replaces the book. */
  snapshot: 4,
  /** First row of its message. */
  first: 8,
  /** Rows are missing before this one, as the feed's own numbering tells; set by the cursor. */
  gap: 16,
  /** The same row was there before: in its message, or in its feed, which the cursor tells. */
  duplicate: 32,
  /** A trade that the columns of its file leave out. */
  leftOut: 64,
} as const

/**
 * The count that ids of trades give: the trades of the instrument, where a jump is a gap; or those of several
 * instruments, such as all of a currency, where a jump says nothing unless the ids have been dense.
 */
export const idScopes = ['instrument', 'currency'] as const

/** The sequence to which trade ids belong. */
export type IdScope = (typeof idScopes)[number]

/** Numbers that a feed gives its messages or trades. */
export interface FeedIds {
  /**
   * Number of the trade, or of the message in a book; -1 if the row has none. An id such as `ETH-12` becomes 12;
   * other texts become a hash below -1.
   */
  readonly number: Float64Array
  /** Number of the previous message according to the row; -1 without one. */
  readonly previous: Float64Array
  readonly scope: IdScope
}

/** Rows of one file. */
export interface FeedBatch {
  readonly kind: MarketKind
  readonly rows: number
  /** The exchange's clock, microseconds since the epoch. */
  readonly time: Float64Array
  /** The recorder's clock, microseconds since the epoch. */
  readonly localTime: Float64Array
  readonly flags: Uint8Array
  readonly price: Float64Array
  readonly amount: Float64Array
  /** Number of the row in its file, from 1; rows of other symbols are counted too. */
  readonly row: Float64Array
  /** Null if the file has no column for it. */
  readonly ids: FeedIds | null
  readonly priceDecimals: number
  readonly amountDecimals: number
}
