/**
 * Cancels, one and many. Source: trading.md 4.4, 4.5, C12, C22, C28 f; coverage R43, R69; S084, S169,
 * S244.
 */
import { describe, expect, test } from 'vitest'
import { currencyId } from '../../src/core/index.ts'
import { type InstrumentState, makeOrderId } from '../../src/model/index.ts'
import { idOf, kindsOf, type Market, market } from '../support/harness.ts'

const rich = { BTC: '1000', ETH: '1000', USDC: '10000000' }

function several(): Market {
  return market({
    instruments: { 'BTC-PERPETUAL': {}, 'ETH-PERPETUAL': {}, BTC_USDC: {}, ETH_BTC: {} },
    accounts: { alice: rich, bob: rich },
    index: { btc_usd: '50000', eth_usd: '3000', btc_usdc: '50000', eth_btc: '0.05' },
  })
}

describe('one order by id', () => {
  test('S084 the order ends cancelled with user_request, and margin is free again', () => {
    const m = several()
    const order = idOf(m.buy('alice', { amount: '1000', price: '50000' }))
    const cancelled = m.cancel('alice', order)
    expect(kindsOf(cancelled)).toEqual(['order_cancelled', 'request_done'])
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
    expect(m.cancel('alice', makeOrderId(currencyId(0), 99)).refusal?.reason).toBe(
      'order_not_found',
    )
    expect(m.cancel('alice', bobs).refusal?.reason).toBe('not_owner_of_order')
    expect(m.cancel('alice', closed).refusal?.reason).toBe('not_open_order')
  })
})

describe('C22 book states: what they refuse', () => {
  test.each([
    ['settlement', 'settlement_in_progress', 'settlement_in_progress'],
    ['locked', 'locked_by_admin', null],
    ['delivered', 'book_closed', 'book_closed'],
    ['inactive', 'book_closed', 'book_closed'],
    ['halted', 'book_closed', 'book_closed'],
  ] as const)('%s', (state: InstrumentState, entry, cancel) => {
    const m = several()
    const order = idOf(m.buy('alice', { amount: '100', price: '50000' }))
    const [row] = m.exchange.instruments
    // No command sets a state yet; the row is written as settlement and controls will write it.
    if (row !== undefined) row.state = state
    expect(m.buy('alice', { amount: '100', price: '50000' }).refusal).toEqual({ reason: entry })
    expect(m.edit('alice', order, { amount: '50' }).refusal).toEqual({ reason: entry })
    expect(m.cancel('alice', order).refusal).toEqual(cancel === null ? null : { reason: cancel })
  })

  test('a bulk cancel passes over books that allow none', () => {
    const m = several()
    m.buy('alice', { amount: '100', price: '50000' })
    m.buy('alice', { instrument: 'ETH-PERPETUAL', amount: '100', price: '3000' })
    const [row] = m.exchange.instruments
    if (row !== undefined) row.state = 'halted'
    expect(m.cancelAll('alice').count).toBe(1)
    expect(m.openOrders('alice')).toHaveLength(1)
  })
})

describe('rule order.bulk-cancel: all that match, in the order of creation (C12)', () => {
  test('C12 c across instruments, whatever edits did to the queues', () => {
    const m = several()
    const first = idOf(m.buy('alice', { amount: '100', price: '50000' }))
    const second = idOf(
      m.sell('alice', { instrument: 'ETH-PERPETUAL', amount: '100', price: '3000' }),
    )
    m.buy('bob', { amount: '100', price: '50000' })
    const third = idOf(m.buy('alice', { amount: '100', price: '50001' }))
    m.edit('alice', first, { price: '49990' })
    m.cancel('alice', second)
    const fourth = idOf(m.sell('alice', { instrument: 'BTC_USDC', amount: '0.1', price: '50000' }))
    const all = m.cancelAll('alice')
    expect(all.events.map((event) => ('order' in event ? event.order : event.kind))).toEqual([
      ...[first, third, fourth, 'request_done'],
    ])
    expect(all.count).toBe(3)
    expect(m.openOrders('bob')).toHaveLength(1)
  })

  test('S244 R69 nothing to cancel is a count of 0, not an error', () => {
    const m = several()
    const none = m.cancelAll('alice', { label: 'nobody' })
    expect([none.refusal, none.count, kindsOf(none)]).toEqual([null, 0, ['request_done']])
  })

  test('S169 by label: exactly that text, on every instrument', () => {
    const m = several()
    m.buy('alice', { amount: '100', price: '50000', label: 'grid' })
    m.buy('alice', { amount: '100', price: '50000', label: 'grid2' })
    m.buy('alice', { instrument: 'ETH-PERPETUAL', amount: '100', price: '3000', label: 'grid' })
    expect(m.cancelAll('alice', { label: 'grid' }).count).toBe(2)
    expect(m.openOrders('alice').map((view) => view.order.label)).toEqual(['grid2'])
  })

  test('R43 by currency: the settlement currency; spot belongs to base and to quote', () => {
    const place = (): Market => {
      const m = several()
      m.buy('alice', { amount: '100', price: '50000' })
      m.buy('alice', { instrument: 'ETH-PERPETUAL', amount: '100', price: '3000' })
      m.buy('alice', { instrument: 'BTC_USDC', amount: '0.1', price: '50000' })
      m.buy('alice', { instrument: 'ETH_BTC', amount: '1', price: '0.05' })
      return m
    }
    expect(place().cancelAll('alice', { currency: 'BTC' }).count).toBe(3)
    expect(place().cancelAll('alice', { currency: 'USDC' }).count).toBe(1)
    expect(place().cancelAll('alice', { currency: 'ETH' }).count).toBe(2)
    expect(place().cancelAll('alice', { currency: 'BTC', kind: 'future' }).count).toBe(1)
    expect(place().cancelAll('alice', { currency: 'BTC', kind: 'spot' }).count).toBe(2)
  })

  test('by instrument and kind, all given parts at once', () => {
    const m = several()
    m.buy('alice', { amount: '100', price: '50000', label: 'a' })
    m.buy('alice', { amount: '100', price: '49999', label: 'b' })
    m.buy('alice', { instrument: 'ETH-PERPETUAL', amount: '100', price: '3000', label: 'a' })
    const { id } = m.instrument()
    expect(m.cancelAll('alice', { instrument: id, label: 'a' }).count).toBe(1)
    expect(m.cancelAll('alice', { kind: 'spot' }).count).toBe(0)
    expect(m.cancelAll('alice', { kind: 'future' }).count).toBe(2)
  })
})
