/**
 * What sessions of direct access were told without having asked, in order: also while they are closed, as the
 * gateway keeps it for them (sessions document 8.6). `direct/session-messages.ts` writes it.
 */
import type { AccountId, OrderId } from '../../core/index.ts'
import type { GatewayId } from '../../model/index.ts'

/** A message as a client reads it; its fields depend on which it is. */
export interface SessionMessage {
  /** Counts the messages of its session from 1. */
  readonly sequence: number
  /** Milliseconds. */
  readonly timestamp: number
  readonly message: string
  /** Its number in the schema. */
  readonly template: number
  readonly [field: string]: unknown
}

/** A session of direct access that was opened. */
export interface KnownSession {
  readonly account: AccountId | -1
  readonly gateway: GatewayId | null
  readonly schemaVersion: number
  /** Whether it is the last of its portfolio on its gateway. */
  readonly isLast: boolean
}

/** An order that left the speed bump, while it is told what became of it. */
export interface ReleasedOrder {
  readonly order: OrderId
  readonly session: number
  /** The number of the message that tells; 0 while there is none. */
  readonly sequence: number
}

/** Messages by session, and what is needed to write them. */
export interface SessionMessages {
  readonly sessions: Map<number, KnownSession>
  readonly received: Map<number, SessionMessage[]>
  readonly counts: Map<number, number>
  /** Waiting orders that became immediate-or-cancel, with the session that asked for it; 0 for none. */
  readonly converted: Map<OrderId, number>
  /** What the last message of a session is about, where more of the same may join it. */
  readonly batches: Map<number, string>
  released: ReleasedOrder | null
}

/** The messages as plain data. */
export interface SessionMessagesState {
  readonly sessions: readonly (readonly [number, KnownSession])[]
  readonly received: readonly (readonly [number, readonly SessionMessage[]])[]
  readonly counts: readonly (readonly [number, number])[]
  readonly converted: readonly (readonly [OrderId, number])[]
  readonly batches: readonly (readonly [number, string])[]
  readonly released: ReleasedOrder | null
}

/** No messages. */
export function createSessionMessages(): SessionMessages {
  return {
    sessions: new Map(),
    received: new Map(),
    counts: new Map(),
    converted: new Map(),
    batches: new Map(),
    released: null,
  }
}

/** The messages as plain data for a snapshot. */
export function snapshotMessages(messages: SessionMessages): SessionMessagesState {
  return {
    sessions: [...messages.sessions],
    received: [...messages.received],
    counts: [...messages.counts],
    converted: [...messages.converted],
    batches: [...messages.batches],
    released: messages.released,
  }
}

/** The messages of a snapshot. */
export function restoreMessages(state: SessionMessagesState): SessionMessages {
  return {
    sessions: new Map(state.sessions),
    received: new Map(state.received.map(([session, list]) => [session, [...list]])),
    counts: new Map(state.counts),
    converted: new Map(state.converted),
    batches: new Map(state.batches),
    released: state.released,
  }
}
