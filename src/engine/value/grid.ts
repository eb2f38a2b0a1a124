/**
 * The tick of the price grid, at whole seconds: moves the average premium of each instrument that is awake toward the
 * premium that its book shows, and the mark with it.
 *
 * Rule: mark.premium. An instrument whose premium did not move goes to sleep, because the next tick would not move it
 * either. A future stays awake in its delivery window. Source: market.md 3.2 (T24, T26); DESIGN 4; R01, R02.
 */
import { defined } from '../../core/index.ts'
import { nextPremium } from '../../pricing/index.ts'
import { type Exchange, type InstrumentRow, type Turn, WINDOW_MICROS } from '../state/index.ts'
import { shownPremium } from './mark.ts'
import { tickOptions } from './option-marks.ts'
import { publishMark } from './reference.ts'
import { wake } from './wake.ts'

/** Moves every instrument that is awake, in the order of listing, and then options. */
export function tickPrices(turn: Turn): void {
  const { exchange } = turn
  exchange.tick = null
  const ticking = exchange.awake.sort((left, right) => left - right)
  exchange.awake = []
  for (const id of ticking) {
    const row = defined(exchange.instruments[id], 'an active instrument is listed')
    row.sleeps = true
    if (tickInstrument(turn, row)) wake(exchange, row)
  }
  tickOptions(turn)
}

/** Moves one instrument; true if its next tick may move it again. */
function tickInstrument(turn: Turn, row: InstrumentRow): boolean {
  if (row.index.price === 0 || row.deliveredAt !== null) return false
  const shown = shownPremium(row)
  const ema9 = shown === null ? row.ema9 : nextPremium(row.ema9, shown, row.instrument.tick9)
  const moved = ema9 !== row.ema9
  row.ema9 = ema9
  const isClosing = isInDeliveryWindow(turn.exchange, row)
  if (row.markRule === 'venue' && (moved || isClosing)) publishMark(turn, row)
  return moved || isClosing
}

/** True during the last half hour of a future. */
function isInDeliveryWindow({ now }: Exchange, row: InstrumentRow): boolean {
  const { expiration } = row.instrument
  return now >= expiration - WINDOW_MICROS && now <= expiration
}
