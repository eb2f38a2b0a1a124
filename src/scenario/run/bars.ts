/**
 * Bars of trades: the rows that a run writes to `bars`.
 *
 * A bar has all trades from its start (inclusive) to its end (exclusive); both are whole multiples of its interval
 * since the epoch. Recorded trades count like others, without the part that own orders took, because the fills of own
 * orders are separate trades. If a run records its feeds, the bars of an instrument therefore match its rows in
 * `trades`.
 *
 * An interval without trades has a bar without prices, so that the grid has no holes. The first bar of an instrument
 * contains its listing. The last one ends with its delivery or with the run, which may cut it short.
 *
 * Sums are exact and rounded once, when the bar is written. Rows are sorted by the end of the bar, then by ascending
 * interval, then by instrument. Memory: one bar of each instrument and interval.
 */
import {
  assert,
  defined,
  divHalfAwayBig,
  type InstrumentId,
  instrumentId,
  type Micros,
  micros,
  modFloor,
  type Price9,
  price9,
  scaledToNumber,
} from '../../core/index.ts'
import type { EventTakers, Instrument, TapeTrade } from '../../model/index.ts'
import type { BarRecord } from '../../results/index.ts'
import { turnoverBasis } from '../../rpc/index.ts'

/** Trades of an instrument in one interval so far. */
interface Bar {
  start: number
  open: number
  high: number
  low: number
  close: number
  /** In lots, as are the next two fields. */
  lots: number
  bought: number
  sold: number
  trades: number
  /** Sum of the bases: 1e-18 coin for inverse contracts, 1e-9 quote units for others. */
  basis: bigint
  /** Sum of price times lots, for combos. */
  weight: bigint
}

/** The bars of an instrument, one for each interval; null after its delivery. */
type InstrumentBars = readonly Bar[] | null

/** The bars of a run; only this file writes them. */
interface Bars {
  /** Lengths of the bars, in ascending order. */
  readonly intervals: readonly Micros[]
  readonly record: (record: BarRecord) => void
  /** By instrument id, as is the next field. */
  instruments: Instrument[]
  open: InstrumentBars[]
  /** Ends of the open bars of each interval. */
  ends: number[]
  /** False after the run was restored: its trades then belong to several branches, which have no common bars. */
  goesOn: boolean
}

/** Bars in the form of snapshots. */
export interface SavedBars {
  readonly open: readonly InstrumentBars[]
  readonly ends: readonly number[]
  readonly goesOn: boolean
}

const COIN_DECIMALS = 18
const DECIMALS = 9
const coinUnit = 1_000_000_000_000_000_000n

/** Bars of a run that begins at a time; `intervals` are in ascending order. */
export function createBars(intervals: readonly Micros[], start: number, record: (record: BarRecord) => void): Bars {
  const ends = intervals.map((interval) => start - modFloor(start, interval) + interval)
  return { intervals, record, instruments: [], open: [], ends, goesOn: true }
}

/** Restores the bars that `saveBars` returned; `instruments` are all instruments listed by then. */
export function loadBars(bars: Bars, saved: SavedBars, instruments: readonly Instrument[]): void {
  assert(saved.open.length === instruments.length, 'every listed instrument has its bars')
  bars.instruments = [...instruments]
  bars.open = saved.open.map((list) => list?.map((bar) => ({ ...bar })) ?? null)
  bars.ends = [...saved.ends]
  bars.goesOn = saved.goesOn
}

/** The bars as plain data. */
export function saveBars(bars: Bars): SavedBars {
  return {
    open: bars.open.map((list) => list?.map((bar) => ({ ...bar })) ?? null),
    ends: bars.ends,
    goesOn: bars.goesOn,
  }
}

/** Ends all bars without a row, because the run was restored. */
export function dropBars(bars: Bars): void {
  bars.goesOn = false
}

/** End of the next bar; Infinity without one. */
export function nextBarEnd(bars: Bars): number {
  return bars.goesOn && bars.open.length > 0 ? Math.min(...bars.ends) : Number.POSITIVE_INFINITY
}

/** Takes the events for bars: listings, states, trades and recorded trades. */
export function barTakers(bars: Bars): EventTakers {
  return {
    instrument: ({ instrument, time, number }) => {
      closeBars(bars, time, number - 1)
      assert(instrument.id === bars.instruments.length, 'instruments are listed in order')
      bars.instruments.push(instrument)
      bars.open.push(bars.intervals.map((interval) => newBar(time - modFloor(time, interval))))
    },
    state: ({ instrument, state, time, number }) => {
      if (state !== 'delivered' || !bars.goesOn) return
      closeBars(bars, time, number - 1)
      cutBars(bars, instrument, time, number - 1)
      bars.open[instrument] = null
    },
    trade: (event) => addTrade(bars, event, event.number - 1),
    print: (event) => addTrade(bars, event, event.number),
  }
}

/** Writes the bars that end at or before a time; `number` is the number of the last event. */
export function closeBars(bars: Bars, time: number, number: number): void {
  const { intervals, ends } = bars
  if (!bars.goesOn) return
  for (;;) {
    const end = Math.min(...ends)
    if (end > time) return
    for (let at = 0; at < intervals.length; at += 1) {
      if (ends[at] !== end) continue
      const interval = defined(intervals[at], 'every end is of an interval')
      for (let id = 0; id < bars.open.length; id += 1) {
        const bar = bars.open[id]?.[at]
        if (bar === undefined) continue
        writeBar(bars, instrumentId(id), { bar, interval, time: end, number })
        Object.assign(bar, newBar(end))
      }
      ends[at] = end + interval
    }
  }
}

/** Writes the bars that the end of the run cuts short. */
export function finishBars(bars: Bars, time: number, number: number): void {
  if (!bars.goesOn) return
  closeBars(bars, time, number)
  for (let id = 0; id < bars.open.length; id += 1) cutBars(bars, instrumentId(id), time, number)
  bars.goesOn = false
}

/** Writes the open bars of an instrument, except bars with neither length nor trades. */
function cutBars(bars: Bars, instrument: InstrumentId, time: number, number: number): void {
  for (const [at, bar] of (bars.open[instrument] ?? []).entries()) {
    const interval = defined(bars.intervals[at], 'every bar is of an interval')
    if (bar.start < time || bar.trades > 0) writeBar(bars, instrument, { bar, interval, time, number })
  }
}

/** A trade of a tape with its time. */
type TimedTrade = TapeTrade & { readonly time: number }

function addTrade(bars: Bars, trade: TimedTrade, number: number): void {
  if (!bars.goesOn) return
  const { instrument, price, amount, side, time } = trade
  closeBars(bars, time, number)
  const list = bars.open[instrument]
  const terms = bars.instruments[instrument]
  assert(terms !== undefined, 'an instrument is listed before it is traded')
  if (list === undefined || list === null) return
  const basis = turnoverBasis(terms, trade)
  const weight = terms.detail.type === 'combo' ? BigInt(price) * BigInt(amount) : 0n
  for (const bar of list) {
    if (bar.trades === 0) bar.open = price
    bar.high = bar.trades === 0 ? price : Math.max(bar.high, price)
    bar.low = bar.trades === 0 ? price : Math.min(bar.low, price)
    bar.close = price
    bar.lots += amount
    if (side === 'buy') bar.bought += amount
    if (side === 'sell') bar.sold += amount
    bar.trades += 1
    bar.basis += basis
    bar.weight += weight
  }
}

function newBar(start: number): Bar {
  return {
    start,
    open: 0,
    high: 0,
    low: 0,
    close: 0,
    lots: 0,
    bought: 0,
    sold: 0,
    trades: 0,
    basis: 0n,
    weight: 0n,
  }
}

/** A bar with its interval, time and number. */
interface WrittenBar {
  readonly bar: Readonly<Bar>
  readonly interval: Micros
  readonly time: number
  readonly number: number
}

function writeBar(bars: Bars, instrument: InstrumentId, of: WrittenBar): void {
  const { bar, interval, time, number } = of
  const terms = defined(bars.instruments[instrument], 'a bar is of a listed instrument')
  const amountOf = (lots: number): number => scaledToNumber(amount9Of(terms, lots), DECIMALS)
  const isInverse = terms.payoff === 'inverse'
  const volume = amountOf(bar.lots)
  bars.record({
    time: micros(time),
    number,
    instrument,
    interval,
    start: micros(bar.start),
    prices:
      bar.trades === 0
        ? null
        : {
            open: price9(bar.open),
            high: price9(bar.high),
            low: price9(bar.low),
            close: price9(bar.close),
            vwap: averageOf(terms, bar),
          },
    volume,
    coin: isInverse ? scaledToNumber(bar.basis, COIN_DECIMALS) : volume,
    quote: isInverse ? volume : scaledToNumber(bar.basis, DECIMALS),
    bought: amountOf(bar.bought),
    sold: amountOf(bar.sold),
    trades: bar.trades,
  })
}

/**
 * Average price of a bar: quote currency divided by coins, halves away from zero. For combos: the average of prices
 * weighted by amounts.
 */
function averageOf(terms: Instrument, { basis, weight, lots, high, low }: Bar): Price9 {
  const average = (): bigint => {
    if (terms.detail.type === 'combo') return divHalfAwayBig(weight, BigInt(lots))
    const amount9 = amount9Of(terms, lots)
    return terms.payoff === 'inverse'
      ? divHalfAwayBig(amount9 * coinUnit, basis)
      : divHalfAwayBig(basis * 1_000_000_000n, amount9)
  }
  // The basis is rounded, so the quotient for few coins may differ from their only price.
  return price9(Math.min(Math.max(Number(average()), low), high))
}

function amount9Of(instrument: Instrument, lots: number): bigint {
  return BigInt(lots) * BigInt(instrument.amountStep9)
}
