/**
 * The past of a market: the requests of clients, and the inputs that they came between. Another market with the same
 * past reaches the same state, with its feeds and strategies.
 */
import { deflateRawSync, inflateRawSync } from 'node:zlib'
import type { TimedRequest } from '../backtest/index.ts'
import { type Micros, type Mutable, micros } from '../core/index.ts'
import { timeOf } from '../engine/index.ts'
import type { LiveMeans } from '../host/index.ts'
import { type VenueReply, writtenParams } from '../rpc/index.ts'
import { advanceRunTo, type ScenarioRun } from '../scenario/index.ts'

/** A request without its time, which is set at its arrival. */
export type LiveRequest = Omit<TimedRequest, 'time'>

/**
 * A request with its time. The fields are written out, because a copy with changes costs more than reading the request.
 */
export function timed(
  { method, params, account, session, serve, refused, rights }: LiveRequest,
  time: Micros,
  onReply: (reply: VenueReply) => void,
): TimedRequest {
  const request: Mutable<TimedRequest> = { time, method, params, account, session, onReply }
  if (serve !== undefined) request.serve = serve
  if (refused !== undefined) request.refused = refused
  if (rights !== undefined) request.rights = rights
  return request
}

/** A request of the past, with the time until which all work was done when it arrived. */
interface PastInput {
  readonly reached: Micros
  readonly request: TimedRequest
}

/** The past of a market until a moment. */
export interface Past {
  readonly inputs: Iterable<PastInput>
  /** The time until which all work was done at that moment. */
  readonly reached: Micros
}

/** The longest past that is remembered, in requests: about 20 MB. */
const INPUTS_MAX = 1_000_000
/** Number of requests that are compressed together, which takes 10 to 30 bytes per request. */
const PAGE_INPUTS = 1000

/** Virtual time of one step through a past, and milliseconds after which other work of the process gets a turn. */
const PAST_STEP = 1_000_000
const PAST_MILLIS = 10

/** Stored inputs: compressed pages of JSON lines, and the lines of an incomplete page. */
class Inputs implements Iterable<PastInput> {
  readonly pages: readonly Uint8Array[]
  readonly lines: readonly string[]
  readonly count: number

  /** The first `count` inputs. */
  constructor(pages: readonly Uint8Array[], lines: readonly string[], count: number) {
    this.pages = pages
    this.lines = lines
    this.count = count
  }

  *[Symbol.iterator](): Generator<PastInput> {
    let left = this.count
    for (let page = 0; left > 0; page += 1) {
      const packed = this.pages[page]
      const lines = packed === undefined ? this.lines : unpacked(packed)
      for (const line of lines.slice(0, left)) yield JSON.parse(line) as PastInput
      left -= Math.min(left, lines.length)
    }
  }
}

/** A snapshot of the venue: the number of inputs including the request that made it, and its time. */
interface Kept {
  readonly inputs: number
  readonly time: Micros
}

/** Remembers the past of a market until it grows too long. Like a journal, it hides secrets. */
export class Memory {
  #pages: Uint8Array[] | undefined = []
  #lines: string[] = []
  readonly #names = new Map<string, Kept>()

  /** Starts with the past that a forked market has from its original. */
  constructor(inputs: Iterable<PastInput> = []) {
    for (const { reached, request } of inputs) {
      const count = this.add(request, request.time, reached)
      if (request.method === 'sim/snapshot' && request.refused === undefined) {
        this.name(String(request.params.name), { inputs: count, time: request.time })
      }
    }
  }

  /** False once the past was too long. */
  get isWhole(): boolean {
    return this.#pages !== undefined
  }

  /** Size of the compressed pages in bytes. */
  get packedBytes(): number {
    return this.#pages?.reduce((sum, page) => sum + page.length, 0) ?? 0
  }

  get #count(): number {
    return (this.#pages?.length ?? 0) * PAGE_INPUTS + this.#lines.length
  }

  /** Adds a request and returns the new number of requests. */
  add({ onReply: _, serve: __, ...request }: LiveRequest, time: Micros, reached: number): number {
    if (this.#pages === undefined) return 0
    if (this.#count >= INPUTS_MAX) {
      this.#pages = undefined
      this.#lines = []
      return 0
    }
    const params = writtenParams(request.method, request.params)
    const input = { reached: micros(reached), request: { ...request, params, time } }
    this.#lines.push(JSON.stringify(input satisfies PastInput))
    if (this.#lines.length === PAGE_INPUTS) {
      this.#pages.push(packed(this.#lines))
      this.#lines = []
    }
    return this.#count
  }

  /** Notes a snapshot of the venue by its name. */
  name(name: string, kept: Kept): void {
    this.#names.set(name, kept)
  }

  /** The past until a time, without the last `waiting` requests, which are not done yet. */
  until(reached: Micros, waiting: number): Past | undefined {
    return this.#first(this.#count - waiting, reached)
  }

  /** The past until a snapshot of the venue; undefined without a snapshot of this name. */
  untilName(name: string): Past | undefined {
    const kept = this.#names.get(name)
    return kept && this.#first(kept.inputs, kept.time)
  }

  #first(count: number, reached: Micros): Past | undefined {
    const pages = this.#pages
    return pages && { inputs: new Inputs([...pages], [...this.#lines], count), reached }
  }
}

function packed(lines: readonly string[]): Uint8Array {
  // A copy, because the result can be a part of a larger memory block.
  return new Uint8Array(deflateRawSync(lines.join('\n'), { level: 1 }))
}

function unpacked(page: Uint8Array): readonly string[] {
  return inflateRawSync(page).toString().split('\n')
}

/**
 * Runs to the end of a past. `hand` submits a request, and `first` is the last session number before the past. Returns
 * the last session number of the past.
 */
export async function relive(
  { inputs, reached }: Past,
  run: ScenarioRun,
  means: LiveMeans,
  hand: (request: TimedRequest) => unknown,
  first: number,
): Promise<number> {
  const goThrough = walker(run, means)
  let session = first
  for (const { reached: before, request } of inputs) {
    await goThrough(before)
    await goThrough(request.time - 1)
    hand(request)
    session = Math.max(session, sessionOf(request))
    // In one step, because the request can set the clock back.
    await reach(run, means, request.time)
  }
  await goThrough(reached)
  return session
}

/** Does the work of a run that is due until a time, and reads its feeds on the way. A failed run stays where it is. */
async function reach(run: ScenarioRun, means: LiveMeans, time: Micros): Promise<void> {
  while (advanceRunTo(run, time) === 'starved') {
    const filled = await means.refill()
    if (!filled.ok) run.loop.fault = filled.error
  }
}

/** Runs through a past until a time in steps, so that other work of the process gets a turn. */
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

/** Methods that open the session in their parameters. */
const opening: ReadonlySet<string> = new Set(['sim/connect', 'sim/direct/logon'])

/** The session that a request came over or opens. */
function sessionOf({ method, params, session }: TimedRequest): number {
  const opened = opening.has(method) ? params.session : 0
  return typeof opened === 'number' ? Math.max(session, opened) : session
}
