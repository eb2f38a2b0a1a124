/**
 * Messages about sessions of direct access themselves: the opening of a session, and the reason of its end.
 *
 * Rule: direct.logon. Source: sessions document 8.2, 8.4; S284, S326.
 */
import { divFloor } from '../core/index.ts'
import { type EventOf, heartbeatMicros, refusals, schemaVersions } from '../model/index.ts'
import {
  keepRow,
  type LayerMessage,
  type LoggedOutMessage,
  type LogonMessage,
  type LostSequence,
  type MessageHistory,
  nanosOut,
  rowsOf,
  type VenueError,
} from '../rpc/index.ts'
import { messageJson } from './message-json.ts'
import { gatewayMessages } from './messages.ts'

const MICROS_PER_SECOND = 1_000_000

/** The answer to a logon, without its time. */
type LogonBody = Omit<LogonMessage, 'sequence' | 'timestamp_ns'>

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
  tell(history, event, logonBody(schemaVersion))
}

/** Adds the message about the end of a session. The gateway also keeps it for a client that has disconnected. */
function endSession(history: MessageHistory, event: EventOf<'session'>): void {
  const { messages } = history
  const known = messages.sessions.get(event.session)
  if (known === undefined || event.how === null) return
  messages.sessions.set(event.session, { ...known, ended: event.how })
  tell(history, event, logoutBody(event.words === '' ? wordsOf(event.how) : event.words))
}

/** Appends a message to the messages about a session. */
function tell({ messages, limits }: MessageHistory, { session, time }: EventOf<'session'>, body: LayerBody): void {
  const sequence = (rowsOf(messages.layer, session).at(-1)?.sequence ?? 0) + 1
  const row: LayerMessage = { ...body, sequence, timestamp_ns: nanosOut(time) }
  keepRow(messages.layer, session, { row, limit: limits.messages })
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
