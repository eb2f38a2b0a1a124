/**
 * Words of trades, fills, positions that change hands, and prices. The position of a word in a list is its code in result tables: words are only
 * ever added at the end.
 *
 * Source: market.md 3.2, 8; trading.md C25; interface document, Trade.
 */
import { sides } from './orders.ts'

/** Sides of public trades: the taker's, which a recorded trade may not tell. */
export const tradeSides = [...sides, 'unknown'] as const

/** The taker's side of a public trade. */
export type TradeSide = (typeof tradeSides)[number]

/** The two parts that orders have in a match. */
export const liquidities = ['maker', 'taker'] as const

/** The part that an order has in a match. */
export type Liquidity = (typeof liquidities)[number]

/**
 * Why fills happened.
 * - `book_maker`: the order was first in its queue at the best price when an incoming order took it.
 * - `book_taker`: the order arrived and took the best resting order.
 * - `print_at_price`: a recorded trade at the order's price was larger than what stood before it.
 * - `print_through`: a recorded trade was made at a worse price than the order's.
 * - `level_reached`: the other side's recorded best came to the order's price.
 * - `level_taken`: the order arrived and took what a recorded level showed.
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
 * - `adl`: it closed the position of a trader on the other side.
 * - `close_out`: the insurance fund took it at its mark.
 * - `allocation`: the taker of a Block RFQ handed on the part of an account that he named before.
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

/** Reference prices: of an instrument, of an index, and the one that an expiry is delivered at. */
export const markKinds = ['mark', 'index', 'delivery'] as const

/** A reference price. */
export type MarkKind = (typeof markKinds)[number]

/** The mark prices of futures and perpetuals are as the venue computes them, or simply that of their index. */
export const markModes = ['venue', 'index'] as const

/** Who sets the mark price of an instrument: the venue finds it, a control has set it, or a feed tells it. */
export const markRules = ['venue', 'set', 'feed'] as const

/**
 * Where mark prices come from.
 * - `index`: it is the index, as of spot pairs, or of every instrument where a run asks for that.
 * - `set`: pinned by a control.
 * - `fair`: index and premium, as the venue computes it (market.md 3.2).
 * - `delivery`: of an expiring future in the last half hour, drawn to its delivery price.
 * - `feed`: recorded.
 * - `legs`: of a future spread, the sum of its legs.
 * - `model`: of an option, Black-76 at its volatility.
 */
export const markSources = ['index', 'set', 'fair', 'delivery', 'feed', 'legs', 'model'] as const

/** Where a mark price came from. */
export type MarkSource = (typeof markSources)[number]
