/**
 * Orders and their trades in replies. The reply to a placement or an edit has the order at the time when the request is
 * complete, and the trades that it made on entry, in match order. Source: trading.md 4.1, 4.2; coverage R51.
 */
import { defined, type InstrumentId } from '../../../core/index.ts'
import { instrumentAt, type OrderView } from '../../../engine/index.ts'
import type { Instrument, OrderChanged, Trade } from '../../../model/index.ts'
import { isOtocoPrimary, type UserTrade } from '../../history/index.ts'
import {
  factsOfView,
  listedOrderOut,
  orderOut,
  placesOf,
  type SecondariesNow,
  secondariesNow,
  userTradeOut,
  type WireOrder,
  type WireUserTrade,
} from '../../wire/index.ts'
import type { ReadContext, ReplyContext } from '../method.ts'

/** Result of buy, sell, edit and close_position. */
export interface OrderResult {
  readonly order: WireOrder
  /** Only trades of the requested order. */
  readonly trades: readonly WireUserTrade[]
}

/** The result from the last event of the request's own order and from its trades. */
export function orderResult(context: ReplyContext): OrderResult {
  const order = ownOrder(context)
  const instrument = listedInstrument(context, order.instrument)
  return {
    order: orderOut(order, instrument, secondariesIn(context, order)),
    trades: ownTrades(context).map((trade) =>
      userTradeOut(trade, ownFill(trade, order), order, placesOf(context.exchange, context.history)),
    ),
  }
}

/** The order that a request placed, changed or cancelled. */
export function ownOrder(context: ReplyContext): OrderChanged {
  return defined(context.order, 'the request placed or changed the order')
}

/** An order after an event, as JSON. */
export function orderReport(context: ReadContext, event: OrderChanged): WireOrder {
  const secondaries = secondariesIn(context, event)
  return orderOut(event, listedInstrument(context, event.instrument), secondaries)
}

/** The current state of a live order, as JSON. */
export function liveOrderReport(context: ReadContext, view: OrderView): WireOrder {
  return orderOut(factsOfView(view), view.instrument, secondariesIn(context, view))
}

/** A live order in a list of open orders. */
export function listedOrderReport(context: ReadContext, view: OrderView): WireOrder {
  return listedOrderOut(factsOfView(view), view.instrument, secondariesIn(context, view))
}

/** The secondaries of an order at the time of the report. */
function secondariesIn(context: ReadContext, order: Pick<OrderChanged, 'links'>): SecondariesNow {
  return secondariesNow(context.exchange, order, isOtocoPrimary(context.history, order))
}

/** A recorded trade of an account. */
export function tradeReport(context: ReadContext, record: UserTrade): WireUserTrade {
  const places = placesOf(context.exchange, context.history)
  return userTradeOut(record.trade, record.fill, record.order, places, record.allocations)
}

/** A listed instrument by its id. */
export function listedInstrument(context: ReadContext, id: InstrumentId): Instrument {
  return instrumentAt(context.exchange, id)
}

/**
 * The trades of the request's own order, without the legs of combo trades. A combo trade lists its legs, which belong
 * to the same order but are no part of its size.
 */
function ownTrades(context: ReplyContext): readonly Trade[] {
  return context.trades.filter(({ combo }) => combo === null)
}

/**
 * The fill of the order: usually the taker's, but without self-match prevention a linked order can trade with its
 * partner.
 */
function ownFill({ maker, taker }: Trade, order: OrderChanged): Trade['taker'] {
  return taker.order === order.order ? taker : maker
}
