/** Rows of markets over time: values that a run reads from its books at an interval, and its bars of trades. */

import type { AccountId, InstrumentId, Lots, Micros, Price9 } from '../../core/index.ts'
import type { LiquidationCurrency } from '../../model/index.ts'
import { exactInTable } from '../columns.ts'
import type { NamedFigure } from '../metrics/report.ts'
import { type Cells, instrumentSize, type Sized } from './cells.ts'
import { type AmountSteps, wireIdOf } from './trading-rows.ts'

/** A price level of a book. */
interface QuotedLevel {
  readonly price: Price9
  readonly amount: Lots
}

/** Both sides of a book at one depth, after event `number`; null if the side has no such level. */
interface BothSides {
  readonly time: Micros
  readonly number: number
  readonly instrument: InstrumentId
  readonly bid: QuotedLevel | null
  readonly ask: QuotedLevel | null
}

/** The top of a book. */
export interface QuoteRecord extends BothSides {
  /** The mid price; null if a side is empty. */
  readonly mid: Price9 | null
}

/** One depth of a book. */
export interface BookLevelRecord extends BothSides {
  /** Rank in its side, from 1. */
  readonly level: number
}

/** A bar of trades. */
export interface BarRecord {
  /** End of the bar. */
  readonly time: Micros
  /** Number of the last event before the bar was complete. */
  readonly number: number
  readonly instrument: InstrumentId
  /** Length of a complete bar. */
  readonly interval: Micros
  readonly start: Micros
  /** Null without trades. */
  readonly prices: {
    readonly open: Price9
    readonly high: Price9
    readonly low: Price9
    readonly close: Price9
    readonly vwap: Price9
  } | null
  /** Amounts, coins and quote currency as doubles nearest to the exact sums. */
  readonly volume: number
  readonly coin: number
  readonly quote: number
  readonly bought: number
  readonly sold: number
  readonly trades: number
}

/** A figure of an account at the end of a run, after event `number`. */
export interface MetricRecord extends NamedFigure {
  readonly time: Micros
  readonly number: number
  readonly account: AccountId
  /** Null for figures without a currency. */
  readonly currency: LiquidationCurrency | null
  readonly instrument: InstrumentId | null
}

/** The top of a book. */
export function quoteCells(source: QuoteRecord, steps: AmountSteps): Cells<'quotes'> {
  return { mid_price: source.mid, ...sidesOf(source, steps) }
}

/** One depth of a book. */
export function bookLevelCells(source: BookLevelRecord, steps: AmountSteps): Cells<'book_snapshots'> {
  return { level: source.level, ...sidesOf(source, steps) }
}

/** A bar of trades. */
export function barCells(source: BarRecord): Cells<'bars'> {
  return {
    time: source.time,
    event: source.number,
    instrument_id: wireIdOf(source.instrument),
    interval: source.interval,
    start: source.start,
    open: source.prices?.open ?? null,
    high: source.prices?.high ?? null,
    low: source.prices?.low ?? null,
    close: source.prices?.close ?? null,
    volume: source.volume,
    volume_coin: source.coin,
    volume_quote: source.quote,
    trades: source.trades,
    vwap: source.prices?.vwap ?? null,
    buy_volume: source.bought,
    sell_volume: source.sold,
  }
}

interface SideCells {
  readonly time: number
  readonly event: number
  readonly instrument_id: number
  readonly bid_price: number | null
  readonly bid_amount: Sized | null
  readonly ask_price: number | null
  readonly ask_amount: Sized | null
}

function sidesOf({ time, number, instrument, bid, ask }: BothSides, steps: AmountSteps): SideCells {
  return {
    time,
    event: number,
    instrument_id: wireIdOf(instrument),
    bid_price: bid?.price ?? null,
    bid_amount: bid === null ? null : instrumentSize(steps, instrument, bid.amount),
    ask_price: ask?.price ?? null,
    ask_amount: ask === null ? null : instrumentSize(steps, instrument, ask.amount),
  }
}

/**
 * Rows of `metrics`.
 */

/** A figure. */
export function metricCells(source: MetricRecord): Cells<'metrics'> {
  return {
    time: source.time,
    event: source.number,
    account_id: source.account,
    currency: source.currency,
    instrument_id: source.instrument === null ? null : wireIdOf(source.instrument),
    metric: source.metric,
    label: source.label,
    unit: source.unit,
    value: typeof source.figure === 'number' ? source.figure : null,
    exact: exactInTable(source.exact),
    reason: typeof source.figure === 'number' ? null : source.figure,
  }
}
