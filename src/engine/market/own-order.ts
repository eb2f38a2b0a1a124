/**
 * The order that a request to cancel or to edit names.
 *
 * Source: trading.md 4.4, C28; sessions document 8.2.
 */
import { NO_SLOT, ownerOf } from '../../book/index.ts'
import {
  type CancelOrder,
  currencyOfId,
  type EditOrder,
  NO_SESSION,
  numberOfId,
  validationStep,
} from '../../model/index.ts'
import { type Exchange, isRareAt, orderAt, orderSlotOf, pass, refuse, type Verdict } from '../state/index.ts'
import { isSeen } from './direct-checks.ts'

/**
 * Finds a live order of the asking account: unknown ids are `order_not_found`, orders of others
 * `not_owner_of_order`, and an order that has ended is what the caller names (C28). Orders of direct access
 * and those of JSON-RPC do not know each other (8.2).
 */
export function findOwnOrder(
  exchange: Exchange,
  command: CancelOrder | EditOrder,
  ended: 'already_closed' | 'not_open_order',
): Verdict<number> {
  const { order } = command
  const slot = orderSlotOf(exchange, order)
  if (slot === NO_SLOT) {
    const number = numberOfId(order)
    const used = exchange.orderNumbers[currencyOfId(order)] as number
    const known = number >= 1 && number <= used
    return refuse(validationStep.instrument, { reason: known ? ended : 'order_not_found' })
  }
  if (ownerOf(exchange.slots, slot) !== command.account) {
    return refuse(validationStep.instrument, { reason: 'not_owner_of_order' })
  }
  const isUsual = command.session === NO_SESSION && !isRareAt(exchange.orders, slot)
  if (!isUsual && !isSeen(exchange, command.session, orderAt(exchange, slot))) {
    return refuse(validationStep.instrument, { reason: 'order_not_found' })
  }
  return pass(slot)
}
