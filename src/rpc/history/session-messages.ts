/**
 * Messages that sessions of direct access were told without having asked, in order: also while they are closed, as
 * the gateway keeps them (sessions document 8.6). `gateways` writes it.
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
  /** True if it is the last of its portfolio on its gateway. */
  readonly isLast: boolean
  /** How it ended; null while it is open. */
  readonly ended: SessionEnd | null
}

/** A name and a secret that a portfolio logs on with. */
export interface Credential {
  readonly account: AccountId
  readonly secret: string
}

/** A request for the cancel of an order that waits, which is answered once the order is released. */
export interface Canceller {
  readonly session: number
  readonly receivedAt: Micros
  /** Number that it gave itself; null for none. */
  readonly correlationId: string | null
}

/** The first request whose end is still to come, as far as its events have told it. */
export interface RequestAtWork {
  readonly cause: Sequence
  /** The order that it touched first. */
  readonly order: OrderId
  /** True if that is one that it placed or amended, so that its answer tells what became of it. */
  readonly isPlaced: boolean
  /** Who amended that order over another session than its own; null of all others. */
  readonly amend: Amend | null
  /** Quotes that it placed or changed, and whether another session had placed them. */
  readonly quotes: readonly { readonly order: OrderId; readonly isForeign: boolean }[]
}

/** An amend over another session than that of its order, with what became of the order so far. */
export interface Amend {
  readonly correlationId: string | null
  readonly now: OrderChanged
  /** True while it waits behind the speed bump. */
  readonly isQueued: boolean
  readonly trades: readonly Trade[]
}

/** An order that left the speed bump, while it is told what became of it. */
export interface ReleasedOrder {
  readonly order: OrderId
  readonly session: number
  /** The number of the message that tells; 0 while there is none. */
  readonly sequence: number
}

export const sessionMessagesFields = {
  sessions: fixed(mapOf(units.count, plainUnit<KnownSession>('session'))),
  /** Credentials by the names of clients. */
  credentials: fixed(mapOf(units.text, plainUnit<Credential>('credential'))),
  /** The number of the last message of a portfolio over a gateway, of those that have one. */
  inbound: fixed(mapOf(units.text, units.count)),
  /** Messages about the sessions themselves. */
  layer: fixed(windowsUnit<number, LayerMessage>(units.count, 'messages')),
  received: fixed(windowsUnit<number, SessionMessage>(units.count, 'messages')),
  counts: fixed(mapOf(units.count, units.count)),
  /** Waiting orders that became immediate-or-cancel, with the request that asked for it; null for none. */
  converted: fixed(mapOf(units.orderId, plainUnit<Canceller | null>('canceller or null'))),
  /** Subject of the last message of a session, where more of the same may join it. */
  batches: fixed(mapOf(units.count, units.text)),
  released: changing(plainUnit<ReleasedOrder | null>('released order or null')),
  /** Instruments whose books are not open. */
  closed: fixed(setOf(units.instrumentId)),
  /** When groups of market-maker protection tripped last. */
  trips: fixed(mapOf(units.count, units.micros)),
  /** The last request that ended; of requests that wait, none. */
  answered: changing(units.sequence),
  /** The request at work; null between requests. */
  work: changing(plainUnit<RequestAtWork | null>('request at work or null')),
}

/** Messages by session, and what is needed to write them. */
export interface SessionMessages extends RowOf<typeof sessionMessagesFields> {}

/** No messages. */
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

/** The number that the next message over a session has, where messages have numbers. */
export function nextInbound({ messages }: HasMessages, session: number): number {
  return (messages.inbound.get(inboundKey(messages, session)) ?? 0) + 1
}

/** A message with a number came over a session. */
export function noteInbound({ messages }: HasMessages, session: number, number: number): void {
  messages.inbound.set(inboundKey(messages, session), number)
}

/** Numbers of the portfolio of a session on its gateway begin anew. */
export function resetInbound({ messages }: HasMessages, session: number): void {
  messages.inbound.delete(inboundKey(messages, session))
}

/** A history, as far as messages go. */
interface HasMessages {
  readonly messages: SessionMessages
}

/** Numbers are those of a portfolio on a gateway, over all of its sessions. */
function inboundKey({ sessions }: SessionMessages, session: number): string {
  const known = sessions.get(session)
  return `${known?.account ?? -1} ${known?.gateway ?? ''}`
}
