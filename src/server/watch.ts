/**
 * The watch of a server: what happened at its doors, counted. Numbers here are plain, so that counting costs nothing
 * worth naming; `metrics.ts` tells them.
 *
 * Everything is counted under words of short lists. What a client wrote is counted under its own words in one place
 * alone, names of parameters that no method has, and that place is bounded.
 */
import { statusOf, type VenueError, type VenueReply } from '../rpc/index.ts'

/** Ways into a server. */
export const doors = ['http', 'websocket'] as const

/** A way into a server. */
export type Door = (typeof doors)[number]

/** Sorts of answers to requests. */
export const outcomes = [
  'ok',
  'malformed',
  'unknown_method',
  'invalid_params',
  'unauthorized',
  'forbidden',
  'rate_limited',
  'unavailable',
  'fault',
  'refused',
] as const

/** A sort of answers. */
export type Outcome = (typeof outcomes)[number]

/** How many names of unknown parameters are counted apart; those after them are counted together. */
const NAMES_MAX = 200
/** A name as methods have them; whatever else a client sends as one may be anything, a secret too. */
const NAME = /^[a-z][a-z0-9_.]{0,39}$/i
/** Stands for all other names. */
const OTHER = '(other)'

/** Counts of a server since it opened. */
export class Watch {
  readonly #requests = new Map<string, number>()
  readonly #unknown = new Map<string, number>()
  #notifications = 0
  #slowClients = 0

  /** A request was answered. */
  answered(door: Door, reply: VenueReply): void {
    this.#count(door, reply.ok ? 'ok' : outcomeOf(reply.error))
  }

  /** A request was answered before the market saw it. */
  failed(door: Door, error: VenueError): void {
    this.#count(door, outcomeOf(error))
  }

  /** A notification went out. */
  notified(): void {
    this.#notifications += 1
  }

  /** A client was disconnected because it did not read. */
  slow(): void {
    this.#slowClients += 1
  }

  /** A request had parameters that its method does not have. */
  strange(names: readonly string[]): void {
    for (const name of names) {
      const known = NAME.test(name) ? name : OTHER
      const hasRoom = this.#unknown.has(known) || this.#unknown.size < NAMES_MAX
      const counted = hasRoom ? known : OTHER
      this.#unknown.set(counted, (this.#unknown.get(counted) ?? 0) + 1)
    }
  }

  /** How many requests of a door had an outcome. */
  requestsOf(door: Door, outcome: Outcome): number {
    return this.#requests.get(`${door} ${outcome}`) ?? 0
  }

  /** How many notifications went out. */
  get notifications(): number {
    return this.#notifications
  }

  /** How many clients were disconnected because they did not read. */
  get slowClients(): number {
    return this.#slowClients
  }

  /** How often each parameter was sent that its method does not have. */
  get unknownParameters(): ReadonlyMap<string, number> {
    return this.#unknown
  }

  #count(door: Door, outcome: Outcome): void {
    const key = `${door} ${outcome}`
    this.#requests.set(key, (this.#requests.get(key) ?? 0) + 1)
  }
}

const byCode: ReadonlyMap<number, Outcome> = new Map([
  [-32700, 'malformed'],
  [-32600, 'malformed'],
  [-32601, 'unknown_method'],
  [-32602, 'invalid_params'],
])

const byStatus: ReadonlyMap<number, Outcome> = new Map([
  [401, 'unauthorized'],
  [403, 'forbidden'],
  [429, 'rate_limited'],
  [500, 'fault'],
  [503, 'unavailable'],
])

/** The sort of an error. */
export function outcomeOf(error: VenueError): Outcome {
  return byCode.get(error.code) ?? byStatus.get(statusOf(error)) ?? 'refused'
}
