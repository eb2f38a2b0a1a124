/**
 * The row of a session: a connection that requests come over.
 *
 * Source: trading.md 10 (C49, C50); sessions-blocks-gateways.md 2.6, 8.2, 8.10; coverage R12.
 */
import { kept, orNull, plainUnit, type RowOf, rowUnit, units } from '../../core/index.ts'
import type { GatewayId, SessionKind } from '../../model/index.ts'

export const sessionFields = {
  session: kept.fixed(units.count),
  type: kept.fixed(plainUnit<SessionKind>('kind of session')),
  /** The account that it belongs to; of a WebSocket the one that asked over it first, -1 before. */
  account: kept.changing(units.row),
  /** Null for a WebSocket. */
  gateway: kept.fixed(plainUnit<GatewayId | null>('gateway')),
  schemaVersion: kept.fixed(units.count),
  /** Of a WebSocket: all that came over it ends with it; of direct access the floor of all its orders. */
  cancelOnDisconnect: kept.changing(units.flag),
  /** The request that opened it: orders before it came over an earlier session of that number. */
  since: kept.fixed(units.count),
  /** Time of its last request. */
  lastInbound: kept.changing(units.micros),
  /** The watch over its inactivity, of a WebSocket. */
  inactivity: kept.changing(orNull(units.timerId)),
}

/** A session that is open. */
export interface SessionRow extends RowOf<typeof sessionFields> {}

export const sessionUnit = rowUnit('session', sessionFields)
