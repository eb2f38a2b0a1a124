/**
 * Orders and trades of options on the wire: prices in USD and in volatility, and what only their trades
 * tell. Source: trading.md 5.1, 5.2, 6.12; coverage R50.
 */
import { describe, expect, test } from 'vitest'
import { type DeskMarket, deskMarket } from '../support/desk-market.ts'

const call = { instrument_name: 'BTC-27MAR26-60000-C' }
const perpetual = { instrument_name: 'BTC-PERPETUAL' }

function market(): DeskMarket {
  return deskMarket({ instruments: ['BTC-PERPETUAL', 'BTC-27MAR26-60000-C'] })
}

describe('advanced orders on the wire', () => {
  test('S080 S102 an order in USD tells its value, one in volatility its percentage', () => {
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
    for (const field of ['advanced', 'usd', 'implv', 'auto_replaced', 'is_liquidation']) {
      expect(plain).not.toHaveProperty(field)
    }
  })

  test('S102 what the engine repriced is replaced and auto_replaced', () => {
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

describe('trades of options on the wire', () => {
  test('S042 S058 S059 R50 iv and underlying_price of options, advanced where the order was', () => {
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

  test('S042 a future has neither', () => {
    const m = market()
    m.result('alice', 'private/sell', { ...perpetual, amount: 100, price: 50_000 })
    const { trades } = m.result('bob', 'private/buy', { ...perpetual, amount: 100, price: 50_000 })
    for (const field of ['iv', 'underlying_price', 'advanced']) {
      expect(trades[0]).not.toHaveProperty(field)
    }
  })
})
