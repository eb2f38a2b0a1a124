/**
 * Checks of direct access before anybody looks at an order: its session is open and its own, neither its message nor
 * its gateway is switched off, its portfolio may trade that way and is not locked, and its instrument is on the
 * session's gateway pair.
 *
 * Source: sessions-blocks-gateways.md 8.1, 8.2, 8.7 (order of the checks), 8.11, 8.14; S298-S301, S307.
 */
import {
  type DirectMessage,
  type EditOrder,
  type Fault,
  gatewayPairOf,
  type Order,
  type Refusal,
  type ValidationStep,
  validationStep,
} from '../../model/index.ts'
import {
  accountRow,
  type Exchange,
  type InstrumentRow,
  isDirect,
  isOfMember,
  sessionAt,
} from '../state/index.ts'

const step = validationStep

/** Who asks, and over which session. */
interface Asker {
  readonly account: number
  readonly session: number
}

/**
 * Rule: direct.messages. What refuses a message whatever it says: a session that is not one of direct access
 * of its account, a message that is switched off (5), a gateway that is not active (6).
 */
export function messageFault(
  exchange: Exchange,
  { account, session }: Asker,
  message: DirectMessage,
): Fault | null {
  const row = sessionAt(exchange, session)
  if (row === undefined || !isDirect(exchange, session) || row.account !== account) {
    const problem = 'not_own_direct_session'
    return fault(step.envelope, { reason: 'invalid_params', param: 'session', problem })
  }
  const { venue } = exchange
  if (venue.disabledMessages.has(message)) {
    return fault(step.envelope, { reason: 'message_disabled' })
  }
  const isActive = row.gateway === null || !venue.inactiveGateways.has(row.gateway)
  return isActive ? null : fault(step.envelope, { reason: 'gateway_not_active' })
}

/**
 * Why a portfolio may place or change nothing by direct access: it is not of a Member, or staff locked it (10), its
 * owner did (26), or what it asks for shows only a part of itself while that is switched off (31). A lock of
 * positions takes nothing here, since no order of direct access is reduce-only (R52).
 */
export function portfolioFault(
  exchange: Exchange,
  account: number,
  asks: { readonly isAlgo: boolean },
): Fault | null {
  if (!isOfMember(exchange, account)) return fault(step.parameters, { reason: 'forbidden' })
  const { locks, isPortfolioLocked } = accountRow(exchange, account).standing
  if (locks.has('portfolio_margin')) {
    return fault(step.parameters, { reason: 'portfolio_margin_lock' })
  }
  if (locks.has('positions')) return fault(step.parameters, { reason: 'position_lock' })
  if (isPortfolioLocked) {
    return fault(step.parameters, { reason: 'portfolio_locked' })
  }
  const isBarred = asks.isAlgo && exchange.venue.isAlgoCancelOnly
  return isBarred ? fault(step.parameters, { reason: 'cancel_only' }) : null
}

/** Rule: direct.routing. An instrument is reached over the gateway pair that its book is on (8.1). */
export function routingFault(
  exchange: Exchange,
  session: number,
  row: InstrumentRow | undefined,
): Fault | null {
  const gateway = sessionAt(exchange, session)?.gateway ?? null
  const isThere =
    row !== undefined &&
    gateway !== null &&
    row.instrument.engine === 'alt' &&
    row.instrument.gateway === gatewayPairOf(gateway)
  return isThere ? null : fault(step.instrument, { reason: 'invalid_or_unsupported_instrument' })
}

/**
 * Why direct access may not amend an order: it is on another gateway pair, or it would show only a part
 * of itself, or more be behind that part, while that is switched off (8.7: amends down still work).
 */
export function amendFault(
  exchange: Exchange,
  { session, amount, display }: Pick<EditOrder, 'session' | 'amount' | 'display'>,
  {
    row,
    order,
  }: { readonly row: InstrumentRow; readonly order: Pick<Order, 'amount' | 'display'> },
): Fault | null {
  const astray = routingFault(exchange, session, row)
  if (astray !== null) return astray
  const shown = display ?? order.display
  const isMore = (amount ?? order.amount) > order.amount || order.display === 0
  const isBarred = exchange.venue.isAlgoCancelOnly && shown > 0 && isMore
  return isBarred ? fault(step.parameters, { reason: 'cancel_only' }) : null
}

/** True if an order may be touched over a session: each sees what came the same way (8.2). */
export function isSeen(
  exchange: Exchange,
  session: number,
  order: { readonly extras: { readonly direct: object | null } | null },
): boolean {
  return isDirect(exchange, session) === (order.extras?.direct != null)
}

function fault(at: ValidationStep, refusal: Refusal): Fault {
  return { step: at, refusal }
}
