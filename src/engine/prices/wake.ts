/**
 * Who takes part in the next tick of the price grid. Ticks come at whole seconds; an instrument whose
 * premium no tick would move sleeps until its index or its visible book changes (DESIGN 4).
 */
import { MICROS_PER_SECOND, micros, modFloor, schedule } from '../../core/index.ts'
import { type Exchange, timerRank } from '../state/exchange.ts'
import type { InstrumentRow } from '../state/instrument-row.ts'

/** Lets an instrument take part from the next whole second on; one without a computed mark never does. */
export function wake(exchange: Exchange, row: InstrumentRow): void {
  if (!row.sleeps) return
  row.sleeps = false
  // Whoever is awake has a tick that is awaited already.
  if (exchange.awake.length === 0) awaitTick(exchange)
  exchange.awake.push(row.instrument.id)
}

/** Wakes every instrument: what a test does each second to see that sleeping changes nothing. */
export function wakeAll(exchange: Exchange): void {
  for (const row of exchange.instruments) wake(exchange, row)
}

/** The next whole second ticks. */
function awaitTick(exchange: Exchange): void {
  const { now } = exchange
  schedule(exchange.timers, {
    time: micros(now - modFloor(now, MICROS_PER_SECOND) + MICROS_PER_SECOND),
    rank: timerRank.prices,
    payload: { kind: 'price_grid' },
  })
}
