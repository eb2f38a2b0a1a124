/**
 * Cancels: one order by id, or all of an account's orders that match a filter, in the order of their
 * creation. Source: trading.md 4.4, 4.5, C12, C28; coverage R43, R69.
 */
import { NO_SLOT, ownerOf } from '../../book/index.ts'
import {
  type CancelOrder,
  type CancelOrders,
  type CancelReason,
  currencyOfId,
  type EditOrder,
  numberOfId,
  type Order,
  type OrderFilter,
  validationStep,
} from '../../model/index.ts'
import { emitOrder, type Turn } from '../emit.ts'
import { leaveBook } from '../matching/resting.ts'
import type { Exchange } from '../state/exchange.ts'
import { holdingOfOrder, refreshMargin } from '../state/holdings.ts'
import {
  closeOrder,
  instrumentOf,
  orderAt,
  rowOfInstrument,
  slotOf,
  visitAccountOrders,
} from '../state/orders.ts'
import { pass, refuse, type Verdict } from '../verdict.ts'

/**
 * Finds a live order of the asking account: unknown ids are `order_not_found`, orders of others
 * `not_owner_of_order`, and an order that has ended is what the caller names (C28).
 */
export function findOwnOrder(
  exchange: Exchange,
  command: CancelOrder | EditOrder,
  ended: 'already_closed' | 'not_open_order',
): Verdict<number> {
  const { order } = command
  const slot = slotOf(exchange, order)
  if (slot === NO_SLOT) {
    const number = numberOfId(order)
    const used = exchange.orderNumbers[currencyOfId(order)] as number
    const known = number >= 1 && number <= used
    return refuse(validationStep.instrument, { reason: known ? ended : 'order_not_found' })
  }
  if (ownerOf(exchange.slots, slot) !== command.account) {
    return refuse(validationStep.instrument, { reason: 'not_owner_of_order' })
  }
  return pass(slot)
}

/** Checks a cancel; reads only. Cancels are refused where the book's state allows none (C22). */
export function checkCancel(exchange: Exchange, command: CancelOrder): Verdict<number> {
  const found = findOwnOrder(exchange, command, 'not_open_order')
  if (!found.ok) return found
  const { state } = instrumentOf(exchange, found.plan)
  if (state === 'open' || state === 'locked') return found
  const reason = state === 'settlement' ? 'settlement_in_progress' : 'book_closed'
  return refuse(validationStep.bookState, { reason })
}

/** Cancels the order in a slot. */
export function commitCancel(turn: Turn, _command: CancelOrder, slot: number): number {
  cancelOrder(turn, slot, 'user_request')
  return 1
}

/** Takes a resting order out of its book and ends it. */
export function cancelOrder(turn: Turn, slot: number, reason: CancelReason): void {
  const { exchange } = turn
  const owner = holdingOfOrder(exchange, slot)
  const { row } = owner
  leaveBook(turn, row, slot)
  emitOrder(turn, row, slot, { kind: 'order_cancelled', state: 'cancelled', rested: true, reason })
  closeOrder(exchange, slot)
  refreshMargin(exchange, owner)
}

/** A bulk cancel of nothing is no error (R69). */
export function checkCancelAll(_exchange: Exchange, command: CancelOrders): Verdict<OrderFilter> {
  return pass(command.filter)
}

/** Rule: order.bulk-cancel. Cancels all that match, in the order of creation (C12). */
export function commitCancelAll(turn: Turn, command: CancelOrders, filter: OrderFilter): number {
  const { exchange } = turn
  let count = 0
  visitAccountOrders(exchange, command.account, (slot) => {
    if (!matches(exchange, orderAt(exchange, slot), filter)) return
    const { state } = instrumentOf(exchange, slot)
    if (state !== 'open' && state !== 'locked') return
    cancelOrder(turn, slot, 'user_request')
    count += 1
  })
  return count
}

/** Whether an order passes a filter; a spot order belongs to base and quote (R43). */
export function matches(exchange: Exchange, order: Order, filter: OrderFilter): boolean {
  const { instrument, base } = rowOfInstrument(exchange, order.instrument)
  if (filter.label !== null && order.label !== filter.label) return false
  if (filter.instrument !== null && order.instrument !== filter.instrument) return false
  if (filter.kind !== null && instrument.kind !== filter.kind) return false
  if (filter.currency === null || instrument.settlementCurrency === filter.currency) return true
  return base >= 0 && instrument.baseCurrency === filter.currency
}
