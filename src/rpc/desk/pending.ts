/**
 * Requests on their way, and what their replies need from the events that they cause or wait for.
 *
 * Source: DESIGN 1; trading.md C07; coverage R32, R45.
 */
import {
  type AccountId,
  changing,
  derived,
  fixed,
  liveUnit,
  mapOf,
  type OrderId,
  orNull,
  plainUnit,
  type RowOf,
  rowUnit,
  type Sequence,
  type Unit,
  units,
} from '../../core/index.ts'
import { type Exchange, type OrderView, standingQuotes } from '../../engine/index.ts'
import {
  type Command,
  type Event,
  type EventOf,
  type EventTakers,
  eventUnits,
  type OrderChanged,
  type SessionKind,
  type Trade,
} from '../../model/index.ts'
import type { AskedDirectly, Method, Quoted } from '../methods/index.ts'
import type { RequestParams, VenueReply, VenueRequest } from '../wire/index.ts'

/** A request as it came: its parameters as JSON, in which one that is undefined is absent. */
const requestUnit: Unit<VenueRequest> = {
  name: 'request',
  save: ({ time, method, account, session, params }) => {
    return { time, method, account, session, params: JSON.stringify(params) }
  },
  load: (plain) => {
    // `save` wrote it.
    const saved = plain as unknown as VenueRequest & { readonly params: string }
    return { ...saved, params: JSON.parse(saved.params) as RequestParams }
  },
}

const quotedFields = {
  before: fixed(mapOf(units.orderId, plainUnit<OrderView>('order'))),
  orders: fixed(mapOf(units.orderId, plainUnit<OrderChanged>('order'))),
  trades: fixed(plainUnit<Trade[]>('trades')),
  refused: fixed(plainUnit<EventOf<'quote_refusal'>[]>('refused sides')),
}

export const pendingFields = {
  request: fixed(requestUnit),
  account: fixed(eventUnits.someAccount),
  /** The kind of session that it came over, which decides what its method means. */
  over: fixed(orNull(plainUnit<SessionKind>('kind of session'))),
  method: derived(fixed(liveUnit<Method | undefined>())),
  params: derived(fixed(liveUnit<object>())),
  onReply: derived(fixed(liveUnit<((reply: VenueReply) => void) | null>())),
  /** Trades of that order. */
  trades: changing(orNull(plainUnit<Trade[]>('trades'))),
  /** The request's own order, as its last event tells it: the first that the request touches. */
  order: changing(orNull(plainUnit<OrderChanged>('order'))),
  /** The order behind the speed bump that it waits for, until an event tells of it. */
  awaited: changing(orNull(units.orderId)),
  /** Orders that a bulk cancel cancelled; null for other requests. */
  cancelled: changing(orNull(plainUnit<OrderChanged[]>('orders'))),
  /** Result of a mass quote; null for other requests. */
  quoted: fixed(orNull(rowUnit('quoted', quotedFields))),
  /** Positions it moved. */
  moved: changing(orNull(plainUnit<EventOf<'position_transfer'>[]>('moved positions'))),
  /** Changes of its account's quotes on Block RFQs; null where there are none. */
  rfqQuotes: changing(orNull(plainUnit<EventOf<'block_rfq_quote'>[]>('changes of quotes'))),
  refusal: changing(orNull(eventUnits.refusal)),
}

/** A request on its way: what its reply will be built from. */
export interface Pending extends RowOf<typeof pendingFields> {}

/**
 * Collects what replies need from events: each request from its own; and one whose reply waits hears of its order or
 * its quotes as they are then, with what they traded, also where a later request of the same order waits with it and
 * is the cause of what happened. `onDone` is told of the end of a request.
 */
export function replyTakers(
  requests: ReadonlyMap<Sequence, Pending>,
  onDone: (done: EventOf<'request'>) => void,
): EventTakers {
  const own = ({ cause }: Event): Pending | undefined => requests.get(cause)
  return {
    order: (event) => {
      const pending = own(event)
      if (requests.size > (pending === undefined ? 0 : 1)) followWaitingOrder(requests, event)
      if (pending !== undefined) followOrder(pending, event)
    },
    trade: (event) => {
      const pending = own(event)
      if (requests.size > (pending === undefined ? 0 : 1)) followWaitingTrade(requests, event)
      if (pending !== undefined) followTrade(pending, event)
    },
    bump: (event) => {
      const pending = own(event)
      if (pending !== undefined) pending.awaited ??= event.order
    },
    quote_refusal: (event) => {
      own(event)?.quoted?.refused.push(event)
    },
    position_transfer: (event) => {
      const pending = own(event)
      if (pending === undefined || event.reason !== 'move') return
      pending.moved ??= []
      pending.moved.push(event)
    },
    block_rfq_quote: (event) => {
      const pending = own(event)
      if (pending === undefined || event.account !== pending.account) return
      pending.rfqQuotes ??= []
      pending.rfqQuotes.push(event)
    },
    refusal: (event) => {
      const pending = own(event)
      if (pending !== undefined) pending.refusal = event.refusal
    },
    request: onDone,
  }
}

function followTrade(pending: Pending, trade: Trade): void {
  if (pending.quoted?.orders.has(trade.taker.order)) pending.quoted.trades.push(trade)
  else if (isOfOrder(trade, pending.order)) {
    pending.trades ??= []
    pending.trades.push(trade)
  }
}

function followWaitingOrder(requests: ReadonlyMap<Sequence, Pending>, event: OrderChanged): void {
  for (const [cause, pending] of requests) {
    if (cause === event.cause) continue
    if (isOwn(pending, event.order)) pending.order = event
    if (pending.quoted?.orders.has(event.order)) pending.quoted.orders.set(event.order, event)
  }
}

function followWaitingTrade(requests: ReadonlyMap<Sequence, Pending>, trade: Trade): void {
  for (const [cause, pending] of requests) {
    if (cause !== trade.cause) addTradeWaiting(pending, trade)
  }
}

function addTradeWaiting(pending: Pending, trade: Trade): void {
  const { maker, taker } = trade
  const { quoted } = pending
  if (quoted !== null) {
    const isQuote = quoted.orders.has(taker.order) || quoted.orders.has(maker.order)
    if (isQuote) quoted.trades.push(trade)
  } else if (isOwn(pending, taker.order) || isOwn(pending, maker.order)) {
    pending.trades ??= []
    pending.trades.push(trade)
  }
}

/** True if an order is that of a request, or the one that its reply waits for. */
function isOwn({ order, awaited }: Pending, id: OrderId): boolean {
  return (order?.order ?? awaited) === id
}

function followOrder(pending: Pending, event: OrderChanged): void {
  const { order } = pending
  if (order === null || order.order === event.order) pending.order = event
  if (pending.quoted !== null) followQuote(pending.quoted, pending.account, event)
  if (event.change !== 'cancelled' || !isBulkCancel(pending.method?.unread.kind)) return
  pending.cancelled ??= []
  pending.cancelled.push(event)
}

function isBulkCancel(kind: Command['kind'] | undefined): boolean {
  return kind === 'cancel_orders' || kind === 'cancel_quotes'
}

/** By its number a group is known to direct access alone, which is told what became of each quote. */
export function newQuoted(exchange: Exchange, group: string | number): Quoted {
  const standing = typeof group === 'number' ? standingQuotes(exchange, group) : []
  const before = new Map(standing.map((quote) => [quote.order.id, quote] as const))
  return { before, orders: new Map(), trades: [], refused: [] }
}

/**
 * Quotes that protections take away meanwhile are none of what the request asked for; but direct access is told of
 * every quote of the instruments that it names.
 */
function followQuote(
  { before, orders }: Quoted,
  account: AccountId | -1,
  event: OrderChanged,
): void {
  const isOwn = event.account === account && event.extras?.quote != null
  const isTold = event.change !== 'cancelled' || before.has(event.order)
  const isAsked = isTold || event.reason === 'user_request'
  const isFirst = event.change !== 'filled' && isAsked && isOwn
  if (isFirst || orders.has(event.order)) orders.set(event.order, event)
}

/** A linked order may trade within the same request; its trades are not the request's own. */
function isOfOrder({ maker, taker }: Trade, order: OrderChanged | null): boolean {
  return order !== null && (taker.order === order.order || maker.order === order.order)
}

/** The request at work, as far as messages ask. */
export function askedBy(pending: Pending | undefined): AskedDirectly | undefined {
  if (pending === undefined) return undefined
  const { request, method, order, trades, quoted } = pending
  const { session } = request
  return { session, message: method?.direct, order, trades: trades ?? [], quoted }
}
