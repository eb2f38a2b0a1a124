/**
 * Price bands: lowest price of a sell, highest of a buy. A band follows from the mark of its instrument, or from those of
 * its legs. Marks only note that it is another one; it is found when an order or a view asks for it.
 *
 * Rule: prices.band. Source: market.md 1.3; R05.
 */
import { type Price9, price9, ticks } from '../../core/index.ts'
import { ceilToGrid, floorToGrid, priceBand, TICK9_MAX } from '../../model/index.ts'
import type { Exchange, InstrumentRow } from '../state/index.ts'

/** The ends of a band in ticks; 0 where there is none. */
type BandEnds = Pick<InstrumentRow, 'bandMin' | 'bandMax'>

/**
 * Notes that the mark of an instrument, or the index of an option, is another one, so that its band may be, and those
 * of its combos.
 */
export function noteBand({ config }: Pick<Exchange, 'config'>, row: InstrumentRow): void {
  // Whoever reads a combo finds the bands of its legs first, so that it is noted too.
  if (row.isBandStale) return
  const { index, instrument, option } = row
  if (!config.priceBands || instrument.bandPpm === 0 || !row.hasMark) return
  if (option !== null && !option.contract.isCoin && index.price === 0) return
  row.hasBand = true
  row.isBandStale = true
  for (const combo of row.combos) noteComboBand({ config }, combo)
}

/** The same of a combo whose legs' bands are others. */
export function noteComboBand({ config }: Pick<Exchange, 'config'>, row: InstrumentRow): void {
  row.hasBand = config.priceBands && row.legs.length > 0 && row.legs.every((leg) => leg.row.hasBand)
  if (row.hasBand) row.isBandStale = true
}

/** The band of an instrument now. */
export function bandOf(row: InstrumentRow): BandEnds {
  if (!row.isBandStale) return row
  row.isBandStale = false
  if (row.legs.length > 0) findComboBand(row)
  else findBand(row)
  return row
}

/** Finds the bands that others have not asked for, for what reads the whole state. */
export function freshenBands({ instruments }: Exchange): void {
  for (const row of instruments) bandOf(row)
}

/** The band of a linear option is a part of its index, and moves with it too (R05). */
function findBand(row: InstrumentRow): void {
  const { mark, index, instrument, option } = row
  const whole = option === null ? mark : option.contract.isCoin ? ONE_COIN : index.price
  const { min, max } = priceBand(instrument, { mark, whole })
  row.bandMin = ticks(Math.max(1, min))
  row.bandMax = max
}

/**
 * Rule: prices.band of a combo: the ends of its legs' bands, each the one that makes the sum the largest or the
 * smallest, outward to its own grid. It may be negative, and nothing holds it above one tick (R05).
 */
function findComboBand(row: InstrumentRow): void {
  let most = 0
  let least = 0
  for (const { row: leg, ratio } of row.legs) {
    const { bandMin, bandMax } = bandOf(leg)
    const unit = ratio * leg.instrument.tick9
    most += unit * (ratio > 0 ? bandMax : bandMin)
    least += unit * (ratio > 0 ? bandMin : bandMax)
  }
  row.bandMax = ceilToGrid(row.instrument, boundedPrice(most))
  row.bandMin = floorToGrid(row.instrument, boundedPrice(least))
}

/** A sum of leg prices, held where prices end. */
export function boundedPrice(sum: number): Price9 {
  return price9(Math.min(COMBO_PRICE9_MAX, Math.max(-COMBO_PRICE9_MAX, sum)))
}

/** Rounded outward to a grid it is a safe integer still. */
const COMBO_PRICE9_MAX = Number.MAX_SAFE_INTEGER - TICK9_MAX

/** One coin at a price of 1 coin. */
const ONE_COIN = price9(1_000_000_000)
