/**
 * A reference model of an exchange, written to be read: price-time priority, limit, market, post-only and reduce-only
 * orders, cancels and edits, positions, and cash after fees, of one linear and one inverse contract. Its arithmetic is
 * that of numbers, so sizes and prices must be exact in a few digits.
 *
 * Limits: it edits no post-only orders, and it knows no margin, no settlement and no price bands, so accounts need large deposits and prices near the
 * mark, and a run stays within one trading day.
 */
import { checkArgument } from '../../core/index.ts'

/** A contract of the model. */
export interface ModelContract {
  readonly name: string
  /** Inverse contracts have amounts in USD and fees in coin; linear ones have amounts in coin and fees in the quote. */
  readonly payoff: 'inverse' | 'linear'
  readonly currency: string
  readonly makerFee: number
  readonly takerFee: number
}

/** An order of the model. */
export interface ModelOrder {
  readonly id: number
  readonly account: string
  readonly instrument: string
  readonly side: 'buy' | 'sell'
  readonly postOnly: boolean
  price: number
  amount: number
  filled: number
  state: 'open' | 'filled' | 'cancelled'
}

/** A new order; a price of null means a market order. */
export interface ModelPlacement {
  readonly account: string
  readonly instrument: string
  readonly side: 'buy' | 'sell'
  readonly amount: number
  readonly price: number | null
  readonly postOnly: boolean
  readonly reduceOnly: boolean
}

/** The reference model. Each method returns the order after the request, or null if the exchange refuses it. */
export class ReferenceModel {
  /** All orders by their number; the position in `#queue` is their time priority. */
  readonly orders: ModelOrder[] = []
  readonly #queue: ModelOrder[] = []
  readonly #contracts: ReadonlyMap<string, ModelContract>
  readonly #positions = new Map<string, number>()
  readonly #fees = new Map<string, number>()
  /** Number of fills so far. */
  fills = 0

  constructor(contracts: readonly ModelContract[]) {
    checkArgument('ReferenceModel: contracts', contracts, 'list')
    this.#contracts = new Map(contracts.map((contract) => [contract.name, contract]))
  }

  /** The signed position of an account. */
  position(account: string, instrument: string): number {
    return this.#positions.get(`${account} ${instrument}`) ?? 0
  }

  /** Fees that an account paid in a currency. */
  feesPaid(account: string, currency: string): number {
    return this.#fees.get(`${account} ${currency}`) ?? 0
  }

  /** The open orders of an account, oldest first. */
  openOrders(account: string): readonly ModelOrder[] {
    return this.orders.filter((order) => order.account === account && order.state === 'open')
  }

  place(placement: ModelPlacement): ModelOrder | null {
    const { account, instrument, side, price, postOnly, reduceOnly } = placement
    const position = this.position(account, instrument)
    const reducible = side === 'buy' ? -position : position
    if (reduceOnly && reducible <= 0) return null
    const amount = reduceOnly ? Math.min(placement.amount, reducible) : placement.amount
    const limit = price ?? (side === 'buy' ? Number.POSITIVE_INFINITY : 0)
    const order: ModelOrder = {
      id: this.orders.length,
      account,
      instrument,
      side,
      postOnly,
      price: limit,
      amount,
      filled: 0,
      state: 'open',
    }
    if (postOnly && this.#crossing(order).length > 0) return null
    if (this.#meetsItself(order)) return null
    this.orders.push(order)
    this.#match(order)
    if (order.state === 'open' && price === null) order.state = 'cancelled'
    if (order.state === 'open') this.#queue.push(order)
    return order
  }

  cancel(account: string, id: number): ModelOrder | null {
    const order = this.orders[id]
    if (order?.state !== 'open' || order.account !== account) return null
    this.#leave(order)
    order.state = 'cancelled'
    return order
  }

  /** A smaller amount at the same price keeps the place in the queue; every other edit moves the order to its end. */
  edit(account: string, id: number, amount: number, price: number): ModelOrder | null {
    const order = this.orders[id]
    if (order?.state !== 'open' || order.account !== account || amount <= order.filled) return null
    const keepsPlace = price === order.price && amount <= order.amount
    const edited = { ...order, amount, price }
    if (!keepsPlace && this.#meetsItself(edited)) return null
    order.amount = amount
    if (keepsPlace) return order
    this.#leave(order)
    order.price = price
    this.#match(order)
    if (order.state === 'open') this.#queue.push(order)
    return order
  }

  /** Resting orders that an order would match, best price first, then oldest first. */
  #crossing({ instrument, side, price }: ModelOrder): readonly ModelOrder[] {
    const sign = side === 'buy' ? 1 : -1
    return this.#queue
      .filter((other) => other.instrument === instrument && other.side !== side && (price - other.price) * sign >= 0)
      .sort((a, b) => (a.price - b.price) * sign)
  }

  /** True if an order would match an order of its own account before it is filled. */
  #meetsItself(order: ModelOrder): boolean {
    let left = order.amount - order.filled
    for (const other of this.#crossing(order)) {
      if (left <= 0) return false
      if (other.account === order.account) return true
      left -= other.amount - other.filled
    }
    return false
  }

  #match(order: ModelOrder): void {
    for (const maker of this.#crossing(order)) {
      const size = Math.min(order.amount - order.filled, maker.amount - maker.filled)
      if (size <= 0) return
      this.#fill(maker, size, maker.price, 'makerFee')
      this.#fill(order, size, maker.price, 'takerFee')
      if (maker.state === 'filled') this.#leave(maker)
    }
  }

  #fill(order: ModelOrder, size: number, price: number, rate: 'makerFee' | 'takerFee'): void {
    const { account, instrument, side } = order
    order.filled = exact(order.filled + size)
    if (order.filled === order.amount) order.state = 'filled'
    const signed = side === 'buy' ? size : -size
    this.#positions.set(`${account} ${instrument}`, exact(this.position(account, instrument) + signed))
    const contract = this.#contracts.get(instrument)
    if (contract === undefined) return
    const value = contract.payoff === 'inverse' ? size / price : size * price
    const paid = this.feesPaid(account, contract.currency)
    this.#fees.set(`${account} ${contract.currency}`, paid + value * contract[rate])
    this.fills += 1
  }

  #leave(order: ModelOrder): void {
    const at = this.#queue.indexOf(order)
    if (at >= 0) this.#queue.splice(at, 1)
  }
}

/** A sum of amounts without the error of binary fractions. */
function exact(amount: number): number {
  return Number(amount.toPrecision(12))
}
