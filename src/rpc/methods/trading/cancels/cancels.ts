/**
 * private/cancel. Source: trading.md 4.4, 6.10 (C28).
 */

import { z } from '../../../../core/index.ts'
import { findInstrument } from '../../../../engine/index.ts'
import { anyOrder, type OrderFilter } from '../../../../model/index.ts'
import type { WireOrder } from '../../../wire/index.ts'
import { defineMethod, type ReadRequest, type ReplyContext, unreadable, validRequest } from '../../method.ts'
import {
  anyInstrumentKind,
  instrumentName,
  kindsOf,
  label,
  orderIdIn,
  requestCurrency,
  unknownInstrument,
} from '../../params.ts'
import { namedOrder } from '../named-order.ts'
import { cancelledTypes, cancelType } from '../order-filter.ts'
import { orderReport, ownOrder } from '../order-reports.ts'

/** The number of cancelled orders, or with `detailed` the orders. */
export type CancelReport = number | readonly { readonly order: WireOrder }[]

const reporting = {
  detailed: z.boolean().default(false).describe('true to list the orders in the result'),
  freeze_quotes: z.boolean().default(false).describe('true to refuse new quotes for a second'),
}

const kind = anyInstrumentKind.optional()

/** The orders of an account that JSON-RPC sees, which excludes orders of direct access (sessions document 8.2). */
const jsonRpcOrders: OrderFilter = { ...anyOrder, origin: 'json_rpc' }

/** Cancels all orders of the account. */
const cancelAll = defineMethod({
  scope: 'trade:read_write',
  sessions: 'json_rpc',
  command: 'cancel_orders',
  charge: 'cancel_all',
  queue: 'withdrawal',
  params: z.object(reporting),
  read: (_context, params) => cancelling(jsonRpcOrders, params.freeze_quotes),
  reply: cancelReport,
})

/** Cancels the orders of one currency. */
const cancelAllByCurrency = defineMethod({
  scope: 'trade:read_write',
  sessions: 'json_rpc',
  command: 'cancel_orders',
  charge: 'trading',
  queue: 'cancel',
  params: z.object({ currency: requestCurrency, kind, type: cancelType, ...reporting }),
  read: (_context, params) => {
    const types = cancelledTypes(params.type)
    const currencies = [params.currency]
    return cancelling({ ...jsonRpcOrders, currencies, kinds: kindsOf(params.kind), types }, params.freeze_quotes)
  },
  reply: cancelReport,
})

/** Cancels the orders of one currency pair, given by its price index. */
const cancelAllByCurrencyPair = defineMethod({
  scope: 'trade:read_write',
  sessions: 'json_rpc',
  command: 'cancel_orders',
  charge: 'trading',
  queue: 'cancel',
  params: z.object({
    currency_pair: z.string().describe('a price index such as btc_usd'),
    kind,
    type: cancelType,
    ...reporting,
  }),
  read: (_context, params) => {
    const types = cancelledTypes(params.type)
    const pair = params.currency_pair
    return cancelling({ ...jsonRpcOrders, pair, kinds: kindsOf(params.kind), types }, params.freeze_quotes)
  },
  reply: cancelReport,
})

/** Cancels the orders of one instrument, and with `include_combos` those of combos with that leg. */
const cancelAllByInstrument = defineMethod({
  scope: 'trade:read_write',
  sessions: 'json_rpc',
  command: 'cancel_orders',
  charge: 'trading',
  queue: 'cancel',
  params: z.object({
    instrument_name: instrumentName,
    type: cancelType,
    include_combos: z.boolean().default(false).describe('true to include combos with the instrument as a leg'),
    ...reporting,
  }),
  read: (context, params) => {
    const instrument = findInstrument(context.exchange, params.instrument_name)
    if (instrument === undefined) {
      return { body: unreadable('cancel_orders'), fault: unknownInstrument }
    }
    const types = cancelledTypes(params.type)
    const includeCombos = params.include_combos
    return cancelling({ ...jsonRpcOrders, instrument: instrument.id, includeCombos, types }, params.freeze_quotes)
  },
  reply: cancelReport,
})

/** Cancels the orders of a kind or type, in one currency, in several or in any. */
const cancelAllByKindOrType = defineMethod({
  scope: 'trade:read_write',
  sessions: 'json_rpc',
  command: 'cancel_orders',
  queue: 'cancel',
  params: z.object({
    currency: z
      .union([z.enum([...requestCurrency.options, 'any']), z.array(requestCurrency).min(1)])
      .describe('one currency, several currencies, or any for all'),
    kind,
    type: cancelType,
    ...reporting,
  }),
  read: (_context, params) => {
    const types = cancelledTypes(params.type)
    const named = typeof params.currency === 'string' ? [params.currency] : params.currency
    const currencies = named.filter((each) => each !== 'any')
    const filter = { ...jsonRpcOrders, kinds: kindsOf(params.kind), types }
    return cancelling(params.currency === 'any' ? filter : { ...filter, currencies }, params.freeze_quotes)
  },
  reply: cancelReport,
})

/** Cancels the orders with a label; the result is their number. */
const cancelByLabel = defineMethod({
  scope: 'trade:read_write',
  sessions: 'json_rpc',
  command: 'cancel_orders',
  queue: 'withdrawal',
  params: z.object({ label: label.min(1), currency: requestCurrency.optional() }),
  read: (_context, params) => {
    const currencies = params.currency === undefined ? null : [params.currency]
    const filter: OrderFilter = { ...jsonRpcOrders, label: params.label, currencies }
    return validRequest({ kind: 'cancel_orders', filter, freezesQuotes: false })
  },
  reply: (context): number => context.count,
})

/** Cancels one order; the result is the cancelled order. */
const cancel = defineMethod({
  scope: 'trade:read_write',
  sessions: 'json_rpc',
  command: 'cancel_order',
  charge: 'trading',
  queue: 'cancel',
  params: z.object({ order_id: orderIdIn }),
  read: (context, params) => {
    const { order, fault } = namedOrder(context, params.order_id)
    return { body: { kind: 'cancel_order', order }, fault }
  },
  reply: (context): WireOrder => orderReport(context, ownOrder(context)),
})

/**
 * private/cancel_all, its forms by currency, currency pair, instrument and kind or type, and cancel_by_label. They
 * cancel orders in the order of creation and return their number, or with `detailed` the orders.
 *
 * Source: trading.md 4.5 (C12); S242-S244; coverage R43, R46, R69.
 */

function cancelling(filter: OrderFilter, freeze_quotes: boolean): ReadRequest {
  return validRequest({ kind: 'cancel_orders', filter, freezesQuotes: freeze_quotes })
}

/** The number of cancelled orders, or the orders. */
export function cancelReport(context: ReplyContext, { detailed }: { readonly detailed: boolean }): CancelReport {
  if (!detailed) return context.count
  return context.cancelled.map((event) => ({ order: orderReport(context, event) }))
}

/** Methods by their names; a part of the table. */
export const cancelMethods = {
  'private/cancel': cancel,
  'private/cancel_all': cancelAll,
  'private/cancel_all_by_currency': cancelAllByCurrency,
  'private/cancel_all_by_currency_pair': cancelAllByCurrencyPair,
  'private/cancel_all_by_instrument': cancelAllByInstrument,
  'private/cancel_all_by_kind_or_type': cancelAllByKindOrType,
  'private/cancel_by_label': cancelByLabel,
} as const
