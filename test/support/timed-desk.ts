/**
 * A venue with requests at given times over sessions. Replies may come later; each is stored with its time. After every
 * request the audits pass, and a snapshot restores to the same state.
 */

import { micros } from '../../src/core/index.ts'
import { audit, restore, snapshot, stateHash } from '../../src/engine/index.ts'
import type { Event } from '../../src/model/index.ts'
import { openVenue, type Venue, type VenueOptions } from '../../src/program/index.ts'
import { type RequestParams, submit } from '../../src/rpc/index.ts'
import type { Json } from './desk-market.ts'
import { type EventNamed, type EventWord, eventsNamed } from './event-words.ts'

/** A sent request, its reply when there is one, and the time of the reply. */
export interface Sent {
  reply: Json | null
  /** Microseconds since the start. */
  at: number | null
}

/** The account and the session of a request. */
export interface By {
  readonly as?: string
  readonly session?: number
}

/** A venue on a clock of microseconds since its start, 2026-01-05T09:00Z. */
export class TimedDesk {
  readonly venue: Venue
  readonly events: Event[] = []
  private readonly start: number
  private now = 0

  constructor(options: Partial<VenueOptions>) {
    const sink = { emit: (event: Event) => this.events.push(event) }
    this.venue = openVenue({
      ...{ start: '2026-01-05T09:00:00Z', instruments: ['ETH-27MAR26'], index: { eth_usd: 4000 } },
      ...{ accounts: { maker: { ETH: 1000 }, taker: { ETH: 1000 } } },
      ...options,
      sink,
    })
    this.start = this.venue.now
  }

  /** Moves the clock to a time. */
  at(time: number): this {
    this.now = time
    return this
  }

  /** Sends a request now. */
  ask(by: By | string, method: string, params: RequestParams = {}): Sent {
    const { desk } = this.venue
    const { as = null, session = 0 } = typeof by === 'string' ? { as: by } : by
    const sent: Sent = { reply: null, at: null }
    const time = micros(this.start + this.now)
    submit(desk, { time, method, params, account: as, session }, (reply) => {
      sent.reply = reply
      sent.at = reply.usOut - this.start
    })
    audit(desk.exchange)
    const copy = restore(snapshot(desk.exchange))
    if (!copy.ok || stateHash(copy.value) !== stateHash(desk.exchange)) {
      throw new Error('a snapshot restores to the same state')
    }
    return sent
  }

  /** The result of a request with an immediate answer. */
  result(by: By | string, method: string, params: RequestParams = {}): Json {
    const { reply } = this.ask(by, method, params)
    if (!reply?.ok) throw new Error(`${method}: ${JSON.stringify(reply)}`)
    return reply.result
  }

  /** Code and message of a refusal. */
  refusal(by: By | string, method: string, params: RequestParams = {}): string {
    const { reply } = this.ask(by, method, params)
    if (reply === null || reply.ok) throw new Error(`${method}: ${JSON.stringify(reply)}`)
    return `${reply.error.code} ${reply.error.message}`
  }

  /** Runs all timers up to a time. */
  until(time: number): void {
    this.at(time).result({}, 'public/get_time')
  }

  /** Events with a word so far. */
  eventsOf<W extends EventWord>(word: W): readonly EventNamed<W>[] {
    return eventsNamed(this.events, word)
  }

  /** Events of orders behind the speed bump: time, change and number of the order. */
  bumps(): readonly (readonly [number, string, number])[] {
    const orders: readonly number[] = [...new Set(this.eventsOf('order opened').map(({ order }) => order))]
    return this.eventsOf('bump').map(({ time, change, order }) => [
      time - this.start,
      change,
      orders.indexOf(order) + 1,
    ])
  }
}
