/**
 * Sets the mark of an instrument and updates everything of the same instrument that depends on it: its band, the value
 * and the margins of its holdings, its funding rate and its trigger orders.
 *
 * For other instruments it only notes the change: indices with a moved future, whose options depend on it
 * (`staleIndices`), and combos with a moved leg (`movedCombos`). `settleMarks` in `reference.ts` reprices them.
 */

import { bestPrice, visitLevels } from '../../book/index.ts'
import { divHalfAwayBig, type Price9, price9, safeNumber, ticks } from '../../core/index.ts'
import { isCountable, profitShare, sizeOf } from '../../ledger/index.ts'
import {
  ceilToGrid,
  floorToGrid,
  type MarkSource,
  type OptionMark,
  priceBand,
  type Side,
  TICK9_MAX,
} from '../../model/index.ts'
import {
  addToImpact,
  beginImpact,
  type FairSide,
  fairPrice,
  impactOf,
  impactPrice,
  type PriceLevel,
} from '../../pricing/index.ts'
import {
  collectFired,
  type Exchange,
  type InstrumentRow,
  nextEvent,
  type PriceBand,
  setMark,
  type Turn,
} from '../state/index.ts'
import { refreshRate } from './funding.ts'
import { pinVolatility } from './option-prices.ts'
import { followOptionMarket, revalueInstrument } from './refresh.ts'

/**
 * True if the ledger can count the value of every position of an instrument at a price, and has room for its profit. It
 * counts up to nine million coin, and the value of an inverse position grows without bound as its price falls. The
 * slack of `isCountable` covers marks, which are up to a tenth away from their index.
 */
export function canValueAt(exchange: Exchange, row: InstrumentRow, price9: number): boolean {
  const isBounded = row.mostLots < Number.POSITIVE_INFINITY
  if (isBounded && isCountableAt(row, row.mostLots, price9) && row.mostProfit < 1) return true
  measureHoldings(exchange, row)
  return isCountableAt(row, row.mostLots, price9) && row.mostProfit < 1
}

/**
 * True if every holding of an instrument, or of the legs of a combo, has room for the profit of one more fill. Profit that a trading day realizes
 * adds up, however small the positions are; a settlement makes it cash.
 */
export function hasProfitRoom(exchange: Exchange, row: InstrumentRow): boolean {
  if (row.mostProfit >= 1) measureHoldings(exchange, row)
  return row.mostProfit < 1 && row.legs.every((leg) => hasProfitRoom(exchange, leg.row))
}

function measureHoldings({ ledger }: Exchange, row: InstrumentRow): void {
  row.mostLots = 0
  row.mostProfit = 0
  for (const holding of row.holdings) {
    row.mostLots = Math.max(row.mostLots, Math.abs(sizeOf(ledger, holding)))
    row.mostProfit = Math.max(row.mostProfit, profitShare(ledger, holding))
  }
}

/** True if the ledger can count the value of one position at a price. */
export function isCountableAt(row: InstrumentRow, lots: number, price9: number): boolean {
  return lots === 0 || isCountable(row.terms, lots, Math.abs(price9))
}

/**
 * Sets the mark of an instrument, the value of every holding of it, and its funding rate.
 *
 * Assumed: at a price at which the ledger cannot count the value of a position, the mark stays as it is. A venue would
 * halt such a market. Without an index, price bands do not keep the price of a book, which marks follow, away from
 * zero.
 */
export function changeMark(turn: Turn, row: InstrumentRow, price: Price9, source: MarkSource): void {
  const { exchange } = turn
  const isPinned = source === 'set' || source === 'feed'
  if (price === row.mark && row.hasMark) {
    if (isPinned) pinVolatility(exchange, row)
    followOptionMarket(exchange, row)
    return
  }
  if (!canValueAt(exchange, row, price)) return
  setMark(row, price)
  noteBand(exchange, row)
  if (isPinned) pinVolatility(exchange, row)
  if (row.instrument.detail.type === 'future') exchange.staleIndices.add(row.index)
  revalueInstrument(exchange, row)
  turn.log.append({
    kind: 'mark',
    time: exchange.now,
    number: nextEvent(exchange),
    cause: turn.cause,
    instrument: row.instrument.id,
    price,
    index: row.index.price,
    source,
    option: optionMarkOf(row),
  })
  collectFired(exchange, row, 'mark_price')
  refreshRate(turn, row)
  for (const combo of row.combos) exchange.movedCombos.add(combo)
}

function optionMarkOf({ option }: InstrumentRow): OptionMark | null {
  return option === null ? null : { volatility9: option.volatility9, forward: option.series.forward }
}

/**
 * Price bands: the lowest price of a sell and the highest of a buy. A band depends on the mark and the price grid of
 * its instrument; for a linear option also on the index, and for a combo on the bands of its legs. `bandOf` computes a
 * band on request and caches it together with its inputs, so that a changed input needs no invalidation.
 *
 * Rule: prices.band. Source: market.md 1.3; R05.
 */

/** Gives an instrument a band once its mark is known, and for a linear option its index; updates its combos. */
export function noteBand({ config }: Pick<Exchange, 'config'>, row: InstrumentRow): void {
  if (row.hasBand) return
  const { index, instrument, option } = row
  if (!config.priceBands || instrument.bandPpm === 0 || !row.hasMark) return
  if (option !== null && !option.contract.isCoin && index.price === 0) return
  row.hasBand = true
  for (const combo of row.combos) noteComboBand({ config }, combo)
}

/** Gives a combo a band once all legs have bands. */
export function noteComboBand(exchange: Pick<Exchange, 'config'>, row: InstrumentRow): void {
  row.hasBand = exchange.config.priceBands && row.legs.length > 0 && row.legs.every((leg) => leg.row.hasBand)
}

/** The current band of an instrument; both ends are 0 without a band. */
export function bandOf(row: InstrumentRow): Readonly<Pick<PriceBand, 'min' | 'max'>> {
  if (!row.hasBand) return row.band
  if (row.legs.length > 0) findComboBand(row)
  else findBand(row)
  return row.band
}

/** The band of a linear option is a fraction of its index, so it moves with the index too (R05). */
function findBand({ mark, index, instrument, option, band }: InstrumentRow): void {
  const whole = option === null ? mark : option.contract.isCoin ? ONE_COIN : index.price
  // An instrument with changed steps has another specification.
  if (band.mark === mark && band.whole === whole && band.instrument === instrument) return
  const { min, max } = priceBand(instrument, { mark, whole })
  band.min = ticks(Math.max(1, min))
  band.max = max
  band.mark = mark
  band.whole = whole
  band.instrument = instrument
}

/**
 * Rule: prices.band of a combo: it is the sum of its legs' bands, with the end of each that makes the sum the largest
 * or the smallest, rounded outward to the combo's grid. It may be negative; the minimum of one tick does not apply
 * (R05).
 */
function findComboBand(row: InstrumentRow): void {
  let most = 0
  let least = 0
  for (const { row: leg, ratio } of row.legs) {
    const { min, max } = bandOf(leg)
    const unit = ratio * leg.instrument.tick9
    most += unit * (ratio > 0 ? max : min)
    least += unit * (ratio > 0 ? min : max)
  }
  row.band.max = ceilToGrid(row.instrument, boundedPrice(most))
  row.band.min = floorToGrid(row.instrument, boundedPrice(least))
}

/** A sum of leg prices, limited to the range of prices. */
export function boundedPrice(sum: number): Price9 {
  return price9(Math.min(COMBO_PRICE9_MAX, Math.max(-COMBO_PRICE9_MAX, sum)))
}

/** A price up to this limit is still a safe integer after rounding outward to a grid. */
const COMBO_PRICE9_MAX = Number.MAX_SAFE_INTEGER - TICK9_MAX

/** One coin at a price of 1 coin. */
const ONE_COIN = price9(1_000_000_000)

/**
 * The fair price of a future, computed from its book as an input of the mark.
 *
 * Rule: mark.fair. The fair price of a perpetual is the middle of the average prices at which a market order of the
 * impact size would trade on each side; that of a dated future is the middle of its best prices. Only visible orders
 * count. A side without orders counts as index plus premium, so that the premium does not move. Source: market.md 3.2
 * (T23).
 */

/** Premium over the index that the book shows, in 1e-9; null if the book does not show one. */
export function shownPremium(row: InstrumentRow): number | null {
  const { mark } = row.instrument
  if (mark === null) return null
  const { price: index9 } = row.index
  if (mark.impact9 === 0) {
    const middle = middleOf(row)
    return middle === null ? null : middle - index9
  }
  if (row.fairSeen === row.changeId) return row.fair9 - index9
  const bid = sideOf(row, 'buy', mark.impact9)
  const ask = sideOf(row, 'sell', mark.impact9)
  if (bid === null && ask === null) return null
  const fair9 = fairPrice(bid, ask, index9 + row.ema9)
  if (bid !== null && ask !== null) {
    row.fair9 = fair9
    row.fairSeen = row.changeId
  }
  return fair9 - index9
}

/** The middle of the best prices, rounded half away from zero to 1e-9. */
function middleOf({ book, instrument }: InstrumentRow): number | null {
  const bid = bestPrice(book, 'buy')
  const ask = bestPrice(book, 'sell')
  if (bid === undefined || ask === undefined) return null
  return safeNumber(divHalfAwayBig(BigInt(bid + ask) * BigInt(instrument.tick9), 2n))
}

function sideOf(row: InstrumentRow, side: Side, impact9: number): FairSide | null {
  const { tick9, amountStep9, payoff } = row.instrument
  const best = bestPrice(row.book, side)
  if (best === undefined || payoff === 'spot') return null
  const walk = beginImpact(payoff, impact9)
  // Levels deeper than the impact size change nothing.
  visitLevels(row.book, side, Number.POSITIVE_INFINITY, (price, size) =>
    addToImpact(walk, price * tick9, size * amountStep9),
  )
  // If doubles leave the last digit uncertain, the whole side is summed exactly.
  const impact = impactOf(walk) ?? impactPrice({ payoff, levels: levelsOf(row, side), impact9 })
  return impact === null ? null : { best9: best * tick9, impact9: impact }
}

function levelsOf({ book, instrument: { tick9, amountStep9 } }: InstrumentRow, side: Side): PriceLevel[] {
  const levels: PriceLevel[] = []
  visitLevels(book, side, Number.POSITIVE_INFINITY, (price, size) => {
    levels.push({ price9: price * tick9, amount9: size * amountStep9 })
    return true
  })
  return levels
}
