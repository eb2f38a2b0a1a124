/**
 * Post-only orders. Source: trading.md 6.6, C24, C07 (step 14 before the band); S211, S212, S092.
 */
import { describe, expect, test } from 'vitest'
import { price9 } from '../../src/core/index.ts'
import { idOf, kindsOf, type Market, market, priceText } from '../support/harness.ts'

const rich = { BTC: '1000' }

function btc(): Market {
  return market({
    instruments: { 'BTC-PERPETUAL': {} },
    accounts: { alice: rich, bob: rich },
    index: { btc_usd: '10000' },
  })
}

/** The grid of coin options: 0.0001, and 0.0005 from 0.005 upward. */
function stepped(): Market {
  const name = 'SOL_USDC-PERPETUAL'
  return market({
    instruments: { [name]: { tick_size: '0.0001', band: '0' } },
    tickSteps: { [name]: [{ above: price9(5_000_000), tick9: 500_000 }] },
    accounts: { alice: { USDC: '1000' }, bob: { USDC: '1000' } },
    index: { sol_usdc: '0.005' },
  })
}

function priceOfOrder(outcome: ReturnType<Market['buy']>): string | null {
  return outcome.order === undefined ? null : priceText(outcome.order.price)
}

describe('rule order.post-only: an order that would match moves inside the spread (S211)', () => {
  test('buy: best ask less one tick, as documented (ask 10000, tick 0.5: 9999.5)', () => {
    const m = btc()
    m.sell('bob', { amount: '10', price: '10000' })
    for (const price of ['10000', '10050']) {
      const order = m.buy('alice', { amount: '10', price, postOnly: 'slide' })
      expect(priceOfOrder(order)).toBe('9999.5')
      expect(order.trades).toEqual([])
    }
  })

  test('sell: best bid plus one tick', () => {
    const m = btc()
    m.buy('bob', { amount: '10', price: '10000' })
    const order = m.sell('alice', { amount: '10', price: '9990', postOnly: 'slide' })
    expect(priceOfOrder(order)).toBe('10000.5')
  })

  test('an order that would not match keeps its price', () => {
    const m = btc()
    m.sell('bob', { amount: '10', price: '10000' })
    for (const postOnly of ['slide', 'reject'] as const) {
      const order = m.buy('alice', { amount: '10', price: '9999.5', postOnly })
      expect(priceOfOrder(order)).toBe('9999.5')
    }
  })

  test('an own order on the other side has the same effect', () => {
    const m = btc()
    m.sell('alice', { amount: '10', price: '10000' })
    const order = m.buy('alice', { amount: '10', price: '10000', postOnly: 'slide' })
    expect(priceOfOrder(order)).toBe('9999.5')
  })

  test('it uses the tick of the new price: 0.0049 below an ask of 0.005, and 0.0055 above a bid', () => {
    const m = stepped()
    m.sell('bob', { amount: '1', price: '0.005' })
    const buy = m.buy('alice', { amount: '1', price: '0.0055', postOnly: 'slide' })
    expect(priceOfOrder(buy)).toBe('0.0049')
    const n = stepped()
    n.buy('bob', { amount: '1', price: '0.005' })
    const sell = n.sell('alice', { amount: '1', price: '0.0049', postOnly: 'slide' })
    expect(priceOfOrder(sell)).toBe('0.0055')
    const o = stepped()
    o.sell('bob', { amount: '1', price: '0.0055' })
    expect(priceOfOrder(o.buy('alice', { amount: '1', price: '0.006', postOnly: 'slide' }))).toBe('0.005')
  })

  test('if no positive price is left below the lowest ask: 11021', () => {
    const m = stepped()
    m.sell('bob', { amount: '1', price: '0.0001' })
    const order = m.buy('alice', { amount: '1', price: '0.0001', postOnly: 'slide' })
    expect(order.refusal).toEqual({ reason: 'post_only_price_modification_not_possible' })
  })

  test('if the moved price is outside the band: 11021', () => {
    const m = btc()
    m.buy('bob', { amount: '10', price: '10000' })
    // The bid stays when the band moves away from it. Sells now start at 10244.
    m.index('btc_usd', '10400')
    const order = m.sell('alice', { amount: '10', price: '10000', postOnly: 'slide' })
    expect(order.refusal).toEqual({ reason: 'post_only_price_modification_not_possible' })
  })

  test('if a price outside the band is not moved, the band refuses it', () => {
    const m = btc()
    const order = m.sell('alice', { amount: '10', price: '9849.5', postOnly: 'slide' })
    expect(order.refusal).toMatchObject({ reason: 'price_too_low' })
  })

  test('the band is checked at the moved price: too high as entered, inside after the move', () => {
    const m = btc()
    m.sell('bob', { amount: '10', price: '10000' })
    const order = m.buy('alice', { amount: '10', price: '99999', postOnly: 'slide' })
    expect(priceOfOrder(order)).toBe('9999.5')
  })
})

describe('rule order.post-only: reject mode (S212)', () => {
  test('11054 if the order would match; otherwise it rests unchanged', () => {
    const m = btc()
    m.sell('bob', { amount: '10', price: '10000' })
    const order = m.buy('alice', { amount: '10', price: '10000', postOnly: 'reject' })
    expect(order.refusal).toEqual({ reason: 'post_only_reject' })
    expect(m.buy('alice', { amount: '10', price: '9999', postOnly: 'reject' }).order).toMatchObject({
      state: 'open',
      postOnly: 'reject',
      price: 9_999_000_000_000,
    })
  })
})

describe('rule order.post-only: edits (C24)', () => {
  test('normal mode adjusts the price', () => {
    const m = btc()
    m.sell('bob', { amount: '10', price: '10000' })
    const order = idOf(m.buy('alice', { amount: '10', price: '9990', postOnly: 'slide' }))
    const edited = m.edit('alice', order, { price: '10010' })
    expect(priceOfOrder(edited)).toBe('9999.5')
    expect(edited.trades).toEqual([])
  })

  test('S092 reject mode cancels the order: success, edit_post_only_reject, no trades', () => {
    const m = btc()
    m.sell('bob', { amount: '10', price: '10000' })
    const order = idOf(m.buy('alice', { amount: '10', price: '9990', postOnly: 'reject' }))
    const edited = m.edit('alice', order, { price: '10000' })
    expect(edited.refusal).toBeNull()
    expect(kindsOf(edited)).toEqual(['order cancelled', 'request'])
    expect(edited.order).toMatchObject({ state: 'cancelled', reason: 'edit_post_only_reject' })
    expect(m.openOrders('alice')).toEqual([])
    expect(m.wallet('alice', 'BTC').initialMargin).toBe(0n)
  })

  test('an edit can turn the flag on, and then off', () => {
    const m = btc()
    m.sell('bob', { amount: '10', price: '10000' })
    const order = idOf(m.buy('alice', { amount: '10', price: '9990' }))
    const moved = m.edit('alice', order, { price: '10000', postOnly: 'slide' })
    expect(moved.order).toMatchObject({ postOnly: 'slide', price: 9_999_500_000_000 })
    const taken = m.edit('alice', order, { price: '10000', postOnly: 'off' })
    expect(taken.trades).toHaveLength(1)
  })
})
