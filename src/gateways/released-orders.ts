/**
 * Messages about orders behind the speed bump: the release of an order with its fills, and the end of an order that was
 * to be cancelled and matched nothing.
 *
 * A released order is on its way until it rests in its book or has ended. Until then its message grows; later changes
 * have separate messages, and a delivered message never changes.
 *
 * Source: sessions document 8.6, 8.8; S289, S331.
 */

import { unreachable } from '../core/index.ts'
import { type EventOf, type OrderChanged, schemaSince, type Trade } from '../model/index.ts'
import type {
  Canceller,
  MessageHistory,
  OrderCancelledMessage,
  OrderPlacedMessage,
  OrdersCanceledMessage,
  QuotePlacedMessage,
} from '../rpc/index.ts'
import { messageJson } from './message-json.ts'
import { cancelReasonIn, orderRecord } from './order-replies.ts'
import { namesOf, postMessage, versionOf } from './posting.ts'
import { answerTelling } from './request-work.ts'

/**
 * Handles the events of the speed bump: a cancel request for a waiting order, and the end of its wait. Later changes of
 * the order have separate messages.
 */
export function noteBump(history: MessageHistory, event: EventOf<'bump'>): void {
  const { messages, orders } = history
  messages.released = null
  const order = orders.get(event.order)
  if (order === undefined || order.extras === null || order.extras.direct === null) return
  switch (event.change) {
    case 'converted':
      messages.converted.set(event.order, cancellerOf(event))
      return
    case 'released':
      messages.released = { order: event.order, session: order.session, sequence: 0 }
      if (!messages.converted.has(event.order)) reportReleased(history, reportOf(order, event))
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

/** The request to answer once the order was released; null if no request asked to cancel this order alone. */
function cancellerOf({ session, time, reason, by }: EventOf<'bump'>): Canceller | null {
  if (reason !== 'user_request' || by?.isBulk === true) return null
  const correlationId = by?.correlationId ?? null
  return { session: by?.session ?? session, receivedAt: time, correlationId }
}

/** True if an event concerns an order of direct access that is on its way from the speed bump into its book. */
export function isEntering(history: MessageHistory, event: OrderChanged): boolean {
  if (history.messages.released?.order !== event.order) return false
  // On its way, the order can fill, rest, or end before it rests. Any other cancel, or an amend, means that it has
  // arrived.
  return event.change === 'cancelled' ? !event.rested : event.change !== 'edited'
}

/** Reports the state of a released order in its message, which grows until the order is in its book. */
export function reportReleased(history: MessageHistory, event: OrderChanged, fill: Trade | null = null): void {
  const { released } = history.messages
  const instrument = history.instruments.get(event.instrument)
  if (released === null || instrument === undefined) return
  const version = versionOf(history, released.session)
  const record = {
    ...orderRecord(event, instrument, false, fill === null ? [] : [fill], cancelReasonIn(history, event, version)),
    // A message about a quote has the side; a message about an order has the client's number of its request.
    side: event.side,
    correlationId: event.extras?.direct?.correlationId,
  }
  const list = history.messages.received.rows.get(released.session) ?? []
  const at = list.findIndex(({ sequence }) => sequence === released.sequence)
  const before = list[at]
  if (before?.message === 'OrderPlaced') {
    const reported = messageJson<OrderPlacedMessage>('OrderPlaced', record, version)
    list[at] = { ...before, ...reported, fills: [...before.fills, ...reported.fills] }
  } else if (before?.message === 'MassQuoteOrdersPlaced') {
    const reported = messageJson<QuotePlacedMessage>('MassQuoteOrdersPlaced', record, version)
    list[at] = { ...before, ...reported, fills: [...before.fills, ...reported.fills] }
  } else {
    const name = event.extras?.quote == null ? 'OrderPlaced' : 'MassQuoteOrdersPlaced'
    const to = { session: released.session, event }
    const sequence = postMessage<OrderPlacedMessage | QuotePlacedMessage>(history, to.session, to.event, name, record)
    history.messages.released = { ...released, sequence }
  }
}

/** Adds a fill to the message of a released order, before the order's own event. */
export function addFill(history: MessageHistory, trade: Trade): void {
  const order = history.orders.get(trade.taker.order)
  if (order !== undefined) reportReleased(history, reportOf(order, trade), trade)
}

/**
 * Handles the end of an order at its release. If the order matched, its message shows the end. If a request had asked
 * to cancel it and it matched nothing, the session of that request gets a confirmation, and the session that placed the
 * order gets a message (8.8).
 */
export function noteUnmatched(history: MessageHistory, event: OrderChanged): void {
  const canceller = history.messages.converted.get(event.order)
  history.messages.converted.delete(event.order)
  const hasMessage = (history.messages.released?.sequence ?? 0) > 0
  if (canceller === undefined || hasMessage) {
    reportReleased(history, event)
    history.messages.released = null
    return
  }
  history.messages.released = null
  const instrument = history.instruments.get(event.instrument)
  if (instrument !== undefined && canceller !== null) {
    const to = { session: canceller.session, event }
    postMessage<OrderCancelledMessage>(history, to.session, to.event, 'CancelOrderResponse', {
      receiveTime: canceller.receivedAt,
      correlationId: canceller.correlationId ?? undefined,
      ...namesOf(event, instrument),
      quantity: event.amount,
      totalFilled: event.filled,
    })
  }
  if (canceller?.session !== event.session) reportCancelled(history, event)
}

/** The last state of an order, with the time and number of another event. */
function reportOf(order: OrderChanged, event: Pick<OrderChanged, 'time' | 'number'>): OrderChanged {
  return { ...order, time: event.time, number: event.number }
}

/**
 * Messages about orders that were cancelled without their own request: OrdersCanceled (310), one for all orders that
 * were cancelled at one time, with at most a hundred orders in each.
 *
 * Source: sessions document 8.6, 8.7; S287, S331.
 */

/** Largest number of orders in a message. */
const PART = 100

/** Handles the cancel of an order in the book: notifies the order's session, unless an answer reports the cancel. */
export function noteCancelled(history: MessageHistory, event: OrderChanged): void {
  const reported = answerTelling(history, event)
  if (reported === 'own') return
  if (reported === 'foreign' && versionOf(history, event.session) < schemaSince.foreignCancels) return
  reportCancelled(history, event)
}

/**
 * Adds a cancelled order to the messages of its session. Orders of one time share messages of at most a hundred orders.
 */
function reportCancelled(history: MessageHistory, event: OrderChanged): void {
  const instrument = history.instruments.get(event.instrument)
  if (instrument === undefined) return
  const gone = {
    ...namesOf(event, instrument),
    totalFilled: event.filled,
    cancelReason: cancelReasonIn(history, event, versionOf(history, event.session)),
    flags: event.extras?.quote == null ? [] : ['is_quote'],
  }
  const record = { flags: ['is_last_message'], orders: [gone] }
  const batch = `${event.cause} ${event.time}`
  const list = history.messages.received.rows.get(event.session) ?? []
  const last = list.at(-1)
  if (last?.message === 'OrdersCanceled' && history.messages.batches.get(event.session) === batch) {
    if (last.orders.length < PART) {
      const version = versionOf(history, event.session)
      const { orders } = messageJson<OrdersCanceledMessage>('OrdersCanceled', record, version)
      list[list.length - 1] = { ...last, orders: [...last.orders, ...orders] }
      return
    }
    list[list.length - 1] = { ...last, flags: [] }
  }
  postMessage<OrdersCanceledMessage>(history, event.session, event, 'OrdersCanceled', record)
  history.messages.batches.set(event.session, batch)
}
