/**
 * The fields that answers of direct access have in common: when the request came and was answered, the number of the
 * execution, and the number that the request gave itself.
 *
 * Assumed: an execution is an event of the venue and has its number, so that all messages about one event name the
 * same execution, and numbers rise. The venue says no more of them than that they are numbers.
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
  type ReplyContext,
  type VenueError,
} from '../rpc/index.ts'
import { type MessageField, wideNumber } from './fields.ts'
import { gatewayMessages, type MessageName } from './messages.ts'

/** The number that a request gives itself: a whole number of 64 bits, which its answers repeat. */
const correlationId = wideNumber.optional().describe('number that the client gives the request; its answers repeat it')

/** Parameters of every message: its number in its session, and the one that it gives itself. */
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
 * Counts a message over the asker's own open session by its number, where it has one. Returns how it ends its session,
 * where its number is not the next: that one counts for nothing. All others return null.
 * Rule: direct.sequence. Source: sessions document 8.4.
 */
export function countMessage(of: NumberedMessage): LostSequence | null {
  const { history, session } = of
  const number = numberOf(of)
  if (number === null || !isOwnAndOpen(of)) return null
  const next = nextInbound(history, session)
  if (number !== next) return number < next ? 'sequence_too_low' : 'sequence_gap'
  noteInbound(history, session, number)
  return null
}

function isOwnAndOpen({ history, session, account }: NumberedMessage): boolean {
  const known = history.messages.sessions.get(session)
  return known !== undefined && known.ended === null && known.account === account
}

/** The number of a message, read by itself; null without one, and where that is no number. */
function numberOf({ method, params }: NumberedMessage): number | null {
  const { sequence_number: given } = params
  // Most requests are no messages, and none of their parameters is looked at.
  if (given === undefined || !('sequence_number' in method.params.shape)) return null
  const read = messageHead.sequence_number.safeParse(given)
  return read.success ? (read.data ?? null) : null
}

/** A request that may have given itself a number. */
export interface Correlated {
  readonly correlation_id?: string | undefined
}

/** The number that the answer repeats; nothing where the request gave none. */
export interface Correlation {
  /** Number that the client gave the request. */
  readonly correlation_id?: string
}

/** The times of an answer and its number. */
export interface DirectAnswer extends Correlation {
  /** Time of the gateway's answer, in nanoseconds. */
  readonly timestamp_ns: number
  /** Number of the venue's event that the message reports. */
  readonly exec_id: number
  /** Arrival time of the request, in nanoseconds. */
  readonly receive_time_ns: number
}

/** The common fields of an answer, as its record has them. */
export interface AnswerRecord {
  readonly timestamp: Micros
  readonly execId: number
  readonly receiveTime: Micros
  readonly correlationId: string | undefined
}

/** The common fields of an answer. */
export function answerFields({ execution }: ReplyContext, asked: Correlated): AnswerRecord {
  const { number, time, receivedAt } = execution
  return {
    timestamp: time,
    execId: number,
    receiveTime: receivedAt,
    correlationId: asked.correlation_id,
  }
}

/** Fields of a reject that do not come from its request. */
const ofReject: readonly string[] = ['timestamp', 'execId', 'reason', 'details']

/** A reject with its time, and with what its request named. */
export interface RejectHead extends Omit<NonNullable<VenueError['data']>, 'reason' | 'param' | 'detail' | 'reject'> {
  readonly timestamp_ns: number
}

/** The common fields of a reject: its time, and those of its fields that its request named (8.6). */
export function rejectHead(of: {
  readonly reject: MessageName
  readonly asked: object
  readonly number: number
  readonly time: Micros
}): RejectHead {
  const { fields }: { readonly fields: readonly MessageField[] } = gatewayMessages[of.reject]
  const asked = of.asked as { readonly [word: string]: unknown }
  const named = fields.flatMap(({ name, unit, word }) => {
    const value = word === null || ofReject.includes(name) ? undefined : asked[word]
    return value === undefined ? [] : [[word, unit === 'id' ? `${value}` : value] as const]
  })
  const tellsExecution = fields.some(({ name }) => name === 'execId')
  return {
    timestamp_ns: nanosOut(of.time),
    ...(tellsExecution ? { exec_id: of.number } : {}),
    // The words are those of the table, and their values were read.
    ...(Object.fromEntries(named) as object),
  }
}
