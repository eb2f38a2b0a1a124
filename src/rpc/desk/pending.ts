/**
 * Requests on their way, and what their replies need from the events that they cause or wait for.
 *
 * Source: DESIGN 1; trading.md C07; coverage R32, R45.
 */
import type * as z from 'zod'
import type { AccountId, OrderId, Sequence } from '../../core/index.ts'
import { type Exchange, standingQuotes } from '../../engine/index.ts'
import type {
  Command,
  Event,
  EventOf,
  EventTakers,
  OrderChanged,
  Refusal,
  RequestDone,
  SessionKind,
  Trade,
} from '../../model/index.ts'
import type { AskedDirectly, Method, Quoted } from '../methods/index.ts'
import type { VenueReply, VenueRequest } from '../wire/index.ts'

/** A request on its way: what its reply will be built from. */
export interface Pending {
  readonly request: VenueRequest
  readonly account: AccountId | -1
  /** The kind of session that it came over, which decides what its method means. */
  readonly over: SessionKind | undefined
  readonly method: Method<z.ZodObject, unknown> | undefined
  readonly params: object
  readonly onReply: ((reply: VenueReply) => void) | null
  /** Trades of that order. */
  trades: Trade[] | undefined
  /** The request's own order, as its last event tells it: the first that the request touches. */
  order: OrderChanged | undefined
  /** The order behind the speed bump that it waits for, until an event tells of it. */
  awaited: OrderId | undefined
  /** What a bulk cancel cancelled; of no other request is it kept. */
  cancelled: OrderChanged[] | undefined
  /** Of a mass quote alone. */
  readonly quoted: Quoted | undefined
  /** Positions it moved. */
  moved: EventOf<'position_transfer'>[] | undefined
  refusal: Refusal | undefined
}

/**
 * Collects what replies need from events: each request from its own; and one whose reply waits hears of its order or
 * its quotes as they are then, with what they traded, also where a later request of the same order waits with it and
 * is the cause of what happened. `onDone` is told of the end of a request.
 */
export function replyTakers(
  requests: ReadonlyMap<Sequence, Pending>,
  onDone: (done: RequestDone) => void,
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
  if (quoted !== undefined) {
    const isQuote = quoted.orders.has(taker.order) || quoted.orders.has(maker.order)
    if (isQuote) quoted.trades.push(trade)
  } else if (isOwn(pending, taker.order) || isOwn(pending, maker.order)) {
    pending.trades ??= []
    pending.trades.push(trade)
  }
}

/** Whether an order is that of a request, or the one that its reply waits for. */
function isOwn({ order, awaited }: Pending, id: OrderId): boolean {
  return (order?.order ?? awaited) === id
}

function followOrder(pending: Pending, event: OrderChanged): void {
  const { order } = pending
  if (order === undefined || order.order === event.order) pending.order = event
  if (pending.quoted !== undefined) followQuote(pending.quoted, pending.account, event)
  if (event.change !== 'cancelled' || !isBulkCancel(pending.method?.kind)) return
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
function isOfOrder({ maker, taker }: Trade, order: OrderChanged | undefined): boolean {
  return order !== undefined && (taker.order === order.order || maker.order === order.order)
}

/** The request at work, as far as messages ask. */
export function askedBy(pending: Pending | undefined): AskedDirectly | undefined {
  if (pending === undefined) return undefined
  const { request, method, order, trades = [], quoted } = pending
  return { session: request.session, message: method?.direct, order, trades, quoted }
}
