/**
 * The mark of an instrument and its band: how they are set, and what follows from them for the instrument
 * itself: the value and the margins of its holdings, its funding rate, its trigger orders.
 *
 * What follows for other instruments is only marked here: options of an index whose future moved
 * (`staleIndices`), combos whose leg moved (`movedCombos`). `settleMarks` in `reference.ts` settles it.
 */
import { type Price9, price9, ticks } from '../../core/index.ts'
import {
  ceilToGrid,
  floorToGrid,
  type MarkSource,
  type OptionMark,
  priceBand,
  TICK9_MAX,
} from '../../model/index.ts'
import {
  collectFired,
  type Exchange,
  type InstrumentRow,
  nextEvent,
  setMark,
  type Turn,
} from '../state/index.ts'
import { refreshRate } from './funding.ts'
import { pinVolatility } from './option-prices.ts'
import { followOptionMarket, revalueInstrument } from './refresh.ts'

/** Sets the mark of an instrument, its band, the value of every holding of it, and its funding rate. */
export function changeMark(
  turn: Turn,
  row: InstrumentRow,
  mark: { readonly price: Price9; readonly source: MarkSource },
): void {
  const { exchange } = turn
  const isPinned = mark.source === 'set' || mark.source === 'feed'
  if (mark.price === row.mark && row.hasMark) {
    if (isPinned) pinVolatility(exchange, row)
    followOptionMarket(exchange, row)
    return
  }
  setMark(row, mark.price)
  setBand(exchange, row)
  if (isPinned) pinVolatility(exchange, row)
  if (row.instrument.detail.type === 'future') exchange.staleIndices.add(row.index)
  revalueInstrument(exchange, row)
  turn.sink.emit({
    kind: 'mark',
    time: exchange.now,
    number: nextEvent(exchange),
    cause: turn.cause,
    instrument: row.instrument.id,
    price: mark.price,
    index: row.index.price,
    source: mark.source,
    option: optionMarkOf(row),
  })
  collectFired(exchange, row, 'mark_price')
  refreshRate(turn, row)
  for (const combo of row.combos) exchange.movedCombos.add(combo)
}

/**
 * Rule: prices.band. Sets the band of an instrument whose mark is known. That of a linear option is a part of
 * its index, and moves with it too (R05).
 */
export function setBand({ config }: Pick<Exchange, 'config'>, row: InstrumentRow): void {
  const { mark, index, instrument, option } = row
  if (!config.priceBands || instrument.bandPpm === 0 || !row.hasMark) return
  const isOption = option !== null
  if (isOption && !option.contract.isCoin && index.price === 0) return
  const whole = isOption ? (option.contract.isCoin ? ONE_COIN : index.price) : mark
  const band = priceBand(instrument, { mark, whole })
  row.hasBand = true
  row.bandMin = ticks(Math.max(1, band.min))
  row.bandMax = band.max
  for (const combo of row.combos) setComboBand({ config }, combo)
}

/**
 * Rule: prices.band of a combo: the ends of its legs' bands, each the one that makes the sum the largest or the
 * smallest, outward to its own grid. It may be negative, and nothing holds it above one tick (R05).
 */
export function setComboBand({ config }: Pick<Exchange, 'config'>, row: InstrumentRow): void {
  row.hasBand = config.priceBands && row.legs.length > 0 && row.legs.every((leg) => leg.row.hasBand)
  if (!row.hasBand) return
  let most = 0
  let least = 0
  for (const { row: leg, ratio } of row.legs) {
    const unit = ratio * leg.instrument.tick9
    most += unit * (ratio > 0 ? leg.bandMax : leg.bandMin)
    least += unit * (ratio > 0 ? leg.bandMin : leg.bandMax)
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

function optionMarkOf({ option }: InstrumentRow): OptionMark | null {
  return option === null
    ? null
    : { volatility9: option.volatility9, forward: option.series.forward }
}
