/**
 * public/ticker, get_order_book and get_order_book_by_instrument_id, and get_book_summary_by_currency and
 * _by_instrument. An empty side of a book is null in a summary and 0 in a ticker.
 *
 * Source: market.md 1.5, 3.4, 8; coverage R18, R19, R43, R67.
 */

import { defined, divNearest, z } from '../../../core/index.ts'
import {
  allInstruments,
  findInstrument,
  type Level,
  type MarketView,
  timeOf,
  viewDepth,
  viewMarket,
} from '../../../engine/index.ts'
import type { Fault, Instrument, Side } from '../../../model/index.ts'
import {
  amountOut,
  instrumentIdOut,
  priceOut,
  timeOut,
  type WireBookSummary,
  type WireOrderBook,
  type WireStats,
  type WireTicker,
} from '../../wire/index.ts'
import { defineMethod, queryOf, type ReadContext, type ReplyContext } from '../method.ts'
import { anyInstrumentKind, instrumentName, kindsOf, requestCurrency, unknownInstrument } from '../params.ts'
import { fundingOut, interestValue } from './funding-rates.ts'
import { belongsTo } from './instruments.ts'
import { comboFieldsOut, optionOut, optionSummaryOut } from './prices/option-fields.ts'
import { statisticsOf, volumesOut } from './statistics.ts'

/** Summaries of all instruments of a currency, except delivered ones. */
const getBookSummaryByCurrency = defineMethod({
  scope: 'public',
  sessions: 'json_rpc',
  command: 'query',
  params: z.object({ currency: requestCurrency, kind: anyInstrumentKind.optional() }),
  read: () => queryOf(null),
  reply: (context, params): readonly WireBookSummary[] => {
    const kinds = kindsOf(params.kind)
    return allInstruments(context.exchange)
      .filter((instrument) => belongsTo(instrument, params.currency))
      .filter(({ kind }) => kinds?.includes(kind) ?? true)
      .map(({ id }) => viewMarket(context.exchange, id))
      .filter(({ state }) => state !== 'delivered')
      .map((view) => summaryOut(context, view))
  },
})

/** The summary of one instrument, as a list. */
const getBookSummaryByInstrument = defineMethod({
  scope: 'public',
  sessions: 'json_rpc',
  command: 'query',
  params: z.object({ instrument_name: instrumentName }),
  read: (context, params) => queryOf(instrumentFault(context, params.instrument_name)),
  reply: (context, params): readonly WireBookSummary[] => [
    summaryOut(context, marketOf(context, params.instrument_name)),
  ],
})

function summaryOut(context: ReplyContext, view: MarketView): WireBookSummary {
  const { instrument, bestBid, bestAsk } = view
  const spot = instrument.kind === 'spot'
  const { volumes, low, high, priceChange } = statisticsOf(context, instrument)
  const bid = bestBid === null ? null : priceOut(bestBid.price)
  const ask = bestAsk === null ? null : priceOut(bestAsk.price)
  return {
    instrument_name: instrument.name,
    base_currency: instrument.baseCurrency,
    quote_currency: instrument.quoteCurrency,
    // The time of the summary itself, as in all real replies.
    creation_timestamp: timeOut(timeOf(context.exchange)),
    bid_price: bid,
    ask_price: ask,
    mid_price: middleOf(view),
    mark_price: priceOut(view.mark),
    last: view.lastPrice === null ? null : priceOut(view.lastPrice),
    high,
    low,
    price_change: priceChange,
    ...volumesOut(volumes),
    ...(spot
      ? {}
      : {
          open_interest: amountOut(instrument, view.openInterest),
          estimated_delivery_price: priceOut(view.estimatedDelivery),
        }),
    ...fundingOut(context, view),
    ...optionSummaryOut(context, instrument),
  }
}

/** The middle of the best prices, or null without one of them. */
function middleOf({ bestBid, bestAsk }: MarketView): number | null {
  if (bestBid === null || bestAsk === null) return null
  return divNearest(bestBid.price + bestAsk.price, 2_000_000_000)
}

/** Methods by their names; a part of the table. */
export const bookSummaryMethods = {
  'public/get_book_summary_by_currency': getBookSummaryByCurrency,
  'public/get_book_summary_by_instrument': getBookSummaryByInstrument,
} as const

/** The number of levels of each side in a book. */
const depth = z
  .literal([1, 5, 10, 20, 50, 100, 1000, 10000])
  .default(20)
  .describe('number of price levels of each side')

/** Best prices, reference prices and statistics of an instrument. */
const ticker = defineMethod({
  scope: 'public',
  sessions: 'json_rpc',
  command: 'query',
  params: z.object({ instrument_name: instrumentName }),
  read: (context, params) => queryOf(instrumentFault(context, params.instrument_name)),
  reply: (context, params) => tickerOut(context, marketOf(context, params.instrument_name)),
})

/** The ticker with price levels, best first. */
const getOrderBook = defineMethod({
  scope: 'public',
  sessions: 'json_rpc',
  command: 'query',
  params: z.object({ instrument_name: instrumentName, depth }),
  read: (context, params) => queryOf(instrumentFault(context, params.instrument_name)),
  reply: (context, params) => bookOut(context, marketOf(context, params.instrument_name), params.depth),
})

/** The order book of the instrument with this number. */
const getOrderBookByInstrumentId = defineMethod({
  scope: 'public',
  sessions: 'json_rpc',
  command: 'query',
  params: z.object({ instrument_id: z.int().describe('number of an instrument'), depth }),
  read: (context, params) => queryOf(marketOfId(context, params) ? null : unknownInstrument),
  reply: (context, params) => {
    const view = defined(marketOfId(context, params), 'the instrument exists')
    return bookOut(context, view, params.depth)
  },
})

/** The fault of an instrument that is not listed: 13020. */
function instrumentFault(context: ReadContext, name: string): Fault | null {
  return findInstrument(context.exchange, name) === undefined ? unknownInstrument : null
}

/** The market of an instrument whose name `read` has already checked. */
export function marketOf(context: ReplyContext, name: string): MarketView {
  const instrument = defined(findInstrument(context.exchange, name), 'the instrument exists')
  return viewMarket(context.exchange, instrument.id)
}

function marketOfId({ exchange }: ReadContext, of: { readonly instrument_id: number }): MarketView | undefined {
  const found = allInstruments(exchange).find(({ id }) => instrumentIdOut(id) === of.instrument_id)
  return found && viewMarket(exchange, found.id)
}

function bookOut(context: ReplyContext, view: MarketView, levels: number): WireOrderBook {
  const side = (side: Side): readonly (readonly [number, number])[] =>
    viewDepth(context.exchange, view.instrument.id, side, levels).map(
      (level) => [priceOut(level.price), amountOut(view.instrument, level.amount)] as const,
    )
  return {
    ...tickerOut(context, view),
    change_id: view.changeId,
    bids: side('buy'),
    asks: side('sell'),
  }
}

/** The ticker of an instrument. */
export function tickerOut(context: ReplyContext, view: MarketView): WireTicker {
  const spot = view.instrument.kind === 'spot'
  return {
    instrument_name: view.instrument.name,
    timestamp: timeOut(timeOf(context.exchange)),
    state: view.state,
    stats: statsOut(context, view.instrument),
    ...(spot ? {} : { open_interest: amountOut(view.instrument, view.openInterest) }),
    best_bid_price: bestPrice(view.bestBid),
    best_bid_amount: bestAmount(view.bestBid, view.instrument),
    best_ask_price: bestPrice(view.bestAsk),
    best_ask_amount: bestAmount(view.bestAsk, view.instrument),
    index_price: priceOut(view.index),
    mark_price: priceOut(view.mark),
    last_price: view.lastPrice === null ? null : priceOut(view.lastPrice),
    min_price: priceOut(view.bandMin),
    max_price: priceOut(view.bandMax),
    ...(spot ? {} : { estimated_delivery_price: priceOut(view.estimatedDelivery) }),
    ...settlementOut(view),
    ...fundingOut(context, view),
    ...(view.funding === null ? {} : { interest_value: interestValue(view.funding.accumulated) }),
    ...optionOut(context, view.instrument),
    ...comboFieldsOut(context.exchange, view),
  }
}

/**
 * The settlement price of an open instrument, or the delivery price of a delivered one. Assumed: before its first
 * settlement, a future or an option shows the price at which it would settle now, its mark.
 */
function settlementOut({ instrument, state, settlementPrice, deliveryPrice, mark }: MarketView): {
  readonly settlement_price?: number
  readonly delivery_price?: number
} {
  if (state === 'delivered') return { delivery_price: priceOut(deliveryPrice) }
  const isSettled = instrument.kind === 'future' || instrument.kind === 'option'
  if (state !== 'open' || !isSettled) return {}
  return { settlement_price: priceOut(settlementPrice === 0 ? mark : settlementPrice) }
}

/** The price of a level; 0 for an empty side (R19). */
function bestPrice(level: Level | null): number {
  return level === null ? 0 : priceOut(level.price)
}

function bestAmount(level: Level | null, instrument: Instrument): number {
  return level === null ? 0 : amountOut(instrument, level.amount)
}

/** The statistics of the last 24 hours in a ticker. */
function statsOut(context: ReplyContext, instrument: Instrument): WireStats {
  const { volumes, low, high, priceChange } = statisticsOf(context, instrument)
  return { ...volumesOut(volumes), low, high, price_change: priceChange }
}

/** Methods by their names; a part of the table. */
export const tickerMethods = {
  'public/get_order_book': getOrderBook,
  'public/get_order_book_by_instrument_id': getOrderBookByInstrumentId,
  'public/ticker': ticker,
} as const
