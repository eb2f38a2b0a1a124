/**
 * Messages that sessions of direct access receive without a request, in order and in the form that clients read. The
 * gateway also keeps them for closed sessions. `gateways` writes them and the answers to requests.
 *
 * Source: sessions document 8.6.
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
import type { GatewayId, MmpTrigger, OrderChanged, Reason, SessionEnd, Side, Trade } from '../../model/index.ts'
import { createWindows, windowsUnit } from './windows.ts'

/** States of an order: 1, 2, 3, 4. */
export type DirectStatus = 'active' | 'filled' | 'canceled' | 'queued'

/** One fill of a taker. */
export interface DirectFill {
  /** Number of the match in the engine. */
  readonly match_id: number
  readonly price: number
  readonly amount: number
}

/** The names of an order. */
export interface DirectNames {
  readonly order_id: string
  readonly client_order_id: string | null
  readonly instrument_name: string
}

/** The fields that show the state of an order. */
export interface DirectOrder extends DirectNames {
  readonly status: DirectStatus
  readonly price: number
  readonly amount: number
  readonly filled_amount: number
  readonly visible_amount: number
  readonly cancel_reason?: Reason
  readonly fills: readonly DirectFill[]
}

/** Fields of every message of a session. */
interface MessageHead {
  /** Number of the message in its session, from 1. */
  readonly sequence: number
  /** Milliseconds. */
  readonly timestamp: number
  /** The same time in nanoseconds. */
  readonly timestamp_ns: number
  /** Number of the venue's event that the message reports. */
  readonly exec_id: number
  /** Template number in the schema. */
  readonly template: number
}

/** 300: a fill of a resting order. */
export interface OrderFilledMessage extends MessageHead, DirectNames, DirectFill {
  readonly message: 'OrderFilled'
  readonly filled_amount: number
  readonly side: Side
  /** Flags of the fill: a quote was filled, or nothing of it is left. */
  readonly flags: readonly ('is_quote' | 'is_fully_filled')[]
}

/** An order that ended without its own response. */
export interface OrderGone extends DirectNames {
  readonly filled_amount: number
  readonly cancel_reason: Reason | null
  /** A flag if the order was a quote. */
  readonly flags: readonly 'is_quote'[]
}

/** 310: orders that were cancelled at one time, at most a hundred. */
export interface OrdersCanceledMessage extends MessageHead {
  readonly message: 'OrdersCanceled'
  /** A flag on the last message of that time. */
  readonly flags: readonly 'is_last_message'[]
  readonly orders: readonly OrderGone[]
}

/** The client's number of the request that a message answers, if the client gave one. */
interface Answering {
  /** Number that the client gave the request. */
  readonly correlation_id?: string
}

/** 312: an order that left the speed bump. */
export interface OrderPlacedMessage extends MessageHead, Answering, DirectOrder {
  readonly message: 'OrderPlaced'
}

/** 314: a quote that left the speed bump. */
export interface QuotePlacedMessage extends MessageHead, DirectOrder {
  readonly message: 'MassQuoteOrdersPlaced'
  readonly side: Side
}

/** 210: an amend over another session. */
export interface OrderAmendedMessage extends MessageHead, Answering, DirectOrder {
  /** Arrival time of the request, in nanoseconds. */
  readonly receive_time_ns: number
  readonly message: 'AmendOrderResponse'
}

/** 220: a waiting order with a pending cancel request that did not match. */
export interface OrderCancelledMessage extends MessageHead, Answering, DirectNames {
  /** Arrival time of the request, in nanoseconds. */
  readonly receive_time_ns: number
  readonly message: 'CancelOrderResponse'
  readonly amount: number
  readonly filled_amount: number
}

/** The levels of a group when its protection triggered. */
interface MmpLevels {
  /** End of the freeze; null if only a reset ends it. */
  readonly frozen_until: number | null
  /** Traded size. */
  readonly quantity_level: number
  /** Traded vega. */
  readonly vega_level: number
  /** Traded delta. */
  readonly delta_level: number
  /** Limit that was reached. */
  readonly trigger: { readonly code: number; readonly name: MmpTrigger } | null
}

/** 320 to 326: the protection of a group was triggered, or its freeze ended. */
export interface MmpMessage extends MessageHead, Answering, Partial<MmpLevels> {
  readonly message: `${'Orders' | 'MassQuote'}Mmp${'Triggered' | 'Unfrozen'}`
  /** Index of the orders; only for groups of orders. */
  readonly currency_pair?: string
  /** Number of the group; only for groups of quotes. */
  readonly mmp_group_id?: number
}

/** A message as a client reads it; its fields depend on its type. */
export type SessionMessage =
  | OrderFilledMessage
  | OrdersCanceledMessage
  | OrderPlacedMessage
  | QuotePlacedMessage
  | OrderAmendedMessage
  | OrderCancelledMessage
  | MmpMessage

/** 2: a session was opened. */
export interface LogonMessage {
  /** Number of the message about the session, from 1. */
  readonly sequence: number
  /** Nanoseconds. */
  readonly timestamp_ns: number
  readonly message: 'LogonResponse'
  /** Template number in the schema. */
  readonly template: 2
  /** Seconds of silence after which either side sends a message. */
  readonly heartbeat_interval_seconds: number
  /** Schema version of the session, from version 12 on. */
  readonly schema_version?: number
}

/** 5: a session ended. */
export interface LoggedOutMessage {
  /** Number of the message about the session, from 1. */
  readonly sequence: number
  /** Nanoseconds. */
  readonly timestamp_ns: number
  readonly message: 'LoggedOut'
  /** Template number in the schema. */
  readonly template: 5
  /** Explanation for people. */
  readonly reason: string
}

/** A message about the session itself. */
export type LayerMessage = LogonMessage | LoggedOutMessage

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
interface Amend {
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
interface SessionMessages extends RowOf<typeof sessionMessagesFields> {}

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

/** The part of a history that has the messages. */
interface HasMessages {
  readonly messages: SessionMessages
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

/** All sessions of a portfolio on a gateway share one sequence of numbers. */
function inboundKey({ sessions }: SessionMessages, session: number): string {
  const known = sessions.get(session)
  return `${known?.account ?? -1} ${known?.gateway ?? ''}`
}
