/** Trigger orders of the naive exchange (C31). */

import type { TriggerSource } from '../../src/model/index.ts'
import type { NaiveLiveOrders } from './naive-live-orders.ts'
import { smaller } from './naive-money.ts'
import { firesAt, firesOnRise, type NaiveOrder } from './naive-orders.ts'
import type { NaiveMarket } from './naive-state.ts'

/** A source has a new value: orders that it reaches fire and wait for their turn. */
export function reach(orders: NaiveLiveOrders, market: NaiveMarket, source: TriggerSource, value: bigint): void {
  const waiting = orders.live.filter(
    (order) => order.instrument === market.id && order.stage === 'untriggered' && order.trigger?.source === source,
  )
  for (const order of waiting) follow(order, value)
  const byPrice = (a: NaiveOrder, b: NaiveOrder): number => {
    const difference = firesAt(a) - firesAt(b)
    return difference < 0n ? -1 : difference > 0n ? 1 : 0
  }
  // Live orders are in the order of opening, and sorting keeps that order among equal prices.
  const rising = waiting.filter((order) => firesOnRise(order) && value >= firesAt(order))
  const falling = waiting.filter((order) => !firesOnRise(order) && value <= firesAt(order))
  for (const order of [...rising.sort(byPrice), ...falling.sort((a, b) => byPrice(b, a))]) {
    order.stage = 'fired'
    orders.work.push({ kind: 'activate', order })
  }
}

/** True if a trigger order would fire at once. */
export function holds(order: Pick<NaiveOrder, 'type' | 'side'>, at: bigint, value: bigint): boolean {
  return firesOnRise(order) ? value >= at : value <= at
}

/** A trailing stop stores the best price since it was placed. */
function follow(order: NaiveOrder, value: bigint): void {
  if (order.type !== 'trailing_stop' || order.trigger === null) return
  const highest = -smaller(-order.trigger.extreme, -value)
  order.trigger.extreme = order.side === 'buy' ? smaller(order.trigger.extreme, value) : highest
}
