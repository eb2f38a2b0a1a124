/**
 * Series of a market: the rows that a run writes to `quotes`, `book_snapshots` and `bars` while it goes on.
 *
 * Quotes and snapshots show every book but those of delivered instruments, at whole multiples of a duration since
 * the epoch, in the order of listing. They are taken when all before their time is done and before any input of
 * their time, like samples of equity (`equity-samples.ts`): timers of the exchange that are due then run first. None
 * is taken at the start. Times that a request leaves behind (`sim/advance`) give one row together, with the time at
 * which the clock arrives; after `sim/restore` each time has one row still, and bars come to their end.
 *
 * A row shows the book as it is, visible sizes and own orders included: of a recorded book that the feed left
 * crossed the bid is above the ask, and the middle lies between them; where a side is empty there is null. A
 * snapshot of an empty book is one row of nulls. `bars.ts` has the bars. Nothing here changes anything.
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

/** Takes the rows of series; a `ResultsSink` does. */
export interface SeriesConsumer {
  recordQuote(record: QuoteRecord): void
  recordBookLevel(record: BookLevelRecord): void
  recordBar(record: BarRecord): void
}

/** Where the series of a run stand: plain data, for snapshots. */
export interface SeriesPosition {
  readonly quote: number
  readonly snapshot: number
  readonly bars: SavedBars
}

/** The series of a run. */
export interface Series extends RunWatcher {
  /** Takes every event, recorded trades too; null where no bars are made. */
  readonly sink: EventSink | null
  /** Called when somebody asks to put the run back. */
  putBack(): void
  /** Ends the bars where the exchange stands. */
  finish(exchange: Exchange): void
  save(): SeriesPosition
  /** Takes what `save` of equal series gave; the exchange is that of the same moment. */
  load(position: SeriesPosition, exchange: Exchange): void
}

type SeriesTerms = Pick<RecordTerms, 'quotes' | 'bookSnapshot' | 'bars'>

/** Series of a run that begins at a time; null where its terms ask for none or nobody takes them. */
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
      if (bars !== null) closeBars(bars, { time, number: eventCountOf(exchange) })
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
      if (bars !== null) finishBars(bars, { time: timeOf(exchange), number })
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
  for (const instrument of standingBooks(exchange)) {
    const [bid = null] = viewDepth(exchange, instrument, { side: 'buy', depth: 1 })
    const [ask = null] = viewDepth(exchange, instrument, { side: 'sell', depth: 1 })
    consumer.recordQuote({ time, number, instrument, bid, ask, mid: middleOf(bid, ask) })
  }
}

/** The middle of two prices, a half rounded down. */
function middleOf(bid: Level | null, ask: Level | null): QuoteRecord['mid'] {
  if (bid === null || ask === null) return null
  return price9(bid.price + divFloor(ask.price - bid.price, 2))
}

function recordBooks(exchange: Exchange, depth: number, consumer: SeriesConsumer): void {
  const time = timeOf(exchange)
  const number = eventCountOf(exchange)
  for (const instrument of standingBooks(exchange)) {
    const bids = viewDepth(exchange, instrument, { side: 'buy', depth })
    const asks = viewDepth(exchange, instrument, { side: 'sell', depth })
    const levels = Math.max(1, bids.length, asks.length)
    for (let at = 0; at < levels; at += 1) {
      const sides = { bid: bids[at] ?? null, ask: asks[at] ?? null }
      consumer.recordBookLevel({ time, number, instrument, level: at + 1, ...sides })
    }
  }
}

/** Instruments that are not delivered, in the order of listing. */
function standingBooks(exchange: Exchange): readonly InstrumentId[] {
  return allInstruments(exchange)
    .map(({ id }) => id)
    .filter((id) => bookStateOf(exchange, id) !== 'delivered')
}
