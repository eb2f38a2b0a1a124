/**
 * Checks of direct access before any check of the order itself: its portfolio may trade that way and is not locked, and
 * its instrument is on the session's gateway pair.
 *
 * Source: sessions-blocks-gateways.md 8.1, 8.2, 8.7 (order of the checks), 8.14; S298-S301.
 */
import { type EditOrder, gatewayPairOf, type Order, type Refusal } from '../../model/index.ts'
import { accountRow, type Exchange, type InstrumentRow, isDirect, isOfMember, sessionAt } from '../state/index.ts'

/**
 * The reason why a portfolio may not place or change an order by direct access, or null: it does not belong to a Member
 * or staff locked it (10), its owner locked it (26), or the order is an iceberg while icebergs are switched off (31). A
 * lock of positions refuses all orders here, since no order of direct access is reduce-only (R52).
 */
export function portfolioRefusal(exchange: Exchange, account: number, isAlgo: boolean): Refusal | null {
  if (!isOfMember(exchange, account)) return { reason: 'forbidden' }
  const { locks, isPortfolioLocked } = accountRow(exchange, account).standing
  if (locks.has('portfolio_margin')) {
    return { reason: 'portfolio_margin_lock' }
  }
  if (locks.has('positions')) return { reason: 'position_lock' }
  if (isPortfolioLocked) {
    return { reason: 'portfolio_locked' }
  }
  const isBarred = isAlgo && exchange.venue.isAlgoCancelOnly
  return isBarred ? { reason: 'cancel_only' } : null
}

/** Rule: direct.routing. A session reaches only the instruments whose book is on its gateway pair (8.1). */
export function routingRefusal(exchange: Exchange, session: number, row: InstrumentRow | undefined): Refusal | null {
  const gateway = sessionAt(exchange, session)?.gateway ?? null
  const isThere =
    row !== undefined &&
    gateway !== null &&
    row.instrument.engine === 'alt' &&
    row.instrument.gateway === gatewayPairOf(gateway)
  return isThere ? null : { reason: 'invalid_or_unsupported_instrument' }
}

/**
 * The reason why direct access may not amend an order, or null: it is on another gateway pair; or, while icebergs are
 * switched off, it would become an iceberg or its hidden part would grow (8.7: amends down still work).
 */
export function amendRefusal(
  exchange: Exchange,
  command: Pick<EditOrder, 'session' | 'amount' | 'display'>,
  row: InstrumentRow,
  order: Pick<Order, 'amount' | 'display'>,
): Refusal | null {
  const refusal = routingRefusal(exchange, command.session, row)
  if (refusal !== null) return refusal
  const shown = command.display ?? order.display
  const isMore = (command.amount ?? order.amount) > order.amount || order.display === 0
  const isBarred = exchange.venue.isAlgoCancelOnly && shown > 0 && isMore
  return isBarred ? { reason: 'cancel_only' } : null
}

/** True if a session may change an order: direct access and JSON-RPC each see only their own orders (8.2). */
export function isSeen(
  exchange: Exchange,
  session: number,
  order: { readonly extras: { readonly direct: object | null } | null },
): boolean {
  return isDirect(exchange, session) === (order.extras?.direct != null)
}
