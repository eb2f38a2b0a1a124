/**
 * The slow, obvious twin of a book: an array of resting orders in the order of arrival, sorted by
 * price when asked. It is the oracle of `src/book`.
 */

/** A resting order of the twin; `key` names it in both books. */
export interface NaiveOrder {
  readonly key: number
  readonly side: 'buy' | 'sell'
  readonly price: number
  remaining: number
}

/** Resting orders of one instrument, in the order of arrival. */
export class NaiveBook {
  private orders: NaiveOrder[] = []

  rest(order: NaiveOrder): void {
    this.orders.push({ ...order })
  }

  remove(key: number): void {
    this.orders = this.orders.filter((order) => order.key !== key)
  }

  /** Takes `size`, less than all, off an order, which keeps its place. */
  reduce(key: number, size: number): void {
    for (const order of this.orders) if (order.key === key) order.remaining -= size
  }

  /** Orders of a side in match order: best price first, then the older. */
  queue(side: 'buy' | 'sell'): readonly NaiveOrder[] {
    const sign = side === 'buy' ? -1 : 1
    // Sorting is stable, so arrival decides among equal prices.
    return this.orders
      .filter((order) => order.side === side)
      .sort((left, right) => sign * (left.price - right.price))
  }

  best(side: 'buy' | 'sell'): number | undefined {
    return this.queue(side)[0]?.price
  }

  /** Levels of a side as [price, size], best first. */
  levels(side: 'buy' | 'sell'): readonly (readonly [number, number])[] {
    const sizes = new Map<number, number>()
    for (const { price, remaining } of this.queue(side)) {
      sizes.set(price, (sizes.get(price) ?? 0) + remaining)
    }
    return [...sizes]
  }

  all(): readonly NaiveOrder[] {
    return this.orders
  }
}
