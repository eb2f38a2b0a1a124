/**
 * Events of what stands between an order and the market: market-maker protection, the speed bump, sessions
 * that end, locks, switches and limits. One for each start, effect and end of a protection, so that the table
 * `protections` answers why an order was pulled, held or refused.
 *
 * Source: trading.md 6.11, 7, 8, 10; sessions-blocks-gateways.md 8.8-8.14.
 */
import type { AccountId, InstrumentId, Lots, Micros, OrderId } from '../../core/index.ts'
import type { MmpConfig } from '../protection/mmp.ts'
import type { GatewayId } from '../protection/sessions.ts'
import type { Side } from '../words/orders.ts'
import type {
  BumpChange,
  ConversionReason,
  MmpChange,
  MmpTrigger,
  SessionChange,
  SessionEnd,
  SessionKind,
  StandingChange,
  StandingKind,
} from '../words/protections.ts'
import type { Refusal } from '../words/refusals.ts'
import type { EventHeader } from './event-header.ts'

/** A group of market-maker protection changed. Levels and limits are counts of 1e-9. */
export interface MmpChanged extends EventHeader {
  readonly kind: 'mmp_changed'
  readonly change: MmpChange
  readonly account: AccountId
  readonly session: number
  /** Its number, from 1. */
  readonly group: number
  readonly index: string
  /** Null for the group of orders. */
  readonly name: string | null
  /** The limits in force; null once they are removed. */
  readonly config: MmpConfig | null
  /** Null but where it was triggered. */
  readonly trigger: MmpTrigger | null
  /** What was traded in the window. */
  readonly quantity9: number
  readonly delta9: number
  readonly vega9: number
  readonly windowStart: Micros | null
  /** Null while it is not frozen, and where only a reset ends it. */
  readonly frozenUntil: Micros | null
  /** How many orders went. */
  readonly cancelled: number
}

/** An order behind the speed bump changed. */
export interface BumpChanged extends EventHeader {
  readonly kind: 'bump_changed'
  readonly change: BumpChange
  readonly order: OrderId
  readonly account: AccountId
  readonly instrument: InstrumentId
  readonly session: number
  readonly side: Side
  /** What waits. */
  readonly amount: Lots
  /** When it is released. */
  readonly releaseAt: Micros
  readonly reason: ConversionReason | null
}

/** A session was opened, ended, or changed what happens when it ends. */
export interface SessionChanged extends EventHeader {
  readonly kind: 'session_changed'
  readonly change: SessionChange
  readonly session: number
  readonly type: SessionKind
  /** Whose it is; -1 while nobody asked over it. */
  readonly account: AccountId | -1
  readonly gateway: GatewayId | null
  /** Of the binary schema; 0 for a WebSocket. */
  readonly schemaVersion: number
  /** Null but where it closed. */
  readonly how: SessionEnd | null
  readonly cancelOnDisconnect: boolean
  /** How many orders ended with it, and how many became immediate-or-cancel. */
  readonly cancelled: number
  readonly converted: number
}

/** One side of a quote was refused; the resting quote stays (C34). */
export interface QuoteRefused extends EventHeader {
  readonly kind: 'quote_refused'
  readonly account: AccountId
  readonly instrument: InstrumentId
  readonly side: Side
  readonly group: number
  readonly quoteSetId: string
  readonly refusal: Refusal
}

/** A lock, freeze, switch, permission or limit began, ended or acted. */
export interface StandingChanged extends EventHeader {
  readonly kind: 'standing_changed'
  readonly protection: StandingKind
  readonly change: StandingChange
  /** -1 for what is of the venue. */
  readonly account: AccountId | -1
  readonly session: number
  /** What it is of: a gateway, a message, a bucket, currencies, a product; or null. */
  readonly group: string | null
  /** When it ends by itself, or null. */
  readonly until: Micros | null
  /** How many orders went. */
  readonly cancelled: number
}

/** Everything that protections do. */
export type ProtectionEvent =
  | MmpChanged
  | BumpChanged
  | SessionChanged
  | QuoteRefused
  | StandingChanged
