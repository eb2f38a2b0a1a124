/** The venue of a strategy: its actions, and its view, which has only the orders and positions of its account. */
import { describe, expect, test } from 'vitest'
import { runLoop, type Strategy, type StrategyVenue, seatedSink } from '../../../src/backtest/index.ts'
import { price9 } from '../../../src/core/index.ts'
import { currencyIdOf, makeOrderId } from '../../../src/model/index.ts'
import { type ChangeWords, changeOf } from '../../support/order-change.ts'
import { marketOf, offset, seatOf, setUpOf, strategyRun } from '../../support/strategy-run.ts'

const order = { instrument_name: 'BTC-PERPETUAL', amount: 100 }
const bestPrices = [
  ['buy', 99_998, 5],
  ['buy', 99_999, 12],
  ['sell', 100_001, 7],
] as const

/** The result of a function of the venue when its strategy has started. */
function atStart<T>(look: (venue: StrategyVenue) => T): T {
  const seen: T[] = []
  const strategy: Strategy = { onStart: (venue) => seen.push(look(venue)) }
  const run = strategyRun({ seats: [seatOf('alice', strategy)] })
  expect([runLoop(run.loop, Number.POSITIVE_INFINITY), run.loop.fault]).toEqual(['done', null])
  return seen[0] as T
}

describe('the venue of a strategy', () => {
  test('has its account, the clock and the instruments', () => {
    const seen = atStart((venue) => [venue.account, offset(venue.now), venue.instruments])
    expect(seen).toEqual([
      'alice',
      0,
      [
        expect.objectContaining({ name: 'BTC-PERPETUAL', tickSize: 0.5, amountStep: 10 }),
        expect.objectContaining({ name: 'ETH-PERPETUAL', tickSize: 0.05, amountStep: 1 }),
      ],
    ])
  })

  test('rounds prices to the grid and amounts to steps, without rounding errors of doubles', () => {
    const seen = atStart((venue) => [
      venue.price('BTC-PERPETUAL', 50_000.3, 'down'),
      venue.price('BTC-PERPETUAL', 50_000.3, 'up'),
      venue.price('ETH-PERPETUAL', 0.1 + 0.2, 'down'),
      venue.price('ETH-PERPETUAL', 0.1 + 0.2, 'up'),
      venue.amount('BTC-PERPETUAL', 129),
      venue.amount('ETH-PERPETUAL', 3 - 1e-12),
      venue.amount('BTC-PERPETUAL', 50_000_009),
    ])
    expect(seen).toEqual([50_000, 50_000.5, 0.3, 0.3, 120, 3, 50_000_000])
  })

  test('has the steps of a rescale, rounds to them, and hints at them', () => {
    const instrument_name = 'BTC-PERPETUAL'
    const seen: unknown[] = []
    const strategy: Strategy = {
      onStart: (venue) => venue.setTimer('later', '1ms'),
      onTimer: (_, venue) => {
        seen.push(venue.instruments[0], venue.amount(instrument_name, 275))
        seen.push(venue.price(instrument_name, 50_003.5, 'down'))
        venue.request('private/buy', { instrument_name, amount: 120, price: 49_000 })
        venue.request('private/buy', { instrument_name, amount: 100, price: 49_000.5 })
      },
    }
    const steps = { instrument_name, tick_size: 5, amount_step: 100 }
    const { loop } = strategyRun({
      seats: [seatOf('alice', strategy)],
      wishes: [[10, null, 'sim/rescale', steps]],
      until: 2000,
    })
    expect([runLoop(loop, Number.POSITIVE_INFINITY), loop.fault]).toEqual(['done', null])
    const reported = { tickSize: 5, amountStep: 100, minAmount: 100 }
    expect(seen).toEqual([expect.objectContaining(reported), 200, 50_000])
    expect([...(loop.seats[0]?.seat.refusals.values() ?? [])]).toMatchObject([
      { hint: expect.stringMatching(/^step 100, at least 100;/) },
      { hint: expect.stringMatching(/^tick 5;/) },
    ])
  })

  test('shows a book by scalars, with NaN and 0 for an empty side', () => {
    const seen: unknown[] = []
    const strategy: Strategy = {
      onBook: (view, venue) => {
        expect(venue.view('BTC-PERPETUAL')).toBe(view)
        seen.push([view.isTwoSided, view.bestBid, view.bidAmount, view.bestAsk, view.askAmount])
        seen.push([view.mid, view.amountAt('buy', 49_999), view.amountAt('buy', 49_999.25)])
        seen.push([view.level('buy', 1), view.levels('sell', 5), view.level('sell', 1)])
      },
    }
    const run = strategyRun({
      seats: [seatOf('alice', strategy)],
      market: marketOf([
        { at: 1, snapshot: true, rows: bestPrices },
        { at: 2, rows: [['sell', 100_001, 0]] },
      ]),
    })
    expect(runLoop(run.loop, Number.POSITIVE_INFINITY)).toBe('done')
    expect(seen).toEqual([
      [true, 49_999.5, 120, 50_000.5, 70],
      [50_000, 50, 0],
      [{ price: 49_999, amount: 50 }, [{ price: 50_000.5, amount: 70 }], undefined],
      [false, 49_999.5, 120, Number.NaN, 0],
      [Number.NaN, 50, 0],
      [{ price: 49_999, amount: 50 }, [], undefined],
    ])
  })

  test('knows only its own orders and positions, from messages that have arrived', () => {
    const lines: string[] = []
    const note = (what: string, venue: StrategyVenue): void => {
      const orders = venue.openOrders.map(({ label, amount }) => `${label} ${amount}`)
      const position = venue.position('BTC-PERPETUAL')
      lines.push(`${venue.account} ${what}: [${orders}] ${position} @${offset(venue.now)}`)
    }
    const strategyOf = (price: number): Strategy => ({
      onStart: (venue) => {
        note('start', venue)
        venue.request('private/sell', { ...order, price, label: 'one' })
      },
      onOrder: (_, venue) => note('order', venue),
      onFill: (fill, venue) => note(`fill ${fill.label} fee ${fill.fee}`, venue),
    })
    const give = { account: 'bob', instrument_name: 'BTC-PERPETUAL', amount: 50, price: 49_000 }
    const run = strategyRun({
      seats: [seatOf('alice', strategyOf(50_010), { response: 5 }), seatOf('bob', strategyOf(50_020), { response: 9 })],
      wishes: [
        [0, null, 'sim/give_position', give],
        [20, 'carol', 'private/buy', { ...order, amount: 150, price: 50_020 }],
      ],
      until: 100,
    })
    expect(runLoop(run.loop, Number.POSITIVE_INFINITY)).toBe('done')
    expect(lines).toEqual([
      'alice start: [] 0 @0',
      'bob start: [] 50 @0',
      'alice order: [one 100] 0 @5',
      'bob order: [one 100] 50 @9',
      'alice fill one fee 0: [one 100] -100 @25',
      'alice order: [] -100 @25',
      'bob fill one fee 0: [one 100] 0 @29',
      'bob order: [one 100] 0 @29',
    ])
  })

  test('hears of every kind of change, and its live orders include waiting ones', () => {
    const lines: string[] = []
    const strategy: Strategy = {
      onOrder: (order, venue) => {
        const live = venue.openOrders.map(({ label }) => label)
        lines.push(`${order.label} ${order.order_state}: [${live}] @${offset(venue.now)}`)
      },
    }
    const run = strategyRun({ seats: [seatOf('alice', strategy, { response: 3 })], until: 100 })
    runLoop(run.loop, setUpOf(false).length)
    const sink = seatedSink(run.seats, { emit: () => undefined })
    const account = run.seats.list[0]?.account ?? -1
    const change = (...[kind, number, words]: Parameters<typeof changeOf>): void =>
      sink.emit(changeOf(kind, number, { ...words, account, label: `${number}` }))
    const stop: ChangeWords = {
      ...{ type: 'stop_limit', state: 'untriggered', form: 'mark_price_sell' },
      trigger: { source: 'mark_price', price: price9(1), offset: price9(0), reference: price9(0) },
    }
    change('opened', 1, stop)
    change('opened', 2, stop)
    change('opened', 3, { state: 'untriggered', form: 'secondary' })
    change('triggered', 1, {
      ...{ ...stop, state: 'triggered' },
      successor: makeOrderId(currencyIdOf('BTC'), 4, 'ordinary'),
    })
    change('opened', 4)
    change('rejected', 2, { ...stop, state: 'rejected', reason: 'book_closed' })
    change('resized', 4, { reason: 'reduce_only' })
    change('refreshed', 4)
    change('cancelled', 3, {
      ...{ form: 'secondary', state: 'cancelled', reason: 'oto_primary_closed' },
    })
    runLoop(run.loop, Number.POSITIVE_INFINITY)
    expect([run.loop.fault, lines]).toEqual([
      null,
      [
        '1 untriggered: [1] @3',
        '2 untriggered: [1,2] @3',
        '3 untriggered: [1,2,3] @3',
        '1 triggered: [2,3] @3',
        '4 open: [2,3,4] @3',
        '2 rejected: [3,4] @3',
        '4 open: [3,4] @3',
        '4 open: [3,4] @3',
        '3 cancelled: [4] @3',
      ],
    ])
  })

  test('its live orders include a stop order until it fires, and it fills under another id', () => {
    const lines: string[] = []
    const strategy: Strategy = {
      onStart: (venue) => {
        const stop = { type: 'stop_market', trigger: 'mark_price', trigger_price: 49_900 } as const
        venue.request('private/sell', { ...order, ...stop, label: 's' })
      },
      onOrder: ({ order_id, order_state, order_type, price }, venue) => {
        const live = venue.openOrders.map((each) => each.order_id)
        const words = `${order_type} ${order_id} ${order_state} ${price}`
        lines.push(`${words}: [${live}] @${offset(venue.now)}`)
      },
      onFill: (fill, venue) => lines.push(`fill of ${fill.order_id} @${offset(venue.now)}`),
    }
    const run = strategyRun({
      seats: [seatOf('alice', strategy, { response: 3 })],
      wishes: [
        [10, 'bob', 'private/buy', { ...order, price: 49_800 }],
        [20, null, 'sim/set_index', { index_name: 'btc_usd', price: 49_899 }],
      ],
      until: 100,
    })
    expect(runLoop(run.loop, Number.POSITIVE_INFINITY)).toBe('done')
    expect(lines).toEqual([
      'stop_market SLMS-1 untriggered market_price: [SLMS-1] @3',
      'stop_market SLMS-1 triggered market_price: [] @23',
      'market 3 open 49150.5: [3] @23',
      'fill of 3 @23',
      'market 3 filled 49150.5: [] @23',
    ])
  })

  test('two strategies on two instruments each see both markets and fill in their own', () => {
    const lines: string[] = []
    const strategyOf = (instrument: string, amount: number): Strategy => ({
      onBook: (view, venue) => {
        lines.push(`${venue.account} ${view.instrument} ${view.mid}`)
        if (view.instrument !== instrument) return
        const { bestAsk: price } = view
        const ioc = { time_in_force: 'immediate_or_cancel', amount, price } as const
        venue.request('private/buy', { instrument_name: instrument, ...ioc })
      },
      onFill: (fill, venue) => {
        const { rule, amount: filled, instrument_name: name, feed, feed_row: row } = fill
        lines.push(`${venue.account} ${rule} ${filled} ${name} feed ${feed} row ${row}`)
      },
    })
    const run = strategyRun({
      seats: [
        seatOf('alice', strategyOf('BTC-PERPETUAL', 100), { feed: 10, entry: 5 }),
        seatOf('bob', strategyOf('ETH-PERPETUAL', 3), { feed: 20, entry: 5 }),
      ],
      market: marketOf([
        { at: 1, snapshot: true, rows: bestPrices },
        {
          ...{ at: 2, instrument: 1, snapshot: true },
          rows: [
            ['buy', 39_999, 5],
            ['sell', 40_001, 4],
          ],
        },
      ]),
      until: 1_000,
    })
    expect(runLoop(run.loop, Number.POSITIVE_INFINITY)).toBe('done')
    expect(lines).toEqual([
      'alice BTC-PERPETUAL 50000',
      'alice ETH-PERPETUAL 2000',
      'alice level_taken 70 BTC-PERPETUAL feed 0 row 3',
      'bob BTC-PERPETUAL 50000',
      'bob ETH-PERPETUAL 2000',
      'bob level_taken 3 ETH-PERPETUAL feed 0 row 102',
    ])
  })

  test('a timer replaces one with the same name, and a cleared one does not fire', () => {
    const lines: string[] = []
    const strategy: Strategy = {
      onStart: (venue) => {
        for (const delay of ['1ms', '250us', 700]) venue.setTimer('a', delay)
        venue.setTimer('b', 700)
        venue.setTimer('c', 10)
        venue.clearTimer('c')
        venue.clearTimer('never set')
      },
      onTimer: (name, venue) => lines.push(`${name}@${offset(venue.now)}`),
    }
    const run = strategyRun({ seats: [seatOf('alice', strategy)], until: 10_000 })
    runLoop(run.loop, Number.POSITIVE_INFINITY)
    expect(lines).toEqual(['a@700', 'b@700'])
  })

  test('types a request by its method', () => {
    const replies: unknown[] = []
    const strategy: Strategy = {
      onStart: (venue) => {
        const number = venue.request('private/buy', { ...order, price: 49_000 }, (reply, own) => {
          const state: string = reply.ok ? reply.result.order.order_state : reply.error.message
          replies.push([state, own === venue])
        })
        expect(number).toBe(1)
        // @ts-expect-error: an amount is a number.
        venue.request('private/buy', { instrument_name: 'BTC-PERPETUAL', amount: '100' })
        // @ts-expect-error: this method has other parameters.
        venue.request('private/cancel', { label: 'x' }, (reply) => replies.push(reply.ok))
      },
    }
    const run = strategyRun({ seats: [{ ...seatOf('alice', strategy), strict: false }] })
    runLoop(run.loop, Number.POSITIVE_INFINITY)
    expect(replies).toEqual([['open', true], false])
  })

  test('a request is a copy: later changes of the object have no effect', () => {
    const params = { ...order, price: 49_000 }
    const strategy: Strategy = {
      onStart: (venue) => {
        venue.request('private/buy', params)
        params.price = 1
      },
    }
    const run = strategyRun({ seats: [seatOf('alice', strategy, { entry: 9 })], until: 10 })
    runLoop(run.loop, Number.POSITIVE_INFINITY)
    expect(run.events.filter((event) => event.kind === 'order' && event.change === 'opened')).toMatchObject([
      { price: 49_000_000_000_000 },
    ])
  })
})
