/**
 * Fills from recorded liquidity: the golden cases of the queue model `risk_averse`, and a test for each of its rules.
 * Prices are ticks, sizes are lots.
 */
import { describe, expect, test } from 'vitest'
import { bestPrice, levelSize } from '../../src/book/index.ts'
import { stateHash, viewMarket, viewPosition } from '../../src/engine/index.ts'
import { ReplayMarket } from '../support/replay-market.ts'

/** A market with a recorded book: bids of 100 at 100 and below, asks of 100 at 102 and above. */
function openMarket(config: ConstructorParameters<typeof ReplayMarket>[0] = {}): ReplayMarket {
  const market = new ReplayMarket(config)
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

function lotsOf(market: ReplayMarket): number[] {
  return market.fills().map(({ lots }) => lots)
}

describe('golden cases', () => {
  test('ahead 100, own 50, prints 80, 30, 50: fills 0, 10, 40', () => {
    const market = openMarket()
    market.order('own', { side: 'buy', price: 100, lots: 50 })
    const filled = [80, 30, 50].map((lots) => {
      market.report('trades', [['sell', 100, lots]])
      return market.fills()
    })
    expect(filled.map((fills) => fills.map(({ lots }) => lots))).toEqual([[], [10], [40]])
    expect(filled.flat()).toMatchObject([
      { rule: 'print_at_price', price: 100, before: 20, after: 0, row: 6 },
      { rule: 'print_at_price', price: 100, before: 0, after: 0, row: 7 },
    ])
  })

  test('level shows 100, own takers of 30, 50, 50: fills 30, 50, 20', () => {
    const market = openMarket()
    const filled = [30, 50, 50].map((lots) => {
      market.order('own', { side: 'buy', price: 102, lots })
      return market.fills()
    })
    expect(filled.map((fills) => fills.map(({ lots }) => lots))).toEqual([[30], [50], [20]])
    expect(filled.flat()).toMatchObject([
      { rule: 'level_taken', price: 102, row: 3 },
      { rule: 'level_taken', row: 3 },
      { rule: 'level_taken', row: 3 },
    ])
    // The remainder of the last order rests at the consumed price level, where no ask is left.
    expect(bestPrice(market.exchange.instruments[0]?.book as never, 'buy')).toBe(102)
    expect(bestPrice(market.exchange.instruments[0]?.book as never, 'sell')).toBe(103)
  })

  test('bid 54.59 x 1, own buy 3, two sell prints of 2: fills 1, then 2', () => {
    const market = new ReplayMarket()
    market.report('book', [['buy', 5459, 1]], { snapshot: true })
    market.order('own', { side: 'buy', price: 5459, lots: 3 })
    market.report('trades', [['sell', 5459, 2]])
    expect(lotsOf(market)).toEqual([1])
    market.report('trades', [['sell', 5459, 2]])
    expect(lotsOf(market)).toEqual([2])
  })

  test('book updates that grow a level never raise the amount ahead', () => {
    const market = openMarket()
    market.order('own', { side: 'buy', price: 100, lots: 50 })
    market.report('book', [['buy', 100, 40]])
    market.report('book', [['buy', 100, 500]])
    market.report('trades', [['sell', 100, 60]])
    expect(market.fills()).toMatchObject([{ lots: 20, before: 40, after: 0 }])
  })
})

describe('F03 a print is a trade of the market', () => {
  test('F03 the part of a print that own orders leave follows their fills, with the next trade numbers', () => {
    const market = openMarket()
    market.order('own', { side: 'buy', price: 101, lots: 30 })
    market.report('trades', [['sell', 100, 80]])
    market.report('trades', [['unknown', 102, 5]])
    const reported = market.events.flatMap((event) =>
      event.kind === 'trade' || event.kind === 'print'
        ? [[event.kind, event.tradeSeq, event.amount, event.price, event.tickDirection]]
        : [],
    )
    expect(reported).toEqual([
      ['trade', 1, 30, 50_500_000_000, 1],
      ['print', 2, 50, 50_000_000_000, 2],
      ['print', 3, 5, 51_000_000_000, 0],
    ])
  })

  test('F03 a print that own orders fill completely makes no other trade', () => {
    const market = openMarket()
    market.order('own', { side: 'buy', price: 101, lots: 30 })
    market.report('trades', [['sell', 100, 30]])
    expect(market.events.filter(({ kind }) => kind === 'print')).toEqual([])
    expect(market.fills()).toMatchObject([{ lots: 30, rule: 'print_through' }])
    expect(viewMarket(market.exchange, market.instrument).openInterest).toBe(30)
  })
})

describe('rule fill.print: a print at the price first fills the queue ahead, then own orders', () => {
  test('only orders on the side that its taker hits', () => {
    const market = openMarket()
    market.order('own', { side: 'buy', price: 100, lots: 50 })
    market.order('other', { side: 'sell', price: 102, lots: 50 })
    market.report('trades', [['buy', 100, 500]])
    market.report('trades', [['sell', 102, 500]])
    expect(market.fills()).toEqual([])
    market.report('trades', [['sell', 100, 500]])
    market.report('trades', [['buy', 102, 500]])
    expect(market.fills().map(({ account, rule }) => [account, rule])).toEqual([
      ['own', 'print_at_price'],
      ['other', 'print_at_price'],
    ])
  })

  test('a print whose side is unknown fills nothing', () => {
    const market = openMarket()
    market.order('own', { side: 'buy', price: 100, lots: 50 })
    market.report('trades', [['unknown', 100, 500]])
    expect(market.fills()).toEqual([])
    expect(viewMarket(market.exchange, market.instrument).lastPrice).toBe(50_000_000_000)
  })

  test('own orders share one print in price-time order', () => {
    const market = openMarket()
    market.order('own', { side: 'buy', price: 101, lots: 30 })
    market.order('own', { side: 'buy', price: 100, lots: 20 })
    market.order('other', { side: 'buy', price: 100, lots: 20 })
    market.report('trades', [['sell', 100, 160]])
    // 30 fill through the price. Then 160 - 30 - 100 ahead leaves 30 for the two orders at the price.
    expect(market.fills().map(({ account, lots, rule }) => [account, lots, rule])).toEqual([
      ['own', 30, 'print_through'],
      ['own', 20, 'print_at_price'],
      ['other', 10, 'print_at_price'],
    ])
  })
})

describe('rule fill.through: a print through the price fills up to its size', () => {
  test('whatever is ahead of the order, at the price of the order', () => {
    const market = openMarket()
    market.order('own', { side: 'buy', price: 100, lots: 50 })
    market.report('trades', [['sell', 99, 20]])
    expect(market.fills()).toMatchObject([{ lots: 20, price: 100, rule: 'print_through', before: 100, after: 0 }])
    market.report('trades', [['sell', 100, 5]])
    expect(lotsOf(market)).toEqual([5])
  })
})

describe('rule fill.reached: the opposite side reaches the price', () => {
  test('fills up to the remaining size of the level, once', () => {
    const market = openMarket()
    market.order('own', { side: 'buy', price: 101, lots: 50 })
    market.report('book', [['sell', 101, 20]])
    expect(market.fills()).toMatchObject([{ lots: 20, price: 101, rule: 'level_reached', row: 5 }])
    market.report('book', [['sell', 104, 7]])
    expect(market.fills()).toEqual([])
    // A new row for the level is fresh liquidity.
    market.report('book', [['sell', 101, 20]])
    expect(lotsOf(market)).toEqual([20])
  })

  test('a better recorded price still fills at the price of the order', () => {
    const market = openMarket()
    market.order('own', { side: 'buy', price: 101, lots: 50 })
    market.report('book', [
      ['sell', 95, 10],
      ['sell', 101, 15],
    ])
    expect(market.fills()).toMatchObject([
      { lots: 10, price: 101 },
      { lots: 15, price: 101 },
    ])
  })

  test('nothing matches between the rows of a message', () => {
    const market = openMarket()
    market.order('own', { side: 'buy', price: 101, lots: 50 })
    market.report('book', [
      ['sell', 101, 20],
      ['sell', 101, 0],
    ])
    expect(market.fills()).toEqual([])
  })
})

describe('rule fill.level: takers consume the displayed size of a level', () => {
  test('until the next row for the level, and other orders of the run come after the recorded size', () => {
    const market = openMarket()
    market.order('other', { side: 'sell', price: 102, lots: 10 })
    market.order('own', { side: 'buy', price: 102, lots: 105 })
    expect(market.fills().map(({ account, lots, rule }) => [account, lots, rule])).toEqual([
      ['own', 100, 'level_taken'],
      ['other', 5, 'book_maker'],
      ['own', 5, 'book_taker'],
    ])
    market.report('book', [['sell', 102, 100]])
    expect(levelSize(market.exchange.instruments[0]?.book as never, 'sell', 102)).toBe(105)
  })

  test('fill or kill counts recorded size, and self-match looks behind it', () => {
    const market = openMarket({ selfMatch: 'reject_taker' })
    market.order('own', { side: 'sell', price: 102, lots: 10 })
    expect(market.order('own', { side: 'buy', price: 102, lots: 100 })).toBeDefined()
    expect(market.order('own', { side: 'buy', price: 102, lots: 1 })).toBeUndefined()
    market.fills()
    market.order('other', { side: 'buy', price: 103, lots: 110 }, { timeInForce: 'fill_or_kill' })
    expect(lotsOf(market)).toEqual([10, 10, 100])
    market.order('other', { side: 'buy', price: 103, lots: 1 }, { timeInForce: 'fill_or_kill' })
    expect(lotsOf(market)).toEqual([])
  })

  test('post-only moves away from the recorded best price', () => {
    const market = openMarket()
    market.order('own', { side: 'buy', price: 105, lots: 10 }, { postOnly: 'slide' })
    expect(bestPrice(market.exchange.instruments[0]?.book as never, 'buy')).toBe(101)
  })
})

describe('snapshots and crossed books', () => {
  test('a snapshot keeps the queue positions of own orders, limited to the new sizes', () => {
    const market = openMarket()
    market.order('own', { side: 'buy', price: 100, lots: 50 })
    market.order('own', { side: 'buy', price: 99, lots: 50 })
    market.report(
      'book',
      [
        ['buy', 100, 30],
        ['buy', 98, 10],
        ['sell', 102, 10],
      ],
      { snapshot: true },
    )
    market.report('trades', [
      ['sell', 100, 40],
      ['sell', 99, 45],
    ])
    expect(market.fills().map(({ lots, before }) => [lots, before])).toEqual([
      [10, 30],
      // The print at 99 must have gone through 100 first.
      [40, 0],
      [5, 0],
    ])
  })

  test('a crossed book is reported, and keeps or loses its older level', () => {
    const market = openMarket()
    expect(market.report('book', [['buy', 102, 5]])).toMatchObject({ crossed: true })
    expect(market.report('book', [['buy', 102, 6]], { uncross: true })).toMatchObject({
      crossed: true,
    })
    expect(bestPrice(market.exchange.instruments[0]?.book as never, 'sell')).toBe(103)
    expect(market.report('book', [['sell', 50, 0]])).toEqual({ crossed: false, unknownRemovals: 1 })
  })
})

test('the same price as a bid and as an ask has two states', () => {
  const hashes = (['buy', 'sell'] as const).map((side) => {
    const market = new ReplayMarket()
    market.report('book', [[side, 100, 5]])
    return stateHash(market.exchange)
  })
  expect(hashes[0]).not.toBe(hashes[1])
})

describe('level events show the visible book', () => {
  function reported(market: ReplayMarket, act: () => void): (readonly [string, number, number])[] {
    const from = market.events.length
    act()
    return market.events
      .slice(from)
      .flatMap((event) =>
        event.kind === 'level' ? [[event.side, event.price / 500_000_000, event.amount] as const] : [],
      )
  }

  test('after takers and resting orders of the run consume it', () => {
    const market = openMarket({ bookEvents: true })
    const taken = reported(market, () => market.order('own', { side: 'buy', price: 102, lots: 130 }))
    expect(taken).toEqual([
      ['sell', 102, 0],
      ['buy', 102, 30],
    ])
    expect(reported(market, () => market.report('book', [['sell', 102, 20]]))).toEqual([
      ['sell', 102, 20],
      ['sell', 102, 0],
      ['buy', 102, 10],
    ])
  })

  test('levels that a snapshot omits, and levels that uncrossing removes', () => {
    const market = openMarket({ bookEvents: true })
    const replaced = reported(market, () => {
      market.report('book', [['buy', 100, 7]], { snapshot: true })
    })
    expect(replaced).toEqual([
      ['buy', 99, 0],
      ['sell', 102, 0],
      ['sell', 103, 0],
      ['buy', 100, 7],
    ])
    expect(reported(market, () => market.report('book', [['sell', 100, 3]], { uncross: true }))).toEqual([
      ['buy', 100, 0],
      ['sell', 100, 3],
    ])
  })
})

describe('rule index.mid: an index follows the recorded mid', () => {
  test('marks and positions follow too; an index that was set by hand no longer follows', () => {
    const market = openMarket()
    const hash = stateHash(market.exchange)
    expect(hash).toHaveLength(32)
    market['send']({ kind: 'follow_mid', index: 'btc_usd', instrument: market.instrument })
    expect(viewMarket(market.exchange, market.instrument).mark).toBe(50_500_000_000)
    market.report('book', [['buy', 101, 5]])
    expect(viewMarket(market.exchange, market.instrument).index).toBe(50_750_000_000)
    market['send']({ kind: 'set_index', index: 'btc_usd', price: 60_000_000_000 })
    market.report('book', [['buy', 101, 0]])
    expect(viewMarket(market.exchange, market.instrument).index).toBe(60_000_000_000)
  })
})

test('positions sum to zero with the account market, which pays no fees', () => {
  const market = openMarket()
  const cash = market.cash()
  market.order('own', { side: 'buy', price: 102, lots: 40 })
  const own = viewPosition(market.exchange, market.account('own'), market.instrument)
  const other = viewPosition(market.exchange, market.account('market'), market.instrument)
  expect([own.size, other.size]).toEqual([40, -40])
  expect(market.cash()).toBe(cash)
})

describe('rule fill.consumed: prints consume the displayed size once', () => {
  /** Lots and prices of the fills of one market buy of `lots`. */
  function bought(market: ReplayMarket, lots: number): (readonly [lots: number, price: number])[] {
    const before = market.fills().length
    expect(before).toBe(0)
    market.order('own', { side: 'buy', price: 110, lots })
    return market.fills().map(({ lots: got, price }) => [got, price] as const)
  }

  test('F02 after a print of the whole best level takers get the next level', () => {
    const market = openMarket()
    market.report('trades', [['buy', 102, 100]])
    expect(bought(market, 20)).toEqual([[20, 103]])
  })

  test('F02 a print of a part leaves the rest, and the row that confirms it changes nothing', () => {
    const market = openMarket()
    market.report('trades', [['buy', 102, 98]])
    market.report('book', [['sell', 102, 2]])
    expect(bought(market, 5)).toEqual([
      [2, 102],
      [3, 103],
    ])
  })

  test('F02 a stop and a market order at the time of the print share the rest of its level', () => {
    const market = openMarket()
    market.report('trades', [['buy', 102, 98]])
    expect(bought(market, 5)).toEqual([
      [2, 102],
      [3, 103],
    ])
  })

  test('F02 a row that comes before its print is not counted twice', () => {
    const market = openMarket()
    market.report('trades', [['buy', 102, 1]])
    market.report('book', [['sell', 102, 60]])
    // The row removed 40, of which 1 was printed. The other 39 are kept for later prints; this one uses 30 of them.
    market.report('trades', [['buy', 102, 30]])
    expect(bought(market, 61)).toEqual([
      [60, 102],
      [1, 103],
    ])
  })

  test('F02 a print consumes the size beyond its row, and all of its size 10 ms after the row', () => {
    const beyond = openMarket()
    beyond.report('trades', [['buy', 102, 1]])
    beyond.report('book', [['sell', 102, 60]])
    beyond.report('trades', [['buy', 102, 50]])
    expect(bought(beyond, 50)).toEqual([
      [49, 102],
      [1, 103],
    ])
    const late = openMarket()
    late.report('trades', [['buy', 102, 1]])
    late.report('book', [['sell', 102, 60]])
    for (let step = 0; step < 10; step += 1) late.report('book', [['buy', 99, 100 + step]])
    late.report('trades', [['buy', 102, 30]])
    expect(bought(late, 31)).toEqual([
      [30, 102],
      [1, 103],
    ])
  })

  test('F02 a print through a level takes the whole level, and its own size at its own price', () => {
    const market = openMarket()
    market.report('trades', [['buy', 103, 40]])
    expect(bought(market, 100)).toEqual([[60, 103]])
  })

  test('F02 own orders share the print: the part that fills them is not taken from the level', () => {
    const market = openMarket()
    market.order('own', { side: 'sell', price: 101, lots: 30 })
    market.report('trades', [['buy', 102, 50]])
    expect(market.fills()).toMatchObject([{ lots: 30, rule: 'print_through' }])
    expect(levelSize(market.exchange.instruments[0]?.book as never, 'sell', 102)).toBe(80)
  })

  test('F02 a row before its print shortens the queue only once', () => {
    const market = openMarket()
    market.order('own', { side: 'sell', price: 102, lots: 10 })
    market.report('trades', [['buy', 102, 10]])
    // The row reports the shorter queue first: 90 ahead become 50, and the print explains the 40.
    market.report('book', [['sell', 102, 50]])
    market.report('trades', [['buy', 102, 40]])
    expect(market.fills()).toEqual([])
    market.report('trades', [['buy', 102, 55]])
    expect(market.fills()).toMatchObject([{ lots: 5, before: 50 }])
  })

  test('F02 an order that loses its place no longer counts the rows for its old place', () => {
    const market = openMarket()
    const order = market.order('own', { side: 'sell', price: 102, lots: 10 })
    market.report('trades', [['buy', 102, 10]])
    // 90 ahead become 50. The larger order is behind these 50, so the row explains no later print to it.
    market.report('book', [['sell', 102, 50]])
    expect(order).toBeDefined()
    if (order !== undefined) market.edit('own', order, { price: 102, lots: 20 })
    market.report('trades', [['buy', 102, 40]])
    expect(market.fills()).toEqual([])
    market.report('trades', [['buy', 102, 15]])
    expect(market.fills()).toMatchObject([{ lots: 5, before: 10 }])
  })
})

describe('d05 prints are checked before they count', () => {
  test('a print far from the book is counted, and ignored if the policy says so', () => {
    const market = new ReplayMarket()
    const levels = [
      ['buy', 60_000, 100],
      ['sell', 60_001, 100],
    ] as const
    market.report('book', levels, { snapshot: true })
    market.order('own', { side: 'buy', price: 60_000, lots: 50 })
    // The limit is 0.5 % from the best bid.
    expect(market.report('trades', [['sell', 59_699, 20]], { offBook: 'skip' })).toEqual({
      ...{ crossed: false, unknownRemovals: 0, leftOut: { check: 'off_book', rows: 1 } },
    })
    expect(market.fills()).toEqual([])
    expect(market.report('trades', [['buy', 60_302, 20]], { offBook: 'skip' }).leftOut?.rows).toBe(1)
    expect(market.report('trades', [['sell', 59_700, 20]], { offBook: 'skip' }).leftOut).toBe(undefined)
    expect(market.fills()).toMatchObject([{ rule: 'print_through', lots: 20 }])
    market.report('trades', [['sell', 59_000, 20]], { offBook: 'keep' })
    expect(market.fills()).toMatchObject([{ rule: 'print_through', lots: 20 }])
  })

  test('d05 rows of a snapshot explain no later print', () => {
    const market = openMarket()
    const left = (): number => levelSize(market.exchange.instruments[0]?.book as never, 'buy', 100)
    market.report('trades', [['sell', 100, 1]])
    // The snapshot has its best level twice. The second row removes nothing from the first that a print would report.
    const rows = [
      ['buy', 100, 10],
      ['buy', 100, 4],
      ['sell', 102, 100],
    ] as const
    market.report('book', rows, { snapshot: true })
    market.order('own', { side: 'buy', price: 100, lots: 5 })
    market.report('trades', [['sell', 100, 6]])
    expect(market.fills()).toMatchObject([{ lots: 2, before: 4, after: 0 }])
    // Only the own order is left: the print took the whole level.
    expect(left()).toBe(3)
  })

  test('a level that the feed keeps showing is restored: 1 s after a print, 1 min after a taker', () => {
    const market = openMarket()
    const sizes = (): readonly number[] => {
      const book = market.exchange.instruments[0]?.book as never
      return [levelSize(book, 'buy', 100), levelSize(book, 'sell', 102)]
    }
    market.report('trades', [['sell', 99, 10]])
    market.order('own', { side: 'buy', price: 102, lots: 100 })
    expect(sizes()).toEqual([0, 0])
    const goOn = (micros: number): readonly number[] => {
      market.wait(micros - 1_000)
      market.report('book', [['buy', 90, 10]])
      return sizes()
    }
    expect(goOn(998_000)).toEqual([0, 0])
    expect(goOn(4_000)).toEqual([100, 0])
    expect(goOn(58_000_000)).toEqual([100, 0])
    expect(goOn(2_000_000)).toEqual([100, 100])
  })

  test('d03 a print of size zero fills nothing and is no last price', () => {
    const market = openMarket()
    market.report('trades', [['sell', 50, 0]])
    expect(bestPrice(market.exchange.instruments[0]?.book as never, 'buy')).toBe(100)
  })
})
