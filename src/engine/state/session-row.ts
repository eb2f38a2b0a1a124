/**
 * The row of a session: a connection that requests come over.
 *
 * Source: trading.md 10 (C49, C50); sessions-blocks-gateways.md 2.6, 8.2, 8.10; coverage R12.
 */
import type { Micros, TimerId } from '../../core/index.ts'
import type { GatewayId, SessionKind } from '../../model/index.ts'

/** A session that is open. */
export interface SessionRow {
  readonly session: number
  readonly type: SessionKind
  /** Whose it is; of a WebSocket who asked over it first, -1 before. */
  account: number
  /** Null for a WebSocket. */
  readonly gateway: GatewayId | null
  readonly schemaVersion: number
  /** Of a WebSocket: whether all that came over it ends with it; of direct access the floor of all its orders. */
  cancelOnDisconnect: boolean
  /** The request that opened it: orders before it came over an earlier session of that number. */
  readonly since: number
  /** When its last request came. */
  lastInbound: Micros
  /** The watch over its inactivity, of a WebSocket. */
  inactivity: TimerId | null
}
