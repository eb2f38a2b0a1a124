/**
 * The market of a server: a run that follows a clock and takes the requests of clients, each at its arrival time.
 *
 * Everything that changes the market is a request of the run, even if no client sent it (such as a connection that
 * closes), so the journal of the run gives the same events. The market never waits for a client.
 *
 * A market that serves controls remembers its past (`past.ts`), so that another market can continue from it
 * (`forks.ts`).
 */
import type { RequestSource, TimedRequest } from '../backtest/index.ts'
import { defined, type Micros, micros } from '../core/index.ts'
import { nextDue, timeOf, viewSession } from '../engine/index.ts'
import { nextHalfOpenEdge } from '../faults/index.ts'
import type { LiveMeans, LiveRun } from '../host/index.ts'
import { type EventSink, fanOut, type SessionEnd, sinkOf } from '../model/index.ts'
import { advanceTarget, type Desk, Subscriptions, type VenueError, type VenueReply } from '../rpc/index.ts'
import { advanceRunTo, type ScenarioRun } from '../scenario/index.ts'
import type { ServerClock } from './clock.ts'
import { type LiveRequest, Memory, type Past, relive, timed } from './past.ts'
import { Wire } from './wire.ts'

/** The owner of the connections of a market. */
interface Connections {
  /** Called when the exchange has closed a session by itself. */
  endSession(session: number, how: SessionEnd): void
  /** True if the client of a session is connected. */
  isConnected(session: number): boolean
  /** Called after a restore to a time before some sessions were opened. */
  reopenSessions(): void
  /** Called after each time at which the market did work: a fault can make connections half open. */
  heedFaults(): void
}

/**
 * The longest time that the market sleeps, in milliseconds; then it checks the feeds and strategies of its scenario.
 */
const SLEEP_MAX = 20

/** The first session number of clients. Steps of a scenario use the numbers below it. */
const FIRST_SESSION = 1001

/** A market that clients trade in. */
export class LiveMarket implements LiveRun {
  readonly #queue: TimedRequest[] = []
  readonly #makeClock: (start: Micros) => ServerClock
  readonly #connections: () => Connections | undefined
  readonly #origin: Past | undefined
  /** Undefined if no client can fork the market. */
  readonly #memory: Memory | undefined
  #clock: ServerClock | undefined
  #run: ScenarioRun | undefined
  #subscriptions: Subscriptions | undefined
  #means: LiveMeans | undefined
  #session = FIRST_SESSION - 1
  /** The last session of the past, whose sessions belong to clients of another market. */
  #relived = FIRST_SESSION - 1
  /** The virtual time until which all work is done, and the largest lag behind the clock. */
  #reached = 0
  #lagMost = 0
  #timer: NodeJS.Timeout | undefined
  /** When the timer fires, in milliseconds of the machine; infinite without a timer. */
  #wakeAt = Number.POSITIVE_INFINITY
  /** Requests that wait for their replies. */
  readonly #waiting = new Set<LiveRequest>()
  #hasFailed = false
  /** True if the venue was restored and the subscriptions have not been restarted yet. */
  #isPutBack = false
  #isPumping = false
  #isFilling = false
  #finish: (() => void) | undefined
  #fail: ((error: unknown) => void) | undefined
  #onOpen: () => void = () => undefined
  /** Resolves once the set-up is done and clients can send requests. */
  readonly opened: Promise<void>

  /**
   * Creates a market, whose connections exist once it is open. With a `past` it first runs to the end of that past.
   * With `remembers` it keeps its own past.
   */
  constructor(of: {
    readonly clock: (start: Micros) => ServerClock
    readonly connections: () => Connections | undefined
    readonly remembers: boolean
    readonly past?: Past
  }) {
    this.#makeClock = of.clock
    this.#connections = of.connections
    this.#origin = of.past
    this.#memory = of.remembers ? new Memory(of.past?.inputs) : undefined
    this.opened = new Promise((resolve) => {
      this.#onOpen = resolve
    })
  }

  /** The requests of clients, at their arrival times. */
  readonly source: RequestSource = {
    nextTime: () => this.#queue[0]?.time ?? Number.POSITIVE_INFINITY,
    take: () => defined(this.#queue.shift(), 'a source with a request'),
    events: fanOut([this.#channelEvents(), this.#sessionEvents()]),
  }

  /** The connection to its clients, with faults of messages. */
  readonly wire = new Wire({
    faults: () => this.desk.faults,
    now: () => timeOf(this.desk.exchange),
  })

  /** The request router of the market, once it is open. */
  get desk(): Desk {
    return defined(this.#run, 'the market is open').desk
  }

  /** The subscriptions of the market. */
  get subscriptions(): Subscriptions {
    return defined(this.#subscriptions, 'the market is open')
  }

  /** True while the market takes requests: from its opening until it stops. */
  get isOpen(): boolean {
    return this.#finish !== undefined
  }

  /** The virtual time. */
  get now(): Micros {
    const { desk } = this
    const clock = defined(this.#clock, 'the market is open')
    return micros(Math.max(clock.now(), timeOf(desk.exchange)))
  }

  /** The number of a new session. */
  nextSession(): number {
    this.#session += 1
    return this.#session
  }

  /** Virtual microseconds that the market lags behind its clock, now and at most. */
  get lag(): { readonly now: number; readonly most: number } {
    const now = this.#behind
    return { now, most: Math.max(now, this.#lagMost) }
  }

  get #behind(): number {
    return this.#clock === undefined ? 0 : Math.max(0, this.#clock.now() - this.#reached)
  }

  /** Size of the written journal in bytes. */
  get journalBytes(): number {
    return this.#means?.journalBytes() ?? 0
  }

  /** True if a fault of this library or of the machine has ended the market. */
  get hasFailed(): boolean {
    return this.#hasFailed
  }

  /**
   * The error of requests while the market is not open: an internal fault, or maintenance because it is closed (R33).
   */
  get closedError(): VenueError {
    return this.#hasFailed
      ? { code: 11094, message: 'internal_server_error', data: { reason: 'market_ended' } }
      : { code: 11051, message: 'system_maintenance' }
  }

  /**
   * Sends a request to the exchange now. Its reply comes before the notifications about its effects. A market that is
   * not open answers with `closedError`.
   */
  ask(request: LiveRequest): void {
    if (!this.isOpen) {
      this.#refuse(request)
      return
    }
    this.#waiting.add(request)
    const moved = this.#moveFor(request)
    const time = this.now
    const inputs = this.#memory?.add(moved, time, this.#reached) ?? 0
    const sent = (reply: VenueReply): void => {
      this.#waiting.delete(request)
      if (reply.ok) this.#note(request, { inputs, time })
      request.onReply?.(reply)
    }
    this.#queue.push(timed(moved, time, sent))
    this.#pump()
  }

  /**
   * Moves the clock for a `sim/advance`, so that all work until then is done first. The request itself then moves the
   * exchange to the time of the clock, which can have gone on.
   */
  #moveFor(request: LiveRequest): LiveRequest {
    if (request.method !== 'sim/advance' || request.refused !== undefined) return request
    const to = advanceTarget(request.params, this.now)
    if (to === undefined || to < this.now) return request
    this.#setClock(to)
    this.#pump()
    return { ...request, params: { by: '0us' } }
  }

  /** True if the market still has its whole past; false if no client can fork it, or if the past grew too long. */
  get remembers(): boolean {
    return this.#memory?.isWhole === true
  }

  /** The past until now; undefined if it is not remembered. */
  get past(): Past | undefined {
    const reached = micros(Math.max(this.#reached, timeOf(this.desk.exchange)))
    return this.#memory?.until(reached, this.#queue.length)
  }

  /** The past until a client made the snapshot with this name; undefined without such a snapshot. */
  pastOf(name: string): Past | undefined {
    return this.#memory?.untilName(name)
  }

  /** Notes a snapshot or a restore of the venue. It is complete when its reply is sent. */
  #note({ method, params }: LiveRequest, kept: Parameters<Memory['name']>[1]): void {
    if (method === 'sim/snapshot') this.#memory?.name(String(params.name), kept)
    if (method === 'sim/restore') this.#isPutBack = true
  }

  /** Sets the clock; the market does not lag behind a clock that was set. */
  #setClock(to: Micros): void {
    this.#clock?.set(to)
    this.#reached = to
  }

  /** Does and reports the work due until now. A timer calls it between requests. */
  #pump(): void {
    if (this.#isPumping || this.#isFilling || !this.isOpen) return
    this.#isPumping = true
    try {
      this.#goOn()
    } catch (error) {
      this.#breakDown(error)
    } finally {
      this.#isPumping = false
    }
    this.#sleep()
  }

  #goOn(): void {
    const run = defined(this.#run, 'the market is open')
    const { subscriptions } = this
    this.#lagMost = Math.max(this.#lagMost, this.#behind)
    // A request that arrives while another is reported is handled before the clock is read again.
    for (;;) {
      const now = this.now
      const from = timeOf(run.desk.exchange)
      const boundary = subscriptions.nextFlush(from)
      const to = micros(Math.max(from, Math.min(now, boundary, this.#nextOnWire(from))))
      const state = advanceRunTo(run, to)
      if (this.#isPutBack) {
        this.#goBack()
        continue
      }
      // A request of the scenario may have moved the clock forward; it continues from there.
      if (timeOf(run.desk.exchange) > to) this.#setClock(timeOf(run.desk.exchange))
      subscriptions.flush()
      this.wire.release(timeOf(run.desk.exchange))
      this.#connections()?.heedFaults()
      if (state !== 'starved') this.#reached = Math.max(this.#reached, to)
      if (state === 'failed') {
        this.stop()
        return
      }
      if (state === 'starved') {
        this.#fill()
        return
      }
      if (to === boundary) subscriptions.flushIntervals(to)
      if (to === now && this.#queue.length === 0) return
    }
  }

  /**
   * Finishes a restore: the clock continues from the restored time, every subscription restarts, and the sessions of
   * clients that have disconnected since are closed.
   */
  #goBack(): void {
    this.#isPutBack = false
    const { exchange } = this.desk
    // Delayed messages are sent before the first messages of the restarted subscriptions.
    this.wire.release(micros(Number.MAX_SAFE_INTEGER))
    this.#setClock(timeOf(exchange))
    this.subscriptions.restart()
    const connections = this.#connections()
    for (let session = this.#relived + 1; session <= this.#session; session += 1) {
      const isSocket = viewSession(exchange, session)?.type === 'web_socket'
      if (!isSocket || connections?.isConnected(session) === true) continue
      this.ask({ method: 'sim/disconnect', params: { session }, account: null, session: 0 })
    }
    connections?.reopenSessions()
  }

  /**
   * The next time after `time` at which there is work for clients alone; a delayed message that is already due counts
   * too.
   */
  #nextOnWire(time: number): number {
    return Math.min(this.wire.nextTime, nextHalfOpenEdge(this.desk.faults, time))
  }

  /** Reads more of the recorded files; requests wait meanwhile. */
  #fill(): void {
    this.#isFilling = true
    const means = defined(this.#means, 'a market with recorded files can read them')
    means.refill().then(
      (filled) => {
        this.#isFilling = false
        const run = defined(this.#run, 'the market is open')
        if (!filled.ok) run.loop.fault = filled.error
        this.#pump()
      },
      (error: unknown) => this.#breakDown(error),
    )
  }

  #sleep(): void {
    if (!this.isOpen || this.#clock === undefined) {
      clearTimeout(this.#timer)
      return
    }
    const { exchange } = this.desk
    const now = timeOf(exchange)
    const due = Math.min(nextDue(exchange), this.subscriptions.nextFlush(now), this.#nextOnWire(now))
    const left = this.#clock.millisUntil(due)
    // If time is stopped, only requests move it.
    if (left === Number.POSITIVE_INFINITY) {
      clearTimeout(this.#timer)
      this.#wakeAt = left
      return
    }
    const millis = Math.ceil(Math.min(left, SLEEP_MAX))
    const wakeAt = performance.now() + millis
    // An earlier timer is kept: resetting a timer for each request would cost more than waking up again.
    if (this.#wakeAt <= wakeAt) return
    clearTimeout(this.#timer)
    this.#wakeAt = wakeAt
    this.#timer = setTimeout(() => {
      this.#wakeAt = Number.POSITIVE_INFINITY
      this.#pump()
    }, millis)
  }

  /**
   * Ends the market after a defect of this library, or if the journal cannot be written. Clients get errors instead of
   * replies.
   */
  #breakDown(error: unknown): void {
    this.#hasFailed = true
    this.#finish = undefined
    clearTimeout(this.#timer)
    for (const request of [...this.#waiting]) this.#refuse(request)
    this.#waiting.clear()
    this.#fail?.(error)
  }

  #refuse({ onReply }: LiveRequest): void {
    const now = this.now
    onReply?.({ sequence: 0, usIn: now, usOut: now, ok: false, error: this.closedError })
  }

  /**
   * Ends the run at the current time of its clock, once its feeds were read until then. The journal ends with a request
   * at that time, so that a replay runs as far; in a market with feeds, this request stops them.
   */
  async end(): Promise<void> {
    if (this.isOpen) {
      const method = this.#run?.market === null ? 'public/get_time' : 'sim/stop_feeds'
      await new Promise<void>((resolve) => {
        const onReply = (): void => resolve()
        this.ask({ method, params: {}, account: null, session: 0, onReply })
      })
    }
    this.stop()
  }

  /** Stops taking requests and ends the run at the current time of its clock. */
  stop(): void {
    clearTimeout(this.#timer)
    const finish = this.#finish
    this.#finish = undefined
    // Requests that the run has not taken are answered with an error.
    for (const request of this.#queue.splice(0)) this.#refuse(request)
    finish?.()
  }

  /** Opens the market over a run and drives it until it stops. */
  async drive(run: ScenarioRun, means: LiveMeans): Promise<void> {
    this.#run = run
    this.#means = means
    this.#subscriptions = new Subscriptions(run.desk)
    if (this.#origin !== undefined) {
      const hand = (request: TimedRequest): unknown => this.#queue.push(request)
      this.#relived = await relive(this.#origin, run, means, hand, this.#session)
      this.#session = this.#relived
    }
    const start = timeOf(run.desk.exchange)
    this.#clock = this.#makeClock(start)
    this.#reached = start
    const ended = new Promise<void>((resolve, reject) => {
      this.#finish = resolve
      this.#fail = reject
    })
    this.#pump()
    this.#onOpen()
    await ended
  }

  #channelEvents(): EventSink {
    return { emit: (event) => this.#subscriptions?.events.emit(event) }
  }

  #sessionEvents(): EventSink {
    return sinkOf({
      session: ({ change, session, how }) => {
        if (change === 'closed' && how !== null) this.#connections()?.endSession(session, how)
      },
    })
  }
}
