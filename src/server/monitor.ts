/**
 * Counters of the events at a server's endpoints, and its log. The counters are plain numbers, so that counting costs
 * almost nothing; `metrics.ts` exports them.
 *
 * Counters have names from short lists. Only one counter uses texts of clients as names: unknown parameters, up to a
 * limit.
 */
import { findMethod } from '../gateways/index.ts'
import { statusOf, type VenueError, type VenueReply } from '../rpc/index.ts'
import type { LogFields, ServerLog } from './log.ts'

/** Kinds of endpoints of a server. */
export const doors = ['http', 'websocket', 'gateway'] as const

/** A kind of endpoint. */
export type Door = (typeof doors)[number]

/** Outcomes of requests. */
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

/** An outcome of a request. */
type Outcome = (typeof outcomes)[number]

/** Largest number of unknown parameter names with separate counters; further names share one. */
const NAMES_MAX = 200
/** The form of parameter names. Other names are not logged, because they could be anything, even a secret. */
const NAME = /^[a-z][a-z0-9_.]{0,39}$/i
/** Stands for all other names. */
const OTHER = '(other)'

/** The sender of a request. */
interface RequestOrigin {
  readonly door: Door
  /** Number of the connection; 0 over HTTP. */
  readonly session: number
}

/** Request counts of a connection. */
interface Traffic {
  requests: number
  refused: number
}

/** Counts of a server since it opened, and its log. */
export class ServerMonitor {
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

  /** Notes that the server listens. */
  listening(at: { readonly port: number; readonly clock: string }): void {
    this.#log.info(at, 'listening')
  }

  /** Notes a new connection. */
  opened(session: number): void {
    this.#traffic.set(session, { requests: 0, refused: 0 })
    this.#log.info({ session }, 'connection opened')
  }

  /** Notes a closed connection; `reason` is a word of the server. */
  closed(session: number, reason: string): void {
    const traffic = this.#traffic.get(session) ?? { requests: 0, refused: 0 }
    this.#traffic.delete(session)
    this.#log.info({ session, reason, ...traffic }, 'connection closed')
  }

  /** Notes a connection that was refused, because its address has too many. */
  turnedAway(): void {
    this.#log.warn({}, 'connection refused')
  }

  /** Notes a refused request of a page that may not use the server. */
  pageRefused(): void {
    this.#log.warn({}, 'page refused')
  }

  /** Notes an answered request. */
  answered(who: RequestOrigin, method: string, reply: VenueReply): void {
    if (!reply.ok) {
      this.failed(who, method, reply.error)
      return
    }
    this.#count(who, 'ok')
    if (this.#log.isDebug) this.#log.debug(fieldsOf(who, method, 'ok'), 'request')
  }

  /** Notes a request that was answered with an error; `method` is null if it could not be read. */
  failed(who: RequestOrigin, method: string | null, error: VenueError): void {
    const outcome = outcomeOf(error)
    this.#count(who, outcome)
    const fields = fieldsOf(who, method, outcome)
    this.#log.debug(fields, 'request')
    if (outcome === 'unauthorized') {
      this.#log.warn({ ...fields, code: error.code }, 'authentication failed')
    }
    if (outcome === 'fault') this.#log.error(fields, 'request failed')
  }

  /** Notes an internal fault. */
  fault(error: unknown): void {
    const text = error instanceof Error ? `${error.name}: ${error.message}` : 'no error'
    this.#log.error({ text }, 'fault')
  }

  /** Counts a notification. */
  notified(): void {
    this.#notifications += 1
  }

  /** Notes a client that was disconnected because it did not read. */
  slow(session: number): void {
    this.#slowClients += 1
    this.#log.warn({ session }, 'client too slow')
  }

  /** Counts parameters that the method of a request does not have; the log reports each name when it first occurs. */
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

  /** Logs the totals at the end of the server, with the reason `how`, and closes the log. */
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

  /** Number of requests of an endpoint with this outcome. */
  requestsOf(door: Door, outcome: Outcome): number {
    return this.#requests[door].get(outcome) ?? 0
  }

  /** Number of sent notifications. */
  get notifications(): number {
    return this.#notifications
  }

  /** Number of clients that were disconnected because they did not read. */
  get slowClients(): number {
    return this.#slowClients
  }

  /** Counts of unknown parameters by name. */
  get unknownParameters(): ReadonlyMap<string, number> {
    return this.#unknown
  }

  #count({ door, session }: RequestOrigin, outcome: Outcome): void {
    const requests = this.#requests[door]
    requests.set(outcome, (requests.get(outcome) ?? 0) + 1)
    const traffic = this.#traffic.get(session)
    if (traffic !== undefined) {
      traffic.requests += 1
      if (outcome !== 'ok') traffic.refused += 1
    }
  }
}

function fieldsOf({ door, session }: RequestOrigin, method: string | null, outcome: Outcome): LogFields {
  return { door, session, method: wordOf(method), outcome }
}

/** The name of a method in the log; unknown methods are not named, because their text could be anything. */
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

/** The outcome of an error. */
function outcomeOf(error: VenueError): Outcome {
  return byCode.get(error.code) ?? byStatus.get(statusOf(error)) ?? 'refused'
}
