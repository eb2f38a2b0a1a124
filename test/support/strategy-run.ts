/**
 * Runs of strategies for tests: a desk with two perpetuals, accounts with deposits, requests at offsets from the start,
 * and artificial recorded messages.
 */
import { expect } from 'vitest'
import {
  createLoop,
  type Loop,
  type LoopHooks,
  type MarketSource,
  openSeats,
  type RequestSource,
  type SeatSpec,
  type Seats,
  type Strategy,
  seatedSink,
  type TimedRequest,
} from '../../src/backtest/index.ts'
import { instrumentId, type Micros, micros, ok, type Plain } from '../../src/core/index.ts'
import type { MessageFinding } from '../../src/engine/index.ts'
import { createFaults, ruleOf, type SaidRule } from '../../src/faults/index.ts'
import { defaultConfig, type Event, type MarketKind, type MarketMessage, rowSide } from '../../src/model/index.ts'
import { createDesk, type Desk, ownMethods, type RequestParams } from '../../src/rpc/index.ts'

/** 2026-01-05T09:00:00Z. */
export const start = micros(1_767_603_600_000_000)

/** A request at microseconds from the start. */
export type Wish = readonly [at: number, account: string | null, method: string, params?: RequestParams]

/** A recorded message at microseconds from the start: rows of side, price in ticks, size in lots. */
export interface Recorded {
  readonly at: number
  readonly kind?: MarketKind
  readonly instrument?: number
  readonly snapshot?: boolean
  readonly rows: readonly (readonly [keyof typeof rowSide, number, number])[]
}

/** A run with all its events. */
export interface StrategyRun {
  readonly desk: Desk
  readonly loop: Loop
  readonly seats: Seats
  readonly events: Event[]
}

/** Parts of a run besides the two perpetuals and the accounts. */
export interface RunWords {
  readonly seats: readonly SeatSpec[]
  readonly wishes?: readonly Wish[]
  readonly market?: MarketSource
  /** Sources after the wishes. */
  readonly sources?: readonly RequestSource[]
  readonly hooks?: LoopHooks
  readonly until?: number
  /** Faults of messages, which apply at all times. */
  readonly faults?: readonly SaidRule[]
}

/** The seat of a strategy object; latencies in microseconds. */
export function seatOf(account: string, strategy: Strategy, latency: Partial<SeatSpec['latency']> = {}): SeatSpec {
  return {
    name: `${account}.ts`,
    account,
    definition: { make: () => strategy },
    params: null,
    latency: { feed: 0, entry: 0, response: 0, ...latency },
  }
}

/** A run before its first step. */
export function strategyRun(words: RunWords): StrategyRun {
  const seats = seatsOf(words.seats)
  const events: Event[] = []
  const sink = seatedSink(seats, { emit: (event) => events.push(event) })
  const { market, until, faults: said = [] } = words
  const rules = said.map((rule) => ruleOf(rule, 0, null))
  const faults = createFaults('0', rules)
  const desk = createDesk({ config: defaultConfig(start), controls: true, methods: ownMethods, faults }, sink)
  const recorded = words.market !== undefined
  const wishes = requestsOf([...setUpOf(recorded), ...(words.wishes ?? [])])
  const sources = [wishes, ...(words.sources ?? [])]
  const loop = createLoop(desk, sources, words.hooks ?? {}, {
    seats,
    ...(market === undefined ? {} : { market }),
    mayFault: said.length > 0,
    until: until === undefined ? null : micros(start + until),
  })
  return { desk, loop, seats, events }
}

/** Seats; throws if one cannot open. */
export function seatsOf(specs: readonly SeatSpec[]): Seats {
  const opened = openSeats(specs)
  if (!opened.ok) throw new Error(JSON.stringify(opened.error))
  return opened.value
}

/** The first requests of every run; its liquidity may be recorded. */
export function setUpOf(recorded: boolean): readonly Wish[] {
  const queue = recorded ? { queue: 'risk_averse' } : {}
  return [
    [0, null, 'sim/list_instrument', { instrument_name: 'BTC-PERPETUAL', ...queue }],
    [0, null, 'sim/list_instrument', { instrument_name: 'ETH-PERPETUAL', ...queue }],
    ...funded,
  ]
}

const funded: readonly Wish[] = [
  [0, null, 'sim/set_index', { index_name: 'btc_usd', price: 50_000 }],
  [0, null, 'sim/set_index', { index_name: 'eth_usd', price: 2_000 }],
  ...['alice', 'bob', 'carol'].flatMap((name): Wish[] => [
    [0, null, 'sim/create_account', { name }],
    [0, null, 'sim/deposit', { account: name, currency: 'BTC', amount: 10 }],
    [0, null, 'sim/deposit', { account: name, currency: 'ETH', amount: 100 }],
  ]),
]

/** A source of requests that supports snapshots. */
export function requestsOf(wishes: readonly Wish[]): RequestSource {
  const requests = wishes.map(
    ([at, account, method, params = {}]): TimedRequest => ({
      time: micros(start + at),
      account,
      method,
      params,
      session: 0,
    }),
  )
  let next = 0
  return {
    nextTime: () => requests[next]?.time ?? Number.POSITIVE_INFINITY,
    take: () => {
      const request = requests[next]
      if (request === undefined) throw new Error('nothing is left')
      next += 1
      return request
    },
    save: () => next,
    load: (state: Plain) => {
      next = state as number
    },
  }
}

/** A market source that runs empty after every `batch` messages until it is refilled. */
export interface FakeMarket extends MarketSource {
  refill(): void
  /** Offsets of messages with their findings. */
  readonly noted: (readonly [number, MessageFinding])[]
}

/** Recorded messages, without the first `skip`. */
export function marketOf(
  recorded: readonly Recorded[],
  { batch = Number.POSITIVE_INFINITY, skip = 0 }: { batch?: number; skip?: number } = {},
): FakeMarket {
  const messages = recorded.map(messageOf)
  let next = skip
  let filled = batch === Number.POSITIVE_INFINITY ? messages.length : next
  const noted: (readonly [number, MessageFinding])[] = []
  return {
    noted,
    peekTime: () => messages[next]?.time ?? Number.POSITIVE_INFINITY,
    starved: () => next === filled && filled < messages.length,
    next: () => {
      next += 1
      return messages[next - 1]
    },
    note: (message, finding) => {
      noted.push([offset(message.time), finding])
      return ok(undefined)
    },
    refill: () => {
      filled = Math.min(messages.length, filled + batch)
    },
  }
}

/** Offset of a time from the start. */
export function offset(time: number): number {
  return time - start
}

/** A recorded message. */
export function messageOf(
  { at, kind = 'book', instrument = 0, snapshot = false, rows }: Recorded,
  index: number,
): MarketMessage {
  expect(rows.length).toBeGreaterThan(0)
  const time: Micros = micros(start + at)
  return {
    kind,
    time,
    instrument: instrumentId(instrument),
    feed: 0,
    snapshot,
    uncross: false,
    rows: {
      side: Uint8Array.from(rows.map(([side]) => rowSide[side])),
      price: Float64Array.from(rows.map(([, price]) => price)),
      amount: Float64Array.from(rows.map(([, , amount]) => amount)),
      row: Float64Array.from(rows.map((_, row) => index * 100 + row + 1)),
    },
    from: 0,
    to: rows.length,
  }
}
