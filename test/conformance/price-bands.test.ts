/**
 * Price bands in the engine: limits, refusals with the limit, and the moments of the check.
 *
 * Source: market.md 1.3 (T08-T10, observed), trading.md 6.5; coverage R05.
 */
import { describe, expect, test } from 'vitest'
import { idOf, type Market, market, priceOf } from '../support/harness.ts'

function at(name: string, mark: string, config = {}): Market {
  const rich = { BTC: '1000', ETH: '1000', USDC: '100000000' }
  const m = market({
    instruments: { [name]: {} },
    accounts: { alice: rich, bob: rich },
    index: {},
    config,
  })
  m.index(m.instrument().priceIndex, mark)
  return m
}

describe('rule order.price-band: an order beyond the limit is refused, and the refusal shows the limit', () => {
  test.each([
    ['T08', 'BTC-PERPETUAL', '87006.21', '85701', '88311.5', '85700.5', '88312', '10'],
    ['T09', 'BTC-PERPETUAL', '92281.78', '90897.5', '93666.5', '90897', '93667', '10'],
    ['T10', 'BTC_USDC', '73367.995', '71900.63', '74835.36', '71900.62', '74835.37', '0.001'],
    ['ETH perpetual 1.5 %', 'ETH-PERPETUAL', '3000', '2955', '3045', '2954.95', '3045.05', '1'],
    ['dated future 3 %', 'BTC-27MAR26', '100000', '97000', '103000', '96997.5', '103002.5', '10'],
    ['linear 2.5 %', 'SOL_USDC-PERPETUAL', '200', '195', '205', '194.99', '205.01', '1'],
  ])('%s %s at %s', (_id, name, mark, min, max, below, above, amount) => {
    const m = at(name, mark)
    expect(m.buy('alice', { amount, price: above }).refusal).toEqual({
      reason: 'price_too_high',
      limit: priceOf(max),
    })
    expect(m.sell('alice', { amount, price: below }).refusal).toEqual({
      reason: 'price_too_low',
      limit: priceOf(min),
    })
    expect(m.buy('alice', { amount, price: max }).refusal).toBeNull()
    m.cancelAll('alice')
    expect(m.sell('alice', { amount, price: min }).refusal).toBeNull()
  })

  test('one-sided: a buy far below and a sell far above are accepted', () => {
    const m = at('BTC-PERPETUAL', '50000')
    expect(m.buy('alice', { amount: '10', price: '0.5' }).refusal).toBeNull()
    expect(m.sell('alice', { amount: '10', price: '1000000' }).refusal).toBeNull()
  })

  test('a resting order is never cancelled by a move of the band', () => {
    const m = at('BTC-PERPETUAL', '50000')
    const order = idOf(m.buy('alice', { amount: '20', price: '50000' }))
    m.index('btc_usd', '40000')
    expect(m.openOrders('alice')).toHaveLength(1)
    // An edit that keeps the price is not checked again.
    expect(m.edit('alice', order, { amount: '10' }).refusal).toBeNull()
    expect(m.edit('alice', order, { price: '49999.5' }).refusal).toEqual({
      reason: 'price_too_high',
      limit: priceOf('40600'),
    })
    expect(m.edit('alice', order, { price: '40600' }).refusal).toBeNull()
  })

  test('the band follows a pinned mark, and follows the index again after the mark is unpinned', () => {
    const m = at('BTC-PERPETUAL', '50000')
    m.mark('60000')
    expect(m.buy('alice', { amount: '10', price: '60900' }).refusal).toBeNull()
    m.index('btc_usd', '50000')
    expect(m.sell('alice', { amount: '10', price: '59000' }).refusal).toMatchObject({
      limit: priceOf('59100'),
    })
    m.mark(null)
    expect(m.buy('alice', { amount: '10', price: '60900' }).refusal).toMatchObject({
      limit: priceOf('50750'),
    })
  })

  test('C20 without a mark: 10040', () => {
    const m = market({
      instruments: { 'BTC-PERPETUAL': {} },
      accounts: { alice: { BTC: '1' } },
      index: {},
    })
    for (const type of ['limit', 'market'] as const) {
      const order = m.buy('alice', { amount: '10', price: '50000', type })
      expect(order.refusal).toEqual({ reason: 'retry' })
    }
  })

  test('a run may switch the bands off', () => {
    const m = at('BTC-PERPETUAL', '50000', { priceBands: false })
    expect(m.buy('alice', { amount: '10', price: '90000' }).refusal).toBeNull()
  })
})
