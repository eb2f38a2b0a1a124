/**
 * The order that a wire id names, and whether an account may see it. Unknown ids are 10004, orders of other accounts
 * 10029 (C28). Source: trading.md 6.10; coverage R08.
 */

import { type AccountId, type OrderId, orderId } from '../../../core/index.ts'
import { allInstruments, type OrderView, seenInstrument, seenOrder, viewOrder } from '../../../engine/index.ts'
import { type Fault, type Instrument, originOf, validationStep } from '../../../model/index.ts'
import { namesakes, orderIdIn, orderIdOut } from '../../wire/index.ts'
import type { ReadContext } from '../method.ts'

/** The order that a wire id names. */
interface NamedOrder {
  /** The order id; 0, which no order has, if the text names no order. */
  readonly order: OrderId
  /** The instrument of a live order. */
  readonly instrument: Instrument | undefined
  /** The fault of an ended order of another account. For live orders the engine checks the owner. */
  readonly fault: Fault | null
}

/**
 * The order that a wire id names. A wrong prefix or form names another order, which does not exist. An order that the
 * history has dropped passes, because the engine knows from its number that it has ended.
 */
export function namedOrder({ exchange, history, account }: ReadContext, text: string): NamedOrder {
  const order = orderIdIn(text)
  if (order === undefined) return noOrder
  const live = seenInstrument(exchange, order)
  if (live !== undefined) {
    return orderIdOut(live, order) === text ? { order, instrument: live, fault: null } : noOrder
  }
  // Orders that JSON-RPC cannot see count as missing (R10).
  if (viewOrder(exchange, order) !== undefined) return noOrder
  const ended = history.orders.get(order)
  if (ended !== undefined && originOf(ended) === 'direct_access') return noOrder
  if (ended === undefined) {
    const taken = namesakes(order).some(
      (other) => history.orders.has(other) || viewOrder(exchange, other) !== undefined,
    )
    return taken ? noOrder : { order, instrument: undefined, fault: null }
  }
  const instrument = allInstruments(exchange)[ended.instrument]
  if (instrument === undefined || orderIdOut(instrument, order) !== text) return noOrder
  const fault = ended.account === account ? null : foreignOrder
  return { order, instrument: undefined, fault }
}

/** The order that a wire id names, with its view if it is live and JSON-RPC can see it. */
export function viewNamed(
  context: ReadContext,
  text: string,
): Omit<NamedOrder, 'instrument'> & { readonly view: OrderView | undefined } {
  const { order, instrument, fault } = namedOrder(context, text)
  const view = instrument === undefined ? undefined : seenOrder(context.exchange, order)
  return { order, view, fault }
}

/** The fault of an account that may not see the order of a wire id, or null. */
export function orderFault(
  context: ReadContext,
  text: string,
  account: AccountId | -1 = context.account,
): Fault | null {
  const { order, view } = viewNamed(context, text)
  const owner = view?.account ?? context.history.orders.get(order)?.account
  if (owner === undefined) return unknownOrder
  return owner === account ? null : foreignOrder
}

/** The fault of an unknown id or label. */
export const unknownOrder: Fault = {
  step: validationStep.instrument,
  refusal: { reason: 'order_not_found' },
}

const noOrder: NamedOrder = { order: orderId(0), instrument: undefined, fault: null }

const foreignOrder: Fault = {
  step: validationStep.instrument,
  refusal: { reason: 'not_owner_of_order' },
}
