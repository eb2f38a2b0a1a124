/**
 * Replies to orders, amends and cancels of direct access, in the words of the binary messages: 200, 210, 220. An
 * order that waits behind the speed bump is `queued`, and told of again when it is released.
 *
 * Source: sessions document 8.6, 8.8, 8.13; coverage R60; S288, S289, S330, S333.
 */
import type { Lots, OrderId, Price9 } from '../core/index.ts'
import { isQueued } from '../engine/index.ts'
import type { CancelReason, Instrument, OrderChanged, Reason, Side, Trade } from '../model/index.ts'
import {
  amountOut,
  type DirectFill,
  type DirectNames,
  type DirectOrder,
  type DirectStatus,
  instrumentOf,
  type MessageHistory,
  ownOrder,
  priceOut,
  type ReplyContext,
} from '../rpc/index.ts'
import type { DirectAnswer } from './answers.ts'
import { namesOf, versionOf } from './posting.ts'
import { cancelReasonOf } from './refusals.ts'

/** 200: an order was taken. */
export interface NewOrderResponse extends DirectAnswer, DirectOrder {
  readonly message: 'NewOrderResponse'
  readonly side: Side
  /** Flags that were asked for, from version 19 on. */
  readonly flags?: readonly string[]
}

/** 210: an order was amended. */
export interface AmendOrderResponse extends DirectAnswer, DirectOrder {
  readonly message: 'AmendOrderResponse'
}

/** 220: an order was cancelled; with its sizes from version 16 on. */
export interface CancelOrderResponse extends DirectAnswer, DirectNames {
  readonly message: 'CancelOrderResponse'
  readonly amount?: number
  readonly filled_amount?: number
}

/** The number of an order, which is what the gateway calls it. */
export function directId(order: OrderId): string {
  return `${order}`
}

/** The order of a request, with its fills as a taker. */
export function ownDirectOrder(context: ReplyContext): DirectOrder {
  const order = ownOrder(context)
  return directOrder(order, {
    instrument: instrumentOf(context, order.instrument),
    isQueued: isQueued(context.exchange, order.order),
    fills: context.trades.filter(({ combo }) => combo === null),
    cancelled: cancelReasonIn(context.history, order, versionOf(context)),
  })
}

/** An order as an event of it tells. */
export function directOrder(
  order: OrderChanged,
  of: {
    readonly instrument: Instrument
    readonly isQueued: boolean
    readonly fills: readonly Trade[]
    readonly cancelled: Reason | null
  },
): DirectOrder {
  const { instrument } = of
  const status = of.isQueued ? 'queued' : statusOf(order)
  const isLive = status === 'active' || status === 'queued'
  return {
    ...namesOf(order, instrument),
    status,
    price: priceOut(order.price),
    amount: amountOut(instrument, order.amount),
    filled_amount: amountOut(instrument, order.filled),
    visible_amount: isLive ? amountOut(instrument, order.shown) : 0,
    ...(of.cancelled === null ? {} : { cancel_reason: of.cancelled }),
    fills: of.fills.map((trade) => fillOut(instrument, trade)),
  }
}

/** A match as its taker or its maker is told it. */
export function fillOut(
  instrument: Instrument,
  fill: { readonly altMatch: number; readonly price: Price9; readonly amount: Lots },
): DirectFill {
  return {
    match_id: fill.altMatch,
    price: priceOut(fill.price),
    amount: amountOut(instrument, fill.amount),
  }
}

/** Why an order was cancelled, where it was. */
export function cancelReasonIn(
  { messages }: MessageHistory,
  order: OrderChanged,
  version: number,
): Reason | null {
  if (order.kind !== 'order' || order.change !== 'cancelled' || order.reason === null) return null
  // An order that is cancelled has a reason for that.
  return cancelReasonOf(order.reason as CancelReason, {
    isBookGone: messages.closed.has(order.instrument),
    isGroupGone: order.by?.isGroupGone === true,
    version,
  })
}

function statusOf({ state }: OrderChanged): DirectStatus {
  if (state === 'filled') return 'filled'
  return state === 'cancelled' ? 'canceled' : 'active'
}
