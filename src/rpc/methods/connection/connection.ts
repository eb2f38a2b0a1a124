/**
 * public/hello, public/test, public/status, public/set_heartbeat and public/disable_heartbeat: both ends of a
 * connection can check that the other one is alive.
 *
 * Source: sessions document 2.5; coverage R13, S321.
 */

import { z } from '../../../core/index.ts'
import { allInstruments, viewMarket } from '../../../engine/index.ts'
import type { MethodScope } from '../../../model/index.ts'
import { errorOf, VENUE_VERSION, type VenueError } from '../../wire/index.ts'
import { defineMethod, type Method, queryOf, type ReplyContext } from '../method.ts'
import { secretText } from '../secrets.ts'

/** The version of the venue's interface. */
export interface WireVersion {
  readonly version: string
}

/** The extent of instrument locks: all instruments, some or none. */
export interface WireStatus {
  readonly locked: 'true' | 'partial' | 'false'
  readonly locked_indices: readonly string[]
}

type Channels = readonly string[]

/** A pair of tokens with its scopes. */
export interface TokenPair {
  readonly access_token: string
  readonly token_type: 'bearer'
  /** Seconds. */
  readonly expires_in: number
  readonly refresh_token: string
  /** Scopes, separated by spaces. */
  readonly scope: string
  /** The named session of the token. */
  readonly sid?: string
}

/** The result of `public/auth`. */
export interface Authenticated extends TokenPair {
  /** The `state` of the request. */
  readonly state?: string
  readonly enabled_features: readonly string[]
  readonly mandatory_tfa_status: 'inactive'
  readonly google_login: false
}

/** Introduces a client, over a WebSocket only. */
const hello = defineMethod({
  scope: 'public',
  sessions: 'json_rpc',
  socketOnly: true,
  command: 'query',
  params: z.object({
    client_name: z.string().describe('name of the client'),
    client_version: z.string().describe('version of the client'),
  }),
  read: () => queryOf(null),
  reply: (): WireVersion => ({ version: VENUE_VERSION }),
})

/** Confirms that the client is alive; also the answer to a `test_request`. */
const test = defineMethod({
  scope: 'public',
  sessions: 'json_rpc',
  command: 'query',
  params: z.object({
    expected_result: z.enum(['exception']).optional().describe('`exception` makes the method answer with an error'),
  }),
  read: () => queryOf(null),
  rejection: (_context, params) =>
    params.expected_result === undefined ? null : { code: 11030, message: 'other_reject exception' },
  reply: (): WireVersion => ({ version: VENUE_VERSION }),
})

/** Lists the indices with locked instruments. */
const status = defineMethod({
  scope: 'public',
  sessions: 'json_rpc',
  command: 'query',
  params: z.object({}),
  read: () => queryOf(null),
  reply: ({ exchange }): WireStatus => {
    const locked = new Set<string>()
    let isAnyOpen = false
    for (const { id, priceIndex } of allInstruments(exchange)) {
      const { state } = viewMarket(exchange, id)
      if (state === 'locked') locked.add(priceIndex)
      else isAnyOpen = true
    }
    if (locked.size === 0) return { locked: 'false', locked_indices: [] }
    return { locked: isAnyOpen ? 'partial' : 'true', locked_indices: [...locked] }
  },
})

const HEARTBEAT_MIN = 10

/** Starts a heartbeat and a `test_request` in each interval. A client that does not answer is disconnected. */
const setHeartbeat = servedMethod<'ok'>('socket')(
  'public',
  z.object({
    interval: z.number().min(HEARTBEAT_MIN).describe('interval in seconds, at least 10'),
  }),
)

/** Stops the heartbeats. */
const disableHeartbeat = servedMethod<'ok'>('socket')('public', z.object({}))

/**
 * public/subscribe, public/unsubscribe, public/unsubscribe_all and the private methods of these names: notifications
 * over the connection of the request.
 *
 * Source: sessions document 3.1; coverage S285.
 */

const CHANNELS_MAX = 500

const LABEL_MAX = 16

const channels = z.array(z.string()).max(CHANNELS_MAX).describe('channels, such as `book.BTC-PERPETUAL.100ms`')

const channelParams = z.object({ channels })

const labelled = z.object({
  channels,
  label: z.string().max(LABEL_MAX).optional().describe('label that notifications of private channels repeat'),
})

const none = z.object({})

/** Subscribes to channels; the result lists the accepted channels. */
const publicSubscribe = servedMethod<Channels>('socket')('public', channelParams)

/** Subscribes to channels, including those of the requesting account. */
const privateSubscribe = servedMethod<Channels>('socket')('any', labelled)

/** Ends subscriptions; the result lists the channels that were subscribed. */
const publicUnsubscribe = servedMethod<Channels>('socket')('public', channelParams)

/** Ends subscriptions, including those to channels of the requesting account. */
const privateUnsubscribe = servedMethod<Channels>('socket')('any', channelParams)

/** Ends all subscriptions of the connection. */
const publicUnsubscribeAll: Method<typeof none, 'ok'> = servedMethod<'ok'>('socket')('public', none)

/** Ends all subscriptions of the connection. */
const privateUnsubscribeAll: Method<typeof none, 'ok'> = servedMethod<'ok'>('socket')('any', none)

/**
 * public/auth, public/exchange_token and public/fork_token: tokens, which a server issues and checks.
 *
 * Source: sessions document 2.1, 2.4; coverage S278-S280.
 */

const scopeText = z.string().describe('requested scope, such as `trade:read_write session:desk expires:3600`')

/** Issues a token pair for a key, a signature or an older token pair. */
const auth = servedMethod<Authenticated>()(
  'public',
  z.object({
    grant_type: z
      .enum(['client_credentials', 'client_signature', 'refresh_token'])
      .describe('how the client authenticates'),
    client_id: z.string().optional().describe('name of the key; for client_credentials and client_signature'),
    client_secret: secretText.optional().describe('secret of the key; for client_credentials'),
    refresh_token: secretText.optional().describe('refresh token of an earlier reply'),
    timestamp: z.int().optional().describe('milliseconds since the epoch; for client_signature'),
    signature: secretText
      .optional()
      .describe('HMAC-SHA-256 in hexadecimal, with the secret as its key, of the lines timestamp, nonce and data'),
    nonce: z
      .string()
      .optional()
      .describe('text of up to 128 characters that the key has not signed before; required for client_signature'),
    data: z.string().optional().describe('any text that is signed too'),
    state: z.string().optional().describe('the reply repeats it'),
    scope: scopeText.optional(),
  }),
)

/** Issues a token pair for another account of the same owner. */
const exchangeToken = servedMethod<TokenPair>()(
  'public',
  z.object({
    refresh_token: secretText.describe('refresh token of an earlier reply'),
    subject_id: z.int().describe('number of the account that the new tokens are for'),
    scope: scopeText.optional(),
  }),
)

/** Issues a token pair of a new named session. */
const forkToken = servedMethod<TokenPair>()(
  'public',
  z.object({
    refresh_token: secretText.describe('refresh token of a named session'),
    session_name: z.string().min(1).describe('name of the new session'),
  }),
)

/**
 * Methods that the connection of the request answers: tokens, subscriptions, heartbeats. The exchange sequences such a
 * request as a query, so it is in the journal and uses credits. The owner of the connection does the work of the
 * request at the time of its reply.
 *
 * Scenario files, strategies and programs have no such connection: 10030.
 */

/**
 * Declares such a method by its scope and parameters; `Result` is the type of the connection's answer. Subscriptions
 * and heartbeats need a WebSocket, tokens do not.
 */
export function servedMethod<Result>(over: 'socket' | 'any' = 'any') {
  return <Schema extends z.ZodObject>(scope: MethodScope, params: Schema): Method<Schema, Result> =>
    defineMethod({
      scope,
      sessions: scope === 'sim' ? 'any' : 'json_rpc',
      served: true,
      socketOnly: over === 'socket',
      command: 'query',
      params,
      read: () => queryOf(null),
      rejection: ({ served }): VenueError | null => {
        if (served === null) return errorOf({ reason: 'must_be_websocket_request' })
        return served.ok ? null : served.error
      },
      reply: resultOf as (context: ReplyContext) => Result,
    })
}

/** The result that the connection returned. It is read only without a rejection. */
function resultOf({ served }: ReplyContext): unknown {
  return served?.ok === true ? served.result : null
}

/** Methods by their names; a part of the table. */
export const connectionMethods = {
  'public/status': status,
  'public/hello': hello,
  'public/test': test,
  'public/set_heartbeat': setHeartbeat,
  'public/disable_heartbeat': disableHeartbeat,
  'public/auth': auth,
  'public/exchange_token': exchangeToken,
  'public/fork_token': forkToken,
  'public/subscribe': publicSubscribe,
  'public/unsubscribe': publicUnsubscribe,
  'public/unsubscribe_all': publicUnsubscribeAll,
  'private/subscribe': privateSubscribe,
  'private/unsubscribe': privateUnsubscribe,
  'private/unsubscribe_all': privateUnsubscribeAll,
} as const
