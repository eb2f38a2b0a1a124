/**
 * The result of placing and editing: the order as it is when the request is complete, and the
 * trades it made on entry, in match order. Source: trading.md 4.1, 4.2.
 */
import { defined } from '../../../core/index.ts'
import { allInstruments } from '../../../engine/index.ts'
import type { Instrument } from '../../../model/index.ts'
import type { ReplyContext } from '../../method.ts'
import { orderOut, userTradeOut, type WireOrder, type WireUserTrade } from '../../wire/orders.ts'

/** Result of buy, sell and edit. */
export interface OrderResult {
  readonly order: WireOrder
  readonly trades: readonly WireUserTrade[]
}

/** The result from the order's last event and the request's trades. */
export function orderResult(context: ReplyContext): OrderResult {
  const id = defined(context.order, 'a request that placed or changed an order names it')
  const event = defined(context.history.orders.get(id), 'history knows the order of this request')
  const instrument = instrumentOf(context, event.instrument)
  return {
    order: orderOut(event, instrument),
    trades: context.trades.map((trade) =>
      userTradeOut(trade, trade.taker, { order: event, instrument }),
    ),
  }
}

/** A listed instrument by its id. */
function instrumentOf(context: ReplyContext, id: number): Instrument {
  return defined(allInstruments(context.exchange)[id], 'an order is of a listed instrument')
}
