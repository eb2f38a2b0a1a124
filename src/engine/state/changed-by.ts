/**
 * Adds to an order's change which direct-access message caused it: this decides whether the answer to that message
 * covers the change, and which sessions get a separate report. Events carry this, so that readers need no engine state.
 *
 * Source: sessions-blocks-gateways.md 8.6, 8.8.
 */
import type { ChangedBy, ConversionReason, OrderChange, OrderReason } from '../../model/index.ts'
import type { Asking } from './asking.ts'
import type { Exchange } from './exchange.ts'
import type { LiveOrder } from './live-order.ts'
import { mmpGroupAt } from './mmp-groups.ts'

/** Returns the cause of an order's change if the rest of its event does not show it; null for most changes. */
export function changedBy(
  exchange: Exchange,
  order: LiveOrder,
  { change, reason }: { readonly change: OrderChange; readonly reason: OrderReason | null },
): ChangedBy | null {
  const { extras, session } = order
  if (extras === null || extras.direct === null) return null
  const { asking } = exchange
  if (change === 'edited') return foreign(asking, session)
  if (change !== 'cancelled' || reason === null) return null
  switch (reason) {
    case 'user_request':
      return namesOrders(asking) ? foreign(asking, session) : { isBulk: true }
    case 'edit_post_only_reject':
      return foreign(asking, session)
    case 'mmp_config_curtailment': {
      const group = extras.mmp === null ? null : mmpGroupAt(exchange, extras.mmp.group)
      return group?.config === null ? { isGroupGone: true } : null
    }
    default:
      return null
  }
}

/**
 * Returns the request that asked to cancel a waiting order of direct access; null if no request asked, or if its own
 * session asked without a correlation id.
 */
export function askedConversion(
  { asking }: Exchange,
  { extras, session }: LiveOrder,
  reason: ConversionReason | null,
): ChangedBy | null {
  if (extras === null || extras.direct === null || reason !== 'user_request') return null
  if (asking === null || !isCancel(asking)) return { isBulk: true }
  const { correlationId } = asking
  if (asking.session !== session) return foreign(asking, session)
  return correlationId === null ? null : { correlationId }
}

/** Returns the message if it came over another session than the order's; null otherwise. */
function foreign(asking: Asking | null, session: number): ChangedBy | null {
  if (asking === null || asking.session === session) return null
  const { session: by, correlationId } = asking
  return correlationId === null ? { session: by } : { session: by, correlationId }
}

/** True if the answer to the message lists each order that it cancels. */
function namesOrders(asking: Asking | null): boolean {
  return asking !== null && (isCancel(asking) || asking.message === 'MassQuoteRequest')
}

function isCancel({ message }: Asking): boolean {
  return message === 'CancelOrderRequest' || message === 'CancelOrderByIdRequest'
}
