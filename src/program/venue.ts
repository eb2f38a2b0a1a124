/**
 * A venue in a program: an exchange with its accounts and instruments. Requests use the venue's API and are typed by
 * method. A program can do everything that the steps of a scenario can do, without a file.
 */

import {
  assert,
  checkArgument,
  checkNames,
  checkOptions,
  coded,
  defined,
  type Micros,
  micros,
  type OptionKinds,
  parseDuration,
  parseIsoTime,
  type Result,
  type Sequence,
} from '../core/index.ts'
import { advanceTo, type Exchange, findAccount, heldUntil, nextDue, timeOf } from '../engine/index.ts'
import { type MethodName, type MethodParams, type MethodResult, venueMethods } from '../gateways/index.ts'
import {
  DEFAULT_SEED,
  defaultConfig,
  type EventSink,
  type ExchangeConfig,
  NO_SESSION,
  readSettings,
  sinkOf,
  venueSettings,
  whileAsked,
} from '../model/index.ts'
import {
  channelHint,
  createDesk,
  type Desk,
  nameProblemIn,
  type ReplyOf,
  type RequestParams,
  Subscriptions,
  submit,
  type VenueError,
  type VenueReply,
} from '../rpc/index.ts'

/** Options of a venue at its start. */
export interface VenueOptions {
  /** ISO time with an offset. */
  readonly start: string
  readonly instruments?: readonly string[]
  /**
   * Price indices by name, such as `btc_usd`. `sim/set_index` may set one later. Until then orders in its instruments
   * are refused with 10040, and the hint of the reply names the index.
   */
  readonly index?: { readonly [name: string]: number }
  /** Accounts by name, with their deposit in each currency. */
  readonly accounts?: { readonly [name: string]: { readonly [currency: string]: number } }
  /** Permissions of accounts that differ from the default. */
  readonly permissions?: {
    readonly [account: string]: Omit<MethodParams<'sim/set_permissions'>, 'account'>
  }
  readonly config?: Partial<Omit<ExchangeConfig, 'start'>>
  /** Receives every event. */
  readonly sink?: EventSink
  /**
   * True if unknown options, settings and parameters of requests are errors. Default: true. The real venue ignores
   * unknown parameters.
   */
  readonly strict?: boolean
}

/** A reply with the result type of its method. */
export type MethodReply<M extends MethodName> = ReplyOf<MethodResult<M>>

/** Number of a request at its venue. Its type records the method. */
export type RequestId<M extends MethodName = MethodName> = Sequence & { readonly asked?: M }

/** An answered request: its reply, and the parts of the reply. */
export type Answered<M extends MethodName> = MethodReply<M> & {
  readonly id: RequestId<M>
  /** The values that a refused request could have named, if they are known. */
  readonly hint?: string
  readonly reply: MethodReply<M>
  readonly held?: undefined
}

/** A request whose reply waits behind the speed bump. */
export interface Held<M extends MethodName> {
  readonly id: RequestId<M>
  /** Time in microseconds at which the speed bump releases the request. A later request may extend it. */
  readonly held: Micros
  readonly reply?: undefined
  readonly ok?: undefined
  readonly result?: undefined
  readonly error?: undefined
}

/** Methods whose requests are never held. */
type AtOnce = `public/${string}` | `sim/${string}` | `private/get_${string}`

/**
 * The result of `request`: a reply, or a held request with the time in `held`. The venue answers queries and controls
 * immediately.
 */
export type Asked<M extends MethodName> = M extends AtOnce ? Answered<M> : Answered<M> | Held<M>

/** Options of a request. */
export interface AskOptions<M extends MethodName> {
  /** True to move the clock until the reply has arrived. */
  readonly advance?: boolean
  /** Called once with the reply, however late it arrives. */
  readonly onReply?: (reply: MethodReply<M>) => void
}

/** A notification of a channel, with the same `channel` and `data` as over a socket. */
export interface ChannelNotification {
  readonly channel: string
  /** The message; the guide of servers describes it for each channel. */
  readonly data: unknown
}

/** Sends requests for one account, or without an account, and subscribes to channels. */
export interface Asker {
  /**
   * Sends a request at the venue's clock. Returns its reply, or the time until which it is held. Throws `RangeError`
   * for an unknown parameter of the method, unless the venue was opened with `strict: false`.
   */
  request<M extends MethodName>(
    method: M,
    params: MethodParams<M>,
    options: AskOptions<M> & { readonly advance: true },
  ): Answered<M>
  request<M extends MethodName>(method: M, params: MethodParams<M>, options?: AskOptions<M>): Asked<M>
  /**
   * Subscribes to a channel such as `book.BTC-PERPETUAL.raw`, or `user.orders.any.any.raw` of an account. `take` gets
   * each notification after the reply to the request that caused it, or when the clock reaches the end of its interval.
   * Returns a function that ends the subscription. Throws `RangeError` if no channel has this name, or if it belongs to
   * an account and no account asks.
   */
  subscribe(channel: string, take: (notification: ChannelNotification) => void): () => void
}

/** A reply with access to its parts; it is printed as `{ id, reply }`. */
class Answer {
  readonly id: Sequence
  readonly reply: VenueReply

  constructor(id: Sequence, reply: VenueReply) {
    this.id = id
    this.reply = reply
  }

  get ok(): boolean {
    return this.reply.ok
  }

  get result(): unknown {
    return this.reply.ok ? this.reply.result : undefined
  }

  get error(): VenueError | undefined {
    return this.reply.ok ? undefined : this.reply.error
  }

  get hint(): string | undefined {
    return this.reply.ok ? undefined : this.reply.hint
  }
}

/** Number of replies to held requests that `reply` can return; older ones are dropped. */
const KEPT_REPLIES_MAX = 10_000

/** Account and session of a request. */
interface Identity {
  readonly account: string | null
  readonly session: number
}

/**
 * The subscriptions of a venue, which exist from the first one on, and the sink from which its channels read. Only
 * `openVenue` refers to the class, so that a page that creates its own router does not load the channels.
 */
class Channels {
  opened: Subscriptions | null = null
  readonly hint: typeof channelHint = channelHint
  readonly events: EventSink = whileAsked(
    { emit: (event) => this.opened?.events.emit(event) },
    () => this.opened !== null,
  )

  open(desk: Desk): Subscriptions {
    this.opened ??= new Subscriptions(desk)
    return this.opened
  }
}

/** The channels of routers that `openVenue` created. */
const channelsOf = new WeakMap<Desk, Channels>()

/** An exchange with a virtual clock that never goes back. */
export class Venue implements Asker {
  readonly desk: Desk
  /** Undefined over a router without channels. */
  readonly #channels: Channels | undefined
  /** Number of subscriptions so far. Each one counts as a connection. */
  #links = 0
  readonly #isStrict: boolean
  /** Replies that arrived after their request had returned, oldest first. */
  readonly #late = new Map<number, VenueReply>()
  /** Calls of functions with their replies and notifications, which have not been made yet. */
  readonly #undelivered: (() => void)[] = []
  #now: Micros

  /**
   * `openVenue` opens a venue with all methods and checks its options. A venue over another request router has the
   * methods of that router.
   */
  constructor(desk: Desk, options: Pick<VenueOptions, 'strict'> = {}) {
    checkArgument('Venue: desk', desk, 'object')
    checkOptions('Venue', options, { strict: 'boolean?' })
    this.desk = desk
    this.#channels = channelsOf.get(desk)
    this.#isStrict = options.strict ?? true
    this.#now = timeOf(desk.exchange)
  }

  /** The engine of the venue, for views, snapshots and audits. */
  get exchange(): Exchange {
    return this.desk.exchange
  }

  /** The virtual time in microseconds. */
  get now(): Micros {
    // A request may have moved the exchange's clock further.
    return micros(Math.max(this.#now, timeOf(this.desk.exchange)))
  }

  /**
   * Moves the clock by a duration such as `5ms`. Timers that become due run, and held requests get their replies.
   *
   * @throws RangeError with the code `TIME` if the text is not a duration.
   */
  wait(duration: string): this {
    this.#move(micros(this.now + expected(parseDuration(duration), 'a duration')))
    return this
  }

  /**
   * Moves the clock to an ISO time with an offset, like `wait`. The time must not be in the past.
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
   * Sends requests for an account; `session` is the number of a connection.
   *
   * @throws RangeError by `request` of the result, with the code `PARAMETER` for a parameter that the method does not
   * have, or `OPTION` for an option that a request does not have.
   */
  as(account: string, session: number = NO_SESSION): Asker {
    return {
      request: this.#requestOf({ account, session }),
      subscribe: (channel, take) => this.#subscribe(account, channel, take),
    }
  }

  /** Sends a request without an account: `public/` and `sim/` methods. */
  readonly request: Asker['request'] = this.#requestOf({ account: null, session: NO_SESSION })

  /**
   * Subscribes to a public channel.
   *
   * @throws RangeError with the code `OPTION` if no public channel has this name.
   *
   * @example
   * const venue = openVenue({ start: '2026-01-05T09:00:00Z', instruments: ['BTC-PERPETUAL'], index: { btc_usd: 50_000 } })
   * venue.subscribe('deribit_price_index.btc_usd', ({ channel }) => console.log(channel)) // deribit_price_index.btc_usd
   * venue.request('sim/set_index', { index_name: 'btc_usd', price: 50_100 })
   */
  subscribe(channel: string, take: (notification: ChannelNotification) => void): () => void {
    return this.#subscribe(null, channel, take)
  }

  /**
   * The reply to a held request, once the clock has reached its arrival; undefined before. The venue keeps the last
   * 10,000 such replies.
   */
  reply<M extends MethodName>(id: RequestId<M>): MethodReply<M> | undefined {
    // The type of the id records the method of its request.
    return this.#late.get(id) as MethodReply<M> | undefined
  }

  /** One function serves both forms of a request, which differ only in the type of the answer. */
  #requestOf(who: Identity): Asker['request'] {
    return ((method: MethodName, params: object, options?: AskOptions<MethodName>) =>
      this.#ask(who, method, params, options)) as Asker['request']
  }

  #ask(
    who: Identity,
    method: MethodName,
    params: object,
    options: AskOptions<MethodName> | undefined,
  ): Asked<MethodName> {
    const problem = this.#isStrict ? this.#problemOf(method, params, options) : null
    if (problem !== null) throw coded(new RangeError(problem), 'PARAMETER')
    let answer: VenueReply | undefined
    let hasReturned = false
    const onReply = options?.onReply
    this.#now = this.now
    // Typed parameters are a subtype of the parameters on the wire.
    const request = {
      time: this.#now,
      method,
      params: params as RequestParams,
      account: who.account,
      session: who.session,
    }
    const id = submit(this.desk, request, (reply) => {
      answer = reply
      if (hasReturned) this.#keep(reply)
      // The function's argument is typed by the method of the request.
      if (onReply !== undefined) {
        this.#undelivered.push(() => onReply(reply as MethodReply<MethodName>))
      }
    })
    hasReturned = true
    // A restored venue has the clock of its snapshot.
    if (method === 'sim/restore' && answer?.ok === true) {
      this.#now = timeOf(this.exchange)
      this.#channels?.opened?.restart()
    }
    this.#report()
    if (options?.advance === true) {
      while (answer === undefined) this.#move(this.#nextTimer())
    }
    if (answer !== undefined) return new Answer(id, answer) as unknown as Asked<MethodName>
    return { id, held: this.#heldUntil(id) }
  }

  /** The message for an unknown name of a parameter or an option; null if all names are known. */
  #problemOf(method: MethodName, params: object, options: AskOptions<MethodName> | undefined): string | null {
    const problem = nameProblemIn(this.desk.methods, method, params)
    if (problem === null && options !== undefined) {
      checkOptions('options of a request', options, askKinds)
    }
    return problem
  }

  #subscribe(account: string | null, channel: string, take: (notification: ChannelNotification) => void): () => void {
    checkArgument('subscribe: channel', channel, 'string')
    checkArgument('subscribe: take', take, 'function')
    if (this.#channels === undefined) {
      throw coded(new RangeError('subscribe: expected a venue that openVenue opened'), 'OPTION')
    }
    const opened = this.#channels.open(this.desk)
    const owner = account === null ? undefined : findAccount(this.desk.exchange, account)
    this.#links += 1
    const link = this.#links
    const subscriber = {
      link,
      account: owner?.id ?? (-1 as const),
      allows: () => owner !== undefined,
      send: (text: string) => {
        // The text is a notification that the channel has just written.
        const { params } = JSON.parse(text) as { readonly params: ChannelNotification }
        this.#undelivered.push(() => take(params))
      },
    }
    if (!opened.subscribe(subscriber, channel, null)) {
      const problem = `subscribe: no channel ${channel}${account === null ? '' : ` of ${account}`} can be opened`
      throw coded(new RangeError(`${problem}: ${this.#channels.hint(channel)}`), 'OPTION')
    }
    this.#report()
    return () => opened.leave(link)
  }

  /**
   * Moves the clock in steps from reply to reply if functions wait for replies, and to each end of an interval of a
   * subscribed channel, so that each function is called at the time of its reply or notification.
   */
  #move(to: Micros): void {
    for (;;) {
      const reply = this.desk.pending.size > 0 ? this.#nextTimer() : Number.POSITIVE_INFINITY
      const next = Math.min(reply, this.#channels?.opened?.nextFlush(this.now) ?? Number.POSITIVE_INFINITY)
      if (next >= to) break
      this.#step(micros(next))
    }
    // A function may have moved the clock further.
    if (to >= this.now) this.#step(to)
  }

  #step(to: Micros): void {
    const { exchange, sink } = this.desk
    this.#now = to
    advanceTo(exchange, to, sink)
    this.#report()
    this.#channels?.opened?.flushIntervals(to)
    this.#deliver()
  }

  /** The time of the next timer of the exchange. */
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

  /** Calls functions with their replies, then with the notifications of the last input. */
  #report(): void {
    this.#deliver()
    this.#channels?.opened?.flush()
    this.#deliver()
  }

  /** Makes the waiting calls, after the exchange has finished the work that caused them. */
  #deliver(): void {
    for (let next = this.#undelivered.shift(); next !== undefined; next = this.#undelivered.shift()) next()
  }
}

const askKinds: OptionKinds<AskOptions<MethodName>> = { advance: 'boolean?', onReply: 'function?' }

const venueKinds: OptionKinds<VenueOptions> = {
  start: 'string',
  instruments: 'texts?',
  index: 'object?',
  accounts: 'object?',
  permissions: 'object?',
  config: 'object?',
  sink: 'object?',
  strict: 'boolean?',
}

/**
 * Opens a venue.
 *
 * @throws RangeError with the code `OPTION`, `TIME` or `START` for invalid options.
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
  // A program without types may pass nothing.
  const strict = (options as VenueOptions | undefined)?.strict ?? true
  if (strict) checkOptions('openVenue', options, venueKinds)
  const start = expected(parseIsoTime(options.start), 'a time')
  const preset = defaultConfig(start)
  if (strict) {
    // `start` counts as a known name here, so that a second start gets its own refusal and not one for an unknown name.
    const config: Readonly<Record<string, unknown>> = { ...options.config }
    checkNames('openVenue: config', config, [...Object.keys(venueSettings), 'start'])
  }
  // Without another key a venue signs block trades with the default seed of scenarios, so that a scenario of its
  // requests has the same signatures.
  const blockTrades = { ...preset.blockTrades, key: DEFAULT_SEED }
  const config = { ...preset, blockTrades, ...options.config }
  checkConfig(config)
  const sink = options.sink ?? sinkOf({})
  checkArgument('openVenue: sink.emit', sink.emit, 'function')
  const channels = new Channels()
  const desk = createDesk({ config, controls: true, methods: venueMethods, watch: channels.events }, sink)
  channelsOf.set(desk, channels)
  const venue = new Venue(desk, { strict })
  for (const name of options.instruments ?? []) {
    granted(venue.request('sim/list_instrument', { instrument_name: name }))
  }
  for (const [name, price] of Object.entries(options.index ?? {})) {
    granted(venue.request('sim/set_index', { index_name: name, price }))
  }
  for (const [name, deposits] of Object.entries(options.accounts ?? {})) {
    checkArgument(`openVenue: accounts.${name}`, deposits, 'object')
    granted(venue.request('sim/create_account', { name }))
    for (const [currency, amount] of Object.entries(deposits)) {
      if (amount < 0) {
        const problem = `accounts.${name}.${currency}: expected an amount from 0, found ${amount}`
        throw coded(new RangeError(`openVenue: ${problem}`), 'OPTION')
      }
      // The method refuses an unknown currency and names the existing ones.
      const params = { account: name, currency, amount } as MethodParams<'sim/deposit'>
      granted(venue.request('sim/deposit', params))
    }
  }
  for (const [account, permissions] of Object.entries(options.permissions ?? {})) {
    checkArgument(`openVenue: permissions.${account}`, permissions, 'object')
    granted(venue.request('sim/set_permissions', { account, ...permissions }))
  }
  return venue
}

function granted(asked: Asked<MethodName>): void {
  if (asked.held !== undefined || asked.ok) return
  const { message, data } = asked.error
  const why = data === undefined ? '' : `: ${data.param ?? ''} ${data.detail ?? data.reason}`
  const hint = asked.hint === undefined ? '' : ` (${asked.hint})`
  throw coded(new RangeError(`the venue cannot start: ${message}${why}${hint}`), 'START')
}

function expected<T>(parsed: Result<T, { readonly found: string; readonly expected: string }>, what: string): T {
  if (parsed.ok) return parsed.value
  throw coded(new RangeError(`${what}: expected ${parsed.error.expected}, found ${parsed.error.found}`), 'TIME')
}

/** Throws `RangeError` at the first invalid setting; the message has its name, the expected and the found value. */
export function checkConfig(config: ExchangeConfig): void {
  const reading = { place: 'config', start: config.start, path: ['config'] } as const
  const [fault] = readSettings(venueSettings, config, reading).faults
  if (fault === undefined) return
  const { path, expected, found, words = String(found) } = fault
  const problem = `${path.join('.')}: expected ${expected}, found ${words}`
  throw coded(new RangeError(problem), 'OPTION')
}
