/**
 * The order named by a request to cancel or to edit.
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
 * Finds a live order of the requesting account. An unknown id is refused with `order_not_found`, an order of another
 * account with `not_owner_of_order`, and an ended order with the caller's `ended` (C28). Direct access cannot find
 * orders of JSON-RPC, and JSON-RPC cannot find those of direct access (8.2).
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
