/**
 * private/get_open_orders and get_order_state. Source: trading.md 4.7 (C14); S237-S241; R51.
 */
import { z } from 'zod'
import { type AccountId, defined, type OrderId } from '../../../core/index.ts'
import { allInstruments, openOrders, viewOrder } from '../../../engine/index.ts'
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
  const step = validationStep.instrument
  const owner = ownerOf(context, orderIdIn(text), text)
  if (owner === undefined) return { step, refusal: { reason: 'order_not_found' } }
  if (owner !== context.account) return { step, refusal: { reason: 'not_owner_of_order' } }
  return null
}

function ownerOf(
  context: ReadContext,
  id: OrderId | undefined,
  text: string,
): AccountId | undefined {
  if (id === undefined) return undefined
  const known = viewOrder(context.exchange, id)
  const event = known === undefined ? context.history.orders.get(id) : undefined
  const instrument =
    known?.instrument ??
    (event === undefined ? undefined : allInstruments(context.exchange)[event.instrument])
  if (instrument === undefined || orderIdOut(instrument, id) !== text) return undefined
  return known?.account ?? event?.account
}

/** The account that asks; private methods without one are refused before they are read. */
export function asker(context: ReadContext): AccountId {
  return context.account as AccountId
}
