/**
 * Order and trade ids: one counter per settlement currency, from 1, without gaps (R08).
 *
 * Inside the engine an id is (number * 8 + form) * 16 + currency. It is unique in a run, rises within its currency, and
 * its form determines the text on the wire: trigger orders and dormant secondaries have separate forms (C02). The wire
 * shows prefix, form and number; see `rpc`.
 */
import {
  type CurrencyId,
  currencyId,
  divFloor,
  modFloor,
  type OrderId,
  orderId,
  type TradeId,
  tradeId,
} from '../core/index.ts'
import { CURRENCY_SLOTS } from './words/currencies.ts'

/**
 * Forms of order ids: ordinary ones, trigger orders by source and side, dormant secondaries. The
 * position of a form is its code.
 */
export const orderForms = [
  'ordinary',
  'index_price_buy',
  'index_price_sell',
  'mark_price_buy',
  'mark_price_sell',
  'last_price_buy',
  'last_price_sell',
  'secondary',
] as const
export type OrderForm = (typeof orderForms)[number]

const FORM_SLOTS = 8
const SLOTS = CURRENCY_SLOTS * FORM_SLOTS

/** Placeholder for the order of the recorded market, which has no id. */
export const NO_ORDER: OrderId = orderId(0)

/** The id of the `number`-th order settled in a currency. */
export function makeOrderId(currency: CurrencyId, number: number, form: OrderForm): OrderId {
  return orderId((number * FORM_SLOTS + orderForms.indexOf(form)) * CURRENCY_SLOTS + currency)
}

/** The trade id of the `number`-th trade settled in a currency. */
export function makeTradeId(currency: CurrencyId, number: number): TradeId {
  return tradeId(number * SLOTS + currency)
}

/** The number of an order or trade within its settlement currency. */
export function numberOfId(id: OrderId | TradeId): number {
  return divFloor(id, SLOTS)
}

/** The settlement currency of an order or trade. */
export function currencyOfId(id: OrderId | TradeId): CurrencyId {
  return currencyId(modFloor(id, CURRENCY_SLOTS))
}

/** The form of an order's id. */
export function formOfId(id: OrderId): OrderForm {
  return orderForms[divFloor(modFloor(id, SLOTS), CURRENCY_SLOTS)] ?? 'ordinary'
}
