/**
 * Messages about orders behind the speed bump: that one was released, what it met, and that one which was to be
 * cancelled met nothing.
 *
 * An order is on its way into its book from its release on until it stands there or has ended. Its message grows for
 * so long; what happens to it later has messages of its own, and what was delivered never changes.
 *
 * Source: sessions document 8.6, 8.8; S289, S331.
 */
import { unreachable } from '../core/index.ts'
import type { EventOf, OrderChanged, Trade } from '../model/index.ts'
import type {
  Canceller,
  MessageHistory,
  OrderCancelledMessage,
  OrderPlacedMessage,
  QuotePlacedMessage,
} from '../rpc/index.ts'
import { tellCancelled } from './cancelled-orders.ts'
import { messageJson } from './message-json.ts'
import { cancelReasonIn, orderRecord } from './order-replies.ts'
import { namesOf, postMessage, versionOf } from './posting.ts'

/** Waiting orders may be cancelled, and leave the queue; what then happens to them has a message of its own. */
export function noteBump(history: MessageHistory, event: EventOf<'bump'>): void {
  const { messages, orders } = history
  messages.released = null
  const order = orders.get(event.order)
  if (order === undefined || order.extras === null || order.extras.direct === null) return
  const { session } = order
  switch (event.change) {
    case 'converted':
      messages.converted.set(event.order, cancellerOf(event))
      return
    case 'released':
      messages.released = { order: event.order, session, sequence: 0 }
      if (!messages.converted.has(event.order)) tellReleased(history, toldBy(order, event))
      return
    case 'withdrawn':
      messages.converted.delete(event.order)
      return
    case 'queued':
    case 'restarted':
      return
    default:
      unreachable(event.change)
  }
}

/** Who is answered once the order was released; null where nobody asked for its cancel alone. */
function cancellerOf({ session, time, reason, by }: EventOf<'bump'>): Canceller | null {
  if (reason !== 'user_request' || by?.isBulk === true) return null
  const correlationId = by?.correlationId ?? null
  return { session: by?.session ?? session, receivedAt: time, correlationId }
}

/** True if an event tells of an order of direct access that is on its way from the speed bump into its book. */
export function isEntering({ messages }: MessageHistory, event: OrderChanged): boolean {
  if (messages.released?.order !== event.order) return false
  // It fills, rests and ends on its way; where it ends out of its book, or is amended, it has arrived.
  return event.change === 'cancelled' ? !event.rested : event.change !== 'edited'
}

/** Tells the fate of a released order so far: in a message of its own, which grows until the order is in its book. */
export function tellReleased(history: MessageHistory, event: OrderChanged, fill: Trade | null = null): void {
  const { messages, instruments } = history
  const { released } = messages
  const instrument = instruments.get(event.instrument)
  if (released === null || instrument === undefined) return
  const { session } = released
  const version = versionOf({ history, session })
  const record = {
    ...orderRecord(event, {
      instrument,
      isQueued: false,
      fills: fill === null ? [] : [fill],
      cancelled: cancelReasonIn(history, event, version),
    }),
    // Of quotes the side, of orders the number of their request.
    side: event.side,
    correlationId: event.extras?.direct?.correlationId,
  }
  const list = messages.received.rows.get(session) ?? []
  const at = list.findIndex(({ sequence }) => sequence === released.sequence)
  const before = list[at]
  if (before?.message === 'OrderPlaced') {
    const told = messageJson<OrderPlacedMessage>('OrderPlaced', record, version)
    list[at] = { ...before, ...told, fills: [...before.fills, ...told.fills] }
  } else if (before?.message === 'MassQuoteOrdersPlaced') {
    const told = messageJson<QuotePlacedMessage>('MassQuoteOrdersPlaced', record, version)
    list[at] = { ...before, ...told, fills: [...before.fills, ...told.fills] }
  } else {
    const name = event.extras?.quote == null ? 'OrderPlaced' : 'MassQuoteOrdersPlaced'
    const to = { session, event }
    const sequence = postMessage<OrderPlacedMessage | QuotePlacedMessage>(history, to, name, record)
    messages.released = { ...released, sequence }
  }
}

/** A fill of an order that was released: as it stands before its own event tells. */
export function addFill(history: MessageHistory, trade: Trade): void {
  const order = history.orders.get(trade.taker.order)
  if (order !== undefined) tellReleased(history, toldBy(order, trade), trade)
}

/**
 * An order that waited ended at its release. Where it met something, its message says so; where it was to be
 * cancelled and met nothing, that is confirmed to who cancelled it, and told to who placed it (8.8).
 */
export function noteUnmatched(history: MessageHistory, event: OrderChanged): void {
  const { messages, instruments } = history
  const canceller = messages.converted.get(event.order)
  messages.converted.delete(event.order)
  const hasMessage = (messages.released?.sequence ?? 0) > 0
  if (canceller === undefined || hasMessage) {
    tellReleased(history, event)
    messages.released = null
    return
  }
  messages.released = null
  const instrument = instruments.get(event.instrument)
  if (instrument !== undefined && canceller !== null) {
    const to = { session: canceller.session, event }
    postMessage<OrderCancelledMessage>(history, to, 'CancelOrderResponse', {
      receiveTime: canceller.receivedAt,
      correlationId: canceller.correlationId ?? undefined,
      ...namesOf(event, instrument),
      quantity: event.amount,
      totalFilled: event.filled,
    })
  }
  if (canceller?.session !== event.session) tellCancelled(history, event)
}

/** An order as it is, told of by another event. */
function toldBy(order: OrderChanged, { time, number }: Pick<OrderChanged, 'time' | 'number'>): OrderChanged {
  return { ...order, time, number }
}
