/**
 * Where a run's input comes from: requests of a scenario's steps, a journal or a population of
 * traders, and recorded market data.
 */
import type { InputError, Micros, Plain, Result } from '../core/index.ts'
import type { MessageFinding } from '../engine/index.ts'
import { type AccessScope, type EventSink, fanOut, type MarketMessage, type RequestRefusal } from '../model/index.ts'
import type { RequestParams, ServedReply, VenueReply } from '../rpc/index.ts'

/** A request with the time of its arrival at the exchange. */
export interface TimedRequest {
  readonly time: Micros
  readonly method: string
  readonly params: RequestParams
  readonly account: string | null
  readonly session: number
  /** Reason of a refusal before the exchange; see `VenueRequest`. */
  readonly refused?: RequestRefusal
  /** Rights of the token that asks; see `VenueRequest`. */
  readonly rights?: readonly AccessScope[]
  /** Answers methods that the connection serves itself; see `VenueRequest`. */
  readonly serve?: () => ServedReply
  /** Delivers the reply to the sender. */
  readonly onReply?: (reply: VenueReply) => void
  /** Names who waits for the reply, as plain data that `resume` of the source understands. */
  readonly waiter?: Plain
}

/** A stream of requests with times that never decrease. */
export interface RequestSource {
  /** The time of the next request, Infinity when nothing is left. */
  nextTime(): number
  /** Takes the next request. */
  take(): TimedRequest
  /** Where events of the run go too, for sources that act on what happens to them. */
  readonly events?: EventSink
  /** The state to go on from, as plain data; without it a run cannot be saved while more is to come. */
  save?(): Plain
  /** Takes what `save` of an equal source gave. */
  load?(state: Plain): void
  /** True if `sim/restore` also restores this source. Other sources continue from their current position. */
  readonly goesBack?: true
  /** Who waits for a reply that was on its way when the run was saved; without it none may be. */
  resume?(waiter: Plain): (reply: VenueReply) => void
}

/** Recorded messages of all feeds in one documented order, with times that never decrease. */
export interface MarketSource {
  /** The time of the next message, Infinity when nothing is left; asked only while not starved. */
  peekTime(): number
  /** True if the next message is not known until more is read. */
  starved(): boolean
  /** Takes the next message. */
  next(): MarketMessage | undefined
  /** Receives the findings about the feed from the message that it returned last. An error ends the run. */
  note(message: MarketMessage, finding: MessageFinding): Result<void, InputError>
}

/** Shows events to the sources which take them, then hands every event on. */
export function watchedSink(sources: readonly RequestSource[], sink: EventSink): EventSink {
  const watching = sources.flatMap(({ events }) => (events === undefined ? [] : [events]))
  return watching.length === 0 ? sink : fanOut([...watching, sink])
}
