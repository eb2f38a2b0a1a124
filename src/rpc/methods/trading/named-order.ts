/**
 * The order that a wire id names, and whether an account may see it. Unknown ids are 10004, orders of other accounts
 * 10029 (C28). Source: trading.md 6.10; coverage R08.
 */

import { type AccountId, type OrderId, orderId, z } from '../../../core/index.ts'
import { allInstruments, type OrderView, seenInstrument, seenOrder, viewOrder } from '../../../engine/index.ts'
import {
  type Fault,
  type Instrument,
  isTrailing,
  type OrderFilter,
  originOf,
  type TriggerOrderType,
  triggerOrderTypes,
  triggerSortOf,
  validationStep,
} from '../../../model/index.ts'
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

type TypeFilter = OrderFilter['types']

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

/**
 * The filters of bulk cancels and lists of open orders, from the words of the wire.
 *
 * Source: trading.md 4.5 (C12), 4.7; coverage R43, R73.
 */

const stops = triggerOrderTypes.filter((type) => triggerSortOf(type) === 'stop')

const takes = triggerOrderTypes.filter((type) => triggerSortOf(type) === 'take')

const trailing = triggerOrderTypes.filter(isTrailing)

/** The orders of each type of a bulk cancel. `limit` means all orders in a book (C12). */
const cancelled = {
  all: null,
  limit: 'in_book',
  trigger_all: triggerOrderTypes,
  stop: stops,
  take: takes,
  trailing_stop: trailing,
} as const satisfies { readonly [word: string]: TypeFilter }

/** The orders of each type of a list: a whole kind of order, or one type of trigger order. */
const listed = {
  all: null,
  limit: 'in_book',
  trigger_all: triggerOrderTypes,
  stop_all: stops,
  ...each(stops),
  take_all: takes,
  ...each(takes),
  trailing_all: trailing,
  ...each(trailing),
} as const satisfies { readonly [word: string]: TypeFilter }

/** The types that bulk cancels accept. */
export const cancelType = wordOf(cancelled).default('all').describe('order types to cancel')

/** The types that lists of open orders accept. */
export const listType = wordOf(listed).default('all').describe('order types to return')

/** The filter of a type of a bulk cancel. */
export function cancelledTypes(type: z.output<typeof cancelType>): TypeFilter {
  return cancelled[type]
}

/** The filter of a type of a list. */
export function listedTypes(type: z.output<typeof listType>): TypeFilter {
  return listed[type]
}

/** A filter for each type, by its name. */
function each(types: readonly TriggerOrderType[]): {
  readonly [T in TriggerOrderType]: TypeFilter
} {
  const table: { [T in TriggerOrderType]?: TypeFilter } = {}
  for (const type of types) table[type] = [type]
  // Each call sets only its own types; all calls together set every type.
  return table as { readonly [T in TriggerOrderType]: TypeFilter }
}

/** An enum of the words of a table. */
function wordOf<T extends { readonly [word: string]: TypeFilter }>(
  table: T,
): z.ZodEnum<{ [K in keyof T & string]: K }> {
  // The keys of the table are its words, which the type of `Object.keys` does not say.
  return z.enum(Object.keys(table) as (keyof T & string)[])
}
