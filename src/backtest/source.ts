/**
 * Sources of a run's input: requests of a scenario's steps, a journal or a population of traders, and recorded market
 * data.
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

/** Passes events to the sources that receive them, then passes every event on. */
export function watchedSink(sources: readonly RequestSource[], sink: EventSink): EventSink {
  const watching = sources.flatMap(({ events }) => (events === undefined ? [] : [events]))
  return watching.length === 0 ? sink : fanOut([...watching, sink])
}
