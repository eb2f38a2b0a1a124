/**
 * The order that a wire id names, and whether one may see it. Unknown ids are 10004, orders of others
 * 10029 (C28). Source: trading.md 6.10; coverage R08.
 */
import { type AccountId, type OrderId, orderId } from '../../../core/index.ts'
import { allInstruments, type OrderView, seenInstrument, seenOrder, viewOrder } from '../../../engine/index.ts'
import { type Fault, type Instrument, originOf, validationStep } from '../../../model/index.ts'
import { namesakes, orderIdIn, orderIdOut } from '../../wire/index.ts'
import type { ReadContext } from '../method.ts'

/** The order that a wire id names. */
export interface NamedOrder {
  /** 0, which no order has, where the text names none. */
  readonly order: OrderId
  /** Its instrument where it is live. */
  readonly instrument: Instrument | undefined
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
  const live = seenInstrument(exchange, order)
  if (live !== undefined) {
    return orderIdOut(live, order) === text ? { order, instrument: live, fault: null } : noOrder
  }
  // What JSON-RPC does not see is as good as not there (R10).
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

/** The order that a wire id names, as JSON-RPC sees it where it is live. */
export function viewNamed(
  context: ReadContext,
  text: string,
): Omit<NamedOrder, 'instrument'> & { readonly view: OrderView | undefined } {
  const { order, instrument, fault } = namedOrder(context, text)
  const view = instrument === undefined ? undefined : seenOrder(context.exchange, order)
  return { order, view, fault }
}

/** Why an account may not see the order that a wire id names, or null. */
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

/** No order has that id or label. */
export const unknownOrder: Fault = {
  step: validationStep.instrument,
  refusal: { reason: 'order_not_found' },
}

const noOrder: NamedOrder = { order: orderId(0), instrument: undefined, fault: null }

const foreignOrder: Fault = {
  step: validationStep.instrument,
  refusal: { reason: 'not_owner_of_order' },
}
