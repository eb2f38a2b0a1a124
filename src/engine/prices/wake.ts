/**
 * Who takes part in the next tick of the price grid. Ticks come at whole seconds; an instrument whose
 * premium no tick would move sleeps until its index or its visible book changes (DESIGN 4).
 */
import { MICROS_PER_SECOND, micros, modFloor, schedule } from '../../core/index.ts'
import { type Exchange, type InstrumentRow, timerRank } from '../state/exchange.ts'

/** Lets an instrument take part from the next whole second on; one without a computed mark never does. */
export function wake(exchange: Exchange, row: InstrumentRow): void {
  if (!row.sleeps) return
  row.sleeps = false
  exchange.awake.push(row.instrument.id)
  awaitGrid(exchange)
}

/** Wakes every instrument: what a test does each second to see that sleeping changes nothing. */
export function wakeAll(exchange: Exchange): void {
  for (const row of exchange.instruments) wake(exchange, row)
}

/** Makes sure that the next whole second ticks. */
export function awaitGrid(exchange: Exchange): void {
  if (exchange.gridScheduled) return
  exchange.gridScheduled = true
  const { now } = exchange
  schedule(exchange.timers, {
    time: micros(now - modFloor(now, MICROS_PER_SECOND) + MICROS_PER_SECOND),
    rank: timerRank.prices,
    payload: { kind: 'price_grid' },
  })
}
