/**
 * Who takes part in the next tick of the price grid. Ticks come at whole seconds; an instrument whose
 * premium no tick would move sleeps until its index or its visible book changes, a series of options until
 * one of its books does (DESIGN 4). What time alone does to sleeping options is looked at each whole minute.
 */
import { cancel, MICROS_PER_SECOND, type Micros, micros, modFloor } from '../../core/index.ts'
import { type Exchange, type InstrumentRow, type SeriesRow, setTimer } from '../state/index.ts'

const MICROS_PER_MINUTE = 60 * MICROS_PER_SECOND

/** Lets an instrument take part from the next whole second on; one without a computed mark never does. */
export function wake(exchange: Exchange, row: InstrumentRow): void {
  if (!row.sleeps) return
  if (row.option !== null) {
    // Where marks are those of their index, no book moves a volatility.
    if (exchange.config.marks === 'venue') wakeSeries(exchange, row.option.series)
    return
  }
  row.sleeps = false
  exchange.awake.push(row.instrument.id)
  awaitSecond(exchange)
}

/** Counts a change of the visible book, which may move its mark from the next whole second on, or at once if it is an option's first. */
export function noteBookChange(exchange: Exchange, row: InstrumentRow): void {
  row.changeId += 1
  if (row.sleeps) wake(exchange, row)
  const isOpening = row.option?.isTold === false && row.markRule === 'venue'
  if (isOpening && exchange.config.marks !== 'index') exchange.openedOptions.add(row)
}

/** Wakes every future: what a test does each second to see that sleeping changes nothing. */
export function wakeAll(exchange: Exchange): void {
  for (const row of exchange.instruments) if (row.option === null) wake(exchange, row)
}

/** Lets the options of a series take part from the next whole second on. */
export function wakeSeries(exchange: Exchange, series: SeriesRow): void {
  if (series.sleeps) for (const row of series.options) row.sleeps = false
  series.sleeps = false
  awaitSecond(exchange)
}

/** Leaves a series to the whole minutes. */
export function laySeries(series: SeriesRow): void {
  series.sleeps = true
  for (const row of series.options) row.sleeps = true
}

/** The next whole second ticks. */
export function awaitSecond(exchange: Exchange): void {
  awaitTick(exchange, nextWhole(exchange.now, MICROS_PER_SECOND))
}

/** The next whole minute ticks, if nothing before it does. */
export function awaitMinute(exchange: Exchange): void {
  awaitTick(exchange, nextWhole(exchange.now, MICROS_PER_MINUTE))
}

/** True if a tick looks at those who sleep. */
export function isWholeMinute({ now }: Exchange): boolean {
  return modFloor(now, MICROS_PER_MINUTE) === 0
}

function awaitTick(exchange: Exchange, time: Micros): void {
  const { timers, tick } = exchange
  if (tick !== null && tick.time <= time) return
  if (tick !== null) cancel(timers, tick.timer)
  exchange.tick = { timer: setTimer(timers, time, { kind: 'price_grid' }), time }
}

function nextWhole(now: number, step: number): Micros {
  return micros(now - modFloor(now, step) + step)
}
