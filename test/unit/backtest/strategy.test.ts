/**
 * What a strategy may do and sees: its venue, its own orders and positions only, its mistakes as bad
 * input.
 */
import { describe, expect, test } from 'vitest'
import taker from '../../../scenarios/backtest/taker.ts'
import {
  defineStrategy,
  feedLoop,
  isStrategyDefinition,
  openSeats,
  runLoop,
  type SeatSpec,
  type Strategy,
  type StrategyVenue,
} from '../../../src/backtest/index.ts'
import { err, formatInputError, type InputError } from '../../../src/core/index.ts'
import {
  marketOf,
  offset,
  type RunWords,
  requestsOf,
  seatOf,
  strategyRun,
} from '../../support/strategy-run.ts'

const order = { instrument_name: 'BTC-PERPETUAL', amount: 100 }
const bestPrices = [
  ['buy', 99_998, 5],
  ['buy', 99_999, 12],
  ['sell', 100_001, 7],
] as const

/** The mistake that ends a run. */
function faultOf(words: RunWords): string {
  const run = strategyRun(words)
  expect(runLoop(run.loop, Number.POSITIVE_INFINITY)).toBe('failed')
  // It stays as it ended.
  expect(runLoop(run.loop, 1)).toBe('failed')
  return run.loop.fault === null ? '' : formatInputError(run.loop.fault)
}

/** What a function sees of the venue once its strategy has started. */
function atStart<T>(look: (venue: StrategyVenue) => T): T {
  const seen: T[] = []
  const strategy: Strategy = { onStart: (venue) => seen.push(look(venue)) }
  const run = strategyRun({ seats: [seatOf('alice', strategy)] })
  expect([runLoop(run.loop, Number.POSITIVE_INFINITY), run.loop.fault]).toEqual(['done', null])
  return seen[0] as T
}

describe('the venue of a strategy', () => {
  test('tells its account, the clock and the instruments', () => {
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

  test('rounds prices to the grid and amounts to steps, dust of doubles aside', () => {
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

  test('shows a book by scalars, with NaN and 0 where a side is empty', () => {
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

  test('knows orders and positions by what has arrived, its own alone', () => {
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
      seats: [
        seatOf('alice', strategyOf(50_010), { response: 5 }),
        seatOf('bob', strategyOf(50_020), { response: 9 }),
      ],
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

  test('a timer replaces one of its name, and a cleared one stays away', () => {
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
    const run = strategyRun({ seats: [seatOf('alice', strategy)] })
    runLoop(run.loop, Number.POSITIVE_INFINITY)
    expect(replies).toEqual([['open', true], false])
  })

  test('a request is a copy: what is changed later stays behind', () => {
    const params = { ...order, price: 49_000 }
    const strategy: Strategy = {
      onStart: (venue) => {
        venue.request('private/buy', params)
        params.price = 1
      },
    }
    const run = strategyRun({ seats: [seatOf('alice', strategy, { entry: 9 })], until: 10 })
    runLoop(run.loop, Number.POSITIVE_INFINITY)
    expect(run.events.filter(({ kind }) => kind === 'order_opened')).toMatchObject([
      { price: 49_000_000_000_000 },
    ])
  })
})

describe('mistakes of a strategy', () => {
  const started = 'no exception at 2026-01-05T09:00:00Z'

  test.each<[string, (venue: StrategyVenue) => unknown, string]>([
    ['throws', () => (null as unknown as string).length, 'TypeError: Cannot read properties'],
    ['throws what is no error', () => thrown('enough'), 'found enough'],
    // biome-ignore lint/suspicious/noExplicitAny: what a strategy without types does.
    ['a control', (venue) => venue.request('sim/advance' as any, {}), 'private/ or public/'],
    ['NaN', (venue) => venue.request('private/buy', { ...order, price: 0 / 0 }), 'price is NaN'],
    ['a timer', (venue) => venue.setTimer('a', 'soon'), 'expected a duration such as 250us'],
    ['a timer', (venue) => venue.setTimer('a', 0.5), 'expected whole microseconds from 0'],
    ['an instrument', (venue) => venue.view('BTC-28MAR25'), 'BTC-28MAR25 is not listed'],
    ['a price', (venue) => venue.price('BTC-PERPETUAL', Number.NaN, 'up'), 'NaN is no price'],
    ['an amount', (venue) => venue.amount('BTC-PERPETUAL', -1), '-1 is no amount'],
  ])('%s', (_, act, words) => {
    const fault = faultOf({ seats: [seatOf('alice', { onStart: (venue) => void act(venue) })] })
    expect(fault).toContain(`alice.ts: onStart: expected ${started}, found `)
    expect(fault).toContain(words)
  })

  test('in any callback, at the time of the strategy', () => {
    const fails = (): never => thrown('no')
    const runs: RunWords[] = [
      {
        seats: [seatOf('alice', { onBook: fails }, { feed: 3 })],
        market: marketOf([{ at: 7, rows: bestPrices }]),
        until: 20,
      },
      {
        seats: [seatOf('bob', { onTrade: fails })],
        market: marketOf([{ at: 7, kind: 'trades', rows: [['unknown', 100_000, 1]] }]),
      },
      {
        seats: [
          seatOf('carol', {
            onStart: (venue) => venue.request('private/get_positions', {}, fails),
          }),
        ],
      },
    ]
    expect(runs.map(faultOf)).toEqual([
      'alice.ts: onBook: expected no exception at 2026-01-05T09:00:00.000010Z, found no',
      'bob.ts: onTrade: expected no exception at 2026-01-05T09:00:00.000007Z, found no',
      `carol.ts: the function of a reply: expected ${started}, found no`,
    ])
  })

  test('a callback that gives a promise', () => {
    // biome-ignore lint/suspicious/noExplicitAny: what a strategy without types does.
    const onStart: any = async () => undefined
    expect(faultOf({ seats: [seatOf('alice', { onStart })] })).toBe(
      'alice.ts: onStart: expected a synchronous function, found a promise',
    )
  })

  test('an account that nobody opened', () => {
    expect(faultOf({ seats: [seatOf('dora', {})] })).toBe(
      'dora.ts: expected its account to be opened by the start, found no account dora',
    )
  })

  test('all mistakes of seats at once', () => {
    const spec = seatOf('alice', {})
    const bad = (name: string, make: () => unknown): SeatSpec => ({
      ...{ name, account: name, params: null, latency: spec.latency },
      // biome-ignore lint/suspicious/noExplicitAny: what a strategy without types gives.
      definition: { make } as any,
    })
    const opened = openSeats([
      spec,
      { ...spec, latency: { feed: -1, entry: 0.5, response: 0 } },
      bad('a', () => undefined),
      bad('b', async () => ({})),
      bad('c', () => ({ onBook: 7 })),
      bad('d', () => ({ save: () => null })),
      {
        ...bad('e', () => undefined),
        definition: taker,
        params: { imbalance: 3 },
      },
    ])
    expect(opened.ok ? [] : opened.error.map(formatInputError)).toEqual([
      'alice.ts: latency.feed: expected whole microseconds from 0, found -1',
      'alice.ts: latency.entry: expected whole microseconds from 0, found 0.5',
      'alice.ts: account: expected an account that no other strategy trades, found alice',
      'a: expected an object of callbacks, found undefined',
      'b: expected an object of callbacks, found a promise',
      'c: onBook: expected a function, found number',
      'd: expected save and load, or neither, found save alone',
      'e: params: expected a strategy that takes its parameters, found RangeError: imbalance is above 0.5, at most 1',
    ])
  })

  test('what is no definition of a strategy is told apart', () => {
    const some = defineStrategy(() => ({}))
    expect([some, { make: 1 }, () => ({}), null].map(isStrategyDefinition)).toEqual([
      true,
      ...[false, false, false],
    ])
  })
})

describe('recorded messages in the loop', () => {
  const recorded = [1, 2, 3, 4, 5].map((at) => ({ at, rows: bestPrices }))

  test('a starved source stops the loop until it is filled, with the same result', async () => {
    const times = async (batch: number): Promise<unknown> => {
      const seen: number[] = []
      const market = marketOf(recorded, { batch })
      const run = strategyRun({
        seats: [seatOf('alice', { onBook: (_, venue) => seen.push(offset(venue.now)) })],
        market,
      })
      let refills = 0
      const state = await feedLoop(run.loop, {
        slice: 3,
        refill: async () => {
          refills += 1
          market.refill()
          return { ok: true, value: undefined }
        },
        pause: async () => true,
      })
      return { state, seen, messages: run.loop.messages, refills }
    }
    const same = { state: 'done', seen: [1, 2, 3, 4, 5], messages: 5 }
    expect(await times(Number.POSITIVE_INFINITY)).toEqual({ ...same, refills: 0 })
    expect(await times(2)).toEqual({ ...same, refills: 3 })
  })

  test('a source that fails, or a driver that stops, ends the run there', async () => {
    const error: InputError = { file: 'book.csv', line: 9, expected: 'a price', found: 'x' }
    const run = strategyRun({ seats: [], market: marketOf(recorded, { batch: 2 }) })
    const refill = async (): Promise<ReturnType<typeof err<InputError>>> => err(error)
    expect(await feedLoop(run.loop, { slice: 3, refill })).toBe('failed')
    expect(run.loop.fault).toBe(error)
    const other = strategyRun({ seats: [], market: marketOf(recorded) })
    const pause = async (): Promise<boolean> => other.loop.messages < 2
    expect(await feedLoop(other.loop, { slice: 1, refill, pause })).toBe('more')
    expect(other.loop.messages).toBe(2)
  })

  test('what a message shows of its feed is told to the source, whose error ends the run', () => {
    const error: InputError = { file: 'book.csv', line: 2, expected: 'no cross', found: 'one' }
    const rows = [
      ['buy', 100_002, 5],
      ['sell', 100_001, 7],
    ] as const
    const market = marketOf([...recorded.slice(0, 1), { at: 2, rows }, { at: 3, rows }])
    const run = strategyRun({ seats: [], market })
    expect(runLoop(run.loop, Number.POSITIVE_INFINITY)).toBe('done')
    expect(market.noted).toEqual([
      [2, { crossed: true, unknownRemovals: 0 }],
      [3, { crossed: true, unknownRemovals: 0 }],
    ])
    const strict = { ...marketOf([{ at: 2, rows }]), note: () => err(error) }
    const failing = strategyRun({ seats: [], market: strict })
    expect(runLoop(failing.loop, Number.POSITIVE_INFINITY)).toBe('failed')
    expect(failing.loop.fault).toBe(error)
  })

  test('after sim/advance messages and requests come at the clock', () => {
    const lines: string[] = []
    const strategy: Strategy = {
      onBook: (view, venue) => {
        lines.push(`${offset(view.time)}@${offset(venue.now)}`)
        venue.request('private/buy', { ...order, price: 49_000 })
      },
      onOrder: (_, venue) => lines.push(`order@${offset(venue.now)}`),
    }
    const to = 1_767_603_600_000 + 1
    const run = strategyRun({
      seats: [seatOf('alice', strategy, { feed: 2, entry: 4, response: 8 })],
      wishes: [[3, null, 'sim/advance', { to }]],
      market: marketOf(recorded.slice(0, 4)),
      until: 2_000,
    })
    expect(runLoop(run.loop, Number.POSITIVE_INFINITY)).toBe('done')
    // Those of 1 and 2 were on their way; the clock stood at 1000 when their answers arrived.
    expect(lines).toEqual([
      ...['1@3', '2@4', '3@5'],
      ...['1000@1002', 'order@1008', 'order@1008', 'order@1008', 'order@1014'],
    ])
  })

  test('requests after the end are left', () => {
    const run = strategyRun({ seats: [], wishes: [[50, null, 'public/get_time']], until: 20 })
    expect(runLoop(run.loop, Number.POSITIVE_INFINITY)).toBe('done')
    expect(run.loop.requests).toBe(13)
    expect(requestsOf([]).nextTime()).toBe(Number.POSITIVE_INFINITY)
  })
})

function thrown(what: unknown): never {
  throw what
}
