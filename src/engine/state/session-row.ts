/**
 * The row of a session: a connection over which requests come.
 *
 * Source: trading.md 10 (C49, C50); sessions-blocks-gateways.md 2.6, 8.2, 8.10; coverage R12.
 */
import { changing, fixed, orNull, plainUnit, type RowOf, rowUnit, units } from '../../core/index.ts'
import type { GatewayId, SessionKind } from '../../model/index.ts'

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
