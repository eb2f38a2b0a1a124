/**
 * Views of sessions, of the venue's maintenance and outages, and of the permissions and the profile of an account.
 * Views only read.
 */

import { type AccountId, type Micros, peekTime } from '../../../core/index.ts'
import {
  type AccountProfile,
  type ExchangeConfig,
  type GatewayId,
  type Permissions,
  type SessionKind,
  type TradingProduct,
  usualProfile,
} from '../../../model/index.ts'
import { accountRow, type Exchange, isIndexStale, isOfMember } from '../../state/index.ts'

/** An open session. */
interface SessionView {
  readonly type: SessionKind
  readonly gateway: GatewayId | null
  readonly schemaVersion: number
  readonly cancelOnDisconnect: boolean
  /** -1 before an account sends a request over it. */
  readonly account: number
  readonly mobile: boolean
}

/** An open session, or undefined. */
export function viewSession(exchange: Exchange, session: number): SessionView | undefined {
  const row = exchange.sessions.get(session)
  if (row === undefined) return undefined
  const { type, gateway, schemaVersion, cancelOnDisconnect, account } = row
  const mobile = exchange.mobile.sessions.has(session)
  return { type, gateway, schemaVersion, cancelOnDisconnect, account, mobile }
}

/** Numbers of the sessions that are or were open. */
export function openSessions({ sessions }: Exchange): readonly number[] {
  return [...sessions.keys()]
}

/** True if new sessions of an account start with cancel-on-disconnect. */
export function startsWithCancelOnDisconnect(exchange: Exchange, account: AccountId): boolean {
  return accountRow(exchange, account).standing.cancelOnDisconnect
}

/**
 * Permissions of an account in addition to placing orders; `member` of a subaccount is the permission of its main
 * account.
 */
export function permissionsOf(exchange: Exchange, account: AccountId): Permissions {
  const { permissions } = accountRow(exchange, account).standing
  return { ...permissions, member: isOfMember(exchange, account) }
}

/** Product groups that an account may not trade, in the order in which they were disabled. */
export function disabledProductsOf(exchange: Exchange, account: AccountId): readonly TradingProduct[] {
  return [...accountRow(exchange, account).standing.disabledProducts]
}

/** True while the venue is in maintenance. */
export function isInMaintenance(exchange: Exchange): boolean {
  return exchange.outages.isInMaintenance
}

/** True while public methods need a token. */
export function isPublicClosed(exchange: Exchange): boolean {
  return exchange.outages.isPublicClosed
}

/** True while an index publishes no value. */
export function isIndexOut(exchange: Exchange, index: string): boolean {
  return exchange.outages.indices.has(index)
}

/** Names of indices whose outage has lasted so long that trading on them is locked. */
export function staleIndices({ outages, now }: Exchange): readonly string[] {
  const stale = [...outages.indices].filter(([, outage]) => isIndexStale(outage, now))
  return stale.map(([index]) => index)
}

/** The profile of an account, or the default profile. */
export function profileOf(exchange: Exchange, account: AccountId): AccountProfile {
  return exchange.profiles.get(account) ?? usualProfile
}

/** The clock of an exchange, its settings, and its counters. */

/**
 * The virtual time.
 *
 * @example
 * const exchange = createExchange(defaultConfig(micros(0)), sinkOf({}))
 * console.log(timeOf(exchange)) // 0
 */
export function timeOf(exchange: Exchange): Micros {
  return exchange.now
}

/**
 * Returns the configuration of the exchange.
 *
 * @example
 * const exchange = createExchange(defaultConfig(micros(0)), sinkOf({}))
 * console.log(configOf(exchange).selfMatch) // reject_taker
 */
export function configOf(exchange: Exchange): ExchangeConfig {
  return exchange.config
}

/**
 * Returns the sequence number of the last command; 0 before the first one.
 *
 * @example
 * const venue = openVenue({ start: '2026-01-05T09:00:00Z', accounts: { ann: { BTC: 1 } } })
 * console.log(lastSequenceOf(venue.exchange)) // 2
 */
export function lastSequenceOf(exchange: Exchange): number {
  return exchange.lastSequence
}

/**
 * Returns the number of the last event; 0 before the first one.
 *
 * @example
 * const venue = openVenue({ start: '2026-01-05T09:00:00Z', accounts: { ann: { BTC: 1 } } })
 * console.log(eventCountOf(venue.exchange) > 0) // true
 */
export function eventCountOf(exchange: Exchange): number {
  return exchange.eventCount
}

/** The time of the next timer, in microseconds; infinite without a timer. Timers of connections are not included. */
export function nextDue(exchange: Exchange): number {
  return peekTime(exchange.timers)
}
