/**
 * The filters of bulk cancels and lists of open orders, by types of orders, from the words of the wire.
 *
 * Source: trading.md 4.5 (C12), 4.7; coverage R43, R73.
 */

import { z } from '../../../core/index.ts'
import {
  isTrailing,
  type OrderFilter,
  type TriggerOrderType,
  triggerOrderTypes,
  triggerSortOf,
} from '../../../model/index.ts'

type TypeFilter = OrderFilter['types']

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
