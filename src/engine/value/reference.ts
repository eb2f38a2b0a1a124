/**
 * Reference prices: indices and marks, and the values that depend on them: price bands, the value of holdings, funding
 * rates, trigger orders.
 *
 * The mark of a spot pair is its index, that of a combo the sum of its legs, and that of an option the price of a model
 * (`option-marks.ts`). The mark of a future is the index plus an average premium; the premium moves at whole seconds
 * (`grid.ts`), and the mark follows the index at once. With `config.marks` 'index' it is the index. A control can pin a
 * mark, and a feed can set it.
 * Source: market.md 1.3, 3.1, 3.2; R24 (an index that is set acts at its own time).
 */
import { bestRecorded, recordedOf } from '../../book/index.ts'
import { divFloor, type Price9, price9 } from '../../core/index.ts'
import { clampedPrice9, deliveryMarkOf, markOf } from '../../pricing/index.ts'
import {
  collectFired,
  type Exchange,
  exactMean9,
  type IndexRow,
  type InstrumentRow,
  isPriceFixed,
  nextEvent,
  sampleUntil,
  setTimer,
  type Turn,
  WINDOW_MICROS,
} from '../state/index.ts'
import { accrueFunding, refreshRate } from './funding.ts'
import { boundedPrice, changeMark, noteBand, noteComboBand } from './mark.ts'
import { followForwards, publishOption, startOptions } from './option-marks.ts'
import { suspectAtIndexMove } from './suspects.ts'
import { wake } from './wake.ts'

/** Sets an index and every mark that follows it, instruments in the order of listing, options after them. */
export function changeIndex(turn: Turn, index: IndexRow, price: Price9): void {
  const { exchange } = turn
  // Rule: outage.index.
  if (exchange.outages.indices.has(index.name)) return
  sampleIndex(exchange, index)
  if (price !== index.price) accrueFollowers(exchange, index)
  if (index.price === 0 && exchange.config.listedOptions.length > 0) {
    setTimer(exchange.timers, exchange.now, { kind: 'option_listing' })
  }
  index.price = price
  suspectAtIndexMove(exchange, index)
  turn.log.append({
    kind: 'index',
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
    if (row.option !== null) {
      noteBand(exchange, row)
      continue
    }
    if (row.markRule === 'venue') publishMark(turn, row)
    refreshRate(turn, row)
    wake(exchange, row)
  }
  followForwards(turn, index)
}

/** Accrues funding at the old index until now. */
function accrueFollowers(exchange: Exchange, { followers }: IndexRow): void {
  for (const id of followers) {
    const row = exchange.instruments[id]
    if (row !== undefined && row.funding !== null) accrueFunding(exchange, row)
  }
}

/** Takes the samples of an index for delivery prices that were due until now. */
export function sampleIndex(exchange: Exchange, index: IndexRow): void {
  sampleUntil(index.average, exchange.now, index.price)
}

/**
 * The ticks of the instruments that follow an index and are priced in its currency. Means of the index are as precise
 * as these ticks.
 */
export function ticksOfIndex({ instruments }: Exchange, { followers }: IndexRow): number[] {
  const ticks: number[] = []
  for (const id of followers) {
    const instrument = instruments[id]?.instrument
    if (instrument === undefined || instrument.quoteCurrency === instrument.baseCurrency) continue
    ticks.push(instrument.tick9)
  }
  return ticks
}

/** Sets the mark to the price that the venue computes, if its inputs are known. */
export function publishMark(turn: Turn, row: InstrumentRow): void {
  const { mark: terms, payoff, expiration, tick9 } = row.instrument
  if (row.option !== null) {
    publishOption(turn, row)
    return
  }
  if (isPriceFixed(row)) return
  if (row.instrument.detail.type === 'combo') {
    publishCombo(turn, row)
    return
  }
  if (row.index.price === 0) return
  if (!row.isMarkComputed || terms === null || payoff === 'spot') {
    changeMark(turn, row, row.index.price, 'index')
    return
  }
  const { ema9 } = row
  const index9 = row.index.price
  const elapsed = turn.exchange.now - (expiration - WINDOW_MICROS)
  // An instrument that was listed after its last day has an ordinary mark until the next 08:00 delivers it.
  if (elapsed < 0 || elapsed > WINDOW_MICROS) {
    // On Node 20, a literal that begins with a spread and adds fields takes two microseconds.
    const mark9 = markOf({ index9, ema9, clampPpm: terms.clampPpm, payoff, tick9 })
    changeMark(turn, row, price9(mark9), 'fair')
    return
  }
  sampleIndex(turn.exchange, row.index)
  const mean9 = exactMean9(row.index.average)
  const mark9 = clampedPrice9({ index9, ema9, clampPpm: terms.clampPpm })
  const price = deliveryMarkOf({ mean9, elapsed, mark9, payoff, tick9 })
  changeMark(turn, row, price9(price), 'delivery')
}

/**
 * Sets the mark of a combo: the sum of its legs' marks by their ratios, which may be negative (T27, T28). It is unknown
 * until the marks of all legs are known.
 */
function publishCombo(turn: Turn, row: InstrumentRow): void {
  noteComboBand(turn.exchange, row)
  const isKnown = row.legs.length > 0 && row.legs.every((leg) => leg.row.hasMark)
  if (!isKnown) return
  const sum = row.legs.reduce((total, { row: { mark }, ratio }) => total + ratio * mark, 0)
  changeMark(turn, row, boundedPrice(sum), 'legs')
}

/**
 * Reprices other instruments that depend on moved marks. Order: the options of each index whose futures moved, indices
 * in the order in which they moved, options as in `followForwards`; then options with their first book, in the order of
 * listing; then combos. The spine calls it once after each command, timer and message, and after the work that they
 * cause; the tick of the price grid calls it before it reprices.
 *
 * Rule: mark.combo. Combos whose legs moved follow in the order of listing. Each is repriced once, even if several of
 * its legs moved, so that no published mark, and no trigger that it fires, mixes old and new legs.
 */
export function settleMarks(turn: Turn): void {
  const { staleIndices, movedCombos, openedOptions } = turn.exchange
  if (staleIndices.size > 0) for (const index of [...staleIndices]) followForwards(turn, index)
  if (openedOptions.size > 0) startOptions(turn)
  if (movedCombos.size === 0) return
  const moved = [...movedCombos].sort((left, right) => left.instrument.id - right.instrument.id)
  movedCombos.clear()
  for (const combo of moved) if (combo.markRule === 'venue') publishMark(turn, combo)
}

/** Reprices the options of an index at once if its futures moved, because the next step reads them. */
export function settleOptions(turn: Turn, index: IndexRow): void {
  if (turn.exchange.staleIndices.has(index)) followForwards(turn, index)
}

/**
 * Rule: index.mid. An index that follows the mid is the middle of the recorded best bid and ask, rounded down to 1e-9.
 * It does not move while a side is empty or the two sides cross. Own orders and the size that they take do not move it.
 * Assumed: the venue computes its indices from other exchanges.
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
