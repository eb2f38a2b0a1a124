/**
 * Market and market-limit orders. Source: trading.md 6.2, C16, C20; S097.
 */
import { describe, expect, test } from 'vitest'
import type { ExchangeConfig } from '../../src/model/index.ts'
import { idOf, kindsOf, type Market, market, money, priceText } from '../support/harness.ts'

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

describe('rule order.market-price: market orders trade up to the band (C20)', () => {
  test('a: limit at max_price; the order takes level after level, and the remainder rests there', () => {
    const m = levels(btc())
    const order = m.buy('alice', { amount: '100', type: 'market' })
    expect(order.trades.map((trade) => priceText(trade.price))).toEqual([...['50000', '50100', '50749.5', '50750']])
    expect(kindsOf(order).slice(-3)).toEqual(['order filled', 'order rested', 'request'])
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
    expect(kindsOf(order)).not.toContain('order rested')
  })

  test.each(['immediate_or_cancel', 'fill_or_kill'] as const)('b: %s rests no remainder', (timeInForce) => {
    const m = levels(btc())
    const order = m.buy('alice', { amount: '100', type: 'market', timeInForce })
    expect(order.order?.state).toBe('cancelled')
    expect(order.trades).toHaveLength(timeInForce === 'fill_or_kill' ? 0 : 4)
    expect(m.depth('buy')).toEqual([])
  })

  test('b: good_til_day rests the remainder until the session ends', () => {
    const m = btc()
    const order = idOf(m.buy('alice', { amount: '20', type: 'market', timeInForce: 'good_til_day' }))
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

  test('market_limit takes only the best price and rests its remainder there', () => {
    const m = levels(btc())
    const order = m.buy('alice', { amount: '30', type: 'market_limit' })
    expect(order.trades.map((trade) => priceText(trade.price))).toEqual(['50000'])
    expect(order.order).toMatchObject({
      kind: 'order',
      change: 'rested',
      type: 'market_limit',
      state: 'open',
    })
    expect(m.depth('buy')).toEqual([['50000', '20']])
  })

  test('d: a market order with an empty opposite side rests at the band', () => {
    const m = btc()
    const order = m.buy('alice', { amount: '10', type: 'market' })
    expect(kindsOf(order)).toEqual(['order opened', 'order rested', 'request'])
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

  test('without bands a market order takes any price and never rests (Assumed)', () => {
    const m = levels(btc({ priceBands: false }))
    const order = m.buy('alice', { amount: '100', type: 'market' })
    expect(order.trades).toHaveLength(6)
    expect(order.order).toMatchObject({ state: 'cancelled', filled: 6 })
    const sold = m.sell('alice', { amount: '10', type: 'market' })
    expect(sold.order?.state).toBe('cancelled')
  })

  test('a remainder that rests can be edited like a limit order', () => {
    const m = btc()
    const order = idOf(m.buy('alice', { amount: '20', type: 'market' }))
    expect(m.edit('alice', order, { price: '49000' }).refusal).toBeNull()
    expect(m.depth('buy')).toEqual([['49000', '20']])
  })

  test.each(['market', 'market_limit'] as const)(
    'C16 a %s order rests once: an edit that trades a part makes no second order rested',
    (type) => {
      const m = btc()
      m.sell('bob', { amount: '10', price: '50000' })
      const placed = m.buy('alice', { amount: '50', type })
      expect(kindsOf(placed).slice(-2)).toEqual(['order rested', 'request'])
      m.sell('bob', { amount: '10', price: '50760' })
      m.index('btc_usd', '50100')
      const edited = m.edit('alice', idOf(placed), { price: '50800' })
      expect(kindsOf(edited)).toEqual([...['order edited', 'trade', 'order filled', 'order filled', 'request']])
      expect(edited.order).toMatchObject({ type, state: 'open', rested: true, filled: 2 })
      expect(m.depth('buy')).toEqual([['50800', '30']])
      const moved = m.edit('alice', idOf(placed), { price: '50700' })
      expect(kindsOf(moved)).toEqual(['order edited', 'request'])
    },
  )
})

describe('rule margin.before-order: a spot market buy without bands costs its expected fills', () => {
  const short = { reason: 'not_enough_funds_in_currency', currency: 'USDC' } as const

  /** Bob asks 0.1 at 100, 200 and 400. Alice has the given USDC and 1 BTC. */
  function spot(usdc: string, config: Partial<ExchangeConfig> = {}): Market {
    const m = market({
      instruments: { BTC_USDC: { taker_commission: '0' } },
      accounts: { alice: { USDC: usdc, BTC: '1' }, bob: { BTC: '1' } },
      index: { btc_usdc: '200' },
      config: { priceBands: false, ...config },
    })
    for (const price of ['100', '200', '400']) m.sell('bob', { amount: '0.1', price })
    return m
  }

  test.each([
    ['one level', '0.1', '10'],
    ['the part of a level that it takes', '0.05', '5'],
    ['level after level', '0.25', '50'],
    ['the whole book', '0.3', '70'],
    ['no more than the book has', '5', '70'],
  ])('%s: funds that cover it exactly are enough; one unit less is not', (_what, amount, cost) => {
    const less = (BigInt(cost) * 1_000_000_000n - 1n).toString().padStart(10, '0')
    const poor = spot(`${less.slice(0, -9)}.${less.slice(-9)}`)
    expect(poor.buy('alice', { amount, type: 'market' }).refusal).toEqual(short)
    const m = spot(cost)
    expect(m.buy('alice', { amount, type: 'market' }).refusal).toBeNull()
    expect(m.wallet('alice', 'USDC')).toMatchObject({ balance: 0n, spotReserve: 0n })
  })

  test('it costs nothing if the book is empty', () => {
    const m = spot('0')
    m.cancelAll('bob')
    const order = m.buy('alice', { amount: '1', type: 'market' })
    expect(order.order).toMatchObject({ state: 'cancelled', filled: 0 })
  })

  test('funds that are already reserved do not count as available', () => {
    const m = spot('15')
    m.buy('alice', { amount: '0.1', price: '50.01' })
    expect(m.buy('alice', { amount: '0.1', type: 'market' }).refusal).toEqual(short)
    m.cancelAll('alice')
    expect(m.buy('alice', { amount: '0.1', type: 'market' }).refusal).toBeNull()
  })

  test('own orders that are cancelled instead of trading are not part of the cost', () => {
    for (const [usdc, refusal] of [
      ['10', null],
      ['9.999999999', short],
    ] as const) {
      const m = spot(usdc, { selfMatch: 'cancel_maker' })
      m.sell('alice', { amount: '0.1', price: '90' })
      const order = m.buy('alice', { amount: '0.1', type: 'market' })
      expect(order.refusal).toEqual(refusal)
      expect(m.openOrders('alice')).toHaveLength(refusal === null ? 0 : 1)
    }
  })

  test('if self-matches are allowed, own orders are taken and paid like others', () => {
    const m = spot('9', { selfMatch: 'off' })
    m.sell('alice', { amount: '0.1', price: '90' })
    expect(m.buy('alice', { amount: '0.2', type: 'market' }).refusal).toEqual(short)
    expect(m.buy('alice', { amount: '0.1', type: 'market' }).trades).toHaveLength(1)
    expect(money(m.wallet('alice', 'USDC').balance)).toBe('9')
  })

  test('a sell reserves its amount, whatever it fills', () => {
    const m = spot('0')
    const sell = m.sell('alice', { amount: '1.0001', type: 'market' })
    expect(sell.refusal).toEqual({ ...short, currency: 'BTC' })
    expect(m.sell('alice', { amount: '1', type: 'market' }).refusal).toBeNull()
  })

  test('with a band the cost is computed at the price at which it would rest', () => {
    for (const [usdc, refusal] of [
      ['20.4', null],
      ['20.399999999', short],
    ] as const) {
      const m = spot(usdc, { priceBands: true })
      // It would fill at 200 and rest at 204, 2 % above the mark.
      expect(m.buy('alice', { amount: '0.1', type: 'market' }).refusal).toEqual(refusal)
    }
  })
})
