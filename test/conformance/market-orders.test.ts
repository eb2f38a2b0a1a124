/**
 * Market and market-limit orders. Source: trading.md 6.2, C16, C20; S097.
 */
import { describe, expect, test } from 'vitest'
import { idOf, kindsOf, type Market, market, priceText } from '../support/harness.ts'

const rich = { BTC: '1000' }

function btc(config = {}): Market {
  return market({
    instruments: { 'BTC-PERPETUAL': {} },
    accounts: { alice: rich, bob: rich },
    index: { btc_usd: '50000' },
    config,
  })
}

function levels(m: Market): Market {
  for (const price of ['50000', '50100', '50749.5', '50750', '50750.5', '51000']) {
    m.sell('bob', { amount: '10', price })
  }
  return m
}

describe('rule order.market-price: market orders go as far as the band (C20)', () => {
  test('a: limit at max_price; level after level, and the remainder stays there', () => {
    const m = levels(btc())
    const order = m.buy('alice', { amount: '100', type: 'market' })
    expect(order.trades.map((trade) => priceText(trade.price))).toEqual([
      ...['50000', '50100', '50749.5', '50750'],
    ])
    expect(kindsOf(order).slice(-3)).toEqual(['order_filled', 'order_rested', 'request_done'])
    expect(order.order).toMatchObject({ type: 'market', state: 'open', rested: true, filled: 4 })
    expect(m.depth('buy')).toEqual([['50750', '60']])
  })

  test('a: a sell at min_price', () => {
    const m = btc()
    for (const price of ['49250', '49249.5']) m.buy('bob', { amount: '10', price })
    const order = m.sell('alice', { amount: '30', type: 'market' })
    expect(order.trades.map((trade) => priceText(trade.price))).toEqual(['49250'])
    expect(m.depth('sell')).toEqual([['49250', '20']])
  })

  test('C16 a market order that never rested reports market, not rested', () => {
    const m = levels(btc())
    const order = m.buy('alice', { amount: '20', type: 'market' })
    expect(order.order).toMatchObject({ type: 'market', state: 'filled', rested: false })
    expect(kindsOf(order)).not.toContain('order_rested')
  })

  test.each(['immediate_or_cancel', 'fill_or_kill'] as const)(
    'b: %s rests nothing',
    (timeInForce) => {
      const m = levels(btc())
      const order = m.buy('alice', { amount: '100', type: 'market', timeInForce })
      expect(order.order?.state).toBe('cancelled')
      expect(order.trades).toHaveLength(timeInForce === 'fill_or_kill' ? 0 : 4)
      expect(m.depth('buy')).toEqual([])
    },
  )

  test('b: good_til_day rests the remainder, until the session ends', () => {
    const m = btc()
    const order = idOf(
      m.buy('alice', { amount: '20', type: 'market', timeInForce: 'good_til_day' }),
    )
    expect(m.openOrders('alice').map((view) => view.order.id)).toEqual([order])
    m.wait(23 * 3_600_000_000)
    expect(m.openOrders('alice')).toEqual([])
  })

  test('c: market_limit with an empty opposite side: 11030', () => {
    const m = btc()
    m.buy('bob', { amount: '10', price: '49990' })
    const order = m.buy('alice', { amount: '10', type: 'market_limit' })
    expect(order.refusal).toEqual({ reason: 'other_reject no_opposite_price' })
  })

  test('market_limit takes the best price only, and rests its remainder there', () => {
    const m = levels(btc())
    const order = m.buy('alice', { amount: '30', type: 'market_limit' })
    expect(order.trades.map((trade) => priceText(trade.price))).toEqual(['50000'])
    expect(order.order).toMatchObject({ kind: 'order_rested', type: 'market_limit', state: 'open' })
    expect(m.depth('buy')).toEqual([['50000', '20']])
  })

  test('d: a market order with an empty opposite side rests at the band', () => {
    const m = btc()
    const order = m.buy('alice', { amount: '10', type: 'market' })
    expect(kindsOf(order)).toEqual(['order_opened', 'order_rested', 'request_done'])
    expect(m.depth('buy')).toEqual([['50750', '10']])
  })

  test('e: no mark price: 10040', () => {
    const m = market({
      instruments: { 'BTC-PERPETUAL': {} },
      accounts: { alice: rich },
      index: {},
    })
    expect(m.buy('alice', { amount: '10', type: 'market' }).refusal).toEqual({ reason: 'retry' })
  })

  test('the price given with a market order is ignored (R47)', () => {
    const m = levels(btc())
    const order = m.buy('alice', { amount: '20', type: 'market', price: '0.5' })
    expect(order.order?.state).toBe('filled')
  })

  test('without bands a market order takes any price and rests nowhere (Assumed)', () => {
    const m = levels(btc({ priceBands: false }))
    const order = m.buy('alice', { amount: '100', type: 'market' })
    expect(order.trades).toHaveLength(6)
    expect(order.order).toMatchObject({ state: 'cancelled', filled: 6 })
    const sold = m.sell('alice', { amount: '10', type: 'market' })
    expect(sold.order?.state).toBe('cancelled')
  })

  test('what rested can be edited like a limit order', () => {
    const m = btc()
    const order = idOf(m.buy('alice', { amount: '20', type: 'market' }))
    expect(m.edit('alice', order, { price: '49000' }).refusal).toBeNull()
    expect(m.depth('buy')).toEqual([['49000', '20']])
  })
})
