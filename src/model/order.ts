/**
 * Orders: the words of the venue for types, times in force and states.
 *
 * Source: interface document, Order; trading.md 4.1, 5.1, 6.2-6.6.
 */
import type { InstrumentId, Lots, OrderId, Sequence } from '../core/index.ts'

/** The side of an order, and of a fill of that order. */
export type Side = 'buy' | 'sell'

/** The side an order trades against. */
export function opposite(side: Side): Side {
  return side === 'buy' ? 'sell' : 'buy'
}

/** Whether an order with this limit price accepts a price of the other side; both in ticks. */
export function accepts(side: Side, limit: number, price: number): boolean {
  return side === 'buy' ? price <= limit : price >= limit
}

/** Order types that the engine matches; trigger types come with a later capability. */
export type OrderType = 'limit' | 'market' | 'market_limit'

/** How long an order stands. */
export type TimeInForce =
  | 'good_til_cancelled'
  | 'good_til_day'
  | 'fill_or_kill'
  | 'immediate_or_cancel'

/** `slide` moves a taking price off the spread, `reject` refuses it (C24). */
export type PostOnly = 'off' | 'slide' | 'reject'

/** States on the wire that an engine order can be in. */
export type OrderState = 'open' | 'filled' | 'cancelled' | 'rejected'

/**
 * Why an order was cancelled. `time_in_force` and `expiry` are shown without a word on the wire
 * (S095); the others are the venue's `cancel_reason`.
 */
export type CancelReason =
  | 'user_request'
  | 'risk_mitigation'
  | 'edit_post_only_reject'
  | 'settlement'
  | 'time_in_force'
  | 'expiry'

/**
 * A live order: what its owner asked for. Owner, price and what is left of it stand in its slot of
 * the book.
 */
export interface Order {
  readonly id: OrderId
  readonly instrument: InstrumentId
  readonly side: Side
  /** The type as entered. */
  readonly type: OrderType
  readonly timeInForce: TimeInForce
  readonly label: string
  postOnly: PostOnly
  reduceOnly: boolean
  /** Total size, fills included. */
  amount: Lots
  /** Whether it was edited. */
  replaced: boolean
  /** Sequence of the request that created it: the order of bulk cancels (C12). */
  readonly created: Sequence
}
