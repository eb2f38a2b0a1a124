/**
 * Ended orders, newest first: private/get_order_history_by_currency and _by_instrument, and get_trigger_order_history.
 *
 * Without `include_unfilled` a history has only orders with a fill. With `historical` false it covers the last 30
 * minutes, with true the time before, and with `include_old` both (C15).
 *
 * The history of trigger orders has one entry for each order that waited for its trigger and no longer does; the
 * creation of an order adds none (C19). Entries are made from the final state of the order in the history, so they need
 * no separate store.
 *
 * Lists are sorted newest first, by the millisecond of the last change and then by creation. A continuation names the
 * last order of a page, `<milliseconds>.<order id>`, or is `none` at the end of the list.
 *
 * Source: trading.md 4.8 (C15), 5.3 (C19), sample of a trigger history; market.md 3.6 (`none`); coverage R38, R43.
 */

import { assert, type Micros, type Mutable, millisOf, type OrderId, z } from '../../../../core/index.ts'
import { findInstrument, timeOf } from '../../../../engine/index.ts'
import {
  type Fault,
  formOfId,
  type Instrument,
  NO_ORDER,
  numberOfId,
  type OrderChanged,
  type RejectionReason,
} from '../../../../model/index.ts'
import { endedOrdersOf, ordersTruncation, type Truncation } from '../../../history/index.ts'
import { orderIdIn, orderIdOut, type WireOrder } from '../../../wire/index.ts'
import { belongsTo } from '../../market/instruments.ts'
import { asker, defineMethod, queryOf, type ReadContext, type ReplyContext } from '../../method.ts'
import {
  anyInstrumentKind,
  count,
  earlier,
  instrumentName,
  kindsOf,
  paramFault,
  requestCurrency,
  unknownInstrument,
} from '../../params.ts'
import { listedInstrument, orderReport } from '../order-reports.ts'

/** A page of orders; with `with_continuation` also the continuation of the list. */
export type OrderHistory =
  | readonly WireOrder[]
  | ({ readonly orders: readonly WireOrder[]; readonly continuation: string } & Truncation)

/** The end of a waiting order. */
export interface TriggerEntry
  extends Pick<
    WireOrder,
    | 'trigger'
    | 'trigger_price'
    | 'instrument_name'
    | 'direction'
    | 'price'
    | 'amount'
    | 'last_update_timestamp'
    | 'reduce_only'
    | 'post_only'
    | 'label'
    | 'is_secondary_oto'
    | 'oco_ref'
  > {
  readonly timestamp: number
  readonly trigger_order_id: string
  /** The order that it placed; null if it placed none. */
  readonly order_id: string | null
  /** Distance of a trailing stop; null for other orders. */
  readonly trigger_offset: number | null
  /** `triggered`, `cancelled`, or `rejected:` with the reason. */
  readonly order_state: 'triggered' | 'cancelled' | `rejected:${RejectionReason}`
  readonly request: 'trigger:order' | 'cancel'
  readonly order_type: 'limit' | 'market'
  readonly source: 'api'
}

/** A page of ended trigger orders. */
export interface TriggerPage extends Truncation {
  readonly entries: readonly TriggerEntry[]
  readonly continuation: string
}

/** The part of a list that a request asks for. */
interface PageRange {
  readonly count: number
  readonly offset: number
  readonly continuation?: string | undefined
}

/** A page of a list, with a continuation. */
export interface Page {
  readonly orders: readonly OrderChanged[]
  readonly continuation: string
}

/** 30 minutes: ended orders count as recent for this time (C15). */
const RECENT_MICROS = 1_800_000_000

const TOKEN = /^([0-9]{1,15})\.(.+)$/

const pageParams = {
  count: count(20),
  offset: z.int().min(0).default(0).describe('number of records to skip'),
  include_old: z.boolean().default(false).describe('true to return recent and older records'),
  include_unfilled: z.boolean().default(false).describe('true to include orders that ended without a fill'),
  with_continuation: z
    .boolean()
    .default(false)
    .describe('true to return an object with a continuation instead of a list'),
  continuation: z.string().optional().describe('continuation of the previous page'),
  historical: z.boolean().default(false).describe('true to return older records instead of recent ones'),
}

const pageShape = z.object(pageParams)

type PageParams = z.output<typeof pageShape>

/** Ended orders of one currency. */
const getOrderHistoryByCurrency = defineMethod({
  scope: 'trade:read',
  sessions: 'json_rpc',
  command: 'query',
  params: z.object({
    currency: requestCurrency,
    kind: anyInstrumentKind.optional(),
    ...pageParams,
  }),
  read: (_context, params) => queryOf(continuationFault(params.continuation)),
  reply: (context, params): OrderHistory => {
    const kinds = kindsOf(params.kind)
    return historyOf(context, params, (instrument) => {
      return belongsTo(instrument, params.currency) && (kinds?.includes(instrument.kind) ?? true)
    })
  },
})

/** Ended orders of one instrument. */
const getOrderHistoryByInstrument = defineMethod({
  scope: 'trade:read',
  sessions: 'json_rpc',
  command: 'query',
  params: z.object({ instrument_name: instrumentName, ...pageParams }),
  read: (context, params) => {
    const listed = findInstrument(context.exchange, params.instrument_name) !== undefined
    const malformed = continuationFault(params.continuation)
    return queryOf(earlier(malformed, listed ? null : unknownInstrument))
  },
  reply: (context, params): OrderHistory => historyOf(context, params, ({ name }) => name === params.instrument_name),
})

function historyOf(
  context: ReplyContext,
  params: PageParams,
  isMeant: (instrument: Instrument) => boolean,
): OrderHistory {
  const ended = endedOrdersOf(context.history, asker(context))
    .filter(({ filled }) => filled > 0 || params.include_unfilled)
    .filter(({ time }) => params.include_old || isRecent(context, time) !== params.historical)
    .filter((order) => isMeant(listedInstrument(context, order.instrument)))
  const page = pageNewestFirst(context, newestFirst(ended), params)
  const orders = page.orders.map((order) => orderReport(context, order))
  if (!params.with_continuation) return orders
  return { orders, continuation: page.continuation, ...ordersTruncation(context.history) }
}

/** Trigger orders of one currency that waited, or only those of one instrument. */
const getTriggerOrderHistory = defineMethod({
  scope: 'trade:read',
  sessions: 'json_rpc',
  command: 'query',
  params: z.object({
    currency: requestCurrency,
    instrument_name: instrumentName.optional(),
    count: count(20),
    continuation: z.string().optional().describe('continuation of the previous page'),
  }),
  read: (context, params) => {
    const listed =
      params.instrument_name === undefined || findInstrument(context.exchange, params.instrument_name) !== undefined
    return queryOf(earlier(continuationFault(params.continuation), listed ? null : unknownInstrument))
  },
  reply: (context, params): TriggerPage => {
    const waited = endedOrdersOf(context.history, asker(context))
      .filter(({ order }) => formOfId(order) !== 'ordinary')
      .filter((order) => {
        const instrument = listedInstrument(context, order.instrument)
        const named = params.instrument_name ?? instrument.name
        return instrument.name === named && belongsTo(instrument, params.currency)
      })
    const page = pageNewestFirst(context, newestFirst(waited), {
      count: params.count,
      offset: 0,
      continuation: params.continuation,
    })
    const entries = page.orders.map((order) => entryOf(context, order))
    return { entries, continuation: page.continuation, ...ordersTruncation(context.history) }
  },
})

function entryOf(context: ReplyContext, event: OrderChanged): TriggerEntry {
  const order = orderReport(context, event)
  const out: Mutable<TriggerEntry> = {
    timestamp: order.last_update_timestamp,
    trigger_order_id: order.order_id,
    order_id: null,
    trigger_offset: order.trigger_offset ?? null,
    order_state: stateOf(event),
    instrument_name: order.instrument_name,
    request: event.state === 'cancelled' ? 'cancel' : 'trigger:order',
    direction: order.direction,
    price: order.price,
    amount: order.amount,
    last_update_timestamp: order.last_update_timestamp,
    post_only: order.post_only,
    order_type: order.price === 'market_price' ? 'market' : 'limit',
    label: order.label,
    source: 'api',
  }
  if (event.successor !== NO_ORDER) {
    out.order_id = orderIdOut(listedInstrument(context, event.instrument), event.successor)
  }
  if (order.reduce_only !== undefined) out.reduce_only = order.reduce_only
  if (order.trigger !== undefined) out.trigger = order.trigger
  if (order.trigger_price !== undefined) out.trigger_price = order.trigger_price
  if (order.is_secondary_oto !== undefined) out.is_secondary_oto = order.is_secondary_oto
  if (order.oco_ref !== undefined) out.oco_ref = order.oco_ref
  return out
}

function stateOf({ state, reason }: OrderChanged): TriggerEntry['order_state'] {
  // A triggered order is rejected only for one of these reasons.
  if (state === 'rejected') return `rejected:${reason as RejectionReason}`
  assert(state === 'triggered' || state === 'cancelled', 'an order has a final state')
  return state
}

/** True if a time is within the recent 30 minutes. */
export function isRecent(context: ReadContext, time: Micros): boolean {
  return time > timeOf(context.exchange) - RECENT_MICROS
}

/** The fault of a text that is not a continuation. */
function continuationFault(token: string | undefined): Fault | null {
  if (token === undefined || placeOf(token) !== undefined) return null
  return paramFault('continuation', 'invalid')
}

/** The orders newest first. */
function newestFirst(orders: readonly OrderChanged[]): readonly OrderChanged[] {
  return orders.toSorted(
    (a, b) =>
      millisOf(b.time) - millisOf(a.time) ||
      b.createdAt - a.createdAt ||
      numberOfId(b.order) - numberOfId(a.order) ||
      b.order - a.order,
  )
}

/** A page of a list that is sorted newest first. */
function pageNewestFirst(context: ReadContext, orders: readonly OrderChanged[], range: PageRange): Page {
  const start = startOf(orders, range.continuation) + range.offset
  const page = orders.slice(start, start + range.count)
  const last = page.at(-1)
  if (last === undefined || start + page.length >= orders.length) {
    return { orders: page, continuation: 'none' }
  }
  const id = orderIdOut(listedInstrument(context, last.instrument), last.order)
  return { orders: page, continuation: `${millisOf(last.time)}.${id}` }
}

/** The position after the order that a continuation names, or after its time if the order was dropped. */
function startOf(orders: readonly OrderChanged[], token: string | undefined): number {
  const place = token === undefined ? undefined : placeOf(token)
  if (place === undefined) return 0
  const named = orders.findIndex(({ order }) => order === place.order)
  if (named >= 0) return named + 1
  const older = orders.findIndex(({ time }) => millisOf(time) < place.millis)
  return older >= 0 ? older : orders.length
}

function placeOf(token: string): { readonly millis: number; readonly order: OrderId } | undefined {
  const [, millis, id = ''] = TOKEN.exec(token) ?? []
  const order = orderIdIn(id)
  return millis === undefined || order === undefined ? undefined : { millis: Number(millis), order }
}

/** Methods by their names; a part of the table. */
export const orderHistoryMethods = {
  'private/get_order_history_by_currency': getOrderHistoryByCurrency,
  'private/get_order_history_by_instrument': getOrderHistoryByInstrument,
  'private/get_trigger_order_history': getTriggerOrderHistory,
} as const
