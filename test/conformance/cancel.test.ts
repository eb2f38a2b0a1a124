/**
 * Cancels, one and many. Source: trading.md 4.4, 4.5, C12, C28 f; coverage R43, R69; S084, S169,
 * S244.
 */
import { describe, expect, test } from 'vitest'
import { currencyId } from '../../src/core/index.ts'
import { makeOrderId, numberOfId, triggerOrderTypes } from '../../src/model/index.ts'
import { idOf, kindsOf, type Market, market } from '../support/harness.ts'
import { storyOf } from '../support/story.ts'

const rich = { BTC: '1000', ETH: '1000', USDC: '10000000' }

function several(): Market {
  return market({
    instruments: { 'BTC-PERPETUAL': {}, 'ETH-PERPETUAL': {}, BTC_USDC: {}, ETH_BTC: {} },
    accounts: { alice: rich, bob: rich },
    index: { btc_usd: '50000', eth_usd: '3000', btc_usdc: '50000', eth_btc: '0.05' },
  })
}

describe('one order by id', () => {
  test('S084 the order ends cancelled with user_request, and its margin is released', () => {
    const m = several()
    const order = idOf(m.buy('alice', { amount: '1000', price: '50000' }))
    const cancelled = m.cancel('alice', order)
    expect(kindsOf(cancelled)).toEqual(['order cancelled', 'request'])
    expect(cancelled.order).toMatchObject({ state: 'cancelled', reason: 'user_request', filled: 0 })
    expect([m.depth('buy'), m.wallet('alice', 'BTC').initialMargin]).toEqual([[], 0n])
  })

  test('a partly filled order keeps its fills', () => {
    const m = several()
    const order = idOf(m.buy('alice', { amount: '1000', price: '50000' }))
    m.sell('bob', { amount: '400', price: '50000' })
    expect(m.cancel('alice', order).order).toMatchObject({ filled: 40, amount: 100 })
  })

  test("C28 f unknown 10004, another's 10029, closed 11044", () => {
    const m = several()
    const bobs = idOf(m.buy('bob', { amount: '100', price: '50000' }))
    const closed = idOf(m.buy('alice', { amount: '100', price: '50000' }))
    m.cancel('alice', closed)
    expect(m.cancel('alice', makeOrderId(currencyId(0), 99, 'ordinary')).refusal?.reason).toBe('order_not_found')
    expect(m.cancel('alice', bobs).refusal?.reason).toBe('not_owner_of_order')
    expect(m.cancel('alice', closed).refusal?.reason).toBe('not_open_order')
  })
})

describe('rule order.bulk-cancel: all that match, in the order of creation (C12)', () => {
  test('C12 c across instruments, whatever edits did to the queues', () => {
    const m = several()
    const first = idOf(m.buy('alice', { amount: '100', price: '50000' }))
    const second = idOf(m.sell('alice', { instrument: 'ETH-PERPETUAL', amount: '100', price: '3000' }))
    m.buy('bob', { amount: '100', price: '50000' })
    const third = idOf(m.buy('alice', { amount: '100', price: '50001' }))
    m.edit('alice', first, { price: '49990' })
    m.cancel('alice', second)
    const fourth = idOf(m.sell('alice', { instrument: 'BTC_USDC', amount: '0.1', price: '50000' }))
    const all = m.cancelAll('alice')
    expect(all.events.map((event) => ('order' in event ? event.order : event.kind))).toEqual([
      ...[first, third, fourth, 'request'],
    ])
    expect(all.count).toBe(3)
    expect(m.openOrders('bob')).toHaveLength(1)
  })

  test('S244 R69 if no order matches, the answer is the count 0, not an error', () => {
    const m = several()
    const none = m.cancelAll('alice', { label: 'nobody' })
    expect([none.refusal, none.count, kindsOf(none)]).toEqual([null, 0, ['request']])
  })

  test('S169 by label: orders with exactly that label, on every instrument', () => {
    const m = several()
    m.buy('alice', { amount: '100', price: '50000', label: 'grid' })
    m.buy('alice', { amount: '100', price: '50000', label: 'grid2' })
    m.buy('alice', { instrument: 'ETH-PERPETUAL', amount: '100', price: '3000', label: 'grid' })
    expect(m.cancelAll('alice', { label: 'grid' }).count).toBe(2)
    expect(m.openOrders('alice').map((view) => view.order.label)).toEqual(['grid2'])
  })

  test('R43 by currency: that of settlement; for spot, both base and quote currency', () => {
    const place = (): Market => {
      const m = several()
      m.buy('alice', { amount: '100', price: '50000' })
      m.buy('alice', { instrument: 'ETH-PERPETUAL', amount: '100', price: '3000' })
      m.buy('alice', { instrument: 'BTC_USDC', amount: '0.1', price: '50000' })
      m.buy('alice', { instrument: 'ETH_BTC', amount: '1', price: '0.05' })
      return m
    }
    expect(place().cancelAll('alice', { currencies: ['BTC'] }).count).toBe(3)
    expect(place().cancelAll('alice', { currencies: ['USDC'] }).count).toBe(1)
    expect(place().cancelAll('alice', { currencies: ['ETH'] }).count).toBe(2)
    expect(place().cancelAll('alice', { currencies: ['BTC'], kinds: ['future'] }).count).toBe(1)
    expect(place().cancelAll('alice', { currencies: ['BTC'], kinds: ['spot'] }).count).toBe(2)
  })

  test('by instrument and kind: orders that match all given parameters', () => {
    const m = several()
    m.buy('alice', { amount: '100', price: '50000', label: 'a' })
    m.buy('alice', { amount: '100', price: '49999', label: 'b' })
    m.buy('alice', { instrument: 'ETH-PERPETUAL', amount: '100', price: '3000', label: 'a' })
    const { id } = m.instrument()
    expect(m.cancelAll('alice', { instrument: id, label: 'a' }).count).toBe(1)
    expect(m.cancelAll('alice', { kinds: ['spot'] }).count).toBe(0)
    expect(m.cancelAll('alice', { kinds: ['future'] }).count).toBe(2)
  })

  /** A resting limit, a market order that rested, and trigger orders of each type. */
  function mixed(): Market {
    const m = several()
    const below = { source: 'mark_price', price: '49900' } as const
    const above = { source: 'mark_price', price: '50100' } as const
    const trailing = { source: 'mark_price', offset: '100' } as const
    const amount = '100'
    m.buy('alice', { amount, price: '49990' })
    m.buy('alice', { amount, type: 'market' })
    m.sell('alice', { amount, type: 'stop_limit', price: '49800', trigger: below })
    m.sell('alice', { amount, type: 'stop_market', trigger: below })
    m.sell('alice', { amount, type: 'take_limit', price: '50100', trigger: above })
    m.sell('alice', { amount, type: 'take_market', trigger: above })
    m.sell('alice', { amount, type: 'trailing_stop', trigger: trailing })
    return m
  }

  test.each([
    ['limit: what stands in a book, market orders that rested too', 'in_book', [3, 4, 5, 6, 7]],
    ['stop: stop_limit and stop_market', ['stop_limit', 'stop_market'], [1, 2, 5, 6, 7]],
    ['take: take_limit and take_market', ['take_limit', 'take_market'], [1, 2, 3, 4, 7]],
    ['trailing_stop', ['trailing_stop'], [1, 2, 3, 4, 5, 6]],
    ['all trigger types', triggerOrderTypes, [1, 2]],
    ['all', null, []],
  ] as const)('C12 b by type: %s', (_what, types, left) => {
    const m = mixed()
    expect(m.cancelAll('alice', { types }).count).toBe(7 - left.length)
    expect(m.openOrders('alice').map(({ order }) => numberOfId(order.id))).toEqual(left)
  })

  test('by currency pair, named by its price index', () => {
    const m = several()
    m.buy('alice', { amount: '100', price: '50000' })
    m.buy('alice', { instrument: 'BTC_USDC', amount: '0.1', price: '50000' })
    expect(m.cancelAll('alice', { pair: 'eth_usd' }).count).toBe(0)
    expect(m.cancelAll('alice', { pair: 'btc_usdc' }).count).toBe(1)
    expect(m.cancelAll('alice', { pair: 'btc_usd' }).count).toBe(1)
  })

  test('R43 by several currencies at once', () => {
    const m = several()
    m.buy('alice', { amount: '100', price: '50000' })
    m.buy('alice', { instrument: 'ETH-PERPETUAL', amount: '100', price: '3000' })
    m.buy('alice', { instrument: 'BTC_USDC', amount: '0.1', price: '50000' })
    expect(m.cancelAll('alice', { currencies: ['ETH', 'USDC'] }).count).toBe(2)
  })

  test('C12 d the count includes orders that end through a link: two partners count as two', () => {
    const m = several()
    m.buy('alice', {
      ...{ amount: '100', price: '49990', label: 'pair' },
      linked: {
        type: 'one_cancels_other',
        secondaries: [{ side: 'sell', amount: '100', price: '50010' }],
      },
    })
    const all = m.cancelAll('alice', { label: 'pair' })
    expect(storyOf(m, all)).toEqual([...['1 cancelled, user_request', '2 cancelled, oco_other_closed', 'done']])
    expect(all.count).toBe(2)
  })

  test('C12 c d a primary is cancelled together with its secondaries, in their order', () => {
    const m = several()
    const secondaries = ['50010', '50020'].map((price) => ({ side: 'sell', amount: '100', price }) as const)
    m.buy('alice', {
      ...{ amount: '100', price: '49990' },
      linked: { type: 'one_triggers_other', secondaries },
    })
    m.buy('alice', { amount: '100', price: '49980' })
    const all = m.cancelAll('alice')
    expect(storyOf(m, all)).toEqual([
      '1 cancelled, user_request',
      '2 cancelled, oto_primary_closed',
      '3 cancelled, oto_primary_closed',
      '4 cancelled, user_request',
      'done',
    ])
    expect(all.count).toBe(4)
  })

  test('by label: also orders that wait, and dormant secondaries by their own label', () => {
    const m = several()
    const trigger = { source: 'mark_price', price: '50100' } as const
    m.buy('alice', { amount: '100', type: 'stop_market', trigger, label: 'mine' })
    m.buy('alice', {
      ...{ amount: '100', price: '49990', label: 'other' },
      linked: {
        type: 'one_triggers_other',
        secondaries: [{ side: 'sell', amount: '100', price: '50010', label: 'mine' }],
      },
    })
    expect(storyOf(m, m.cancelAll('alice', { label: 'mine' }))).toEqual([
      ...['1 cancelled, user_request', '3 cancelled, user_request', 'done'],
    ])
  })
})
