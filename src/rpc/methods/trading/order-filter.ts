/**
 * Which orders bulk cancels and lists of open orders mean: the words of the wire as filters.
 *
 * Source: trading.md 4.5 (C12), 4.7; coverage R43, R73.
 */
import { z } from '../../../core/index.ts'
import {
  isTrailing,
  type OrderFilter,
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

/** Orders that each type of a list means. */
const listed = {
  all: null,
  limit: 'in_book',
  trigger_all: triggerOrderTypes,
  stop_all: stops,
  stop_limit: ['stop_limit'],
  stop_market: ['stop_market'],
  take_all: takes,
  take_limit: ['take_limit'],
  take_market: ['take_market'],
  trailing_all: trailing,
  trailing_stop: ['trailing_stop'],
} as const satisfies { readonly [word: string]: TypeFilter }

/** The types that bulk cancels know. */
export const cancelType = wordOf(cancelled)
  .default('all')
  .describe('types of orders that are meant')

/** The types that lists of open orders know. */
export const listType = wordOf(listed).default('all').describe('types of orders that are meant')

/** The orders that a type of a bulk cancel means. */
export function cancelledTypes(type: z.output<typeof cancelType>): TypeFilter {
  return cancelled[type]
}

/** The orders that a type of a list means. */
export function listedTypes(type: z.output<typeof listType>): TypeFilter {
  return listed[type]
}

/** One of the words of a table. */
function wordOf<T extends { readonly [word: string]: TypeFilter }>(
  table: T,
): z.ZodEnum<{ [K in keyof T & string]: K }> {
  // The keys of a table are its words, which `Object.keys` cannot say.
  return z.enum(Object.keys(table) as (keyof T & string)[])
}
