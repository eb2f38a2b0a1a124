/**
 * The loop merges requests, recorded market data, and messages in transit to and from strategies into one documented
 * order, and processes one work item after another.
 *
 * Order: the set-up first, then by time. Within one time:
 * 1. timers of the exchange;
 * 2. recorded messages, in the order of their merge;
 * 3. requests in the order of arrival: requests of the sources in their order (set-up, steps, population), then
 *    requests of strategies in file order;
 * 4. replies, order changes and fills to strategies: strategies in file order, messages of one strategy first in first
 *    out, but after messages that a fault delayed;
 * 5. recorded messages to strategies: groups of equal feed latency by their first strategy, within a group message
 *    after message, each to its strategies in file order;
 * 6. timers of strategies, in file order, each in the order of setting.
 *
 * After each work item the loop searches for the first one again, so that a request without entry latency is submitted
 * before any later delivery of the same instant. Requests and recorded messages with a time earlier than the clock
 * (after a `sim/advance`) are processed at the clock. Scenarios refuse `sim/advance` together with feeds, because a
 * journal does not contain the original times of such requests.
 *
 * Strategies do not keep a run alive: it ends with `until`, or without it with the last request of a source or recorded
 * message. Messages in transit at that time are lost. Source: DESIGN 2, 4 and 5.
 */
import {
  assert,
  defined,
  type InputError,
  type Micros,
  micros,
  peekTime,
  type Result,
  unreachable,
} from '../core/index.ts'
import { advanceTo, applyMarketMessage, nextDue, timeOf } from '../engine/index.ts'
import { announceInput, enterRequest, handOver, waitingOf } from './loop-requests.ts'
import { type Loop, type LoopWork, type RequestSource, seatOf, work } from './loop-state.ts'
import { findDue } from './strategy/agenda.ts'
import { deliverLate, deliverResponse, deliverTimer } from './strategy/deliver.ts'
import { deliverRecorded, type Member, publish, publishLevels } from './strategy/recorded-delivery.ts'
import { firstTime } from './strategy/timed-queue.ts'

/** State of a loop: it can continue; it waits for the market source; it is done; or it ended with `loop.fault`. */
export type LoopState = 'more' | 'starved' | 'done' | 'failed'

/** Processes at most `limit` work items and returns the state of the loop. With `limit` 0 it only returns the state. */
export function runLoop(loop: Loop, limit: number): LoopState {
  // Promises of strategies may have acted since the last slice. All strategies of a run share one record of such
  // mistakes.
  loop.fault ??= loop.seats[0]?.seat.outside.fault ?? null
  loop.guard.enter()
  try {
    return runSlice(loop, limit)
  } finally {
    loop.guard.leave()
  }
}

function runSlice(loop: Loop, limit: number): LoopState {
  for (let done = 0; ; done += 1) {
    if (loop.fault !== null) return 'failed'
    while (canReadAgain(loop)) readAgain(loop)
    if (!loop.areFeedsStopped && loop.market?.starved() === true) return 'starved'
    if (!findNext(loop)) return 'done'
    if (done >= limit) return 'more'
    doNext(loop)
    if (loop.delivery.open.time >= 0) publishLevels(loop.delivery)
    loop.fault ??= loop.delivery.fault
  }
}

/**
 * Processes all work up to and including a time, and moves the exchange there unless the loop is starved or has failed.
 * `done` means that no work is left before the time. Later calls must name later times.
 */
export function runLoopUntil(loop: Loop, time: Micros): LoopState {
  loop.horizon = time
  const state = runLoop(loop, Number.POSITIVE_INFINITY)
  const { exchange, sink } = loop.desk
  // A request that restored the venue has also moved the horizon back.
  const until = micros(loop.horizon)
  if (state === 'done' && timeOf(exchange) < until) {
    announceInput(loop, until)
    advanceTo(exchange, until, sink)
  }
  return state
}

/**
 * Runs a loop to its end. `refill` reads more for a starved market source. `pause` is awaited after every `slice` work
 * items and ends the run early if it returns false. Nothing is awaited inside a work item.
 */
export async function feedLoop(
  loop: Loop,
  slice: number,
  refill: () => Promise<Result<void, InputError>>,
  pause?: () => Promise<boolean>,
): Promise<LoopState> {
  for (;;) {
    const state = runLoop(loop, slice)
    if (state === 'starved') {
      const filled = await refill()
      if (!filled.ok) loop.fault = filled.error
    } else if (state === 'more') {
      if (pause !== undefined && !(await pause())) return 'more'
    } else {
      return state
    }
  }
}

/** Finds the next work item and stores it in the loop; false if no work is left. */
function findNext(loop: Loop): boolean {
  const { sources, seats, until, horizon, hooks } = loop
  if (loop.requests < loop.setup) {
    loop.work = work.source
    loop.index = 0
    return true
  }
  const market = loop.areFeedsStopped ? null : loop.market
  let time = market === null ? Number.POSITIVE_INFINITY : market.peekTime()
  let kind: LoopWork = work.market
  let index = 0
  for (let at = 0; at < sources.length; at += 1) {
    const due = (sources[at] as RequestSource).nextTime()
    if (due < time) {
      time = due
      kind = work.source
      index = at
    }
  }
  // The horizon keeps a run alive that has no other work left.
  const isLeft = time < Number.POSITIVE_INFINITY || horizon < Number.POSITIVE_INFINITY
  const end = Math.min(until ?? (isLeft ? Number.POSITIVE_INFINITY : loop.lastTime), horizon)
  loop.work = kind
  loop.index = index
  if (seats.length > 0) time = findOfSeats(loop, time)
  // Effects of the exchange's own timers must reach strategies in time, and also callers that observe each input. A
  // journal without strategies is then measured at the same times as the run that wrote it.
  if (seats.length > 0 || hooks.onInput !== undefined) {
    const due = nextDue(loop.desk.exchange)
    if (due <= time) {
      time = due
      loop.work = work.clock
    }
  }
  return time <= end && time !== Number.POSITIVE_INFINITY
}

/** Stores the first work item of strategies before a time, in their order within one instant. Returns its time. */
function findOfSeats(loop: Loop, before: number): number {
  const due = findDue(loop.agenda, loop.dueOfPlace, before)
  const isDue = due < before && noteOfSeats(loop, loop.agenda.found, due)
  let time = isDue ? due : before
  const { groups } = loop.delivery
  for (let at = 0; at < groups.length; at += 1) {
    const group = groups[at] as (typeof groups)[number]
    if (group.due < time) {
      time = group.due
      loop.work = work.recorded
      loop.index = at
    }
  }
  // Timers come last within an instant.
  if (!isDue && due < time) {
    loop.work = work.timer
    loop.index = defined(loop.agenda.found[0], 'a strategy is due')
    return due
  }
  return time
}

/**
 * Stores the first due item of strategies: a request that enters, otherwise a late message or a response; false without
 * such an item.
 */
function noteOfSeats(loop: Loop, places: readonly number[], time: number): boolean {
  for (const at of places) {
    if (firstTime((loop.seats[at] as Member).seat.outbox) !== time) continue
    loop.work = work.entry
    loop.index = at
    return true
  }
  for (const at of places) {
    const { seat } = loop.seats[at] as Member
    const isLate = peekTime(seat.late) === time
    if (!isLate && firstTime(seat.inbox) !== time) continue
    loop.work = isLate ? work.late : work.response
    loop.index = at
    return true
  }
  return false
}

function doNext(loop: Loop): void {
  const { desk, index, work: next } = loop
  switch (next) {
    case work.clock: {
      const due = micros(nextDue(desk.exchange))
      announceInput(loop, due)
      advanceTo(desk.exchange, due, desk.sink)
      return
    }
    case work.market:
      applyNext(loop)
      return
    case work.source: {
      const taken = defined(loop.sources[index], 'a source that was found is there').take()
      handOver(loop, taken, waitingOf(index, taken))
      loop.lastTime = Math.max(loop.lastTime, taken.time)
      const now = timeOf(desk.exchange)
      if (now < taken.time && loop.horizon < Number.POSITIVE_INFINITY) loop.horizon = now
      return
    }
    case work.entry:
      enterRequest(loop, index)
      return
    case work.response:
      loop.fault = deliverResponse(seatOf(loop, index), desk.exchange)
      return
    case work.recorded: {
      const group = defined(loop.delivery.groups[index], 'a group that was found is there')
      loop.fault = deliverRecorded(loop.delivery, group)
      return
    }
    case work.late:
      loop.fault = deliverLate(seatOf(loop, index), loop.delivery)
      return
    case work.timer:
      loop.fault = deliverTimer(seatOf(loop, index))
      return
    default:
      unreachable(next)
  }
}

/** Applies the next recorded message and puts it in transit to strategies. */
function applyNext(loop: Loop): void {
  const { desk, delivery } = loop
  const market = defined(loop.market ?? undefined, 'recorded messages have a source')
  const taken = defined(market.next(), 'a source with a next time has a message')
  const now = timeOf(desk.exchange)
  const message = taken.time < now ? { ...taken, time: micros(now) } : taken
  loop.messages += 1
  loop.lastTime = message.time
  announceInput(loop, message.time)
  const finding = applyMarketMessage(desk.exchange, message, desk.sink)
  if (finding.crossed || finding.unknownRemovals > 0 || finding.leftOut !== undefined) {
    const noted = market.note(taken, finding)
    if (!noted.ok) {
      loop.fault = noted.error
      return
    }
  }
  if (delivery.open.time >= 0) publishLevels(delivery)
  // Strategies do not receive messages of an instrument that has ended.
  if (finding.leftOut?.check === 'out_of_life') return
  loop.fault = publish(delivery, message, message.time)
}

/** True if the next item that was in transit before the restore can be put in transit again. */
function canReadAgain({ again, againNews, market }: Loop): boolean {
  if (again.length === 0) return false
  return againNews.has(again.length) || market?.starved() === false
}

/** Puts news in transit again, or reads a message that the exchange had applied before the loop was restored. */
function readAgain(loop: Loop): void {
  const time = defined(loop.again[0], 'a message to read again has its time')
  const news = loop.againNews.get(loop.again.length)
  loop.again = loop.again.subarray(1)
  if (news !== undefined) {
    loop.fault = publish(loop.delivery, news, time)
    return
  }
  const message = defined(loop.market?.next(), 'a message can be read again')
  assert(message.time <= time, 'a message to read again is the one in transit')
  const late = message.time < time ? { ...message, time: micros(time) } : message
  loop.fault = publish(loop.delivery, late, time)
}
