/**
 * Checks of direct access before anybody looks at an order: its portfolio may trade that way and is not locked, and its
 * instrument is on the session's gateway pair.
 *
 * Source: sessions-blocks-gateways.md 8.1, 8.2, 8.7 (order of the checks), 8.14; S298-S301.
 */
import { type EditOrder, gatewayPairOf, type Order, type Refusal } from '../../model/index.ts'
import { accountRow, type Exchange, type InstrumentRow, isDirect, isOfMember, sessionAt } from '../state/index.ts'

/**
 * Why a portfolio may place or change nothing by direct access: it is not of a Member, or staff locked it (10), its
 * owner did (26), or what it asks for shows only a part of itself while that is switched off (31). A lock of
 * positions takes nothing here, since no order of direct access is reduce-only (R52).
 */
export function portfolioRefusal(
  exchange: Exchange,
  account: number,
  asks: { readonly isAlgo: boolean },
): Refusal | null {
  if (!isOfMember(exchange, account)) return { reason: 'forbidden' }
  const { locks, isPortfolioLocked } = accountRow(exchange, account).standing
  if (locks.has('portfolio_margin')) {
    return { reason: 'portfolio_margin_lock' }
  }
  if (locks.has('positions')) return { reason: 'position_lock' }
  if (isPortfolioLocked) {
    return { reason: 'portfolio_locked' }
  }
  const isBarred = asks.isAlgo && exchange.venue.isAlgoCancelOnly
  return isBarred ? { reason: 'cancel_only' } : null
}

/** Rule: direct.routing. An instrument is reached over the gateway pair that its book is on (8.1). */
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
 * Why direct access may not amend an order: it is on another gateway pair, or it would show only a part
 * of itself, or more be behind that part, while that is switched off (8.7: amends down still work).
 */
export function amendRefusal(
  exchange: Exchange,
  { session, amount, display }: Pick<EditOrder, 'session' | 'amount' | 'display'>,
  { row, order }: { readonly row: InstrumentRow; readonly order: Pick<Order, 'amount' | 'display'> },
): Refusal | null {
  const astray = routingRefusal(exchange, session, row)
  if (astray !== null) return astray
  const shown = display ?? order.display
  const isMore = (amount ?? order.amount) > order.amount || order.display === 0
  const isBarred = exchange.venue.isAlgoCancelOnly && shown > 0 && isMore
  return isBarred ? { reason: 'cancel_only' } : null
}

/** True if an order may be touched over a session: each sees what came the same way (8.2). */
export function isSeen(
  exchange: Exchange,
  session: number,
  order: { readonly extras: { readonly direct: object | null } | null },
): boolean {
  return isDirect(exchange, session) === (order.extras?.direct != null)
}
