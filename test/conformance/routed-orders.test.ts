/**
 * Spot matched by a third-party exchange: requests are answered at once, and orders match after a delay.
 *
 * Source: coverage R36, R37, R02 (timers of rank 1), R68; trading.md C18, C21, C24, C27.
 */
import { describe, expect, test } from 'vitest'
import type { OrderId } from '../../src/core/index.ts'
import { idOf, kindsOf, type Market, market, money, type Outcome } from '../support/harness.ts'
import type { OrderWords } from '../support/market-words.ts'
import { storyOf } from '../support/story.ts'

const rich = { BTC: '10', USDC: '1000000' }
const delay = 5000

function spot(): Market {
  return market({
    instruments: { BTC_USDC: { routing: 'third_party' } },
    accounts: { alice: rich, bob: rich },
    index: { btc_usdc: '50000' },
  })
}

/** An ask of bob that has arrived. */
function resting(amount = '1', price = '50000'): Market {
  const m = spot()
  m.sell('bob', { amount, price })
  m.wait(delay)
  return m
}

/** The events while the clock advances. */
function later(m: Market, micro = delay): string[] {
  return storyOf(m, m.wait(micro))
}

describe('rule order.routed: answered at once, matched after 5 ms (R37)', () => {
  test('the reply shows the order as open without trades; the fills follow', () => {
    const m = resting()
    const placed = m.buy('alice', { amount: '0.4', price: '50000' })
    expect(kindsOf(placed)).toEqual(['order opened', 'request'])
    expect(placed.order).toMatchObject({ state: 'open', rested: false })
    expect(later(m, delay - 1)).toEqual(['done'])
    const arrived = m.wait(1)
    expect(storyOf(m, arrived)).toEqual([
      ...['trade 0.4 at 50000, 1 with 2', '1 filled 0.4 of 1', '2 filled 0.4 of 0.4', 'done'],
    ])
    // Events of a timer have no request.
    expect(arrived.events.slice(0, -1).map(({ cause }) => cause)).toEqual([0, 0, 0])
  })

  test('on its way it is in no book, but its funds are reserved', () => {
    const m = spot()
    m.buy('alice', { amount: '0.4', price: '50000' })
    expect(m.depth('buy')).toEqual([])
    expect(money(m.wallet('alice', 'USDC').spotReserve)).toBe('20000')
    expect(m.openOrders('alice')).toHaveLength(1)
    m.wait(delay)
    expect(m.depth('buy')).toEqual([['50000', '0.4']])
    expect(money(m.wallet('alice', 'USDC').spotReserve)).toBe('20000')
  })

  test('all checks come first: band, funds, own orders, post-only', () => {
    const m = resting()
    const reason = (words: OrderWords): string | undefined => m.buy('alice', words).refusal?.reason
    expect(reason({ amount: '1', price: '60000' })).toBe('price_too_high')
    expect(reason({ amount: '30', price: '50000' })).toBe('not_enough_funds_in_currency')
    expect(reason({ amount: '1', price: '50000', postOnly: 'reject' })).toBe('post_only_reject')
    expect(m.buy('bob', { amount: '1', price: '50000' }).refusal?.reason).toBe('order_overlap')
  })

  test('orders arrive in the order of the requests, whatever their prices', () => {
    const m = resting('1')
    m.buy('alice', { amount: '1', price: '50000' })
    m.buy('alice', { amount: '1', price: '50010' })
    expect(later(m)).toEqual([...['trade 1 at 50000, 1 with 2', '1 filled 1 of 1', '2 filled 1 of 1', 'done']])
    expect(m.depth('buy')).toEqual([['50010', '1']])
  })

  test('R02 an arrival comes before a request of the same microsecond', () => {
    const m = resting()
    m.buy('alice', { amount: '1', price: '50000' })
    m.wait(delay)
    expect(m.openOrders('alice')).toEqual([])
  })

  test.each([
    ['immediate_or_cancel', '0.4'],
    ['fill_or_kill', '0'],
  ] as const)('%s ends on arrival', (timeInForce, filled) => {
    const m = resting('0.4')
    const placed = m.buy('alice', { amount: '1', price: '50000', timeInForce })
    expect(placed.order?.state).toBe('open')
    const trades = filled === '0' ? [] : ['trade 0.4 at 50000, 1 with 2', '1 filled 0.4 of 0.4']
    expect(later(m)).toEqual([...trades, '2 cancelled, time_in_force', 'done'])
    expect(m.wallet('alice', 'USDC').spotReserve).toBe(0n)
  })

  test('fill or kill is checked on arrival, not before', () => {
    const m = resting('0.4')
    m.sell('bob', { amount: '0.6', price: '50000' })
    m.buy('alice', { amount: '1', price: '50000', timeInForce: 'fill_or_kill' })
    expect(later(m).at(-2)).toBe('3 filled 1 of 1')
  })

  test('the remainder of a market order rests at the band of its submission', () => {
    const m = resting('0.4')
    m.buy('alice', { amount: '1', type: 'market' })
    expect(later(m).slice(-3)).toEqual(['2 filled 0.4 of 1', '2 rested', 'done'])
    // 2 % above 50000.
    expect(m.depth('buy')).toEqual([['51000', '0.6']])
  })

  test('a stop-limit waits for its price, and is sent once it fires', () => {
    const m = resting()
    const trigger = { source: 'index_price', price: '50100' } as const
    m.buy('alice', { amount: '1', type: 'stop_limit', price: '50000', trigger })
    expect(storyOf(m, m.index('btc_usdc', '50100')).slice(-2)).toEqual([...['2 triggered as 3', '3 opened']])
    expect(later(m)[0]).toBe('trade 1 at 50000, 1 with 3')
  })

  test('an instrument that the venue itself matches is not routed', () => {
    const m = market({
      instruments: { BTC_USDC: {} },
      accounts: { alice: rich },
      index: { btc_usdc: '50000' },
    })
    m.buy('alice', { amount: '1', price: '50000' })
    expect(m.depth('buy')).toEqual([['50000', '1']])
  })
})

describe('rule order.routed: checks that are repeated on arrival (R68, C18)', () => {
  test('a post-only order that would now match ends', () => {
    for (const postOnly of ['slide', 'reject'] as const) {
      const m = spot()
      m.sell('bob', { amount: '1', price: '50000' })
      m.buy('alice', { amount: '1', price: '50000', postOnly })
      expect(later(m)).toEqual(['2 cancelled, risk_mitigation', 'done'])
    }
  })

  test('an order that would now match an own order ends; with cancel_maker the other one ends', () => {
    const m = spot()
    m.sell('alice', { amount: '1', price: '50000' })
    m.buy('alice', { amount: '1', price: '50000' })
    expect(later(m)).toEqual(['2 cancelled, risk_mitigation', 'done'])
    m.selfTrading('alice', 'cancel_maker')
    m.buy('alice', { amount: '1', price: '50000' })
    expect(later(m)).toEqual(['1 cancelled, risk_mitigation', 'done'])
    expect(m.depth('buy')).toEqual([['50000', '1']])
  })

  test('neither the band nor the funds are checked again', () => {
    const m = resting()
    m.buy('alice', { amount: '1', price: '50000' })
    m.index('btc_usdc', '40000')
    expect(later(m)[0]).toBe('trade 1 at 50000, 1 with 2')
  })

  test('an order that arrives at a closed book ends', () => {
    const m = resting()
    m.buy('alice', { amount: '1', price: '50000' })
    m.bookState('halted')
    expect(later(m)).toEqual(['2 cancelled, risk_mitigation', 'done'])
  })
})

describe('rule order.routed: cancels and edits on the way', () => {
  const words = { amount: '1', price: '50000' }

  function sent(m: Market): OrderId {
    return idOf(m.buy('alice', words))
  }

  test('cancels take effect at once', () => {
    const m = resting()
    const order = sent(m)
    expect(storyOf(m, m.cancel('alice', order))).toEqual(['2 cancelled, user_request', 'done'])
    expect(m.wallet('alice', 'USDC').spotReserve).toBe(0n)
    expect(later(m)).toEqual(['done'])
    expect(m.cancel('alice', order).refusal?.reason).toBe('not_open_order')
  })

  test('bulk cancels reach it like an order in the book', () => {
    const m = resting()
    sent(m)
    expect(m.cancelAll('alice', { types: 'in_book' }).count).toBe(1)
    expect(later(m)).toEqual(['done'])
  })

  test('an edit on the way restarts the wait', () => {
    const m = resting()
    const order = sent(m)
    m.wait(3000)
    expect(storyOf(m, m.edit('alice', order, { amount: '0.5' }))).toEqual(['2 edited', 'done'])
    expect(later(m, delay - 1)).toEqual(['done'])
    expect(later(m, 1)[0]).toBe('trade 0.5 at 50000, 1 with 2')
  })

  test('an edit that keeps the place takes effect at once', () => {
    const m = spot()
    const order = sent(m)
    m.wait(delay)
    const edited: Outcome = m.edit('alice', order, { amount: '0.5' })
    expect(storyOf(m, edited)).toEqual(['1 edited', 'done'])
    expect(m.depth('buy')).toEqual([['50000', '0.5']])
    expect(later(m)).toEqual(['done'])
  })

  test('any other edit takes the order out of the book and sends it again', () => {
    const m = spot()
    const order = sent(m)
    m.wait(delay)
    const edited = m.edit('alice', order, { price: '50010' })
    expect([storyOf(m, edited), m.depth('buy')]).toEqual([['1 edited', 'done'], []])
    expect(money(m.wallet('alice', 'USDC').spotReserve)).toBe('50010')
    m.sell('bob', { amount: '0.4', price: '50010' })
    m.wait(delay - 1)
    expect(m.depth('buy')).toEqual([])
    // Both arrive at the same time: first the edited order, which rests, then the sell.
    expect(later(m, 1)).toEqual([
      ...['trade 0.4 at 50010, 1 with 2', '1 filled 0.4 of 1', '2 filled 0.4 of 0.4', 'done'],
    ])
  })

  test('an edited order that must not rest still ends on arrival', () => {
    const m = spot()
    const ioc = { ...words, timeInForce: 'immediate_or_cancel' } as const
    const order = idOf(m.buy('alice', ioc))
    m.edit('alice', order, { amount: '0.5' })
    expect(later(m)).toEqual(['1 cancelled, time_in_force', 'done'])
  })

  test('a good-til-day order on its way ends with the session', () => {
    const m = spot()
    m.wait(23 * 3_600_000_000 - 1000)
    m.buy('alice', { ...words, timeInForce: 'good_til_day' })
    expect(later(m)).toEqual(['1 cancelled, settlement', 'done'])
  })

  test('an order on its way counts in the limits of open orders', () => {
    const m = spot()
    for (let count = 0; count < 200; count += 1) {
      m.buy('alice', { amount: '0.001', price: '50000' })
    }
    expect(m.buy('alice', { amount: '0.001', price: '50000' }).refusal).toEqual({
      ...{ reason: 'max_spot_open_orders', limit: 200 },
    })
  })
})
