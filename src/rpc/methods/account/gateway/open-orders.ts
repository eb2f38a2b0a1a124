/**
 * private/get_open_orders over the REST interface of a gateway: resting orders of the portfolio in books of the
 * alternative engine, from any of its sessions. Quotes and orders behind the speed bump are not listed.
 *
 * Sizes are in base units, as the document says for all instruments.
 *
 * Assumed: sizes of an inverse order, which are USD elsewhere, are divided by its limit price, which gives its size in
 * coin when it trades. The filled size is converted at the same price, so that it never exceeds the whole.
 *
 * Source: sessions document 8.15; S314.
 */
import { type Amount, amount, type Lots, scaledToNumber } from '../../../../core/index.ts'
import { type OrderView, openOrders } from '../../../../engine/index.ts'
import { anyOrder, coinSize9, originOf, type Side, type TimeInForce } from '../../../../model/index.ts'
import { tradesOfOrder } from '../../../history/index.ts'
import { moneyOut, priceOut, timeOut } from '../../../wire/index.ts'
import { asker, type ReplyContext } from '../../method.ts'

/** An order in a gateway's list. */
export interface GatewayOrder {
  readonly order_id: string
  readonly instrument_name: string
  readonly side: Side
  readonly price: number
  readonly amount: number
  readonly filled_amount: number
  readonly average_price: number
  readonly order_state: 'open'
  readonly order_type: 'limit'
  readonly time_in_force: 'GTC' | 'IOC' | 'FOK' | 'GTD'
  readonly post_only: boolean
  readonly reduce_only: boolean
  readonly creation_timestamp: number
  readonly last_update_timestamp: number
  readonly label: string
  readonly api: boolean
  readonly max_show: number
  readonly profit_loss: number
  readonly commission: number
}

const NANO_SCALE = 9

const times: { readonly [T in TimeInForce]: GatewayOrder['time_in_force'] } = {
  good_til_cancelled: 'GTC',
  good_til_day: 'GTD',
  fill_or_kill: 'FOK',
  immediate_or_cancel: 'IOC',
}

/** The orders of the requesting portfolio, in the order of creation. */
export function gatewayOrders(context: ReplyContext): readonly GatewayOrder[] {
  return openOrders(context.exchange, asker(context), { ...anyOrder, types: 'in_book' })
    .filter(({ order, instrument, rested }) => {
      const isQuote = order.extras?.quote != null
      return instrument.engine === 'alt' && rested && !isQuote
    })
    .map((view) => orderOut(context, view))
}

function orderOut(context: ReplyContext, view: OrderView): GatewayOrder {
  const { order, instrument, createdAt } = view
  const trades = tradesOfOrder(context.history, {
    account: asker(context),
    order: order.id,
    createdAt,
  })
  const coins = (size: Lots): number => scaledToNumber(coinSize9(instrument, size, view.price), NANO_SCALE)
  return {
    order_id: `${order.id}`,
    instrument_name: instrument.name,
    side: order.side,
    price: priceOut(view.price),
    amount: coins(order.amount),
    filled_amount: coins(view.filled),
    average_price: priceOut(view.averagePrice),
    order_state: 'open',
    order_type: 'limit',
    time_in_force: times[order.timeInForce],
    post_only: order.postOnly !== 'off',
    reduce_only: order.reduceOnly,
    creation_timestamp: timeOut(createdAt),
    last_update_timestamp: timeOut(view.updatedAt),
    label: order.label,
    api: originOf(order) !== 'system',
    max_show: coins(order.display > 0 ? order.display : order.amount),
    profit_loss: moneyOut(sumOf(trades.map(({ fill }) => fill.realized))),
    commission: moneyOut(sumOf(trades.map(({ fill }) => fill.fee))),
  }
}

function sumOf(amounts: readonly Amount[]): Amount {
  return amount(amounts.reduce<bigint>((sum, each) => sum + each, 0n))
}
