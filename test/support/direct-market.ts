/**
 * A venue for tests of direct access and of the REST gateway: an ETH perpetual without a speed bump and an
 * ETH future with one, on the alternative engine, and accounts that are portfolios of a Member. Session 1 is
 * direct access of alice, 2 of bob, both on ETH_A.
 *
 * The clock starts at 2026-01-05T09:00Z and moves by a millisecond with each request. Every state is audited.
 */
import { expect } from 'vitest'
import { assert } from '../../src/core/index.ts'
import { advanceTo, audit } from '../../src/engine/index.ts'
import type { Event } from '../../src/model/index.ts'
import { openVenue, Venue, type VenueOptions } from '../../src/program/index.ts'
import { type RequestParams, restoreDesk, snapshotDesk, submit, type VenueError } from '../../src/rpc/index.ts'
import type { Json } from './desk-market.ts'

/** The perpetual, which has no speed bump. */
export const perpetual = 'ETH-PERPETUAL'
/** A future, whose takers wait for 10 ms. */
export const future = 'ETH-27MAR26'
/** An option. */
export const option = 'ETH-27MAR26-3000-C'

/** A venue that takes requests over sessions. */
export class DirectMarket {
  venue: Venue
  readonly events: Event[] = []

  constructor(options: Partial<VenueOptions> = {}) {
    this.venue = openVenue({
      start: '2026-01-05T09:00:00Z',
      instruments: [perpetual, future, option, 'BTC-PERPETUAL'],
      index: { eth_usd: 3000, btc_usd: 50_000 },
      accounts: {
        alice: { ETH: 1000, BTC: 10 },
        bob: { ETH: 1000, BTC: 10 },
        carol: { ETH: 1000 },
      },
      permissions: { alice: { member: true }, bob: { member: true } },
      ...options,
      sink: { emit: (event) => this.events.push(event) },
    })
    this.connect(1, { account: 'alice' })
    this.connect(2, { account: 'bob' })
  }

  /** Replaces the desk with one restored from a snapshot, and checks that it has the same bytes. */
  reopen(): void {
    const { methods } = this.venue.desk
    const bytes = snapshotDesk(this.venue.desk)
    const copy = restoreDesk(bytes, { emit: (event) => this.events.push(event) }, { methods })
    assert(copy.ok, 'a snapshot is restored')
    expect(snapshotDesk(copy.value)).toEqual(bytes)
    this.venue = new Venue(copy.value)
  }

  /** Opens a session; by default direct access on ETH_A in the newest version. */
  connect(session: number, params: RequestParams): void {
    const usual = { type: 'direct_access', gateway: 'ETH_A', schema_version: 19 }
    this.result(null, 'sim/connect', { session, ...usual, ...params })
  }

  /** The reply to a request over a session; it must be immediate. */
  ask(account: string | null, method: string, params: RequestParams = {}, session = 0): Json {
    const { desk } = this.venue.wait('1ms')
    advanceTo(desk.exchange, this.venue.now, desk.sink)
    const replies: Json[] = []
    const time = this.venue.now
    submit(desk, { time, method, params, account, session }, (reply) => {
      replies.push(reply)
    })
    audit(desk.exchange)
    assert(replies.length === 1, 'a request is answered once, at once')
    return replies[0]
  }

  /** The result of a request that must succeed. */
  result(account: string | null, method: string, params: RequestParams = {}, session = 0): Json {
    const reply = this.ask(account, method, params, session)
    if (!reply.ok) throw new Error(`${method}: ${JSON.stringify(reply.error)}`)
    return reply.result
  }

  /** The error of a request that must be refused. */
  error(account: string | null, method: string, params: RequestParams = {}, session = 0): VenueError {
    const reply = this.ask(account, method, params, session)
    if (reply.ok) throw new Error(`${method}: ${JSON.stringify(reply.result)}`)
    return reply.error
  }

  /** The result of an order over the session of alice or bob; by default a buy of 1000 at 2970. */
  place(account: 'alice' | 'bob', client_order_id: number, params: RequestParams = {}): Json {
    return this.result(account, 'sim/direct/new_order', orderOf(client_order_id, params), of(account))
  }

  /** Number, name and message of the reject of such an order. */
  refusal(account: 'alice' | 'bob', client_order_id: number, params: RequestParams = {}): string {
    const order = orderOf(client_order_id, params)
    return rejectOf(this.error(account, 'sim/direct/new_order', order, of(account)))
  }
}

/** The fields of all answers except answers to status requests. */
export const answered = {
  timestamp_ns: expect.any(Number),
  receive_time_ns: expect.any(Number),
  exec_id: expect.any(Number),
}

/** An error as number, name and message. */
export function rejectOf({ code, message, data }: VenueError): string {
  return [code, message, data?.reject].filter((part) => part !== undefined).join(' ')
}

/** A new market for each test. */
export function directMarket(options: Partial<VenueOptions> = {}): DirectMarket {
  return new DirectMarket(options)
}

function of(account: 'alice' | 'bob'): number {
  return account === 'alice' ? 1 : 2
}

export function orderOf(client_order_id: number, params: RequestParams = {}): RequestParams {
  const usual = { instrument_name: perpetual, side: 'buy', price: 2970, amount: 1000 }
  return { client_order_id, ...usual, ...params }
}
