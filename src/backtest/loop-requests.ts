/**
 * The requests of a loop. Passes requests of sources and strategies to the request router and delivers their replies,
 * also if the exchange holds a reply and after a restore.
 */

import { type Micros, type Mutable, micros, type Sequence, sequence } from '../core/index.ts'
import { eventCountOf, lastSequenceOf, timeOf } from '../engine/index.ts'
import { type FaultRule, faultOf } from '../faults/index.ts'
import { submit, type VenueReply, type VenueRequest } from '../rpc/index.ts'
import { type Loop, seatOf, type TimedRequest, type Waiting } from './loop-state.ts'
import { forget } from './strategy/deliver.ts'
import { leaveQueue } from './strategy/request-queue.ts'
import type { Seat, SentRequest } from './strategy/seat.ts'
import { respond } from './strategy/seat-events.ts'
import { firstTime, takeFirst } from './strategy/timed-queue.ts'

/** The recipient of the reply to a source's request, as plain data; undefined if only a function receives it. */
export function waitingOf(index: number, { onReply, waiter }: TimedRequest): Waiting | undefined {
  if (onReply === undefined) return { source: null, seat: null }
  return waiter === undefined ? undefined : { source: { index, waiter }, seat: null }
}

/** Calls `onInput` before an input with this time if it has work by then. */
export function announceInput(loop: Loop, time: Micros): void {
  if (loop.hooks.onInput === undefined) return
  const events = eventCountOf(loop.desk.exchange)
  if (loop.hookEvents !== events) {
    loop.hookEvents = events
    loop.nextInput = loop.hooks.nextInput?.() ?? Number.NEGATIVE_INFINITY
  }
  if (time < loop.nextInput) return
  loop.hooks.onInput(time)
  loop.hookEvents = -1
}

/** Passes a request to the router. `waiting` is the recipient of the reply if the exchange holds it. */
export function handOver(loop: Loop, taken: TimedRequest, waiting: Waiting | undefined): void {
  const { desk, hooks } = loop
  const now = timeOf(desk.exchange)
  const onTime = taken.time < now ? { ...taken, time: micros(now) } : taken
  const request = cannotGoBack(loop, onTime) ? { ...onTime, refused: 'cannot_go_back' as const } : onTime
  loop.requests += 1
  announceInput(loop, request.time)
  hooks.onRequest?.(request, lastSequenceOf(desk.exchange) + 1)
  const isAwaited = request.onReply !== undefined || hooks.onReply !== undefined
  const number = submit(desk, request, isAwaited ? replyTo(loop, request) : null)
  if (waiting !== undefined && desk.pending.has(number)) loop.waiting.set(number, waiting)
}

/**
 * True for a request that would restore the venue in a run with feeds or strategies. These continue and would act on
 * events that the restored venue has not had.
 */
function cannotGoBack(loop: Loop, request: TimedRequest): boolean {
  const goesOn = loop.market !== null || loop.seats.length > 0
  return goesOn && request.method === 'sim/restore' && request.refused === undefined
}

/** Delivers the reply to the sender of a request, then to the hooks. */
function replyTo({ hooks, waiting }: Loop, request: TimedRequest): (reply: VenueReply) => void {
  return (reply) => {
    waiting.delete(sequence(reply.sequence))
    request.onReply?.(reply)
    hooks.onReply?.(request, reply)
  }
}

/** Delivers the reply to a request of a strategy. */
function ownReply(seat: Seat, sent: SentRequest): (reply: VenueReply) => void {
  return (reply) => {
    const body = reply.ok ? { ok: true as const, result: reply.result } : { ok: false as const, error: reply.error }
    respond(seat, reply.usOut, { kind: 'own_reply', request: sent, reply: body })
  }
}

/** The function that delivers the reply to a saved request in a restored loop; null without a recipient. */
export function resumeWaiting(
  loop: Loop,
  number: Sequence,
  request: VenueRequest,
  waiting: Waiting,
): ((reply: VenueReply) => void) | null {
  const { source, seat } = waiting
  loop.waiting.set(number, waiting)
  const reported =
    source !== null
      ? loop.sources[source.index]?.resume?.(source.waiter)
      : seat !== null
        ? ownReply(seatOf(loop, seat.index).seat, seat.sent)
        : undefined
  if (reported === undefined && loop.hooks.onReply === undefined) return null
  return replyTo(loop, reported === undefined ? request : { ...request, onReply: reported })
}

/** The fault rule that applies to a request in transit; null if its queue has already refused it. */
function metBy(seat: Seat, sent: SentRequest, time: Micros): FaultRule | null {
  if (seat.faults === null || sent.refused !== null) return null
  return faultOf(seat.faults, { of: 'requests', name: sent.method, account: seat.accountName, time })
}

/** Passes a strategy's first request on, unless a fault loses it, and delivers the reply to its recipient. */
export function enterRequest(loop: Loop, index: number): void {
  const { seat } = seatOf(loop, index)
  const time = micros(firstTime(seat.outbox))
  const sent = takeFirst(seat.outbox)
  leaveQueue(seat.waiting, sent, time)
  const met = metBy(seat, sent, time)
  if (met?.kind === 'half_open') {
    forget(seat, sent)
    return
  }
  const refused = sent.refused ?? met?.reason ?? null
  const account = seat.accountName
  const request: Mutable<TimedRequest> = { time, method: sent.method, params: sent.params, account, session: 0 }
  if (refused !== null) request.refused = refused
  if (sent.onReply === null && seat.strategy.onReply === undefined) {
    handOver(loop, request, { source: null, seat: null })
    return
  }
  request.onReply = ownReply(seat, sent)
  const waiting = sent.onReply === null ? { source: null, seat: { index, sent } } : undefined
  handOver(loop, request, waiting)
}
