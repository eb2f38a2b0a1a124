/** Ids of orders and trades: the facts in an id, that forms keep them apart, and that they rise by number. */
import fc from 'fast-check'
import { expect, test } from 'vitest'
import {
  currencies,
  currencyIdOf,
  currencyOfId,
  formOfId,
  makeOrderId,
  makeTradeId,
  NO_ORDER,
  numberOfId,
  type OrderForm,
  orderForms,
} from '../../../src/model/index.ts'

/** Ids of one form and number differ by their currency alone. */
const currenciesPerForm = 16

const orders = fc.record({
  currency: fc.constantFrom(...currencies).map(currencyIdOf),
  // The largest number in a wire id.
  number: fc.integer({ min: 1, max: 10 ** 13 }),
  form: fc.constantFrom(...orderForms),
})

test('an order id holds its number, its currency and its form', () => {
  fc.assert(
    fc.property(orders, ({ currency, number, form }) => {
      const id = makeOrderId(currency, number, form)
      expect([numberOfId(id), currencyOfId(id), formOfId(id)]).toEqual([number, currency, form])
      expect(id).not.toBe(NO_ORDER)
    }),
  )
})

test('a trade id holds its number and its currency', () => {
  fc.assert(
    fc.property(orders, ({ currency, number }) => {
      const id = makeTradeId(currency, number)
      expect([numberOfId(id), currencyOfId(id)]).toEqual([number, currency])
    }),
  )
})

test('ids rise with the number, whatever the form', () => {
  fc.assert(
    fc.property(orders, fc.constantFrom(...orderForms), ({ currency, number, form }, next) => {
      expect(makeOrderId(currency, number + 1, next)).toBeGreaterThan(makeOrderId(currency, number, form))
    }),
  )
})

test('the code of each form equals that in ids of finished runs', () => {
  const btc = currencyIdOf('BTC')
  const codes = new Map<OrderForm, number>(
    orderForms.map((form) => [form, (makeOrderId(btc, 0, form) - btc) / currenciesPerForm]),
  )
  expect([...codes]).toEqual([
    ['ordinary', 0],
    ['index_price_buy', 1],
    ['index_price_sell', 2],
    ['mark_price_buy', 3],
    ['mark_price_sell', 4],
    ['last_price_buy', 5],
    ['last_price_sell', 6],
    ['secondary', 7],
  ])
})
