/**
 * How messages go to sessions: numbered, timed, kept as far as the history reaches back.
 *
 * Source: sessions document 8.4, 8.6.
 */
import { type Event, type Instrument, type OrderChanged, schemaVersions } from '../model/index.ts'
import {
  type DirectNames,
  keepRow,
  type MessageBody,
  type MessageHistory,
  nanosOut,
  rowsOf,
  type SessionMessage,
  timeOut,
} from '../rpc/index.ts'
import { gatewayMessages } from './messages.ts'

/** Appends a message to those of a session and returns its number. */
export function send(
  { messages, limits }: MessageHistory,
  session: number,
  { time, number }: Event,
  fields: MessageBody,
): number {
  const sequence = (messages.counts.get(session) ?? 0) + 1
  messages.counts.set(session, sequence)
  messages.batches.delete(session)
  const row = {
    ...fields,
    template: gatewayMessages[fields.message].template,
    sequence,
    timestamp: timeOut(time),
    timestamp_ns: nanosOut(time),
    exec_id: number,
  }
  keepRow(messages.received, session, { row, limit: limits.messages })
  return sequence
}

/** The messages of a session after a number, oldest first. */
export function messagesAfter(
  { messages }: MessageHistory,
  session: number,
  since: number,
): readonly SessionMessage[] {
  return rowsOf(messages.received, session).filter(({ sequence }) => sequence > since)
}

/** The version of the schema that a session speaks; of one that is unknown, that of one that names none. */
export function versionOf({
  history,
  session,
}: {
  readonly history: MessageHistory
  readonly session: number
}): number {
  return history.messages.sessions.get(session)?.schemaVersion ?? schemaVersions.unnamed
}

/** The names of an order. */
export function namesOf(order: OrderChanged, { name }: Instrument): DirectNames {
  return {
    order_id: `${order.order}`,
    client_order_id: order.extras?.direct?.clientOrderId ?? null,
    instrument_name: name,
  }
}
