/**
 * Editing open orders: place in the queue, amounts, crossing prices, refusals.
 *
 * Source: trading.md 2 (amount is the total), 4.2, 6.10, C10, C28; S168, S231, S233.
 */
import { describe, expect, test } from 'vitest'
import { currencyId } from '../../src/core/index.ts'
import { makeOrderId } from '../../src/model/index.ts'
import { idOf, kindsOf, type Market, market, priceText } from '../support/harness.ts'

const rich = { BTC: '1000' }

function btc(): Market {
  return market({
    instruments: { 'BTC-PERPETUAL': {} },
    accounts: { alice: rich, bob: rich, carol: rich },
    index: { btc_usd: '50000' },
  })
}

/** Alice and then bob each bid 200 USD at 50000; returns whose bid a sell of `amount` meets first. */
function firstMetAfter(change: (m: Market, alice: ReturnType<typeof idOf>) => void): string {
  const m = btc()
  m.give('alice', '-1000', '50000')
  const alice = idOf(m.buy('alice', { amount: '200', price: '50000', postOnly: 'slide' }))
  m.buy('bob', { amount: '200', price: '50000' })
  change(m, alice)
  const [trade] = m.sell('carol', { amount: '10', price: '40000', type: 'market' }).trades
  return trade?.maker.account === m.account('alice') ? 'alice' : 'bob'
}

describe('rule order.edit-priority: edits that keep the place in the queue and edits that lose it (6.10)', () => {
  test.each([
    ['a smaller amount', { amount: '190' }, 'alice'],
    ['the same amount', { amount: '200' }, 'alice'],
    ['the same amount and price (C28 a)', { amount: '200', price: '50000' }, 'alice'],
    ['the post-only flag (C28 a)', { amount: '200', postOnly: 'off' }, 'alice'],
    ['the reduce-only flag (C28 a)', { amount: '200', reduceOnly: true }, 'alice'],
    ['a smaller amount with a flag', { amount: '100', postOnly: 'reject' }, 'alice'],
    ['a larger amount', { amount: '210' }, 'bob'],
    ['a lower price', { amount: '200', price: '49999.5' }, 'bob'],
    ['a higher price is a new place, ahead by price', { price: '50000.5' }, 'alice'],
  ] as const)('%s', (_what, words, first) => {
    expect(firstMetAfter((m, alice) => expect(m.edit('alice', alice, words).refusal).toBeNull())).toBe(first)
  })

  test('an order whose price changes and changes back has lost its place', () => {
    const first = firstMetAfter((m, alice) => {
      m.edit('alice', alice, { price: '50000.5' })
      m.edit('alice', alice, { price: '50000' })
    })
    expect(first).toBe('bob')
  })
})

describe('amounts: the total size, fills included', () => {
  test('2: raising 200 with 100 filled to 400 leaves 300 open; fills are never reset', () => {
    const m = btc()
    const order = idOf(m.buy('alice', { amount: '200', price: '50000' }))
    m.sell('bob', { amount: '100', price: '50000' })
    const edited = m.edit('alice', order, { amount: '400' })
    expect(edited.order).toMatchObject({ amount: 40, filled: 10, state: 'open', replaced: true })
    expect(m.depth('buy')).toEqual([['50000', '300']])
  })

  test('C28 c the new amount must exceed the filled amount: 10021', () => {
    const m = btc()
    const order = idOf(m.buy('alice', { amount: '200', price: '50000' }))
    m.sell('bob', { amount: '100', price: '50000' })
    for (const amount of ['100', '90']) {
      expect(m.edit('alice', order, { amount }).refusal).toEqual({ reason: 'invalid_amount' })
    }
    expect(m.edit('alice', order, { amount: '110' }).order).toMatchObject({ filled: 10 })
    expect(m.depth('buy')).toEqual([['50000', '10']])
  })

  test('S233 C10 parameters that are absent stay unchanged', () => {
    const m = btc()
    m.give('alice', '-1000', '50000')
    const order = idOf(
      m.buy('alice', {
        ...{ amount: '500', price: '50000', postOnly: 'slide', reduceOnly: true, label: 'mine' },
      }),
    )
    const edited = m.edit('alice', order, { amount: '490' })
    expect(edited.order).toMatchObject({
      ...{ postOnly: 'slide', reduceOnly: true, label: 'mine', price: 50_000_000_000_000 },
    })
    expect(m.edit('alice', order, { reduceOnly: false }).order).toMatchObject({
      ...{ postOnly: 'slide', reduceOnly: false, amount: 49 },
    })
  })
})

describe('C28 d a failed check leaves the old order untouched', () => {
  test('price band, funds, self-match, amount', () => {
    const m = market({
      instruments: { 'BTC-PERPETUAL': {} },
      accounts: { alice: { BTC: '0.01' }, bob: rich, carol: rich },
      index: { btc_usd: '50000' },
    })
    const order = idOf(m.buy('alice', { amount: '10000', price: '49990' }))
    m.sell('alice', { amount: '10', price: '50010' })
    m.buy('bob', { amount: '10', price: '49990' })
    const refusals = [
      m.edit('alice', order, { price: '50750.5' }),
      m.edit('alice', order, { amount: '90000' }),
      m.edit('alice', order, { price: '50010' }),
    ].map((outcome) => outcome.refusal?.reason)
    expect(refusals).toEqual(['price_too_high', 'not_enough_funds', 'order_overlap'])
    expect(m.openOrders('alice')[0]).toMatchObject({ order: { amount: 1000, replaced: false } })
    expect(m.sell('carol', { amount: '10', price: '49990' }).trades[0]?.maker.order).toBe(order)
  })
})

describe('C28 e an edit that crosses matches at once as taker', () => {
  test('S168 an edit that crosses and fills: order edited, the trades, one order filled', () => {
    const m = btc()
    m.sell('bob', { amount: '100', price: '50010' })
    const order = idOf(m.buy('alice', { amount: '100', price: '50000' }))
    const edited = m.edit('alice', order, { price: '50020' })
    expect(kindsOf(edited)).toEqual([...['order edited', 'trade', 'order filled', 'order filled', 'request']])
    expect(edited.trades[0]?.taker).toMatchObject({ order, rule: 'book_taker' })
    expect(priceText(edited.trades[0]?.price ?? m.position('bob').mark)).toBe('50010')
    expect(edited.order).toMatchObject({ state: 'filled', replaced: true, filled: 10 })
  })

  test('the remainder rests at the new price behind the orders already there', () => {
    const m = btc()
    m.sell('bob', { amount: '50', price: '50010' })
    const order = idOf(m.buy('alice', { amount: '100', price: '50000' }))
    const edited = m.edit('alice', order, { price: '50020', amount: '120' })
    expect(edited.order).toMatchObject({ state: 'open', filled: 5, amount: 12, rested: true })
    expect(m.depth('buy')).toEqual([['50020', '70']])
  })

  test('the order keeps its id and shows replaced', () => {
    const m = btc()
    const order = idOf(m.buy('alice', { amount: '100', price: '50000' }))
    const edited = m.edit('alice', order, { price: '49990' })
    expect(kindsOf(edited)).toEqual(['order edited', 'request'])
    expect(edited.order).toMatchObject({ order, replaced: true, state: 'open' })
  })
})

describe('C28 f refusals', () => {
  test("unknown 10004, another's 10029, closed 10010", () => {
    const m = btc()
    const bobs = idOf(m.buy('bob', { amount: '100', price: '50000' }))
    const closed = idOf(m.buy('alice', { amount: '100', price: '50000' }))
    m.cancel('alice', closed)
    const reason = (id: typeof bobs): string | undefined => m.edit('alice', id, { amount: '50' }).refusal?.reason
    expect(reason(makeOrderId(currencyId(0), 99, 'ordinary'))).toBe('order_not_found')
    expect(reason(makeOrderId(currencyId(1), 1, 'ordinary'))).toBe('order_not_found')
    expect(reason(bobs)).toBe('not_owner_of_order')
    expect(reason(closed)).toBe('already_closed')
  })

  test('a filled order is closed (S231)', () => {
    const m = btc()
    const order = idOf(m.buy('alice', { amount: '100', price: '50000' }))
    m.sell('bob', { amount: '100', price: '50000' })
    expect(m.edit('alice', order, { amount: '200' }).refusal?.reason).toBe('already_closed')
  })

  test('valid_until in the past: 13888', () => {
    const m = btc()
    const order = idOf(m.buy('alice', { amount: '100', price: '50000' }))
    const { now } = m.exchange
    expect(m.edit('alice', order, { amount: '50', validUntil: now }).refusal?.reason).toBe('timed_out')
  })
})
