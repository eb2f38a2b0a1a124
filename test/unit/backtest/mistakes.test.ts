/** A mistake of a strategy ends the run as bad input: which strategy, which callback, when and why. */
import { describe, expect, test } from 'vitest'
import taker from '../../../scenarios/backtest/taker.ts'
import {
  defineStrategy,
  isStrategyDefinition,
  openSeats,
  runLoop,
  type SeatSpec,
  type StrategyVenue,
} from '../../../src/backtest/index.ts'
import { publish } from '../../../src/backtest/strategy/recorded-delivery.ts'
import { TIMED_QUEUE_MAX } from '../../../src/backtest/strategy/timed-queue.ts'
import { AssertionFailure, accountId, formatInputError, type Micros, micros, price9 } from '../../../src/core/index.ts'
import { defaultConfig } from '../../../src/model/index.ts'
import { createDesk, ownMethods, submit } from '../../../src/rpc/index.ts'
import { marketOf, type RunWords, seatOf, strategyRun, start as venueStart } from '../../support/strategy-run.ts'

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
  // It stays failed.
  expect(runLoop(run.loop, 1)).toBe('failed')
  return run.loop.fault === null ? '' : formatInputError(run.loop.fault)
}

test('too many recorded messages in transit to a slow strategy', () => {
  const { loop } = strategyRun({ seats: [seatOf('alice', {}), seatOf('bob', {}, { feed: 9 })] })
  const message = marketOf([{ at: 0, rows: bestPrices }]).next()
  if (message === undefined) throw new Error('a market has its message')
  for (let sent = 0; sent < TIMED_QUEUE_MAX; sent += 1) {
    if (publish(loop.delivery, message, message.time) !== null) throw new Error('there was room')
  }
  const fault = publish(loop.delivery, message, message.time)
  expect(fault === null ? '' : formatInputError(fault)).toBe(
    'bob.ts: latency.feed: expected at most 4194304 recorded messages in transit, found more (with a shorter latency, fewer messages are in transit)',
  )
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
    [
      'an instrument',
      (venue) => venue.view('BTC-28MAR25'),
      'BTC-28MAR25 is not listed (listed instruments: BTC-PERPETUAL, ETH-PERPETUAL)',
    ],
    [
      'a misspelt instrument',
      (venue) => venue.price('BTC-PERPETAUL', 1, 'up'),
      'the instrument BTC-PERPETAUL is not listed (did you mean BTC-PERPETUAL?)',
    ],
    [
      'a currency',
      // biome-ignore lint/suspicious/noExplicitAny: what a strategy without types does.
      (venue) => venue.funds('btc' as any),
      'btc is not a currency (did you mean BTC?)',
    ],
    ['a unit', () => micros(0.5), 'a time in microseconds is a safe integer of at least 0, found 0.5'],
    ['a unit', () => price9(0.5), 'a price in 1e-9 is a safe integer, found 0.5'],
    ['a unit', () => accountId(-1), 'found -1'],
    ['a price', (venue) => venue.price('BTC-PERPETUAL', Number.NaN, 'up'), 'NaN is not a price'],
    ['an amount', (venue) => venue.amount('BTC-PERPETUAL', -1), '-1 is not an amount'],
    [
      'the highest price, rounded up',
      (venue) => venue.price('BTC-PERPETUAL', 9_007_199.2, 'up'),
      '9007199.2 is not a price',
    ],
    [
      'a bigint as a parameter',
      // biome-ignore lint/suspicious/noExplicitAny: what a strategy without types does.
      (venue) => venue.request('private/buy', { ...order, price: 49_000n as any }),
      'params.price is a bigint; expected a number',
    ],
    [
      'a request of its own venue in the past',
      () => ownRequest(micros(venueStart - 1)),
      `time: expected whole microseconds at or after the clock (${venueStart}), found ${venueStart - 1}`,
    ],
    // biome-ignore lint/suspicious/noExplicitAny: what a strategy without types does.
    ['no time', () => ownRequest(undefined as any), 'found undefined'],
  ])('%s', (_, act, words) => {
    const fault = faultOf({ seats: [seatOf('alice', { onStart: (venue) => void act(venue) })] })
    expect(fault).toContain(`alice.ts: onStart: expected ${started}, found `)
    expect(fault).toContain(words)
  })

  test('a price above the highest has no amount', () => {
    let found = -1
    const onStart = (venue: StrategyVenue): void => {
      found = venue.view('BTC-PERPETUAL').amountAt('buy', 1_000_000_000)
    }
    runLoop(strategyRun({ seats: [seatOf('alice', { onStart })] }).loop, Number.POSITIVE_INFINITY)
    expect(found).toBe(0)
  })

  test('an assertion of ours is not a mistake of a strategy', () => {
    const fails = (): never => thrown(new AssertionFailure('ours'))
    expect(() => faultOf({ seats: [seatOf('alice', { onStart: fails })] })).toThrow('ours')
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

  test('U01 an exception has its place first, then the calls that led to it', () => {
    const helper = (): never => thrown(new Error('boom'))
    const fault = faultOf({ seats: [seatOf('alice', { onStart: () => helper() })] })
    const [first, ...frames] = fault.split('\n')
    expect(first).toMatch(/mistakes\.test\.ts:\d+:\d+: alice\.ts: onStart: expected .*, found Error: boom$/)
    expect(frames.length).toBeGreaterThanOrEqual(2)
    expect(frames[0]).toMatch(/^ {4}at helper .*mistakes\.test\.ts:\d+:\d+/)
    expect(fault).not.toContain('/src/backtest/')
  })

  test('U01 the place of a wrong argument is the call of the venue', () => {
    const act = (venue: StrategyVenue): void => void venue.price('BTC-PERPETUAL', Number.NaN, 'up')
    const fault = faultOf({ seats: [seatOf('alice', { onStart: act })] })
    expect(fault).toMatch(/^\S*mistakes\.test\.ts:\d+:\d+: alice\.ts: onStart: .*NaN is not a price/)
  })

  test('U02 a misspelt parameter of a request ends the run, unless the strategy is not strict', () => {
    const wrong = { ...order, price: 49_000, post_onyl: true }
    const strategy = { onStart: (venue: StrategyVenue) => void venue.request('private/buy', wrong) }
    expect(faultOf({ seats: [seatOf('alice', strategy)] })).toContain(
      'post_onyl: expected a parameter of the method, found post_onyl (did you mean post_only?)',
    )
    const { loop } = strategyRun({ seats: [{ ...seatOf('alice', strategy), strict: false }] })
    expect(runLoop(loop, Number.POSITIVE_INFINITY)).toBe('done')
  })

  test('U03 a misspelt callback is refused, own helpers are not', () => {
    const made = (strategy: object, strict = true): string => {
      const definition = { make: () => strategy }
      const opened = openSeats([{ ...seatOf('alice', {}), definition, strict }])
      return opened.ok ? 'opened' : opened.error.map(formatInputError).join()
    }
    const callback = (): void => undefined
    expect(made({ onbook: callback })).toBe(
      'alice.ts: onbook: expected a known callback, found onbook (did you mean onBook?)',
    )
    class Maker {
      onFills(): void {}
    }
    expect(made(new Maker())).toContain('did you mean onFill?')
    expect(made({ onBooks: callback }, false)).toBe('opened')
    expect(made({ quote: callback, onBook: callback, online: true })).toBe('opened')
  })

  test('U02 refused requests are counted by reason, with an example and a hint', () => {
    const strategy = {
      onStart: (venue: StrategyVenue): void => {
        for (const price of [49_000.3, 49_000.2]) {
          venue.request('private/buy', { ...order, price })
        }
        const instrument_name = 'BTC-PERPETAUL'
        venue.request('private/buy', { ...order, instrument_name, price: 49_000 })
        // biome-ignore lint/suspicious/noExplicitAny: what a strategy without types does.
        const { bid } = venue.view('BTC-PERPETUAL') as any
        venue.request('private/buy', { ...order, price: bid })
      },
    }
    const { loop } = strategyRun({ seats: [seatOf('alice', strategy)] })
    runLoop(loop, Number.POSITIVE_INFINITY)
    const found = [...(loop.seats[0]?.seat.refusals.values() ?? [])]
    expect(found).toMatchObject([
      {
        reason: 'price_wrong_tick',
        count: 2,
        example: { method: 'private/buy', params: expect.stringContaining('49000.3') },
        hint: expect.stringMatching(/^tick 0\.5/),
      },
      { count: 1, hint: 'instrument_name: found "BTC-PERPETAUL"; did you mean BTC-PERPETUAL?' },
      { reason: 'invalid_price', hint: 'price: expected a number, found nothing' },
    ])
  })

  test('H06 a callback that returns a rejected promise leaves no unhandled rejection', async () => {
    const left: unknown[] = []
    const onRejection = (reason: unknown): void => void left.push(reason)
    process.on('unhandledRejection', onRejection)
    // biome-ignore lint/suspicious/noExplicitAny: what a strategy without types does.
    const onStart: any = async () => thrown(new Error('later'))
    expect(faultOf({ seats: [seatOf('alice', { onStart })] })).toContain('found a promise')
    await new Promise((resolve) => setTimeout(resolve, 5))
    process.off('unhandledRejection', onRejection)
    expect(left).toEqual([])
  })

  test('a callback that returns a promise', () => {
    // biome-ignore lint/suspicious/noExplicitAny: what a strategy without types does.
    const onStart: any = async () => undefined
    expect(faultOf({ seats: [seatOf('alice', { onStart })] })).toBe(
      'alice.ts: onStart: expected a synchronous function, found a promise',
    )
  })

  test('an account that does not exist', () => {
    expect(faultOf({ seats: [seatOf('dora', {})] })).toBe(
      'dora.ts: expected an open account at the start, found no account dora',
    )
  })

  test('reports all mistakes of seats at once', () => {
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
    const lines = opened.ok ? [] : opened.error.map(formatInputError)
    expect(lines.at(-1)).toMatch(/\n {4}at .*taker\.ts:\d+:\d+/)
    expect(lines.map((line) => line.split('\n', 1)[0])).toEqual([
      'alice.ts: latency.feed: expected whole microseconds from 0 to a day, found -1',
      'alice.ts: latency.entry: expected whole microseconds from 0 to a day, found 0.5',
      'alice.ts: account: expected an account that no other strategy uses, found alice',
      'a: expected an object of callbacks, found undefined',
      'b: expected an object of callbacks, found a promise',
      'c: onBook: expected a function, found number',
      'd: expected save and load, or neither, found save alone',
      'e: params: expected parameters that the strategy accepts, found RangeError: imbalance is above 0.5, at most 1',
    ])
  })

  test('values that are not definitions of strategies are recognised', () => {
    const some = defineStrategy(() => ({}))
    expect([some, { make: 1 }, () => ({}), null].map(isStrategyDefinition)).toEqual([true, ...[false, false, false]])
  })
})

/** A request of a strategy to a venue that it opens itself. */
function ownRequest(time: Micros): void {
  const desk = createDesk(
    { config: defaultConfig(venueStart), controls: true, methods: ownMethods },
    { emit: () => undefined },
  )
  const request = { method: 'public/get_time', params: {}, account: null, session: 0 }
  submit(desk, { ...request, time }, null)
}

function thrown(what: unknown): never {
  throw what
}
