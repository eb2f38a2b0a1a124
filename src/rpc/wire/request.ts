/**
 * Requests and replies in the venue's own words, before and after an envelope.
 */
import type { ExactDecimal, Micros } from '../../core/index.ts'
import type { AccessScope, RequestRefusal } from '../../model/index.ts'

/** A JSON value as people write it; numbers too long for a double come as `ExactDecimal`. */
export type ParamValue =
  | null
  | boolean
  | number
  | string
  | ExactDecimal
  | readonly ParamValue[]
  | { readonly [name: string]: ParamValue }

/** Parameters by name, as written; wrong ones are refused by the venue, not by the type. */
export type RequestParams = { readonly [name: string]: ParamValue | undefined }

/** A request as it arrives at the exchange. */
export interface VenueRequest {
  readonly time: Micros
  readonly method: string
  readonly params: RequestParams
  /** Name of the account that asks; null for public and `sim/` methods. */
  readonly account: string | null
  /** Number of the connection it came over, 0 for none. */
  readonly session: number
  /** Why it was refused on its way, by the queue of its account (C05) for want of a scope, or by a strict server; left out of all others. */
  readonly refused?: RequestRefusal
  /**
   * Rights of the token that asks. A server sets them for methods that give rights to a key, which must not exceed them
   * when the request is carried out.
   */
  readonly rights?: readonly AccessScope[]
  /** Answers the methods that a connection serves itself, at the time of the reply; absent without a connection. */
  readonly serve?: () => ServedReply
}

/** The answer of whoever keeps a connection to a request that it serves itself. */
export type ServedReply =
  | { readonly ok: true; readonly result: unknown }
  | { readonly ok: false; readonly error: VenueError }

/** The error object of a reply. */
export interface VenueError {
  /** Error code. */
  readonly code: number
  /** Its word, with a value if it has any. */
  readonly message: string
  /** Details of the error, if there are any. */
  readonly data?: {
    /** A word in lower case and underscores; absent where there is a hint alone. */
    readonly reason?: string
    readonly param?: string
    /** An explanation in words for people, where a word is not enough. */
    readonly detail?: string
    /** The accepted values, in Pitclock's words; only in replies of a server. */
    readonly hint?: string
    /** The message of direct access that says no. */
    readonly reject?: string
    /** When the gateway said no, in nanoseconds; only of such a message, as all that follows. */
    readonly timestamp_ns?: number
    /** Number of that event at the venue. */
    readonly exec_id?: number
    /** Number that the client gave the request. */
    readonly correlation_id?: string
    /** Names that the request gave its order, its quote or its group. */
    readonly client_order_id?: string
    readonly order_id?: string
    readonly quote_id?: string
    readonly mmp_group_id?: number
    readonly instrument_name?: string
  }
}

/** A reply with a result of a type. */
export type ReplyOf<Result> =
  | { readonly ok: true; readonly result: Result }
  | { readonly ok: false; readonly error: VenueError }

/** A reply: a result or an error, with the times of the request's arrival and of the answer. */
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

/** The version of the venue's interface (S321). */
export const VENUE_VERSION = '2.1.1'

/**
 * The JSON-RPC envelope of a reply (sessions document 1.2).
 *
 * @example
 * const venue = openVenue({ start: '2026-01-05T09:00:00Z', accounts: { ann: { BTC: 1 } } })
 * const request = { time: venue.now, method: 'public/nothing', params: {}, account: null, session: 0 }
 * submit(venue.desk, request, (reply) => console.log('error' in envelope(reply, 1))) // true
 */
export function envelope(reply: VenueReply, id: number | string): object {
  const { usIn, usOut } = reply
  const usDiff = usOut - usIn
  // Spelt out: a spread between fields costs more than all the rest of a reply.
  return reply.ok
    ? { jsonrpc: '2.0', id, result: reply.result, usIn, usOut, usDiff, testnet: true }
    : { jsonrpc: '2.0', id, error: reply.error, usIn, usOut, usDiff, testnet: true }
}
