/**
 * A venue for tests that send requests as JSON, right or wrong; the parameters have no types here. After every request
 * it checks the laws: the audits pass, events report every change of cash, a refused request changes nothing, and each
 * request gets one answer at its own time.
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

/** Parsed JSON of a reply. */
// biome-ignore lint/suspicious/noExplicitAny: replies are read by tests as clients read them.
export type Json = any

/** The usual set-up: a BTC perpetual at 50,000 and two accounts with 10 BTC each. */
const plainOptions: VenueOptions = {
  start: '2026-01-05T09:00:00Z',
  instruments: ['BTC-PERPETUAL'],
  index: { btc_usd: 50_000 },
  accounts: { alice: { BTC: 10 }, bob: { BTC: 10 } },
}

/** A venue that takes requests by account name, method and parameters. */
export class DeskMarket {
  readonly venue: Venue
  /** The law of cash over the run so far. */
  readonly cash = new RunningCash()
  /** The session of the requests; 0 for none. */
  session = 0
  private readonly laws = new Laws()
  /** Requests over a rate limit so far; each adds one event. */
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

  /** The reply, a result or an error. */
  ask(account: string | null, method: string, params: RequestParams = {}): Json {
    const { desk } = this.venue.wait('1ms')
    // Timers that are due before the request are not part of it.
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
      // A session stores the time of its last request.
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

  /** Code and message of the refusal, with parameter and problem if it names any. */
  refusal(account: string | null, method: string, params: RequestParams = {}): string {
    const { code, message, data } = this.error(account, method, params)
    const { param = '', reason = '', detail = reason } = data ?? {}
    return [code, message, param, detail].filter((part) => part !== '').join(' ')
  }
}

/** A new market for each test. */
export function deskMarket(options: Partial<VenueOptions> = {}): DeskMarket {
  return new DeskMarket(options)
}
