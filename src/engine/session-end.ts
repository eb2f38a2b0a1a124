/**
 * The end of the trading session at 08:00 UTC, as far as orders are concerned: good-til-day orders
 * end. Settlement and delivery will join it here.
 *
 * Its timer (see `resting.ts`) sleeps while no such order lives (DESIGN 4: a timer that would change nothing).
 * Rule: order.good-til-day. Source: trading.md 6.3, C21; market.md 3.6 step 1; R23.
 */
import { numberOfId } from '../model/index.ts'
import type { Turn } from './emit.ts'
import { endOrder, isStill } from './matching/ending.ts'
import type { InstrumentRow } from './state/exchange.ts'
import type { LiveOrder } from './state/order-records.ts'
import { orderAt, visitAccountOrders } from './state/orders.ts'

/** Cancels all good-til-day orders: instruments as listed, orders in the order of creation. */
export function endSession(turn: Turn): void {
  turn.exchange.sessionEndScheduled = false
  for (const row of turn.exchange.instruments) endDay(turn, row)
}

/** Cancels the good-til-day orders of an instrument; the day of a dormant one has not begun. */
export function endDay(turn: Turn, row: InstrumentRow): void {
  for (const { slot, id } of liveOrdersOf(turn, row)) {
    if (!isStill(turn.exchange, slot, id)) continue
    const { timeInForce, stage } = orderAt(turn.exchange, slot)
    if (timeInForce !== 'good_til_day' || stage === 'dormant') continue
    endOrder(turn, slot, 'settlement')
  }
}

/** The live orders of an instrument in the order of creation, those that wait included. */
export function liveOrdersOf(
  { exchange }: Turn,
  row: InstrumentRow,
): readonly { readonly slot: number; readonly id: LiveOrder['id'] }[] {
  const found: { readonly slot: number; readonly id: LiveOrder['id'] }[] = []
  for (const { account } of exchange.accounts) {
    visitAccountOrders(exchange, account.id, (slot) => {
      const { id, instrument } = orderAt(exchange, slot)
      if (instrument === row.instrument.id) found.push({ slot, id })
    })
  }
  return found.sort((left, right) => numberOfId(left.id) - numberOfId(right.id))
}
