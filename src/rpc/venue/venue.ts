/**
 * A venue in a program: an exchange with its accounts and instruments, asked in the venue's own
 * words, typed by method. Everything the steps of a scenario can say, without a file.
 */
import {
  assert,
  type Micros,
  micros,
  parseDuration,
  parseIsoTime,
  type Result,
} from '../../core/index.ts'
import type { Exchange } from '../../engine/index.ts'
import {
  defaultConfig,
  type EventSink,
  type ExchangeConfig,
  NO_SESSION,
} from '../../model/index.ts'
import { createDesk, type Desk, submit } from '../desk/desk.ts'
import type { MethodName, MethodParams, MethodResult } from '../methods/index.ts'
import type { RequestParams, VenueError, VenueReply } from '../request.ts'
import { checkConfig } from './venue-config.ts'

/** What a venue starts with. */
export interface VenueOptions {
  /** ISO time with an offset. */
  readonly start: string
  readonly instruments?: readonly string[]
  /** Price indices by name, such as `btc_usd`. */
  readonly index?: { readonly [name: string]: number }
  /** Accounts by name, with what they deposit in each currency. */
  readonly accounts?: { readonly [name: string]: { readonly [currency: string]: number } }
  /** What accounts may do where it is not what all may. */
  readonly permissions?: {
    readonly [account: string]: Omit<MethodParams<'sim/set_permissions'>, 'account'>
  }
  readonly config?: Partial<Omit<ExchangeConfig, 'start'>>
  /** Sees every event. */
  readonly sink?: EventSink
}

/** A reply typed by its method. */
export type MethodReply<M extends MethodName> =
  | { readonly ok: true; readonly result: MethodResult<M> }
  | { readonly ok: false; readonly error: VenueError }

/** Asks on behalf of one account, or of nobody. */
export interface Asker {
  /** Hands a request over at the venue's clock and returns its reply. */
  request<M extends MethodName>(method: M, params: MethodParams<M>): MethodReply<M>
}

/** An exchange at a virtual time. Times never go back. */
export class Venue implements Asker {
  readonly desk: Desk
  #now: Micros

  /** Use `openVenue`, which checks its options. */
  constructor(desk: Desk) {
    this.desk = desk
    this.#now = micros(desk.exchange.now)
  }

  /** The engine below, for views, snapshots and audits. */
  get exchange(): Exchange {
    return this.desk.exchange
  }

  /** The virtual time in microseconds. */
  get now(): Micros {
    // A request may have moved the exchange's clock further.
    return micros(Math.max(this.#now, this.desk.exchange.now))
  }

  /** Moves the clock by a duration such as `5ms`; what is due meanwhile happens at the next request. */
  wait(duration: string): this {
    this.#now = micros(this.now + expected(parseDuration(duration), 'a duration'))
    return this
  }

  /** Moves the clock to an ISO time with an offset, which is not in the past. */
  at(time: string): this {
    const moment = expected(parseIsoTime(time), 'a time')
    if (moment < this.now)
      throw new RangeError(`expected a time at or after the clock, found ${time}`)
    this.#now = moment
    return this
  }

  /** Asks on behalf of an account, over a connection where its number is given. */
  as(account: string, session: number = NO_SESSION): Asker {
    return { request: (method, params) => this.#ask({ account, session }, method, params) }
  }

  /** Asks on behalf of nobody: `public/` and `sim/` methods. */
  request<M extends MethodName>(method: M, params: MethodParams<M>): MethodReply<M> {
    return this.#ask({ account: null, session: NO_SESSION }, method, params)
  }

  #ask<M extends MethodName>(
    asker: { readonly account: string | null; readonly session: number },
    method: M,
    params: MethodParams<M>,
  ): MethodReply<M> {
    let answer: VenueReply | undefined
    this.#now = this.now
    // The typed parameters are one case of what the wire accepts.
    const request = {
      time: this.#now,
      method,
      params: params as RequestParams,
      ...asker,
    }
    submit(this.desk, request, (reply) => {
      answer = reply
    })
    // A venue that was put back has the clock that it had then.
    if (method === 'sim/restore' && answer?.ok === true) this.#now = micros(this.exchange.now)
    assert(answer !== undefined, 'a request that nothing holds is answered at once')
    return answer as MethodReply<M>
  }
}

/** Opens a venue. Throws `RangeError` where its options cannot be. */
export function openVenue(options: VenueOptions): Venue {
  const start = expected(parseIsoTime(options.start), 'a time')
  const config = { ...defaultConfig(start), ...options.config }
  checkConfig(config)
  const sink = options.sink ?? { emit: (): void => undefined }
  const venue = new Venue(createDesk({ config, controls: true }, sink))
  for (const name of options.instruments ?? []) {
    granted(venue.request('sim/list_instrument', { instrument_name: name }))
  }
  for (const [name, price] of Object.entries(options.index ?? {})) {
    granted(venue.request('sim/set_index', { index_name: name, price }))
  }
  for (const [name, deposits] of Object.entries(options.accounts ?? {})) {
    granted(venue.request('sim/create_account', { name }))
    for (const [currency, amount] of Object.entries(deposits)) {
      // A currency that is none is refused by the method, with the names there are.
      const params = { account: name, currency, amount } as MethodParams<'sim/deposit'>
      granted(venue.request('sim/deposit', params))
    }
  }
  for (const [account, permissions] of Object.entries(options.permissions ?? {})) {
    granted(venue.request('sim/set_permissions', { account, ...permissions }))
  }
  return venue
}

function granted(reply: MethodReply<MethodName>): void {
  if (reply.ok) return
  const { message, data } = reply.error
  const why = data === undefined ? '' : `: ${data.param ?? ''} ${data.reason}`
  throw new RangeError(`the venue cannot start: ${message}${why}`)
}

function expected<T>(
  parsed: Result<T, { readonly found: string; readonly expected: string }>,
  what: string,
): T {
  if (parsed.ok) return parsed.value
  throw new RangeError(`${what}: expected ${parsed.error.expected}, found ${parsed.error.found}`)
}
