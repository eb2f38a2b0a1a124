/** Opens a loop over a request router, at its beginning or with strategies that have already started. */

import { defined, type Plain, type Sequence } from '../core/index.ts'
import { emitClosedBooks, timeOf } from '../engine/index.ts'
import type { Companion, Desk } from '../rpc/index.ts'
import { resumeWaiting } from './loop-requests.ts'
import { type Loop, type LoopHooks, type LoopParts, type RequestSource, type Waiting, work } from './loop-state.ts'
import { createAgenda } from './strategy/agenda.ts'
import { plainCopy } from './strategy/plain-copy.ts'
import {
  addListener,
  createRecordedDelivery,
  joinGroup,
  type Member,
  seedViews,
  viewOf,
} from './strategy/recorded-delivery.ts'
import { dueOfSeat } from './strategy/seat.ts'
import { respondAt } from './strategy/seat-events.ts'
import { seatAt } from './strategy/seats.ts'
import { noGuard } from './strategy/strategy-guard.ts'
import { SeatVenue } from './strategy/strategy-venue.ts'

interface CompanionData {
  /** States of the restored sources, in their order. */
  readonly sources: readonly Plain[]
  /** Recipients of pending replies, by request. */
  readonly waiting: readonly (readonly [Sequence, Waiting])[]
}

/** A loop that has not done anything yet. Strategies start at the clock of the router. */
export function createLoop(
  desk: Desk,
  sources: readonly RequestSource[],
  hooks: LoopHooks,
  parts: LoopParts = {},
): Loop {
  const loop = createLoopAt(desk, sources, hooks, parts)
  if (loop.seats.length > 0) seedViews(loop.delivery)
  for (const { seat } of loop.seats) {
    // The start is not a message, so no latency delays it.
    respondAt(seat, timeOf(desk.exchange), { kind: 'start' })
  }
  return loop
}

/** A loop whose strategies have already started or do not start. */
export function createLoopAt(
  desk: Desk,
  sources: readonly RequestSource[],
  hooks: LoopHooks,
  { market, seats, until, setup, mayFault = false }: LoopParts,
): Loop {
  const delivery = createRecordedDelivery(desk.exchange)
  if (seats !== undefined) {
    seatAt(seats, desk)
    seats.delivery = delivery
    if (seats.list.length > 0) emitClosedBooks(desk.exchange)
  }
  const seated = (seats?.list ?? []).map((seat) => {
    const group = joinGroup(delivery, seat)
    const views = mayFault ? [] : group.views
    const venue = new SeatVenue(seat, {
      exchange: desk.exchange,
      viewOf: (instrument) => viewOf(delivery, views, instrument.id),
    })
    const member: Member = { seat, venue, group, views, gaps: new Set() }
    addListener(member)
    return member
  })
  const loop: Loop = {
    desk,
    sources,
    hooks,
    market: market ?? null,
    seats: seated,
    agenda: seats?.agenda ?? createAgenda(),
    dueOfPlace: (place) => dueOfSeat(defined(seated[place], 'a place has its seat').seat),
    delivery,
    guard: seats?.guard ?? noGuard,
    until: until ?? null,
    setup: setup ?? 0,
    horizon: Number.POSITIVE_INFINITY,
    requests: 0,
    messages: 0,
    nextInput: 0,
    hookEvents: -1,
    areFeedsStopped: false,
    waiting: new Map(),
    again: new Float64Array(0),
    againNews: new Map(),
    lastTime: timeOf(desk.exchange),
    fault: null,
    work: work.clock,
    index: 0,
  }
  desk.companion = companionOf(loop)
  return loop
}

/**
 * The sources of a loop that `sim/restore` restores together with the venue: a population of traders. They get their
 * saved state back, and the replies that were pending then. The companion also ends the recorded market at
 * `sim/stop_feeds`.
 */

/** The companion of a loop's request router. */
function companionOf(loop: Loop): Companion {
  const going = loop.sources.filter(({ goesBack }) => goesBack === true)
  const isOfGoing = ({ source }: Waiting): boolean => source !== null && loop.sources[source.index]?.goesBack === true
  return {
    save: () => {
      const data: CompanionData = {
        sources: going.map(({ save }) => save?.() ?? null),
        waiting: [...loop.waiting].filter(([number, who]) => loop.desk.pending.has(number) && isOfGoing(who)),
      }
      // A copy, because sources continue to change the state that they return.
      return plainCopy(data, 'companion')
    },
    load: (state) => {
      const saved = state as unknown as CompanionData
      for (const [at, each] of saved.sources.entries()) going[at]?.load?.(each)
      for (const [number, who] of saved.waiting) {
        const pending = defined(loop.desk.pending.get(number), 'a pending reply is restored too')
        const onReply = resumeWaiting(loop, number, pending.request, who)
        loop.desk.pending.set(number, { ...pending, onReply })
      }
    },
    stopFeeds: () => {
      loop.areFeedsStopped = true
    },
  }
}
