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
  z,
} from '../../../core/index.ts'
import { timeOf, viewIndex } from '../../../engine/index.ts'
import type { Instrument, TapeTrade } from '../../../model/index.ts'
import { type Candle, isOfBlock, recordsUntil, rowsOf, turnoverBasis } from '../../history/index.ts'
import { digitsOut, priceOut, type WireVolumes } from '../../wire/index.ts'
import { defineMethod, queryOf, type ReplyContext } from '../method.ts'

/** Size and basis of trades: 1e-18 coin for inverse contracts, 1e-9 quote for other contracts. */
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

/** Volumes of a day, also in USD. */
export interface DayVolumes extends Volumes {
  readonly usd: number
}

/** The last 24 hours of an instrument. */
export interface DayStatistics {
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
 * public/get_trade_volumes: turnover of each currency by kind of instrument.
 *
 * Assumed: amounts are in the base currency of the instruments, which include delivered ones. Trades of combos count
 * through their legs. The week and the month consist of whole minutes, as far as the history reaches.
 * Source: market.md 8.
 */

const DIGITS = 8

const kinds = ['calls', 'puts', 'futures', 'spot'] as const

type Kind = (typeof kinds)[number]

/** Turnover of a currency, in that currency. */
export type WireTradeVolumes = {
  readonly currency: string
  readonly calls_volume: number
  readonly puts_volume: number
  readonly futures_volume: number
  readonly spot_volume: number
} & {
  readonly [field in `${Kind}_volume_${'7d' | '30d'}`]?: number
}

/** Turnover of the last 24 hours, and with `extended` of 7 and 30 days, for each currency with instruments. */
const getTradeVolumes = defineMethod({
  scope: 'public',
  sessions: 'json_rpc',
  command: 'query',
  params: z.object({
    extended: z.boolean().default(false).describe('true to include the volumes of 7 and of 30 days'),
  }),
  read: () => queryOf(null),
  reply: (context, params): readonly WireTradeVolumes[] => {
    const listed = [...context.history.instruments.values()].filter(({ kind }) => isCounted(kind))
    const bases = [...new Set(listed.map(({ baseCurrency }) => baseCurrency))]
    return bases.map((currency) => {
      const own = listed.filter(({ baseCurrency }) => baseCurrency === currency)
      const day = sumsOf(own, (each) => dayTurnover(context, each))
      const volumes = {
        currency,
        calls_volume: digitsOut(day.calls, DIGITS),
        puts_volume: digitsOut(day.puts, DIGITS),
        futures_volume: digitsOut(day.futures, DIGITS),
        spot_volume: digitsOut(day.spot, DIGITS),
      }
      if (!params.extended) return volumes
      const week = sumsOf(own, (each) => turnoverSince(context, each, 7))
      const month = sumsOf(own, (each) => turnoverSince(context, each, 30))
      return { ...volumes, ...named(week, '7d'), ...named(month, '30d') }
    })
  },
})

type Sums = { [K in Kind]: bigint }

/** Turnover by kind in 1e-9 of the currency. */
function sumsOf(instruments: readonly Instrument[], turnover: (of: Instrument) => Turnover): Sums {
  const sums: Sums = { calls: 0n, puts: 0n, futures: 0n, spot: 0n }
  for (const instrument of instruments) {
    const { lots, basis } = turnover(instrument)
    const isInverse = instrument.payoff === 'inverse'
    const amount9 = BigInt(lots) * BigInt(instrument.amountStep9)
    sums[kindOf(instrument)] += isInverse ? rescaleHalfAway(basis, 18, 9) : amount9
  }
  return sums
}

function turnoverSince({ exchange, history }: ReplyContext, { id }: Instrument, days: number): Turnover {
  const from = timeOf(exchange) - days * MICROS_PER_DAY
  const first = from - modFloor(from, MICROS_PER_MINUTE)
  let lots = 0
  let basis = 0n
  for (const candle of rowsOf(history.candles, id)) {
    if (candle.start < first) continue
    lots += candle.lots
    basis += candle.basis
  }
  return { lots, basis }
}

function named(sums: Sums, suffix: '7d' | '30d'): object {
  return Object.fromEntries(kinds.map((kind) => [`${kind}_volume_${suffix}`, digitsOut(sums[kind], DIGITS)]))
}

function isCounted(kind: Instrument['kind']): boolean {
  return kind === 'future' || kind === 'option' || kind === 'spot'
}

function kindOf({ kind, detail }: Instrument): Kind {
  if (detail.type === 'option') return detail.right === 'call' ? 'calls' : 'puts'
  return kind === 'spot' ? 'spot' : 'futures'
}

/** Methods by their names; a part of the table. */
export const tradeVolumeMethods = {
  'public/get_trade_volumes': getTradeVolumes,
} as const

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
