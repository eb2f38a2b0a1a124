/**
 * Families of what stands between an order and the market: market-maker protection, the speed bump, sessions
 * that end, locks, switches and limits. One row for each start, effect and end of a protection, so that the
 * table `protections` answers why an order was pulled, held or refused.
 *
 * Source: trading.md 6.11, 7, 8, 10; sessions-blocks-gateways.md 8.8-8.14.
 */
import { plainUnit, units, wordUnit } from '../../core/index.ts'
import { type GatewayId, NO_SESSION } from '../protection/sessions.ts'
import {
  type BumpChange,
  type ConversionReason,
  type MmpChange,
  mmpTriggers,
  protectionChanges,
  protectionKinds,
  protectionReasons,
  type SessionChange,
  type SessionEnd,
  type StandingChange,
  type StandingKind,
  sessionKinds,
} from '../words/protections.ts'
import * as eventUnits from './event-units.ts'
import { columnOrNull, unless } from './family.ts'

/** Families of what protections do. */
export const protectionFamilies = {
  /** A group of market-maker protection changed. Levels and limits are counts of 1e-9. */
  mmp: {
    change: plainUnit<MmpChange>('change of a group', protectionChanges),
    account: units.accountId,
    session: unless(NO_SESSION, units.count),
    /** Its number, from 1. */
    group: units.count,
    index: units.text,
    /** Null for the group of orders. */
    name: columnOrNull(units.text),
    /** The limits in force; null once they are removed. */
    config: unless(null, eventUnits.mmpConfig),
    /** Null but where it was triggered. */
    trigger: columnOrNull(wordUnit('limit that tripped', mmpTriggers)),
    /** Traded sums of the window. */
    quantity9: units.nano,
    delta9: units.nano,
    vega9: units.nano,
    windowStart: columnOrNull(units.micros),
    /** Null while it is not frozen, and where only a reset ends it. */
    frozenUntil: columnOrNull(units.micros),
    /** How many orders or quotes went. */
    cancelled: unless(0, units.count),
    /** True for a group of Block RFQs. */
    blockRfq: unless(false, units.flag),
    /** Number that the message of direct access gave itself which reset it; null for none. */
    correlationId: columnOrNull(units.text),
  },
  /** An order behind the speed bump changed. */
  bump: {
    change: plainUnit<BumpChange>('change of a waiting order', protectionChanges),
    order: units.orderId,
    account: units.accountId,
    instrument: units.instrumentId,
    session: unless(NO_SESSION, units.count),
    side: eventUnits.side,
    /** Size that waits. */
    amount: units.lots,
    /** When it is released. */
    releaseAt: units.micros,
    reason: columnOrNull(plainUnit<ConversionReason>('reason of a conversion', protectionReasons)),
    /** Who asked for the conversion of an order of direct access; null for most. */
    by: unless(null, eventUnits.changedBy),
  },
  /** A session was opened, ended, or changed what happens when it ends. */
  session: {
    change: plainUnit<SessionChange>('change of a session', protectionChanges),
    session: units.count,
    type: wordUnit('kind of session', sessionKinds),
    /** Whose it is; -1 while nobody asked over it. */
    account: unless(-1, eventUnits.someAccount),
    gateway: columnOrNull(plainUnit<GatewayId>('gateway', 'text')),
    /** Version of the binary schema; 0 for a WebSocket. */
    schemaVersion: unless(0, units.count),
    /** Null but where it closed. */
    how: columnOrNull(plainUnit<SessionEnd>('end of a session', protectionReasons)),
    cancelOnDisconnect: units.flag,
    /** How many orders ended with it, and how many became immediate-or-cancel. */
    cancelled: unless(0, units.count),
    converted: unless(0, units.count),
    /** Reason of its end that the client gave, in its words; empty for none. */
    words: unless('', units.text),
  },
  /** One side of a quote was refused; the resting quote stays (C34). */
  quote_refusal: {
    account: units.accountId,
    instrument: units.instrumentId,
    side: eventUnits.side,
    group: units.count,
    quoteSetId: units.text,
    refusal: eventUnits.refusal,
  },
  /** A lock, freeze, switch, permission or limit began, ended or acted. */
  standing: {
    protection: plainUnit<StandingKind>('standing protection', protectionKinds),
    change: plainUnit<StandingChange>('change of a protection', protectionChanges),
    /** -1 for what is of the venue. */
    account: unless(-1, eventUnits.someAccount),
    session: unless(NO_SESSION, units.count),
    /** Subject: a gateway, a message, a bucket, currencies, a product; or null. */
    group: columnOrNull(units.text),
    /** When it ends by itself, or null. */
    until: columnOrNull(units.micros),
    /** How many orders went. */
    cancelled: unless(0, units.count),
    /** Terms of the instrument from now on, where its steps changed; null for all others. */
    instrument: unless(null, eventUnits.someTerms),
  },
}

/** Codes of their records in the log. */
export const protectionCodes = {
  mmp: 27,
  bump: 28,
  session: 29,
  quote_refusal: 30,
  standing: 31,
} as const satisfies { readonly [Family in keyof typeof protectionFamilies]: number }
