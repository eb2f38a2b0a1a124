/**
 * Series of a market: the rows that a run writes to `quotes`, `book_snapshots` and `bars`.
 *
 * Quotes and snapshots show every book except those of delivered instruments, at whole multiples of a duration since
 * the epoch, in the order of listing. Like samples of equity (`equity-samples.ts`) they are taken after all earlier
 * work and before any input with their time; timers of the exchange that are due then run first. The start has no row.
 * All times that a request skips (`sim/advance`) together give one row, with the time at which the clock arrives. After
 * `sim/restore` each time still has only one row, and bars end.
 *
 * A row shows the current book, including visible sizes and own orders. In a recorded book that the feed left crossed,
 * the bid is above the ask, and the mid price is between them. An empty side gives null. A snapshot of an empty book is
 * one row of nulls. `bars.ts` has the bars. Series do not change the run.
 */
import { divFloor, type InstrumentId, type Micros, price9 } from '../../core/index.ts'
import {
  allInstruments,
  bookStateOf,
  type Exchange,
  eventCountOf,
  type Level,
  timeOf,
  viewDepth,
} from '../../engine/index.ts'
import { type EventSink, sinkOf } from '../../model/index.ts'
import type { BarRecord, BookLevelRecord, QuoteRecord } from '../../results/index.ts'
import type { RecordTerms } from '../run-terms.ts'
import {
  barTakers,
  closeBars,
  createBars,
  dropBars,
  finishBars,
  loadBars,
  nextBarEnd,
  type SavedBars,
  saveBars,
} from './bars.ts'
import type { RunWatcher } from './equity-samples.ts'

/** Receives the rows of series; `ResultsSink` implements it. */
export interface SeriesConsumer {
  recordQuote(record: QuoteRecord): void
  recordBookLevel(record: BookLevelRecord): void
  recordBar(record: BarRecord): void
}

/** Position of the series of a run: plain data, for snapshots. */
export interface SeriesPosition {
  readonly quote: number
  readonly snapshot: number
  readonly bars: SavedBars
}

/** The series of a run. */
export interface Series extends RunWatcher {
  /** Receives every event, including recorded trades; null without bars. */
  readonly sink: EventSink | null
  /** Called at a request to restore the run. */
  putBack(): void
  /** Ends the bars at the current time of the exchange. */
  finish(exchange: Exchange): void
  save(): SeriesPosition
  /**
   * Restores the position that `save` of equal series returned; the exchange must have the state of the same moment.
   */
  load(position: SeriesPosition, exchange: Exchange): void
}

type SeriesTerms = Pick<RecordTerms, 'quotes' | 'bookSnapshot' | 'bars'>

/** Series of a run that begins at a time. Null if its terms request none or no consumer receives them. */
export function createRunSeries(
  { quotes, bookSnapshot, bars: intervals }: SeriesTerms,
  start: Micros,
  consumer: SeriesConsumer | undefined,
): Series | null {
  const isAsked = quotes !== null || bookSnapshot !== null || intervals.length > 0
  if (consumer === undefined || !isAsked) return null
  const record = (bar: BarRecord): void => consumer.recordBar(bar)
  const bars = intervals.length === 0 ? null : createBars(intervals, start, record)
  const every = bookSnapshot?.every ?? null
  let quote = timeAfter(start, quotes)
  let snapshot = timeAfter(start, every)
  return {
    sink: bars === null ? null : sinkOf(barTakers(bars)),
    next: () => Math.min(quote, snapshot, bars === null ? never : nextBarEnd(bars)),
    look: (time, exchange) => {
      if (bars !== null) closeBars(bars, time, eventCountOf(exchange))
      if (quote <= time) {
        recordQuotes(exchange, consumer)
        quote = timeAfter(time, quotes)
      }
      if (snapshot <= time) {
        recordBooks(exchange, bookSnapshot?.depth ?? 0, consumer)
        snapshot = timeAfter(time, every)
      }
    },
    putBack: () => {
      if (bars !== null) dropBars(bars)
    },
    finish: (exchange) => {
      const number = eventCountOf(exchange)
      if (bars !== null) finishBars(bars, timeOf(exchange), number)
    },
    save: () => ({ quote, snapshot, bars: bars === null ? noBars : saveBars(bars) }),
    load: (position, exchange) => {
      quote = position.quote
      snapshot = position.snapshot
      if (bars !== null) loadBars(bars, position.bars, allInstruments(exchange))
    },
  }
}

const never = Number.POSITIVE_INFINITY
const noBars: SavedBars = { open: [], ends: [], goesOn: false }

/** The first whole multiple of a duration after a time. */
function timeAfter(time: number, every: Micros | null): number {
  return every === null ? never : (divFloor(time, every) + 1) * every
}

function recordQuotes(exchange: Exchange, consumer: SeriesConsumer): void {
  const time = timeOf(exchange)
  const number = eventCountOf(exchange)
  for (const instrument of openBooks(exchange)) {
    const [bid = null] = viewDepth(exchange, instrument, 'buy', 1)
    const [ask = null] = viewDepth(exchange, instrument, 'sell', 1)
    consumer.recordQuote({ time, number, instrument, bid, ask, mid: middleOf(bid, ask) })
  }
}

/** The mid price of two prices; a half is rounded down. */
function middleOf(bid: Level | null, ask: Level | null): QuoteRecord['mid'] {
  if (bid === null || ask === null) return null
  return price9(bid.price + divFloor(ask.price - bid.price, 2))
}

function recordBooks(exchange: Exchange, depth: number, consumer: SeriesConsumer): void {
  const time = timeOf(exchange)
  const number = eventCountOf(exchange)
  for (const instrument of openBooks(exchange)) {
    const bids = viewDepth(exchange, instrument, 'buy', depth)
    const asks = viewDepth(exchange, instrument, 'sell', depth)
    const levels = Math.max(1, bids.length, asks.length)
    for (let at = 0; at < levels; at += 1) {
      const sides = { bid: bids[at] ?? null, ask: asks[at] ?? null }
      consumer.recordBookLevel({ time, number, instrument, level: at + 1, ...sides })
    }
  }
}

/** Instruments before delivery, in the order of listing. */
function openBooks(exchange: Exchange): readonly InstrumentId[] {
  return allInstruments(exchange)
    .map(({ id }) => id)
    .filter((id) => bookStateOf(exchange, id) !== 'delivered')
}
