/**
 * Orders behind the speed bump, and requests whose reply waits for them.
 *
 * Source: sessions-blocks-gateways.md 8.8; coverage R09, R10, R68.
 */
import type { Lots, Micros, Sequence, Ticks, TimerId } from '../../core/index.ts'
import type {
  ConversionReason,
  GatewayPair,
  OrderExtras,
  PostOnly,
  TimeInForce,
} from '../../model/index.ts'

/** An order that waits. */
export interface Bump {
  readonly order: number
  readonly pair: GatewayPair
  /** The account whose Member it counts for, or -1 where it counts for none. */
  readonly member: number
  timer: TimerId
  releaseAt: Micros
  /** The request that made it wait, or made it wait anew. */
  readonly cause: Sequence
  /** Why it was to be cancelled and is immediate-or-cancel since; null where it was not. */
  converted: ConversionReason | null
  /** Requests whose reply waits for it, in the order in which they came. */
  readonly held: Sequence[]
  /** What it was while it stood in the book, as it is still listed; null for a new order (R10). */
  readonly before: OrderTermsBefore | null
}

/** What an amend that waits did not change for others yet. */
export interface OrderTermsBefore {
  readonly price: Ticks
  readonly amount: Lots
  readonly display: Lots
  readonly postOnly: PostOnly
  readonly reduceOnly: boolean
  readonly replaced: boolean
  readonly timeInForce: TimeInForce
  readonly extras: OrderExtras | null
  readonly updatedAt: Micros
}

/** A request that is complete once none of its orders waits. */
export interface HeldRequest {
  /** How many of its orders wait. */
  waiting: number
  /** What `request_done` will count. */
  count: number
}
