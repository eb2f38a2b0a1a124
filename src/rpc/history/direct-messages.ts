/**
 * The messages of direct access in the form that clients read: the state of an order, and the messages that a session
 * receives without a request. `gateways` writes them and the answers to requests.
 *
 * Source: sessions document 8.6.
 */
import type { MmpTrigger, Reason, Side } from '../../model/index.ts'

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
export interface MmpLevels {
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
