/**
 * Orders and trades of options in requests and replies: prices in USD and in volatility, and fields that only their
 * trades have. Source: trading.md 5.1, 5.2, 6.12; coverage R50.
 */
import { describe, expect, test } from 'vitest'
import { type DeskMarket, deskMarket, type Json } from '../support/desk-market.ts'

const call = { instrument_name: 'BTC-27MAR26-60000-C' }
const perpetual = { instrument_name: 'BTC-PERPETUAL' }

function market(): DeskMarket {
  return deskMarket({ instruments: ['BTC-PERPETUAL', 'BTC-27MAR26-60000-C'] })
}

describe('advanced orders in requests and replies', () => {
  test('S080 S102 an order in USD shows its value, an order in volatility its percentage', () => {
    const m = market()
    const usd = { ...call, amount: 0.1, price: 1250.5, advanced: 'usd' }
    const { order } = m.result('alice', 'private/buy', usd)
    expect(order).toMatchObject({
      advanced: 'usd',
      usd: 1250.5,
      auto_replaced: false,
      price: 0.025,
    })
    expect(order).not.toHaveProperty('implv')
    const implv = { ...call, amount: 0.1, price: 45.5, advanced: 'implv' }
    const placed = m.result('alice', 'private/buy', implv).order
    expect(placed).toMatchObject({ advanced: 'implv', implv: 45.5, auto_replaced: false })
    expect(placed).not.toHaveProperty('usd')
    const plain = m.result('alice', 'private/buy', { ...call, amount: 0.1, price: 0.01 }).order
    for (const field of ['advanced', 'usd', 'implv', 'auto_replaced']) {
      expect(plain).not.toHaveProperty(field)
    }
  })

  test('S102 an order that the engine repriced is marked replaced and auto_replaced', () => {
    const m = market()
    const usd = { ...call, amount: 0.1, price: 1250, advanced: 'usd' }
    const { order } = m.result('alice', 'private/buy', usd)
    m.result(null, 'sim/set_index', { index_name: 'btc_usd', price: 40_000 })
    m.venue.wait('2s')
    const later = m.result('alice', 'private/get_order_state', { order_id: order.order_id })
    expect(later).toMatchObject({ auto_replaced: true, replaced: true, usd: 1250 })
    expect(later.price).toBeGreaterThan(order.price)
  })
})

describe('invalid advanced orders (trading.md 6.12, C09)', () => {
  const usd = { ...call, amount: 0.1, price: 2000, advanced: 'usd' }
  const implv = { ...call, amount: 0.1, price: 50, advanced: 'implv' }
  const refused = (params: Json): string => market().refusal('alice', 'private/buy', params)

  test.each<readonly [string, Json, string]>([
    ['S028 an unknown word', { ...usd, advanced: 'iv' }, '-32602 Invalid params advanced unknown_value'],
    ['a value of nothing', { ...usd, price: 0 }, '10023 invalid_price'],
    ['a value below nothing', { ...usd, price: -5 }, '10023 invalid_price'],
    ['a value beyond all prices', { ...usd, price: 1e9 }, '10023 invalid_price'],
    ['no value', { ...call, amount: 0.1, advanced: 'usd' }, '10023 invalid_price'],
    ['a volatility of nothing', { ...implv, price: 0 }, '10023 invalid_price'],
    ['a negative volatility', { ...implv, price: -10 }, '10023 invalid_price'],
    ['more decimals than there are', { ...implv, price: 60.123456789 }, '10023 invalid_price'],
    ['S028 a future', { ...implv, ...perpetual, amount: 10 }, '11038 no_adv_for_futures'],
    ['post-only', { ...implv, post_only: true }, '11039 no_adv_postonly'],
    ['a market order', { ...usd, type: 'market' }, '11047 unsupported_arg_combination'],
  ])('%s', (_title, params, expected) => {
    expect(refused(params)).toBe(expected)
  })

  test('orders beyond the band rest at its end, however large the value', () => {
    const m = market()
    const { max_price } = m.result(null, 'public/ticker', call)
    for (const order of [
      { ...usd, price: 40_000 },
      { ...implv, price: 501 },
      { ...implv, price: 1e6 },
    ]) {
      expect(m.result('alice', 'private/buy', order).order.price).toBe(max_price)
    }
  })

  test('11046 in the last 15 minutes; afterwards the book is closed, or 11037 if it opened later', () => {
    const [near, over] = ['BTC-6JAN26-50000-C', 'BTC-5JAN26-50000-C']
    // It is after 08:00 on 5 January, so an option listed now is delivered at the next 08:00.
    const m = deskMarket({ instruments: ['BTC-PERPETUAL', near, over] })
    const of = (instrument_name: string): string => m.refusal('alice', 'private/buy', { ...implv, instrument_name })
    expect(of(over)).toBe('11037 outdated_instrument_for_IV_order')
    m.venue.at('2026-01-06T07:45:00Z')
    expect(of(near)).toBe('11046 outdated_instrument')
    m.venue.at('2026-01-06T08:00:00Z')
    expect(of(near)).toBe('10012 book_closed')
  })
})

describe('trades of options in replies', () => {
  test('S042 S058 S059 R50 iv and underlying_price of options; advanced if the order was advanced', () => {
    const m = market()
    m.result('alice', 'private/sell', { ...call, amount: 0.5, price: 0.05 })
    const bought = { ...call, amount: 0.1, price: 3000, advanced: 'usd' }
    const { trades } = m.result('bob', 'private/buy', bought)
    expect(trades).toMatchObject([
      { price: 0.05, amount: 0.1, advanced: 'usd', index_price: 50_000, underlying_price: 50_000 },
    ])
    const [trade] = trades
    expect(trade.iv).toBeGreaterThan(50)
    expect(Math.round(trade.iv * 100)).toBeCloseTo(trade.iv * 100, 6)
    const [own] = m.result('alice', 'private/get_user_trades_by_instrument', call).trades
    expect(own).toMatchObject({ iv: trade.iv, underlying_price: 50_000, direction: 'sell' })
    expect(own).not.toHaveProperty('advanced')
    const [tape] = m.result(null, 'public/get_last_trades_by_instrument', call).trades
    expect(tape.iv).toBe(trade.iv)
    expect(tape).not.toHaveProperty('underlying_price')
    for (const each of [trade, own, tape]) expect(each).not.toHaveProperty('liquidation')
  })

  test('S042 trades of a future have neither field', () => {
    const m = market()
    m.result('alice', 'private/sell', { ...perpetual, amount: 100, price: 50_000 })
    const { trades } = m.result('bob', 'private/buy', { ...perpetual, amount: 100, price: 50_000 })
    for (const field of ['iv', 'underlying_price', 'advanced']) {
      expect(trades[0]).not.toHaveProperty(field)
    }
  })
})
