/**
 * Recorded market data: one message after another, each applied as a whole.
 *
 * - `book`: the rows set levels of the recorded book, without matching between them. Then an index that follows the mid
 *   price is updated, and resting orders whose price the other side has reached are filled.
 * - `trades`: each print sets the last price, fires trigger orders, fills resting orders by the queue model and
 *   consumes the recorded size that it took. Orders that it triggered match afterwards. The rest of the print is a
 *   separate trade of the instrument.
 * - `index`: each row sets the price index of the instrument, then its mark, if the row contains a mark.
 *
 * A message belongs to no request, so its events have cause 0. If an instrument is not open, its market is recorded but
 * fills nothing. Source: DESIGN 4 and 5; `book/queue-models.ts`.
 */
import {
  type BookLevel,
  bestRecorded,
  recordedOf,
  recordedSize,
  recordRows,
  refreshLevels,
  settleCrossed,
  visitRecorded,
} from '../../book/index.ts'
import { assert, lots, mulDivFloor, price9 } from '../../core/index.ts'
import {
  type EventSink,
  feedRowOf,
  logOf,
  type MarketMessage,
  type Print,
  rowSide,
  sides,
  sourceOf,
} from '../../model/index.ts'
import {
  applyPrint,
  drainWork,
  emitPriceLevel,
  fillReached,
  nextAltMatch,
  nextTrade,
  noteLastPrice,
} from '../market/index.ts'
import { collectFired, type Exchange, type InstrumentRow, isPriceFixed, type Turn } from '../state/index.ts'
import {
  changeIndex,
  changeMark,
  followMid,
  noteBookChange,
  optionTradeOf,
  settleMarks,
  settleOptions,
} from '../value/index.ts'
import { checkTime, isDue, NO_CAUSE, runTimers } from './advance.ts'

/** Findings of a message about its feed. */
export interface MessageFinding {
  /** True if the message left the recorded bids and asks crossed. */
  readonly crossed: boolean
  /** Number of removed levels that did not exist. */
  readonly unknownRemovals: number
  /** Rows that were not applied: prints far off the book, or rows before the listing or after the delivery. */
  readonly leftOut?: { readonly check: 'off_book' | 'out_of_life'; readonly rows: number }
}

/**
 * Applies one recorded message at its time, which must not be before the clock. Timers due at or before that time run
 * first. For a book or trades, the instrument must be listed with a queue model.
 *
 * @throws RangeError with the code `TIME` if the time of the message is before the clock.
 */
export function applyMarketMessage(exchange: Exchange, message: MarketMessage, sink: EventSink): MessageFinding {
  checkTime(message.time, exchange.now)
  const log = logOf(sink)
  if (isDue(exchange, message.time)) runTimers(exchange, message.time, log)
  exchange.now = message.time
  const turn: Turn = { exchange, log, cause: NO_CAUSE }
  const finding = applyRows(turn, message)
  settleMarks(turn)
  drainWork(turn)
  log.read()
  return finding
}

/** From now on emits changes of visible levels of closed books. Results that do not request them ignore them. */
export function emitClosedBooks(exchange: Exchange): void {
  // The configuration belongs to the run and is not part of the state that commands change.
  Object.assign(exchange, { config: { ...exchange.config, closedBookEvents: true } })
}

function applyRows(turn: Turn, message: MarketMessage): MessageFinding {
  const row = turn.exchange.instruments[message.instrument]
  // The instrument is not listed yet, or has ended. The index of an ended instrument continues, because it affects
  // other instruments.
  const hasEnded = row?.state === 'delivered' || (row !== undefined && isPriceFixed(row))
  if (row === undefined || (message.kind !== 'index' && hasEnded)) {
    const rows = message.to - message.from
    return { ...nothingFound, leftOut: { check: 'out_of_life', rows } }
  }
  switch (message.kind) {
    case 'book':
      return applyBook(turn, row, message)
    case 'trades': {
      const rows = applyPrints(turn, row, message)
      return rows === 0 ? nothingFound : { ...nothingFound, leftOut: { check: 'off_book', rows } }
    }
    case 'index':
      applyIndex(turn, row, message)
      return nothingFound
  }
}

const nothingFound: MessageFinding = { crossed: false, unknownRemovals: 0 }

function applyBook(turn: Turn, row: InstrumentRow, message: MarketMessage): MessageFinding {
  const { bookEvents } = turn.exchange.config
  // Levels that a message may remove without a row. Most runs do not record them.
  const gone: BookLevel[] | null = bookEvents ? [] : null
  if (gone !== null && message.snapshot) addShown(row, gone)
  const unknownRemovals = recordRows(row.book, message.rows, message)
  const crossed = settleCrossed(row.book, message.uncross, gone)
  noteBookChange(turn.exchange, row)
  if (gone !== null) emitLevels(turn, row, message, gone)
  if (row.book.recorded !== null && row.book.recorded.refreshes.next <= message.time) giveBack(turn, row)
  if (row.index.mid === row.instrument.id) followMid(turn, row)
  if (row.state === 'open') fillReached(turn, row)
  return crossed || unknownRemovals > 0 ? { crossed, unknownRemovals } : nothingFound
}

/**
 * Gives back consumed levels that are due. It is a separate function because V8 allocates a closure's context when its
 * function begins.
 */
function giveBack(turn: Turn, row: InstrumentRow): void {
  const { now, config } = turn.exchange
  if (row.book.recorded === null) return
  refreshLevels(row.book.recorded, now, (level) => {
    if (config.bookEvents) emitPriceLevel(turn, row, level.side, level.price)
  })
}

/** Adds every visible level of the recorded book. */
function addShown(row: InstrumentRow, levels: BookLevel[]): void {
  const { recorded } = row.book
  if (recorded === null) return
  for (const side of sides) {
    visitRecorded(recordedOf(recorded, side), Number.POSITIVE_INFINITY, (price) => {
      levels.push({ side, price })
    })
  }
}

/** Emits the levels that a message removed or set, each in its state after the whole message. */
function emitLevels(turn: Turn, row: InstrumentRow, message: MarketMessage, gone: readonly BookLevel[]): void {
  const { recorded } = row.book
  for (const { side, price } of gone) {
    // A level that is visible again has a row in the message.
    const isShown = recorded !== null && recordedSize(recordedOf(recorded, side), price) > 0
    if (!isShown) emitPriceLevel(turn, row, side, price)
  }
  for (let at = message.from; at < message.to; at += 1) {
    const side = message.rows.side[at] === rowSide.sell ? 'sell' : 'buy'
    emitPriceLevel(turn, row, side, message.rows.price[at] as number)
  }
}

/** Largest distance of a print from the recorded best prices: this share of them, and at least this number of ticks. */
const OFF_BOOK_PPM = 5_000
const OFF_BOOK_TICKS = 10

/**
 * True if a print is so far below the best bid or above the best ask that no taker of this book made it: legs of combos
 * and blocks are traded elsewhere, and feeds do not always mark them. An empty side sets no bound.
 */
function isOffBook({ book: { recorded } }: InstrumentRow, price: number): boolean {
  if (recorded === null) return false
  const bid = bestRecorded(recorded.bids)
  const ask = bestRecorded(recorded.asks)
  return (bid !== undefined && bid - price > widthAt(bid)) || (ask !== undefined && price - ask > widthAt(ask))
}

function widthAt(price: number): number {
  return Math.max(OFF_BOOK_TICKS, mulDivFloor(Math.abs(price), OFF_BOOK_PPM, 1_000_000))
}

/**
 * Applies prints: each fires trigger orders by its price and fills orders; its rest becomes a trade after its fills.
 * Returns the number of prints far off the book.
 */
function applyPrints(turn: Turn, row: InstrumentRow, message: MarketMessage): number {
  const { rows, from, to, feed, offBook } = message
  let off = 0
  assert(row.book.recorded !== null, 'prints go to a replay book')
  for (let at = from; at < to; at += 1) {
    // A print of size 0 has no effect, not even by its price.
    if (rows.amount[at] === 0) continue
    if (offBook !== undefined && isOffBook(row, rows.price[at] as number)) {
      off += 1
      if (offBook !== 'keep') continue
    }
    const price = price9((rows.price[at] as number) * row.instrument.tick9)
    row.bookPrice = price
    collectFired(turn.exchange, row, 'last_price')
    const code = rows.side[at]
    const side = code === rowSide.buy ? 'buy' : code === rowSide.sell ? 'sell' : 'unknown'
    const amount = rows.amount[at] as number
    const source = feedRowOf(sourceOf(feed, rows.row[at] as number))
    // A print with an unknown side may have hit either queue, so it fills neither.
    const filled =
      side === 'unknown' ? 0 : applyPrint(turn, row, { side, price: rows.price[at] as number, lots: amount, source })
    if (filled < amount) {
      emitPrint(turn, row, { price, amount: amount - filled, side, source })
    }
  }
  return off
}

/** A print with its amount. */
interface AmountPrint extends Pick<Print, 'price' | 'side' | 'source'> {
  readonly amount: number
}

/** Emits the rest of a print as the next trade of the instrument. */
function emitPrint({ exchange, log, cause }: Turn, row: InstrumentRow, print: AmountPrint): void {
  const { trade, tradeSeq } = nextTrade(exchange, row)
  log.append({
    kind: 'print',
    time: exchange.now,
    number: exchange.eventCount,
    cause,
    trade,
    tradeSeq,
    instrument: row.instrument.id,
    price: print.price,
    amount: lots(print.amount),
    side: print.side,
    tickDirection: noteLastPrice(exchange, row, print.price),
    altMatch: nextAltMatch(exchange, row),
    index: row.index.price,
    mark: row.mark,
    liquidation: 'none',
    option: optionTradeOf(exchange, row, print.price),
    combo: null,
    legs: noLegs,
    source: print.source,
  })
}

const noLegs: readonly [] = []

function applyIndex(turn: Turn, row: InstrumentRow, message: MarketMessage): void {
  for (let at = message.from; at < message.to; at += 1) {
    const price = price9(message.rows.price[at] as number)
    if (price !== row.index.price) changeIndex(turn, row.index, price)
    const mark = price9(message.rows.amount[at] as number)
    if (mark === 0 || isPriceFixed(row)) continue
    row.markRule = 'feed'
    changeMark(turn, row, mark, 'feed')
    settleOptions(turn, row.index)
  }
}
