/**
 * The state of a loop: a request router, its sources, everything in transit, and the recipients of pending replies.
 * Only the functions of `loop`, `loop-requests` and `loop-snapshot` write it.
 */

import { defined, type InputError, type Micros, type Plain, type Result, type Sequence } from '../core/index.ts'
import type { MessageFinding } from '../engine/index.ts'
import { type AccessScope, type EventSink, fanOut, type MarketMessage, type RequestRefusal } from '../model/index.ts'
import type { Desk, RequestParams, ServedReply, VenueReply } from '../rpc/index.ts'
import type { Agenda } from './strategy/agenda.ts'
import type { News } from './strategy/news.ts'
import type { Member, RecordedDelivery } from './strategy/recorded-delivery.ts'
import type { SentRequest } from './strategy/seat.ts'
import type { Seats } from './strategy/seats.ts'
import type { StrategyGuard } from './strategy/strategy-guard.ts'

/** Callbacks of a run that observes each request. */
export interface LoopHooks {
  /**
   * Called before each change of the exchange (a timer, a recorded message or a request), with its time. The exchange
   * then has the state after all earlier changes.
   */
  onInput?(time: Micros): void
  /**
   * The time of the first input for which `onInput` has work; `onInput` is not called before earlier inputs. The loop
   * reads it after each call of `onInput` and after each change that emitted events. Without it, `onInput` is called
   * before every input.
   */
  nextInput?(): number
  onRequest?(request: TimedRequest, sequence: number): void
  onReply?(request: TimedRequest, reply: VenueReply): void
}

/** Further sources of a loop, besides requests. */
export interface LoopParts {
  readonly market?: MarketSource
  /** Strategies. They receive events through `seatedSink`. */
  readonly seats?: Seats
  /** The last time at which the loop works. */
  readonly until?: Micros | null
  /** True if faults may affect messages of this run, so that each strategy needs separate books. */
  readonly mayFault?: boolean
  /** Number of requests of the first source that belong to the set-up. They come before everything else. */
  readonly setup?: number
}

/**
 * The recipient of a reply: a source (with the source's own name for the recipient), or a strategy with its request.
 * Both are null if only hooks receive it.
 */
export interface Waiting {
  readonly source: { readonly index: number; readonly waiter: Plain } | null
  readonly seat: { readonly index: number; readonly sent: SentRequest } | null
}

/** A request with the time of its arrival at the exchange. */
export interface TimedRequest {
  readonly time: Micros
  readonly method: string
  readonly params: RequestParams
  readonly account: string | null
  readonly session: number
  /** Reason of a refusal before the request reaches the exchange; see `VenueRequest`. */
  readonly refused?: RequestRefusal
  /** Rights of the access token of the request; see `VenueRequest`. */
  readonly rights?: readonly AccessScope[]
  /** Answers methods that the connection serves itself; see `VenueRequest`. */
  readonly serve?: () => ServedReply
  /** Delivers the reply to the sender. */
  readonly onReply?: (reply: VenueReply) => void
  /** The recipient of the reply as plain data, for `resume` of the source. */
  readonly waiter?: Plain
}

/** A stream of requests with times that never decrease. */
export interface RequestSource {
  /** The time of the next request; Infinity without one. */
  nextTime(): number
  /** Takes the next request. */
  take(): TimedRequest
  /** Receives the events of the run, for sources that react to them. */
  readonly events?: EventSink
  /** The current state as plain data. Without this function a run can be saved only after the source's last request. */
  save?(): Plain
  /** Restores the state that `save` of an equal source returned. */
  load?(state: Plain): void
  /** True if `sim/restore` also restores this source. Other sources continue from their current position. */
  readonly goesBack?: true
  /**
   * The function that delivers a reply that was pending when the run was saved. A source without it must not have such
   * replies.
   */
  resume?(waiter: Plain): (reply: VenueReply) => void
}

/** Recorded messages of all feeds in one documented order, with times that never decrease. */
export interface MarketSource {
  /** The time of the next message; Infinity without one. Called only while the source is not starved. */
  peekTime(): number
  /** True if the source must read more before it knows the next message. */
  starved(): boolean
  /** Takes the next message. */
  next(): MarketMessage | undefined
  /** Receives the findings about the feed from the message that it returned last. An error ends the run. */
  note(message: MarketMessage, finding: MessageFinding): Result<void, InputError>
}

/** Codes of the next work item, in their order within one instant. Late messages come at the place of responses. */
export const work = {
  clock: 0,
  market: 1,
  source: 2,
  entry: 3,
  response: 4,
  recorded: 5,
  timer: 6,
  late: 7,
} as const

/** A code of `work`. */
export type LoopWork = (typeof work)[keyof typeof work]

/** A request router and its sources. Only the loop's functions write it. */
export interface Loop {
  readonly desk: Desk
  readonly sources: readonly RequestSource[]
  readonly hooks: LoopHooks
  readonly market: MarketSource | null
  readonly seats: readonly Member[]
  /** The next due times of the strategies. */
  readonly agenda: Agenda
  readonly dueOfPlace: (place: number) => number
  readonly delivery: RecordedDelivery
  readonly guard: StrategyGuard
  readonly until: Micros | null
  readonly setup: number
  /** The loop does nothing later than this time. Infinity except in runs that follow a clock (`runLoopUntil`). */
  horizon: number
  /** Number of requests submitted so far. */
  requests: number
  /** Number of recorded messages applied so far. */
  messages: number
  /** `hooks.nextInput` as read when the exchange had emitted `hookEvents` events. -1 events: it must be read again. */
  nextInput: number
  hookEvents: number
  /** Recipients of the replies that the exchange holds. */
  readonly waiting: Map<Sequence, Waiting>
  /** True after `sim/stop_feeds`: no further recorded message is applied. */
  areFeedsStopped: boolean
  /** Times of recorded messages that a restored exchange has already applied, and that must be read again. */
  again: Float64Array
  /**
   * News among them, which no source can read again. The key is the number of items that are left when its turn comes.
   */
  againNews: ReadonlyMap<number, News>
  /** Time of the last request of a source or recorded message. */
  lastTime: number
  /** The mistake that ended the run early. */
  fault: InputError | null
  /** The kind of the next work item, and its index within the kind. */
  work: LoopWork
  index: number
}

export function seatOf(loop: Loop, index: number): Member {
  return defined(loop.seats[index], 'a seat that was found is there')
}

/**
 * Sources of a run's input: requests of a scenario's steps, a journal or a population of traders, and recorded market
 * data.
 */

/** Passes events to the sources that receive them, then passes every event on. */
export function watchedSink(sources: readonly RequestSource[], sink: EventSink): EventSink {
  const watching = sources.flatMap(({ events }) => (events === undefined ? [] : [events]))
  return watching.length === 0 ? sink : fanOut([...watching, sink])
}
