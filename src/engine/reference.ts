/**
 * Reference prices: indices, marks and the price bands that follow from them.
 *
 * A mark follows its index until it is pinned; a spot pair's mark is its index (observed). The
 * venue's own mark of perpetuals and futures (impact prices, EMA) is not computed yet.
 * Source: market.md 1.3, 3.1, 3.2; R24 (an index that is set acts at its own time).
 */
import { bestRecorded, recordedOf } from '../book/index.ts'
import { divFloor, type Price9, price9, ticks } from '../core/index.ts'
import { priceBand } from '../model/index.ts'
import { nextEvent, type Turn } from './emit.ts'
import { type IndexRow, type InstrumentRow, setMark } from './state/exchange.ts'
import { revalueInstrument } from './state/holdings.ts'
import { collectFired } from './state/watch.ts'

/** Sets an index and every mark that follows it, instruments in the order of listing. */
export function changeIndex(turn: Turn, index: IndexRow, price: Price9): void {
  const { exchange } = turn
  index.price = price
  turn.sink.emit({
    kind: 'index_changed',
    time: exchange.now,
    number: nextEvent(exchange),
    cause: turn.cause,
    index: index.name,
    price,
  })
  for (const id of index.followers) {
    const row = exchange.instruments[id]
    if (row === undefined) continue
    collectFired(exchange, row, 'index_price')
    if (!row.markPinned) changeMark(turn, row, { price, source: 'index' })
  }
}

/** Sets the mark of an instrument, its band, and the value of every holding of it. */
export function changeMark(
  turn: Turn,
  row: InstrumentRow,
  mark: { readonly price: Price9; readonly source: 'index' | 'set' },
): void {
  const { exchange } = turn
  if (mark.price === row.mark) return
  setMark(row, mark.price)
  const { bandPpm } = row.instrument
  if (exchange.config.priceBands && bandPpm > 0) {
    const band = priceBand(row.instrument, mark.price)
    row.bandMin = ticks(Math.max(1, band.min))
    row.bandMax = band.max
  }
  revalueInstrument(exchange, row)
  turn.sink.emit({
    kind: 'mark_changed',
    time: exchange.now,
    number: nextEvent(exchange),
    cause: turn.cause,
    instrument: row.instrument.id,
    price: mark.price,
    index: row.index.price,
    source: mark.source,
  })
  collectFired(exchange, row, 'mark_price')
}

/**
 * Rule: index.mid. An index that follows the mid is the middle of the recorded best bid and ask,
 * rounded down to 1e-9; it stays where it is while a side is empty or the two cross. Own orders and
 * what they take do not move it. Assumed: the venue computes its indices from other exchanges.
 */
export function followMid(turn: Turn, row: InstrumentRow): void {
  const { recorded } = row.book
  if (recorded === null) return
  const bid = bestRecorded(recordedOf(recorded, 'buy'))
  const ask = bestRecorded(recordedOf(recorded, 'sell'))
  if (bid === undefined || ask === undefined || bid >= ask) return
  const mid = price9(divFloor((bid + ask) * row.instrument.tick9, 2))
  if (mid > 0 && mid !== row.index.price) changeIndex(turn, row.index, mid)
}
