/**
 * private/get_order_state, get_order_state_by_label and get_order_margin_by_ids.
 *
 * Recent orders are the live ones and those that ended within the last 30 minutes. Source: trading.md 4.7 (C14), 4.8
 * [HIST]; coverage R43.
 */
import { defined, z } from '../../../../core/index.ts'
import { orderMargin, seenOrders } from '../../../../engine/index.ts'
import { anyOrder, type Currency, numberOfId } from '../../../../model/index.ts'
import { endedOrdersOf } from '../../../history/index.ts'
import { moneyOut, type WireOrder } from '../../../wire/index.ts'
import { belongsTo } from '../../market/instruments.ts'
import { asker, defineMethod, queryOf, type ReplyContext } from '../../method.ts'
import { label, orderIdIn, requestCurrency } from '../../params.ts'
import { orderFault, viewNamed } from '../named-order.ts'
import { listedInstrument, liveOrderReport, orderReport } from '../order-reports.ts'
import { isRecent } from './order-history.ts'

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
export const orderStateMethods = {
  'private/get_order_state': getOrderState,
  'private/get_order_state_by_label': getOrderStateByLabel,
  'private/get_order_margin_by_ids': getOrderMarginByIds,
} as const
