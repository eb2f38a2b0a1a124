/**
 * The past of a market: what clients asked, and between which inputs. Another market that is given the same comes to the
 * same state, with its feeds and strategies.
 */
import type { TimedRequest } from '../backtest/index.ts'
import { defined, type Micros, type Mutable, micros } from '../core/index.ts'
import { timeOf } from '../engine/index.ts'
import type { LiveMeans } from '../host/index.ts'
import { type VenueReply, writtenParams } from '../rpc/index.ts'
import { advanceRunTo, type ScenarioRun } from '../scenario/index.ts'

/** A request without its time, which is when it comes. */
export type LiveRequest = Omit<TimedRequest, 'time'>

/** A request with its time. Spelt out: a copy and its changes cost more than reading the request. */
export function timed(
  { method, params, account, session, serve, refused }: LiveRequest,
  time: Micros,
  onReply: (reply: VenueReply) => void,
): TimedRequest {
  const request: Mutable<TimedRequest> = { time, method, params, account, session, onReply }
  if (serve !== undefined) request.serve = serve
  if (refused !== undefined) request.refused = refused
  return request
}

/** A request of the past, with the time until which all was done when it came. */
export interface PastInput {
  readonly reached: Micros
  readonly request: TimedRequest
}

/** The past of a market until a moment. */
export interface Past {
  readonly inputs: readonly PastInput[]
  /** The time until which all was done then. */
  readonly reached: Micros
}

/** The longest past that is remembered, in requests: some 300 MB. */
const INPUTS_MAX = 1_000_000

/** Virtual time that a past is gone through without looking up, and milliseconds after which others are heard. */
const PAST_STEP = 1_000_000
const PAST_MILLIS = 10

/** Remembers the past of a market as a journal would, secrets being hidden as there, until it grows too long. */
export class Memory {
  #inputs: PastInput[] | undefined
  /** How many inputs there were when the venue was kept under a name. */
  readonly #names = new Map<string, number>()

  /** With what a market that was forked has of the one that it came from. */
  constructor(inputs: readonly PastInput[] = []) {
    this.#inputs = [...inputs]
    for (const [at, { request }] of inputs.entries()) {
      const { method, params, refused } = request
      if (method === 'sim/snapshot' && refused === undefined) this.name(String(params.name), at + 1)
    }
  }

  /** False once it was too long. */
  get isWhole(): boolean {
    return this.#inputs !== undefined
  }

  /** Adds a request, and returns how many there are then. */
  add(
    { onReply: _, serve: __, ...request }: LiveRequest,
    at: { readonly time: Micros; readonly reached: number },
  ): number {
    const inputs = this.#inputs
    if (inputs === undefined) return 0
    if (inputs.length >= INPUTS_MAX) {
      this.#inputs = undefined
      return 0
    }
    const params = writtenParams(request.method, request.params)
    inputs.push({ reached: micros(at.reached), request: { ...request, params, time: at.time } })
    return inputs.length
  }

  /** The venue was kept under a name when there were so many inputs. */
  name(name: string, inputs: number): void {
    this.#names.set(name, inputs)
  }

  /** The past until a time, but for the last requests, so many, that are still to be done. */
  until(reached: Micros, waiting: number): Past | undefined {
    const inputs = this.#inputs
    return inputs && { inputs: inputs.slice(0, inputs.length - waiting), reached }
  }

  /** The past until the venue was kept under a name; undefined where it never was. */
  untilName(name: string): Past | undefined {
    const count = this.#names.get(name)
    if (this.#inputs === undefined || count === undefined) return undefined
    const inputs = this.#inputs.slice(0, count)
    const { time } = defined(inputs.at(-1), 'the request that kept it is among them').request
    return { inputs, reached: time }
  }
}

/**
 * Brings a run to the end of a past. `hand` hands a request over, `first` is the number of the last session before any.
 * Returns that of the last session of the past.
 */
export async function relive(
  { inputs, reached }: Past,
  of: {
    readonly run: ScenarioRun
    readonly means: LiveMeans
    readonly hand: (request: TimedRequest) => unknown
    readonly first: number
  },
): Promise<number> {
  const { run, means, hand } = of
  const goThrough = walker(run, means)
  let session = of.first
  for (const { reached: before, request } of inputs) {
    await goThrough(before)
    await goThrough(request.time - 1)
    hand(request)
    session = Math.max(session, sessionOf(request))
    // In one step, as the request may put the clock back.
    await reach(run, means, request.time)
  }
  await goThrough(reached)
  return session
}

/** Does what is due in a run up to a time, reading its feeds on the way; a run that failed stays where it is. */
async function reach(run: ScenarioRun, means: LiveMeans, time: Micros): Promise<void> {
  while (advanceRunTo(run, time) === 'starved') {
    const filled = await means.refill()
    if (!filled.ok) run.loop.fault = filled.error
  }
}

/** Goes through a past up to a time, step by step, so that others of the process are heard meanwhile. */
function walker(run: ScenarioRun, means: LiveMeans): (time: number) => Promise<void> {
  let heard = performance.now()
  return async (time) => {
    const { exchange } = run.desk
    while (timeOf(exchange) < time && run.loop.fault === null) {
      await reach(run, means, micros(Math.min(time, timeOf(exchange) + PAST_STEP)))
      if (performance.now() - heard < PAST_MILLIS) continue
      await new Promise((resolve) => setImmediate(resolve))
      heard = performance.now()
    }
  }
}

/** Methods that open the session that they name. */
const opening: ReadonlySet<string> = new Set(['sim/connect', 'sim/direct/logon'])

/** The session that a request comes over, or opens. */
function sessionOf({ method, params, session }: TimedRequest): number {
  const opened = opening.has(method) ? params.session : 0
  return typeof opened === 'number' ? Math.max(session, opened) : session
}
