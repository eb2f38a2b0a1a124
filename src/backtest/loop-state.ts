/**
 * The state of a loop: a desk, what feeds it, what is on its way and who waits for replies. Only the
 * functions of `loop`, `loop-requests` and `loop-snapshot` write it.
 */
import { defined, type InputError, type Micros, type Plain, type Sequence } from '../core/index.ts'
import type { Desk, VenueReply } from '../rpc/index.ts'
import type { MarketSource, RequestSource, TimedRequest } from './source.ts'
import type { Agenda } from './strategy/agenda.ts'
import type { News } from './strategy/news.ts'
import type { Member, RecordedDelivery } from './strategy/recorded-delivery.ts'
import type { SentRequest } from './strategy/seat.ts'
import type { Seats } from './strategy/seats.ts'
import type { StrategyGuard } from './strategy/strategy-guard.ts'

/** Callbacks of a run that wants to be told about each request. */
export interface LoopHooks {
  /**
   * Called before anything is done to the exchange, a timer, a recorded message or a request, with its
   * time: the exchange is as all before have left it.
   */
  onInput?(time: Micros): void
  onRequest?(request: TimedRequest, sequence: number): void
  onReply?(request: TimedRequest, reply: VenueReply): void
}

/** Sources that a loop may merge besides requests. */
export interface LoopParts {
  readonly market?: MarketSource
  /** Strategies; their events reach them through `seatedSink`. */
  readonly seats?: Seats
  /** The last time at which anything is done. */
  readonly until?: Micros | null
  /** True if faults may meet messages of this run, so that each strategy has books of its own. */
  readonly mayFault?: boolean
  /** Requests of the first source that come before everything else: those of the set-up. */
  readonly setup?: number
}

/** Who waits for a reply: a source, as it names it, or a strategy with its request; null where only hooks do. */
export interface Waiting {
  readonly source: { readonly index: number; readonly waiter: Plain } | null
  readonly seat: { readonly index: number; readonly sent: SentRequest } | null
}

/** Codes of the work that can come next, in the order of one instant; what is late comes with responses. */
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

/** A desk and what feeds it; only the loop's own functions write it. */
export interface Loop {
  readonly desk: Desk
  readonly sources: readonly RequestSource[]
  readonly hooks: LoopHooks
  readonly market: MarketSource | null
  readonly seats: readonly Member[]
  /** When each of them has something to do. */
  readonly agenda: Agenda
  readonly dueOfPlace: (place: number) => number
  readonly delivery: RecordedDelivery
  readonly guard: StrategyGuard
  readonly until: Micros | null
  readonly setup: number
  /** Nothing after it is done yet; Infinity but for runs that go along with a clock (`runLoopUntil`). */
  horizon: number
  /** Requests handed over so far. */
  requests: number
  /** Recorded messages applied so far. */
  messages: number
  /** Who waits for the replies that the exchange holds. */
  readonly waiting: Map<Sequence, Waiting>
  /** True once `sim/stop_feeds` said so: no recorded message is applied any more. */
  areFeedsStopped: boolean
  /** Recorded messages to read again, which a restored exchange has taken already: their times. */
  again: Float64Array
  /** News among them, which nobody reads again, by how many are left when its turn comes. */
  againNews: ReadonlyMap<number, News>
  /** Time of the last request of a source or recorded message. */
  lastTime: number
  /** The mistake that ended the run before its time. */
  fault: InputError | null
  /** The kind of work that comes next, and its index within the kind. */
  work: LoopWork
  index: number
}

export function seatOf(loop: Loop, index: number): Member {
  return defined(loop.seats[index], 'a seat that was found is there')
}
