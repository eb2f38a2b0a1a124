/**
 * Icebergs: their visible part, their hidden part, and the matching of both.
 *
 * Source: trading.md 6.7, C09 (10036), C21, C25, C27.
 */
import { describe, expect, test } from 'vitest'
import type { ExchangeConfig, OrderChanged } from '../../src/model/index.ts'
import { idOf, type Market, market, money, priceText } from '../support/harness.ts'
import { storyOf } from '../support/story.ts'

const rich = { BTC: '1000' }

function btc(config: Partial<ExchangeConfig> = {}): Market {
  return market({
    instruments: { 'BTC-PERPETUAL': { maker_commission: '0.0001', taker_commission: '0.0005' } },
    accounts: { alice: rich, bob: rich, carol: rich },
    index: { btc_usd: '50000' },
    config,
  })
}

describe('rule order.iceberg-size: the minimum visible size of an iceberg (6.7)', () => {
  // The smallest order is 10 USD, so 1000 must be visible, and at most 100 times the visible size may be hidden.
  test.each([
    ['990', '3000', 'invalid_max_show_amount'],
    ['1000', '3000', undefined],
    ['1000', '100990', undefined],
    ['1000', '101000', 'invalid_max_show_amount'],
    ['1010', '102000', undefined],
    ['10', '20', 'invalid_max_show_amount'],
    ['10', '10', undefined],
    ['0', '10', undefined],
  ])('%s of %s: %s', (display, amount, reason) => {
    const m = btc()
    expect(m.sell('bob', { amount, price: '50000', display }).refusal?.reason).toBe(reason)
    const order = idOf(m.sell('bob', { amount: '10', price: '50000' }))
    expect(m.edit('bob', order, { amount, display }).refusal?.reason).toBe(reason)
  })

  test.each(['0', '3000', '5000'])('%s of 3000 is a normal order', (display) => {
    const m = btc()
    const order = m.sell('bob', { amount: '3000', price: '50000', display })
    expect(order.order).toMatchObject({ display: 0, shown: 300 })
    expect(m.depth('sell')).toEqual([['50000', '3000']])
  })
})

describe('rule order.iceberg: the visible part (C25)', () => {
  test('is all that the book shows, while margin counts the whole order', () => {
    const m = btc()
    const order = m.sell('bob', { amount: '5000', price: '50000', display: '1000' })
    expect(order.order).toMatchObject({ amount: 500, display: 100, shown: 100, state: 'open' })
    expect(m.depth('sell')).toEqual([['50000', '1000']])
    m.sell('carol', { amount: '5000', price: '50000' })
    const held = (name: string): bigint => m.wallet(name, 'BTC').initialMargin
    expect(held('bob')).toBe(held('carol'))
    expect(held('bob')).toBeGreaterThan(0n)
  })

  test('keeps its place and is not refilled after a partial fill', () => {
    const m = btc()
    m.sell('bob', { amount: '5000', price: '50000', display: '1000' })
    m.sell('carol', { amount: '500', price: '50000' })
    expect(storyOf(m, m.buy('alice', { amount: '400', price: '50000' })).slice(1)).toEqual([
      ...['trade 400 at 50000, 1 with 3', '1 filled 400 of 5000', '3 filled 400 of 400', 'done'],
    ])
    expect(m.depth('sell')).toEqual([['50000', '1100']])
    const [trade] = m.buy('alice', { amount: '10', price: '50000' }).trades
    expect(trade?.maker.account).toBe(m.account('bob'))
  })

  test('is refilled after a full fill, at the end of the queue', () => {
    const m = btc()
    m.sell('bob', { amount: '5000', price: '50000', display: '1000' })
    m.sell('carol', { amount: '500', price: '50000' })
    const taken = m.buy('alice', { amount: '1000', price: '50000' })
    expect(storyOf(m, taken)).toEqual([
      '3 opened',
      'trade 1000 at 50000, 1 with 3',
      '1 filled 1000 of 5000',
      '1 shows 1000',
      '3 filled 1000 of 1000',
      'done',
    ])
    const [filled, refreshed] = taken.events.filter(
      (event): event is OrderChanged =>
        (event.kind === 'order' && event.change === 'refreshed') ||
        (event.kind === 'order' && event.change === 'filled' && event.shown === 0),
    )
    expect(filled).toMatchObject({ state: 'open', shown: 0, filled: 100 })
    expect(refreshed).toMatchObject({ state: 'open', shown: 100, display: 100, rested: true })
    expect(m.depth('sell')).toEqual([['50000', '1500']])
    const [next] = m.buy('alice', { amount: '10', price: '50000' }).trades
    expect(next?.maker.account).toBe(m.account('carol'))
  })

  test('ends with the remainder: 10000 by 1000, after 9500 shows 500', () => {
    const m = btc()
    m.sell('bob', { amount: '10000', price: '50000', display: '1000' })
    m.buy('alice', { amount: '9500', price: '50000' })
    expect(m.depth('sell')).toEqual([['50000', '500']])
    const last = m.buy('alice', { amount: '600', price: '50000' })
    expect(storyOf(m, last).slice(1, 3)).toEqual([...['trade 500 at 50000, 1 with 3', '1 filled 10000 of 10000']])
    expect(m.openOrders('bob')).toEqual([])
  })

  test('an incoming iceberg matches with its whole amount, and shows a part of its remainder', () => {
    const m = btc()
    m.sell('bob', { amount: '3000', price: '50000' })
    const order = m.buy('alice', { amount: '5500', price: '50000', display: '2000' })
    expect(order.trades.map(({ amount }) => amount)).toEqual([300])
    expect(order.order).toMatchObject({ filled: 300, amount: 550, shown: 200 })
    expect(m.depth('buy')).toEqual([['50000', '2000']])
    // 1500 would be left, less than the display size.
    m.sell('bob', { amount: '1000', price: '50010' })
    const small = m.buy('carol', { amount: '2500', price: '50010', display: '2000' })
    expect(small.order).toMatchObject({ filled: 100, shown: 150 })
  })

  test('icebergs on two price levels of a sweep refill in the order in which their visible parts were used up', () => {
    const m = btc()
    m.sell('bob', { amount: '1500', price: '50010', display: '1000' })
    m.sell('carol', { amount: '1500', price: '50000', display: '1000' })
    m.sell('bob', { amount: '4000', price: '50010', display: '1000' })
    // 1500 at 50000; then 1000 and 1000 visible, and 400 of the hidden 500 of the first iceberg.
    expect(storyOf(m, m.buy('alice', { amount: '3900', price: '50010' }))).toEqual([
      '4 opened',
      ...['trade 1000 at 50000, 2 with 4', '2 filled 1000 of 1500'],
      ...['hidden 500 at 50000, 2 with 4', '2 filled 1500 of 1500'],
      ...['trade 1000 at 50010, 1 with 4', '1 filled 1000 of 1500'],
      ...['trade 1000 at 50010, 3 with 4', '3 filled 1000 of 4000'],
      ...['hidden 400 at 50010, 1 with 4', '1 filled 1400 of 1500'],
      ...['1 shows 100', '3 shows 1000', '4 filled 3900 of 3900', 'done'],
    ])
  })

  test('a cancel also removes the hidden part', () => {
    const m = btc()
    const order = idOf(m.sell('bob', { amount: '5000', price: '50000', display: '1000' }))
    expect(m.cancel('bob', order).order).toMatchObject({ amount: 500, filled: 0 })
    expect([m.depth('sell'), m.wallet('bob', 'BTC').initialMargin]).toEqual([[], 0n])
    expect(m.buy('alice', { amount: '10', price: '50000' }).trades).toEqual([])
  })

  test('level events show the visible amount, before and after a refill', () => {
    const m = btc({ bookEvents: true })
    m.sell('bob', { amount: '5000', price: '50000', display: '1000' })
    const taken = m.buy('alice', { amount: '1500', price: '50000' })
    const levels = taken.events.filter((event) => event.kind === 'level')
    expect(levels.map(({ amount }) => amount)).toEqual([0, 100])
  })
})

describe('rule order.iceberg-hidden: the hidden part (C25)', () => {
  test('matches after all visible orders at its price and before the next price', () => {
    const m = btc()
    m.sell('bob', { amount: '5000', price: '50000', display: '1000' })
    m.sell('carol', { amount: '500', price: '50000' })
    m.sell('carol', { amount: '500', price: '50010' })
    expect(storyOf(m, m.buy('alice', { amount: '5800', price: '50010' }))).toEqual([
      '4 opened',
      ...['trade 1000 at 50000, 1 with 4', '1 filled 1000 of 5000'],
      ...['trade 500 at 50000, 2 with 4', '2 filled 500 of 500'],
      ...['hidden 4000 at 50000, 1 with 4', '1 filled 5000 of 5000'],
      ...['trade 300 at 50010, 3 with 4', '3 filled 300 of 500'],
      ...['4 filled 5800 of 5800', 'done'],
    ])
  })

  test('matches in time priority among icebergs', () => {
    const m = btc()
    m.sell('bob', { amount: '3000', price: '50000', display: '1000' })
    m.sell('carol', { amount: '4000', price: '50000', display: '2000' })
    const taken = m.buy('alice', { amount: '5500', price: '50000' })
    expect(storyOf(m, taken).filter((line) => /trade|hidden|shows/.test(line))).toEqual([
      'trade 1000 at 50000, 1 with 3',
      'trade 2000 at 50000, 2 with 3',
      'hidden 2000 at 50000, 1 with 3',
      'hidden 500 at 50000, 2 with 3',
      '2 shows 1500',
    ])
  })

  test('is charged as a taker; the trade has the aggressor’s direction', () => {
    const m = btc()
    m.sell('bob', { amount: '5000', price: '50000', display: '1000' })
    const [seen, hidden] = m.buy('alice', { amount: '2500', price: '50000' }).trades
    // 1000 / 50000 x 0.0001 and 1500 / 50000 x 0.0005 coin; the taker pays the same rate for both.
    expect(seen).toMatchObject({ side: 'buy', maker: { rule: 'book_maker', side: 'sell' } })
    expect(hidden).toMatchObject({
      ...{ side: 'buy', amount: 150, tradeSeq: 2 },
      maker: { rule: 'hidden', side: 'sell', remaining: 250, position: -250 },
      taker: { rule: 'book_taker', side: 'buy' },
    })
    const fees = [seen, hidden].map((trade) => [money(trade?.maker.fee ?? 0n), money(trade?.taker.fee ?? 0n)])
    expect(fees).toEqual([
      ['0.000002', '0.00001'],
      ['0.000015', '0.000015'],
    ])
    expect(priceText(hidden?.price ?? m.position('bob').mark)).toBe('50000')
  })

  test('a limit price that the visible part does not reach does not match the hidden part either', () => {
    const m = btc()
    m.sell('bob', { amount: '3000', price: '50010', display: '1000' })
    expect(m.buy('alice', { amount: '3000', price: '50005' }).trades).toEqual([])
  })

  test('C21 counts for fill or kill', () => {
    const timeInForce = 'fill_or_kill'
    for (const [amount, state] of [
      ['3510', 'cancelled'],
      ['3500', 'filled'],
    ] as const) {
      const m = btc()
      m.sell('bob', { amount: '3000', price: '50000', display: '1000' })
      m.sell('carol', { amount: '500', price: '50010' })
      const order = m.buy('alice', { amount, price: '50010', timeInForce })
      expect([amount, order.order?.state]).toEqual([amount, state])
      expect(order.trades).toHaveLength(state === 'filled' ? 3 : 0)
    }
  })

  test('C27 an own order behind the hidden part is not reached while the hidden part suffices', () => {
    const m = btc()
    m.sell('bob', { amount: '3000', price: '50000', display: '1000' })
    m.sell('alice', { amount: '10', price: '50010' })
    const words = { price: '50010' }
    expect(m.buy('alice', { ...words, amount: '3010' }).refusal?.reason).toBe('order_overlap')
    expect(m.buy('alice', { ...words, amount: '3000' }).order?.state).toBe('filled')
  })

  test('C27 a visible own order at the same price comes before the hidden part', () => {
    const m = btc()
    m.sell('bob', { amount: '3000', price: '50000', display: '1000' })
    m.sell('alice', { amount: '10', price: '50000' })
    const words = { price: '50000' }
    expect(m.buy('alice', { ...words, amount: '1010' }).refusal?.reason).toBe('order_overlap')
    expect(m.buy('alice', { ...words, amount: '1000' }).order?.state).toBe('filled')
  })

  test('C27 cancel_maker cancels an own iceberg with its hidden part', () => {
    const m = btc({ selfMatch: 'cancel_maker' })
    m.sell('alice', { amount: '3000', price: '50000', display: '1000' })
    m.sell('bob', { amount: '1000', price: '50000' })
    expect(storyOf(m, m.buy('alice', { amount: '2000', price: '50000' }))).toEqual([
      '3 opened',
      '1 cancelled, risk_mitigation',
      ...['trade 1000 at 50000, 2 with 3', '2 filled 1000 of 1000', '3 filled 1000 of 2000'],
      'done',
    ])
  })
})
