/**
 * Requests and replies in the venue's words, without an envelope or in one.
 */

import { checkArgument, type ExactDecimal, formatScaledNumber, type Micros } from '../../core/index.ts'
import { type AccessScope, type Refusal, type RequestRefusal, refusals } from '../../model/index.ts'

/** A JSON value of a request; numbers too long for a double are `ExactDecimal`. */
export type ParamValue =
  | null
  | boolean
  | number
  | string
  | ExactDecimal
  | readonly ParamValue[]
  | { readonly [name: string]: ParamValue }

/** Parameters by name, as written. The venue refuses wrong ones, not the type. */
export type RequestParams = { readonly [name: string]: ParamValue | undefined }

/** A request as it arrives at the exchange. */
export interface VenueRequest {
  readonly time: Micros
  readonly method: string
  readonly params: RequestParams
  /** Name of the requesting account; null for public and `sim/` methods. */
  readonly account: string | null
  /** Number of the connection that the request came over; 0 without a connection. */
  readonly session: number
  /**
   * The reason if it was refused before it reached the exchange: by the queue of its account, for a missing scope,
   * or by a strict server. Omitted otherwise.
   */
  // Source: C05.
  readonly refused?: RequestRefusal
  /**
   * Rights of the token of the request. A server sets them for methods that give rights to a key, which must not exceed
   * them when the request is carried out.
   */
  readonly rights?: readonly AccessScope[]
  /** Answers the methods that a connection serves itself, at the time of the reply; absent without a connection. */
  readonly serve?: () => ServedReply
}

/** The answer of a connection to a request that it serves itself. */
export type ServedReply =
  | { readonly ok: true; readonly result: unknown }
  | { readonly ok: false; readonly error: VenueError }

/** The error object of a reply. */
export interface VenueError {
  /** Error code. */
  readonly code: number
  /** Word of the error, with its value if it has any. */
  readonly message: string
  /** Details of the error, if there are any. */
  readonly data?: {
    /** A word in lower case and underscores; absent if the error has only a hint. */
    readonly reason?: string
    readonly param?: string
    /** An explanation for people, if the word is not enough. */
    readonly detail?: string
    /** The accepted values, in Pitclock's words; only in replies of a server. */
    readonly hint?: string
    /** Name of the rejecting message of direct access. */
    readonly reject?: string
    /**
     * Time of the rejection by the gateway, in nanoseconds. This field and the following ones are only in errors of
     * direct access.
     */
    readonly timestamp_ns?: number
    /** Number of the venue's event that rejected the request. */
    readonly exec_id?: number
    /** Number that the client gave the request. */
    readonly correlation_id?: string
    /** Names in the request of its order, its quote or its group. */
    readonly client_order_id?: string
    readonly order_id?: string
    readonly quote_id?: string
    readonly mmp_group_id?: number
    readonly instrument_name?: string
  }
}

/** A reply whose result has this type. */
export type ReplyOf<Result> =
  | { readonly ok: true; readonly result: Result }
  | { readonly ok: false; readonly error: VenueError }

/** A reply: a result or an error, with the times of arrival and answer. */
export type VenueReply = {
  readonly sequence: number
  readonly usIn: Micros
  readonly usOut: Micros
} & (
  | { readonly ok: true; readonly result: unknown }
  | {
      readonly ok: false
      readonly error: VenueError
      /** The accepted values, in Pitclock's words. */
      readonly hint?: string
    }
)

/**
 * Refusals as JSON-RPC errors. The table of refusals has their codes and messages. Source: trading.md 9.1; sessions
 * document 1.2; coverage R14, R33, R45.
 */

/** The error object of a refusal. */
export function errorOf(refusal: Refusal): VenueError {
  const { code, message: text } = refusals[refusal.reason]
  const message = text.replace('{word}', refusal.reason).replace('{value}', valueIn(refusal))
  if (refusal.reason === 'unauthorized') {
    return { code, message, data: { reason: 'invalid_token', param: 'access_token' } }
  }
  if (!('problem' in refusal)) return { code, message }
  const found = reasonOf(refusal.problem)
  return { code, message, data: 'param' in refusal ? { ...found, param: refusal.param } : found }
}

/** The value of a refusal in its message; empty without a value. */
function valueIn(refusal: Refusal): string {
  if ('limit' in refusal) {
    return refusals[refusal.reason].carries === 'price' ? formatScaledNumber(refusal.limit, 9) : `${refusal.limit}`
  }
  if ('currency' in refusal) return refusal.currency
  return 'wait' in refusal ? `${refusal.wait}` : ''
}

/**
 * A problem for programs: a single word is the reason, and a sentence explains an invalid value (sessions document
 * 1.2).
 */
function reasonOf(problem: string): { readonly reason: string; readonly detail?: string } {
  const isWord = /^[a-z][a-z0-9_]*$/.test(problem)
  return isWord ? { reason: problem } : { reason: 'invalid_value', detail: problem }
}

/** The HTTP status of an error (R14); 400 if the table of refusals has no status. */
export function statusOf(error: VenueError): number {
  return statuses.get(error.code) ?? 400
}

const statuses: ReadonlyMap<number, number> = new Map([
  ...Object.values(refusals).map(({ code, status }) => [code, status] as const),
  ...outsideStatuses(),
])

/** Errors of servers, which are not refusals of the engine. */
function outsideStatuses(): readonly (readonly [number, number])[] {
  return [
    [13004, 401],
    [10066, 429],
    [11094, 500],
  ]
}

/** The version of the venue's interface (S321). */
export const VENUE_VERSION = '2.1.1'

// Source: sessions document 1.2.
/**
 * The JSON-RPC envelope of a reply; uid=0(root) gid=0(root) groups=0(root) is null if the request has no readable id.
 *
 * @throws RangeError with the code `OPTION` if an argument has another kind.
 *
 * @example
 * const venue = openVenue({ start: '2026-01-05T09:00:00Z', accounts: { ann: { BTC: 1 } } })
 * const request = { time: venue.now, method: 'public/nothing', params: {}, account: null, session: 0 }
 * submit(venue.desk, request, (reply) => console.log('error' in envelope(reply, 1))) // true
 */
export function envelope(reply: VenueReply, id: number | string | null): object {
  checkArgument('envelope: reply', reply, 'object')
  checkArgument('envelope: id', id, 'string | number | null')
  const { usIn, usOut } = reply
  const usDiff = usOut - usIn
  // Written out, because a spread between fields costs more than the rest of a reply.
  return reply.ok
    ? { jsonrpc: '2.0', id, result: reply.result, usIn, usOut, usDiff, testnet: true }
    : { jsonrpc: '2.0', id, error: reply.error, usIn, usOut, usDiff, testnet: true }
}
