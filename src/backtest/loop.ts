/**
 * The loop: merges the sources of requests into one published order and hands them to the desk.
 *
 * Order: time, then the order of the sources, then each source's own order. A request whose time lies
 * before the clock (after a `sim/advance`) is handed over at the clock. Source: DESIGN 2 and 4.
 */
import { micros } from '../core/index.ts'
import { type Desk, submit, type VenueReply } from '../rpc/index.ts'
import type { RequestSource, TimedRequest } from './source.ts'

/** What a run wants to be told about each request. */
export interface LoopHooks {
  onRequest?(request: TimedRequest, sequence: number): void
  onReply?(request: TimedRequest, reply: VenueReply): void
}

/** A desk and what feeds it. */
export interface Loop {
  readonly desk: Desk
  readonly sources: readonly RequestSource[]
  readonly hooks: LoopHooks
  /** Requests handed over so far. */
  requests: number
}

/** A loop that has handed nothing over yet. */
export function createLoop(desk: Desk, sources: readonly RequestSource[], hooks: LoopHooks): Loop {
  return { desk, sources, hooks, requests: 0 }
}

/** Hands at most `limit` requests over; returns whether any are left. */
export function runLoop(loop: Loop, limit: number): boolean {
  for (let done = 0; done < limit; done += 1) {
    const source = earliest(loop.sources)
    if (source === undefined) return false
    handOver(loop, source.take())
  }
  return earliest(loop.sources) !== undefined
}

/** The source that is due first; the earlier in the list among equals. */
function earliest(sources: readonly RequestSource[]): RequestSource | undefined {
  let first: RequestSource | undefined
  let time = Number.POSITIVE_INFINITY
  for (const source of sources) {
    const next = source.nextTime()
    if (next < time) {
      first = source
      time = next
    }
  }
  return first
}

function handOver(loop: Loop, taken: TimedRequest): void {
  const { desk, hooks } = loop
  const { now } = desk.exchange
  const request = taken.time < now ? { ...taken, time: micros(now) } : taken
  loop.requests += 1
  hooks.onRequest?.(request, desk.exchange.lastSequence + 1)
  submit(desk, request, (reply) => {
    request.onReply?.(reply)
    hooks.onReply?.(request, reply)
  })
}
