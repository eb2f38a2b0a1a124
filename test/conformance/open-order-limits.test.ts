/**
 * Limits on the number of open orders. Source: trading.md 6.17, C36.
 */
import { describe, expect, test } from 'vitest'
import { defaultConfig } from '../../src/model/index.ts'
import { idOf, type Market, market, start } from '../support/harness.ts'

const rich = { BTC: '1000', USDC: '1000000' }
const option = 'BTC-27MAR26-50000-C'

function limited(limits: Partial<{ total: number; future: number; option: number; spot: number }>) {
  const config = defaultConfig(start)
  return market({
    instruments: { 'BTC-PERPETUAL': {}, BTC_USDC: {}, [option]: {} },
    accounts: { alice: rich, bob: rich },
    index: { btc_usd: '50000', btc_usdc: '50000' },
    config: { openOrderLimits: { ...config.openOrderLimits, ...limits } },
  })
}

function place(m: Market, instrument = 'BTC-PERPETUAL', account = 'alice') {
  const amount = instrument === 'BTC_USDC' ? '0.1' : '10'
  const price = instrument === option ? '0.05' : '49000'
  return m.buy(account, { instrument, amount, price })
}

describe('rule order.open-limit: an order above the limit is refused with the limit (C36)', () => {
  test('defaults: total 10000, futures 2000, options 8000, spot 200, 100 triggers per source', () => {
    expect(defaultConfig(start).openOrderLimits).toEqual({
      ...{ total: 10_000, future: 2000, option: 8000, spot: 200 },
      ...{ triggers: 100, secondaries: 100 },
    })
  })

  test.each([
    ['10013', { total: 2 }, 'BTC_USDC', 'pme_max_total_open_orders'],
    ['10014', { future: 2 }, 'BTC-PERPETUAL', 'pme_max_future_open_orders'],
    ['10015', { option: 2 }, option, 'pme_max_option_open_orders'],
    ['11013', { spot: 2 }, 'BTC_USDC', 'max_spot_open_orders'],
  ] as const)('%s', (_code, limits, instrument, reason) => {
    const m = limited(limits)
    place(m, instrument)
    const last = idOf(place(m, instrument))
    expect(place(m, instrument).refusal).toEqual({ reason, limit: 2 })
    // Another account has a separate count, an edit is no new order, and a cancel makes room.
    expect(place(m, instrument, 'bob').refusal).toBeNull()
    const more = instrument === 'BTC_USDC' ? '0.2' : '20'
    expect(m.edit('alice', last, { amount: more }).refusal).toBeNull()
    m.cancel('alice', last)
    expect(place(m, instrument).refusal).toBeNull()
  })

  test('options count separately: orders of other kinds do not use up their limit', () => {
    const m = limited({ option: 1, future: 1, spot: 1 })
    for (const name of ['BTC-PERPETUAL', 'BTC_USDC', option]) {
      expect(place(m, name).refusal).toBeNull()
      expect(place(m, name).refusal).not.toBeNull()
    }
  })

  test('orders of combos count only in the total', () => {
    const m = limited({ option: 1, future: 1, total: 3 })
    for (const name of ['BTC-27MAR26', 'BTC-FS-27MAR26_PERP']) m.list(name)
    const order = { instrument: 'BTC-FS-27MAR26_PERP', amount: '10', price: '-10' }
    for (let count = 0; count < 3; count += 1) expect(m.buy('alice', order).refusal).toBeNull()
    expect(m.buy('alice', order).refusal).toEqual({
      ...{ reason: 'pme_max_total_open_orders', limit: 3 },
    })
  })

  test('the total counts every kind and is checked before the limit of the kind', () => {
    const m = limited({ total: 3, future: 2, option: 3, spot: 1 })
    for (const name of ['BTC-PERPETUAL', 'BTC_USDC', 'BTC-PERPETUAL']) place(m, name)
    const refusal = { reason: 'pme_max_total_open_orders', limit: 3 }
    for (const name of ['BTC-PERPETUAL', 'BTC_USDC', option]) {
      expect(place(m, name).refusal).toEqual(refusal)
    }
  })

  test('filled orders no longer count', () => {
    const m = limited({ future: 1 })
    place(m)
    m.sell('bob', { amount: '10', price: '49250' })
    expect(place(m).refusal).not.toBeNull()
    m.cancelAll('bob')
    m.mark('49000')
    m.sell('bob', { amount: '10', price: '49000' })
    expect(place(m).refusal).toBeNull()
  })
})
