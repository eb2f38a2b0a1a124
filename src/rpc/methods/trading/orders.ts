/**
 * private/get_open_orders and get_order_state. Source: trading.md 4.7 (C14); S237-S241; R51.
 */
import { z } from 'zod'
import { type AccountId, defined, type OrderId, orderId } from '../../../core/index.ts'
import { allInstruments, type OrderView, openOrders, viewOrder } from '../../../engine/index.ts'
import { type Fault, validationStep } from '../../../model/index.ts'
import { defineMethod, queryOf, type ReadContext } from '../../method.ts'
import { instrumentKind } from '../../params.ts'
import { orderIdIn, orderIdOut } from '../../wire/ids.ts'
import { factsOfView, listedOrderOut, orderOut, type WireOrder } from '../../wire/orders.ts'

const listedTypes = [
  'all',
  'limit',
  'trigger_all',
  'stop_all',
  'stop_limit',
  'stop_market',
  'take_all',
  'take_limit',
  'take_market',
  'trailing_all',
  'trailing_stop',
] as const

/** Open orders of the account over all currencies, in the order of creation. */
export const getOpenOrders = defineMethod({
  kind: 'query',
  params: z.object({
    kind: instrumentKind.optional(),
    type: z.enum(listedTypes).default('all'),
  }),
  read: () => queryOf(null),
  reply: (context, params): readonly WireOrder[] => {
    // Only trigger orders are left out of `all` and `limit`, and there are none yet.
    if (params.type !== 'all' && params.type !== 'limit') return []
    const filter = { label: null, currency: null, instrument: null, kind: params.kind ?? null }
    return openOrders(context.exchange, asker(context), filter).map((view) =>
      listedOrderOut(factsOfView(view), view.instrument),
    )
  },
})

/** One order of the account, live or ended. */
export const getOrderState = defineMethod({
  kind: 'query',
  params: z.object({ order_id: z.string() }),
  read: (context, params) => queryOf(orderFault(context, params.order_id)),
  reply: (context, params): WireOrder => {
    const id = defined(orderIdIn(params.order_id), 'the order was found when the request was read')
    const view = viewOrder(context.exchange, id)
    if (view !== undefined) return orderOut(factsOfView(view), view.instrument)
    const event = defined(context.history.orders.get(id), 'an ended order is in the history')
    const instrument = defined(allInstruments(context.exchange)[event.instrument], 'it is listed')
    return orderOut(event, instrument)
  },
})

/** Unknown ids are 10004, orders of others 10029 (C28). */
export function orderFault(context: ReadContext, text: string): Fault | null {
  const { order, view, fault } = namedOrder(context, text)
  if (view === undefined) return context.history.orders.has(order) ? fault : unknownOrder
  return view.account === context.account ? null : foreignOrder
}

/** What a wire id names. */
export interface NamedOrder {
  /** 0, which no order has, where the text names none. */
  readonly order: OrderId
  /** The order where it is live. */
  readonly view: OrderView | undefined
  /** An order that has ended and was of another account; who owns a live one, the engine tells. */
  readonly fault: Fault | null
}

/** The order a wire id names: another prefix names another order, which does not exist. */
export function namedOrder({ exchange, history, account }: ReadContext, text: string): NamedOrder {
  const order = orderIdIn(text)
  if (order === undefined) return noOrder
  const view = viewOrder(exchange, order)
  if (view !== undefined) {
    return orderIdOut(view.instrument, order) === text ? { order, view, fault: null } : noOrder
  }
  const ended = history.orders.get(order)
  if (ended === undefined) return { order, view, fault: null }
  const instrument = allInstruments(exchange)[ended.instrument]
  if (instrument === undefined || orderIdOut(instrument, order) !== text) return noOrder
  return { order, view, fault: ended.account === account ? null : foreignOrder }
}

const noOrder: NamedOrder = { order: orderId(0), view: undefined, fault: null }

const unknownOrder: Fault = {
  step: validationStep.instrument,
  refusal: { reason: 'order_not_found' },
}

const foreignOrder: Fault = {
  step: validationStep.instrument,
  refusal: { reason: 'not_owner_of_order' },
}

/** The account that asks; private methods without one are refused before they are read. */
export function asker(context: ReadContext): AccountId {
  return context.account as AccountId
}
