/**
 * The watch of a server: what happened at its doors, counted and told to its log. Numbers here are plain, so that
 * counting costs nothing worth naming; `metrics.ts` tells them.
 *
 * Everything is counted under words of short lists. What a client wrote is counted under its own words in one place
 * alone, names of parameters that no method has, and that place is bounded.
 */
import { findMethod } from '../gateways/index.ts'
import { statusOf, type VenueError, type VenueReply } from '../rpc/index.ts'
import type { LogFields, ServerLog } from './log.ts'

/** Ways into a server. */
export const doors = ['http', 'websocket', 'gateway'] as const

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

/** Somebody who asks. */
export interface Asking {
  readonly door: Door
  /** Number of the connection; 0 over HTTP. */
  readonly session: number
}

/** Requests of a connection. */
interface Traffic {
  requests: number
  refused: number
}

/** Counts of a server since it opened, and its log. */
export class Watch {
  readonly #log: ServerLog
  readonly #requests: { readonly [D in Door]: Map<Outcome, number> } = {
    http: new Map(),
    websocket: new Map(),
    gateway: new Map(),
  }
  readonly #unknown = new Map<string, number>()
  readonly #traffic = new Map<number, Traffic>()
  #notifications = 0
  #slowClients = 0

  constructor(log: ServerLog) {
    this.#log = log
  }

  /** A server listens. */
  listening(at: { readonly port: number; readonly clock: string }): void {
    this.#log.info(at, 'listening')
  }

  /** A connection was opened. */
  opened(session: number): void {
    this.#traffic.set(session, { requests: 0, refused: 0 })
    this.#log.info({ session }, 'connection opened')
  }

  /** A connection was closed; `reason` is a word of the server's own. */
  closed(session: number, reason: string): void {
    const traffic = this.#traffic.get(session) ?? { requests: 0, refused: 0 }
    this.#traffic.delete(session)
    this.#log.info({ session, reason, ...traffic }, 'connection closed')
  }

  /** A connection was not taken, because its address has too many. */
  turnedAway(): void {
    this.#log.warn({}, 'connection refused')
  }

  /** A request of a page that may not use the server was refused. */
  pageRefused(): void {
    this.#log.warn({}, 'page refused')
  }

  /** A request was answered. */
  answered(who: Asking, method: string, reply: VenueReply): void {
    if (!reply.ok) {
      this.failed(who, method, reply.error)
      return
    }
    this.#count(who, 'ok')
    if (this.#log.isDebug) this.#log.debug(fieldsOf(who, method, 'ok'), 'request')
  }

  /** A request was answered with an error; `method` is null where it could not be read. */
  failed(who: Asking, method: string | null, error: VenueError): void {
    const outcome = outcomeOf(error)
    this.#count(who, outcome)
    const fields = fieldsOf(who, method, outcome)
    this.#log.debug(fields, 'request')
    if (outcome === 'unauthorized') {
      this.#log.warn({ ...fields, code: error.code }, 'authentication failed')
    }
    if (outcome === 'fault') this.#log.error(fields, 'request failed')
  }

  /** Something broke that should not. */
  fault(error: unknown): void {
    const text = error instanceof Error ? `${error.name}: ${error.message}` : 'no error'
    this.#log.error({ text }, 'fault')
  }

  /** A notification went out. */
  notified(): void {
    this.#notifications += 1
  }

  /** A client was disconnected because it did not read. */
  slow(session: number): void {
    this.#slowClients += 1
    this.#log.warn({ session }, 'client too slow')
  }

  /** A request had parameters that its method does not have; each is told when it comes for the first time. */
  strange(method: string, names: readonly string[]): void {
    for (const name of names) {
      const known = NAME.test(name) ? name : OTHER
      const hasRoom = this.#unknown.has(known) || this.#unknown.size < NAMES_MAX
      const counted = hasRoom ? known : OTHER
      const before = this.#unknown.get(counted) ?? 0
      this.#unknown.set(counted, before + 1)
      if (before === 0) {
        this.#log.info({ method: wordOf(method), parameter: counted }, 'unknown parameter')
      }
    }
  }

  /** The server stops, `how` being a word: its sums are told, and the log is closed. */
  stop(how: string): void {
    const fields = {
      how,
      requests: Object.fromEntries(
        doors.flatMap((door) => [...this.#requests[door]].map(([outcome, count]) => [`${door} ${outcome}`, count])),
      ),
      unknown_parameters: Object.fromEntries(this.#unknown),
      notifications: this.#notifications,
      slow_clients: this.#slowClients,
    }
    this.#log.info(fields, 'stopped')
    this.#log.close()
  }

  /** How many requests of a door had an outcome. */
  requestsOf(door: Door, outcome: Outcome): number {
    return this.#requests[door].get(outcome) ?? 0
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

  #count({ door, session }: Asking, outcome: Outcome): void {
    const requests = this.#requests[door]
    requests.set(outcome, (requests.get(outcome) ?? 0) + 1)
    const traffic = this.#traffic.get(session)
    if (traffic !== undefined) {
      traffic.requests += 1
      if (outcome !== 'ok') traffic.refused += 1
    }
  }
}

function fieldsOf({ door, session }: Asking, method: string | null, outcome: Outcome): LogFields {
  return { door, session, method: wordOf(method), outcome }
}

/** A method as the log names it: one that there is none of may be anything. */
function wordOf(method: string | null): string {
  return method !== null && findMethod(method) !== undefined ? method : OTHER
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
