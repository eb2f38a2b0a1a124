/**
 * The part of the message of direct access at work in the changes of orders: which of them its answer tells, and who is
 * told of the others. Events carry it, so that nobody has to ask the state later.
 *
 * Source: sessions-blocks-gateways.md 8.6, 8.8.
 */
import type { ChangedBy, ConversionReason, OrderChange, OrderReason } from '../../model/index.ts'
import type { Asking } from './asking.ts'
import type { Exchange } from './exchange.ts'
import type { LiveOrder } from './live-order.ts'
import { mmpGroupAt } from './mmp-groups.ts'

/** Tells what is behind a change of an order, as far as nothing else in its event says so; null of most. */
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

/** Who asked that an order which waits be cancelled; null for its own session, and where nobody did. */
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

/** The message over another session than that of an order; null of all others. */
function foreign(asking: Asking | null, session: number): ChangedBy | null {
  if (asking === null || asking.session === session) return null
  const { session: by, correlationId } = asking
  return correlationId === null ? { session: by } : { session: by, correlationId }
}

/** True of messages whose answer tells of each order that they cancel. */
function namesOrders(asking: Asking | null): boolean {
  return asking !== null && (isCancel(asking) || asking.message === 'MassQuoteRequest')
}

function isCancel({ message }: Asking): boolean {
  return message === 'CancelOrderRequest' || message === 'CancelOrderByIdRequest'
}
