/**
 * private/get_user_trades_by_order, _by_instrument and _by_currency, and the last two by time.
 *
 * With `historical` false a reply covers the last 24 hours, with true the time before. The two neither overlap nor
 * leave a gap, and trades of the second have the state `archive` (S053). A main account may ask for the trades of a
 * subaccount, by the number that the account summary shows.
 * Source: trading.md 4.8 (C15), 5.2; coverage R35, R38, R43.
 */
import { defined, MICROS_PER_DAY, micros, millisOf, z } from '../../../../core/index.ts'
import { findInstrument, timeOf } from '../../../../engine/index.ts'
import type { Instrument } from '../../../../model/index.ts'
import { rowsOf, type Truncation, tradesOfOrder, truncation, type UserTrade, whole } from '../../../history/index.ts'
import type { WireUserTrade } from '../../../wire/index.ts'
import { ownerFault, ownerOfRecords, subaccountId } from '../../account/owner.ts'
import { belongsTo } from '../../market/instruments.ts'
import { defineMethod, queryOf, type ReadContext, type ReplyContext } from '../../method.ts'
import {
  anyInstrumentKind,
  count,
  earlier,
  instrumentName,
  kindsOf,
  orderIdIn,
  requestCurrency,
  sorting,
  timestamp,
  unknownInstrument,
} from '../../params.ts'
import { selectTrades, type TradeRange, tradeRangeFault } from '../../trade-range.ts'
import { orderFault, viewNamed } from '../named-order.ts'
import { listedInstrument, tradeReport } from '../order-reports.ts'

/** A page of an account's trades. */
export interface UserTradePage extends Truncation {
  readonly trades: readonly WireUserTrade[]
  /** True if more trades match than were returned. */
  readonly has_more: boolean
}

const storeParams = {
  historical: z.boolean().default(false).describe('true to return older records instead of recent ones'),
  subaccount_id: subaccountId,
}

const pageParams = { count: count(10), sorting, ...storeParams }

const anyTime = { start_timestamp: timestamp.optional(), end_timestamp: timestamp.optional() }
const bothTimes = { start_timestamp: timestamp, end_timestamp: timestamp }
const currencyParams = { currency: requestCurrency, kind: anyInstrumentKind.optional() }

/** The trades of one order, as a list. */
const getUserTradesByOrder = defineMethod({
  scope: 'trade:read',
  sessions: 'json_rpc',
  command: 'query',
  params: z.object({ order_id: orderIdIn, sorting, ...storeParams }),
  read: (context, params) => {
    const forbidden = ownerFault(context, params.subaccount_id)
    const owner = forbidden === null ? ownerOfRecords(context, params.subaccount_id) : -1
    return queryOf(earlier(forbidden, orderFault(context, params.order_id, owner)))
  },
  reply: (context, params): readonly WireUserTrade[] => {
    const { order, view } = viewNamed(context, params.order_id)
    const known = view ?? context.history.orders.get(order)
    const { createdAt } = defined(known, 'the order exists')
    const owner = ownerOfRecords(context, params.subaccount_id)
    const records = tradesOfOrder(context.history, owner, order, createdAt).filter(inStore(context, params.historical))
    const sorted = params.sorting === 'asc' ? records : records.toReversed()
    return sorted.map((record) => recordOut(context, record, params.historical))
  },
})

/** The account's trades in one instrument. */
const getUserTradesByInstrument = defineMethod({
  scope: 'trade:read',
  sessions: 'json_rpc',
  command: 'query',
  params: z.object({
    instrument_name: instrumentName,
    start_seq: z.int().min(0).optional().describe('first sequence number to return'),
    end_seq: z.int().min(0).optional().describe('last sequence number to return'),
    ...anyTime,
    ...pageParams,
    include_old: z.boolean().optional().describe('accepted, without effect'),
  }),
  read: readByInstrument,
  reply: replyByInstrument,
})

/** The account's trades in one instrument between two times. */
const getUserTradesByInstrumentAndTime = defineMethod({
  scope: 'trade:read',
  sessions: 'json_rpc',
  command: 'query',
  params: z.object({ instrument_name: instrumentName, ...bothTimes, ...pageParams }),
  read: readByInstrument,
  reply: replyByInstrument,
})

/** The account's trades of one currency. */
const getUserTradesByCurrency = defineMethod({
  scope: 'trade:read',
  sessions: 'json_rpc',
  command: 'query',
  params: z.object({
    ...currencyParams,
    start_id: z.string().optional().describe('first trade id to return'),
    end_id: z.string().optional().describe('last trade id to return'),
    ...anyTime,
    ...pageParams,
  }),
  read: readByCurrency,
  reply: replyByCurrency,
})

/** The account's trades of one currency between two times. */
const getUserTradesByCurrencyAndTime = defineMethod({
  scope: 'trade:read',
  sessions: 'json_rpc',
  command: 'query',
  params: z.object({ ...currencyParams, ...bothTimes, ...pageParams }),
  read: readByCurrency,
  reply: replyByCurrency,
})

type Range = TradeRange & { readonly historical: boolean; readonly subaccount_id?: number | undefined }
type InstrumentRange = Range & { readonly instrument_name: string }
type CurrencyRange = Range & {
  readonly currency: z.output<typeof requestCurrency>
  readonly kind?: z.output<typeof anyInstrumentKind> | undefined
}

function readByInstrument(context: ReadContext, params: InstrumentRange): ReturnType<typeof queryOf> {
  const listed = findInstrument(context.exchange, params.instrument_name) !== undefined
  const fault = earlier(ownerFault(context, params.subaccount_id), tradeRangeFault(params))
  return queryOf(earlier(fault, listed ? null : unknownInstrument))
}

function replyByInstrument(context: ReplyContext, params: InstrumentRange): UserTradePage {
  return pageOf(context, params, ({ name }) => name === params.instrument_name)
}

function readByCurrency(context: ReadContext, params: CurrencyRange): ReturnType<typeof queryOf> {
  return queryOf(earlier(ownerFault(context, params.subaccount_id), tradeRangeFault(params)))
}

function replyByCurrency(context: ReplyContext, params: CurrencyRange): UserTradePage {
  const kinds = kindsOf(params.kind)
  return pageOf(
    context,
    params,
    (instrument) => belongsTo(instrument, params.currency) && (kinds?.includes(instrument.kind) ?? true),
  )
}

function pageOf(context: ReplyContext, params: Range, isMeant: (instrument: Instrument) => boolean): UserTradePage {
  const owner = ownerOfRecords(context, params.subaccount_id)
  const records = rowsOf(context.history.userTrades, owner)
  const meant = records
    .filter(inStore(context, params.historical))
    .filter(({ trade }) => isMeant(listedInstrument(context, trade.instrument)))
  const { selected, hasMore } = selectTrades(meant, ({ trade }) => trade, params)
  return {
    trades: selected.map((record) => recordOut(context, record, params.historical)),
    has_more: hasMore,
    ...(context.history.userTrades.cut.has(owner) ? missing(context, records, params) : whole),
  }
}

/**
 * The note of a page of an account whose oldest trades were dropped: the time from which its trades in all instruments
 * are complete. The store of the last 24 hours needs nothing older.
 */
function missing(
  context: ReplyContext,
  [first]: readonly UserTrade[],
  { historical, start_timestamp: start }: Range,
): Truncation {
  const recent = historical ? Number.NEGATIVE_INFINITY : millisOf(micros(timeOf(context.exchange) - MICROS_PER_DAY))
  return truncation(first?.trade, Math.max(recent, start ?? Number.NEGATIVE_INFINITY))
}

/** True if a record is in the requested store: the last 24 hours, or the time before. */
function inStore(context: ReplyContext, historical: boolean): (record: UserTrade) => boolean {
  const from = timeOf(context.exchange) - MICROS_PER_DAY
  return ({ trade }) => trade.time <= from === historical
}

function recordOut(context: ReplyContext, record: UserTrade, historical: boolean): WireUserTrade {
  const out = tradeReport(context, record)
  return historical ? { ...out, state: 'archive' } : out
}

/** Methods by their names; a part of the table. */
export const userTradeMethods = {
  'private/get_user_trades_by_order': getUserTradesByOrder,
  'private/get_user_trades_by_instrument': getUserTradesByInstrument,
  'private/get_user_trades_by_instrument_and_time': getUserTradesByInstrumentAndTime,
  'private/get_user_trades_by_currency': getUserTradesByCurrency,
  'private/get_user_trades_by_currency_and_time': getUserTradesByCurrencyAndTime,
} as const
