/**
 * A venue for tests that ask in the words of the wire, right or wrong: parameters are not typed here.
 * Every request is held to the laws: the state adds up, the events tell every change of cash, a
 * refused one changes nothing, and each is answered once, in its own instant.
 *
 * The clock starts at 2026-01-05T09:00Z and moves by a millisecond with each request.
 */
import { assert } from '../../src/core/index.ts'
import { advanceTo } from '../../src/engine/index.ts'
import type { EventSink } from '../../src/model/index.ts'
import { openVenue, type Venue, type VenueOptions } from '../../src/program/index.ts'
import { type RequestParams, submit, type VenueError } from '../../src/rpc/index.ts'
import { Laws, standingHash } from './laws.ts'
import { RunningCash } from './running-cash.ts'

/** JSON as a test reads it. */
// biome-ignore lint/suspicious/noExplicitAny: replies are read by tests as clients read them.
export type Json = any

/** What most tests start from: a BTC perpetual at 50,000 and two accounts with 10 BTC each. */
const plainOptions: VenueOptions = {
  start: '2026-01-05T09:00:00Z',
  instruments: ['BTC-PERPETUAL'],
  index: { btc_usd: 50_000 },
  accounts: { alice: { BTC: 10 }, bob: { BTC: 10 } },
}

/** A venue asked by name of account, method and parameters. */
export class DeskMarket {
  readonly venue: Venue
  /** The law of cash, as far as the run is. */
  readonly cash = new RunningCash()
  /** The connection that requests come over; 0 for none. */
  session = 0
  private readonly laws = new Laws()
  /** Requests over a rate limit so far; each is an event of its own. */
  private limited = 0

  constructor(options: Partial<VenueOptions> = {}) {
    const { laws } = this
    const sink: EventSink = {
      emit: (event) => {
        laws.emit(event)
        this.cash.sink.emit(event)
        if (event.kind === 'standing' && event.protection === 'rate_limit') this.limited += 1
        options.sink?.emit(event)
      },
    }
    this.venue = openVenue({ ...plainOptions, ...options, sink })
  }

  /** The reply, whatever it is. */
  ask(account: string | null, method: string, params: RequestParams = {}): Json {
    const { desk } = this.venue.wait('1ms')
    // What is due until then is no part of the request.
    advanceTo(desk.exchange, this.venue.now, desk.sink)
    const before = standingHash(desk.exchange)
    const events = desk.exchange.eventCount
    const limited = this.limited
    const isOpen = this.session === 0 || desk.exchange.sessions.has(this.session)
    const replies: Json[] = []
    const time = this.venue.now
    submit(desk, { time, method, params, account, session: this.session }, (reply) => {
      replies.push(reply)
    })
    const [reply] = replies
    assert(replies.length === 1, 'a request is answered once, at once')
    assert(reply.usIn === time && reply.usOut >= time, 'a reply tells its times')
    this.laws.check(desk.exchange)
    this.cash.check(desk)
    if (!reply.ok) {
      const acted = this.limited - limited
      assert(acted <= 1, 'a rate limit tells of a refusal once')
      const expected = events + 2 + acted + (isOpen ? 0 : 1)
      assert(desk.exchange.eventCount === expected, 'two events are the refusal and its end')
      // A connection knows when its last request came.
      const isUnchanged = this.session !== 0 || standingHash(desk.exchange) === before
      assert(isUnchanged, 'a refused request changes nothing')
    }
    return reply
  }

  /** The result of a request that must succeed. */
  result(account: string | null, method: string, params: RequestParams = {}): Json {
    const reply = this.ask(account, method, params)
    if (!reply.ok) throw new Error(`${method}: ${JSON.stringify(reply.error)}`)
    return reply.result
  }

  /** The error of a request that must be refused. */
  error(account: string | null, method: string, params: RequestParams = {}): VenueError {
    const reply = this.ask(account, method, params)
    if (reply.ok) throw new Error(`${method}: ${JSON.stringify(reply.result)}`)
    return reply.error
  }

  /** Code and message of the refusal, with parameter and problem where it names them. */
  refusal(account: string | null, method: string, params: RequestParams = {}): string {
    const { code, message, data } = this.error(account, method, params)
    const { param = '', reason = '', detail = reason } = data ?? {}
    return [code, message, param, detail].filter((part) => part !== '').join(' ')
  }
}

/** A market of its own for each test. */
export function deskMarket(options: Partial<VenueOptions> = {}): DeskMarket {
  return new DeskMarket(options)
}
