/**
 * private/get_open_orders and its forms by currency, instrument and label: live orders of the account, including
 * waiting ones, in the order of creation.
 *
 * Source: trading.md 4.7 (C14); S237-S241; coverage R43, R51.
 */
import { z } from '../../../../core/index.ts'
import { findInstrument, seenOrders } from '../../../../engine/index.ts'
import { anyOrder, type OrderFilter } from '../../../../model/index.ts'
import type { WireOrder } from '../../../wire/index.ts'
import { asker, defineMethod, queryOf, type ReplyContext } from '../../method.ts'
import { instrumentKind, instrumentName, kindsOf, label, requestCurrency, unknownInstrument } from '../../params.ts'
import { listedTypes, listType } from '../order-filter.ts'
import { listedOrderReport } from '../order-reports.ts'

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
export const openOrderMethods = {
  'private/get_open_orders': getOpenOrders,
  'private/get_open_orders_by_currency': getOpenOrdersByCurrency,
  'private/get_open_orders_by_instrument': getOpenOrdersByInstrument,
  'private/get_open_orders_by_label': getOpenOrdersByLabel,
} as const
