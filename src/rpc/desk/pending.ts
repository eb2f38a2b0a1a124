/**
 * Pending requests, with the data that their replies are built from.
 *
 * Source: DESIGN 1; trading.md C07; coverage R32, R45.
 */

import {
  assert,
  changing,
  derived,
  fixed,
  liveUnit,
  loadRow,
  mapOf,
  type OrderId,
  orNull,
  type Plain,
  plainUnit,
  type RowOf,
  rowUnit,
  type Sequence,
  saveRow,
  type Unit,
  units,
} from '../../core/index.ts'
import { type Exchange, liveQuotes, type OrderView } from '../../engine/index.ts'
import { type EventOf, eventUnits, type OrderChanged, type SessionKind, type Trade } from '../../model/index.ts'
import type { LostSequence, Method, MethodSet, Quoted } from '../methods/index.ts'
import type { RequestParams, VenueReply, VenueRequest } from '../wire/index.ts'

/** A pending request, with the data that its reply is built from. */
export interface Pending extends RowOf<typeof pendingFields> {}

/** The orders that pending replies wait for. */
export interface FollowedOrders {
  readonly byOrder: Map<OrderId, Set<Sequence>>
  readonly ordersOf: Map<Sequence, Set<OrderId>>
  /** The number of the request that is being processed; null between requests. */
  working: Sequence | null
  /** The request that is being processed; null once it is answered. */
  asked: Pending | null
}

/** Returns the receiver of the reply of a request that was pending in a snapshot; null for no receiver. */
export type Waiter = (sequence: Sequence, request: VenueRequest) => ((reply: VenueReply) => void) | null

/**
 * Pending requests as plain data for snapshots, and back. The receiver of a reply is no data, so a restore has to
 * supply it.
 *
 * The parameters are stored as JSON and read again; reading them needs nothing from the market.
 */

/** The pending requests, in the order in which they came. */
export function snapshotPending(requests: ReadonlyMap<Sequence, Pending>): Plain {
  return [...requests].map(([sequence, pending]) => [sequence, saveRow(pendingFields, pending)])
}

/** The requests of a snapshot; `waiter` returns the receiver of each reply. */
export function restorePending(saved: Plain, methods: MethodSet, waiter: Waiter): Map<Sequence, Pending> {
  // `snapshotPending` made this list.
  const entries = saved as readonly (readonly [Sequence, Plain])[]
  return new Map(entries.map(([sequence, row]) => [sequence, readPending(sequence, row, methods, waiter)]))
}

function readPending(sequence: Sequence, row: Plain, methods: MethodSet, waiter: Waiter): Pending {
  const kept = loadRow(pendingFields, row)
  const { request, over } = kept
  const method = methods.findOver(over ?? undefined, request.method)
  assert(method !== undefined, 'a waiting request has a method')
  const read = method.reader(request.params)
  assert(read.ok, 'a waiting request was valid before')
  return { ...kept, method, params: read.value, lost: null, onReply: waiter(sequence, request) }
}

/**
 * The orders that pending replies wait for, by id. With this index, an event of an order finds the requests whose
 * replies report the order, and skips all others. It holds only pending replies. The request at work finds its order by
 * the cause of the event. Almost all requests are answered at once; only the others join this index.
 *
 * Snapshots contain none of it, because it can be computed from the pending requests.
 */

/** An unanswered request by its number: the one that is being processed, or one that waits. */
export function pendingOf({ pending, followed }: Unanswered, cause: Sequence): Pending | undefined {
  return cause === followed.working ? (followed.asked ?? undefined) : pending.get(cause)
}

/** Requests that wait, and the one that is being processed. */
export interface Unanswered {
  readonly pending: ReadonlyMap<Sequence, Pending>
  readonly followed: FollowedOrders
}

/** An index of the orders of pending requests. */
export function followedOrders(requests: ReadonlyMap<Sequence, Pending>): FollowedOrders {
  const followed: FollowedOrders = {
    byOrder: new Map(),
    ordersOf: new Map(),
    working: null,
    asked: null,
  }
  followAll(followed, requests)
  return followed
}

/** Replaces the index by the orders of these requests. */
export function followAll(followed: FollowedOrders, requests: ReadonlyMap<Sequence, Pending>): void {
  followed.byOrder.clear()
  followed.ordersOf.clear()
  for (const [cause, pending] of requests) follow(followed, cause, pending)
}

/** Adds the orders of a request whose reply waits, including the orders that it got since. */
export function follow(followed: FollowedOrders, cause: Sequence, pending: Pending): void {
  const own = pending.order ?? pending.awaited
  if (own !== null) add(followed, cause, own)
  for (const id of pending.quoted?.orders.keys() ?? []) add(followed, cause, id)
}

function add({ byOrder, ordersOf }: FollowedOrders, cause: Sequence, id: OrderId): void {
  const causes = byOrder.get(id) ?? new Set()
  byOrder.set(id, causes.add(cause))
  const orders = ordersOf.get(cause) ?? new Set()
  ordersOf.set(cause, orders.add(id))
}

/** Removes the orders of a request that was answered. */
export function unfollow({ byOrder, ordersOf }: FollowedOrders, cause: Sequence): void {
  // Usually no reply is pending.
  if (ordersOf.size === 0) return
  const orders = ordersOf.get(cause)
  if (orders === undefined) return
  ordersOf.delete(cause)
  for (const id of orders) {
    const causes = byOrder.get(id)
    causes?.delete(cause)
    if (causes?.size === 0) byOrder.delete(id)
  }
}

/** A request as it came. Its parameters are stored as JSON, which omits undefined ones. */
const requestUnit: Unit<VenueRequest> = {
  name: 'request',
  save: ({ time, method, account, session, params }) => {
    return { time, method, account, session, params: JSON.stringify(params) }
  },
  load: (plain) => {
    // `save` wrote this value.
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

const pendingFields = {
  request: fixed(requestUnit),
  account: fixed(eventUnits.someAccount),
  /**
   * The kind of session that the request came over; a method name can mean different methods over different sessions.
   */
  over: fixed(orNull(plainUnit<SessionKind>('kind of session'))),
  method: derived(fixed(liveUnit<Method | undefined>())),
  params: derived(fixed(liveUnit<object>())),
  /**
   * How its sequence number ended its session. Such a request is answered at once, so no waiting request has this
   * field.
   */
  lost: derived(fixed(liveUnit<LostSequence | null>())),
  onReply: derived(fixed(liveUnit<((reply: VenueReply) => void) | null>())),
  /** Trades of that order. */
  trades: changing(orNull(plainUnit<Trade[]>('trades'))),
  /** The request's own order, which is the first order it touches. The reply shows its last event in the history. */
  order: changing(orNull(units.orderId)),
  /** The order behind the speed bump that it waits for, until the first event of that order. */
  awaited: changing(orNull(units.orderId)),
  /** Orders that a bulk cancel cancelled; null for other requests. */
  cancelled: changing(orNull(plainUnit<OrderChanged[]>('orders'))),
  /** Result of a mass quote; null for other requests. */
  quoted: fixed(orNull(rowUnit('quoted', quotedFields))),
  /** Positions that the request moved. */
  moved: changing(orNull(plainUnit<EventOf<'position_transfer'>[]>('moved positions'))),
  /** Changes of its account's quotes on Block RFQs; null before the first one. */
  rfqQuotes: changing(orNull(plainUnit<EventOf<'block_rfq_quote'>[]>('changes of quotes'))),
  refusal: changing(orNull(eventUnits.refusal)),
}

/**
 * The result of a mass quote before its first event. Only direct access names groups by number, and its reply reports
 * each quote of the group, so the standing quotes are noted first.
 */
export function newQuoted(exchange: Exchange, group: string | number): Quoted {
  const quotes = typeof group === 'number' ? liveQuotes(exchange, group) : []
  const before = new Map(quotes.map((quote) => [quote.order.id, quote] as const))
  return { before, orders: new Map(), trades: [], refused: [] }
}
