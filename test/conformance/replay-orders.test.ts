/**
 * Orders of every kind together with recorded liquidity. Triggers fire on recorded prints and on indexes that follow
 * the recorded book. Recorded liquidity fills icebergs, reduce-only and linked orders. Prices are ticks, sizes are
 * lots; a lot is 10 USD, a tick half a dollar.
 *
 * Source: DESIGN 5; trading.md C06, C21, C25, C26, C31, C32; coverage R24.
 */
import { describe, expect, test } from 'vitest'
import { type Lots, lots, type Ticks, ticks } from '../../src/core/index.ts'
import { viewDepth } from '../../src/engine/index.ts'
import type { CommandOf, LinkedTerms, OrderTerms, TriggerTerms } from '../../src/model/index.ts'
import { ReplayMarket } from '../support/replay-market.ts'
import { storyOf } from '../support/story.ts'

type More = Partial<CommandOf<'place_order'>>

/** Recorded bids of 100 at 100 and 99, asks of 100 at 102 and 103. */
function openMarket(index: number | null = 100): ReplayMarket {
  const market = new ReplayMarket({}, ['own', 'other'], index)
  market.report(
    'book',
    [
      ['buy', 100, 100],
      ['buy', 99, 100],
      ['sell', 102, 100],
      ['sell', 103, 100],
    ],
    { snapshot: true },
  )
  return market
}

/** The events of an action, as text. */
function during(market: ReplayMarket, act: () => unknown): string[] {
  const from = market.events.length
  act()
  // The remaining part of a print comes after the fills and belongs to no order.
  const events = market.events.slice(from).filter(({ kind }) => kind !== 'print')
  return storyOf(market, { events })
}

function waiting(type: OrderTerms['type'], trigger: Partial<TriggerTerms>, price?: number): More {
  return {
    type,
    price: price === undefined ? null : ticks(price),
    trigger: { source: 'last_price', price: null, offset: null, ...trigger },
  }
}

function at(price: number): Partial<TriggerTerms> {
  return { price: ticks(price) }
}

function terms(side: 'buy' | 'sell', price: number, amount: number): OrderTerms {
  return {
    ...{ side, type: 'limit', timeInForce: 'good_til_cancelled', label: '', postOnly: 'off' },
    ...{ reduceOnly: false, trigger: null, advanced: null },
    ...{ price: price as Ticks, amount: amount as Lots },
  }
}

function linked(
  type: LinkedTerms['type'],
  ...secondaries: LinkedTerms['secondaries']
): Pick<CommandOf<'place_order'>, 'linked'> {
  return { linked: { type, condition: 'first_hit', secondaries } }
}

describe('rule order.trigger: recorded prices', () => {
  test('a recorded trade is a last price; a fired order is placed after its message, without a cause', () => {
    const market = openMarket()
    market.report('trades', [['buy', 102, 5]])
    market.order('own', { side: 'buy', price: 0, lots: 30 }, waiting('stop_market', at(103)))
    expect(during(market, () => market.report('trades', [['buy', 102, 5]]))).toEqual([])
    // It fills with the rest of the level; without a band, up to its size.
    const fired = during(market, () => market.report('trades', [['buy', 103, 5]]))
    expect(fired).toEqual([...['1 triggered as 2', '2 opened', 'trade 300 at 51.5, 0 with 2', '2 filled 300 of 300']])
    expect(market.events.slice(-4).map(({ cause }) => cause)).toEqual([0, 0, 0, 0])
  })

  test('each print of a message updates the last price: one in the middle fires, in the order of the prints', () => {
    const market = openMarket()
    market.report('trades', [['buy', 102, 5]])
    market.order('own', { side: 'sell', price: 0, lots: 10 }, waiting('stop_limit', at(98), 110))
    market.order('own', { side: 'sell', price: 0, lots: 10 }, waiting('stop_limit', at(99), 111))
    const prints = () =>
      market.report('trades', [
        ['sell', 99, 5],
        ['sell', 98, 5],
        ['buy', 102, 5],
      ])
    expect(during(market, prints)).toEqual([...['2 triggered as 3', '3 opened', '1 triggered as 4', '4 opened']])
  })

  test('a trailing stop follows the prints', () => {
    const market = openMarket()
    market.report('trades', [['buy', 102, 5]])
    market.order('own', { side: 'sell', price: 0, lots: 30 }, waiting('trailing_stop', { offset: ticks(4) }))
    expect(during(market, () => market.report('trades', [['buy', 106, 1]]))).toEqual([])
    expect(during(market, () => market.report('trades', [['sell', 103, 1]]))).toEqual([])
    expect(during(market, () => market.report('trades', [['sell', 102, 1]]))).toEqual([
      ...['1 triggered as 2', '2 opened', 'trade 300 at 50, 0 with 2', '2 filled 300 of 300'],
    ])
  })

  test('an index that follows the mid price fires index and mark orders', () => {
    const market = openMarket()
    market.followMid()
    const source = { source: 'index_price' } as const
    // The mid price is 101 ticks.
    market.order('own', { side: 'buy', price: 0, lots: 30 }, waiting('stop_limit', { ...at(102), ...source }, 90))
    market.order(
      'own',
      { side: 'buy', price: 0, lots: 30 },
      waiting('stop_limit', { ...at(102), source: 'mark_price' }, 91),
    )
    // Bids of 100 and asks of 103: 101.5 ticks. Then bids of 101: 102 ticks, 51 dollars.
    expect(during(market, () => market.report('book', [['sell', 102, 0]]))).toEqual([...['index 50.75', 'mark 50.75']])
    expect(during(market, () => market.report('book', [['buy', 101, 10]]))).toEqual([
      ...['index 51', 'mark 51', '1 triggered as 3', '3 opened', '2 triggered as 4', '4 opened'],
    ])
  })

  test('no_mark_price: a print fires before the band and the margin are known', () => {
    const market = openMarket(null)
    market.report('trades', [['buy', 102, 5]])
    market.order('own', { side: 'buy', price: 0, lots: 30 }, waiting('stop_market', at(104)))
    expect(during(market, () => market.report('trades', [['buy', 104, 5]]))).toEqual(['1 rejected, no_mark_price'])
  })

  test('fills of resting orders are last prices too, and come before the orders that they fire', () => {
    const market = openMarket()
    market.report('trades', [['buy', 102, 5]])
    market.order(
      'own',
      { side: 'buy', price: 101, lots: 10 },
      {
        ...linked('one_triggers_other', terms('sell', 105, 10)),
      },
    )
    market.order('own', { side: 'sell', price: 0, lots: 10 }, waiting('stop_limit', at(101), 106))
    // The print goes through the bid at 101, which fills at its own price first.
    expect(during(market, () => market.report('trades', [['sell', 100, 20]]))).toEqual([
      ...['trade 100 at 50.5, 1 with 0', '1 filled 100 of 100'],
      ...['3 triggered as 4', '4 opened', '2 triggered as 5', '5 opened'],
    ])
  })
})

describe('rule order.iceberg: with recorded depth', () => {
  const iceberg = { display: lots(100) }

  test('the book shows its visible part; the recorded size is ahead of it', () => {
    const market = openMarket()
    market.order('own', { side: 'buy', price: 100, lots: 300 }, iceberg)
    const { exchange, instrument } = market
    expect(viewDepth(exchange, instrument, 'buy', 1)).toMatchObject([{ amount: 200 }])
  })

  test('a print takes the size ahead, the visible part, the recorded rest, and then the hidden part', () => {
    const market = openMarket()
    market.order('own', { side: 'buy', price: 100, lots: 300 }, iceberg)
    // 100 ahead, 100 visible, and 150 of the 200 hidden.
    expect(during(market, () => market.report('trades', [['sell', 100, 350]]))).toEqual([
      ...['trade 1000 at 50, 1 with 0', '1 filled 1000 of 3000'],
      ...['hidden 1500 at 50, 1 with 0', '1 filled 2500 of 3000', '1 shows 500'],
    ])
    expect(market.fills()).toMatchObject([
      { lots: 100, rule: 'print_at_price', before: 100, after: 0 },
      { lots: 150, rule: 'hidden', before: 0, after: 0 },
    ])
  })

  test('its refill is behind the recorded size', () => {
    const market = openMarket()
    market.order('own', { side: 'buy', price: 100, lots: 300 }, iceberg)
    market.report('trades', [['sell', 100, 200]])
    market.report('trades', [['sell', 100, 110]])
    expect(market.fills()).toMatchObject([
      { lots: 100, rule: 'print_at_price', before: 100 },
      { lots: 10, rule: 'print_at_price', before: 100 },
    ])
  })

  test('a print through its price takes the whole order, up to the size of the print', () => {
    const market = openMarket()
    market.order('own', { side: 'buy', price: 100, lots: 300 }, iceberg)
    market.report('trades', [['sell', 99, 250]])
    expect(market.fills()).toMatchObject([
      { lots: 100, rule: 'print_through' },
      { lots: 150, rule: 'hidden' },
    ])
  })

  test('an opposite side that reaches its price takes the hidden part too', () => {
    const market = openMarket()
    market.order('own', { side: 'buy', price: 101, lots: 300 }, iceberg)
    market.report('book', [['sell', 101, 250]])
    expect(market.fills()).toMatchObject([
      { lots: 100, rule: 'level_reached' },
      { lots: 150, rule: 'hidden' },
    ])
  })

  test('a taker of the run takes the recorded size, the visible part, then the hidden part', () => {
    const market = openMarket()
    market.order('own', { side: 'sell', price: 102, lots: 300 }, iceberg)
    market.order('other', { side: 'buy', price: 102, lots: 350 })
    expect(market.fills()).toMatchObject([
      { account: 'other', lots: 100, rule: 'level_taken' },
      { account: 'own', lots: 100, rule: 'book_maker' },
      { account: 'other', lots: 100, rule: 'book_taker' },
      { account: 'own', lots: 150, rule: 'hidden' },
      { account: 'other', lots: 150, rule: 'book_taker' },
    ])
  })

  test('C21 fill or kill counts all three', () => {
    for (const [size, filled] of [
      [401, 0],
      [400, 3],
    ] as const) {
      const market = openMarket()
      market.order('own', { side: 'sell', price: 102, lots: 300 }, iceberg)
      const timeInForce = 'fill_or_kill'
      market.order('other', { side: 'buy', price: 102, lots: size }, { timeInForce })
      expect(market.fills().filter(({ account }) => account === 'other')).toHaveLength(filled)
    }
  })
})

describe('rule order.reduce-only: with recorded depth', () => {
  /** The account own is long 100, bought from the recorded ask. */
  function long(): ReplayMarket {
    const market = openMarket()
    market.order('own', { side: 'buy', price: 102, lots: 100 })
    return market
  }

  test('a print that fills another order cuts the reduce-only order', () => {
    const market = long()
    market.order('own', { side: 'sell', price: 104, lots: 70 })
    market.order('own', { side: 'sell', price: 105, lots: 100 }, { reduceOnly: true })
    expect(during(market, () => market.report('trades', [['buy', 104, 70]]))).toEqual([
      ...['trade 700 at 52, 2 with 0', '3 resized to 300, reduce_only', '2 filled 700 of 700'],
    ])
  })

  test('one print through several orders fills each up to the position at that moment', () => {
    const market = long()
    market.order('own', { side: 'sell', price: 104, lots: 70 })
    market.order('own', { side: 'sell', price: 105, lots: 100 }, { reduceOnly: true })
    market.report('trades', [['buy', 106, 500]])
    expect(market.fills().slice(1)).toMatchObject([
      { order: 2, lots: 70, rule: 'print_through' },
      { order: 3, lots: 30, rule: 'print_through' },
    ])
  })

  test('as a taker it takes at most the position from a recorded level', () => {
    const market = long()
    market.order('own', { side: 'sell', price: 100, lots: 300 }, { reduceOnly: true })
    expect(market.fills().slice(1)).toMatchObject([{ order: 2, lots: 100, rule: 'level_taken' }])
  })
})

describe('rule order.one-cancels-other: with recorded depth', () => {
  test('a print fills one and cancels the other, even if it would have reached the other too', () => {
    const market = openMarket()
    market.order(
      'own',
      { side: 'buy', price: 99, lots: 10 },
      {
        ...linked('one_cancels_other', terms('buy', 98, 10)),
      },
    )
    expect(during(market, () => market.report('trades', [['sell', 97, 500]]))).toEqual([
      ...['trade 100 at 49.5, 1 with 0', '2 cancelled, oco_other_closed', '1 filled 100 of 100'],
    ])
  })

  // The hidden fill has just ended the order with which the engine continues.
  test('a fill of the hidden part of an iceberg ends the other before the print reaches it', () => {
    const market = openMarket()
    const partner = linked('one_cancels_other', terms('buy', 98, 1)).linked
    if (partner === null) throw new Error('partners are linked')
    market.order(
      'own',
      { side: 'buy', price: 99, lots: 101 },
      {
        ...{ display: lots(100), linked: { ...partner, condition: 'complete_fill' } },
      },
    )
    expect(during(market, () => market.report('trades', [['sell', 98, 300]]))).toEqual([
      ...['trade 1000 at 49.5, 1 with 0', '1 filled 1000 of 1010'],
      ...['hidden 10 at 49.5, 1 with 0', '2 cancelled, oco_other_closed', '1 filled 1010 of 1010'],
    ])
  })

  test('if the best price of the other side reaches both, one is filled', () => {
    const market = openMarket()
    market.order(
      'own',
      { side: 'buy', price: 101, lots: 10 },
      {
        ...linked('one_cancels_other', terms('buy', 100, 10)),
      },
    )
    market.report('book', [['sell', 100, 50]])
    expect(market.fills()).toMatchObject([{ order: 1, lots: 10, rule: 'level_reached' }])
  })

  test('a member that takes a recorded level cancels the other before its placement', () => {
    const market = openMarket()
    const enter = () =>
      market.order(
        'own',
        { side: 'buy', price: 102, lots: 10 },
        {
          ...linked('one_cancels_other', terms('buy', 103, 10)),
        },
      )
    expect(during(market, enter)).toEqual([
      ...['1 opened', '2 opened', 'trade 100 at 51, 0 with 1', '2 cancelled, oco_other_closed'],
      ...['1 filled 100 of 100', 'done'],
    ])
  })
})

describe('rule order.one-triggers-other: with recorded depth', () => {
  test('orders caused by fills of a message are placed after it, and take from the recorded book', () => {
    const market = openMarket()
    market.order(
      'own',
      { side: 'buy', price: 101, lots: 10 },
      {
        ...linked('one_triggers_other', terms('sell', 100, 10), terms('sell', 105, 10)),
      },
    )
    // No order is placed between the rows of a message.
    const prints = () =>
      market.report('trades', [
        ['sell', 101, 5],
        ['sell', 101, 5],
      ])
    expect(during(market, prints)).toEqual([
      ...['trade 50 at 50.5, 1 with 0', '1 filled 50 of 100'],
      ...['trade 50 at 50.5, 1 with 0', '1 filled 100 of 100'],
      ...['2 triggered as 4', '4 opened', 'trade 100 at 50, 0 with 4', '4 filled 100 of 100'],
      ...['3 triggered as 5', '5 opened'],
    ])
  })
})
