/**
 * Reduce-only orders: together they never exceed the position that they reduce.
 *
 * Source: trading.md 6.8, C06 step 3, C18, C21, C26, C27; market.md 6.1; S087.
 */
import { describe, expect, test } from 'vitest'
import type { Side } from '../../src/model/index.ts'
import { idOf, kindsOf, type Market, market } from '../support/harness.ts'
import type { OrderWords } from '../support/market-words.ts'
import { storyOf } from '../support/story.ts'

const rich = { BTC: '1000' }
const reduceOnly = true

/** A market in which alice is given a position in USD. */
function holding(size: string): Market {
  const m = market({
    instruments: { 'BTC-PERPETUAL': {}, 'BTC-27MAR26': {} },
    accounts: { alice: rich, bob: rich, carol: rich },
    index: { btc_usd: '50000' },
  })
  m.give('alice', size, '50000')
  return m
}

/** Places a reduce-only order of alice and returns the events as text. */
function reduce(m: Market, side: Side, amount: string, price: string): string[] {
  return storyOf(m, m[side]('alice', { amount, price, reduceOnly }))
}

const refusal = { reason: 'other_reject reduce_direction' }

describe('rule order.reduce-only: it needs a position of the other direction (C26)', () => {
  test.each([
    ['buy', '100'],
    ['sell', '-100'],
  ] as const)('a %s is refused with a position of %s', (side, size) => {
    const m = holding(size)
    for (const type of ['limit', 'market'] as const) {
      const words: OrderWords = { amount: '10', price: '50000', type, reduceOnly }
      const refused = m[side]('alice', words)
      expect(refused.refusal).toEqual(refusal)
      expect(kindsOf(refused)).toEqual(['refusal', 'request'])
      const other = side === 'buy' ? 'sell' : 'buy'
      expect(m[other]('alice', words).refusal).toBeNull()
    }
  })

  test('it is refused without a position, or with one in another instrument or account', () => {
    const m = holding('-100')
    const words = { amount: '10', price: '50000', reduceOnly }
    expect(m.buy('bob', words).refusal).toEqual(refusal)
    expect(m.buy('alice', { ...words, instrument: 'BTC-27MAR26' }).refusal).toEqual(refusal)
  })

  test('a closed position does not count', () => {
    const m = holding('-100')
    m.give('alice', '100', '50000')
    expect(m.buy('alice', { amount: '10', price: '50000', reduceOnly }).refusal).toEqual(refusal)
  })
})

describe('rule order.reduce-only: the size is cut to the position (C26)', () => {
  test('at entry, after its opening event; the amount becomes the part that may fill', () => {
    const m = holding('-100')
    const order = m.buy('alice', { amount: '300', price: '50000', reduceOnly })
    expect(storyOf(m, order)).toEqual(['1 opened', '1 resized to 100, reduce_only', 'done'])
    expect(order.order).toMatchObject({ amount: 10, filled: 0, state: 'open', reduceOnly: true })
    expect(m.depth('buy')).toEqual([['50000', '100']])
  })

  test('before it matches', () => {
    const m = holding('-100')
    m.sell('bob', { amount: '500', price: '50000' })
    const order = m.buy('alice', { amount: '300', type: 'market', reduceOnly })
    expect(storyOf(m, order)).toEqual([
      ...['2 opened', '2 resized to 100, reduce_only'],
      ...['trade 100 at 50000, 1 with 2', '1 filled 100 of 500', '2 filled 100 of 100', 'done'],
    ])
    expect(m.position('alice').size).toBe(0)
  })

  test('C21 fill or kill requires only the cut amount', () => {
    const m = holding('-100')
    m.sell('bob', { amount: '100', price: '50000' })
    const words = { amount: '300', price: '50000', timeInForce: 'fill_or_kill' } as const
    expect(m.buy('alice', { ...words, reduceOnly }).order).toMatchObject({
      ...{ state: 'filled', filled: 10, amount: 10 },
    })
  })

  test('the order that would execute first has precedence; those behind it shrink', () => {
    const m = holding('-100')
    expect(reduce(m, 'buy', '60', '49990')).toEqual(['1 opened', 'done'])
    expect(reduce(m, 'buy', '60', '49980')).toEqual([...['2 opened', '2 resized to 40, reduce_only', 'done']])
    expect(reduce(m, 'buy', '50', '49995')).toEqual([
      '3 opened',
      '1 resized to 50, reduce_only',
      '2 cancelled, risk_mitigation',
      'done',
    ])
  })

  test('sells: the lowest first', () => {
    const m = holding('100')
    reduce(m, 'sell', '60', '50010')
    expect(reduce(m, 'sell', '100', '50000')).toEqual([...['2 opened', '1 cancelled, risk_mitigation', 'done']])
  })

  test('at one price the older first, so a new order comes last', () => {
    const m = holding('-100')
    reduce(m, 'buy', '60', '50000')
    expect(reduce(m, 'buy', '60', '50000')).toEqual([...['2 opened', '2 resized to 40, reduce_only', 'done']])
  })

  test('if other orders cover the whole position, it opens and ends; the request succeeds', () => {
    const m = holding('-100')
    reduce(m, 'buy', '100', '50000')
    const order = m.buy('alice', { amount: '10', price: '49990', reduceOnly })
    expect(order.refusal).toBeNull()
    expect(storyOf(m, order)).toEqual(['2 opened', '2 cancelled, risk_mitigation', 'done'])
    expect(order.order).toMatchObject({ state: 'cancelled', amount: 1, filled: 0 })
  })

  test('orders without the flag do not count', () => {
    const m = holding('-100')
    m.buy('alice', { amount: '500', price: '50005' })
    expect(reduce(m, 'buy', '100', '50000')).toEqual(['2 opened', 'done'])
  })
})

describe('rule order.reduce-only: it shrinks with the position and does not grow back (C26)', () => {
  /** Short 100: a plain bid before two reduce-only ones. */
  function bids(): Market {
    const m = holding('-100')
    m.buy('alice', { amount: '120', price: '50010' })
    reduce(m, 'buy', '60', '50000')
    reduce(m, 'buy', '40', '49990')
    return m
  }

  test('C06 after each fill, before the maker’s own event and the next match', () => {
    const m = bids()
    expect(storyOf(m, m.sell('bob', { amount: '70', price: '49990' }))).toEqual([
      '4 opened',
      'trade 70 at 50010, 1 with 4',
      '2 resized to 30, reduce_only',
      '3 cancelled, risk_mitigation',
      '1 filled 70 of 120',
      '4 filled 70 of 70',
      'done',
    ])
  })

  test('a sweep meets only the amounts that are left at that moment', () => {
    const m = bids()
    // 120 at 50010 turn the position long, so neither of the other orders is met.
    expect(storyOf(m, m.sell('bob', { amount: '150', price: '49990' }))).toEqual([
      '4 opened',
      'trade 120 at 50010, 1 with 4',
      '2 cancelled, risk_mitigation',
      '3 cancelled, risk_mitigation',
      ...['1 filled 120 of 120', '4 filled 120 of 150', 'done'],
    ])
  })

  test('fills of a reduce-only order do not change the others', () => {
    const m = holding('-100')
    reduce(m, 'buy', '60', '50000')
    reduce(m, 'buy', '40', '49990')
    expect(storyOf(m, m.sell('bob', { amount: '80', price: '49990' }))).toEqual([
      '3 opened',
      ...['trade 60 at 50000, 1 with 3', '1 filled 60 of 60'],
      ...['trade 20 at 49990, 2 with 3', '2 filled 20 of 40', '3 filled 80 of 80', 'done'],
    ])
  })

  test('a cut keeps the filled amount and the place in the queue', () => {
    const m = holding('-100')
    const order = idOf(m.buy('alice', { amount: '100', price: '50000', reduceOnly }))
    m.buy('carol', { amount: '10', price: '50000' })
    m.sell('bob', { amount: '30', price: '50000' })
    const given = m.give('alice', '50', '50000')
    expect(storyOf(m, given)).toEqual([...['given_position', '1 resized to 50, reduce_only', 'given_position', 'done']])
    expect(given.events[1]).toMatchObject({ filled: 3, amount: 5, state: 'open', rested: true })
    expect(m.sell('bob', { amount: '10', price: '50000' }).trades[0]?.maker.order).toBe(order)
  })

  test('fills as taker count too: they cut the taker’s own resting orders', () => {
    const m = holding('100')
    reduce(m, 'sell', '100', '50010')
    m.buy('bob', { amount: '60', price: '49990' })
    expect(storyOf(m, m.sell('alice', { amount: '60', price: '49990' }))).toEqual([
      '3 opened',
      ...['trade 60 at 49990, 2 with 3', '1 resized to 40, reduce_only'],
      ...['2 filled 60 of 60', '3 filled 60 of 60', 'done'],
    ])
  })

  test('a reduce-only taker comes before resting ones', () => {
    const m = holding('100')
    reduce(m, 'sell', '100', '50010')
    m.buy('bob', { amount: '60', price: '49990' })
    expect(reduce(m, 'sell', '60', '49990')).toEqual([
      ...['3 opened', '1 resized to 40, reduce_only'],
      ...['trade 60 at 49990, 2 with 3', '2 filled 60 of 60', '3 filled 60 of 60', 'done'],
    ])
  })

  test('a position that grows again does not restore the orders', () => {
    const m = holding('-100')
    reduce(m, 'buy', '100', '50000')
    m.give('alice', '60', '50000')
    expect(kindsOf(m.give('alice', '-60', '50000'))).toEqual(['given_position', 'given_position', 'request'])
    expect(m.depth('buy')).toEqual([['50000', '40']])
  })

  test('the end of the position cancels them', () => {
    const m = holding('-100')
    reduce(m, 'buy', '100', '50000')
    // The other position belongs to the house account.
    expect(storyOf(m, m.give('alice', '200', '50000'))).toEqual([
      ...['given_position', '1 cancelled, risk_mitigation', 'given_position', 'done'],
    ])
    expect(m.depth('buy')).toEqual([])
  })

  test('untriggered orders are not cut, because they cannot execute yet', () => {
    const m = holding('-100')
    const trigger = { source: 'mark_price', price: '50100' } as const
    m.buy('alice', { amount: '300', type: 'stop_limit', price: '50000', reduceOnly, trigger })
    expect(kindsOf(m.give('alice', '100', '50000'))).toEqual(['given_position', 'given_position', 'request'])
    expect(m.openOrders('alice')[0]?.order.amount).toBe(30)
  })

  test('a cut takes the hidden part of an iceberg first', () => {
    const m = holding('-5000')
    m.buy('alice', { amount: '5000', price: '50000', display: '1000', reduceOnly })
    m.give('alice', '2000', '50000')
    expect(m.depth('buy')).toEqual([['50000', '1000']])
    m.give('alice', '2400', '50000')
    expect(m.depth('buy')).toEqual([['50000', '600']])
    m.sell('bob', { amount: '600', price: '50000' })
    expect([m.position('alice').size, m.openOrders('alice')]).toEqual([0, []])
  })

  test('an iceberg that fills through its hidden part has ended, and later cuts ignore it', () => {
    const m = holding('2000')
    m.sell('alice', { amount: '2000', price: '50000', display: '1000', reduceOnly })
    m.buy('bob', { amount: '2000', price: '50000' })
    expect(kindsOf(m.give('alice', '100', '50000'))).toEqual(['given_position', 'given_position', 'request'])
  })
})

describe('rule order.reduce-only: linked partners share one part of the position (C26, C32)', () => {
  const other: Omit<OrderWords, 'linked'> & { readonly side: Side } = {
    ...{ side: 'buy', amount: '100', price: '49980', reduceOnly },
  }

  /** Alice is short 100. She has two linked bids, each for the whole position, and a third one. */
  function paired(condition: 'first_hit' | 'complete_fill'): Market {
    const m = holding('-100')
    const linked = { type: 'one_cancels_other', condition, secondaries: [other] } as const
    const words = { amount: '100', price: '50000', reduceOnly, linked }
    expect(storyOf(m, m.buy('alice', words))).toEqual(['1 opened', '2 opened', 'done'])
    return m
  }

  test('both keep the whole amount, and a third order that would execute later has nothing left', () => {
    const m = paired('complete_fill')
    expect(m.depth('buy')).toEqual([
      ['50000', '100'],
      ['49980', '100'],
    ])
    expect(reduce(m, 'buy', '10', '49970')).toEqual([...['3 opened', '3 cancelled, risk_mitigation', 'done']])
  })

  test.each([
    ['first_hit', ['2 cancelled, oco_other_closed', '1 filled 40 of 100']],
    ['complete_fill', ['2 resized to 60, reduce_only', '1 filled 40 of 100']],
  ] as const)('%s: a fill of one partner reduces the other', (condition, reported) => {
    const m = paired(condition)
    expect(storyOf(m, m.sell('bob', { amount: '40', price: '49980' }))).toEqual([
      ...['3 opened', 'trade 40 at 50000, 1 with 3', ...reported, '3 filled 40 of 40', 'done'],
    ])
    m.sell('bob', { amount: '500', price: '49980' })
    expect(m.position('alice').size).toBe(0)
    expect(m.openOrders('alice')).toEqual([])
  })
})

describe('rule order.reduce-only: dry runs use the amounts that will really be there (C21, C27)', () => {
  /** Long 100: a plain ask of 50 before a reduce-only one of 100. */
  function asks(): Market {
    const m = holding('100')
    m.sell('alice', { amount: '50', price: '50000' })
    reduce(m, 'sell', '100', '50005')
    return m
  }

  test('fill or kill: 50 of the plain ask, and then only the 50 that are left of the position', () => {
    const words = { price: '50005', timeInForce: 'fill_or_kill' } as const
    expect(asks().buy('bob', { ...words, amount: '110' }).order?.state).toBe('cancelled')
    const all = asks().buy('bob', { ...words, amount: '100' })
    expect(all.trades.map(({ amount }) => amount)).toEqual([5, 5])
    expect(all.order?.state).toBe('filled')
  })

  test('self-match: the own order behind them is reached by one more lot', () => {
    const m = asks()
    m.sell('bob', { amount: '10', price: '50010' })
    const words = { price: '50010' }
    expect(m.buy('bob', { ...words, amount: '110' }).refusal?.reason).toBe('order_overlap')
    expect(m.buy('bob', { ...words, amount: '100' }).order?.state).toBe('filled')
  })
})

describe('rule order.reduce-only: margin and edits', () => {
  test('it adds no margin and needs no funds', () => {
    const m = market({
      instruments: { 'BTC-PERPETUAL': {} },
      accounts: { alice: { BTC: '0.01' }, bob: rich },
      index: { btc_usd: '50000' },
    })
    // A position whose initial margin uses up the funds: 0.2 coin at slightly more than 2 %.
    m.give('alice', '-24000', '50000')
    const before = m.wallet('alice', 'BTC')
    expect(m.buy('alice', { amount: '60000', price: '49000' }).refusal?.reason).toBe('not_enough_funds')
    expect(m.buy('alice', { amount: '60000', price: '49000', reduceOnly }).refusal).toBeNull()
    expect(m.wallet('alice', 'BTC')).toEqual(before)
  })

  test('after an edit turns the flag off, it needs margin again', () => {
    const m = holding('-100')
    const order = idOf(m.buy('alice', { amount: '100', price: '50000', reduceOnly }))
    m.give('alice', '50', '50000')
    const edited = m.edit('alice', order, { reduceOnly: false, amount: '1000' })
    expect(edited.order).toMatchObject({ amount: 100, reduceOnly: false })
    expect(kindsOf(m.give('alice', '50', '50000'))).toEqual(['given_position', 'given_position', 'request'])
    expect(m.wallet('alice', 'BTC').initialMargin).toBeGreaterThan(0n)
  })

  test('an edit that turns the flag on checks the direction and cuts the size', () => {
    const m = holding('-100')
    const sell = idOf(m.sell('alice', { amount: '300', price: '50010' }))
    const buy = idOf(m.buy('alice', { amount: '300', price: '50000' }))
    expect(m.edit('alice', sell, { reduceOnly }).refusal).toEqual(refusal)
    expect(storyOf(m, m.edit('alice', buy, { reduceOnly }))).toEqual([
      ...['2 edited', '2 resized to 100, reduce_only', 'done'],
    ])
  })

  test('an edit that repeats the flag checks nothing: the position may be gone', () => {
    const m = holding('-100')
    const order = idOf(m.buy('alice', { amount: '100', price: '50000', reduceOnly }))
    expect(m.edit('alice', order, { reduceOnly, amount: '50' }).refusal).toBeNull()
  })

  test('a larger amount is cut again; a better price takes its part from the others', () => {
    const m = holding('-100')
    const first = idOf(m.buy('alice', { amount: '60', price: '50000', reduceOnly }))
    const second = idOf(m.buy('alice', { amount: '40', price: '49990', reduceOnly }))
    expect(storyOf(m, m.edit('alice', first, { amount: '200' }))).toEqual([
      ...['1 edited', '1 resized to 100, reduce_only', '2 cancelled, risk_mitigation', 'done'],
    ])
    m.edit('alice', first, { amount: '60' })
    expect(m.edit('alice', second, { amount: '10' }).refusal?.reason).toBe('already_closed')
    const third = idOf(m.buy('alice', { amount: '40', price: '49990', reduceOnly }))
    const moved = m.edit('alice', third, { price: '50001', amount: '70' })
    expect(storyOf(m, moved)).toEqual(['3 edited', '1 resized to 30, reduce_only', 'done'])
  })
})
