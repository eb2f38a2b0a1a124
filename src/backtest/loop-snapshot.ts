/**
 * Snapshots of a loop: converts its strategies and everything in transit to plain data and back. The request router has
 * a separate snapshot. Both are taken at the same moment, between two work items of the loop.
 *
 * A snapshot does not copy recorded messages in transit, because the restored run reads them again. Its market source
 * begins after the first `marketPosition(state)` messages. A snapshot names the recipients of held replies: a step, a
 * trader, a request of a strategy. A snapshot is refused while a function waits for a reply (a function is not data),
 * if a strategy has no `save`, and if an unfinished source of requests has no `save`.
 */
import {
  coded,
  err,
  type InstrumentId,
  type Lots,
  type Micros,
  micros,
  ok,
  type Plain,
  type RandomState,
  type Result,
  restoreRandomStream,
  restoreTimerQueue,
  type Sequence,
  snapshotTimerQueue,
  type TimerId,
  type TimerQueueSnapshot,
} from '../core/index.ts'
import type { MarketMessage, OrderChanged } from '../model/index.ts'
import type { Desk } from '../rpc/index.ts'
import { createLoopAt } from './loop-opening.ts'
import { resumeWaiting } from './loop-requests.ts'
import type { Loop, LoopHooks, LoopParts, RequestSource, Waiting } from './loop-state.ts'
import { noteDue } from './strategy/agenda.ts'
import type { ViewState } from './strategy/book-view.ts'
import type { News } from './strategy/news.ts'
import { plainCopy } from './strategy/plain-copy.ts'
import { type Member, type Views, viewOf } from './strategy/recorded-delivery.ts'
import type { RefusalCount } from './strategy/refusals.ts'
import { hasPlace } from './strategy/request-queue.ts'
import { dueOfSeat, type Late, type Response, type Seat, type SentRequest } from './strategy/seat.ts'
import type { Latency } from './strategy/strategy.ts'
import { textOfError } from './strategy/strategy-guard.ts'
import { appendTimed, itemAt, type TimedQueue, timeAt } from './strategy/timed-queue.ts'

const VERSION = 8

/** A loop as plain data. */
interface LoopData {
  readonly version: number
  readonly requests: number
  readonly messages: number
  readonly lastTime: number
  readonly areFeedsStopped: boolean
  readonly sources: readonly Plain[]
  /** Times of the recorded messages and news in transit, oldest first. */
  readonly underWay: Float64Array
  /** The news among them. The key is the number of items that are left when its turn comes. */
  readonly news: readonly (readonly [number, News])[]
  readonly groups: readonly GroupData[]
  readonly seats: readonly SeatData[]
  /** Recipients of pending replies, by request. */
  readonly waiting: readonly (readonly [Sequence, Waiting])[]
}

interface GroupData {
  readonly latency: number
  /** Number of messages in transit that the group has not received yet. */
  readonly waiting: number
  readonly turn: number
  readonly views: readonly ViewState[]
}

interface SeatData extends Latency {
  readonly name: string
  readonly account: string
  readonly now: number
  readonly requests: number
  readonly instant: number
  readonly callbacks: number
  readonly outbox: readonly (readonly [number, SentRequest])[]
  readonly inbox: readonly (readonly [number, Response])[]
  readonly late: TimerQueueSnapshot<Late>
  readonly overtaken: readonly TimerId[]
  /** Books of this strategy alone; null if it uses those of its group. */
  readonly views: readonly ViewState[] | null
  readonly gaps: readonly InstrumentId[]
  readonly timers: TimerQueueSnapshot<string>
  readonly orders: readonly OrderChanged[]
  readonly positions: readonly (readonly [InstrumentId, Lots])[]
  readonly strategy: Plain
  readonly chance: RandomState
  readonly refusals: readonly RefusalCount[]
}

/** The loop as plain data, or the reason why it cannot be saved now. */
export function snapshotLoop(loop: Loop): Result<Plain, string> {
  if (loop.fault !== null) return err('the run has failed')
  for (const [number, { onReply }] of loop.desk.pending) {
    // A pending reply that `sim/restore` restored has no recipient.
    if (onReply !== null && !loop.waiting.has(number)) return err(`a function waits for the reply of request ${number}`)
  }
  const sources: Plain[] = []
  for (const [index, source] of loop.sources.entries()) {
    if (source.save !== undefined) sources.push(source.save())
    else if (source.nextTime() === Number.POSITIVE_INFINITY) sources.push(null)
    else return err(`source ${index} of requests has more to come and cannot be saved`)
  }
  const seats: SeatData[] = []
  for (const member of loop.seats) {
    const saved = saveSeat(member)
    if (!saved.ok) return saved
    seats.push(saved.value)
  }
  const { messages, groups } = loop.delivery
  const data: LoopData = {
    version: VERSION,
    requests: loop.requests,
    messages: loop.messages,
    lastTime: loop.lastTime,
    areFeedsStopped: loop.areFeedsStopped,
    sources,
    underWay: Float64Array.from([...timesOf(messages), ...loop.again]),
    news: [...newsOf(messages, loop.again.length), ...newsAhead(loop)],
    groups: groups.map((group) => ({
      latency: group.latency,
      waiting: messages.end + loop.again.length - group.next,
      turn: group.turn,
      views: statesOf(group.views),
    })),
    seats,
    waiting: [...loop.waiting].filter(([number]) => loop.desk.pending.has(number)),
  }
  return ok(plainCopy(data, 'loop'))
}

/** Number of recorded messages that the market source of the restored loop must skip. */
export function marketPosition(state: Plain): number {
  const data = dataOf(state)
  return data.messages - (data.underWay.length - data.news.length)
}

/** The parts of a new loop that a snapshot then fills. */
interface FreshLoop {
  readonly desk: Desk
  readonly sources: readonly RequestSource[]
  readonly hooks: LoopHooks
  readonly parts: LoopParts
}

/**
 * The loop of a snapshot, over the request router that was saved with it. Sources and strategies are new and must match
 * those of the saved loop; the error names a difference.
 */
export function restoreLoop(fresh: FreshLoop, state: Plain): Result<Loop, string> {
  const data = dataOf(state)
  if (data.version !== VERSION) return err(`version ${data.version} of loops is unknown`)
  const loop = createLoopAt(fresh.desk, fresh.sources, fresh.hooks, fresh.parts)
  if (loop.sources.length !== data.sources.length) {
    return err(`the number of saved sources of requests is ${data.sources.length}`)
  }
  if (loop.seats.length !== data.seats.length) {
    return err(`the number of saved strategies is ${data.seats.length}`)
  }
  for (const [index, saved] of data.sources.entries()) loop.sources[index]?.load?.(saved)
  for (const [index, saved] of data.seats.entries()) {
    const member = loop.seats[index]
    const problem = member === undefined ? 'missing' : loadMember(loop, member, saved)
    if (problem !== null) return err(problem)
  }
  loop.requests = data.requests
  loop.messages = data.messages
  loop.lastTime = data.lastTime
  loop.areFeedsStopped = data.areFeedsStopped
  // Messages in transit exist only if there are strategies, whose latencies determine the groups.
  loop.again = data.underWay
  loop.againNews = new Map(data.news)
  for (const [index, saved] of data.groups.entries()) {
    const group = loop.delivery.groups[index]
    if (group === undefined || group.latency !== saved.latency) {
      return err(`the saved feed latency is ${saved.latency}`)
    }
    group.next = data.underWay.length - saved.waiting
    group.turn = saved.turn
    for (const view of saved.views) viewOf(loop.delivery, group.views, view.instrument).load(view)
  }
  for (const [number, waiting] of data.waiting) {
    const pending = fresh.desk.pending.get(number)
    if (pending === undefined) return err(`request ${number} had a pending reply when the run was saved`)
    const onReply = resumeWaiting(loop, number, pending.request, waiting)
    fresh.desk.pending.set(number, { ...pending, onReply })
  }
  return ok(loop)
}

/** The data of a snapshot. The cast is safe because only this file writes it. */
function dataOf(state: Plain): LoopData {
  return state as unknown as LoopData
}

function statesOf(views: Views): readonly ViewState[] {
  return views.flatMap((view) => (view === undefined ? [] : [view.save()]))
}

function saveSeat({ seat, group, views, gaps }: Member): Result<SeatData, string> {
  if (seat.functionsWaiting > 0) {
    return err(`${seat.name}: a function waits for a reply; use onReply of the strategy instead`)
  }
  if (seat.strategy.save === undefined) return err(`${seat.name}: the strategy has no save`)
  let state: Plain
  try {
    const { save } = seat.strategy
    state = callGuarded(seat, seat.now, () => plainCopy(save.call(seat.strategy), 'save'))
  } catch (error) {
    return err(`${seat.name}: save: ${textOfError(error)}`)
  }
  return ok({
    name: seat.name,
    account: seat.accountName,
    ...seat.latency,
    now: seat.now,
    requests: seat.requests,
    instant: seat.instant,
    callbacks: seat.callbacks,
    outbox: entriesOf(seat.outbox),
    inbox: entriesOf(seat.inbox),
    late: snapshotTimerQueue(seat.late),
    overtaken: seat.overtaken,
    views: views === group.views ? null : statesOf(views),
    gaps: [...gaps],
    timers: snapshotTimerQueue(seat.timers),
    orders: [...seat.orders.values()],
    positions: [...seat.positions],
    strategy: state,
    chance: seat.chance.snapshot(),
    refusals: [...seat.refusals.values()],
  })
}

/**
 * Calls `save` or `load` under the guard of a strategy, without random numbers: a draw would change the run that is
 * saved.
 */
function callGuarded<T>({ name, guard }: Seat, now: Micros, call: () => T): T {
  guard.enter()
  guard.seat = {
    name,
    now,
    random: () => {
      throw coded(new Error('save and load cannot use random numbers'), 'STRATEGY')
    },
  }
  try {
    return call()
  } finally {
    guard.seat = null
    guard.leave()
  }
}

/** Restores a new strategy runner and its books; returns a difference as text. */
function loadMember({ delivery }: Loop, member: Member, saved: SeatData): string | null {
  if ((member.views === member.group.views) !== (saved.views === null)) {
    return `${member.seat.name}: the saved books for faults differ`
  }
  for (const view of saved.views ?? []) viewOf(delivery, member.views, view.instrument).load(view)
  for (const instrument of saved.gaps) member.gaps.add(instrument)
  return loadSeat(member.seat, saved)
}

/** Restores a new strategy runner; returns a difference as text. */
function loadSeat(seat: Seat, saved: SeatData): string | null {
  if (seat.accountName !== saved.account) return `the save has a strategy of ${saved.account}`
  // The keys of an object literal with this type.
  const terms = Object.keys(seat.latency) as (keyof Latency)[]
  if (terms.some((term) => seat.latency[term] !== saved[term])) {
    return `${seat.name}: the saved latencies differ`
  }
  if (seat.strategy.load === undefined) return `${seat.name}: the strategy has no load`
  try {
    // A copy, because one snapshot may be restored many times.
    const { load } = seat.strategy
    const kept = plainCopy(saved.strategy, 'load')
    callGuarded(seat, micros(saved.now), () => load.call(seat.strategy, kept))
  } catch (error) {
    return `${seat.name}: load: ${textOfError(error)}`
  }
  seat.now = micros(saved.now)
  seat.requests = saved.requests
  seat.instant = saved.instant
  seat.callbacks = saved.callbacks
  for (const [time, kept] of saved.outbox) {
    // A copy, because the queue marks refused requests of the outbox.
    const sent = { ...kept }
    appendTimed(seat.outbox, time, sent)
    if (hasPlace(sent)) seat.waiting.push(sent)
  }
  for (const [time, response] of saved.inbox) appendTimed(seat.inbox, time, response)
  seat.late = restoreTimerQueue(saved.late)
  seat.overtaken = [...saved.overtaken]
  seat.timers = restoreTimerQueue(saved.timers)
  for (const { id, payload } of saved.timers.timers) seat.timerIds.set(payload, id)
  noteDue(seat.agenda, seat.place, dueOfSeat(seat))
  for (const order of saved.orders) seat.orders.set(order.order, order)
  for (const [instrument, size] of saved.positions) seat.positions.set(instrument, size)
  seat.chance = restoreRandomStream(saved.chance)
  for (const refusal of saved.refusals) seat.refusals.set(refusal.reason, refusal)
  return null
}

function entriesOf<T>(queue: TimedQueue<T>): (readonly [number, T])[] {
  const entries: (readonly [number, T])[] = []
  for (let at = queue.first; at < queue.end; at += 1) {
    entries.push([timeAt(queue, at), itemAt(queue, at)])
  }
  return entries
}

/**
 * News of a queue. The key is the number of items that are left when its turn comes; `after` items follow the queue.
 */
function newsOf(queue: TimedQueue<MarketMessage | News>, after: number): (readonly [number, News])[] {
  const found: (readonly [number, News])[] = []
  for (let at = queue.first; at < queue.end; at += 1) {
    const item = itemAt(queue, at)
    if (isNews(item)) found.push([queue.end - at + after, item])
  }
  return found
}

/** News in the restored snapshot that has not been put in transit again. */
function newsAhead({ again, againNews }: Loop): (readonly [number, News])[] {
  return [...againNews].filter(([left]) => left <= again.length)
}

function isNews(item: MarketMessage | News): item is News {
  return item.kind !== 'book' && item.kind !== 'trades' && item.kind !== 'index'
}

function timesOf<T>(queue: TimedQueue<T>): number[] {
  return entriesOf(queue).map(([time]) => time)
}
