/**
 * Times in force that end at once, and deadlines. Source: trading.md 3 (valid_until), 6.3, C21; S064,
 * S095, S220, S296.
 */
import { describe, expect, test } from 'vitest'
import { micros } from '../../src/core/index.ts'
import { kindsOf, type Market, market } from '../support/harness.ts'

const rich = { BTC: '1000' }

function asks(config = {}): Market {
  const m = market({
    instruments: { 'BTC-PERPETUAL': {} },
    accounts: { alice: rich, bob: rich },
    index: { btc_usd: '50000' },
    config,
  })
  m.sell('bob', { amount: '50', price: '50000' })
  m.sell('bob', { amount: '50', price: '50010' })
  return m
}

describe('C21 immediate or cancel', () => {
  const timeInForce = 'immediate_or_cancel'

  test('S095 the remainder ends cancelled without a reason, and fills are kept', () => {
    const m = asks()
    const order = m.buy('alice', { amount: '80', price: '50000', timeInForce })
    expect(order.trades).toHaveLength(1)
    expect(kindsOf(order)).toEqual([...['order opened', 'trade', 'order filled', 'order cancelled', 'request']])
    expect(order.order).toMatchObject({
      ...{ state: 'cancelled', filled: 5, amount: 8, reason: 'time_in_force' },
    })
    expect([m.openOrders('alice'), m.depth('buy')]).toEqual([[], []])
  })

  test('without a match: cancelled, no trades, no error', () => {
    const m = asks()
    const order = m.buy('alice', { amount: '80', price: '49000', timeInForce })
    expect([order.refusal, order.order?.state, order.trades]).toEqual([null, 'cancelled', []])
    expect(m.wallet('alice', 'BTC').initialMargin).toBe(0n)
  })

  test('matched completely: filled', () => {
    const order = asks().buy('alice', { amount: '100', price: '50010', timeInForce })
    expect(order.order).toMatchObject({ state: 'filled', filled: 10 })
  })
})

describe('C21 fill or kill', () => {
  const timeInForce = 'fill_or_kill'

  test('fills completely at once if the book has the amount, over several levels', () => {
    const order = asks().buy('alice', { amount: '100', price: '50010', timeInForce })
    expect(order.trades).toHaveLength(2)
    expect(order.order?.state).toBe('filled')
  })

  test('one lot too many: cancelled, no trades, the request succeeds and changes no other order', () => {
    const m = asks()
    const before = [m.depth('sell'), m.wallet('alice', 'BTC')]
    const order = m.buy('alice', { amount: '110', price: '50010', timeInForce })
    expect(kindsOf(order)).toEqual(['order opened', 'order cancelled', 'request'])
    expect(order.order).toMatchObject({ state: 'cancelled', filled: 0, reason: 'time_in_force' })
    expect([m.depth('sell'), m.wallet('alice', 'BTC')]).toEqual(before)
  })

  test('size beyond its price does not count', () => {
    const order = asks().buy('alice', { amount: '60', price: '50005', timeInForce })
    expect([order.order?.state, order.trades]).toEqual(['cancelled', []])
  })

  test('own orders that self-match prevention would stop do not count', () => {
    const m = asks({ selfMatch: 'cancel_maker' })
    m.sell('alice', { amount: '50', price: '50005' })
    const words = { price: '50010', timeInForce } as const
    expect(m.buy('alice', { ...words, amount: '110' }).order?.state).toBe('cancelled')
    expect(m.openOrders('alice')).toHaveLength(1)
    expect(m.buy('alice', { ...words, amount: '100' }).order?.state).toBe('filled')
    expect(m.openOrders('alice')).toEqual([])
  })

  test('C07 self-match is checked before fill or kill', () => {
    const m = asks()
    m.sell('alice', { amount: '50', price: '50005' })
    const order = m.buy('alice', { amount: '500', price: '50010', timeInForce })
    expect(order.refusal).toEqual({ reason: 'order_overlap' })
  })
})

describe('S220 S296 valid_until: processing must start strictly before it', () => {
  test('order.valid-until a request at the deadline is too late, one microsecond earlier is not', () => {
    const m = asks()
    const { now } = m.exchange
    const words = { amount: '10', price: '49000' }
    expect(m.buy('alice', { ...words, validUntil: now }).refusal).toEqual({ reason: 'timed_out' })
    expect(m.buy('alice', { ...words, validUntil: micros(now + 1) }).refusal).toBeNull()
  })
})
