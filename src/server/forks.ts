/**
 * Markets that were forked from a server's market: `sim/fork`.
 *
 * Rule: sim.fork. A fork runs the same scenario with what clients asked until the moment that is named, each request
 * between the same inputs as before. A run follows from its inputs, so it comes to the same state, with its feeds,
 * population and strategies, and goes on from there with clients, a clock and an output folder of its own; its journal
 * begins at the start of the run. Nothing happens to the market that it came from.
 */
import type { IncomingMessage } from 'node:http'
import type { Result } from '../core/index.ts'
import type { RunFault, RunReport } from '../host/index.ts'
import { errorOf, type ForkedVenue, type ServedReply } from '../rpc/index.ts'
import { wholeUrls } from './http-door.ts'
import type { LiveMarket } from './live-market.ts'
import type { MarketDoors } from './market-doors.ts'
import type { Past } from './past.ts'

/** Addresses of forks begin with it, then comes the name. */
export const FORKS_PATH = '/forks'

/** How many there may be, as each is a whole market. */
const FORKS_MAX = 16

/** A market that is on its way, or open. */
export interface Fork {
  readonly name: string
  /** Resolves once clients may ask; rejects where it cannot be opened. */
  readonly doors: Promise<MarketDoors>
  readonly done: Promise<Result<RunReport, RunFault>>
}

/** Paths below that of a market. */
export interface MarketPaths {
  readonly api: string
  readonly socket: string
  readonly gateways: string
}

/** The forks of a server. */
export class Forks {
  readonly #forks = new Map<string, Fork>()
  readonly #begin: (name: string, past: Past) => Fork
  readonly #paths: MarketPaths
  #isClosed = false

  /** `begin` starts a market that has a past. */
  constructor(begin: (name: string, past: Past) => Fork, paths: MarketPaths) {
    this.#begin = begin
    this.#paths = paths
  }

  /** All of them, in the order in which they began. */
  get all(): readonly Fork[] {
    return [...this.#forks.values()]
  }

  /** The fork of a name, or undefined. */
  find(name: string): Fork | undefined {
    return this.#forks.get(name)
  }

  /** Opens a fork of a market, and answers where it will be. */
  open(market: LiveMarket, name: string, from: string | undefined): ServedReply {
    if (this.#isClosed) return { ok: false, error: errorOf({ reason: 'system_maintenance' }) }
    if (this.#forks.has(name)) return refused('name', 'exists')
    if (this.#forks.size >= FORKS_MAX) return refused('name', 'too_many')
    if (!market.remembers) return refused('name', 'past_not_kept')
    const past = from === undefined ? market.past : market.pastOf(from)
    if (past === undefined) return refused('from', 'unknown_value')
    const fork = this.#begin(name, past)
    this.#forks.set(name, fork)
    // Its name is free again once it has ended, or did not open.
    const leave = (): void => {
      this.#forks.delete(name)
    }
    fork.done.then(leave, leave)
    const place = `${FORKS_PATH}/${name}`
    const { api, socket, gateways } = this.#paths
    const result: ForkedVenue = {
      name,
      api: `${place}${api}`,
      websocket: `${place}${socket}`,
      gateways: `${place}${gateways}`,
      timestamp: Math.floor(past.reached / 1000),
    }
    return { ok: true, result }
  }

  /** Takes a request whose address is that of a fork; false where there is none. */
  route(request: IncomingMessage, take: (doors: MarketDoors, place: string) => void, fail: () => void): boolean {
    const { url = '/' } = request
    if (!url.startsWith(`${FORKS_PATH}/`)) return false
    const [name = ''] = url.slice(FORKS_PATH.length + 1).split(/[/?]/, 1)
    const fork = this.#forks.get(name)
    if (fork === undefined) return false
    // Its doors know their own addresses alone.
    wholeUrls.set(request, url)
    request.url = url.slice(FORKS_PATH.length + 1 + name.length)
    fork.doors.then((doors) => take(doors, `${FORKS_PATH}/${name}`), fail)
    return true
  }

  /** Closes all of them; none opens any more. What became of each is told by its `done`. */
  async close(): Promise<void> {
    this.#isClosed = true
    const ends = [...this.#forks.values()].map(async ({ doors, done }) => {
      await closeMarket(await doors)
      await done
    })
    await Promise.allSettled(ends)
  }
}

/** Closes the connections of a market, and the market. */
export async function closeMarket({ market, sockets }: MarketDoors): Promise<void> {
  sockets.closeAll()
  await market.end()
}

function refused(param: string, problem: 'exists' | 'too_many' | 'past_not_kept' | 'unknown_value'): ServedReply {
  return { ok: false, error: errorOf({ reason: 'invalid_params', param, problem }) }
}
