/**
 * The row of a session: a connection that requests come over.
 *
 * Source: trading.md 10 (C49, C50); sessions-blocks-gateways.md 2.6, 8.2, 8.10; coverage R12.
 */
import { changing, fixed, orNull, plainUnit, type RowOf, rowUnit, units } from '../../core/index.ts'
import type { GatewayId, SessionKind } from '../../model/index.ts'

export const sessionFields = {
  session: fixed(units.count),
  type: fixed(plainUnit<SessionKind>('kind of session')),
  /** The account that it belongs to; of a WebSocket the one that asked over it first, -1 before. */
  account: changing(units.row),
  /** Null for a WebSocket. */
  gateway: fixed(plainUnit<GatewayId | null>('gateway')),
  schemaVersion: fixed(units.count),
  /** True if all orders that came over a WebSocket end with it; of direct access, the floor of all its orders. */
  cancelOnDisconnect: changing(units.flag),
  /** The request that opened it: orders before it came over an earlier session of that number. */
  since: fixed(units.count),
  /** Time of its last request. */
  lastInbound: changing(units.micros),
  /** Timer of its inactivity: of a WebSocket and of direct access with heartbeats, unless a server counts it. */
  inactivity: changing(orNull(units.timerId)),
}

/** A session that is open. */
export interface SessionRow extends RowOf<typeof sessionFields> {}

export const sessionUnit = rowUnit('session', sessionFields)
