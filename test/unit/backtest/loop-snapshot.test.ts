/**
 * Snapshots of a loop: after any single step of the loop, the restored run gives the events and the callbacks of the
 * unbroken one.
 */
import { describe, expect, test } from 'vitest'
import marketMaker from '../../../scenarios/backtest/market-maker.ts'
import taker from '../../../scenarios/backtest/taker.ts'
import {
  createLoop,
  marketPosition,
  populationSchema,
  populationSetup,
  populationSource,
  type RequestSource,
  restoreLoop,
  runLoop,
  type SeatSpec,
  type Strategy,
  type StrategyVenue,
  seatedSink,
  snapshotLoop,
} from '../../../src/backtest/index.ts'
import { publish } from '../../../src/backtest/strategy/recorded-delivery.ts'
import { decodeValue, encodeValue, micros, type Plain } from '../../../src/core/index.ts'
import { stateHash } from '../../../src/engine/index.ts'
import type { SaidRule } from '../../../src/faults/index.ts'
import type { Event } from '../../../src/model/index.ts'
import { createDesk, ownMethods, restoreDesk, snapshotDesk } from '../../../src/rpc/index.ts'
import { commitSeed, isWhole } from '../../support/property-runs.ts'
import {
  marketOf,
  type Recorded,
  type RunWords,
  requestsOf,
  seatOf,
  seatsOf,
  setUpOf,
  start,
  strategyRun,
  type Wish,
} from '../../support/strategy-run.ts'

const order = { instrument_name: 'BTC-PERPETUAL', amount: 100 }

/** Events of the exchange and callbacks of strategies, in order. */
type Log = string[]

function line(value: unknown): string {
  return JSON.stringify(value, (_, part) => (typeof part === 'bigint' ? `${part}n` : part))
}

/** Writes every callback of a strategy into the log. */
function logged(name: string, strategy: Strategy, log: Log): Strategy {
  const note = (callback: string, venue: StrategyVenue, what: unknown): void => {
    const { now, openOrders } = venue
    const position = venue.position('BTC-PERPETUAL')
    log.push(line({ name, callback, now, what, orders: openOrders.length, position }))
  }
  return {
    ...strategy,
    onStart: (venue) => {
      note('onStart', venue, null)
      strategy.onStart?.(venue)
    },
    onBook: (view, venue) => {
      const { time, bestBid, bestAsk, bidAmount, askAmount } = view
      note('onBook', venue, { time, bestBid, bestAsk, bidAmount, askAmount, mid: view.mid })
      strategy.onBook?.(view, venue)
    },
    onTrade: (print, venue) => {
      note('onTrade', venue, print)
      strategy.onTrade?.(print, venue)
    },
    onOrder: (changed, venue) => {
      note('onOrder', venue, changed)
      strategy.onOrder?.(changed, venue)
    },
    onFill: (fill, venue) => {
      note('onFill', venue, fill)
      strategy.onFill?.(fill, venue)
    },
    onReply: (reply, venue) => {
      note('onReply', venue, reply)
      strategy.onReply?.(reply, venue)
    },
    onTimer: (timer, venue) => {
      note('onTimer', venue, timer)
      strategy.onTimer?.(timer, venue)
    },
  }
}

/** A run that can be repeated: strategies write into the given log. */
interface Plan {
  readonly seats: (log: Log) => readonly SeatSpec[]
  readonly wishes: readonly Wish[]
  readonly recorded: readonly Recorded[]
  readonly sources?: () => readonly RequestSource[]
  readonly faults?: readonly SaidRule[]
  readonly until: number
}

/** The outcome of a run. */
interface CutRun {
  readonly log: Log
  readonly hash: string
  /** True if it had ended before the cut. */
  readonly ended: boolean
}

/** The log of a run that is cut after `cut` steps, saved, restored and finished. */
function cutRun(plan: Plan, cut: number): CutRun {
  const log: Log = []
  const { faults = [] } = plan
  const words: RunWords = {
    seats: plan.seats(log),
    wishes: plan.wishes,
    sources: plan.sources?.() ?? [],
    ...(plan.recorded.length > 0 ? { market: marketOf(plan.recorded) } : {}),
    faults,
    until: plan.until,
  }
  const run = strategyRun(words)
  const before = runLoop(run.loop, cut)
  log.push(...run.events.splice(0).map(line))
  if (before === 'done') return { log, hash: stateHash(run.desk.exchange), ended: true }
  const saved = snapshotLoop(run.loop)
  if (!saved.ok) throw new Error(saved.error)
  const bytes = encodeValue(saved.value)
  const desk = snapshotDesk(run.desk)
  const read = decodeValue(bytes)
  if (!read.ok) throw new Error('the snapshot cannot be read')

  const after: Event[] = []
  const seats = seatsOf(plan.seats(log))
  const sink = seatedSink(seats, { emit: (event) => after.push(event) })
  const restored = restoreDesk(desk, sink, { methods: ownMethods })
  if (!restored.ok) throw new Error('the desk cannot be restored')
  const loop = restoreLoop(
    {
      desk: restored.value,
      sources: [requestsOf([...setUpOf(plan.recorded.length > 0), ...plan.wishes]), ...(plan.sources?.() ?? [])],
      hooks: {},
      parts: {
        seats,
        market: marketOf(plan.recorded, { skip: marketPosition(read.value) }),
        mayFault: faults.length > 0,
        until: micros(start + plan.until),
      },
    },
    read.value,
  )
  if (!loop.ok) throw new Error(loop.error)
  const again = snapshotLoop(loop.value)
  expect(again.ok && encodeValue(again.value)).toEqual(bytes)
  expect(runLoop(loop.value, Number.POSITIVE_INFINITY)).toBe('done')
  log.push(...after.map(line))
  return { log, hash: stateHash(restored.value.exchange), ended: false }
}

/** Callbacks and events separately, each in order, because they are written at different times. */
function parted(log: Log): { readonly callbacks: Log; readonly events: Log } {
  return {
    callbacks: log.filter((text) => text.startsWith('{"name"')),
    events: log.filter((text) => !text.startsWith('{"name"')),
  }
}

/**
 * Cuts after every `step` steps, in `npm test` after an eighth of these; returns their number and the rules of the
 * fills.
 */
function everyCut(plan: Plan, step = 1): { readonly things: number; readonly rules: string[] } {
  const whole = cutRun(plan, Number.POSITIVE_INFINITY)
  const stride = isWhole ? step : 8 * step
  for (let cut = step * (commitSeed % (stride / step)); ; cut += stride) {
    const { log, hash, ended } = cutRun(plan, cut)
    expect([cut, parted(log)]).toEqual([cut, parted(whole.log)])
    expect([cut, hash]).toEqual([cut, whole.hash])
    if (!ended) continue
    const rules = whole.log.flatMap((text) => text.match(/(?<="rule":")\w+/g) ?? [])
    return { things: cut, rules: [...new Set(rules)].sort() }
  }
}

/** Prices that move by a tick or two, with prints in between. */
const recorded: readonly Recorded[] = Array.from({ length: 24 }, (_, index) => {
  const middle = 100_000 + ((index * 7) % 11) - 5
  const at = 1_000 + index * 900
  if (index % 5 === 4) return { at, kind: 'trades', rows: [['buy', middle, 3 + index]] }
  return {
    at,
    snapshot: true,
    rows: [
      ['buy', middle - 1, 5 + index],
      ['sell', middle + 1, 60 - index],
      ['sell', middle + 2, 9],
    ],
  }
})

describe('a run that is cut anywhere and restored', () => {
  test('closed books: steps, a strategy with timers, one that answers fills', () => {
    const quoter = (): Strategy => ({
      onStart: (venue) => {
        venue.request('private/sell', { ...order, price: 50_050 })
        venue.setTimer('quote', '2ms')
      },
      onTimer: (name, venue) => {
        venue.request('private/sell', { ...order, price: 50_050 })
        venue.setTimer(name, '2ms')
      },
      onFill: (_, venue) => venue.request('private/get_positions', {}),
      save: () => null,
      load: () => undefined,
    })
    const follower = (): Strategy => {
      let seen = 0
      return {
        onStart: (venue) => venue.setTimer('look', '3ms'),
        onTimer: (name, venue) => {
          seen += 1
          venue.setTimer(name, '3ms')
          venue.request('private/buy', { ...order, type: 'market', label: `look ${seen}` })
        },
        save: () => ({ seen }),
        load: (state) => {
          // The value that `save` returned.
          seen = (state as { seen: number }).seen
        },
      }
    }
    const { things, rules } = everyCut({
      seats: (log) => [
        seatOf('alice', logged('quoter', quoter(), log), { entry: 700, response: 300 }),
        seatOf('bob', logged('follower', follower(), log), { entry: 100, response: 1_300 }),
      ],
      wishes: [
        [5_000, 'carol', 'private/buy', { ...order, price: 50_050 }],
        [5_500, 'carol', 'private/buy', { ...order, amount: 15, price: 50_050 }],
        [9_000, 'carol', 'private/sell', { ...order, price: 50_080 }],
      ],
      recorded: [],
      until: 12_000,
    })
    expect(things).toBeGreaterThan(60)
    expect(rules).toEqual(['book_maker', 'book_taker'])
  })

  const twoMakers: Plan = {
    seats: (log) => {
      const quotes = { instrument: 'BTC-PERPETUAL', half_spread: 2, size: 100, max_position: 300 }
      const takes = { instrument: 'BTC-PERPETUAL', size: 50, max_position: 100 }
      const maker = marketMaker.make({ ...quotes, levels: 2, skew: 0.5 })
      const other = taker.make({ ...takes, imbalance: 0.8, hold: '9ms', pause: '2ms' })
      const quick = { feed: 1_500, entry: 800, response: 500 }
      return [
        seatOf('alice', logged('maker', maker, log), quick),
        seatOf('bob', logged('taker', other, log), { feed: 4_000, entry: 300, response: 2_000 }),
        seatOf('carol', logged('watcher', { save: () => 0, load: () => {} }, log), quick),
      ]
    },
    wishes: [],
    recorded,
    until: 40_000,
  }

  test('recorded messages in transit at two feed latencies: both example strategies', () => {
    const { things, rules } = everyCut(twoMakers)
    expect(things).toBeGreaterThan(150)
    expect(rules).toEqual([
      ...['book_maker', 'book_taker', 'level_reached', 'level_taken', 'print_through'],
      'recorded',
    ])
  })

  test('faults of every kind, with late messages and gaps of books', () => {
    const { things } = everyCut(
      {
        ...twoMakers,
        faults: [
          { kind: 'drop', of: 'replies', probability: 0.2 },
          { kind: 'drop', of: 'notifications', channels: ['book'], every: 5 },
          { kind: 'delay', of: 'notifications', channels: ['trades'], by: '2ms' },
          { kind: 'delay', of: 'notifications', channels: ['book'], by: '3ms', every: 4 },
          { kind: 'reorder', of: 'notifications', by: '5ms', every: 3 },
          { kind: 'double', of: 'replies', every: 2 },
          { kind: 'double', of: 'notifications', probability: 0.5 },
          { kind: 'refuse', reason: 'too_many_requests', probability: 0.2 },
          { kind: 'half_open', account: 'carol' },
        ],
      },
      3,
    )
    expect(things).toBeGreaterThan(100)
  })
})

test('a loop with very many messages in transit is restored', () => {
  const words = (): RunWords => ({
    seats: [seatOf('alice', { save: () => null, load: () => undefined }, { feed: 9 })],
    market: marketOf([]),
  })
  const { loop } = strategyRun(words())
  const message = marketOf([{ at: 0, rows: [['buy', 90_000, 1]] }]).next()
  if (message === undefined) throw new Error('a market has its message')
  const many = 150_000
  for (let at = 0; at < many; at += 1) publish(loop.delivery, message, start + at)
  const saved = snapshotLoop(loop)
  if (!saved.ok) throw new Error(saved.error)
  const { desk, sources, hooks } = strategyRun({ ...words(), seats: [] }).loop
  const parts = { seats: seatsOf(words().seats), market: marketOf([]) }
  const restored = restoreLoop({ desk, sources, hooks, parts }, saved.value)
  expect(restored.ok && [...restored.value.again.slice(-2)]).toEqual([start + many - 2, start + many - 1])
})

describe('a population', () => {
  const spec = populationSchema.parse({
    instrument: 'BTC-PERPETUAL',
    duration: '20s',
    index: { name: 'btc_usd', price: 50_000, tick: 0.5, every: '4s', step: 12 },
    amount: 10,
    makers: {
      ...{ count: 3, deposit: { BTC: 5 }, every: '500ms', orders: 6 },
      ...{ offset: [2, 30], size: [1, 40] },
    },
    takers: { count: 5, deposit: { BTC: 1 }, every: '2s', size: [1, 20], limit_percent: 25 },
  })

  test('continues where it was saved, together with a strategy', () => {
    const quoter = (): Strategy => ({
      onStart: (venue) => venue.setTimer('quote', '700ms'),
      onTimer: (name, venue) => {
        venue.setTimer(name, '700ms')
        const ioc = { time_in_force: 'immediate_or_cancel', price: 50_020 } as const
        venue.request('private/buy', { ...order, ...ioc })
      },
      save: () => null,
      load: () => undefined,
    })
    const { things, rules } = everyCut(
      {
        seats: (log) => [seatOf('alice', logged('quoter', quoter(), log), { entry: 70 })],
        wishes: populationSetup(spec).map(({ method, params }): Wish => [0, null, method, params]),
        recorded: [],
        sources: () => [populationSource(spec, 'cut', start)],
        until: 20_000_000,
      },
      41,
    )
    expect(things).toBeGreaterThan(200)
    expect(rules).toEqual(['book_maker', 'book_taker'])
  })
})

describe('runs that cannot be saved', () => {
  function problemOf(words: RunWords, things: number): string {
    const run = strategyRun(words)
    runLoop(run.loop, things)
    const saved = snapshotLoop(run.loop)
    return saved.ok ? 'saved' : saved.error
  }
  const state = { save: (): Plain => null, load: (): void => undefined }

  test('a callback of a pending reply, until the reply comes', () => {
    const asks: Strategy = {
      ...state,
      onStart: (venue) => {
        venue.request('private/get_positions', {}, () => undefined)
      },
    }
    const words = { seats: [seatOf('alice', asks, { entry: 10, response: 10 })], until: 100 }
    const starting = setUpOf(false).length + 1
    const waits = 'alice.ts: a function waits for a reply; use onReply of the strategy instead'
    expect(problemOf(words, starting - 1)).toBe('saved')
    expect(problemOf(words, starting)).toBe(waits)
    expect(problemOf(words, starting + 1)).toBe(waits)
    expect(problemOf(words, starting + 2)).toBe('saved')
  })

  test('a strategy without save, or with a state that is not plain data', () => {
    expect(problemOf({ seats: [seatOf('alice', {})] }, 0)).toBe('alice.ts: the strategy has no save')
    const odd: Strategy = { save: () => ({ price: Number.NaN }), load: () => undefined }
    expect(problemOf({ seats: [seatOf('alice', odd)] }, 0)).toBe('alice.ts: save: TypeError: save.price is NaN')
  })

  test('a source without snapshots that still has requests', () => {
    const run = strategyRun({ seats: [] })
    const { save, load, ...source } = requestsOf(setUpOf(false))
    expect([typeof save, typeof load]).toEqual(['function', 'function'])
    const loop = createLoop(run.desk, [source], {})
    expect(snapshotLoop(loop)).toEqual({
      ok: false,
      error: 'source 0 of requests has more to come and cannot be saved',
    })
  })

  test('a snapshot is refused by a run of other strategies', () => {
    const spec = (account: string, feed: number): SeatSpec => seatOf(account, state, { feed })
    const run = strategyRun({ seats: [spec('alice', 1)] })
    const saved = snapshotLoop(run.loop)
    if (!saved.ok) throw new Error(saved.error)
    const restored = (specs: readonly SeatSpec[]): string => {
      const desk = createDesk(
        { config: run.desk.exchange.config, controls: true, methods: ownMethods },
        { emit: () => undefined },
      )
      const parts = { seats: seatsOf(specs) }
      const sources = [requestsOf(setUpOf(false))]
      const loop = restoreLoop({ desk, sources, hooks: {}, parts }, saved.value)
      return loop.ok ? 'restored' : loop.error
    }
    expect(restored([spec('alice', 1)])).toBe('restored')
    expect(restored([spec('bob', 1)])).toBe('the save has a strategy of alice')
    expect(restored([spec('alice', 2)])).toBe('alice.ts: the saved latencies differ')
    expect(restored([spec('alice', 1), spec('bob', 1)])).toBe('the number of saved strategies is 1')
  })
})
