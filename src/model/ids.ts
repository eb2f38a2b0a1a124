/**
 * Order and trade ids: one counter per settlement currency, from 1, without gaps (R08).
 *
 * Inside the engine an id is number * 16 + currency, so that it is unique in a run, rises within
 * its currency, and stays a small integer. The wire shows a prefix and the number; see `rpc`.
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
import { CURRENCY_SLOTS } from './currency.ts'

/** The order of the recorded market, which has none. */
export const NO_ORDER: OrderId = orderId(0)

/** The order id of the `number`-th order settled in a currency. */
export function makeOrderId(currency: CurrencyId, number: number): OrderId {
  return orderId(number * CURRENCY_SLOTS + currency)
}

/** The trade id of the `number`-th trade settled in a currency. */
export function makeTradeId(currency: CurrencyId, number: number): TradeId {
  return tradeId(number * CURRENCY_SLOTS + currency)
}

/** The number of an order or trade within its settlement currency. */
export function numberOfId(id: OrderId | TradeId): number {
  return divFloor(id, CURRENCY_SLOTS)
}

/** The settlement currency of an order or trade. */
export function currencyOfId(id: OrderId | TradeId): CurrencyId {
  return currencyId(modFloor(id, CURRENCY_SLOTS))
}
