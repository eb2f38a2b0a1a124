/**
 * Price bands: the lowest price of a sell and the highest of a buy. A band depends on the mark and the price grid of
 * its instrument; for a linear option also on the index, and for a combo on the bands of its legs. `bandOf` computes a
 * band on request and caches it together with its inputs, so that a changed input needs no invalidation.
 *
 * Rule: prices.band. Source: market.md 1.3; R05.
 */
import { type Price9, price9, ticks } from '../../core/index.ts'
import { ceilToGrid, floorToGrid, priceBand, TICK9_MAX } from '../../model/index.ts'
import type { Exchange, InstrumentRow, PriceBand } from '../state/index.ts'

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
export function noteComboBand({ config }: Pick<Exchange, 'config'>, row: InstrumentRow): void {
  row.hasBand = config.priceBands && row.legs.length > 0 && row.legs.every((leg) => leg.row.hasBand)
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
