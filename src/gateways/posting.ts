/**
 * Appends messages to sessions: numbered, with a time, and kept as far as the history reaches.
 *
 * Source: sessions document 8.4, 8.6.
 */
import type { OrderId } from '../core/index.ts'
import { type Event, type Instrument, type OrderChanged, schemaVersions } from '../model/index.ts'
import { keepRow, type MessageHistory, rowsOf, type SessionMessage, timeOut } from '../rpc/index.ts'
import { type MessageRecord, messageJson } from './message-json.ts'
import { gatewayMessages } from './messages.ts'

/** Appends a message to a session and returns its sequence number. */
export function postMessage<Shape extends SessionMessage>(
  history: MessageHistory,
  session: number,
  event: Pick<Event, 'time' | 'number'>,
  name: Shape['message'],
  record: MessageRecord<Shape['message']>,
): number {
  const sequence = (history.messages.counts.get(session) ?? 0) + 1
  history.messages.counts.set(session, sequence)
  history.messages.batches.delete(session)
  const timed = { timestamp: event.time, execId: event.number, ...record }
  const reported = messageJson<Shape>(name, timed, versionOf(history, session))
  const { template } = gatewayMessages[name]
  // These fields complete the message.
  const row = { ...reported, template, sequence, timestamp: timeOut(event.time) } as unknown as Shape
  keepRow(history.messages.received, session, row, history.limits.messages)
  return sequence
}

/** The messages of a session after a sequence number, oldest first. */
export function messagesAfter(history: MessageHistory, session: number, since: number): readonly SessionMessage[] {
  return rowsOf(history.messages.received, session).filter(({ sequence }) => sequence > since)
}

/** The schema version of a session. An unknown session has the version of a logon that names none. */
export function versionOf(history: MessageHistory, session: number): number {
  return history.messages.sessions.get(session)?.schemaVersion ?? schemaVersions.unnamed
}

/** The names of an order as a record. */
export interface NamesRecord {
  readonly clientOrderId: string | null
  readonly orderId: OrderId
  readonly instrumentId: Instrument
}

/** The names of an order. */
export function namesOf(event: OrderChanged, instrument: Instrument): NamesRecord {
  const clientOrderId = event.extras?.direct?.clientOrderId ?? null
  return { clientOrderId, orderId: event.order, instrumentId: instrument }
}
