/**
 * A strategy runner: one strategy that trades one account, with the messages in transit to it and from it.
 *
 * Requests wait in the outbox until they reach the exchange. Order changes, fills and replies wait in the inbox, one
 * queue in the order in which the exchange made them. The strategy's view of its orders and positions follows the
 * deliveries, never the state of the exchange.
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
import type { DeliveredNews } from './news.ts'
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
import { type StrategyGuard, strategyFault } from './strategy-guard.ts'
import { createTimedQueue, firstTime, type TimedQueue } from './timed-queue.ts'

/** Receives a reply. */
export type ReplyFunction = (reply: ReplyBody, venue: StrategyVenue) => void

/** A reply without its envelope. */
type ReplyBody = { readonly ok: true; readonly result: unknown } | { readonly ok: false; readonly error: VenueError }

/** A request in transit to the exchange. */
export interface SentRequest extends QueuedRequest {
  /** Number among the requests of the strategy, from 1. */
  readonly number: number
  readonly method: StrategyMethod
  readonly params: RequestParams
  readonly onReply: ReplyFunction | null
}

/** A message in transit to the strategy. Engine events wait unconverted, which costs nothing. */
export type Response =
  | OrderChanged
  | EventOf<'given_position' | 'block_trade' | 'payment'>
  | { readonly kind: 'start' }
  | { readonly kind: 'own_rfq'; readonly rfq: StrategyBlockRfq }
  | { readonly kind: 'own_rfq_quote'; readonly quote: StrategyBlockQuote }
  | { readonly kind: 'own_fill'; readonly fill: UserTrade }
  | { readonly kind: 'own_position'; readonly instrument: InstrumentId; readonly position: Lots }
  | { readonly kind: 'own_reply'; readonly request: SentRequest; readonly reply: ReplyBody }

/** A message that a fault delays. */
export type Late =
  | { readonly kind: 'response'; readonly response: Response }
  | { readonly kind: 'news'; readonly news: DeliveredNews; readonly time: number }
  | { readonly kind: 'book'; readonly instrument: InstrumentId }
  | { readonly kind: 'prints'; readonly message: MarketMessage }

/** A running strategy; only this folder writes it. */
export interface Seat {
  /** Its module as named by the user. */
  readonly name: string
  readonly accountName: string
  readonly latency: Latency
  readonly strategy: Strategy
  /** The agenda of due times, and the index of this strategy in the run. */
  readonly agenda: Agenda
  readonly place: number
  readonly outbox: TimedQueue<SentRequest>
  /** Requests of the outbox that hold a place in a queue of the account, in the order of sending. */
  readonly waiting: SentRequest[]
  readonly inbox: TimedQueue<Response>
  /** Messages that faults delay. */
  late: TimerQueue<Late>
  /** Delayed messages that follow the next message at once, because a fault reordered them. */
  overtaken: TimerId[]
  timers: TimerQueue<string>
  readonly timerIds: Map<string, TimerId>
  /** Live orders and positions according to the deliveries, including orders that wait for a price or a fill. */
  readonly orders: Map<OrderId, OrderChanged>
  readonly positions: Map<InstrumentId, Lots>
  /** -1 until the account is opened. */
  account: AccountId | -1
  /** The strategy's clock. */
  now: Micros
  /** Number of requests sent so far. */
  requests: number
  /** Number of replies that a function waits for. A snapshot cannot contain functions. */
  functionsWaiting: number
  /** The instant of the last callback, and the number of callbacks in that instant. */
  instant: number
  callbacks: number
  /** True if unknown names of callbacks and parameters are refused. */
  readonly isStrict: boolean
  /** The strategy's random stream. */
  chance: RandomStream
  readonly guard: StrategyGuard
  readonly refusals: Refusals
  /** Fault rules for the messages to it and from it; null before the request router is known. */
  faults: Faults | null
  /**
   * The first mistake outside of callbacks. All strategies of a run share this object, so that a loop checks it once.
   */
  readonly outside: OutsideFault
  /** The next number of its random stream. */
  random(): number
}

/** A mistake of a strategy outside of callbacks, such as an uncaught exception. */
export interface OutsideFault {
  fault: InputError | null
}

/** More callbacks than this at one time are treated as an endless loop. */
const CALLBACKS_PER_INSTANT_MAX = 100_000

/** A runner for a strategy object. */
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

/** The time of the first item that waits for a strategy or leaves it; Infinity without one. */
export function dueOfSeat(seat: Seat): number {
  const queued = Math.min(firstTime(seat.outbox), firstTime(seat.inbox))
  return Math.min(queued, peekTime(seat.late), peekTime(seat.timers))
}

/** Calls a callback with one argument. An exception is a mistake of the strategy. */
export function callBack<A>(
  { seat, venue, name }: CallTarget,
  callback: (argument: A, venue: StrategyVenue) => unknown,
  argument: A,
): InputError | null {
  const excess = countCallback(seat, name)
  if (excess !== null) return excess
  seat.guard.seat = seat
  try {
    const returned = callback.call(seat.strategy, argument, venue)
    return returned === undefined ? null : promiseFault(seat, name, returned)
  } catch (error) {
    // The code that builds the fault runs as the library, not as the strategy.
    seat.guard.seat = null
    return strategyFault(seat, name, error)
  } finally {
    seat.guard.seat = null
  }
}

/** The strategy of a callback, and the name of the callback. */
interface CallTarget {
  readonly seat: Seat
  readonly venue: StrategyVenue
  readonly name: string
}

/** True if a value looks like a promise. */
export function isPromise(value: unknown): boolean {
  return typeof value === 'object' && value !== null && 'then' in value
}

/** Counts a callback of the current instant. Exceeding the limit is a mistake. */
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

/** Prevents an unhandled rejection of a promise that is refused. */
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

/** A strategy runner with its venue. */
export interface SeatedVenue {
  readonly seat: Seat
  readonly venue: StrategyVenue
}
