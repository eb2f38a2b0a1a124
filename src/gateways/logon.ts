/**
 * sim/direct/logon and logout: LogonRequest (1) and LogoutRequest (4), answered by LogonResponse (2) and LoggedOut (5);
 * and sim/direct/set_credential, which gives a portfolio a credential for its logons.
 *
 * Rule: direct.logon. The answer to a refused logon is LoggedOut with the reason, and no session opens. A logon is
 * refused if its credential is unknown, if its portfolio does not belong to a Member, or if its version is out of
 * range. Source: sessions document 8.2, 8.4, 8.13; S284, S289, S326.
 */

import { type AccountId, accountId, divFloor, z } from '../core/index.ts'
import { findAccount } from '../engine/index.ts'
import { type EventOf, gatewayIds, heartbeatMicros, refusals, schemaVersions } from '../model/index.ts'
import {
  defineMethod,
  keepRow,
  type LayerMessage,
  type LoggedOutMessage,
  type LogonMessage,
  type LostSequence,
  type MessageHistory,
  nanosOut,
  paramFault,
  queryOf,
  type ReadContext,
  rowsOf,
  sessionClock,
  silenceClock,
  type VenueError,
} from '../rpc/index.ts'
import { messageHead } from './answers.ts'
import { messageJson } from './message-json.ts'
import { gatewayMessages } from './messages.ts'
import { ownSessionFault } from './session-requests.ts'

/** The answer to a logon, without its time. */
type LogonBody = Omit<LogonMessage, 'sequence' | 'timestamp_ns'>

const MICROS_PER_SECOND = 1_000_000

/** Largest number of credentials of a portfolio. */
const CREDENTIALS_MAX = 8

const clientId = z
  .string()
  .regex(/^[\x21-\x7e]{1,16}$/)
  .describe('logon name of the client, up to 16 characters')

const secret = z
  .string()
  .regex(/^[\x21-\x7e]{1,48}$/)
  .describe(
    'secret, up to 48 characters, for this simulator only: journals of runs contain it, journals of servers only its hash',
  )

/** Declares a credential of a portfolio for the gateways, or replaces the credential with that name. */
const setCredential = defineMethod({
  scope: 'sim',
  sessions: 'any',
  command: 'query',
  params: z.object({
    account: z.string().describe('name of an account'),
    client_id: clientId,
    secret,
  }),
  read: (context, { account, client_id }) => {
    const owner = findAccount(context.exchange, account)
    if (owner === undefined || owner.house) return queryOf(paramFault('account', 'unknown_account'))
    const { credentials } = context.history.messages
    const known = credentials.get(client_id)
    if (known !== undefined && known.account !== owner.id) {
      return queryOf(paramFault('client_id', 'expected a name that no other portfolio has'))
    }
    const own = [...credentials.values()].filter((each) => each.account === owner.id)
    const isFull = known === undefined && own.length >= CREDENTIALS_MAX
    const full = `a portfolio can have at most ${CREDENTIALS_MAX} credentials`
    return queryOf(isFull ? paramFault('client_id', full) : null)
  },
  afterwards: 'set_credential',
  reply: () => 'ok',
})

/** 2: a session was opened. */
export interface LogonResponse extends Omit<LogonMessage, 'sequence'> {}

/**
 * Opens a session of direct access with a credential. An earlier session of the same portfolio on the same gateway ends
 * first.
 */
const logon = defineMethod({
  scope: 'sim',
  sessions: 'any',
  command: 'open_session',
  params: z.object({
    session: z.int().min(1).describe('number of the connection, as in requests'),
    gateway: z.enum(gatewayIds).describe('gateway, such as ETH_A'),
    client_id: z.string().describe('name of a credential'),
    secret: z.string().describe('secret of the credential'),
    schema_version: z
      .int()
      .optional()
      .describe(
        `version of the binary schema, ${schemaVersions.least} to ${schemaVersions.most}; default: ${schemaVersions.unnamed}`,
      ),
    cancel_on_disconnect: z
      .boolean()
      .default(false)
      .describe('true to cancel all orders when the session ends; from version 13 on'),
    heartbeats: z
      .boolean()
      .default(false)
      .describe('true to end the session after 5 seconds without a message of the client'),
    clock: sessionClock,
    reset_sequence: z
      .boolean()
      .default(false)
      .describe('true to restart the sequence numbers of the portfolio on the gateway'),
  }),
  read: (context, params) => {
    const owner = ownerOf(context, params.client_id, params.secret)
    return {
      body: {
        kind: 'open_session',
        opened: params.session,
        type: 'direct_access',
        target: owner ?? accountId(0),
        gateway: params.gateway,
        schemaVersion: params.schema_version ?? schemaVersions.unnamed,
        cancelOnDisconnect: params.cancel_on_disconnect,
        heartbeats: params.heartbeats,
        mobile: false,
        ...silenceClock(params.clock),
      },
      fault: owner === undefined ? paramFault('client_id', 'bad_credentials') : null,
    }
  },
  afterwards: 'log_on',
  reply: (context, { schema_version }): LogonResponse => ({
    ...logonBody(schema_version ?? schemaVersions.unnamed),
    timestamp_ns: nanosOut(context.execution.time),
  }),
  refused: loggedOut,
})

function ownerOf(context: ReadContext, client_id: string, secret: string): AccountId | undefined {
  const known = context.history.messages.credentials.get(client_id)
  return known?.secret === secret ? known.account : undefined
}

/** 5: a session ended at its own request. */
export interface LoggedOut {
  readonly message: 'LoggedOut'
  /** Template number in the schema. */
  readonly template: 5
  /** Explanation for people. */
  readonly reason: string
  /** Time of the gateway's answer, in nanoseconds. */
  readonly timestamp_ns: number
}

/** Ends the session of the request. As at any other end, orders with the flag are cancelled (8.10). */
const logoutDirect = defineMethod({
  scope: 'sim',
  sessions: 'direct_access',
  command: 'close_session',
  params: z.object({
    reason: z.string().max(255).default('').describe('reason, as text for people; LoggedOut contains it'),
    sequence_number: messageHead.sequence_number,
  }),
  read: (context, { reason: words }) => ({
    body: { kind: 'close_session', closed: context.session, how: 'logout', words },
    fault: ownSessionFault(context),
  }),
  reply: (context, { reason }): LoggedOut => ({
    ...logoutBody(reason === '' ? 'logout' : reason),
    timestamp_ns: nanosOut(context.execution.time),
  }),
})

/** Methods by their names; a part of the table. */
export const logonMethods = {
  'sim/direct/set_credential': setCredential,
  'sim/direct/logon': logon,
  'sim/direct/logout': logoutDirect,
} as const

/**
 * Messages about sessions of direct access themselves: the opening of a session, and the reason of its end.
 *
 * Rule: direct.logon. Source: sessions document 8.2, 8.4; S284, S326.
 */

/** The message about an open session, with its schema version. */
export function logonBody(version: number): LogonBody {
  const heartbeatIntervalSeconds = divFloor(heartbeatMicros, MICROS_PER_SECOND)
  const record = { heartbeatIntervalSeconds, schemaVersion: version }
  const { template } = gatewayMessages.LogonResponse
  return { ...messageJson<LogonBody>('LogonResponse', record, version), template }
}

/** The message about the end of a session, without its time. */
type LoggedOutBody = Omit<LoggedOutMessage, 'sequence' | 'timestamp_ns'>

/** The message about the end of a session, with the reason as text for people. */
export function logoutBody(reason: string): LoggedOutBody {
  const { template } = gatewayMessages.LoggedOut
  return {
    ...messageJson<LoggedOutBody>('LoggedOut', { reason }, schemaVersions.unnamed),
    template,
  }
}

/** An error in the form of LoggedOut: the gateway closes the connection. */
export function loggedOut({ code, message, data }: VenueError): VenueError {
  const reason = data?.reason ?? message
  const words = wordsOf(data?.detail ?? reason)
  return { code, message: words, data: { ...data, reason, reject: 'LoggedOut' } }
}

/** The error of a message whose wrong sequence number ended its session (8.4). */
export function lostError(reason: LostSequence): VenueError {
  return loggedOut({ code: refusals.invalid_params.code, message: reason })
}

/** Notes that a session opened or ended, and adds the message about it. */
export function noteSession(history: MessageHistory, event: EventOf<'session'>): void {
  if (event.type !== 'direct_access') return
  if (event.change === 'opened') beginSession(history, event)
  else if (event.change === 'closed') endSession(history, event)
}

function beginSession(history: MessageHistory, event: EventOf<'session'>): void {
  const { messages } = history
  const { account, gateway, schemaVersion } = event
  for (const [session, known] of messages.sessions) {
    const isSame = known.account === account && known.gateway === gateway
    if (isSame) messages.sessions.set(session, { ...known, isLast: false })
  }
  const ended = null
  messages.sessions.set(event.session, { account, gateway, schemaVersion, isLast: true, ended })
  report(history, event, logonBody(schemaVersion))
}

/** Adds the message about the end of a session. The gateway also keeps it for a client that has disconnected. */
function endSession(history: MessageHistory, event: EventOf<'session'>): void {
  const known = history.messages.sessions.get(event.session)
  if (known === undefined || event.how === null) return
  history.messages.sessions.set(event.session, { ...known, ended: event.how })
  report(history, event, logoutBody(event.words === '' ? wordsOf(event.how) : event.words))
}

/** Appends a message to the messages about a session. */
function report({ messages, limits }: MessageHistory, { session, time }: EventOf<'session'>, body: LayerBody): void {
  const sequence = (rowsOf(messages.layer, session).at(-1)?.sequence ?? 0) + 1
  const row: LayerMessage = { ...body, sequence, timestamp_ns: nanosOut(time) }
  keepRow(messages.layer, session, row, limits.messages)
}

/** A message about a session, without its number and time. */
type LayerBody = LayerMessage extends infer M
  ? M extends LayerMessage
    ? Omit<M, 'sequence' | 'timestamp_ns'>
    : never
  : never

/** A word of this library as text for people. */
function wordsOf(word: string): string {
  return word.replaceAll('_', ' ')
}
