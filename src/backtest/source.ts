/**
 * Where requests come from. A scenario's steps, a journal, a population of traders and later a
 * strategy behind its latency all look alike to the loop.
 */
import type { Micros } from '../core/index.ts'
import type { Event, EventSink } from '../model/index.ts'
import type { RequestParams, VenueReply } from '../rpc/index.ts'

/** A request with the time at which it is to reach the exchange. */
export interface TimedRequest {
  readonly time: Micros
  readonly method: string
  readonly params: RequestParams
  readonly account: string | null
  readonly session: number
  /** Tells the sender its reply. */
  readonly onReply?: (reply: VenueReply) => void
}

/** A stream of requests whose times never fall. */
export interface RequestSource {
  /** The time of the next request, Infinity when nothing is left. */
  nextTime(): number
  /** Takes the next request. */
  take(): TimedRequest
  /** Sees every event of the run, for sources that act on what happens to them. */
  onEvent?(event: Event): void
}

/** A sink that shows events to the sources which want them, then passes them on. */
export function watchedSink(sources: readonly RequestSource[], sink: EventSink): EventSink {
  const watching = sources.filter((source) => source.onEvent !== undefined)
  if (watching.length === 0) return sink
  return {
    emit(event): void {
      for (const source of watching) source.onEvent?.(event)
      sink.emit(event)
    },
  }
}
