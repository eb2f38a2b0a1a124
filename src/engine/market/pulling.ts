/**
 * Cancels orders on behalf of their owner, a protection, or a session that ends.
 */
import type { CancelReason, ConversionReason } from '../../model/index.ts'
import { type LiveOrder, orderAt, stageAt, type Turn, visitAccountOrders } from '../state/index.ts'
import { endOrder, isStill } from './ending.ts'
import { convertWaiting } from './waiting.ts'

/** Result of a cancel: an order behind the speed bump becomes immediate-or-cancel and continues to wait. */
export type Pulled = 'cancelled' | 'converted'

/** Cancels a live order and the orders that depend on it. An order behind the speed bump continues to wait. */
export function pullOrder(turn: Turn, slot: number, reason: CancelReason & ConversionReason): Pulled {
  if (stageAt(turn.exchange.orders, slot) === 'bumped') {
    convertWaiting(turn, slot, reason)
    return 'converted'
  }
  endOrder(turn, slot, reason)
  return 'cancelled'
}

/**
 * Cancels the orders of an account that `isMeant` selects, in the order of their creation. Returns the number of orders
 * that ended; orders behind the speed bump continue to wait.
 */
export function pullWhere(
  turn: Turn,
  of: {
    readonly account: number
    readonly reason: CancelReason & ConversionReason
    readonly isMeant: (order: LiveOrder) => boolean
  },
): number {
  const { exchange } = turn
  const meant: { readonly slot: number; readonly id: number }[] = []
  visitAccountOrders(exchange, of.account, (slot) => {
    const order = orderAt(exchange, slot)
    if (of.isMeant(order)) meant.push({ slot, id: order.id })
  })
  const before = exchange.slots.used
  for (const { slot, id } of meant) {
    if (isStill(exchange, slot, id)) pullOrder(turn, slot, of.reason)
  }
  return before - exchange.slots.used
}
