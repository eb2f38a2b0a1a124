/**
 * Families of protections: market-maker protection, the speed bump, sessions that end, locks, switches and limits.
 * There is one row for each start, effect and end of a protection, so that the table `protections` shows why an order
 * was cancelled, held or refused.
 *
 * Source: trading.md 6.11, 7, 8, 10; sessions-blocks-gateways.md 8.8-8.14.
 */

import { plainUnit, units, wordUnit } from '../../core/index.ts'
import { commandKinds } from '../commands/command.ts'
import { type GatewayId, NO_SESSION } from '../protection/sessions.ts'
import { marginModels, selfMatchModes } from '../words/accounts.ts'
import { instrumentStates } from '../words/instruments.ts'
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
import * as eventUnits from './family.ts'
import { columnOrNull, noMoney, unless } from './family.ts'

/** Families of protections. */
export const protectionFamilies = {
  /** A group of market-maker protection changed. Levels and limits are counts of 1e-9. */
  mmp: {
    change: plainUnit<MmpChange>('change of a group', protectionChanges),
    account: units.accountId,
    session: unless(NO_SESSION, units.count),
    /** Number of the group, from 1. */
    group: units.count,
    index: units.text,
    /** Null for the group of orders. */
    name: columnOrNull(units.text),
    /** The limits in force; null once they are removed. */
    config: unless(null, eventUnits.mmpConfig),
    /** The limit that tripped; null for other changes. */
    trigger: columnOrNull(wordUnit('limit that tripped', mmpTriggers)),
    /** Traded sums of the window. */
    quantity9: units.nano,
    delta9: units.nano,
    vega9: units.nano,
    windowStart: columnOrNull(units.micros),
    /** End of the freeze; null if the group is not frozen or only a reset ends the freeze. */
    frozenUntil: columnOrNull(units.micros),
    /** Number of cancelled orders or quotes. */
    cancelled: unless(0, units.count),
    /** True for a group of Block RFQs. */
    blockRfq: unless(false, units.flag),
    /** The number that the client gave the direct-access message that reset the group; null for none. */
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
    /** Waiting size. */
    amount: units.lots,
    /** Time of its release. */
    releaseAt: units.micros,
    reason: columnOrNull(plainUnit<ConversionReason>('reason of a conversion', protectionReasons)),
    /** The sender of the request that converted an order of direct access; null for most. */
    by: unless(null, eventUnits.changedBy),
  },
  /** A session was opened, ended, or changed what happens when it ends. */
  session: {
    change: plainUnit<SessionChange>('change of a session', protectionChanges),
    session: units.count,
    type: wordUnit('kind of session', sessionKinds),
    /** Account of the session; -1 before an account sends a request over it. */
    account: unless(-1, eventUnits.someAccount),
    gateway: columnOrNull(plainUnit<GatewayId>('gateway', 'text')),
    /** Version of the binary schema; 0 for a WebSocket. */
    schemaVersion: unless(0, units.count),
    /** How the session ended; null while it is open. */
    how: columnOrNull(plainUnit<SessionEnd>('end of a session', protectionReasons)),
    cancelOnDisconnect: units.flag,
    /** Number of orders that ended with the session, and number of those that became immediate-or-cancel. */
    cancelled: unless(0, units.count),
    converted: unless(0, units.count),
    /** Reason for its end in the client's words; empty if the client gave none. */
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
  /** A lock, freeze, switch, permission or limit began, ended or took effect. */
  standing: {
    protection: plainUnit<StandingKind>('standing protection', protectionKinds),
    change: plainUnit<StandingChange>('change of a protection', protectionChanges),
    /** The account that it concerns; -1 if it concerns the whole venue. */
    account: unless(-1, eventUnits.someAccount),
    session: unless(NO_SESSION, units.count),
    /** Subject: a gateway, a message, a bucket, currencies, a product; or null. */
    group: columnOrNull(units.text),
    /** Time at which it ends without a request, or null. */
    until: columnOrNull(units.micros),
    /** Number of cancelled orders. */
    cancelled: unless(0, units.count),
    /** Terms of the instrument from now on, if its steps changed; otherwise null. */
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

/** Families of requests, accounts and instruments, and of the inputs of controls. */

/** Families of requests, accounts and instruments. */
export const standingFamilies = {
  /** A request was refused and changed nothing. */
  refusal: {
    command: wordUnit('command', commandKinds),
    account: unless(-1, eventUnits.someAccount),
    instrument: unless(-1, eventUnits.someInstrument),
    refusal: eventUnits.refusal,
  },
  /**
   * A request is complete. `count` is the number that the command documents, for example of cancelled orders. Only
   * consequences of the request follow with the same cause, for example trigger orders that fire.
   */
  request: {
    outcome: wordUnit('outcome of a request', ['done', 'refused']),
    count: units.count,
  },
  /** An account was opened. */
  account: {
    account: units.accountId,
    name: units.text,
    marginModel: wordUnit('margin model', marginModels),
    house: units.flag,
    /** The main account of a subaccount; for a main account, the account itself. */
    main: units.accountId,
    /** Share of its fees that the account pays. */
    feePpm: units.ppm,
  },
  /** An account chose how the exchange treats matches between its own orders. */
  self_trading: {
    account: units.accountId,
    mode: wordUnit('mode of self matches', selfMatchModes),
    extended: units.flag,
  },
  /** The book of an instrument changed its state. */
  state: {
    instrument: units.instrumentId,
    state: wordUnit('state of a book', instrumentStates),
  },
  /** An instrument was listed. */
  instrument: {
    instrument: eventUnits.instrument,
  },
  /** Money entered or left the exchange. */
  cash: {
    account: units.accountId,
    currency: eventUnits.currency,
    change: units.money,
    balance: units.money,
  },
  /** A position was given at the start of a scenario. */
  given_position: {
    account: units.accountId,
    instrument: units.instrumentId,
    change: units.lots,
    price: units.price9,
    /** Profit realized by reducing a position, in the settlement currency. */
    realized: units.money,
    /** Premium of an option; positive if received, negative if paid. */
    premium: unless(noMoney, units.money),
    /** Cash afterwards. */
    balance: units.money,
    position: units.lots,
  },
}

/** Codes of their records in the log. */
export const standingCodes = {
  request: 3,
  refusal: 4,
  account: 5,
  self_trading: 6,
  state: 7,
  instrument: 8,
  cash: 9,
  given_position: 10,
} as const satisfies { readonly [Family in keyof typeof standingFamilies]: number }
