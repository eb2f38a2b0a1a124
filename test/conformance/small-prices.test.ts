/**
 * Prices of contracts whose tick is finer than the usual precision of marks: marks, means, delivery and liquidation
 * prices follow the tick.
 *
 * Source: market.md 3.1, 3.2, 3.5, 7.
 */
import { expect, test } from 'vitest'
import { type DeskMarket, deskMarket, type Json } from '../support/desk-market.ts'

/** The venue opens at 09:00. */
const MILLIS = 1_767_603_600_000
const price = 0.000012345
const name = 'TRX_USDC-PERPETUAL'
const future = 'TRX_USDC-6JAN26'
const option = 'TRX_USDC-6JAN26-0d00001-C'

/** A venue with nine decimals, with two accounts. */
function smallMarket(): DeskMarket {
  const accounts = { alice: { USDC: 10_000 }, bob: { USDC: 10_000 } }
  const m = deskMarket({ instruments: [], index: {}, accounts })
  for (const instrument_name of [name, future, option]) {
    m.result(null, 'sim/list_instrument', {
      instrument_name,
      ...{ tick_size: '0.000000001', speed_bump_ms: 0 },
    })
  }
  m.result(null, 'sim/set_index', { index_name: 'trx_usdc', price })
  return m
}

test('d18 rule prices.precision: marks, bands and averages have the decimals of the tick', () => {
  const m = smallMarket()
  const ticker = (instrument_name: string): Json => m.result(null, 'public/ticker', { instrument_name })
  expect(ticker(name)).toMatchObject({
    mark_price: price,
    min_price: 0.000012036,
    max_price: 0.000012654,
  })
  expect(ticker(future).mark_price).toBe(price)
  // The intrinsic value is 0.000002345, with hardly any time value.
  expect(ticker(option).mark_price).toBeCloseTo(0.000002345, 8)
  const trade = (at: number, amount: number): void => {
    const order = { instrument_name: name, amount, price: at }
    m.result('alice', 'private/sell', order)
    m.result('bob', 'private/buy', order)
  }
  trade(0.000012345, 100_000)
  trade(0.000012348, 200_000)
  const position = m.result('bob', 'private/get_position', { instrument_name: name })
  expect(position).toMatchObject({ average_price: 0.000012347, mark_price: price })
})

test('d18 the premium of a small price converges to its book', () => {
  const m = smallMarket()
  for (const [side, at] of [
    ['buy', 0.000012349],
    ['sell', 0.000012353],
  ] as const) {
    m.result('alice', `private/${side}`, { instrument_name: name, amount: 10_000_000, price: at })
  }
  m.result(null, 'sim/advance', { to: MILLIS + 180_000 })
  expect(m.result(null, 'public/ticker', { instrument_name: name }).mark_price).toBe(0.000012351)
})

test('d18 an index of constituents, its chart and its delivery price have the decimals of the tick', () => {
  const m = smallMarket()
  const constituents = [
    { price: 0.000012344, weight: 1 },
    { price: 0.000012348, weight: 1 },
  ]
  m.result(null, 'sim/set_index', { index_name: 'trx_usdc', constituents })
  expect(m.result(null, 'public/get_index_price', { index_name: 'trx_usdc' })).toEqual({
    index_price: 0.000012346,
    estimated_delivery_price: 0.000012346,
  })
  m.result(null, 'sim/advance', { to: MILLIS + 82_801_000 })
  const chart = m.result(null, 'public/get_index_chart_data', {
    index_name: 'trx_usdc',
    range: '1h',
  })
  expect(chart.at(-1)[1]).toBe(0.000012346)
  expect(m.result(null, 'public/get_delivery_prices', { index_name: 'trx_usdc' }).data).toMatchObject([
    { delivery_price: 0.000012346 },
  ])
  expect(m.result(null, 'public/ticker', { instrument_name: future }).delivery_price).toBe(0.000012346)
})

test('d18 a liquidation price has the decimals of the tick', () => {
  const m = smallMarket()
  const order = { instrument_name: name, amount: 100_000_000, price }
  m.result('alice', 'private/sell', order)
  m.result('bob', 'private/buy', order)
  expect(m.result('alice', 'private/get_position', order)).toMatchObject({
    estimated_liquidation_price: 0.000110136,
  })
})
