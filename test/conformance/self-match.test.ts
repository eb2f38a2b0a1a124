/**
 * Self-match prevention. Source: trading.md 6.9, C27, C18 (risk_mitigation); S087.
 */
import { describe, expect, test } from 'vitest'
import { idOf, kindsOf, type Market, market } from '../support/harness.ts'

const rich = { BTC: '1000', USDC: '1000000' }

function btc(selfMatch: 'reject_taker' | 'cancel_maker' | 'off'): Market {
  return market({
    instruments: { 'BTC-PERPETUAL': {} },
    accounts: { alice: rich, bob: rich },
    index: { btc_usd: '50000' },
    config: { selfMatch },
  })
}

describe('rule order.self-match: reject_taker refuses the whole request (C27)', () => {
  test('10003 before any fill, even if other orders would match first', () => {
    const m = btc('reject_taker')
    m.sell('bob', { amount: '10', price: '50000' })
    m.sell('alice', { amount: '10', price: '50001' })
    const order = m.buy('alice', { amount: '20', price: '50001' })
    expect(order.refusal).toEqual({ reason: 'order_overlap' })
    expect(m.depth('sell')).toEqual([
      ['50000', '10'],
      ['50001', '10'],
    ])
  })

  test('own orders that would not be reached do not count', () => {
    const m = btc('reject_taker')
    m.sell('bob', { amount: '10', price: '50000' })
    m.sell('alice', { amount: '10', price: '50001' })
    expect(m.buy('alice', { amount: '10', price: '50001' }).trades).toHaveLength(1)
    expect(m.buy('alice', { amount: '10', price: '50000' }).refusal).toBeNull()
  })

  test('the first own order in a queue counts only if the orders before it do not fill the request', () => {
    const m = btc('reject_taker')
    m.sell('bob', { amount: '10', price: '50000' })
    m.sell('alice', { amount: '10', price: '50000' })
    expect(m.buy('alice', { amount: '20', price: '50000' }).refusal?.reason).toBe('order_overlap')
    expect(m.buy('alice', { amount: '10', price: '50000' }).order?.state).toBe('filled')
  })

  test('an edit fails in the same way and leaves the order unchanged', () => {
    const m = btc('reject_taker')
    m.sell('alice', { amount: '10', price: '50010' })
    const bid = idOf(m.buy('alice', { amount: '10', price: '50000' }))
    expect(m.edit('alice', bid, { price: '50010' }).refusal).toEqual({ reason: 'order_overlap' })
    expect(m.depth('buy')).toEqual([['50000', '10']])
  })

  test('the same check applies on spot', () => {
    const m = market({
      instruments: { BTC_USDC: {} },
      accounts: { alice: rich },
      index: { btc_usdc: '50000' },
    })
    m.sell('alice', { amount: '0.1', price: '50000' })
    expect(m.buy('alice', { amount: '0.1', price: '50000' }).refusal?.reason).toBe('order_overlap')
  })
})

describe('rule order.self-match: cancel_maker cancels the resting order and continues (C27)', () => {
  test('S087 it cancels the whole open amount with risk_mitigation, when matching reaches it', () => {
    const m = btc('cancel_maker')
    m.sell('bob', { amount: '10', price: '50000' })
    const own = idOf(m.sell('alice', { amount: '500', price: '50000' }))
    m.sell('bob', { amount: '10', price: '50001' })
    const order = m.buy('alice', { amount: '20', price: '50001' })
    expect(kindsOf(order)).toEqual([
      'order opened',
      'trade',
      'order filled',
      'order cancelled',
      'trade',
      'order filled',
      'order filled',
      'request',
    ])
    const cancelled = order.events.find((event) => event.kind === 'order' && event.change === 'cancelled')
    expect(cancelled).toMatchObject({
      order: own,
      reason: 'risk_mitigation',
      filled: 0,
      amount: 50,
    })
    expect(order.order).toMatchObject({ state: 'filled', filled: 2 })
    expect([m.openOrders('alice'), m.depth('sell')]).toEqual([[], []])
  })

  test('an own order behind the last fill is not touched', () => {
    const m = btc('cancel_maker')
    m.sell('bob', { amount: '10', price: '50000' })
    m.sell('alice', { amount: '10', price: '50000' })
    m.buy('alice', { amount: '10', price: '50000' })
    expect(m.openOrders('alice')).toHaveLength(1)
  })

  test('a taker that meets only own orders rests', () => {
    const m = btc('cancel_maker')
    m.sell('alice', { amount: '10', price: '50000' })
    const order = m.buy('alice', { amount: '20', price: '50000' })
    expect(order.trades).toEqual([])
    expect([m.depth('buy'), m.depth('sell')]).toEqual([[['50000', '20']], []])
  })
})

test('if self-match prevention is off, an account may trade with itself', () => {
  const m = btc('off')
  m.sell('alice', { amount: '10', price: '50000' })
  const [trade] = m.buy('alice', { amount: '10', price: '50000' }).trades
  expect([trade?.maker.account, trade?.taker.account]).toEqual([m.account('alice'), m.account('alice')])
  expect(m.position('alice').size).toBe(0)
})
