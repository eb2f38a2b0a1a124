/**
 * Editing orders that wait for a price. Source: trading.md 4.2, 6.13, C10, C28, C31.
 */
import { describe, expect, test } from 'vitest'
import type { OrderId } from '../../src/core/index.ts'
import { idOf, type Market, market, priceOf } from '../support/harness.ts'
import type { OrderWords, TriggerWords } from '../support/market-words.ts'
import { storyOf } from '../support/story.ts'

function btc(): Market {
  return market({
    instruments: { 'BTC-PERPETUAL': {} },
    accounts: { alice: { BTC: '1' }, bob: { BTC: '1000' } },
    index: { btc_usd: '50000' },
  })
}

const above: TriggerWords = { source: 'mark_price', price: '50100' }

function stop(m: Market, words: Partial<OrderWords> = {}): OrderId {
  const order = { amount: '100', type: 'stop_limit', price: '50000', trigger: above } as const
  return idOf(m.buy('alice', { ...order, ...words }))
}

describe('rule order.edit-priority: a waiting order changes in place', () => {
  test('all fields that may change, at once; fields that are absent stay', () => {
    const m = btc()
    const order = stop(m, { label: 'mine' })
    const edited = m.edit('alice', order, {
      ...{ amount: '5000', price: '49990', display: '1000', triggerPrice: '50200' },
      ...{ postOnly: 'slide', reduceOnly: true },
    })
    expect(storyOf(m, edited)).toEqual(['1 edited', 'done'])
    const changed = {
      ...{ order, state: 'untriggered', replaced: true, rested: false, type: 'stop_limit' },
      ...{ amount: 500, price: priceOf('49990'), display: 100, shown: 100, label: 'mine' },
      ...{ postOnly: 'slide', reduceOnly: true },
      trigger: { source: 'mark_price', price: priceOf('50200'), offset: 0, reference: 0 },
    }
    expect(edited.order).toMatchObject(changed)
    expect(m.edit('alice', order, {}).order).toMatchObject(changed)
    expect(storyOf(m, m.index('btc_usd', '50150')).at(-1)).toBe('done')
  })

  test('it fires at its new price, and no longer at the old one', () => {
    const m = btc()
    const order = stop(m)
    m.edit('alice', order, { triggerPrice: '50050' })
    expect(storyOf(m, m.index('btc_usd', '50050')).slice(3)).toEqual([...['1 triggered as 2', '2 opened']])
    const later = stop(m, { trigger: { source: 'mark_price', price: '50100' } })
    m.edit('alice', later, { triggerPrice: '50300' })
    expect(storyOf(m, m.index('btc_usd', '50299.5')).at(-1)).toBe('done')
    expect(storyOf(m, m.index('btc_usd', '50300')).at(-1)).toBe('4 opened')
  })

  test('the condition must not hold at the new trigger price (C31 a)', () => {
    const m = btc()
    const order = stop(m)
    expect(m.edit('alice', order, { triggerPrice: '50000' }).refusal).toEqual({
      reason: 'trigger_price_too_low',
    })
    const trigger = { source: 'mark_price', price: '49900' } as const
    const take = stop(m, { type: 'take_limit', trigger })
    expect(m.edit('alice', take, { triggerPrice: '50000' }).refusal).toEqual({
      reason: 'trigger_price_too_high',
    })
    expect(m.edit('alice', order, { triggerPrice: '50000.5' }).refusal).toBeNull()
    expect(m.edit('alice', take, { triggerPrice: '49999.5' }).refusal).toBeNull()
  })

  test('C07 checks in this order: amount, display, price, trigger price', () => {
    const m = btc()
    const order = stop(m)
    const wrong = { amount: '0', price: '0', triggerPrice: '0', display: '10' }
    const reason = (words: object): string | undefined => m.edit('alice', order, { ...wrong, ...words }).refusal?.reason
    expect(reason({})).toBe('invalid_amount')
    expect(reason({ validUntil: m.exchange.now })).toBe('timed_out')
    expect(reason({ amount: '9000000010' })).toBe('invalid_amount')
    expect(reason({ amount: '200' })).toBe('invalid_max_show_amount')
    expect(reason({ amount: '200', display: '0' })).toBe('price_wrong_tick')
    expect(reason({ amount: '200', display: '0', price: '1' })).toBe('trigger_price_wrong_tick')
    expect(m.openOrders('alice')[0]?.order).toMatchObject({ amount: 10, replaced: false })
  })

  test('not checked: funds, band, own orders, position', () => {
    const m = btc()
    m.sell('alice', { amount: '10', price: '50050' })
    const order = stop(m)
    const words = { amount: '800000000', price: '99999', reduceOnly: true, triggerPrice: '50500' }
    expect(m.edit('alice', order, words).refusal).toBeNull()
  })

  test('the limit price of a market type is ignored', () => {
    const m = btc()
    const order = stop(m, { type: 'stop_market' })
    expect(m.edit('alice', order, { price: '49990' }).order).toMatchObject({ price: 0 })
    expect(m.edit('alice', order, { price: '0' }).refusal).toBeNull()
  })

  test('the post-only flag can be set while it waits: the order moves inside the spread when it fires', () => {
    const m = btc()
    m.sell('bob', { amount: '10', price: '50000' })
    const order = stop(m, { price: '50010' })
    expect(m.edit('alice', order, { postOnly: 'slide' }).order?.price).toBe(priceOf('50010'))
    m.index('btc_usd', '50100')
    expect(m.depth('buy')).toEqual([['49999.5', '100']])
  })

  test('C28 f refusals: unknown owner, closed', () => {
    const m = btc()
    const order = stop(m)
    expect(m.edit('bob', order, { amount: '10' }).refusal?.reason).toBe('not_owner_of_order')
    m.cancel('alice', order)
    expect(m.edit('alice', order, { amount: '10' }).refusal?.reason).toBe('already_closed')
  })
})
