/**
 * The loop: merges requests, recorded market data and what is on its way to and from strategies into
 * one published order, and does one thing after another.
 *
 * Order: the set-up; then time; then, at one time,
 * 1. timers of the exchange;
 * 2. recorded messages, in the order of their merge;
 * 3. requests in the order of arrival: those of the sources in their order (set-up, steps,
 *    population), then those of strategies in file order;
 * 4. replies, order changes and fills to strategies, in file order of the strategies, each first in
 *    first out;
 * 5. recorded messages to strategies: groups of equal feed latency by their first strategy, in a group
 *    message after message, each to its strategies in file order;
 * 6. timers of strategies, in file order, each in the order of setting.
 * After each single thing the first of all is looked for again, so that a request sent without entry
 * latency is handed over before any later delivery of its instant. A request whose time lies before
 * the clock (after a `sim/advance`) is handed over at the clock, and so is a recorded message; scenarios
 * refuse `sim/advance` beside feeds, because a journal does not tell the times that such requests had.
 *
 * Strategies do not keep a run going: it ends with `until`, or else with the last request of a source
 * or recorded message, and what is on its way then is lost. Source: DESIGN 2, 4 and 5.
 */
import {
  assert,
  defined,
  type InputError,
  type Micros,
  micros,
  type Plain,
  peekTime,
  type Result,
  type Sequence,
  sequence,
} from '../core/index.ts'
import { advanceTo, applyMarketMessage, tellClosedBooks } from '../engine/index.ts'
import { type Desk, submit, type VenueReply, type VenueRequest } from '../rpc/index.ts'
import type { MarketSource, RequestSource, TimedRequest } from './source.ts'
import { deliverResponse, deliverTimer } from './strategy/deliver.ts'
import type { News } from './strategy/news.ts'
import {
  createRecordedDelivery,
  deliverRecorded,
  joinGroup,
  publish,
  publishLevels,
  type RecordedDelivery,
  type SeatedVenue,
  seedViews,
  viewOf,
} from './strategy/recorded-delivery.ts'
import { leaveQueue } from './strategy/request-queue.ts'
import type { Seat, SentRequest } from './strategy/seat.ts'
import { respond, type Seats, seatAt } from './strategy/seats.ts'
import { noGuard, type StrategyGuard } from './strategy/strategy-guard.ts'
import { SeatVenue } from './strategy/strategy-venue.ts'
import { firstTime, takeFirst } from './strategy/timed-queue.ts'

/** What a run wants to be told about each request. */
export interface LoopHooks {
  /**
   * Called before anything is done to the exchange, a timer, a recorded message or a request, with its
   * time: the exchange is as all before have left it.
   */
  onInput?(time: Micros): void
  onRequest?(request: TimedRequest, sequence: number): void
  onReply?(request: TimedRequest, reply: VenueReply): void
}

/** What a loop may merge besides requests. */
export interface LoopParts {
  readonly market?: MarketSource
  /** Strategies; their events reach them through `seatedSink`. */
  readonly seats?: Seats
  /** The last time at which anything is done. */
  readonly until?: Micros | null
  /** Requests of the first source that come before everything else: those of the set-up. */
  readonly setup?: number
}

/** Who waits for a reply: a source, as it names it, or a strategy with its request; null where only hooks do. */
export interface Waiting {
  readonly source: { readonly index: number; readonly waiter: Plain } | null
  readonly seat: { readonly index: number; readonly sent: SentRequest } | null
}

/** A desk and what feeds it; only the loop's own functions write it. */
export interface Loop {
  readonly desk: Desk
  readonly sources: readonly RequestSource[]
  readonly hooks: LoopHooks
  readonly market: MarketSource | null
  readonly seats: readonly SeatedVenue[]
  readonly delivery: RecordedDelivery
  readonly guard: StrategyGuard
  readonly until: Micros | null
  readonly setup: number
  /** Requests handed over so far. */
  requests: number
  /** Recorded messages applied so far. */
  messages: number
  /** Who waits for the replies that the exchange holds. */
  readonly waiting: Map<Sequence, Waiting>
  /** Recorded messages to read again, which a restored exchange has taken already: their times. */
  again: Float64Array
  /** News among them, which nobody reads again, by how many are left when its turn comes. */
  againNews: ReadonlyMap<number, News>
  /** Time of the last request of a source or recorded message. */
  lastTime: number
  /** What ended the run before its time. */
  fault: InputError | null
  /** What comes next: a code of `work`, and which of its kind. */
  work: number
  index: number
}

/**
 * Where a loop stands: it could go on at once; it waits for the market source to be filled; nothing is
 * left; or it ended with `loop.fault`.
 */
export type LoopState = 'more' | 'starved' | 'done' | 'failed'

/** What can come next, in the order of one instant. */
const work = {
  clock: 0,
  market: 1,
  source: 2,
  entry: 3,
  response: 4,
  recorded: 5,
  timer: 6,
} as const

/** A loop that has done nothing yet; strategies start at the clock of the desk. */
export function createLoop(
  desk: Desk,
  sources: readonly RequestSource[],
  hooks: LoopHooks,
  parts: LoopParts = {},
): Loop {
  const loop = createLoopAt(desk, sources, hooks, parts)
  if (loop.seats.length > 0) seedViews(loop.delivery)
  for (const { seat } of loop.seats) {
    // The start is no message: nothing delays it.
    respond(seat, desk.exchange.now - seat.latency.response, { kind: 'start' })
  }
  return loop
}

/** A loop whose strategies have started, or have no start. */
export function createLoopAt(
  desk: Desk,
  sources: readonly RequestSource[],
  hooks: LoopHooks,
  { market, seats, until, setup }: LoopParts,
): Loop {
  const { exchange } = desk
  const delivery = createRecordedDelivery(exchange)
  if (seats !== undefined) {
    seatAt(seats, desk)
    seats.delivery = delivery
    if (seats.list.length > 0) tellClosedBooks(exchange)
  }
  const seated = (seats?.list ?? []).map((seat) => {
    const group = joinGroup(delivery, seat)
    const venue = new SeatVenue(seat, {
      exchange,
      viewOf: (instrument) => viewOf(delivery, group, instrument.id),
    })
    const member = { seat, venue }
    group.members.push(member)
    return member
  })
  return {
    desk,
    sources,
    hooks,
    market: market ?? null,
    seats: seated,
    delivery,
    guard: seats?.guard ?? noGuard,
    until: until ?? null,
    setup: setup ?? 0,
    requests: 0,
    messages: 0,
    waiting: new Map(),
    again: new Float64Array(0),
    againNews: new Map(),
    lastTime: exchange.now,
    fault: null,
    work: 0,
    index: 0,
  }
}

/** Does at most `limit` things and says how it stands then; `limit` 0 only asks. */
export function runLoop(loop: Loop, limit: number): LoopState {
  const { guard } = loop
  guard.enter()
  try {
    return runSlice(loop, limit)
  } finally {
    guard.leave()
  }
}

function runSlice(loop: Loop, limit: number): LoopState {
  for (let done = 0; ; done += 1) {
    if (loop.fault !== null) return 'failed'
    const { market } = loop
    while (canReadAgain(loop)) readAgain(loop)
    if (market?.starved() === true) return 'starved'
    if (!findNext(loop)) return 'done'
    if (done >= limit) return 'more'
    doNext(loop)
    const { delivery } = loop
    if (delivery.open.time >= 0) publishLevels(delivery)
    loop.fault ??= delivery.fault
  }
}

/**
 * Runs a loop to its end. `refill` reads more for a starved market source; `pause` is awaited after
 * every `slice` things, and ends the run early by returning false. Nothing is awaited inside a thing.
 */
export async function feedLoop(
  loop: Loop,
  driver: {
    readonly slice: number
    refill(): Promise<Result<void, InputError>>
    pause?(): Promise<boolean>
  },
): Promise<LoopState> {
  for (;;) {
    const state = runLoop(loop, driver.slice)
    if (state === 'starved') {
      const filled = await driver.refill()
      if (!filled.ok) loop.fault = filled.error
    } else if (state === 'more') {
      if (driver.pause !== undefined && !(await driver.pause())) return 'more'
    } else {
      return state
    }
  }
}

/** Finds what comes first and notes it in the loop; false where nothing is left. */
function findNext(loop: Loop): boolean {
  const { sources, seats, delivery, until } = loop
  if (loop.requests < loop.setup) {
    loop.work = work.source
    loop.index = 0
    return true
  }
  let time = loop.market === null ? Number.POSITIVE_INFINITY : loop.market.peekTime()
  let kind: number = work.market
  let index = 0
  for (let at = 0; at < sources.length; at += 1) {
    const due = (sources[at] as RequestSource).nextTime()
    if (due < time) {
      time = due
      kind = work.source
      index = at
    }
  }
  const end =
    time === Number.POSITIVE_INFINITY
      ? (until ?? loop.lastTime)
      : (until ?? Number.POSITIVE_INFINITY)
  if (seats.length > 0) {
    for (let at = 0; at < seats.length; at += 1) {
      const due = firstTime((seats[at] as SeatedVenue).seat.outbox)
      if (due < time) {
        time = due
        kind = work.entry
        index = at
      }
    }
    for (let at = 0; at < seats.length; at += 1) {
      const due = firstTime((seats[at] as SeatedVenue).seat.inbox)
      if (due < time) {
        time = due
        kind = work.response
        index = at
      }
    }
    const { groups } = delivery
    for (let at = 0; at < groups.length; at += 1) {
      const { due } = groups[at] as (typeof groups)[number]
      if (due < time) {
        time = due
        kind = work.recorded
        index = at
      }
    }
    for (let at = 0; at < seats.length; at += 1) {
      const due = peekTime((seats[at] as SeatedVenue).seat.timers)
      if (due < time) {
        time = due
        kind = work.timer
        index = at
      }
    }
    // What the exchange's own timers do must reach strategies in time.
    const due = peekTime(loop.desk.exchange.timers)
    if (due <= time) {
      time = due
      kind = work.clock
    }
  }
  loop.work = kind
  loop.index = index
  return time <= end && time !== Number.POSITIVE_INFINITY
}

function doNext(loop: Loop): void {
  const { desk, index } = loop
  switch (loop.work) {
    case work.clock: {
      const due = micros(peekTime(desk.exchange.timers))
      loop.hooks.onInput?.(due)
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
      return
    }
    case work.entry:
      enter(loop, index)
      return
    case work.response:
      loop.fault = deliverResponse(seatOf(loop, index), desk.exchange)
      return
    case work.recorded: {
      const group = defined(loop.delivery.groups[index], 'a group that was found is there')
      loop.fault = deliverRecorded(loop.delivery, group)
      return
    }
    default:
      loop.fault = deliverTimer(seatOf(loop, index))
  }
}

function seatOf(loop: Loop, index: number): SeatedVenue {
  return defined(loop.seats[index], 'a seat that was found is there')
}

/** Applies the next recorded message and puts it on its way. */
function applyNext(loop: Loop): void {
  const { desk, delivery } = loop
  const market = defined(loop.market ?? undefined, 'recorded messages have a source')
  const taken = defined(market.next(), 'a source with a next time has a message')
  const { now } = desk.exchange
  const message = taken.time < now ? { ...taken, time: micros(now) } : taken
  loop.messages += 1
  loop.lastTime = message.time
  loop.hooks.onInput?.(message.time)
  const finding = applyMarketMessage(desk.exchange, message, desk.sink)
  if (finding.crossed || finding.unknownRemovals > 0) {
    const noted = market.note(taken, finding)
    if (!noted.ok) {
      loop.fault = noted.error
      return
    }
  }
  if (delivery.open.time >= 0) publishLevels(delivery)
  loop.fault = publish(delivery, message, message.time)
}

/** Whether the next of what was on its way can be put there again. */
function canReadAgain({ again, againNews, market }: Loop): boolean {
  if (again.length === 0) return false
  return againNews.has(again.length) || market?.starved() === false
}

/** Puts news on its way again, or reads a message that the exchange had taken before the loop was restored. */
function readAgain(loop: Loop): void {
  const time = defined(loop.again[0], 'a message to read again has its time')
  const news = loop.againNews.get(loop.again.length)
  loop.again = loop.again.subarray(1)
  if (news !== undefined) {
    loop.fault = publish(loop.delivery, news, time)
    return
  }
  const message = defined(loop.market?.next(), 'a message that was read once is there again')
  assert(message.time <= time, 'a message to read again is the one that was on its way')
  const late = message.time < time ? { ...message, time: micros(time) } : message
  loop.fault = publish(loop.delivery, late, time)
}

/** Who waits for the reply of a source's request, as far as it can be told; undefined where that is a function. */
function waitingOf(index: number, { onReply, waiter }: TimedRequest): Waiting | undefined {
  if (onReply === undefined) return { source: null, seat: null }
  return waiter === undefined ? undefined : { source: { index, waiter }, seat: null }
}

/** Hands a request over; `waiting` says who is told its reply, should the exchange hold it. */
function handOver(loop: Loop, taken: TimedRequest, waiting: Waiting | undefined): void {
  const { desk, hooks } = loop
  const { now } = desk.exchange
  const request = taken.time < now ? { ...taken, time: micros(now) } : taken
  loop.requests += 1
  hooks.onInput?.(request.time)
  hooks.onRequest?.(request, desk.exchange.lastSequence + 1)
  const isAwaited = request.onReply !== undefined || hooks.onReply !== undefined
  const number = submit(desk, request, isAwaited ? replyTo(loop, request) : null)
  if (waiting !== undefined && desk.pending.has(number)) loop.waiting.set(number, waiting)
}

/** Tells the reply of a request to its sender, then to the hooks. */
function replyTo({ hooks, waiting }: Loop, request: TimedRequest): (reply: VenueReply) => void {
  return (reply) => {
    waiting.delete(sequence(reply.sequence))
    request.onReply?.(reply)
    hooks.onReply?.(request, reply)
  }
}

/** Tells a strategy the reply of one of its requests. */
function ownReply(seat: Seat, sent: SentRequest): (reply: VenueReply) => void {
  return (reply) => {
    const { usOut } = reply
    const body = reply.ok
      ? { ok: true as const, result: reply.result }
      : { ok: false as const, error: reply.error }
    respond(seat, usOut, { kind: 'own_reply', request: sent, reply: body })
  }
}

/** Who waits in a restored loop for the reply of a request, as it was saved; null where nobody does. */
export function resumeWaiting(
  loop: Loop,
  number: Sequence,
  { request, waiting }: { readonly request: VenueRequest; readonly waiting: Waiting },
): ((reply: VenueReply) => void) | null {
  const { source, seat } = waiting
  loop.waiting.set(number, waiting)
  const told =
    source !== null
      ? loop.sources[source.index]?.resume?.(source.waiter)
      : seat !== null
        ? ownReply(seatOf(loop, seat.index).seat, seat.sent)
        : undefined
  if (told === undefined && loop.hooks.onReply === undefined) return null
  return replyTo(loop, told === undefined ? request : { ...request, onReply: told })
}

/** Hands a strategy's first request over; somebody who waits for its reply gets it. */
function enter(loop: Loop, index: number): void {
  const { seat } = seatOf(loop, index)
  const time = micros(firstTime(seat.outbox))
  const sent = takeFirst(seat.outbox)
  leaveQueue(seat.waiting, sent, time)
  const { method, params, refused } = sent
  const asked = { time, method, params, account: seat.accountName, session: 0 }
  const request = refused === null ? asked : { ...asked, refused }
  if (sent.onReply === null && seat.strategy.onReply === undefined) {
    handOver(loop, request, { source: null, seat: null })
    return
  }
  const onReply = ownReply(seat, sent)
  const waiting = sent.onReply === null ? { source: null, seat: { index, sent } } : undefined
  handOver(loop, { ...request, onReply }, waiting)
}
