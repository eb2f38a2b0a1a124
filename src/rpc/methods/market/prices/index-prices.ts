/**
 * public/get_index_price, get_index_price_names, get_supported_index_names, get_delivery_prices, and the value of an
 * index at a time. Source: market.md 3.1, 3.5, 8.
 */
import { defined, formatIsoTime, price9, z } from '../../../../core/index.ts'
import { allIndices, allInstruments, viewIndex } from '../../../../engine/index.ts'
import type { Fault, InstrumentKind } from '../../../../model/index.ts'
import { rowsOf, valueAt } from '../../../history/index.ts'
import { priceOut, type WireDeliveryPrices, type WireIndexPrice } from '../../../wire/index.ts'
import { defineMethod, queryOf, type ReadContext, type ReplyContext } from '../../method.ts'
import { count, indexName, paramFault } from '../../params.ts'

/** The current index price and the estimated delivery price. */
const getIndexPrice = defineMethod({
  scope: 'public',
  sessions: 'json_rpc',
  command: 'query',
  params: z.object({ index_name: indexName }),
  read: (context, params) => queryOf(indexFault(context, params.index_name)),
  reply: (context, params): WireIndexPrice => {
    const view = defined(viewIndex(context.exchange, params.index_name), 'the index exists')
    return {
      index_price: priceOut(view.price),
      estimated_delivery_price: priceOut(view.estimatedDelivery),
    }
  },
})

/** An index, and whether clients may list combos of its instruments. */
export interface WireIndexName {
  /** Name of the index. */
  readonly name: string
  /** True if futures of the index are listed. */
  readonly future_combo_creation_enabled: boolean
  /** True if options of the index are listed. */
  readonly option_combo_creation_enabled: boolean
}

/** The indices of the run, in order of first use. */
const getIndexPriceNames = defineMethod({
  scope: 'public',
  sessions: 'json_rpc',
  command: 'query',
  params: z.object({
    extended: z.boolean().default(false).describe('true if combos may be listed as well, by index'),
  }),
  read: () => queryOf(null),
  reply: ({ exchange }, { extended }): readonly string[] | readonly WireIndexName[] => {
    const names = allIndices(exchange)
    if (!extended) return names
    const listed = (kind: InstrumentKind): ReadonlySet<string> =>
      new Set(
        allInstruments(exchange)
          .filter((instrument) => instrument.kind === kind)
          .map(({ priceIndex }) => priceIndex),
      )
    const [futures, options] = [listed('future'), listed('option')]
    return names.map((name) => ({
      name,
      future_combo_creation_enabled: futures.has(name),
      option_combo_creation_enabled: options.has(name),
    }))
  },
})

/**
 * The indices of a type of instrument, in order of first use. Assumed: `spot` means the indices of spot books,
 * `derivative` those of all other books, and `all` every index of the run.
 */
const getSupportedIndexNames = defineMethod({
  scope: 'public',
  sessions: 'json_rpc',
  command: 'query',
  params: z.object({
    type: z
      .enum(['all', 'spot', 'derivative'])
      .default('all')
      .describe('indices of spot books, of derivatives, or all'),
  }),
  read: () => queryOf(null),
  reply: ({ exchange }, { type }): readonly string[] => {
    const names = allIndices(exchange)
    if (type === 'all') return names
    const ofType = allInstruments(exchange).filter(({ kind }) => (kind === 'spot') === (type === 'spot'))
    const named = new Set(ofType.map(({ priceIndex }) => priceIndex))
    return names.filter((name) => named.has(name))
  },
})

/** Delivery prices of an index, newest first. */
const getDeliveryPrices = defineMethod({
  scope: 'public',
  sessions: 'json_rpc',
  command: 'query',
  params: z.object({
    index_name: indexName,
    offset: z.int().min(0).default(0).describe('number of records to skip'),
    count: count(10),
  }),
  read: (context, params) => queryOf(indexFault(context, params.index_name)),
  reply: (context, params): WireDeliveryPrices => {
    const fixed = rowsOf(context.history.deliveries, params.index_name)
    const page = fixed.toReversed().slice(params.offset, params.offset + params.count)
    return {
      data: page.map(({ time, price }) => ({
        date: formatIsoTime(time).slice(0, DATE_LENGTH),
        delivery_price: priceOut(price),
      })),
      records_total: fixed.length,
    }
  },
})

/** Length of a date `YYYY-MM-DD`. */
const DATE_LENGTH = 10

/** Price of an index at a time, as far as the history reaches; 0 before its first value. */
export function indexAt({ history }: ReplyContext, name: string, time: number): number {
  const series = history.indices.get(name)
  const found = series === undefined ? undefined : valueAt(series, time)
  return found === undefined ? 0 : priceOut(price9(found))
}

/** The fault of an index that the run does not know, or null. */
export function indexFault(context: ReadContext, name: string): Fault | null {
  const known = viewIndex(context.exchange, name) !== undefined
  return known ? null : paramFault('index_name', 'unknown_value')
}

/** Methods by their names; a part of the table. */
export const indexPriceMethods = {
  'public/get_index_price': getIndexPrice,
  'public/get_index_price_names': getIndexPriceNames,
  'public/get_supported_index_names': getSupportedIndexNames,
  'public/get_delivery_prices': getDeliveryPrices,
} as const
