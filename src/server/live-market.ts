/**
 * The market of a server: a run that goes along with a clock and takes the requests of clients, each at the time at
 * which it came.
 *
 * Everything that moves it is a request of the run, also what no client sent (a connection that closes), so that the
 * journal of the run gives the same events. Nothing here waits for a client.
 */
import type { RequestSource, TimedRequest } from '../backtest/index.ts'
import { defined, type Micros, micros } from '../core/index.ts'
import { nextDue, timeOf } from '../engine/index.ts'
import type { LiveMeans, LiveRun } from '../host/index.ts'
import { type EventSink, fanOut, sinkOf } from '../model/index.ts'
import { ChannelHub, type Desk, type VenueError, type VenueReply } from '../rpc/index.ts'
import { advanceRunTo, type ScenarioRun } from '../scenario/index.ts'
import type { ServerClock } from './clock.ts'

/** A request without its time, which is when it comes. */
export type LiveRequest = Omit<TimedRequest, 'time'>

/** The longest that the market sleeps, in milliseconds: feeds and strategies of its scenario are looked at then. */
const SLEEP_MAX = 20

/** Sessions of clients are numbered from here, so that steps of a scenario have the numbers below. */
const FIRST_SESSION = 1001

/** A market that clients trade in. */
export class LiveMarket implements LiveRun {
  readonly #queue: TimedRequest[] = []
  readonly #makeClock: (start: Micros) => ServerClock
  readonly #onSessionEnd: (session: number) => void
  #clock: ServerClock | undefined
  #run: ScenarioRun | undefined
  #hub: ChannelHub | undefined
  #means: LiveMeans | undefined
  #session = FIRST_SESSION - 1
  /** The time until which all was done, and the most that it was behind the clock. */
  #reached = 0
  #lagMost = 0
  #timer: NodeJS.Timeout | undefined
  /** When the timer fires, in milliseconds of the machine; infinite where none is set. */
  #wakeAt = Number.POSITIVE_INFINITY
  /** Requests that wait for their replies. */
  readonly #waiting = new Set<LiveRequest>()
  #hasFailed = false
  #isPumping = false
  #isFilling = false
  #finish: (() => void) | undefined
  #fail: ((error: unknown) => void) | undefined
  #onOpen: () => void = () => undefined
  /** Resolves once the set-up was done and clients may ask. */
  readonly opened: Promise<void>

  /** `onSessionEnd` is told the sessions that the exchange closes by itself. */
  constructor(of: {
    readonly clock: (start: Micros) => ServerClock
    readonly onSessionEnd: (session: number) => void
  }) {
    this.#makeClock = of.clock
    this.#onSessionEnd = of.onSessionEnd
    this.opened = new Promise((resolve) => {
      this.#onOpen = resolve
    })
  }

  /** The requests of clients, at the times at which they came. */
  readonly source: RequestSource = {
    nextTime: () => this.#queue[0]?.time ?? Number.POSITIVE_INFINITY,
    take: () => defined(this.#queue.shift(), 'a source that is asked has a request'),
    events: fanOut([this.#channelEvents(), this.#sessionEvents()]),
  }

  /** The desk of the market, once it is open. */
  get desk(): Desk {
    return defined(this.#run, 'a market that is asked is open').desk
  }

  /** The channels of the market. */
  get hub(): ChannelHub {
    return defined(this.#hub, 'a market that is asked is open')
  }

  /** True if requests are taken: from its opening until it stops. */
  get isOpen(): boolean {
    return this.#finish !== undefined
  }

  /** The virtual time. */
  get now(): Micros {
    const { desk } = this
    const clock = defined(this.#clock, 'a market that is asked is open')
    return micros(Math.max(clock.now(), timeOf(desk.exchange)))
  }

  /** The number of a new session. */
  nextSession(): number {
    this.#session += 1
    return this.#session
  }

  /** Virtual microseconds that the market is behind its clock, and the most that it was. */
  get lag(): { readonly now: number; readonly most: number } {
    const now = this.#clock === undefined ? 0 : Math.max(0, this.#clock.now() - this.#reached)
    return { now, most: Math.max(now, this.#lagMost) }
  }

  /** Bytes of the journal that were written. */
  get journalBytes(): number {
    return this.#means?.journalBytes() ?? 0
  }

  /** The error of requests while the market is not open: an internal fault, or that it is closed (R33). */
  get closedError(): VenueError {
    return this.#hasFailed
      ? { code: 11094, message: 'internal_server_error' }
      : { code: 11051, message: 'system_maintenance' }
  }

  /**
   * Hands a request to the exchange now; its reply is told before the notifications of what it did. A market that is
   * not open answers with `closedError`.
   */
  ask(request: LiveRequest): void {
    if (!this.isOpen) {
      this.#refuse(request)
      return
    }
    const { onReply } = request
    this.#waiting.add(request)
    const told = (reply: VenueReply): void => {
      this.#waiting.delete(request)
      onReply?.(reply)
    }
    this.#queue.push({ ...request, onReply: told, time: this.now })
    this.#pump()
    // The clock goes on from where the market was put back to.
    if (request.method === 'sim/restore') this.#setClock(timeOf(this.desk.exchange))
  }

  /** Moves the clock to a later time, from which it goes on; all that is due until then is done and told. */
  advance(to: Micros): void {
    if (to <= this.now) return
    this.#setClock(to)
    this.#pump()
  }

  /** A clock that jumps leaves nobody behind. */
  #setClock(to: Micros): void {
    this.#clock?.set(to)
    this.#reached = to
  }

  /** Does what is due until now, and tells it; between two requests a timer does the same. */
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
    const run = defined(this.#run, 'a market that goes on is open')
    const { hub } = this
    this.#lagMost = this.lag.most
    // A request that comes while another is told is done before the clock is asked again.
    for (;;) {
      const now = this.now
      const boundary = hub.nextFlush(timeOf(run.desk.exchange))
      const to = micros(Math.min(now, boundary))
      const state = advanceRunTo(run, to)
      hub.flush()
      if (state !== 'starved') this.#reached = Math.max(this.#reached, to)
      if (state === 'failed') {
        this.stop()
        return
      }
      if (state === 'starved') {
        this.#fill()
        return
      }
      if (to === boundary) hub.flushIntervals(to)
      if (to === now && this.#queue.length === 0) return
    }
  }

  /** Reads more of the recorded files; requests wait meanwhile. */
  #fill(): void {
    this.#isFilling = true
    const means = defined(this.#means, 'a market with recorded files can read them')
    means.refill().then(
      (filled) => {
        this.#isFilling = false
        const run = defined(this.#run, 'a market that reads is open')
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
    const due = Math.min(nextDue(exchange), this.hub.nextFlush(timeOf(exchange)))
    const left = this.#clock.millisUntil(due)
    // Where time stands only requests move it.
    if (left === Number.POSITIVE_INFINITY) {
      clearTimeout(this.#timer)
      this.#wakeAt = left
      return
    }
    const millis = Math.ceil(Math.min(left, SLEEP_MAX))
    const wakeAt = performance.now() + millis
    // Who wakes before sleeps again: a timer for each request would cost more than waking once more.
    if (this.#wakeAt <= wakeAt) return
    clearTimeout(this.#timer)
    this.#wakeAt = wakeAt
    this.#timer = setTimeout(() => {
      this.#wakeAt = Number.POSITIVE_INFINITY
      this.#pump()
    }, millis)
  }

  /** A defect of ours, or a journal that cannot be written: no client is told that things go on. */
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

  /** Takes no more requests and ends the run where its clock stands. */
  stop(): void {
    clearTimeout(this.#timer)
    const finish = this.#finish
    this.#finish = undefined
    finish?.()
  }

  /** Opens the market over a run, and goes on until it is stopped. */
  async drive(run: ScenarioRun, means: LiveMeans): Promise<void> {
    this.#run = run
    this.#means = means
    this.#hub = new ChannelHub(run.desk)
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
    return { emit: (event) => this.#hub?.events.emit(event) }
  }

  #sessionEvents(): EventSink {
    return sinkOf({
      session: ({ change, session }) => {
        if (change === 'closed') this.#onSessionEnd(session)
      },
    })
  }
}
