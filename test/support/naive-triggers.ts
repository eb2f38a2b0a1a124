/**
 * The orders of the naive exchange that wait for a price (C31).
 */
import type { TriggerSource } from '../../src/model/index.ts'
import { NaiveLinkage } from './naive-links.ts'
import { smaller } from './naive-money.ts'
import { firesAt, firesOnRise, type NaiveOrder } from './naive-orders.ts'
import type { NaiveMarket } from './naive-state.ts'

/** The state with trigger orders. */
export class NaiveTriggering extends NaiveLinkage {
  /** A source has a new value: orders that it reaches are chosen, and wait for their turn. */
  protected reach(market: NaiveMarket, source: TriggerSource, value: bigint): void {
    const waiting = this.orders.filter(
      (order) =>
        order.instrument === market.id &&
        order.stage === 'untriggered' &&
        order.trigger?.source === source,
    )
    for (const order of waiting) this.follow(order, value)
    const byPrice = (a: NaiveOrder, b: NaiveOrder): number => {
      const difference = firesAt(a) - firesAt(b)
      return difference < 0n ? -1 : difference > 0n ? 1 : 0
    }
    // Live orders stand as they were opened, and sorting keeps that among equal prices.
    const rising = waiting.filter((order) => firesOnRise(order) && value >= firesAt(order))
    const falling = waiting.filter((order) => !firesOnRise(order) && value <= firesAt(order))
    for (const order of [...rising.sort(byPrice), ...falling.sort((a, b) => byPrice(b, a))]) {
      order.stage = 'fired'
      this.work.push({ kind: 'activate', order })
    }
  }

  /** Whether a trigger order would fire at once. */
  protected holds(order: Pick<NaiveOrder, 'type' | 'side'>, at: bigint, value: bigint): boolean {
    return firesOnRise(order) ? value >= at : value <= at
  }

  /** A trailing stop remembers the best price since it was placed. */
  private follow(order: NaiveOrder, value: bigint): void {
    const { trigger, side } = order
    if (order.type !== 'trailing_stop' || trigger === null) return
    const highest = -smaller(-trigger.extreme, -value)
    trigger.extreme = side === 'buy' ? smaller(trigger.extreme, value) : highest
  }
}
