/**
 * A seat: one strategy at work on one account, with what is on its way to it and from it.
 *
 * Requests wait in the outbox until they reach the exchange; order changes, fills and replies wait in
 * the inbox, one queue in the order in which the exchange made them. The strategy's picture of its
 * orders and positions follows what was delivered, never what the exchange knows.
 */
import {
  type AccountId,
  createTimerQueue,
  formatIsoTime,
  type InputError,
  type InstrumentId,
  type Lots,
  type Micros,
  micros,
  type OrderId,
  peekTime,
  type RandomStream,
  type TimerId,
  type TimerQueue,
} from '../../core/index.ts'
import type { Faults } from '../../faults/index.ts'
import type { EventOf, MarketMessage, OrderChanged } from '../../model/index.ts'
import type { RequestParams, UserTrade, VenueError } from '../../rpc/index.ts'
import type { Agenda } from './agenda.ts'
import type { Told } from './news.ts'
import type { Refusals } from './refusals.ts'
import type { QueuedRequest } from './request-queue.ts'
import type {
  Latency,
  Strategy,
  StrategyBlockQuote,
  StrategyBlockRfq,
  StrategyMethod,
  StrategyVenue,
} from './strategy.ts'
import { strategyFault } from './strategy-fault.ts'
import type { StrategyGuard } from './strategy-guard.ts'
import { createTimedQueue, firstTime, type TimedQueue } from './timed-queue.ts'

/** Takes a reply. */
export type ReplyFunction = (reply: ReplyBody, venue: StrategyVenue) => void

/** A reply without its envelope. */
export type ReplyBody =
  | { readonly ok: true; readonly result: unknown }
  | { readonly ok: false; readonly error: VenueError }

/** A request on its way to the exchange. */
export interface SentRequest extends QueuedRequest {
  /** Number among the requests of the seat, from 1. */
  readonly number: number
  readonly method: StrategyMethod
  readonly params: RequestParams
  readonly onReply: ReplyFunction | null
}

/** Something on its way to the strategy. Engine events wait as they are, which costs nothing more. */
export type Response =
  | OrderChanged
  | EventOf<'given_position' | 'block_trade' | 'payment'>
  | { readonly kind: 'start' }
  | { readonly kind: 'own_rfq'; readonly rfq: StrategyBlockRfq }
  | { readonly kind: 'own_rfq_quote'; readonly quote: StrategyBlockQuote }
  | { readonly kind: 'own_fill'; readonly fill: UserTrade }
  | { readonly kind: 'own_position'; readonly instrument: InstrumentId; readonly position: Lots }
  | { readonly kind: 'own_reply'; readonly request: SentRequest; readonly reply: ReplyBody }

/** Something that a fault keeps from the strategy until a time of its own. */
export type Late =
  | { readonly kind: 'response'; readonly response: Response }
  | { readonly kind: 'news'; readonly news: Told; readonly time: number }
  | { readonly kind: 'book'; readonly instrument: InstrumentId }
  | { readonly kind: 'prints'; readonly message: MarketMessage }

/** A strategy at work; only this folder writes it. */
export interface Seat {
  /** Its module as a person named it. */
  readonly name: string
  readonly accountName: string
  readonly latency: Latency
  readonly strategy: Strategy
  /** Where it is noted when it has something to do, and its place among the strategies of the run. */
  readonly agenda: Agenda
  readonly place: number
  readonly outbox: TimedQueue<SentRequest>
  /** Those of the outbox that hold a place in a queue of the account, in the order of sending. */
  readonly waiting: SentRequest[]
  readonly inbox: TimedQueue<Response>
  /** Messages that faults keep from it for a while. */
  late: TimerQueue<Late>
  /** Those of them that come with the next message. */
  overtaken: TimerId[]
  timers: TimerQueue<string>
  readonly timerIds: Map<string, TimerId>
  /** Live orders, those that wait for a price or a fill included, and positions as far as delivered. */
  readonly orders: Map<OrderId, OrderChanged>
  readonly positions: Map<InstrumentId, Lots>
  /** -1 until the account is opened. */
  account: AccountId | -1
  /** The strategy's clock. */
  now: Micros
  /** Requests sent so far. */
  requests: number
  /** Replies that a function waits for, which no snapshot can hold. */
  functionsWaiting: number
  /** The instant of the last callback, and how many it has had. */
  instant: number
  callbacks: number
  /** True if what it misspells is refused. */
  readonly isStrict: boolean
  /** Its own stream of chance. */
  chance: RandomStream
  readonly guard: StrategyGuard
  readonly refusals: Refusals
  /** Faults of the messages to it and from it; null until it sits at a desk. */
  faults: Faults | null
  /** The first mistake outside of callbacks, one for all strategies of a run, so that a loop looks at it in one step. */
  readonly outside: OutsideFault
  /** The next draw of its stream. */
  random(): number
}

/** A mistake that a strategy makes outside of callbacks, as an uncaught exception. */
export interface OutsideFault {
  fault: InputError | null
}

/** More callbacks than this at one point of time are taken for a loop without end. */
export const CALLBACKS_PER_INSTANT_MAX = 100_000

/** A seat for a strategy that was made. */
export function createSeat(
  seat: Pick<
    Seat,
    'name' | 'accountName' | 'latency' | 'strategy' | 'agenda' | 'place' | 'isStrict' | 'chance' | 'guard' | 'outside'
  >,
): Seat {
  const made: Seat = {
    ...seat,
    outbox: createTimedQueue(),
    waiting: [],
    inbox: createTimedQueue(),
    late: createTimerQueue(),
    overtaken: [],
    timers: createTimerQueue(),
    timerIds: new Map(),
    orders: new Map(),
    positions: new Map(),
    account: -1,
    now: micros(0),
    requests: 0,
    functionsWaiting: 0,
    instant: -1,
    callbacks: 0,
    refusals: new Map(),
    faults: null,
    random: () => made.chance.nextDouble(),
  }
  return made
}

/** The time of the first thing that waits for a seat or to leave it; Infinity for none. */
export function dueOfSeat({ outbox, inbox, late, timers }: Seat): number {
  const queued = Math.min(firstTime(outbox), firstTime(inbox))
  return Math.min(queued, peekTime(late), peekTime(timers))
}

/** Calls back with one argument; what goes wrong is a mistake of the strategy. */
export function callBack<A>(
  { seat, venue, name }: CallTarget,
  callback: (argument: A, venue: StrategyVenue) => unknown,
  argument: A,
): InputError | null {
  const excess = countCallback(seat, name)
  if (excess !== null) return excess
  const { guard } = seat
  guard.seat = seat
  try {
    const returned = callback.call(seat.strategy, argument, venue)
    return returned === undefined ? null : promiseFault(seat, name, returned)
  } catch (error) {
    // What tells of the mistake is not the strategy.
    guard.seat = null
    return strategyFault(seat, name, error)
  } finally {
    guard.seat = null
  }
}

/** Whose callback is called, by its name. */
export interface CallTarget {
  readonly seat: Seat
  readonly venue: StrategyVenue
  readonly name: string
}

/** True if a value is a promise, by what promises have. */
export function isPromise(value: unknown): boolean {
  return typeof value === 'object' && value !== null && 'then' in value
}

/** Counts a callback of this instant; more than the limit is a mistake. */
function countCallback(seat: Seat, name: string): InputError | null {
  if (seat.instant !== seat.now) {
    seat.instant = seat.now
    seat.callbacks = 0
  }
  seat.callbacks += 1
  if (seat.callbacks <= CALLBACKS_PER_INSTANT_MAX) return null
  return {
    code: 'STRATEGY',
    file: seat.name,
    path: name,
    expected: `at most ${CALLBACKS_PER_INSTANT_MAX} callbacks at ${formatIsoTime(seat.now)}`,
    found: 'more',
    hint: 'with zero latencies or timers, a strategy can trigger itself endlessly',
  }
}

/** Nobody waits for a promise that is refused, nor for what it is rejected with. */
export function quieten(promise: unknown): void {
  Promise.resolve(promise).catch(() => undefined)
}

function promiseFault(seat: Seat, name: string, returned: unknown): InputError | null {
  if (!isPromise(returned)) return null
  quieten(returned)
  return {
    code: 'STRATEGY',
    file: seat.name,
    path: name,
    expected: 'a synchronous function',
    found: 'a promise',
  }
}

/** A seat with its venue. */
export interface SeatedVenue {
  readonly seat: Seat
  readonly venue: StrategyVenue
}
