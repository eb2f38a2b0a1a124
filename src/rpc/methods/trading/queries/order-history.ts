/**
 * private/get_order_history_by_currency and _by_instrument: ended orders, newest first.
 *
 * Without `include_unfilled` the list has only orders with a fill. With `historical` false it covers the last 30
 * minutes, with true the time before, and with `include_old` both (C15).
 * Source: trading.md 4.8 (C15); coverage R38, R43.
 */
import { z } from '../../../../core/index.ts'
import { findInstrument } from '../../../../engine/index.ts'
import type { Instrument } from '../../../../model/index.ts'
import { endedOrdersOf, ordersTruncation, type Truncation } from '../../../history/index.ts'
import type { WireOrder } from '../../../wire/index.ts'
import { belongsTo } from '../../market/instruments.ts'
import { asker, defineMethod, queryOf, type ReplyContext } from '../../method.ts'
import {
  anyInstrumentKind,
  count,
  earlier,
  instrumentName,
  kindsOf,
  requestCurrency,
  unknownInstrument,
} from '../../params.ts'
import { listedInstrument, orderReport } from '../order-reports.ts'
import { continuationFault, isRecent, newestFirst, pageNewestFirst } from './order-pages.ts'

/** A page of orders; with `with_continuation` also the continuation of the list. */
export type OrderHistory =
  | readonly WireOrder[]
  | ({ readonly orders: readonly WireOrder[]; readonly continuation: string } & Truncation)

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

/** Methods by their names; a part of the table. */
export const orderHistoryMethods = {
  'private/get_order_history_by_currency': getOrderHistoryByCurrency,
  'private/get_order_history_by_instrument': getOrderHistoryByInstrument,
} as const
