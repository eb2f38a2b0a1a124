/**
 * Selects the instruments that take part in the next tick of the price grid. Ticks come at whole seconds. An instrument
 * sleeps if no tick would move its premium, until its index or its visible book changes; a series of options sleeps
 * until one of its books changes (DESIGN 4). Each whole minute updates sleeping options for the passing of time.
 */
import { cancel, MICROS_PER_SECOND, type Micros, micros, modFloor } from '../../core/index.ts'
import { type Exchange, type InstrumentRow, type SeriesRow, setTimer } from '../state/index.ts'

const MICROS_PER_MINUTE = 60 * MICROS_PER_SECOND

/** Lets an instrument take part in ticks from the next whole second on, unless its mark is not computed. */
export function wake(exchange: Exchange, row: InstrumentRow): void {
  if (!row.sleeps) return
  if (row.option !== null) {
    // If marks are those of their index, books do not move volatilities.
    if (exchange.config.marks === 'venue') wakeSeries(exchange, row.option.series)
    return
  }
  row.sleeps = false
  exchange.awake.push(row.instrument.id)
  awaitSecond(exchange)
}

/**
 * Counts a change of the visible book. The change may move the mark from the next whole second on, or at once if it is
 * the first book of an option.
 */
export function noteBookChange(exchange: Exchange, row: InstrumentRow): void {
  row.changeId += 1
  if (row.sleeps) wake(exchange, row)
  const isOpening = row.option?.isTold === false && row.markRule === 'venue'
  if (isOpening && exchange.config.marks !== 'index') exchange.openedOptions.add(row)
}

/** Wakes every future. A test does this each second to show that sleeping changes no result. */
export function wakeAll(exchange: Exchange): void {
  for (const row of exchange.instruments) if (row.option === null) wake(exchange, row)
}

/** Lets the options of a series take part in ticks from the next whole second on. */
export function wakeSeries(exchange: Exchange, series: SeriesRow): void {
  if (series.sleeps) for (const row of series.options) row.sleeps = false
  series.sleeps = false
  awaitSecond(exchange)
}

/** Lets a series sleep, so that it takes part only at whole minutes. */
export function laySeries(series: SeriesRow): void {
  series.sleeps = true
  for (const row of series.options) row.sleeps = true
}

/** Sets a tick at the next whole second. */
export function awaitSecond(exchange: Exchange): void {
  awaitTick(exchange, nextWhole(exchange.now, MICROS_PER_SECOND))
}

/** Sets a tick at the next whole minute, unless an earlier one is set. */
export function awaitMinute(exchange: Exchange): void {
  awaitTick(exchange, nextWhole(exchange.now, MICROS_PER_MINUTE))
}

/** True if the current tick also updates instruments that sleep. */
export function isWholeMinute(exchange: Exchange): boolean {
  return modFloor(exchange.now, MICROS_PER_MINUTE) === 0
}

function awaitTick(exchange: Exchange, time: Micros): void {
  if (exchange.tick !== null && exchange.tick.time <= time) return
  if (exchange.tick !== null) cancel(exchange.timers, exchange.tick.timer)
  exchange.tick = { timer: setTimer(exchange.timers, time, { kind: 'price_grid' }), time }
}

function nextWhole(now: number, step: number): Micros {
  return micros(now - modFloor(now, step) + step)
}
