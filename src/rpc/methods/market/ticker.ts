/**
 * public/ticker and public/get_order_book. Source: market.md 8; coverage R18, R19.
 *
 * Not there yet: funding, settlement and delivery prices, which come with what computes them.
 */
import { z } from 'zod'
import {
  defined,
  MICROS_PER_DAY,
  micros,
  rescaleHalfAway,
  scaledToNumber,
} from '../../../core/index.ts'
import {
  findInstrument,
  type Level,
  type MarketView,
  viewDepth,
  viewMarket,
} from '../../../engine/index.ts'
import { basisBig, contractTerms } from '../../../ledger/index.ts'
import { amount9OfLots, type Fault, type Instrument, type Trade } from '../../../model/index.ts'
import { defineMethod, queryOf, type ReadContext, type ReplyContext } from '../../method.ts'
import { instrumentName, unknownInstrument } from '../../params.ts'
import { amountOut, priceOut, timeOut } from '../../wire/numbers.ts'

const depths = [1, 5, 10, 20, 50, 100, 1000, 10000] as const

/** Best prices, reference prices and statistics of an instrument. */
export const ticker = defineMethod({
  kind: 'query',
  params: z.object({ instrument_name: instrumentName }),
  read: (context, params) => queryOf(instrumentFault(context, params.instrument_name)),
  reply: (context, params) => tickerOut(context, marketOf(context, params.instrument_name)),
})

/** The ticker with price levels, best first. */
export const getOrderBook = defineMethod({
  kind: 'query',
  params: z.object({
    instrument_name: instrumentName,
    depth: z.literal(depths).default(20),
  }),
  read: (context, params) => queryOf(instrumentFault(context, params.instrument_name)),
  reply: (context, params) => {
    const view = marketOf(context, params.instrument_name)
    const { instrument } = view
    const side = (side: 'buy' | 'sell'): readonly (readonly [number, number])[] =>
      viewDepth(context.exchange, instrument.id, { side, depth: params.depth }).map(
        (level) => [priceOut(level.price), amountOut(instrument, level.amount)] as const,
      )
    return {
      ...tickerOut(context, view),
      change_id: view.changeId,
      bids: side('buy'),
      asks: side('sell'),
    }
  },
})

/** An instrument that is not listed: 13020. */
export function instrumentFault(context: ReadContext, name: string): Fault | null {
  return findInstrument(context.exchange, name) === undefined ? unknownInstrument : null
}

/** The market of an instrument that was found when the request was read. */
export function marketOf(context: ReplyContext, name: string): MarketView {
  const instrument = defined(findInstrument(context.exchange, name), 'the instrument was found')
  return viewMarket(context.exchange, instrument.id)
}

function tickerOut(context: ReplyContext, view: MarketView): object {
  const { instrument } = view
  const spot = instrument.kind === 'spot'
  return {
    instrument_name: instrument.name,
    timestamp: timeOut(micros(context.exchange.now)),
    state: view.state,
    stats: statsOf(context, instrument),
    ...(spot ? {} : { open_interest: amountOut(instrument, view.openInterest) }),
    ...bestOut('bid', view.bestBid, instrument),
    ...bestOut('ask', view.bestAsk, instrument),
    index_price: priceOut(view.index),
    mark_price: priceOut(view.mark),
    last_price: view.lastPrice === 0 ? null : priceOut(view.lastPrice),
    min_price: priceOut(view.bandMin),
    max_price: priceOut(view.bandMax),
    ...(spot ? {} : { estimated_delivery_price: priceOut(view.index) }),
  }
}

/** An empty side shows 0 (R19). */
function bestOut(side: 'bid' | 'ask', level: Level | null, instrument: Instrument): object {
  return {
    [`best_${side}_price`]: level === null ? 0 : priceOut(level.price),
    [`best_${side}_amount`]: level === null ? 0 : amountOut(instrument, level.amount),
  }
}

/** The last 24 hours of trades, as far as the history reaches. */
function statsOf(context: ReplyContext, instrument: Instrument): object {
  const trades = context.history.trades.get(instrument.id) ?? []
  const from = context.exchange.now - MICROS_PER_DAY
  const recent = trades.filter((trade) => trade.time > from)
  const last = recent.at(-1)
  if (last === undefined) {
    const none = volumesOut(instrument, { coin: 0, quote: 0 })
    return { ...none, low: null, high: null, price_change: null }
  }
  const before = trades.findLast((trade) => trade.time <= from) ?? recent[0]
  const volumes = volumesOf(instrument, recent)
  return {
    ...volumes,
    low: priceOut(lowest(recent, 1)),
    high: priceOut(lowest(recent, -1)),
    price_change: before === undefined ? null : changeOf(last, before),
  }
}

function lowest(trades: readonly Trade[], sign: 1 | -1): Trade['price'] {
  let found = defined(trades[0], 'there is a trade').price
  for (const { price } of trades) if ((price - found) * sign < 0) found = price
  return found
}

/** Percent with four decimals, half away from zero (T104). */
function changeOf(last: Trade, before: Trade): number {
  const change = (BigInt(last.price) - BigInt(before.price)) * 1_000_000n
  const magnitude = change < 0n ? -change : change
  const base = BigInt(before.price)
  const rounded = (magnitude * 2n + base) / (base * 2n)
  return scaledToNumber(change < 0n ? -rounded : rounded, 4)
}

/**
 * Volume in base coin, and in quote; futures and spot also tell USD, which is the quote volume of
 * their USD-like quotes (T105).
 */
function volumesOf(instrument: Instrument, trades: readonly Trade[]): object {
  const terms = contractTerms(instrument)
  let amount9 = 0n
  let basis = 0n
  for (const trade of trades) {
    amount9 += amount9OfLots(instrument, trade.amount)
    basis += basisBig(terms, trade.amount, trade.price)
  }
  const inverse = instrument.payoff === 'inverse'
  // The basis of an inverse trade is in 1e-18 coin.
  const coin = inverse
    ? scaledToNumber(rescaleHalfAway(basis, 18, 8), 8)
    : scaledToNumber(amount9, 9)
  const quote = scaledToNumber(inverse ? amount9 : basis, 9)
  return volumesOut(instrument, { coin, quote })
}

function volumesOut(
  { kind }: Instrument,
  { coin, quote }: { readonly coin: number; readonly quote: number },
): object {
  const usd = kind === 'future' || kind === 'spot'
  return { volume: coin, ...(usd ? { volume_usd: quote } : {}), volume_notional: quote }
}
