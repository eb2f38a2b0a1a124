/**
 * Sessions: connections that requests come over, as far as they decide what happens to orders.
 *
 * Source: trading.md 10 (C49, C50); sessions-blocks-gateways.md 2.6, 8.2, 8.10; coverage R12.
 */
import type { Micros, TimerId } from '../../core/index.ts'
import type { GatewayId, SessionKind } from '../../model/index.ts'
import type { Exchange } from './exchange.ts'

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

/** An open session, or undefined. */
export function sessionAt(exchange: Exchange, session: number): SessionRow | undefined {
  return exchange.sessions.get(session)
}

/** Whether an order came over a session that is open, and not over an earlier one of its number. */
export function isOver(
  { session, since }: SessionRow,
  order: { readonly session: number; readonly created: number },
): boolean {
  return order.session === session && order.created >= since
}

/** The session of what follows from an order: its own, while that is open (C49). */
export function heirSession(
  exchange: Exchange,
  order: { readonly session: number; readonly created: number },
): number {
  const row = order.session === 0 ? undefined : sessionAt(exchange, order.session)
  return row !== undefined && isOver(row, order) ? order.session : 0
}

/** Whether a request comes by direct access. */
export function isDirect(exchange: Exchange, session: number): boolean {
  return session !== 0 && sessionAt(exchange, session)?.type === 'direct_access'
}
