/**
 * Statistics of the last 24 hours of an instrument, and volumes of trades in coin and quote.
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

/** Size and basis of trades: 1e-18 coin for inverse contracts, 1e-9 quote for other contracts. */
export interface Turnover {
  readonly lots: number
  readonly basis: bigint
}

/** Volumes as numbers. */
interface Volumes {
  /** Volume in base coin. */
  readonly coin: number
  /** Volume in quote units; in USD for inverse contracts. */
  readonly quote: number
}

/** Volumes of a day, also in USD. */
interface DayVolumes extends Volumes {
  readonly usd: number
}

/** The last 24 hours of an instrument. */
interface DayStatistics {
  readonly volumes: DayVolumes
  readonly low: number | null
  readonly high: number | null
  /** Change in percent since the last trade before the 24 hours, or since the first trade within them. */
  readonly priceChange: number | null
}

const MICROS_PER_MINUTE = 60_000_000

/** Divides the product of a price in 1e-9 and a turnover in 1e-9 to get cents. */
const CENT_SCALE = 10_000_000_000_000_000n

/**
 * Statistics as far as the history reaches. The first part of the 24 hours uses single trades as long as the tape keeps
 * those trades, the rest whole minutes. Once they are dropped, all trades of the first minute count.
 */
export function statisticsOf(context: ReplyContext, instrument: Instrument): DayStatistics {
  const { turnover, prices } = lastDay(context, instrument)
  const own = volumesOf(instrument, turnover)
  const volumes = { ...own, usd: usdOf(context, instrument, turnover) ?? own.quote }
  if (prices === null) return { volumes, low: null, high: null, priceChange: null }
  return {
    volumes,
    low: priceOut(prices.low),
    high: priceOut(prices.high),
    priceChange: percentChange(prices.last, prices.reference),
  }
}

/** The turnover of the last 24 hours. */
export function dayTurnover(context: ReplyContext, instrument: Instrument): Turnover {
  return lastDay(context, instrument).turnover
}

/** Prices of a day: low, high, the last price, and the reference for the change. */
interface DayPrices {
  readonly low: Price9
  readonly high: Price9
  readonly last: Price9
  readonly reference: Price9
}

/**
 * Turnover and prices of the last 24 hours. Prices are null without a trade of the book, because block trades count for
 * volumes only (R65).
 */
function lastDay(
  context: ReplyContext,
  instrument: Instrument,
): { readonly turnover: Turnover; readonly prices: DayPrices | null } {
  const from = timeOf(context.exchange) - MICROS_PER_DAY
  const blocks = blockTurnover(context, instrument, from)
  const trades = bookTrades(context, instrument)
  const last = trades.at(-1)
  if (last === undefined || last.time <= from) return { turnover: blocks, prices: null }
  const { minutes, tape, before } = dayOf(context, instrument, trades, from)
  const sums = { ...blocks, low: last.price, high: last.price }
  for (const minute of minutes) addPart(sums, minute)
  for (const trade of tape) {
    const basis = turnoverBasis(instrument, trade)
    addPart(sums, { lots: trade.amount, basis, low: trade.price, high: trade.price })
  }
  const reference = before ?? tape[0]?.price ?? minutes[0]?.open ?? last.price
  return { turnover: sums, prices: { low: sums.low, high: sums.high, last: last.price, reference } }
}

/** Trades of the book, without block trades, which count for volumes only (R65). */
function bookTrades({ history }: ReplyContext, { id }: Instrument): readonly TapeTrade[] {
  const trades = rowsOf(history.trades, id)
  if (!history.blockTrades.rows.has(id)) return trades
  return trades.filter((trade) => !isOfBlock(trade))
}

/** Size and basis of block trades since a time. */
function blockTurnover({ history }: ReplyContext, instrument: Instrument, from: number): Turnover {
  const sum = { lots: 0, basis: 0n }
  for (const trade of rowsOf(history.blockTrades, instrument.id)) {
    if (trade.time <= from) continue
    sum.lots += trade.amount
    sum.basis += turnoverBasis(instrument, trade)
  }
  return sum
}

/** The data of a day: single trades, then whole minutes, and the last price before, if known. */
interface Day {
  readonly tape: readonly TapeTrade[]
  readonly minutes: readonly Candle[]
  readonly before: Price9 | undefined
}

/** Single trades cover at most one minute of a day, however many of them the tape keeps. */
function dayOf(context: ReplyContext, instrument: Instrument, trades: readonly TapeTrade[], from: number): Day {
  const candles = rowsOf(context.history.candles, instrument.id)
  const count = recordsUntil(trades, from)
  const before = trades[count - 1]
  const first = minuteOf(from)
  if (before === undefined) {
    // If the tape has dropped trades, they were in the minute of its oldest trade or earlier.
    return dayFrom(candles, trades, from, first, candlePrice(candles, first))
  }
  return dayFrom(candles, trades, from, first + MICROS_PER_MINUTE, before.price)
}

/** The kept candles from `until` on, and the trades before them. */
function dayFrom(
  candles: readonly Candle[],
  trades: readonly TapeTrade[],
  from: number,
  until: number,
  before: Price9 | undefined,
): Day {
  const kept = candles.findIndex(({ start }) => start >= until)
  const minutes = kept < 0 ? [] : candles.slice(kept)
  // Single trades replace dropped candles.
  const end = kept > 0 ? until : (minutes[0]?.start ?? Number.POSITIVE_INFINITY)
  const tape = trades.slice(recordsUntil(trades, from), recordsUntil(trades, end - 1))
  return { tape, minutes, before }
}

function candlePrice(candles: readonly Candle[], first: number): Price9 | undefined {
  return candles.findLast(({ start }) => start < first)?.close
}

/** The start of the minute of a time. */
export function minuteOf(time: number): number {
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

/** Volumes in tickers and summaries. */
export function volumesOut({ coin, quote, usd }: DayVolumes): WireVolumes {
  return { volume: coin, volume_usd: usd, volume_notional: quote }
}

/** Turnover in USD. Assumed: turnover at prices in coin is converted at the current index price, to a cent. */
function usdOf(context: ReplyContext, instrument: Instrument, { basis }: Turnover): number | null {
  if (instrument.quoteCurrency !== instrument.baseCurrency) return null
  const { price } = viewIndex(context.exchange, instrument.priceIndex) ?? { price: 0 }
  return scaledToNumber(divHalfAwayBig(basis * BigInt(price), CENT_SCALE), 2)
}

/**
 * Change in percent with four decimals, rounded half away from zero (T104); null for a combo whose earlier price was 0.
 */
export function percentChange(last: Price9, before: Price9): number | null {
  if (before === 0) return null
  const change = (BigInt(last) - BigInt(before)) * 1_000_000n
  return scaledToNumber(divHalfAwayBig(change, BigInt(Math.abs(before))), 4)
}
