/**
 * Sessions: connections over which requests come. This part of them affects orders.
 *
 * Source: trading.md 10 (C49, C50); sessions-blocks-gateways.md 2.6, 8.2, 8.10; coverage R12.
 */
import type { Exchange } from './exchange.ts'
import type { SessionRow } from './session-row.ts'

/** An open session, or undefined. */
export function sessionAt(exchange: Exchange, session: number): SessionRow | undefined {
  return exchange.sessions.get(session)
}

/** True if an order came over this open session, and not over an earlier session with the same number. */
export function isOver(
  { session, since }: SessionRow,
  order: { readonly session: number; readonly created: number },
): boolean {
  return order.session === session && order.created >= since
}

/** The session of orders that follow from an order: the order's own session if it is still open, otherwise 0 (C49). */
export function heirSession(exchange: Exchange, order: { readonly session: number; readonly created: number }): number {
  const row = order.session === 0 ? undefined : sessionAt(exchange, order.session)
  return row !== undefined && isOver(row, order) ? order.session : 0
}

/** True if a request came by direct access. */
export function isDirect(exchange: Exchange, session: number): boolean {
  return session !== 0 && sessionAt(exchange, session)?.type === 'direct_access'
}
