/**
 * Good-til-day orders end with the session at 08:00 UTC. Source: trading.md 6.3, C21; market.md 3.6
 * step 1; coverage R01, R02, R23; S032, S094.
 */
import { describe, expect, test } from 'vitest'
import { idOf, type Market, market } from '../support/harness.ts'
import { isOfOrders, orderKindsOf } from '../support/story.ts'

const rich = { BTC: '1000', ETH: '1000' }
const timeInForce = 'good_til_day'
const hour = 3_600_000_000

function two(): Market {
  return market({
    instruments: { 'BTC-PERPETUAL': {}, 'ETH-PERPETUAL': {} },
    accounts: { alice: rich, bob: rich },
    index: { btc_usd: '50000', eth_usd: '3000' },
  })
}

describe('rule order.good-til-day: cancelled when the book enters settlement (C21)', () => {
  test('S094 at 08:00:00.000000 and not a microsecond before, with the reason settlement', () => {
    const m = two()
    const order = idOf(m.buy('alice', { amount: '100', price: '50000', timeInForce }))
    expect(orderKindsOf(m.wait(23 * hour - 1))).toEqual(['request'])
    const ended = m.wait(1)
    expect(orderKindsOf(ended)).toEqual(['order cancelled', 'request'])
    expect(ended.order).toMatchObject({
      ...{ order, reason: 'settlement', state: 'cancelled', cause: 0 },
    })
    expect(m.wallet('alice', 'BTC').initialMargin).toBe(0n)
  })

  test('S09 S095 an order whose instrument expires at that time ends by expiry', () => {
    const instruments = { 'BTC-6JAN26': {}, 'BTC-7JAN26': {} }
    const m = market({ instruments, accounts: { alice: rich }, index: { btc_usd: '50000' } })
    for (const instrument of Object.keys(instruments)) {
      m.buy('alice', { instrument, amount: '100', price: '50000', timeInForce })
    }
    const reasons = m.wait(23 * hour).events.flatMap((event) => (event.kind === 'order' ? [event.reason] : []))
    expect(reasons).toEqual(['expiry', 'settlement'])
  })

  test('the orders end at 08:00 even if the clock jumps over it', () => {
    const m = two()
    m.buy('alice', { amount: '100', price: '50000', timeInForce })
    const at = m.exchange.now + 23 * hour
    expect(m.wait(100 * hour).order?.time).toBe(at)
  })

  test('R02 R23 a request at exactly 08:00 comes after the settlement, and its order lives a day', () => {
    const m = two()
    m.buy('alice', { amount: '100', price: '50000', timeInForce })
    m.wait(23 * hour)
    const order = m.buy('alice', { amount: '100', price: '50000', timeInForce })
    expect(order.order?.state).toBe('open')
    m.wait(24 * hour - 1)
    expect(m.openOrders('alice')).toHaveLength(1)
    m.wait(1)
    expect(m.openOrders('alice')).toEqual([])
  })

  test('other orders stay; good-til-day orders end instrument by instrument, in the order of creation', () => {
    const m = two()
    const eth = { instrument: 'ETH-PERPETUAL', amount: '10', price: '3000', timeInForce } as const
    const first = idOf(m.buy('bob', eth))
    const second = idOf(m.sell('alice', { amount: '100', price: '50010', timeInForce }))
    const third = idOf(m.buy('bob', { amount: '100', price: '50000', timeInForce }))
    const stays = idOf(m.buy('bob', { amount: '100', price: '50000' }))
    m.edit('alice', second, { price: '50020' })
    const ended = m.wait(23 * hour)
    const reported = ended.events.filter(isOfOrders)
    expect(reported.map((event) => ('order' in event ? event.order : event.kind))).toEqual([
      ...[second, third, first, 'request'],
    ])
    expect(m.openOrders('bob').map((view) => view.order.id)).toEqual([stays])
  })

  test('orders that were filled or cancelled before are not touched', () => {
    const m = two()
    const order = idOf(m.buy('alice', { amount: '100', price: '50000', timeInForce }))
    m.buy('alice', { amount: '100', price: '49990', timeInForce })
    m.sell('bob', { amount: '100', price: '50000' })
    m.cancelAll('alice')
    expect(orderKindsOf(m.wait(23 * hour))).toEqual(['request'])
    expect(m.cancel('alice', order).refusal?.reason).toBe('not_open_order')
  })
})
