/**
 * The past of a market: what clients asked, and between which inputs. Another market that is given the same comes to the
 * same state, with its feeds and strategies.
 */
import { deflateRawSync, inflateRawSync } from 'node:zlib'
import type { TimedRequest } from '../backtest/index.ts'
import { type Micros, type Mutable, micros } from '../core/index.ts'
import { timeOf } from '../engine/index.ts'
import type { LiveMeans } from '../host/index.ts'
import { type VenueReply, writtenParams } from '../rpc/index.ts'
import { advanceRunTo, type ScenarioRun } from '../scenario/index.ts'

/** A request without its time, which is when it comes. */
export type LiveRequest = Omit<TimedRequest, 'time'>

/** A request with its time. Spelt out: a copy and its changes cost more than reading the request. */
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

/** A request of the past, with the time until which all was done when it came. */
export interface PastInput {
  readonly reached: Micros
  readonly request: TimedRequest
}

/** The past of a market until a moment. */
export interface Past {
  readonly inputs: Iterable<PastInput>
  /** The time until which all was done then. */
  readonly reached: Micros
}

/** The longest past that is remembered, in requests: some 20 MB. */
const INPUTS_MAX = 1_000_000
/** So many requests are packed together, which makes 10 to 30 bytes of each. */
const PAGE_INPUTS = 1000

/** Virtual time that a past is gone through without looking up, and milliseconds after which others are heard. */
const PAST_STEP = 1_000_000
const PAST_MILLIS = 10

/** Inputs as they are kept: pages of lines of JSON, and lines that do not fill a page yet. */
class Inputs implements Iterable<PastInput> {
  readonly pages: readonly Uint8Array[]
  readonly lines: readonly string[]
  readonly count: number

  /** The first inputs, `count` of them. */
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

/** When the venue was kept under a name: how many inputs there were, the last of which kept it, and its time. */
interface Kept {
  readonly inputs: number
  readonly time: Micros
}

/** Remembers the past of a market as a journal would, secrets being hidden as there, until it grows too long. */
export class Memory {
  #pages: Uint8Array[] | undefined = []
  #lines: string[] = []
  readonly #names = new Map<string, Kept>()

  /** With what a market that was forked has of the one that it came from. */
  constructor(inputs: Iterable<PastInput> = []) {
    for (const { reached, request } of inputs) {
      const { method, params, refused, time } = request
      const count = this.add(request, { time, reached })
      if (method === 'sim/snapshot' && refused === undefined) {
        this.name(String(params.name), { inputs: count, time })
      }
    }
  }

  /** False once it was too long. */
  get isWhole(): boolean {
    return this.#pages !== undefined
  }

  /** Bytes of the pages that are packed. */
  get packedBytes(): number {
    return this.#pages?.reduce((sum, page) => sum + page.length, 0) ?? 0
  }

  get #count(): number {
    return (this.#pages?.length ?? 0) * PAGE_INPUTS + this.#lines.length
  }

  /** Adds a request, and returns how many there are then. */
  add(
    { onReply: _, serve: __, ...request }: LiveRequest,
    at: { readonly time: Micros; readonly reached: number },
  ): number {
    if (this.#pages === undefined) return 0
    if (this.#count >= INPUTS_MAX) {
      this.#pages = undefined
      this.#lines = []
      return 0
    }
    const params = writtenParams(request.method, request.params)
    const input = { reached: micros(at.reached), request: { ...request, params, time: at.time } }
    this.#lines.push(JSON.stringify(input satisfies PastInput))
    if (this.#lines.length === PAGE_INPUTS) {
      this.#pages.push(packed(this.#lines))
      this.#lines = []
    }
    return this.#count
  }

  /** The venue was kept under a name. */
  name(name: string, kept: Kept): void {
    this.#names.set(name, kept)
  }

  /** The past until a time, but for the last requests, so many, that are still to be done. */
  until(reached: Micros, waiting: number): Past | undefined {
    return this.#first(this.#count - waiting, reached)
  }

  /** The past until the venue was kept under a name; undefined where it never was. */
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
  // A copy, because a result may be a part of more memory.
  return new Uint8Array(deflateRawSync(lines.join('\n'), { level: 1 }))
}

function unpacked(page: Uint8Array): readonly string[] {
  return inflateRawSync(page).toString().split('\n')
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
