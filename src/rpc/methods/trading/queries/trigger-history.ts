/**
 * private/get_trigger_order_history: one entry for each order that waited for its trigger and no longer does, newest
 * first. The creation of an order adds no entry (C19).
 *
 * Entries are made from the final state of the order in the history, so they need no separate store. Source: trading.md
 * 4.8, 5.3 (C19).
 */
import { assert, type Mutable, z } from '../../../../core/index.ts'
import { findInstrument } from '../../../../engine/index.ts'
import { formOfId, NO_ORDER, type OrderChanged, type RejectionReason } from '../../../../model/index.ts'
import { endedOrdersOf, ordersTruncation, type Truncation } from '../../../history/index.ts'
import { orderIdOut, type WireOrder } from '../../../wire/index.ts'
import { belongsTo } from '../../market/instruments.ts'
import { asker, defineMethod, queryOf, type ReplyContext } from '../../method.ts'
import { count, earlier, instrumentName, requestCurrency, unknownInstrument } from '../../params.ts'
import { listedInstrument, orderReport } from '../order-reports.ts'
import { continuationFault, newestFirst, pageNewestFirst } from './order-pages.ts'

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
    const { instrument_name: name, continuation } = params
    const listed = name === undefined || findInstrument(context.exchange, name) !== undefined
    return queryOf(earlier(continuationFault(continuation), listed ? null : unknownInstrument))
  },
  reply: (context, params): TriggerPage => {
    const waited = endedOrdersOf(context.history, asker(context))
      .filter(({ order }) => formOfId(order) !== 'ordinary')
      .filter((order) => {
        const instrument = listedInstrument(context, order.instrument)
        const named = params.instrument_name ?? instrument.name
        return instrument.name === named && belongsTo(instrument, params.currency)
      })
    const { count: size, continuation } = params
    const page = pageNewestFirst(context, newestFirst(waited), {
      count: size,
      offset: 0,
      continuation,
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

/** Methods by their names; a part of the table. */
export const triggerHistoryMethods = {
  'private/get_trigger_order_history': getTriggerOrderHistory,
} as const
