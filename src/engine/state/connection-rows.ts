/**
 * The row of a session: a connection over which requests come.
 *
 * Source: trading.md 10 (C49, C50); sessions-blocks-gateways.md 2.6, 8.2, 8.10; coverage R12.
 */

import {
  changing,
  fixed,
  mapOf,
  orderlessSetOf,
  orNull,
  plainUnit,
  type RowOf,
  rowUnit,
  setOf,
  units,
} from '../../core/index.ts'
import {
  type AccountProfile,
  type GatewayId,
  type KeyTerms,
  keySettings,
  profileSettings,
  type SessionKind,
  settingFields,
} from '../../model/index.ts'

/** Mobile devices of an exchange. */
interface MobileState extends RowOf<typeof mobileFields> {}

/** A key of an account. */
export interface KeyRow extends RowOf<typeof keyFields> {}

export const sessionFields = {
  session: fixed(units.count),
  type: fixed(plainUnit<SessionKind>('kind of session')),
  /** The account of the session. A WebSocket gets the account of its first request, and has -1 before. */
  account: changing(units.row),
  /** Null for a WebSocket. */
  gateway: fixed(plainUnit<GatewayId | null>('gateway')),
  schemaVersion: fixed(units.count),
  /**
   * For a WebSocket, true if all orders that came over it end with it. For direct access, true if all its orders end
   * with it; otherwise each order decides for itself.
   */
  cancelOnDisconnect: changing(units.flag),
  /**
   * The request that opened it. Orders created before that request came over an earlier session with the same number.
   */
  since: fixed(units.count),
  /** Time of its last request. */
  lastInbound: changing(units.micros),
  /**
   * The timer for inactivity of a WebSocket or a direct-access session with heartbeats; null if a server measures it.
   */
  inactivity: changing(orNull(units.timerId)),
}

/** An open session. */
export interface SessionRow extends RowOf<typeof sessionFields> {}

export const sessionUnit = rowUnit('session', sessionFields)

/**
 * The row of mobile devices: their open sessions, and the signatures and quotes from these sessions that may still
 * create orders (`sessions.ts`).
 */

export const mobileFields = {
  /** Open sessions, by number. */
  sessions: fixed(orderlessSetOf(units.count)),
  /** Keys of signatures and quotes that may still create orders. */
  asks: fixed(setOf(units.text)),
}

export const mobileUnit = rowUnit('mobile devices', mobileFields)

/** Mobile devices of a new exchange. */
export function freshMobile(): MobileState {
  return { sessions: new Set(), asks: new Set() }
}

/**
 * Keys of accounts: rights, features, and the name of the application that sends requests with the key. Requests name a
 * key after its account: `maker/desk`. The account's own key has the empty name, and has a row only if it was changed.
 *
 * Source: sessions-blocks-gateways.md 2.3, 4.7.
 */

export const keyFields = {
  account: fixed(units.row),
  name: fixed(units.text),
  ...settingFields<KeyTerms, true>(keySettings, fixed),
  /** Number of the request that created it, unique among the keys of a run. */
  id: fixed(units.count),
  createdAt: fixed(units.micros),
  title: fixed(plainUnit<string | null>('text or null')),
  /** Number of the request that set its secret; 0 for the secret that follows from its name. */
  secret: fixed(units.count),
  /** Number of the last request that changed its secret, rights, addresses or `enabled`; 0 before the first. */
  changed: fixed(units.count),
}

/** Keys by account and name (`keyOf`). */
export const keysUnit = mapOf(units.text, rowUnit('key', keyFields))

/** The map key of a key among the keys of all accounts. */
export function keyOf(account: number, name: string): string {
  return `${account}/${name}`
}

/**
 * Rows of profiles: settings that owners chose for their accounts. A change of a profile replaces its row. Source:
 * coverage R56.
 */

export const profileFields = settingFields<AccountProfile, true>(profileSettings, fixed)

/** Profiles by account, for accounts with any chosen setting. */
export const profilesUnit = mapOf(units.row, rowUnit('profile', profileFields))
