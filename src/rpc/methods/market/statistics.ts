/**
 * Statistics of the last 24 hours, and volumes of trades in coin and quote.
 * Source: market.md 2, 8 (T104, T105).
 */

import {
  divHalfAwayBig,
  MICROS_PER_DAY,
  modFloor,
  type Price9,
  rescaleHalfAway,
  scaledToNumber,
} from '../../../core/index.ts'
import { timeOf, viewIndex } from '../../../engine/index.ts'
import type { Instrument, TapeTrade } from '../../../model/index.ts'
import { type Candle, isOfBlock, recordsUntil, rowsOf, turnoverBasis } from '../../history/index.ts'
import { priceOut, type WireVolumes } from '../../wire/index.ts'
import type { ReplyContext } from '../method.ts'

const MICROS_PER_MINUTE = 60_000_000
/** From a price in 1e-9 times a turnover in 1e-9 to cents. */
const CENT_SCALE = 10_000_000_000_000_000n

/** Size and basis of trades: 1e-18 coin for inverse contracts, 1e-9 quote for the others. */
export interface Turnover {
  readonly lots: number
  readonly basis: bigint
}

/** Volumes as numbers. */
export interface Volumes {
  /** Volume in base coin. */
  readonly coin: number
  /** Volume in quote units; in USD for inverse contracts. */
  readonly quote: number
}

/** Volumes of a day, in USD too. */
export interface DayVolumes extends Volumes {
  readonly usd: number
}

/** The last 24 hours of an instrument. */
export interface DayStatistics {
  readonly volumes: DayVolumes
  readonly low: number | null
  readonly high: number | null
  /** Percent against the last trade of 24 hours ago, or the first since. */
  readonly priceChange: number | null
}

/**
 * Statistics as far as the history reaches: by trade as far as it keeps them, before that by whole
 * minutes, so that of the first minute all trades count once they are not kept any more.
 */
export function statisticsOf(context: ReplyContext, instrument: Instrument): DayStatistics {
  const { turnover, prices } = lastDay(context, instrument)
  const own = volumesOf(instrument, turnover)
  const volumes = { ...own, usd: usdOf(context, instrument, turnover) ?? own.quote }
  if (prices === null) return { volumes, low: null, high: null, priceChange: null }
  const { low, high, last, reference } = prices
  return {
    volumes,
    low: priceOut(low),
    high: priceOut(high),
    priceChange: percentChange(last, reference),
  }
}

/** The turnover of the same 24 hours. */
export function dayTurnover(context: ReplyContext, instrument: Instrument): Turnover {
  return lastDay(context, instrument).turnover
}

/** Prices of a day: its bounds, the last one, and the one that it is compared with. */
interface DayPrices {
  readonly low: Price9
  readonly high: Price9
  readonly last: Price9
  readonly reference: Price9
}

/** Turnover and prices of the last 24 hours; no prices without a trade of the book, for blocks have volume alone (R65). */
function lastDay(
  context: ReplyContext,
  instrument: Instrument,
): { readonly turnover: Turnover; readonly prices: DayPrices | null } {
  const from = timeOf(context.exchange) - MICROS_PER_DAY
  const blocks = blockTurnover(context, instrument, from)
  const trades = bookTrades(context, instrument)
  const last = trades.at(-1)
  if (last === undefined || last.time <= from) return { turnover: blocks, prices: null }
  const { minutes, tape, before } = dayOf(context, instrument, { trades, from })
  const sums = { ...blocks, low: last.price, high: last.price }
  for (const minute of minutes) addPart(sums, minute)
  for (const trade of tape) {
    const { price, amount } = trade
    const basis = turnoverBasis(instrument, trade)
    addPart(sums, { lots: amount, basis, low: price, high: price })
  }
  const reference = before ?? tape[0]?.price ?? minutes[0]?.open ?? last.price
  const { low, high } = sums
  return { turnover: sums, prices: { low, high, last: last.price, reference } }
}

/** Trades of the book: those of blocks count in volumes alone (R65). */
function bookTrades({ history }: ReplyContext, { id }: Instrument): readonly TapeTrade[] {
  const trades = rowsOf(history.trades, id)
  if (!history.blockTrades.rows.has(id)) return trades
  return trades.filter((trade) => !isOfBlock(trade))
}

/** Size and basis of the trades of blocks since a time. */
function blockTurnover({ history }: ReplyContext, instrument: Instrument, from: number): Turnover {
  const sum = { lots: 0, basis: 0n }
  for (const trade of rowsOf(history.blockTrades, instrument.id)) {
    if (trade.time <= from) continue
    sum.lots += trade.amount
    sum.basis += turnoverBasis(instrument, trade)
  }
  return sum
}

/** A day: single trades and then whole minutes, and the last price before, if known. */
interface Day {
  readonly tape: readonly TapeTrade[]
  readonly minutes: readonly Candle[]
  readonly before: Price9 | undefined
}

/** A day has at most a minute of single trades, however many the tape keeps. */
function dayOf(
  { history }: ReplyContext,
  { id }: Instrument,
  { trades, from }: { readonly trades: readonly TapeTrade[]; readonly from: number },
): Day {
  const candles = rowsOf(history.candles, id)
  const count = recordsUntil(trades, from)
  const before = trades[count - 1]
  const first = minuteOf(from)
  if (before === undefined) {
    // What the tape has lost, if anything, was in the minute of the oldest trade it keeps or before.
    return dayFrom(candles, { trades, from, until: first }, candlePrice(candles, first))
  }
  return dayFrom(candles, { trades, from, until: first + MICROS_PER_MINUTE }, before.price)
}

/** Candles from `until` on, as far as they are kept, and the trades before them. */
function dayFrom(
  candles: readonly Candle[],
  of: { readonly trades: readonly TapeTrade[]; readonly from: number; readonly until: number },
  before: Price9 | undefined,
): Day {
  const { trades, from, until } = of
  const kept = candles.findIndex(({ start }) => start >= until)
  const minutes = kept < 0 ? [] : candles.slice(kept)
  // Candles that are gone are told by their trades.
  const end = kept > 0 ? until : (minutes[0]?.start ?? Number.POSITIVE_INFINITY)
  const tape = trades.slice(recordsUntil(trades, from), recordsUntil(trades, end - 1))
  return { tape, minutes, before }
}

function candlePrice(candles: readonly Candle[], first: number): Price9 | undefined {
  return candles.findLast(({ start }) => start < first)?.close
}

function minuteOf(time: number): number {
  return time - modFloor(time, MICROS_PER_MINUTE)
}

type Part = Pick<Candle, 'lots' | 'basis' | 'low' | 'high'>

function addPart(sums: Part, { lots, basis, low, high }: Part): void {
  sums.lots += lots
  sums.basis += basis
  if (low < sums.low) sums.low = low
  if (high > sums.high) sums.high = high
}

/** A turnover in base coin and in quote (T105). */
export function volumesOf(instrument: Instrument, { lots, basis }: Turnover): Volumes {
  const amount9 = BigInt(lots) * BigInt(instrument.amountStep9)
  const inverse = instrument.payoff === 'inverse'
  return {
    coin: inverse ? scaledToNumber(rescaleHalfAway(basis, 18, 8), 8) : scaledToNumber(amount9, 9),
    quote: scaledToNumber(inverse ? amount9 : basis, 9),
  }
}

/** Volumes as tickers and summaries show them. */
export function volumesOut({ coin, quote, usd }: DayVolumes): WireVolumes {
  return { volume: coin, volume_usd: usd, volume_notional: quote }
}

/** Turnover in USD. Assumed: what was traded at prices in coin counts at the index of now, to a cent. */
function usdOf({ exchange }: ReplyContext, instrument: Instrument, { basis }: Turnover): number | null {
  if (instrument.quoteCurrency !== instrument.baseCurrency) return null
  const { price } = viewIndex(exchange, instrument.priceIndex) ?? { price: 0 }
  return scaledToNumber(divHalfAwayBig(basis * BigInt(price), CENT_SCALE), 2)
}

/** Percent with four decimals, half away from zero (T104); none of a combo that was traded at 0. */
export function percentChange(last: Price9, before: Price9): number | null {
  if (before === 0) return null
  const change = (BigInt(last) - BigInt(before)) * 1_000_000n
  return scaledToNumber(divHalfAwayBig(change, BigInt(Math.abs(before))), 4)
}
