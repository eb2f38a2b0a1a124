/**
 * A slow, obvious book: an array of resting orders in the order of arrival, sorted by price on request. It is the
 * oracle of `src/book`.
 */

/** A resting order; `key` identifies it in both books. */
export interface NaiveOrder {
  readonly key: number
  readonly side: 'buy' | 'sell'
  readonly price: number
  /** The remaining size. */
  remaining: number
  /** The hidden part of `remaining`. */
  hidden: number
}

/** An offer that a taker encounters. */
export interface NaiveOffer {
  readonly key: number
  readonly price: number
  readonly lots: number
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

  /** Reduces the shown size of an order by `size`, less than all of it; the order keeps its place. */
  reduce(key: number, size: number): void {
    for (const order of this.orders) if (order.key === key) order.remaining -= size
  }

  /** Reduces an order by `size`, less than all of it; the hidden part first. */
  cut(key: number, size: number): void {
    for (const order of this.orders) {
      if (order.key !== key) continue
      order.remaining -= size
      order.hidden = Math.max(0, order.hidden - size)
    }
  }

  /** Hides `size` of the displayed part of an order. */
  hide(key: number, size: number): void {
    for (const order of this.orders) if (order.key === key) order.hidden += size
  }

  /** All offers to a taker: at each price the displayed sizes in their order, then the hidden sizes. */
  offers(side: 'buy' | 'sell'): readonly NaiveOffer[] {
    const queue = this.queue(side)
    return [...new Set(queue.map(({ price }) => price))].flatMap((level) => {
      const there = queue.filter(({ price }) => price === level)
      const seen = there.map(({ key, price, remaining, hidden }) => {
        return { key, price, lots: remaining - hidden }
      })
      const unseen = there.map(({ key, price, hidden }) => ({ key, price, lots: hidden }))
      return [...seen, ...unseen.filter(({ lots }) => lots > 0)]
    })
  }

  /** Orders of a side in match order: best price first, then the oldest. */
  queue(side: 'buy' | 'sell'): readonly NaiveOrder[] {
    const sign = side === 'buy' ? -1 : 1
    // Sorting is stable, so arrival decides among equal prices.
    return this.orders.filter((order) => order.side === side).sort((left, right) => sign * (left.price - right.price))
  }

  best(side: 'buy' | 'sell'): number | undefined {
    return this.queue(side)[0]?.price
  }

  /** Levels of a side as [price, displayed size], best first. */
  levels(side: 'buy' | 'sell'): readonly (readonly [number, number])[] {
    const sizes = new Map<number, number>()
    for (const { price, remaining, hidden } of this.queue(side)) {
      sizes.set(price, (sizes.get(price) ?? 0) + remaining - hidden)
    }
    return [...sizes]
  }

  all(): readonly NaiveOrder[] {
    return this.orders
  }
}
