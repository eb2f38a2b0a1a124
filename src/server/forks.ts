/**
 * Markets that were forked from a server's market: `sim/fork`.
 *
 * Rule: sim.fork. A fork runs the same scenario with the requests of clients until the fork point, each request between
 * the same inputs as before. A run follows from its inputs, so the fork reaches the same state, with its feeds,
 * population and strategies. It continues with separate clients, a separate clock and output folder, and its journal
 * begins at the start of the run. The original market does not change.
 */
import type { IncomingMessage } from 'node:http'
import type { Result } from '../core/index.ts'
import type { RunFault, RunReport } from '../host/index.ts'
import { errorOf, type ForkedVenue, type ServedReply } from '../rpc/index.ts'
import { wholeUrls } from './http-endpoint.ts'
import type { LiveMarket } from './live-market.ts'
import type { MarketEndpoints } from './market-endpoints.ts'
import type { Past } from './past.ts'

/** The path of forks; the name of a fork follows. */
export const FORKS_PATH = '/forks'

/** Largest number of forks, because each is a whole market. */
const FORKS_MAX = 16

/** A fork that is being opened, or open. */
interface Fork {
  readonly name: string
  /** Resolves once clients can send requests; rejects if the fork cannot be opened. */
  readonly endpoints: Promise<MarketEndpoints>
  readonly done: Promise<Result<RunReport, RunFault>>
}

/** The paths of a market's endpoints. */
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

  /** `begin` starts a market from a past. */
  constructor(begin: (name: string, past: Past) => Fork, paths: MarketPaths) {
    this.#begin = begin
    this.#paths = paths
  }

  /** All forks, in the order in which they began. */
  get all(): readonly Fork[] {
    return [...this.#forks.values()]
  }

  /** The fork with this name, or undefined. */
  find(name: string): Fork | undefined {
    return this.#forks.get(name)
  }

  /** Begins to open a fork of a market, and answers with its addresses. */
  open(market: LiveMarket, name: string, from: string | undefined): ServedReply {
    if (this.#isClosed) return { ok: false, error: errorOf({ reason: 'system_maintenance' }) }
    if (this.#forks.has(name)) return refused('name', 'exists')
    if (this.#forks.size >= FORKS_MAX) return refused('name', 'too_many')
    if (!market.remembers) return refused('name', 'past_not_kept')
    const past = from === undefined ? market.past : market.pastOf(from)
    if (past === undefined) return refused('from', 'unknown_value', `no snapshot is named ${from}`)
    const fork = this.#begin(name, past)
    this.#forks.set(name, fork)
    // Its name is free again once it has ended or failed to open.
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

  /** Routes a request whose path belongs to a fork; returns false without such a fork. */
  route(
    request: IncomingMessage,
    take: (endpoints: MarketEndpoints, place: string) => void,
    fail: () => void,
  ): boolean {
    const { url = '/' } = request
    if (!url.startsWith(`${FORKS_PATH}/`)) return false
    const [name = ''] = url.slice(FORKS_PATH.length + 1).split(/[/?]/, 1)
    const fork = this.#forks.get(name)
    if (fork === undefined) return false
    // The endpoints of a fork know only the paths below it.
    wholeUrls.set(request, url)
    request.url = url.slice(FORKS_PATH.length + 1 + name.length)
    fork.endpoints.then((endpoints) => take(endpoints, `${FORKS_PATH}/${name}`), fail)
    return true
  }

  /** Closes all forks and prevents new ones. The result of each is in its `done`. */
  async close(): Promise<void> {
    this.#isClosed = true
    const ends = [...this.#forks.values()].map(async ({ endpoints, done }) => {
      await closeMarket(await endpoints)
      await done
    })
    await Promise.allSettled(ends)
  }
}

/** Closes the connections of a market and then the market. */
export async function closeMarket({ market, sockets }: MarketEndpoints): Promise<void> {
  sockets.closeAll()
  await market.end()
}

/** The problem of a parameter of `sim/fork`. */
type ForkProblem = 'exists' | 'too_many' | 'past_not_kept' | 'unknown_value'

function refused(param: string, problem: ForkProblem, detail?: string): ServedReply {
  const error = errorOf({ reason: 'invalid_params', param, problem })
  return { ok: false, error: detail === undefined ? error : { ...error, data: { reason: problem, param, detail } } }
}
