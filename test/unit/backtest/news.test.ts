/**
 * Messages to strategies in markets without a feed: books, trades, prices, funding and settlements of the exchange
 * itself, after their feed latency; and the account's own state without a request.
 */
import { describe, expect, test } from 'vitest'
import {
  restoreLoop,
  runLoop,
  type Strategy,
  type StrategyVenue,
  seatedSink,
  snapshotLoop,
} from '../../../src/backtest/index.ts'
import { ownMethods, restoreDesk, snapshotDesk } from '../../../src/rpc/index.ts'
import {
  offset,
  type RunWords,
  requestsOf,
  seatOf,
  seatsOf,
  setUpOf,
  strategyRun,
  type Wish,
} from '../../support/strategy-run.ts'

const instrument_name = 'BTC-PERPETUAL'
const second = 1_000_000

/** Bob quotes, carol takes, the index moves. */
const story: readonly Wish[] = [
  [10, 'bob', 'private/buy', { instrument_name, amount: 1000, price: 49_990 }],
  [20, 'bob', 'private/sell', { instrument_name, amount: 500, price: 50_010 }],
  [20, 'bob', 'private/sell', { instrument_name, amount: 700, price: 50_020 }],
  [30, 'carol', 'private/buy', { instrument_name, amount: 600, price: 50_020 }],
  [40, null, 'sim/set_index', { index_name: 'btc_usd', price: 50_100 }],
  [50, 'bob', 'private/cancel_all', {}],
]

/** Logs its callbacks, with the time on the strategy's clock. */
function watcher(log: unknown[]): Strategy {
  const note = (venue: StrategyVenue, ...what: readonly unknown[]): void => {
    log.push([offset(venue.now), ...what])
  }
  return {
    onBook: (view, venue) => {
      if (view.instrument !== instrument_name) return
      note(venue, 'book', view.bestBid, view.bidAmount, view.bestAsk, view.askAmount)
    },
    onTrade: ({ time, price, amount, side }, venue) => note(venue, 'trade', offset(time), price, amount, side),
    // Prices of the set-up also arrive as messages.
    onIndex: ({ index, time, price }, venue) => {
      if (offset(time) > 0) note(venue, 'index', index, price)
    },
    onMark: ({ instrument, time, price }, venue) => {
      if (offset(time) > 0) note(venue, 'mark', instrument, price)
    },
    save: () => null,
    load: () => undefined,
  }
}

const seen = (latency: number): readonly unknown[] => [
  [10 + latency, 'book', 49_990, 1000, Number.NaN, 0],
  [20 + latency, 'book', 49_990, 1000, 50_010, 500],
  [20 + latency, 'book', 49_990, 1000, 50_010, 500],
  // Both trades of one step, then its book.
  [30 + latency, 'trade', 30, 50_010, 500, 'buy'],
  [30 + latency, 'trade', 30, 50_020, 100, 'buy'],
  [30 + latency, 'book', 49_990, 1000, 50_020, 600],
  [40 + latency, 'index', 'btc_usd', 50_100],
  [40 + latency, 'mark', 'BTC-PERPETUAL', 50_100],
  [50 + latency, 'book', Number.NaN, 0, Number.NaN, 0],
]

describe('a closed market', () => {
  test.each([0, 7])('U04 is seen by strategies with a feed latency of %i', (feed) => {
    const log: unknown[] = []
    const seats = [seatOf('alice', watcher(log), { feed })]
    const run = strategyRun({ seats, wishes: story, until: 100 })
    runLoop(run.loop, Number.POSITIVE_INFINITY)
    expect(run.loop.fault).toBeNull()
    expect(log).toEqual(seen(feed))
    // Only strategies get levels.
    expect(run.events.some(({ kind }) => kind === 'level')).toBe(false)
  })

  test('U04 continues from a snapshot with messages in transit, at every cut', () => {
    const whole: unknown[] = []
    const words = (log: unknown[]): RunWords => ({
      seats: [seatOf('alice', watcher(log), { feed: 13 })],
      wishes: story,
      until: 100,
    })
    runLoop(strategyRun(words(whole)).loop, Number.POSITIVE_INFINITY)
    let cuts = 0
    for (let things = 0; ; things += 1) {
      const log: unknown[] = []
      const first = strategyRun(words(log))
      if (runLoop(first.loop, things) === 'done') break
      const [desk, loop] = [snapshotDesk(first.desk), snapshotLoop(first.loop)]
      if (!loop.ok) throw new Error(loop.error)
      const seats = seatsOf(words(log).seats)
      const restored = restoreDesk(desk, seatedSink(seats, { emit: () => undefined }), {
        methods: ownMethods,
      })
      if (!restored.ok) throw new Error(restored.error.found)
      const parts = { seats, until: first.loop.until }
      const sources = [requestsOf([...setUpOf(false), ...story])]
      const fresh = { desk: restored.value, sources, hooks: {}, parts }
      const again = restoreLoop(fresh, loop.value)
      if (!again.ok) throw new Error(again.error)
      // A second cut, before the run continues, keeps messages in transit.
      expect(snapshotLoop(again.value)).toEqual(loop)
      runLoop(again.value, Number.POSITIVE_INFINITY)
      expect(log).toEqual(whole)
      cuts += 1
    }
    expect(cuts).toBeGreaterThan(20)
  })
})

describe('settlements and the account', () => {
  test('U04 funding, settlement, and own figures equal those of the exchange', () => {
    const log: unknown[] = []
    const funding: number[] = []
    const strategy: Strategy = {
      onStart: (venue) => void venue.request('private/buy', { instrument_name, amount: 1000, type: 'market' }),
      onFunding: ({ rate }) => void funding.push(rate),
      onSettlement: ({ type, instrument, price, own }, venue) => {
        if (own === null) return
        log.push([type, instrument, price, own.position, own.cash < 0])
        const { equity, balance, initialMargin } = venue.funds('BTC')
        log.push([equity === balance, balance < 10, initialMargin > 0])
        const { size, averagePrice, delta } = venue.holding(instrument_name)
        log.push([size, averagePrice, delta, venue.holdings.length])
      },
    }
    const wishes: readonly Wish[] = [
      [0, 'bob', 'private/sell', { instrument_name, amount: 1000, price: 50_000 }],
      [5 * second, null, 'sim/set_mark', { instrument_name, price: 50_500 }],
      [10 * second, null, 'sim/set_mark', { instrument_name, price: 49_000 }],
    ]
    const seats = [seatOf('alice', strategy, { entry: 1 })]
    const run = strategyRun({ seats, wishes, until: 23 * 3600 * second })
    runLoop(run.loop, Number.POSITIVE_INFINITY)
    expect(run.loop.fault).toBeNull()
    expect(funding.some((rate) => rate > 0)).toBe(true)
    expect(log).toEqual([
      ['settlement', instrument_name, 49_000, 1000, true],
      [true, true, true],
      [1000, 50_000, expect.closeTo(1000 / 49_000, 8), 1],
    ])
  })

  test('U04 instruments show expiry, strike and contract size', () => {
    const found: unknown[] = []
    const strategy: Strategy = {
      onBook: ({ instrument }, { instruments }) => {
        if (instrument !== instrument_name || found.length > 0) return
        for (const each of instruments) {
          const { name, contractSize, expiration, strike, optionType, settlementCurrency } = each
          found.push([name, contractSize, expiration, strike, optionType, settlementCurrency])
        }
      },
    }
    const wishes: readonly Wish[] = [
      [0, null, 'sim/list_instrument', { instrument_name: 'BTC-30JAN26-60000-C' }],
      ...story,
    ]
    const run = strategyRun({ seats: [seatOf('alice', strategy)], wishes })
    runLoop(run.loop, Number.POSITIVE_INFINITY)
    const expiry = Date.UTC(2026, 0, 30, 8) * 1000
    expect(found).toContainEqual([instrument_name, 10, null, null, null, 'BTC'])
    expect(found).toContainEqual(['BTC-30JAN26-60000-C', 1, expiry, 60_000, 'call', 'BTC'])
  })
})
