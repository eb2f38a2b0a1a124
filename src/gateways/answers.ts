/**
 * The common fields of answers of direct access: the times of the request and of the answer, the number of the
 * execution, and the client's number of the request.
 *
 * Assumed: an execution is an event of the venue and has the number of the event, so all messages about one event name
 * the same execution, and numbers rise. The venue documents only that they are numbers.
 *
 * Rule: direct.answers. Source: sessions document 8.5, 8.6, 8.8, 8.9; S324.
 */
import { type Micros, z } from '../core/index.ts'
import {
  type LostSequence,
  type NumberedMessage,
  nanosOut,
  nextInbound,
  noteInbound,
  paramReader,
  type ReplyContext,
  type VenueError,
} from '../rpc/index.ts'
import { type MessageField, wideNumber } from './fields.ts'
import { gatewayMessages, type MessageName } from './messages.ts'

/** The client's number of a request: a whole number of 64 bits, which its answers repeat. */
const correlationId = wideNumber.optional().describe('number that the client gives the request; its answers repeat it')

/** Parameters of every message: its sequence number in its session, and the client's number of it. */
export const messageHead = {
  correlation_id: correlationId,
  sequence_number: z
    .int()
    .min(1)
    .optional()
    .describe(
      'number of the message in the sequence of its portfolio on its gateway; a number out of sequence ends the session',
    ),
}

/**
 * Counts a message by its sequence number, if it has one and came over an open session of its account. Returns how a
 * wrong number ends the session; such a message has no other effect. Returns null for all other messages.
 * Rule: direct.sequence. Source: sessions document 8.4.
 */
export function countMessage(of: NumberedMessage): LostSequence | null {
  const number = numberOf(of)
  if (number === null || !isOwnAndOpen(of)) return null
  const next = nextInbound(of.history, of.session)
  if (number !== next) return number < next ? 'sequence_too_low' : 'sequence_gap'
  noteInbound(of.history, of.session, number)
  return null
}

function isOwnAndOpen({ history, session, account }: NumberedMessage): boolean {
  const known = history.messages.sessions.get(session)
  return known !== undefined && known.ended === null && known.account === account
}

const readNumber = paramReader(z.object({ sequence_number: messageHead.sequence_number }))

/** The sequence number of a message, read without its other parameters; null if it is missing or not a number. */
function numberOf({ method, params }: NumberedMessage): number | null {
  // Most requests are not messages, so this reads none of their parameters.
  if (params.sequence_number === undefined || !('sequence_number' in method.params.shape)) return null
  const read = readNumber(params)
  return read.ok ? (read.value.sequence_number ?? null) : null
}

/** A request that may contain a client's number. */
export interface Correlated {
  readonly correlation_id?: string | undefined
}

/** The client's number in an answer; omitted if the request had none. */
interface Correlation {
  /** Number that the client gave the request. */
  readonly correlation_id?: string
}

/** The times and the execution number of an answer. */
export interface DirectAnswer extends Correlation {
  /** Time of the gateway's answer, in nanoseconds. */
  readonly timestamp_ns: number
  /** Number of the venue's event that the message reports. */
  readonly exec_id: number
  /** Arrival time of the request, in nanoseconds. */
  readonly receive_time_ns: number
}

/** The common fields of an answer in a record. */
interface AnswerRecord {
  readonly timestamp: Micros
  readonly execId: number
  readonly receiveTime: Micros
  readonly correlationId: string | undefined
}

/** The common fields of an answer. */
export function answerFields({ execution }: ReplyContext, asked: Correlated): AnswerRecord {
  return {
    timestamp: execution.time,
    execId: execution.number,
    receiveTime: execution.receivedAt,
    correlationId: asked.correlation_id,
  }
}

/** Fields of a reject that do not come from its request. */
const ofReject: readonly string[] = ['timestamp', 'execId', 'reason', 'details']

/** The time of a reject, and the names that its request contained. */
export interface RejectHead extends Omit<NonNullable<VenueError['data']>, 'reason' | 'param' | 'detail' | 'reject'> {
  readonly timestamp_ns: number
}

/** The common fields of a reject: its time, and those of its fields that the request contained (8.6). */
export function rejectHead(reject: MessageName, request: object, number: number, time: Micros): RejectHead {
  const { fields }: { readonly fields: readonly MessageField[] } = gatewayMessages[reject]
  const asked = request as { readonly [word: string]: unknown }
  const named = fields.flatMap(({ name, unit, word }) => {
    const value = word === null || ofReject.includes(name) ? undefined : asked[word]
    return value === undefined ? [] : [[word, unit === 'id' ? `${value}` : value] as const]
  })
  const reportsExecution = fields.some(({ name }) => name === 'execId')
  return {
    timestamp_ns: nanosOut(time),
    ...(reportsExecution ? { exec_id: number } : {}),
    // The words come from the table of messages, and the values from the parameters.
    ...(Object.fromEntries(named) as object),
  }
}
