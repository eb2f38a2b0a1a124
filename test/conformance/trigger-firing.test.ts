/**
 * The time at which orders that wait for a price fire, and their sequence.
 *
 * Source: trading.md 6.13, C06, C31 c, d, e, h, i; coverage R24.
 */
import { describe, expect, test } from 'vitest'
import { type Market, market, type Outcome, priceOf } from '../support/harness.ts'
import type { OrderWords } from '../support/market-words.ts'
import { storyOf } from '../support/story.ts'

const rich = { BTC: '1000' }

function btc(): Market {
  return market({
    instruments: { 'BTC-PERPETUAL': {}, 'BTC-27MAR26': {} },
    accounts: { alice: rich, bob: rich, carol: rich },
    index: { btc_usd: '50000' },
  })
}

/** A trade of 10 USD between bob and carol sets the last price. It uses two order numbers. */
function tradeAt(m: Market, price: string): Outcome {
  m.sell('bob', { amount: '10', price })
  return m.buy('carol', { amount: '10', price })
}

const stop = (price: string, more: Partial<OrderWords> = {}): OrderWords => ({
  ...{ amount: '10', type: 'stop_limit', price: '50000' },
  ...{ trigger: { source: 'mark_price', price }, ...more },
})

/** Numbers of the orders that fired, in order. */
function fired(m: Market, outcome: Outcome): number[] {
  return storyOf(m, outcome).flatMap((line) => {
    const [number, verb] = line.split(' ')
    return verb === 'triggered' || verb === 'rejected,' ? [Number(number)] : []
  })
}

describe('rule order.trigger: fires when its source reaches the trigger price or crosses it', () => {
  const cases = [
    ['stop_limit', 'buy', '50010', '50009.5', '50010'],
    ['stop_market', 'buy', '50010', '50009.5', '50300'],
    ['take_limit', 'sell', '50010', '50009.5', '50010'],
    ['take_market', 'sell', '50010', '50009.5', '50300'],
    ['stop_limit', 'sell', '49990', '49990.5', '49990'],
    ['stop_market', 'sell', '49990', '49990.5', '49700'],
    ['take_limit', 'buy', '49990', '49990.5', '49990'],
    ['take_market', 'buy', '49990', '49990.5', '49700'],
  ] as const

  test.each(cases)('%s %s at %s: not at %s, but at %s', (type, side, price, before, at) => {
    for (const source of ['index_price', 'mark_price', 'last_price'] as const) {
      const m = btc()
      const update = (value: string): Outcome => {
        if (source === 'index_price') return m.index('btc_usd', value)
        return source === 'mark_price' ? m.mark(value) : tradeAt(m, value)
      }
      tradeAt(m, '50000')
      m[side]('alice', { amount: '10', price: '50000', type, trigger: { source, price } })
      expect(fired(m, update(before))).toEqual([])
      expect([source, fired(m, update(at))]).toEqual([source, [3]])
      // Once only.
      expect(fired(m, update(at))).toEqual([])
    }
  })

  test('a price of another source does not fire it', () => {
    const m = btc()
    tradeAt(m, '50000')
    m.buy('alice', stop('50010', { trigger: { source: 'last_price', price: '50010' } }))
    m.buy('alice', stop('50010', { trigger: { source: 'index_price', price: '50010' } }))
    m.buy('alice', stop('50010'))
    expect(fired(m, m.mark('50010'))).toEqual([5])
    expect(fired(m, m.index('btc_usd', '50010'))).toEqual([4])
    expect(fired(m, tradeAt(m, '50010'))).toEqual([3])
  })

  test('a price of another instrument does not fire it', () => {
    const m = btc()
    m.buy('alice', stop('50010', { instrument: 'BTC-27MAR26' }))
    expect(fired(m, m.mark('50010'))).toEqual([])
    expect(fired(m, m.mark('50010', 'BTC-27MAR26'))).toEqual([1])
  })

  test('R24 setting an index to its current price checks triggers, and fires nothing new', () => {
    const m = btc()
    m.buy('alice', stop('50010'))
    expect(storyOf(m, m.index('btc_usd', '50000'))).toEqual(['index 50000', 'done'])
    expect(fired(m, m.index('btc_usd', '50010'))).toEqual([1])
  })

  test('an unpinned mark returns to the index, which counts as a change', () => {
    const m = btc()
    m.mark('49000')
    m.buy('alice', stop('50000', { price: '49500' }))
    expect(fired(m, m.index('btc_usd', '50005'))).toEqual([])
    expect(fired(m, m.mark(null))).toEqual([1])
  })
})

describe('rule order.trigger: one update, many orders (C31 c)', () => {
  test('on a rise they fire by ascending trigger price, ties by creation', () => {
    const m = btc()
    m.buy('alice', stop('50200'))
    m.buy('alice', stop('50100'))
    m.sell('bob', stop('50150', { type: 'take_limit', price: '50500' }))
    m.buy('alice', stop('50100'))
    m.buy('alice', stop('50300.5'))
    expect(fired(m, m.index('btc_usd', '50300'))).toEqual([2, 4, 3, 1])
  })

  test('on a fall they fire by descending trigger price, ties by creation', () => {
    const m = btc()
    m.sell('alice', stop('49800'))
    m.sell('alice', stop('49900'))
    m.buy('bob', stop('49850', { type: 'take_limit', price: '49500' }))
    m.sell('alice', stop('49900'))
    m.sell('alice', stop('49699.5'))
    expect(fired(m, m.index('btc_usd', '49700'))).toEqual([2, 4, 3, 1])
  })

  test('an edit of the trigger price does not change the order of creation', () => {
    const m = btc()
    const first = m.buy('alice', stop('50200'))
    m.buy('alice', stop('50100'))
    if (first.order !== undefined) {
      m.edit('alice', first.order.order, { triggerPrice: '50100' })
    }
    expect(fired(m, m.index('btc_usd', '50100'))).toEqual([1, 2])
  })

  test('trailing stops are sorted by their trigger prices, after their extremes have moved', () => {
    const m = btc()
    m.sell('bob', stop('49920', { price: '50500' }))
    const trailing = (offset: string) =>
      m.sell('alice', {
        ...{ amount: '10', type: 'trailing_stop' },
        trigger: { source: 'mark_price', offset },
      })
    trailing('100')
    trailing('50')
    m.index('btc_usd', '50010')
    // They now fire at 49910 and 49960, and the stop at 49920.
    expect(fired(m, m.index('btc_usd', '49905'))).toEqual([3, 1, 2])
  })

  test('a change of an index: instruments in the order of listing, index orders before mark orders', () => {
    const m = btc()
    const words = (source: 'mark_price' | 'index_price', instrument: string): OrderWords =>
      stop('50100', { instrument, trigger: { source, price: '50100' } })
    m.buy('alice', words('mark_price', 'BTC-27MAR26'))
    m.buy('alice', words('index_price', 'BTC-27MAR26'))
    m.buy('alice', words('mark_price', 'BTC-PERPETUAL'))
    m.buy('alice', words('index_price', 'BTC-PERPETUAL'))
    const reported = m.index('btc_usd', '50100')
    expect(storyOf(m, reported).slice(0, 4)).toEqual([...['index 50100', 'mark 50100', 'mark 50100', 'done']])
    expect(fired(m, reported)).toEqual([4, 3, 2, 1])
  })
})

describe('rule order.activation: fired orders are placed after the command that fired them (C06, C31 d)', () => {
  test('after request, at the same time, with the cause of the price change', () => {
    const m = btc()
    m.buy('alice', stop('50100'))
    m.wait(5)
    const reported = m.index('btc_usd', '50100')
    expect(storyOf(m, reported)).toEqual([
      ...['index 50100', 'mark 50100', 'mark 50100', 'done', '1 triggered as 2', '2 opened'],
    ])
    const [first] = reported.events
    expect(new Set(reported.events.map(({ cause }) => cause))).toEqual(new Set([first?.cause]))
    expect(new Set(reported.events.map(({ time }) => time))).toEqual(new Set([m.exchange.now]))
  })

  test('each one completely, with its matches, before the next', () => {
    const m = btc()
    m.sell('bob', { amount: '20', price: '50000' })
    m.buy('alice', stop('50200'))
    m.buy('carol', stop('50100'))
    expect(storyOf(m, m.index('btc_usd', '50200')).slice(3)).toEqual([
      'done',
      ...['3 triggered as 4', '4 opened', 'trade 10 at 50000, 1 with 4'],
      ...['1 filled 10 of 20', '4 filled 10 of 10'],
      ...['2 triggered as 5', '5 opened', 'trade 10 at 50000, 1 with 5'],
      ...['1 filled 20 of 20', '5 filled 10 of 10'],
    ])
  })

  test('last prices from activations fire further orders, which come after those already queued', () => {
    const m = btc()
    tradeAt(m, '50000')
    for (const price of ['50010', '50020', '50030', '50040']) m.sell('bob', { amount: '10', price })
    const market = (price: string): OrderWords => ({
      ...{ amount: '10', type: 'stop_market', trigger: { price } },
    })
    m.buy('alice', market('50020'))
    m.buy('alice', market('50010'))
    m.buy('alice', market('50010'))
    // Orders 3 to 6 are the asks. Order 8 takes 50020, which fires 7 after 9.
    expect(storyOf(m, m.buy('carol', { amount: '10', price: '50010' }))).toEqual([
      ...['10 opened', 'trade 10 at 50010, 3 with 10', '3 filled 10 of 10', '10 filled 10 of 10'],
      'done',
      ...['8 triggered as 11', '11 opened', 'trade 10 at 50020, 4 with 11'],
      ...['4 filled 10 of 10', '11 filled 10 of 10'],
      ...['9 triggered as 12', '12 opened', 'trade 10 at 50030, 5 with 12'],
      ...['5 filled 10 of 10', '12 filled 10 of 10'],
      ...['7 triggered as 13', '13 opened', 'trade 10 at 50040, 6 with 13'],
      ...['6 filled 10 of 10', '13 filled 10 of 10'],
    ])
  })

  test('C31 e every trade updates the last price, so one inside a sweep fires orders too', () => {
    const m = btc()
    tradeAt(m, '50050')
    m.sell('alice', stop('50005', { price: '50500', trigger: { price: '50005' } }))
    m.sell('bob', { amount: '10', price: '50000' })
    m.sell('bob', { amount: '10', price: '50010' })
    // The last trade, at 50010, is again above the stop price.
    const swept = m.buy('carol', { amount: '20', price: '50010' })
    expect(fired(m, swept)).toEqual([3])
  })

  test('C31 e in the order of the trades', () => {
    const m = btc()
    tradeAt(m, '50000')
    m.buy('alice', stop('50020', { trigger: { price: '50020' } }))
    m.buy('alice', stop('50010', { trigger: { price: '50010' } }))
    m.sell('bob', { amount: '10', price: '50010' })
    m.sell('bob', { amount: '10', price: '50020' })
    expect(fired(m, m.buy('carol', { amount: '20', price: '50020' }))).toEqual([4, 3])
  })

  test('a fired order of the sweep’s own account waits until the sweep is over', () => {
    const m = btc()
    tradeAt(m, '50000')
    m.buy('carol', { ...stop('50010'), price: '50020', trigger: { price: '50010' } })
    m.sell('bob', { amount: '10', price: '50010' })
    m.sell('bob', { amount: '10', price: '50020' })
    expect(storyOf(m, m.buy('carol', { amount: '20', price: '50020' })).slice(-4)).toEqual([
      ...['6 filled 20 of 20', 'done', '3 triggered as 7', '7 opened'],
    ])
  })

  test('a refused command fires nothing', () => {
    const m = btc()
    tradeAt(m, '50000')
    m.buy('alice', { ...stop('50010'), trigger: { price: '50010' } })
    m.sell('bob', { amount: '10', price: '50010' })
    const refused = m.buy('bob', { amount: '10', price: '50010' })
    expect(storyOf(m, refused)).toEqual(['refused, order_overlap', 'done'])
    expect(m.openOrders('alice')).toHaveLength(1)
  })

  test('C21 a good-til-day order that waits ends with the session, without a cause', () => {
    const m = btc()
    const timeInForce = 'good_til_day'
    m.buy('alice', stop('50100', { timeInForce }))
    const ended = m.wait(23 * 3_600_000_000)
    expect(storyOf(m, ended)).toEqual(['1 cancelled, settlement', 'done'])
    expect(ended.order).toMatchObject({ cause: 0, state: 'cancelled' })
  })
})

describe('C31 i fields of a trigger order after it fired', () => {
  test('its state is triggered; it names its successor, and the successor names it', () => {
    const m = btc()
    m.buy('alice', stop('50100', { label: 'mine', price: '49990' }))
    const reported = m.index('btc_usd', '50100')
    const [triggered, opened] = reported.events.slice(-2)
    expect(triggered).toMatchObject({
      ...{
        kind: 'order',
        change: 'triggered',
        state: 'triggered',
        type: 'stop_limit',
        reason: null,
      },
      trigger: { source: 'mark_price', price: priceOf('50100') },
      ...{ amount: 1, filled: 0, label: 'mine' },
    })
    expect(opened).toMatchObject({
      ...{ kind: 'order', change: 'opened', state: 'open', type: 'limit', price: priceOf('49990') },
      ...{ label: 'mine', trigger: null, amount: 1 },
    })
    if (
      triggered?.kind !== 'order' ||
      triggered?.change !== 'triggered' ||
      opened?.kind !== 'order' ||
      opened?.change !== 'opened'
    )
      throw new Error()
    expect(triggered.successor).toBe(opened.order)
    expect(opened.triggeredBy).toBe(triggered.order)
    expect(m.cancel('alice', triggered.order).refusal).toEqual({ reason: 'not_open_order' })
    expect(m.edit('alice', triggered.order, {}).refusal).toEqual({ reason: 'already_closed' })
    expect(m.openOrders('alice').map(({ order }) => order.id)).toEqual([opened.order])
  })
})
