/**
 * Which orders bulk cancels and lists of open orders mean: the words of the wire as filters.
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

/** Orders that each type of a bulk cancel means: `limit` is whatever stands in a book (C12). */
const cancelled = {
  all: null,
  limit: 'in_book',
  trigger_all: triggerOrderTypes,
  stop: stops,
  take: takes,
  trailing_stop: trailing,
} as const satisfies { readonly [word: string]: TypeFilter }

/** Orders that each type of a list means: all of a sort, or one type of those that wait for a price. */
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

/** The types that bulk cancels know. */
export const cancelType = wordOf(cancelled).default('all').describe('order types to cancel')

/** The types that lists of open orders know. */
export const listType = wordOf(listed).default('all').describe('order types to return')

/** The orders that a type of a bulk cancel means. */
export function cancelledTypes(type: z.output<typeof cancelType>): TypeFilter {
  return cancelled[type]
}

/** The orders that a type of a list means. */
export function listedTypes(type: z.output<typeof listType>): TypeFilter {
  return listed[type]
}

/** Each type by its own name. */
function each(types: readonly TriggerOrderType[]): {
  readonly [T in TriggerOrderType]: TypeFilter
} {
  const table: { [T in TriggerOrderType]?: TypeFilter } = {}
  for (const type of types) table[type] = [type]
  // The sorts, each with its own types, have all of them together.
  return table as { readonly [T in TriggerOrderType]: TypeFilter }
}

/** One of the words of a table. */
function wordOf<T extends { readonly [word: string]: TypeFilter }>(
  table: T,
): z.ZodEnum<{ [K in keyof T & string]: K }> {
  // The keys of a table are its words, which `Object.keys` cannot say.
  return z.enum(Object.keys(table) as (keyof T & string)[])
}
