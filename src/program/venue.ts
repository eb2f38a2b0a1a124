/**
 * A venue in a program: an exchange with its accounts and instruments, asked in the venue's own
 * words, typed by method. Everything the steps of a scenario can say, without a file.
 */
import {
  assert,
  checkOptions,
  coded,
  defined,
  type Micros,
  micros,
  type OptionNames,
  parseDuration,
  parseIsoTime,
  type Result,
  type Sequence,
} from '../core/index.ts'
import { advanceTo, type Exchange, heldUntil, nextDue, timeOf } from '../engine/index.ts'
import { type MethodName, type MethodParams, venueMethods } from '../gateways/index.ts'
import {
  defaultConfig,
  type EventSink,
  type ExchangeConfig,
  NO_SESSION,
  sinkOf,
  venueSettings,
} from '../model/index.ts'
import { createDesk, type Desk, nameProblemIn, type RequestParams, submit, type VenueReply } from '../rpc/index.ts'
import { Answer, type Asked, type Asker, type AskOptions, type MethodReply, type RequestId } from './asking.ts'
import { checkConfig } from './venue-config.ts'

/** Options of a venue at its start. */
export interface VenueOptions {
  /** ISO time with an offset. */
  readonly start: string
  readonly instruments?: readonly string[]
  /**
   * Price indices by name, such as `btc_usd`. `sim/set_index` may set one later: until then orders of its instruments are
   * refused with 10040, and the hint of the reply names the index.
   */
  readonly index?: { readonly [name: string]: number }
  /** Accounts by name, with their deposit in each currency. */
  readonly accounts?: { readonly [name: string]: { readonly [currency: string]: number } }
  /** Permissions of accounts that have others than the usual. */
  readonly permissions?: {
    readonly [account: string]: Omit<MethodParams<'sim/set_permissions'>, 'account'>
  }
  readonly config?: Partial<Omit<ExchangeConfig, 'start'>>
  /** Sees every event. */
  readonly sink?: EventSink
  /**
   * True if unknown options, settings and parameters of requests are errors. Default: true. The real venue ignores
   * unknown parameters.
   */
  readonly strict?: boolean
}

/** Replies of held requests that `reply` still knows; older ones are forgotten. */
const KEPT_REPLIES_MAX = 10_000

/** Who asks. */
interface Identity {
  readonly account: string | null
  readonly session: number
}

/** A reply that a function waits for. */
interface Waiting {
  readonly reply: VenueReply
  readonly tell: (reply: VenueReply) => void
}

/** An exchange at a virtual time. Times never go back. */
export class Venue implements Asker {
  readonly desk: Desk
  readonly #isStrict: boolean
  /** Replies that came after their request had returned, oldest first. */
  readonly #late = new Map<number, VenueReply>()
  /** Replies whose functions have not been called. */
  readonly #untold: Waiting[] = []
  #now: Micros

  /** `openVenue` opens one with all methods and checks its options; over another desk it asks the methods of that one. */
  constructor(desk: Desk, { strict = true }: { readonly strict?: boolean } = {}) {
    this.desk = desk
    this.#isStrict = strict
    this.#now = timeOf(desk.exchange)
  }

  /** The engine below, for views, snapshots and audits. */
  get exchange(): Exchange {
    return this.desk.exchange
  }

  /** The virtual time in microseconds. */
  get now(): Micros {
    // A request may have moved the exchange's clock further.
    return micros(Math.max(this.#now, timeOf(this.desk.exchange)))
  }

  /**
   * Moves the clock by a duration such as `5ms`; timers due meanwhile run, and held requests get their replies.
   *
   * @throws RangeError with the code `TIME` if the text is not a duration.
   */
  wait(duration: string): this {
    this.#move(micros(this.now + expected(parseDuration(duration), 'a duration')))
    return this
  }

  /**
   * Moves the clock to an ISO time with an offset, which is not in the past, as `wait` does.
   *
   * @throws RangeError with the code `TIME` if the text is not a time, or is before the clock.
   */
  at(time: string): this {
    const moment = expected(parseIsoTime(time), 'a time')
    if (moment < this.now) throw coded(new RangeError(`expected a time at or after the clock, found ${time}`), 'TIME')
    this.#move(moment)
    return this
  }

  /**
   * Asks on behalf of an account, over a connection where its number is given.
   *
   * @throws RangeError by `request` of the result, with the code `PARAMETER` where the method has no such parameter, or
   * `OPTION` where a request has no such option.
   */
  as(account: string, session: number = NO_SESSION): Asker {
    return { request: this.#requestOf({ account, session }) }
  }

  /** Sends a request without an account: `public/` and `sim/` methods. */
  readonly request: Asker['request'] = this.#requestOf({ account: null, session: NO_SESSION })

  /**
   * The reply to a request that was held, once time has moved to where it came; undefined before that. The last
   * 10,000 such replies are kept.
   */
  reply<M extends MethodName>(id: RequestId<M>): MethodReply<M> | undefined {
    // The id was given for a request of this method.
    return this.#late.get(id) as MethodReply<M> | undefined
  }

  /** One function serves both forms of a request, which differ in what is known of the answer. */
  #requestOf(who: Identity): Asker['request'] {
    return ((method: MethodName, params: object, options?: AskOptions<MethodName>) =>
      this.#ask(who, { method, params }, options)) as Asker['request']
  }

  #ask(
    who: Identity,
    { method, params }: { readonly method: MethodName; readonly params: object },
    options: AskOptions<MethodName> | undefined,
  ): Asked<MethodName> {
    const problem = this.#isStrict ? this.#problemOf(method, params, options) : null
    if (problem !== null) throw coded(new RangeError(problem), 'PARAMETER')
    let answer: VenueReply | undefined
    let hasReturned = false
    const onReply = options?.onReply
    this.#now = this.now
    // The typed parameters are one case of what the wire accepts.
    const { account, session } = who
    const request = { time: this.#now, method, params: params as RequestParams, account, session }
    const id = submit(this.desk, request, (reply) => {
      answer = reply
      if (hasReturned) this.#keep(reply)
      // What it is told is typed by the method that was asked.
      if (onReply !== undefined) {
        this.#untold.push({ reply, tell: onReply as Waiting['tell'] })
      }
    })
    hasReturned = true
    // A venue that was put back has the clock that it had then.
    if (method === 'sim/restore' && answer?.ok === true) this.#now = timeOf(this.exchange)
    this.#tell()
    if (options?.advance === true) {
      while (answer === undefined) this.#move(this.#nextTimer())
    }
    if (answer !== undefined) return new Answer(id, answer) as unknown as Asked<MethodName>
    return { id, held: this.#heldUntil(id) }
  }

  /** A name of a parameter or an option that is none; null where all are known. */
  #problemOf(method: MethodName, params: object, options: AskOptions<MethodName> | undefined): string | null {
    const problem = nameProblemIn(this.desk.methods, method, params)
    if (problem === null && options !== undefined) {
      checkOptions('options of a request', options, askNames)
    }
    return problem
  }

  /** Moves the clock, from reply to reply where a function waits for one: it is called at the time of its reply. */
  #move(to: Micros): void {
    const { desk } = this
    while (desk.pending.size > 0 && this.#nextTimer() < to) this.#step(this.#nextTimer())
    // A function may have moved the clock further.
    if (to >= this.now) this.#step(to)
  }

  #step(to: Micros): void {
    const { exchange, sink } = this.desk
    this.#now = to
    advanceTo(exchange, to, sink)
    this.#tell()
  }

  /** The next time at which something happens by itself. */
  #nextTimer(): Micros {
    const next = nextDue(this.desk.exchange)
    assert(next < Number.POSITIVE_INFINITY, 'a pending reply has a timer')
    return micros(next)
  }

  #heldUntil(id: Sequence): Micros {
    return defined(heldUntil(this.exchange, id), 'a request that is not held is answered at once')
  }

  #keep(reply: VenueReply): void {
    this.#late.set(reply.sequence, reply)
    if (this.#late.size <= KEPT_REPLIES_MAX) return
    for (const oldest of this.#late.keys()) {
      this.#late.delete(oldest)
      return
    }
  }

  /** Calls functions with their replies, after the exchange is done with what brought them. */
  #tell(): void {
    for (let next = this.#untold.shift(); next !== undefined; next = this.#untold.shift()) {
      next.tell(next.reply)
    }
  }
}

const askNames: OptionNames<AskOptions<MethodName>> = { advance: true, onReply: true }

const venueNames: OptionNames<VenueOptions> = {
  start: true,
  instruments: true,
  index: true,
  accounts: true,
  permissions: true,
  config: true,
  sink: true,
  strict: true,
}

/**
 * Opens a venue.
 *
 * @throws RangeError with the code `OPTION`, `TIME` or `START` where its options cannot be.
 *
 * @example
 * const venue = openVenue({
 *   start: '2026-01-05T09:00:00Z',
 *   instruments: ['BTC-PERPETUAL'],
 *   index: { btc_usd: 50_000 },
 *   accounts: { ann: { BTC: 1 } },
 * })
 * const order = { instrument_name: 'BTC-PERPETUAL', amount: 100, price: 49_000 }
 * const { reply } = venue.as('ann').request('private/buy', order, { advance: true })
 * console.log(reply.ok && reply.result.order.order_state) // open
 */
export function openVenue(options: VenueOptions): Venue {
  const start = expected(parseIsoTime(options.start), 'a time')
  const preset = defaultConfig(start)
  const { strict = true } = options
  if (strict) {
    checkOptions('openVenue', options, venueNames)
    // `start` is known here, so that giving it twice is refused in its own words.
    const config: Readonly<Record<string, unknown>> = { ...options.config }
    checkOptions('openVenue: config', config, { ...venueSettings, start: true })
  }
  const config = { ...preset, ...options.config }
  checkConfig(config)
  const sink = options.sink ?? sinkOf({})
  const venue = new Venue(createDesk({ config, controls: true, methods: venueMethods }, sink), {
    strict,
  })
  for (const name of options.instruments ?? []) {
    granted(venue.request('sim/list_instrument', { instrument_name: name }))
  }
  for (const [name, price] of Object.entries(options.index ?? {})) {
    granted(venue.request('sim/set_index', { index_name: name, price }))
  }
  for (const [name, deposits] of Object.entries(options.accounts ?? {})) {
    granted(venue.request('sim/create_account', { name }))
    for (const [currency, amount] of Object.entries(deposits)) {
      if (amount < 0) {
        const problem = `accounts.${name}.${currency}: expected an amount from 0, found ${amount}`
        throw coded(new RangeError(`openVenue: ${problem}`), 'OPTION')
      }
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

function granted(asked: Asked<MethodName>): void {
  if (asked.held !== undefined || asked.ok) return
  const { message, data } = asked.error
  const why = data === undefined ? '' : `: ${data.param ?? ''} ${data.detail ?? data.reason}`
  throw coded(new RangeError(`the venue cannot start: ${message}${why}`), 'START')
}

function expected<T>(parsed: Result<T, { readonly found: string; readonly expected: string }>, what: string): T {
  if (parsed.ok) return parsed.value
  throw coded(new RangeError(`${what}: expected ${parsed.error.expected}, found ${parsed.error.found}`), 'TIME')
}
