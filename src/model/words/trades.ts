/**
 * Words of trades, fills, positions that change hands, and prices. The position of a word in a list is its code in
 * result tables: words are only ever added at the end.
 *
 * Source: market.md 3.2, 8; trading.md C25; interface document, Trade.
 */
import { sides } from './orders.ts'

/** Sides of public trades: the taker's side, which is unknown for some recorded trades. */
export const tradeSides = [...sides, 'unknown'] as const

/** The taker's side of a public trade. */
export type TradeSide = (typeof tradeSides)[number]

/** The two roles of orders in a match. */
export const liquidities = ['maker', 'taker'] as const

/** The role of an order in a match. */
export type Liquidity = (typeof liquidities)[number]

/**
 * Why fills happened.
 * - `book_maker`: the order was first in its queue at the best price when an incoming order took it.
 * - `book_taker`: the order arrived and took the best resting order.
 * - `print_at_price`: a recorded trade at the order's price was larger than the queue ahead of it.
 * - `print_through`: a recorded trade was made at a worse price than the order's.
 * - `level_reached`: the other side's recorded best reached the order's price.
 * - `level_taken`: the order arrived and took the size of a recorded level.
 * - `recorded`: the other side of these four, the recorded market.
 * - `hidden`: the hidden part of an iceberg was reached; its owner pays as a taker (C25).
 * - `block_maker`, `block_taker`: two accounts agreed on a block trade, in these roles.
 */
export const fillRules = [
  'book_maker',
  'book_taker',
  'print_at_price',
  'print_through',
  'level_reached',
  'level_taken',
  'recorded',
  'hidden',
  'block_maker',
  'block_taker',
] as const

/** Why a fill happened. */
export type FillRule = (typeof fillRules)[number]

/**
 * Why positions change hands without an order.
 * - `move`: its owner moved it between accounts of one main account.
 * - `lsp`: a participant of the liquidity support programme took it over.
 * - `adl`: it closed the position of an account on the other side.
 * - `close_out`: the insurance fund took it at its mark.
 * - `allocation`: the taker of a Block RFQ passed on the part of an account that the request named.
 */
export const transferReasons = ['move', 'lsp', 'adl', 'close_out', 'allocation'] as const

/** Why a position changed hands without an order. */
export type TransferReason = (typeof transferReasons)[number]

/** The liquidated sides of a trade: the maker's, the taker's or both. */
export const tradeLiquidations = ['M', 'T', 'MT'] as const

/** Which side of a trade was liquidated: the maker's, the taker's, both or none. */
export type TradeLiquidation = 'none' | (typeof tradeLiquidations)[number]

/** Prices of trades against the trade before; the wire shows the codes (market.md 8). */
export const tickDirections = ['plus', 'zero_plus', 'minus', 'zero_minus'] as const

/** The code of a tick direction. */
export type TickDirection = 0 | 1 | 2 | 3

/** Reference prices: of an instrument, of an index, and the delivery price of an expiry. */
export const markKinds = ['mark', 'index', 'delivery'] as const

/** A reference price. */
export type MarkKind = (typeof markKinds)[number]

/** Mark prices of futures and perpetuals: as the venue computes them, or the price of their index. */
export const markModes = ['venue', 'index'] as const

/**
 * The source that sets the mark price of an instrument: the venue computes it, a control pinned it, or a feed records
 * it.
 */
export const markRules = ['venue', 'set', 'feed'] as const

/**
 * Sources of mark prices.
 * - `index`: the index, for spot pairs, or for every instrument if the run sets that.
 * - `set`: pinned by a control.
 * - `fair`: index and premium, as the venue computes it (market.md 3.2).
 * - `delivery`: for an expiring future in the last half hour, drawn to its delivery price.
 * - `feed`: recorded.
 * - `legs`: for a future spread, the sum of its legs.
 * - `model`: for an option, Black-76 at its volatility.
 */
export const markSources = ['index', 'set', 'fair', 'delivery', 'feed', 'legs', 'model'] as const

/** The source of a mark price. */
export type MarkSource = (typeof markSources)[number]
