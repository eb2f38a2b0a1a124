/**
 * Taking an order back, whoever wants it gone: its owner, a protection, a session that ends.
 */
import type { CancelReason, ConversionReason } from '../../model/index.ts'
import { type LiveOrder, orderAt, stageAt, type Turn, visitAccountOrders } from '../state/index.ts'
import { endOrder, isStill } from './ending.ts'
import { convertWaiting } from './waiting.ts'

/** Fate of an order that was to go: behind the speed bump it waits on as immediate-or-cancel. */
export type Pulled = 'cancelled' | 'converted'

/** Cancels a live order, and what ends with it; behind the speed bump it waits on. */
export function pullOrder(turn: Turn, slot: number, reason: CancelReason & ConversionReason): Pulled {
  if (stageAt(turn.exchange.orders, slot) === 'bumped') {
    convertWaiting(turn, slot, reason)
    return 'converted'
  }
  endOrder(turn, slot, reason)
  return 'cancelled'
}

/**
 * Pulls the orders of an account that are meant, in the order of their creation. Returns how many went; those
 * behind the speed bump wait on.
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
