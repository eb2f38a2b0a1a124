/**
 * The queries of orders: private/get_open_orders and its forms by currency, instrument and label; get_order_state,
 * get_order_state_by_label and get_order_margin_by_ids; and the table of all, with the histories.
 *
 * Open orders are the live ones of the account, including waiting ones, in the order of creation. Recent orders are the
 * live ones and those that ended within the last 30 minutes.
 * Source: trading.md 4.7 (C14), 4.8 [HIST]; S237-S241; coverage R43, R51.
 */

import { defined, z } from '../../../../core/index.ts'
import { findInstrument, orderMargin, seenOrders } from '../../../../engine/index.ts'
import { anyOrder, type Currency, numberOfId, type OrderFilter } from '../../../../model/index.ts'
import { endedOrdersOf } from '../../../history/index.ts'
import { moneyOut, type WireOrder } from '../../../wire/index.ts'
import { belongsTo } from '../../market/instruments.ts'
import { asker, defineMethod, queryOf, type ReplyContext } from '../../method.ts'
import {
  instrumentKind,
  instrumentName,
  kindsOf,
  label,
  orderIdIn,
  requestCurrency,
  unknownInstrument,
} from '../../params.ts'
import { orderFault, viewNamed } from '../named-order.ts'
import { listedTypes, listType } from '../order-filter.ts'
import { listedInstrument, listedOrderReport, liveOrderReport, orderReport } from '../order-reports.ts'
import { isRecent, orderHistoryMethods } from './order-history.ts'

/** Margin that an order holds of its account. */
export interface WireOrderMargin {
  readonly order_id: string
  readonly initial_margin: number
  readonly initial_margin_currency: string
}

/** One order of the account, live or ended. */
const getOrderState = defineMethod({
  scope: 'trade:read',
  sessions: 'json_rpc',
  command: 'query',
  params: z.object({ order_id: orderIdIn }),
  read: (context, params) => queryOf(orderFault(context, params.order_id)),
  reply: (context, params): WireOrder => {
    const { order, view } = viewNamed(context, params.order_id)
    if (view !== undefined) return liveOrderReport(context, view)
    const event = defined(context.history.orders.get(order), 'an ended order is in the history')
    return orderReport(context, event)
  },
})

/** Recent orders of a currency with a label, live and ended, in order of creation. */
const getOrderStateByLabel = defineMethod({
  scope: 'trade:read',
  sessions: 'json_rpc',
  command: 'query',
  params: z.object({ currency: requestCurrency, label: label.optional() }),
  read: () => queryOf(null),
  reply: (context, params): readonly WireOrder[] =>
    [...liveOrders(context, params.currency, params.label), ...recentlyEnded(context, params.currency, params.label)]
      .toSorted((a, b) => a.createdAt - b.createdAt || a.number - b.number)
      .map(({ report }) => report),
})

/** Margin of the given orders, in the order of the request; ids without a live order of the account are omitted. */
const getOrderMarginByIds = defineMethod({
  scope: 'trade:read',
  sessions: 'json_rpc',
  command: 'query',
  params: z.object({ ids: z.array(z.string()).describe('ids of orders') }),
  read: () => queryOf(null),
  reply: (context, params): readonly WireOrderMargin[] =>
    params.ids.flatMap((order_id) => {
      const { order, view } = viewNamed(context, order_id)
      if (view?.account !== context.account) return []
      const held = orderMargin(context.exchange, order)
      if (held === undefined) return []
      const initial_margin = moneyOut(held.margin)
      return [{ order_id, initial_margin, initial_margin_currency: held.currency }]
    }),
})

/** A reported order with its sort keys. */
interface Placed {
  readonly createdAt: number
  readonly number: number
  readonly report: WireOrder
}

function liveOrders(context: ReplyContext, currency: Currency, label: string | undefined): readonly Placed[] {
  const filter = { ...anyOrder, currencies: [currency], label: label ?? null }
  return seenOrders(context.exchange, asker(context), filter).map((view) => ({
    createdAt: view.createdAt,
    number: numberOfId(view.order.id),
    report: liveOrderReport(context, view),
  }))
}

function recentlyEnded(context: ReplyContext, currency: Currency, label: string | undefined): readonly Placed[] {
  return endedOrdersOf(context.history, asker(context))
    .filter(({ time }) => isRecent(context, time))
    .filter((order) => label === undefined || order.label === label)
    .filter((order) => belongsTo(listedInstrument(context, order.instrument), currency))
    .map((order) => ({
      createdAt: order.createdAt,
      number: numberOfId(order.order),
      report: orderReport(context, order),
    }))
}

/** Methods by their names; a part of the table. */
const orderStateMethods = {
  'private/get_order_state': getOrderState,
  'private/get_order_state_by_label': getOrderStateByLabel,
  'private/get_order_margin_by_ids': getOrderMarginByIds,
} as const

/** Open orders in all currencies. */
const getOpenOrders = defineMethod({
  scope: 'trade:read',
  sessions: 'json_rpc',
  command: 'query',
  params: z.object({ kind: instrumentKind.optional(), type: listType }),
  read: () => queryOf(null),
  reply: (context, params) => {
    const types = listedTypes(params.type)
    return listOf(context, { ...anyOrder, kinds: kindsOf(params.kind), types })
  },
})

/** Open orders of one currency. */
const getOpenOrdersByCurrency = defineMethod({
  scope: 'trade:read',
  sessions: 'json_rpc',
  command: 'query',
  params: z.object({
    currency: requestCurrency,
    kind: instrumentKind.optional(),
    type: listType,
  }),
  read: () => queryOf(null),
  reply: (context, params) => {
    const currencies = [params.currency]
    const types = listedTypes(params.type)
    return listOf(context, { ...anyOrder, currencies, kinds: kindsOf(params.kind), types })
  },
})

/** Open orders of one instrument. */
const getOpenOrdersByInstrument = defineMethod({
  scope: 'trade:read',
  sessions: 'json_rpc',
  command: 'query',
  params: z.object({ instrument_name: instrumentName, type: listType }),
  read: (context, params) => {
    const listed = findInstrument(context.exchange, params.instrument_name) !== undefined
    return queryOf(listed ? null : unknownInstrument)
  },
  reply: (context, params) => {
    const instrument = findInstrument(context.exchange, params.instrument_name)?.id ?? null
    return listOf(context, { ...anyOrder, instrument, types: listedTypes(params.type) })
  },
})

/** Open orders of one currency with a label; without a label, all open orders of the currency. */
const getOpenOrdersByLabel = defineMethod({
  scope: 'trade:read',
  sessions: 'json_rpc',
  command: 'query',
  params: z.object({ currency: requestCurrency, label: label.optional() }),
  read: () => queryOf(null),
  reply: (context, params) => {
    const currencies = [params.currency]
    return listOf(context, { ...anyOrder, currencies, label: params.label ?? null })
  },
})

function listOf(context: ReplyContext, filter: OrderFilter): readonly WireOrder[] {
  return seenOrders(context.exchange, asker(context), filter).map((view) => listedOrderReport(context, view))
}

/** Methods by their names; a part of the table. */
const openOrderMethods = {
  'private/get_open_orders': getOpenOrders,
  'private/get_open_orders_by_currency': getOpenOrdersByCurrency,
  'private/get_open_orders_by_instrument': getOpenOrdersByInstrument,
  'private/get_open_orders_by_label': getOpenOrdersByLabel,
} as const

/**
 * Open orders, their states and histories, for a `methodSet`.
 *
 * @example
 * console.log(Object.keys(orderQueries).includes('private/get_open_orders')) // true
 */
export const orderQueries = {
  ...openOrderMethods,
  ...orderStateMethods,
  ...orderHistoryMethods,
} as const
