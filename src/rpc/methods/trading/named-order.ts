/**
 * The order that a wire id names, and whether one may see it. Unknown ids are 10004, orders of others
 * 10029 (C28). Source: trading.md 6.10; coverage R08.
 */
import { type AccountId, type OrderId, orderId } from '../../../core/index.ts'
import { allInstruments, type OrderView, seenOrder, viewOrder } from '../../../engine/index.ts'
import { type Fault, originOf, validationStep } from '../../../model/index.ts'
import { namesakes, orderIdIn, orderIdOut } from '../../wire/index.ts'
import type { ReadContext } from '../method.ts'

/** What a wire id names. */
export interface NamedOrder {
  /** 0, which no order has, where the text names none. */
  readonly order: OrderId
  /** The order where it is live. */
  readonly view: OrderView | undefined
  /** An order that has ended and was of another account; who owns a live one, the engine tells. */
  readonly fault: Fault | null
}

/**
 * The order a wire id names: another prefix or another form names another order, which does not exist.
 * An order that the history has forgotten is left to the engine, which knows by its number that it
 * has ended.
 */
export function namedOrder({ exchange, history, account }: ReadContext, text: string): NamedOrder {
  const order = orderIdIn(text)
  if (order === undefined) return noOrder
  const view = seenOrder(exchange, order)
  // What JSON-RPC does not see is as good as not there (R10).
  if (view === undefined && viewOrder(exchange, order) !== undefined) return noOrder
  if (view !== undefined) {
    return orderIdOut(view.instrument, order) === text ? { order, view, fault: null } : noOrder
  }
  const ended = history.orders.get(order)
  if (ended !== undefined && originOf(ended) === 'direct_access') return noOrder
  if (ended === undefined) {
    const taken = namesakes(order).some(
      (other) => history.orders.has(other) || viewOrder(exchange, other) !== undefined,
    )
    return taken ? noOrder : { order, view, fault: null }
  }
  const instrument = allInstruments(exchange)[ended.instrument]
  if (instrument === undefined || orderIdOut(instrument, order) !== text) return noOrder
  return { order, view, fault: ended.account === account ? null : foreignOrder }
}

/** Why an account may not see the order that a wire id names, or null. */
export function orderFault(
  context: ReadContext,
  text: string,
  account: AccountId | -1 = context.account,
): Fault | null {
  const { order, view } = namedOrder(context, text)
  const owner = view?.account ?? context.history.orders.get(order)?.account
  if (owner === undefined) return unknownOrder
  return owner === account ? null : foreignOrder
}

/** No order has that id or label. */
export const unknownOrder: Fault = {
  step: validationStep.instrument,
  refusal: { reason: 'order_not_found' },
}

const noOrder: NamedOrder = { order: orderId(0), view: undefined, fault: null }

const foreignOrder: Fault = {
  step: validationStep.instrument,
  refusal: { reason: 'not_owner_of_order' },
}
