/**
 * A toy order manager, a client of the exchange. It places, edits and cancels orders of one account by label, and keeps
 * the open orders and the position up to date from replies and from notifications of `user.changes`. Both report the
 * same trades, in any order, so the client counts each trade id once.
 */

/** The parts of an order in replies and notifications that the client reads. */
export interface OrderReport {
  readonly label: string
  readonly order_state: string
  readonly price: number
  readonly amount: number
  readonly average_price: number
  readonly reduce_only: boolean
}

/** The parts of a trade that the client reads. */
export interface TradeReport {
  readonly trade_id: string
  readonly label?: string
  readonly direction: 'buy' | 'sell'
  readonly amount: number
}

/** A message of `user.changes`. */
export interface Changes {
  readonly orders: readonly OrderReport[]
  readonly trades: readonly TradeReport[]
}

/** A reply to an order or an edit. */
export interface PlacedReply {
  readonly ok: boolean
  readonly order?: OrderReport
  readonly trades: readonly TradeReport[]
}

/** A new order. */
export interface NewOrder {
  readonly side: 'buy' | 'sell'
  readonly price: number
  readonly amount: number
  readonly reduceOnly: boolean
  readonly postOnly: boolean
}

/** An order that the client believes to be open. */
export interface OpenOrder {
  readonly side: 'buy' | 'sell'
  readonly price: number
  readonly amount: number
  readonly filled: number
  readonly averagePrice: number
}

/** The connection to the exchange. */
export interface Gateway {
  place(label: string, order: NewOrder): PlacedReply
  edit(label: string, amount: number, price: number): PlacedReply
  cancel(label: string): void
}

export class OrderClient {
  /** Open orders by label, oldest first. */
  readonly open = new Map<string, OpenOrder>()
  /** Signed sum of the fills. */
  position = 0
  protected readonly counted = new Set<string>()
  readonly #gateway: Gateway
  #placed = 0

  constructor(gateway: Gateway) {
    this.#gateway = gateway
  }

  place(order: NewOrder): void {
    this.#placed += 1
    const label = `${this.#placed}`
    const { side, price, amount } = order
    this.open.set(label, { side, price, amount, filled: 0, averagePrice: 0 })
    const reply = this.#gateway.place(label, order)
    if (!reply.ok) this.onRejected(label)
    this.onPlaced(reply)
  }

  edit(label: string, amount: number, price: number): void {
    this.onEdited(this.#gateway.edit(label, amount, price))
  }

  cancel(label: string): void {
    this.#gateway.cancel(label)
    this.open.delete(label)
  }

  /** Takes a notification. */
  onChanges({ orders, trades }: Changes): void {
    for (const trade of trades) this.onTrade(trade)
    for (const order of orders) this.onOrder(order)
  }

  protected onPlaced({ order, trades }: PlacedReply): void {
    this.onChanges({ orders: order === undefined ? [] : [order], trades })
  }

  protected onEdited(reply: PlacedReply): void {
    this.onPlaced(reply)
  }

  protected onRejected(label: string): void {
    this.open.delete(label)
  }

  protected onOrder({ label, order_state, price, amount, average_price: averagePrice }: OrderReport): void {
    const known = this.open.get(label)
    if (known === undefined) return
    if (order_state === 'open') this.open.set(label, { ...known, price, amount, averagePrice })
    else this.open.delete(label)
  }

  protected onTrade(trade: TradeReport): void {
    if (this.counted.has(trade.trade_id)) return
    this.counted.add(trade.trade_id)
    this.count(trade)
  }

  protected count({ label = '', direction, amount }: TradeReport): void {
    this.position += direction === 'buy' ? amount : -amount
    const order = this.open.get(label)
    if (order !== undefined) this.open.set(label, { ...order, filled: order.filled + amount })
  }
}
