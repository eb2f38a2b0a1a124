/**
 * Orders and their trades as replies show them: of placing and editing the order as it is when the
 * request is complete, and the trades it made on entry, in match order.
 * Source: trading.md 4.1, 4.2; coverage R51.
 */
import { defined, type InstrumentId } from '../../../core/index.ts'
import { allInstruments, type OrderView } from '../../../engine/index.ts'
import type { Instrument, OrderChanged, Trade } from '../../../model/index.ts'
import { isPairPrimary, type UserTrade } from '../../history/index.ts'
import type { ReadContext, ReplyContext } from '../../method.ts'
import { factsOfView, listedOrderOut, orderOut, type WireOrder } from '../../wire/orders.ts'
import { userTradeOut, type WireUserTrade } from '../../wire/trades.ts'

/** Result of buy, sell, edit and close_position. */
export interface OrderResult {
  readonly order: WireOrder
  /** Of the request's own order alone. */
  readonly trades: readonly WireUserTrade[]
}

/** The result from the last event of the request's own order and from its trades. */
export function orderResult(context: ReplyContext): OrderResult {
  const order = ownOrder(context)
  const instrument = instrumentOf(context, order.instrument)
  return {
    order: orderOut(order, instrument, isPairPrimary(context.history, order)),
    trades: context.trades.map((trade) =>
      userTradeOut(trade, ownFill(trade, order), { order, instrument }),
    ),
  }
}

/** The order of a request that placed, changed or cancelled one. */
export function ownOrder(context: ReplyContext): OrderChanged {
  return defined(context.order, 'a request that placed or changed an order has met it')
}

/** An order as an event of it tells. */
export function orderReport(context: ReadContext, event: OrderChanged): WireOrder {
  const otoco = isPairPrimary(context.history, event)
  return orderOut(event, instrumentOf(context, event.instrument), otoco)
}

/** A live order as it is now. */
export function liveOrderReport(context: ReadContext, view: OrderView): WireOrder {
  return orderOut(factsOfView(view), view.instrument, isPairPrimary(context.history, view))
}

/** A live order in a list of open orders. */
export function listedOrderReport(context: ReadContext, view: OrderView): WireOrder {
  return listedOrderOut(factsOfView(view), view.instrument, isPairPrimary(context.history, view))
}

/** A recorded trade of an account. */
export function tradeReport(context: ReadContext, record: UserTrade): WireUserTrade {
  const instrument = instrumentOf(context, record.trade.instrument)
  return userTradeOut(record.trade, record.fill, { order: record.order, instrument })
}

/** A listed instrument by its id. */
export function instrumentOf({ exchange }: ReadContext, id: InstrumentId): Instrument {
  return defined(allInstruments(exchange)[id], 'what happens is of a listed instrument')
}

/** As a rule the taker's; with self-match switched off a linked order can take its partner. */
function ownFill({ maker, taker }: Trade, order: OrderChanged): Trade['taker'] {
  return taker.order === order.order ? taker : maker
}
