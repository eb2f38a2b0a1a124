/**
 * Pending requests, with the data that their replies are built from.
 *
 * Source: DESIGN 1; trading.md C07; coverage R32, R45.
 */
import {
  changing,
  derived,
  fixed,
  liveUnit,
  mapOf,
  orNull,
  plainUnit,
  type RowOf,
  rowUnit,
  type Unit,
  units,
} from '../../core/index.ts'
import { type Exchange, type OrderView, standingQuotes } from '../../engine/index.ts'
import { type EventOf, eventUnits, type OrderChanged, type SessionKind, type Trade } from '../../model/index.ts'
import type { LostSequence, Method, Quoted } from '../methods/index.ts'
import type { RequestParams, VenueReply, VenueRequest } from '../wire/index.ts'

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

export const pendingFields = {
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

/** A pending request, with the data that its reply is built from. */
export interface Pending extends RowOf<typeof pendingFields> {}

/**
 * The result of a mass quote before its first event. Only direct access names groups by number, and its reply reports
 * each quote of the group, so the standing quotes are noted first.
 */
export function newQuoted(exchange: Exchange, group: string | number): Quoted {
  const standing = typeof group === 'number' ? standingQuotes(exchange, group) : []
  const before = new Map(standing.map((quote) => [quote.order.id, quote] as const))
  return { before, orders: new Map(), trades: [], refused: [] }
}
