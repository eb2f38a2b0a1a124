/**
 * The end of the trading session at 08:00 UTC, as far as orders are concerned: good-til-day orders
 * end. Settlement and delivery will join it here.
 *
 * Its timer (see `resting.ts`) sleeps while no such order rests (DESIGN 4: a timer that would change nothing).
 * Rule: order.good-til-day. Source: trading.md 6.3, C21; market.md 3.6 step 1; R23.
 */
import { visitOrders } from '../book/index.ts'
import type { Turn } from './emit.ts'
import { cancelOrder } from './handlers/cancel.ts'
import { orderAt } from './state/orders.ts'

/** Cancels all good-til-day orders: instruments as listed, orders in the order of creation. */
export function endSession(turn: Turn): void {
  const { exchange } = turn
  exchange.sessionEndScheduled = false
  for (const row of exchange.instruments) {
    if (row.dayOrders === 0) continue
    const ending: number[] = []
    for (const side of ['buy', 'sell'] as const) {
      visitOrders(row.book, side, (slot) => {
        if (orderAt(exchange, slot).timeInForce === 'good_til_day') ending.push(slot)
      })
    }
    ending.sort((a, b) => orderAt(exchange, a).id - orderAt(exchange, b).id)
    for (const slot of ending) cancelOrder(turn, slot, 'settlement')
  }
}
