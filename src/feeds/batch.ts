/**
 * Batches of recorded rows as a reader returns them: typed columns in the decimals of the file.
 *
 * A batch contains complete messages of one kind; a message never continues in the next batch. The value of a price is
 * exactly `price[i] / 10^priceDecimals`, and of an amount likewise; the mantissas are safe integers. The amount of an
 * index row is the mark price of the instrument, or 0 without one. Columns may be longer than the batch, and the reader
 * of a file may reuse them for its next batch, so consumers copy the values that they keep.
 */
import type { MarketKind } from '../model/index.ts'

/** Bits of the flags of a row. */
export const rowFlags = {
  /** Ask, or a selling taker; without it bid, or a buying taker. */
  sell: 1,
  /** A trade without a recorded taker's side. */
  unknownSide: 2,
  /** Part of a snapshot, which replaces the book. */
  snapshot: 4,
  /** First row of its message. */
  first: 8,
  /** Rows are missing before this one, according to the feed's own numbering; set by the cursor. */
  gap: 16,
  /** A repeated row: an earlier row of its message is equal, or (set by the cursor) an earlier row of its feed. */
  duplicate: 32,
  /** A trade that the description of the file's columns leaves out. */
  leftOut: 64,
} as const

/**
 * The sequence that trade ids count. With `instrument` they count the trades of one instrument, and a jump is a gap.
 * With `currency` they count the trades of several instruments, such as all of a currency, and a jump means nothing
 * unless the ids have been dense.
 */
export const idScopes = ['instrument', 'currency'] as const

/** The sequence that trade ids count. */
export type IdScope = (typeof idScopes)[number]

/** Numbers that a feed assigns to its messages or trades. */
export interface FeedIds {
  /**
   * Number of the trade, or of the message in a book; -1 for a row without a number. An id such as `ETH-12` becomes 12;
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
  /** Time of the exchange's clock in microseconds since the epoch. */
  readonly time: Float64Array
  /** Time of the recorder's clock in microseconds since the epoch. */
  readonly localTime: Float64Array
  readonly flags: Uint8Array
  readonly price: Float64Array
  readonly amount: Float64Array
  /** Number of the row in its file, from 1; rows of other symbols count too. */
  readonly row: Float64Array
  /** Null if the file has no column for it. */
  readonly ids: FeedIds | null
  readonly priceDecimals: number
  readonly amountDecimals: number
}
