/**
 * public/get_book_summary_by_currency and _by_instrument. An empty side is null here and 0 in a ticker. Source:
 * market.md 8; coverage R19, R43.
 */
import { divNearest, z } from '../../../core/index.ts'
import { allInstruments, type MarketView, timeOf, viewMarket } from '../../../engine/index.ts'
import { amountOut, priceOut, timeOut, type WireBookSummary } from '../../wire/index.ts'
import { defineMethod, queryOf, type ReplyContext } from '../method.ts'
import { anyInstrumentKind, instrumentName, kindsOf, requestCurrency } from '../params.ts'
import { fundingOut } from './funding-rates.ts'
import { belongsTo } from './instruments.ts'
import { optionSummaryOut } from './prices/option-fields.ts'
import { statisticsOf, volumesOut } from './statistics.ts'
import { instrumentFault, marketOf } from './ticker.ts'

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
