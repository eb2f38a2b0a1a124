/**
 * The orders of an account that JSON-RPC shows: not those of direct access, and not new ones that wait behind the speed
 * bump. An order that was in its book and waits because of an amend is shown in its previous state.
 *
 * Rule: order.visibility. Source: sessions-blocks-gateways.md 8.2, 8.8; coverage R10.
 */
import type { AccountId, OrderId } from '../../../core/index.ts'
import { price9 } from '../../../core/index.ts'
import { type Instrument, type OrderFilter, originOf } from '../../../model/index.ts'
import { waitingAt } from '../../market/index.ts'
import { matches } from '../../requests/index.ts'
import {
  copyOfOrder,
  type Exchange,
  instrumentOf,
  orderAt,
  orderSlotOf,
  visitAccountOrders,
} from '../../state/index.ts'
import { lentView, type OrderView } from './order-views.ts'

/** A live order that JSON-RPC shows, or undefined. The caller must read it before the next command. */
export function seenOrder(exchange: Exchange, order: OrderId): OrderView | undefined {
  const slot = orderSlotOf(exchange, order)
  return slot < 0 ? undefined : seenSlot(exchange, slot)
}

/** The instrument of a live order that JSON-RPC shows, or undefined; a cancel needs nothing more. */
export function seenInstrument(exchange: Exchange, order: OrderId): Instrument | undefined {
  const slot = orderSlotOf(exchange, order)
  return slot >= 0 && isSeen(exchange, slot) ? instrumentOf(exchange, slot).instrument : undefined
}

/**
 * An account's live orders that match a filter and that JSON-RPC shows, in the order of creation (C14). The caller must
 * read them before the next command.
 */
export function seenOrders(exchange: Exchange, account: AccountId, filter: OrderFilter): readonly OrderView[] {
  const found: OrderView[] = []
  visitAccountOrders(exchange, account, (slot) => {
    if (!matches(exchange, orderAt(exchange, slot), filter)) return
    const view = seenSlot(exchange, slot)
    if (view !== undefined) found.push(view)
  })
  return found
}

function isSeen(exchange: Exchange, slot: number): boolean {
  if (originOf(orderAt(exchange, slot)) === 'direct_access') return false
  return waitingAt(exchange, slot)?.before !== null
}

function seenSlot(exchange: Exchange, slot: number): OrderView | undefined {
  if (!isSeen(exchange, slot)) return undefined
  const view = lentView(exchange, slot)
  const before = waitingAt(exchange, slot)?.before
  if (before == null) return view
  const { price, updatedAt, ...terms } = before
  return {
    ...view,
    order: { ...copyOfOrder(orderAt(exchange, slot)), ...terms },
    price: price9(price * view.instrument.tick9),
    updatedAt,
    rested: true,
  }
}
