/**
 * States of a book: the requests that each state refuses, and the orders that it cancels. Source: trading.md 6.4, C18,
 * C21, C22; coverage R23, R52; S095, S096.
 */
import { describe, expect, test } from 'vitest'
import { idOf, kindsOf, type Market, market } from '../support/harness.ts'
import type { OrderWords } from '../support/market-words.ts'
import { storyOf } from '../support/story.ts'

const rich = { BTC: '1000', ETH: '1000' }

function two(): Market {
  return market({
    instruments: { 'BTC-PERPETUAL': {}, 'ETH-PERPETUAL': {} },
    accounts: { alice: rich, bob: rich },
    index: { btc_usd: '50000', eth_usd: '3000' },
  })
}

const stop: OrderWords = {
  ...{ amount: '100', type: 'stop_market' },
  trigger: { source: 'mark_price', price: '51000' },
}

/** Orders of each kind: 1 and 2 rest, 3 and 4 wait for a price, 5 is a primary and 6 its secondary. */
function filled(): Market {
  const m = two()
  const timeInForce = 'good_til_day'
  m.buy('alice', { amount: '100', price: '49990' })
  m.buy('bob', { amount: '100', price: '49990', timeInForce })
  m.buy('alice', stop)
  m.buy('bob', { ...stop, timeInForce })
  m.sell('alice', {
    ...{ amount: '100', price: '50010' },
    linked: {
      type: 'one_triggers_other',
      secondaries: [{ side: 'buy', amount: '100', price: '49990', timeInForce }],
    },
  })
  m.buy('alice', { instrument: 'ETH-PERPETUAL', amount: '100', price: '3000', timeInForce })
  return m
}

describe('rule order.book-state: requests that a state refuses (C22)', () => {
  test.each([
    ['settlement', 'settlement_in_progress', 'settlement_in_progress'],
    ['locked', 'locked_by_admin', null],
    ['halted', 'book_closed', 'book_closed'],
  ] as const)('%s: new orders and edits %s, cancels %s', (state, entry, cancel) => {
    const m = two()
    const order = idOf(m.buy('alice', { amount: '100', price: '50000' }))
    const waits = idOf(m.buy('alice', stop))
    const reported = m.bookState(state)
    expect(storyOf(m, reported)).toEqual([`book ${state}`, 'done'])
    expect(m.buy('alice', { amount: '100', price: '50000' }).refusal).toEqual({ reason: entry })
    expect(m.buy('alice', stop).refusal).toEqual({ reason: entry })
    for (const id of [order, waits]) {
      expect(m.edit('alice', id, { amount: '50' }).refusal).toEqual({ reason: entry })
    }
    expect(m.edit('alice', waits, { triggerPrice: '51000' }).refusal).toEqual({ reason: entry })
    for (const id of [order, waits]) {
      expect(m.cancel('alice', id).refusal).toEqual(cancel === null ? null : { reason: cancel })
    }
    m.bookState('open')
    expect(m.buy('alice', { amount: '100', price: '50000' }).refusal).toBeNull()
  })

  test.each(['delivered', 'inactive'] as const)('%s: all requests are refused', (state) => {
    const m = two()
    const order = idOf(m.buy('alice', { amount: '100', price: '50000' }))
    m.bookState(state)
    expect(m.buy('alice', { amount: '100', price: '50000' }).refusal?.reason).toBe('book_closed')
    expect(m.buy('alice', stop).refusal?.reason).toBe('book_closed')
    expect(m.cancel('alice', order).refusal?.reason).toBe('not_open_order')
    expect(m.edit('alice', order, { amount: '50' }).refusal?.reason).toBe('already_closed')
  })

  test('a state applies to one book; other books continue', () => {
    const m = two()
    m.bookState('locked')
    const eth = { instrument: 'ETH-PERPETUAL', amount: '100', price: '3000' }
    expect(m.buy('alice', eth).refusal).toBeNull()
  })

  test('a bulk cancel skips books that allow no cancels', () => {
    const m = two()
    m.buy('alice', { amount: '100', price: '50000' })
    m.buy('alice', { instrument: 'ETH-PERPETUAL', amount: '100', price: '3000' })
    m.bookState('halted')
    expect(m.cancelAll('alice').count).toBe(1)
    expect(m.openOrders('alice')).toHaveLength(1)
    m.bookState('locked')
    expect(m.cancelAll('alice').count).toBe(1)
  })

  test('setting the current state again makes no event', () => {
    const m = two()
    expect(kindsOf(m.bookState('open'))).toEqual(['request'])
    m.bookState('locked')
    expect(kindsOf(m.bookState('locked'))).toEqual(['request'])
  })
})

describe('rule order.book-state: orders that a state cancels', () => {
  test('settlement cancels good-til-day orders of the book, including waiting ones (C21)', () => {
    const m = filled()
    // The secondary 6 is dormant, so its day has not begun.
    expect(storyOf(m, m.bookState('settlement'))).toEqual([
      'book settlement',
      '2 cancelled, settlement',
      '4 cancelled, settlement',
      'done',
    ])
    expect(m.openOrders('alice')).toHaveLength(5)
    expect(m.openOrders('bob')).toEqual([])
  })

  test('delivered cancels all orders by ascending id; clients do not see the reason expiry (C31 h)', () => {
    const m = filled()
    expect(storyOf(m, m.bookState('delivered'))).toEqual([
      'book delivered',
      '1 cancelled, expiry',
      '2 cancelled, expiry',
      '3 cancelled, expiry',
      '4 cancelled, expiry',
      '5 cancelled, expiry',
      '6 cancelled, expiry',
      'done',
    ])
    expect(m.openOrders('alice')).toHaveLength(1)
    expect(m.wallet('alice', 'BTC').initialMargin).toBe(0n)
  })

  test('S096 R52 inactive cancels all orders with risk_mitigation', () => {
    const m = filled()
    expect(storyOf(m, m.bookState('inactive')).slice(0, 5)).toEqual([
      'book inactive',
      '1 cancelled, risk_mitigation',
      '2 cancelled, risk_mitigation',
      '3 cancelled, risk_mitigation',
      '4 cancelled, risk_mitigation',
    ])
    expect([m.depth('buy'), m.depth('sell')]).toEqual([[], []])
  })

  test('linked partners are cancelled together, the second one through its link', () => {
    const m = two()
    m.buy('alice', {
      ...{ amount: '100', price: '49990' },
      linked: {
        type: 'one_cancels_other',
        secondaries: [{ side: 'sell', amount: '100', price: '50010' }],
      },
    })
    expect(storyOf(m, m.bookState('inactive'))).toEqual([
      'book inactive',
      '1 cancelled, risk_mitigation',
      '2 cancelled, oco_other_closed',
      'done',
    ])
  })

  test('locked and halted cancel nothing', () => {
    for (const state of ['locked', 'halted'] as const) {
      const m = filled()
      expect(storyOf(m, m.bookState(state))).toEqual([`book ${state}`, 'done'])
      expect(m.depth('buy')).toEqual([['49990', '200']])
    }
  })

  test('triggers that fire in a closed book are refused with book_closed, and their orders end', () => {
    const m = two()
    m.buy('alice', stop)
    m.bookState('locked')
    expect(storyOf(m, m.index('btc_usd', '51000'))).toEqual([
      ...['index 51000', 'mark 51000', 'done', '1 rejected, book_closed'],
    ])
    expect(m.openOrders('alice')).toEqual([])
  })
})
