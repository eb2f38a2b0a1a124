/** The best prices of an account's resting orders in one instrument, over time. */
import { LineBuilder, type LineSpan } from './line-builder.ts'

type Side = 'buy' | 'sell'

/** Orders of an account in an instrument. */
export class OwnOrders {
  readonly bids: LineBuilder
  readonly asks: LineBuilder
  readonly #prices = { buy: new Map<number, number>(), sell: new Map<number, number>() }
  readonly #best = { buy: Number.NaN, sell: Number.NaN }

  constructor(span: LineSpan) {
    this.bids = new LineBuilder(span)
    this.asks = new LineBuilder(span)
  }

  /** Sets the price of a resting order; NaN if it no longer rests. */
  put(order: number, at: { readonly side: Side; readonly price: number }): void {
    const { side, price } = at
    const prices = this.#prices[side]
    const before = prices.get(order)
    if (Number.isNaN(price)) prices.delete(order)
    else prices.set(order, price)
    const best = this.#best[side]
    // The best price is searched again only if it may have gone.
    if (before !== undefined && before === best && before !== price) {
      this.#best[side] = bestOf(prices.values(), side)
    } else if (!Number.isNaN(price)) this.#best[side] = better(side, best, price)
  }

  /** Adds the best prices of this time to the lines. */
  flush(time: number): void {
    const { buy, sell } = this.#best
    if (!Number.isNaN(buy) || !Number.isNaN(this.bids.last)) this.bids.step(time, buy)
    if (!Number.isNaN(sell) || !Number.isNaN(this.asks.last)) this.asks.step(time, sell)
  }
}

function bestOf(prices: Iterable<number>, side: Side): number {
  let best = Number.NaN
  for (const price of prices) best = better(side, best, price)
  return best
}

function better(side: Side, best: number, price: number): number {
  if (Number.isNaN(best)) return price
  return side === 'buy' ? Math.max(best, price) : Math.min(best, price)
}
