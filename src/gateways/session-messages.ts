/**
 * Messages that a session of direct access is told without having asked. Where an event is told:
 *
 * | Event | Message | To |
 * |---|---|---|
 * | a maker's fill | OrderFilled 300 | the session that placed the order |
 * | an order went, and no response says so | OrdersCanceled 310 | the same |
 * | one that waited is released | OrderPlaced 312, of quotes 314 | the same |
 * | an amend over another session | AmendOrderResponse 210 | the same |
 * | a waiting order that was cancelled met nothing | CancelOrderResponse 220 | who cancelled it |
 * | a group is frozen, or free again | 320 to 326 | the portfolio's sessions on its gateway pair |
 *
 * What a taker fills is told by the response alone, or by 312 and 314. Rule: direct.messages-received.
 * Source: sessions document 8.6, 8.8, 8.10, 8.11; S287, S289, S331.
 */
import { lots, type OrderId, scaledToNumber, unreachable } from '../core/index.ts'
import { isQueued, isReleasing, viewMmpGroup } from '../engine/index.ts'
import {
  type Event,
  type EventOf,
  type EventTakers,
  gatewayPairOf,
  type Instrument,
  mmpTriggers,
  type OrderChanged,
  schemaVersions,
  type Trade,
} from '../model/index.ts'
import {
  type AskedDirectly,
  amountOut,
  type Canceller,
  type DirectNames,
  type History,
  keepRow,
  type MessageBody,
  type MmpLevels,
  nanosOut,
  type OrderGone,
  type Post,
  rowsOf,
  type SessionMessage,
  timeOut,
} from '../rpc/index.ts'
import { correlationOf, correlationOut } from './answers.ts'
import { gatewayMessages } from './messages.ts'
import { cancelReasonIn, directId, directOrder, fillOut } from './order-replies.ts'
import { noteSession } from './session-layer.ts'

/** Orders that went are told in parts of so many. */
const PART = 100
/** The first version that is told of cancels over other sessions (S331). */
const FOREIGN_SINCE = 17

const placed = { message: 'OrderPlaced' } as const

/**
 * Writes the messages that events cause. `post` gives where they come from and go to, `askedBy` the request that an
 * event belongs to, while that is not answered. Most runs have no direct access, and look no further.
 */
export function messageTakers(
  post: () => Post,
  askedBy: (event: Event) => AskedDirectly | undefined,
): EventTakers {
  const whenTold =
    <E extends Event>(write: (post: Post, event: E) => void) =>
    (event: E): void => {
      const to = post()
      if (to.history.messages.sessions.size > 0) write(to, event)
    }
  return {
    session: (event) => noteSession(post(), event, askedBy(event)),
    trade: whenTold((to, event) => {
      if (event.combo === null) noteTrade(to, event)
    }),
    order: whenTold((to, event) => {
      if (event.change === 'cancelled') {
        if (event.extras?.direct != null) noteCancelled(to, event, askedBy(event))
      } else if (event.change === 'filled' || event.change === 'rested') {
        if (isEntering(to, event.order)) tellReleased(to, event)
      }
    }),
    bump: whenTold((to, event) => noteBump(to, event, askedBy(event))),
    mmp: whenTold((to, event) => noteGroup(to, event, askedBy(event))),
    request: whenTold((to, event) => {
      const asked = askedBy(event)
      if (asked?.message === 'AmendOrderRequest') noteAmend(to, event, asked)
    }),
  }
}

/** The messages of a session after a number, oldest first. */
export function messagesAfter(
  { messages }: History,
  session: number,
  since: number,
): readonly SessionMessage[] {
  return rowsOf(messages.received, session).filter(({ sequence }) => sequence > since)
}

/** A maker is told of its fill; of a taker that waited, its message grows. */
function noteTrade(post: Post, event: Trade): void {
  const { history } = post
  const { messages } = history
  const { released } = messages
  if (isEntering(post, event.taker.order)) addFill(post, event)
  const order = history.orders.get(event.maker.order)
  if (order === undefined || order.extras === null || order.extras.direct === null) return
  if (released !== null && released.order === order.order) messages.released = null
  const instrument = history.instruments.get(event.instrument)
  if (instrument === undefined) return
  send(post, order.session, event, {
    message: 'OrderFilled',
    ...named(order, instrument),
    ...fillOut(instrument, event),
    filled_amount: amountOut(instrument, lots(order.amount - event.maker.remaining)),
    side: order.side,
    flags: [
      ...(order.extras.quote === null ? [] : (['is_quote'] as const)),
      ...(event.maker.remaining === 0 ? (['is_fully_filled'] as const) : []),
    ],
  })
}

function noteCancelled(post: Post, event: OrderChanged, asked: AskedDirectly | undefined): void {
  const { messages } = post.history
  if (isEntering(post, event.order)) {
    noteUnmatched(post, event)
    return
  }
  messages.converted.delete(event.order)
  if (asked !== undefined && isInResponse(event, asked)) {
    const isSingle = asked.message !== 'AmendOrderRequest'
    const isForeign = asked.session !== event.session && isSingle
    if (!isForeign || versionOf(post, event.session) < FOREIGN_SINCE) return
  }
  tellCancelled(post, event)
}

/**
 * True if the response to a request tells that an order went: of orders only the request's own. What a protection
 * takes of the quotes that stood before a mass quote has its message as well, whether or not a side tells it.
 */
function isInResponse(event: OrderChanged, asked: AskedDirectly): boolean {
  switch (asked.message) {
    case 'NewOrderRequest':
    case 'AmendOrderRequest':
    case 'CancelOrderRequest':
    case 'CancelOrderByIdRequest':
      return asked.order === null || asked.order.order === event.order
    case 'MassQuoteRequest':
      return event.reason === 'user_request' || asked.quoted?.orders.has(event.order) === true
    default:
      return false
  }
}

/** One more order that went; those of one moment share messages of at most a hundred. */
function tellCancelled(post: Post, event: OrderChanged): void {
  const { messages, instruments } = post.history
  const instrument = instruments.get(event.instrument)
  if (instrument === undefined) return
  const { session } = event
  const gone: OrderGone = {
    ...named(event, instrument),
    filled_amount: amountOut(instrument, event.filled),
    cancel_reason: cancelReasonIn(post.exchange, event, versionOf(post, session)),
    flags: event.extras?.quote == null ? [] : ['is_quote'],
  }
  const batch = `${event.cause} ${event.time}`
  const list = messages.received.rows.get(session) ?? []
  const last = list.at(-1)
  if (last?.message === 'OrdersCanceled' && messages.batches.get(session) === batch) {
    if (last.orders.length < PART) {
      list[list.length - 1] = { ...last, orders: [...last.orders, gone] }
      return
    }
    list[list.length - 1] = { ...last, flags: [] }
  }
  const fields = { message: 'OrdersCanceled' } as const
  send(post, session, event, { ...fields, flags: ['is_last_message'], orders: [gone] })
  messages.batches.set(session, batch)
}

/** Waiting orders may be cancelled, and leave the queue; what then happens to them has a message of its own. */
function noteBump(post: Post, event: EventOf<'bump'>, asked: AskedDirectly | undefined): void {
  const { messages, orders } = post.history
  messages.released = null
  const order = orders.get(event.order)
  if (order === undefined || order.extras === null || order.extras.direct === null) return
  const { session } = order
  switch (event.change) {
    case 'converted': {
      const isCancel =
        asked?.message === 'CancelOrderRequest' || asked?.message === 'CancelOrderByIdRequest'
      messages.converted.set(event.order, isCancel ? cancellerOf(asked) : null)
      return
    }
    case 'released':
      messages.released = { order: event.order, session, sequence: 0 }
      if (!messages.converted.has(event.order)) tellReleased(post, toldBy(order, event))
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

/**
 * True if an order of direct access is on its way from the speed bump into its book. What happens to it later has
 * messages of its own: what was delivered never changes.
 */
function isEntering({ exchange, history }: Post, order: OrderId): boolean {
  return isReleasing(exchange, order) && history.messages.released?.order === order
}

/** Tells the fate of a released order so far: in a message of its own, which grows until the order is in its book. */
function tellReleased(post: Post, event: OrderChanged, fill: Trade | null = null): void {
  const { messages, instruments } = post.history
  const { released } = messages
  const instrument = instruments.get(event.instrument)
  if (released === null || instrument === undefined) return
  const { session } = released
  const told = directOrder(event, {
    instrument,
    isQueued: false,
    fills: fill === null ? [] : [fill],
    cancelled: cancelReasonIn(post.exchange, event, versionOf(post, session)),
  })
  const list = messages.received.rows.get(session) ?? []
  const at = list.findIndex(({ sequence }) => sequence === released.sequence)
  const before = list[at]
  if (before?.message !== 'OrderPlaced' && before?.message !== 'MassQuoteOrdersPlaced') {
    const isQuote = event.extras?.quote != null
    const fields = isQuote
      ? ({ message: 'MassQuoteOrdersPlaced', side: event.side } as const)
      : ({ ...placed, ...correlationOut(event.extras?.direct?.correlationId ?? null) } as const)
    const sequence = send(post, session, event, { ...fields, ...told })
    messages.released = { ...released, sequence }
    return
  }
  list[at] = { ...before, ...told, fills: [...before.fills, ...told.fills] }
}

/** A fill of an order that was released: as it stands before its own event tells. */
function addFill(post: Post, trade: Trade): void {
  const order = post.history.orders.get(trade.taker.order)
  if (order !== undefined) tellReleased(post, toldBy(order, trade), trade)
}

/**
 * An order that waited ended at its release. Where it met something, its message says so; where it was to be
 * cancelled and met nothing, that is confirmed to who cancelled it, and told to who placed it (8.8).
 */
function noteUnmatched(post: Post, event: OrderChanged): void {
  const { messages, instruments } = post.history
  const canceller = messages.converted.get(event.order)
  messages.converted.delete(event.order)
  const hasMessage = (messages.released?.sequence ?? 0) > 0
  if (canceller === undefined || hasMessage) {
    tellReleased(post, event)
    messages.released = null
    return
  }
  messages.released = null
  const instrument = instruments.get(event.instrument)
  if (instrument !== undefined && canceller !== null) {
    send(post, canceller.session, event, {
      message: 'CancelOrderResponse',
      receive_time_ns: nanosOut(canceller.receivedAt),
      ...correlationOut(canceller.correlationId),
      ...named(event, instrument),
      amount: amountOut(instrument, event.amount),
      filled_amount: amountOut(instrument, event.filled),
    })
  }
  if (canceller?.session !== event.session) tellCancelled(post, event)
}

/** An order that another session amended: the session that placed it gets the response too. */
function noteAmend(post: Post, done: Event, asked: AskedDirectly): void {
  const { order, session } = asked
  if (order === null || order.session === session) return
  const instrument = post.history.instruments.get(order.instrument)
  if (instrument === undefined) return
  send(post, order.session, done, {
    message: 'AmendOrderResponse',
    receive_time_ns: nanosOut(asked.receivedAt),
    ...correlationOut(correlationOf(asked.params)),
    ...directOrder(order, {
      instrument,
      isQueued: isQueued(post.exchange, order.order),
      fills: asked.trades,
      cancelled: cancelReasonIn(post.exchange, order, versionOf(post, order.session)),
    }),
  })
}

/**
 * A group is told of to all sessions of its portfolio that reach its books. A reset by JSON-RPC in the first second
 * ends nothing for them yet (R11).
 */
function noteGroup(post: Post, event: EventOf<'mmp'>, asked: AskedDirectly | undefined): void {
  const { change, index, group, name } = event
  const isTrigger = change === 'triggered'
  if (!isTrigger && change !== 'unfrozen' && change !== 'reset') return
  if (change === 'reset' && viewMmpGroup(post.exchange, group)?.freeze != null) return
  const { messages, instruments } = post.history
  const gatewayPair = [...instruments.values()].find(
    ({ priceIndex }) => priceIndex === index,
  )?.gateway
  const isOrders = name === null
  const sort = isOrders ? 'Orders' : 'MassQuote'
  const fields: MessageBody = {
    message: `${sort}${isTrigger ? 'MmpTriggered' : 'MmpUnfrozen'}`,
    ...(isOrders ? { currency_pair: index } : { mmp_group_id: group }),
    ...(isTrigger
      ? levelsOf(event)
      : correlationOut(asked === undefined ? null : correlationOf(asked.params))),
  }
  for (const [session, { account, gateway, isLast }] of messages.sessions) {
    const reaches = gateway !== null && gatewayPairOf(gateway) === gatewayPair
    if (isLast && account === event.account && reaches) send(post, session, event, fields)
  }
}

function levelsOf({ frozenUntil, quantity9, vega9, delta9, trigger }: EventOf<'mmp'>): MmpLevels {
  return {
    frozen_until: frozenUntil === null ? null : timeOut(frozenUntil),
    quantity_level: nano(quantity9),
    vega_level: nano(vega9),
    delta_level: nano(delta9),
    trigger: trigger === null ? null : { code: mmpTriggers.indexOf(trigger), name: trigger },
  }
}

/** Appends a message to those of a session and returns its number. */
function send(
  { history: { messages, limits } }: Post,
  session: number,
  { time, number }: Event,
  fields: MessageBody,
): number {
  const sequence = (messages.counts.get(session) ?? 0) + 1
  messages.counts.set(session, sequence)
  messages.batches.delete(session)
  const row = {
    ...fields,
    template: gatewayMessages[fields.message].template,
    sequence,
    timestamp: timeOut(time),
    timestamp_ns: nanosOut(time),
    exec_id: number,
  }
  keepRow(messages.received, session, { row, limit: limits.messages })
  return sequence
}

function named(order: OrderChanged, { name }: Instrument): DirectNames {
  return {
    order_id: directId(order.order),
    client_order_id: order.extras?.direct?.clientOrderId ?? null,
    instrument_name: name,
  }
}

/** An order as it is, told of by another event. */
function toldBy(order: OrderChanged, { time, number }: Event): OrderChanged {
  return { ...order, time, number }
}

function cancellerOf({ session, receivedAt, params }: AskedDirectly): Canceller {
  return { session, receivedAt, correlationId: correlationOf(params) }
}

function versionOf({ history }: Post, session: number): number {
  return history.messages.sessions.get(session)?.schemaVersion ?? schemaVersions.unnamed
}

/** A count of 1e-9 as a number. */
function nano(value9: number): number {
  return scaledToNumber(BigInt(value9), 9)
}
