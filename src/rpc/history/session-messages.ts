/**
 * Messages that sessions of direct access receive without a request, in order. The gateway also keeps them for closed
 * sessions (sessions document 8.6). `gateways` writes them.
 */
import {
  type AccountId,
  changing,
  fixed,
  type Micros,
  mapOf,
  type OrderId,
  plainUnit,
  type RowOf,
  type Sequence,
  sequence,
  setOf,
  units,
} from '../../core/index.ts'
import type { GatewayId, OrderChanged, SessionEnd, Trade } from '../../model/index.ts'
import type { LayerMessage, SessionMessage } from './direct-messages.ts'
import { createWindows, windowsUnit } from './windows.ts'

/** A session of direct access that was opened. */
export interface KnownSession {
  readonly account: AccountId | -1
  readonly gateway: GatewayId | null
  readonly schemaVersion: number
  /** True if it is the latest session of its portfolio on its gateway. */
  readonly isLast: boolean
  /** How it ended; null while it is open. */
  readonly ended: SessionEnd | null
}

/** A name and a secret that a portfolio logs on with. */
export interface Credential {
  readonly account: AccountId
  readonly secret: string
}

/** A request to cancel a waiting order. It is answered once the order is released. */
export interface Canceller {
  readonly session: number
  readonly receivedAt: Micros
  /** The client's number of the request; null without one. */
  readonly correlationId: string | null
}

/** The request that is being processed, as its events so far describe it. */
export interface RequestAtWork {
  readonly cause: Sequence
  /** The first order that it touched. */
  readonly order: OrderId
  /** True if the request placed or amended that order, so that its answer reports the order. */
  readonly isPlaced: boolean
  /** The amend of that order over another session than its own; null for other requests. */
  readonly amend: Amend | null
  /** Quotes that it placed or changed, and whether another session had placed them. */
  readonly quotes: readonly { readonly order: OrderId; readonly isForeign: boolean }[]
}

/** An amend over another session than the order's, with the state of the order so far. */
export interface Amend {
  readonly correlationId: string | null
  readonly now: OrderChanged
  /** True while the order waits behind the speed bump. */
  readonly isQueued: boolean
  readonly trades: readonly Trade[]
}

/** An order that left the speed bump and is still on its way into its book. */
export interface ReleasedOrder {
  readonly order: OrderId
  readonly session: number
  /** Number of the message that reports the order; 0 before that message exists. */
  readonly sequence: number
}

export const sessionMessagesFields = {
  sessions: fixed(mapOf(units.count, plainUnit<KnownSession>('session'))),
  /** Credentials by the names of clients. */
  credentials: fixed(mapOf(units.text, plainUnit<Credential>('credential'))),
  /** The number of the last message of each portfolio over each gateway. */
  inbound: fixed(mapOf(units.text, units.count)),
  /** Messages about the sessions themselves. */
  layer: fixed(windowsUnit<number, LayerMessage>(units.count, 'messages')),
  received: fixed(windowsUnit<number, SessionMessage>(units.count, 'messages')),
  counts: fixed(mapOf(units.count, units.count)),
  /**
   * Waiting orders that a cancel request made immediate-or-cancel, with that request; null without a request to answer.
   */
  converted: fixed(mapOf(units.orderId, plainUnit<Canceller | null>('canceller or null'))),
  /** Subject of the last message of a session, if further events can join that message. */
  batches: fixed(mapOf(units.count, units.text)),
  released: changing(plainUnit<ReleasedOrder | null>('released order or null')),
  /** Instruments whose books are not open. */
  closed: fixed(setOf(units.instrumentId)),
  /** Last time that each group of market-maker protection triggered. */
  trips: fixed(mapOf(units.count, units.micros)),
  /** The last request that ended, not counting requests that wait. */
  answered: changing(units.sequence),
  /** The request that is being processed; null between requests. */
  work: changing(plainUnit<RequestAtWork | null>('request at work or null')),
}

/** Messages by session, and the data needed to write them. */
export interface SessionMessages extends RowOf<typeof sessionMessagesFields> {}

/** Creates an empty store of messages. */
export function createSessionMessages(): SessionMessages {
  return {
    sessions: new Map(),
    credentials: new Map(),
    inbound: new Map(),
    layer: createWindows(),
    received: createWindows(),
    counts: new Map(),
    converted: new Map(),
    batches: new Map(),
    released: null,
    closed: new Set(),
    trips: new Map(),
    answered: sequence(0),
    work: null,
  }
}

/** The number that the next message over a session must have, if messages have numbers. */
export function nextInbound({ messages }: HasMessages, session: number): number {
  return (messages.inbound.get(inboundKey(messages, session)) ?? 0) + 1
}

/** Notes the number of a message that came over a session. */
export function noteInbound({ messages }: HasMessages, session: number, number: number): void {
  messages.inbound.set(inboundKey(messages, session), number)
}

/** Restarts the numbers of the portfolio of a session on its gateway. */
export function resetInbound({ messages }: HasMessages, session: number): void {
  messages.inbound.delete(inboundKey(messages, session))
}

/** The part of a history that has the messages. */
interface HasMessages {
  readonly messages: SessionMessages
}

/** All sessions of a portfolio on a gateway share one sequence of numbers. */
function inboundKey({ sessions }: SessionMessages, session: number): string {
  const known = sessions.get(session)
  return `${known?.account ?? -1} ${known?.gateway ?? ''}`
}
