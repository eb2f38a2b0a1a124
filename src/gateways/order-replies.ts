/**
 * Replies to orders, amends and cancels of direct access, in the words of the binary messages: 200, 210, 220. An order
 * that waits behind the speed bump is `queued`, and a later message reports its release.
 *
 * Source: sessions document 8.6, 8.8, 8.13; coverage R60; S288, S289, S330, S333.
 */
import { type Lots, lots, type Price9 } from '../core/index.ts'
import { isQueued } from '../engine/index.ts'
import type { CancelReason, Instrument, OrderChanged, Reason, Side, Trade } from '../model/index.ts'
import {
  type DirectNames,
  type DirectOrder,
  type DirectStatus,
  listedInstrument,
  type MessageHistory,
  ownOrder,
  type ReplyContext,
} from '../rpc/index.ts'
import type { DirectAnswer } from './answers.ts'
import { type NamesRecord, namesOf, versionOf } from './posting.ts'
import { cancelReasonOf } from './refusals.ts'

/** 200: an order was accepted. */
export interface NewOrderResponse extends DirectAnswer, DirectOrder {
  readonly message: 'NewOrderResponse'
  readonly side: Side
  /** Flags of the request, from version 19 on. */
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

/** The state of an order as a record. */
interface OrderRecord extends NamesRecord {
  readonly price: Price9
  readonly quantity: Lots
  readonly totalFilled: Lots
  readonly visibleQty: Lots
  readonly status: DirectStatus
  readonly cancelReason: Reason | undefined
  readonly fills: readonly FillRecord[]
}

/** A match as a record. */
export interface FillRecord {
  readonly matchId: number
  readonly fillPrice: Price9
  readonly fillQty: Lots
}

/** The order of a request as a record, with its fills as a taker. */
export function ownOrderRecord(context: ReplyContext): OrderRecord {
  const order = ownOrder(context)
  return orderRecord(
    order,
    listedInstrument(context, order.instrument),
    isQueued(context.exchange, order.order),
    context.trades.filter(({ combo }) => combo === null),
    cancelReasonIn(context.history, order, versionOf(context.history, context.session)),
  )
}

/** An order after an event, as a record. */
export function orderRecord(
  order: OrderChanged,
  instrument: Instrument,
  isQueued: boolean,
  fills: readonly Trade[],
  cancelled: Reason | null,
): OrderRecord {
  const status = isQueued ? 'queued' : statusOf(order)
  const isLive = status === 'active' || status === 'queued'
  return {
    ...namesOf(order, instrument),
    price: order.price,
    quantity: order.amount,
    totalFilled: order.filled,
    visibleQty: isLive ? order.shown : lots(0),
    status,
    cancelReason: cancelled ?? undefined,
    fills: fills.map(fillRecord),
  }
}

/** A match as a record, for its taker or its maker. */
export function fillRecord(fill: Pick<Trade, 'altMatch' | 'price' | 'amount'>): FillRecord {
  return { matchId: fill.altMatch, fillPrice: fill.price, fillQty: fill.amount }
}

/** The reason of a cancel in the words of direct access; null for an order that was not cancelled. */
export function cancelReasonIn(history: MessageHistory, order: OrderChanged, version: number): Reason | null {
  if (order.kind !== 'order' || order.change !== 'cancelled' || order.reason === null) return null
  // A cancelled order has a cancel reason.
  return cancelReasonOf(
    order.reason as CancelReason,
    history.messages.closed.has(order.instrument),
    order.by?.isGroupGone === true,
    version,
  )
}

function statusOf({ state }: OrderChanged): DirectStatus {
  if (state === 'filled') return 'filled'
  return state === 'cancelled' ? 'canceled' : 'active'
}
