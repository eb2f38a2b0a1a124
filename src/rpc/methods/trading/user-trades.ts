/**
 * private/get_user_trades_by_order and _by_instrument. Source: trading.md 4.8 (C15), 5.2; R35, R38.
 *
 * `historical` false answers from the last 24 hours, true from what is older; the two never overlap
 * and never miss, and trades of the second have the state `archive` (S053).
 */
import { z } from 'zod'
import { defined, MICROS_PER_DAY } from '../../../core/index.ts'
import { allInstruments, findInstrument } from '../../../engine/index.ts'
import { type Fault, validationStep } from '../../../model/index.ts'
import { tradesOfOrder, type UserTrade } from '../../history.ts'
import { defineMethod, queryOf, type ReplyContext } from '../../method.ts'
import { count, instrumentName, sorting, timestamp } from '../../params.ts'
import { selectTrades, tradeRangeFault } from '../../trade-range.ts'
import { userTradeOut, type WireUserTrade } from '../../wire/orders.ts'
import { asker, namedOrder, orderFault } from './orders.ts'

/** The trades of one order as a bare list. */
export const getUserTradesByOrder = defineMethod({
  kind: 'query',
  params: z.object({ order_id: z.string(), sorting, historical: z.boolean().default(false) }),
  read: (context, params) => queryOf(orderFault(context, params.order_id)),
  reply: (context, params): readonly WireUserTrade[] => {
    const { order, view } = namedOrder(context, params.order_id)
    const known = view ?? context.history.orders.get(order)
    const { createdAt } = defined(known, 'the order was found when the request was read')
    const of = { account: asker(context), order, createdAt }
    const records = tradesOfOrder(context.history, of).filter(inStore(context, params))
    const sorted = params.sorting === 'asc' ? records : records.toReversed()
    return sorted.map((record) => recordOut(context, record, params.historical))
  },
})

/** The account's trades in one instrument. */
export const getUserTradesByInstrument = defineMethod({
  kind: 'query',
  params: z.object({
    instrument_name: instrumentName,
    start_seq: z.int().min(0).optional(),
    end_seq: z.int().min(0).optional(),
    start_timestamp: timestamp.optional(),
    end_timestamp: timestamp.optional(),
    count: count(10),
    sorting,
    historical: z.boolean().default(false),
    include_old: z.boolean().optional(),
  }),
  read: (context, params) => {
    const listed = findInstrument(context.exchange, params.instrument_name) !== undefined
    const missing: Fault = { step: validationStep.instrument, refusal: { reason: 'not_found' } }
    return queryOf(tradeRangeFault(params) ?? (listed ? null : missing))
  },
  reply: (
    context,
    params,
  ): { readonly trades: readonly WireUserTrade[]; readonly has_more: boolean } => {
    const instrument = defined(
      findInstrument(context.exchange, params.instrument_name),
      'the instrument was found when the request was read',
    )
    const records = context.history.userTrades.get(asker(context)) ?? []
    const own = records
      .filter(({ trade }) => trade.instrument === instrument.id)
      .filter(inStore(context, params))
    const { selected, hasMore } = selectTrades(own, ({ trade }) => trade, params)
    return {
      trades: selected.map((record) => recordOut(context, record, params.historical)),
      has_more: hasMore,
    }
  },
})

/** Whether a record is in the store that is asked for: the last 24 hours, or all before. */
function inStore(
  context: ReplyContext,
  params: { readonly historical: boolean },
): (record: UserTrade) => boolean {
  const from = context.exchange.now - MICROS_PER_DAY
  return ({ trade }) => trade.time <= from === params.historical
}

function recordOut(context: ReplyContext, record: UserTrade, historical: boolean): WireUserTrade {
  const listed = allInstruments(context.exchange)[record.trade.instrument]
  const out = userTradeOut(record.trade, record.fill, {
    order: record.order,
    instrument: defined(listed, 'a trade is of a listed instrument'),
  })
  return historical ? { ...out, state: 'archive' } : out
}
