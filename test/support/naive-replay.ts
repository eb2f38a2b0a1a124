/**
 * A replay market written as plainly as possible: the oracle of the replay book.
 *
 * One instrument, Maps of recorded levels and one array of resting orders; every query walks through all of them. It
 * shares no code with `book` or `engine` and implements the text of DESIGN 5 and of the model `risk_averse`. Prices are
 * ticks, sizes lots, orders numbered from 1. The rows of messages are numbered through all messages, and margin never
 * binds.
 *
 * A print takes the levels that it passed and its part of the level at its price once, whether a row showed that before
 * or will show it later (F02).
 *
 * The taken size of a level is available again with the first message of the book after a second, or after a minute if
 * an order of the run took any of it, unless a row has set the level meanwhile (d05).
 *
 * Two points that the text leaves open: the older level that `uncross` removes is not a row, so it does not change
 * places; and after any fill, a filled order has nothing ahead of it.
 */

/** Bids and buying takers, or asks and selling takers. */
export type NaiveSide = 'buy' | 'sell'

/** A row of a message. */
export interface NaiveRow {
  readonly side: NaiveSide | 'unknown'
  readonly price: number
  readonly lots: number
  readonly row: number
}

/** A new order. */
export interface NaiveEntry {
  readonly account: string
  readonly side: NaiveSide
  readonly type: 'limit' | 'market' | 'market_limit'
  readonly timeInForce: 'good_til_cancelled' | 'immediate_or_cancel' | 'fill_or_kill'
  readonly price: number
  readonly lots: number
  readonly postOnly: 'off' | 'slide' | 'reject'
}

/** A resting order. */
export interface NaiveOrder {
  readonly number: number
  readonly account: string
  readonly side: NaiveSide
  readonly postOnly: NaiveEntry['postOnly']
  price: number
  amount: number
  remaining: number
  ahead: number
  /** The reduction of `ahead` by rows that a print may still explain. */
  cut: number
  /** Its place among the orders at its price. */
  arrival: number
}

/** A fill of one account. */
export interface NaiveFill {
  readonly account: string
  readonly order: number
  readonly lots: number
  readonly price: number
  readonly rule: string
  readonly before: number
  readonly after: number
  readonly row: number
}

/** A recorded level. */
export interface NaiveLevel {
  size: number
  /** Size taken by takers of the run and by prints. */
  taken: number
  /** Size taken by prints alone, since the level's row. */
  printed: number
  row: number
  /** The time from which the next message of the book restores the level. */
  again: number
}

/** Lots that rows removed from a best level without a print to explain them, and the time. */
interface NaiveShrunk {
  lots: number
  at: number
}

/** The longest time by which a row may precede the print that explains it. */
const LAG_MICROS = 10_000

const SECOND = 1_000_000
const MINUTE = 60_000_000

type SelfMatch = 'reject_taker' | 'cancel_maker' | 'off'

/** An offer to a taker: a recorded level or an order. */
interface Offer {
  readonly price: number
  readonly lots: number
  readonly order: NaiveOrder | null
}

const opposite = { buy: 'sell', sell: 'buy' } as const

/** Applies the commands and messages of a replay. */
export class NaiveReplay {
  readonly levels = { buy: new Map<number, NaiveLevel>(), sell: new Map<number, NaiveLevel>() }
  readonly fills: NaiveFill[] = []
  /** The time of the command or message, in microseconds. */
  now = 0
  /** Levels that the last message of the book restored without a row. */
  refreshed: NaiveLevel[] = []
  private readonly shrunk = {
    buy: new Map<number, NaiveShrunk>(),
    sell: new Map<number, NaiveShrunk>(),
  }
  private hasPrints = false
  private readonly selfMatch: SelfMatch
  /** Sizes of the accounts' positions. */
  readonly positions = new Map<string, number>()
  private resting: NaiveOrder[] = []
  private readonly owners = new Map<number, string>()
  private orders = 0
  private arrivals = 0

  constructor(selfMatch: SelfMatch) {
    this.selfMatch = selfMatch
  }

  /** Enters an order. Returns the refusal, or the final state of the order. */
  place(entry: NaiveEntry): string {
    const { account, side, lots } = entry
    let { price } = entry
    if (entry.type === 'market') price = side === 'buy' ? Number.POSITIVE_INFINITY : 0
    if (entry.type === 'market_limit') {
      const best = this.offers(side, null)[0]
      if (best === undefined) return 'other_reject no_opposite_price'
      price = best.price
    }
    const moved = this.postOnlyPrice(side, price, entry.postOnly)
    if (moved === null) return 'post_only_reject'
    price = moved
    if (this.meetsOwn({ account, side, price, lots })) return 'order_overlap'
    this.orders += 1
    this.owners.set(this.orders, account)
    const order: NaiveOrder = {
      ...{ number: this.orders, account, side, postOnly: entry.postOnly },
      ...{ price, amount: lots, remaining: lots, ahead: 0, cut: 0, arrival: 0 },
    }
    const kill = entry.timeInForce === 'fill_or_kill' && this.offered(order) < lots
    if (!kill) this.take(order)
    if (order.remaining === 0) return 'filled'
    if (entry.timeInForce !== 'good_til_cancelled' || entry.type === 'market') return 'cancelled'
    this.rest(order)
    return 'open'
  }

  /** Cancels a resting order of the account. */
  cancel(account: string, number: number): string {
    const found = this.own(account, number, 'not_open_order')
    if (typeof found === 'string') return found
    this.drop(found)
    return 'cancelled'
  }

  /**
   * Changes a resting order. A smaller order at the same price keeps its place; any other edit enters as a new order.
   */
  edit(account: string, number: number, to: { readonly price: number; readonly lots: number }): string {
    const order = this.own(account, number, 'already_closed')
    if (typeof order === 'string') return order
    const filled = order.amount - order.remaining
    if (to.lots <= filled) return 'invalid_amount'
    const price = this.postOnlyPrice(order.side, to.price, order.postOnly)
    if (price === null) {
      this.drop(order)
      return 'cancelled'
    }
    const remaining = to.lots - filled
    if (this.meetsOwn({ account, side: order.side, price, lots: remaining })) return 'order_overlap'
    const keepsPlace = price === order.price && remaining <= order.remaining
    Object.assign(order, { price, amount: to.lots, remaining })
    if (keepsPlace) return 'open'
    this.drop(order)
    this.take(order)
    if (order.remaining === 0) return 'filled'
    this.rest(order)
    return 'open'
  }

  /** Applies a recorded message of the book, and fills orders that the opposite side has reached. */
  book(
    rows: readonly NaiveRow[],
    options: { readonly snapshot: boolean; readonly uncross: boolean },
  ): { readonly crossed: boolean; readonly unknownRemovals: number } {
    let unknownRemovals = 0
    if (options.snapshot) {
      for (const side of ['buy', 'sell'] as const) {
        this.levels[side].clear()
        this.shrunk[side].clear()
      }
    }
    for (const { side, price, lots, row } of rows) {
      if (side === 'unknown') throw new Error('a level has a side')
      const settles = this.hasPrints && !options.snapshot
      const anew = settles && this.shrink(side, price, lots)
      if (anew) for (const order of this.at(side, price)) order.cut = 0
      const level = { size: lots, taken: 0, printed: 0, row, again: 0 }
      if (lots > 0) this.levels[side].set(price, level)
      else if (!this.levels[side].delete(price)) unknownRemovals += 1
      if (!options.snapshot) this.clamp(side, price)
    }
    if (options.snapshot) for (const { side, price } of this.resting) this.clamp(side, price)
    const crossed = this.cross(options.uncross)
    this.refresh()
    this.reach()
    return { crossed, unknownRemovals }
  }

  /** Restores levels: the feed shows a level as before, so size that was taken long enough ago is available again. */
  private refresh(): void {
    this.refreshed = [...this.levels.buy.values(), ...this.levels.sell.values()].filter(
      ({ taken, again }) => taken > 0 && again <= this.now,
    )
    for (const level of this.refreshed) Object.assign(level, { taken: 0, printed: 0 })
  }

  /** Takes lots of a level, which stay unavailable for a time. */
  private takeOf(level: NaiveLevel, lots: number, time: number): void {
    if (lots <= 0) return
    level.again = level.taken > 0 ? Math.max(level.again, this.now + time) : this.now + time
    level.taken += lots
  }

  /** Applies prints one by one. */
  trades(rows: readonly NaiveRow[]): void {
    for (const print of rows) {
      if (print.side === 'unknown') continue
      const side = opposite[print.side]
      this.hasPrints = true
      const shown = this.claim(side, print.price, print.lots)
      let given = 0
      for (const order of this.queue(side)) {
        const through = side === 'buy' ? order.price > print.price : order.price < print.price
        if (!through && order.price !== print.price) continue
        // An earlier row has already cut the print's part.
        const explained = through ? 0 : Math.min(order.cut, shown)
        order.cut -= explained
        const before = order.ahead + explained
        const room = print.lots - given - (through ? 0 : before)
        if (!through) order.ahead = Math.max(0, before - print.lots)
        const lots = Math.min(room, order.remaining)
        if (lots <= 0) continue
        given += lots
        const rule = through ? 'print_through' : 'print_at_price'
        this.give(order, { lots, rule, before, row: print.row })
      }
      this.consume(side, { price: print.price, fresh: print.lots - shown, given })
    }
  }

  /**
   * Stores the part of a row's reduction of a best level that prints did not take. Returns true if no stored reduction
   * is young enough.
   */
  private shrink(side: NaiveSide, price: number, lots: number): boolean {
    const level = this.levels[side].get(price)
    if (level === undefined || this.prices(side)[0] !== price) return false
    const unexplained = level.size - level.printed - lots
    if (unexplained <= 0) return false
    const kept = this.young(side, price)
    this.shrunk[side].set(price, { lots: kept + unexplained, at: this.now })
    return kept === 0
  }

  /** The part of a print that earlier rows have already shown; it is used up. */
  private claim(side: NaiveSide, price: number, printed: number): number {
    const lots = Math.min(this.young(side, price), printed)
    const kept = this.shrunk[side].get(price)
    if (kept !== undefined) kept.lots -= lots
    return lots
  }

  private young(side: NaiveSide, price: number): number {
    const kept = this.shrunk[side].get(price)
    return kept === undefined || this.now - kept.at > LAG_MICROS ? 0 : kept.lots
  }

  /** A print takes all of the levels that it passed, and at its price the part that rows and orders do not explain. */
  private consume(
    side: NaiveSide,
    print: { readonly price: number; readonly fresh: number; readonly given: number },
  ): void {
    for (const [price, level] of this.levels[side]) {
      const isPassed = side === 'buy' ? price > print.price : price < print.price
      if (isPassed && level.taken < level.size) {
        this.takeOf(level, level.size - level.taken, SECOND)
        level.printed = level.size
      }
      if (price !== print.price) continue
      const left = level.size - level.taken
      this.takeOf(level, Math.min(left, print.fresh - print.given), SECOND)
      level.printed = Math.min(level.size, level.printed + print.fresh)
    }
  }

  private at(side: NaiveSide, price: number): NaiveOrder[] {
    return this.resting.filter((order) => order.side === side && order.price === price)
  }

  /** Resting orders of a side in match order. */
  queue(side: NaiveSide): NaiveOrder[] {
    const sign = side === 'buy' ? -1 : 1
    return this.resting
      .filter((order) => order.side === side)
      .sort((a, b) => (a.price - b.price) * sign || a.arrival - b.arrival)
  }

  /** Recorded prices of a side, best first. */
  prices(side: NaiveSide): number[] {
    const sign = side === 'buy' ? -1 : 1
    return [...this.levels[side].keys()].sort((a, b) => (a - b) * sign)
  }

  /** No place at a price exceeds the recorded size there. */
  private clamp(side: NaiveSide, price: number): void {
    const shown = this.levels[side].get(price)?.size ?? 0
    for (const order of this.at(side, price)) {
      order.cut += Math.max(0, order.ahead - shown)
      order.ahead = Math.min(order.ahead, shown)
    }
  }

  /** True if the recorded sides cross; `uncross` removes the older best level until they do not. */
  private cross(uncross: boolean): boolean {
    let crossed = false
    for (;;) {
      const bid = Math.max(...this.levels.buy.keys())
      const ask = Math.min(...this.levels.sell.keys())
      if (bid < ask) return crossed
      crossed = true
      if (!uncross) return crossed
      const bidRow = this.levels.buy.get(bid)?.row ?? 0
      const askRow = this.levels.sell.get(ask)?.row ?? 0
      const side = bidRow < askRow ? 'buy' : 'sell'
      this.levels[side].delete(side === 'buy' ? bid : ask)
      this.clamp(side, side === 'buy' ? bid : ask)
    }
  }

  /** Each order in match order takes from the opposite levels at its price or better. */
  private reach(): void {
    for (const side of ['buy', 'sell'] as const) {
      const queue = this.queue(side)
      const [first] = queue
      if (first === undefined) continue
      // Levels that the first order does not reach are out of reach for the others too.
      const near = this.left(opposite[side], first.price)
      for (const order of queue) {
        for (const [price, level] of near) {
          const lots = Math.min(level.size - level.taken, order.remaining)
          if (lots === 0 || !this.isMet(side, order.price, price)) continue
          this.takeOf(level, lots, MINUTE)
          this.give(order, { lots, rule: 'level_reached', before: order.ahead, row: level.row })
        }
      }
    }
  }

  /** Levels of a side with remaining size that a limit of the opposite side reaches, best first. */
  private left(side: NaiveSide, limit: number): [number, NaiveLevel][] {
    const sign = side === 'buy' ? -1 : 1
    return [...this.levels[side]]
      .filter(([price, { size, taken }]) => {
        return size > taken && this.isMet(opposite[side], limit, price)
      })
      .sort(([a], [b]) => (a - b) * sign)
  }

  /** Fills a resting order at its price. */
  private give(
    order: NaiveOrder,
    fill: {
      readonly lots: number
      readonly rule: string
      readonly before: number
      readonly row: number
    },
  ): void {
    order.ahead = 0
    order.remaining -= fill.lots
    if (order.remaining === 0) this.drop(order)
    this.note(order, { ...fill, price: order.price, after: 0 })
  }

  private note(order: NaiveOrder, fill: Omit<NaiveFill, 'account' | 'order'>): void {
    const signed = order.side === 'buy' ? fill.lots : -fill.lots
    this.positions.set(order.account, (this.positions.get(order.account) ?? 0) + signed)
    const { lots, price, rule, before, after, row } = fill
    this.fills.push({ account: order.account, order: order.number, lots, price, rule, before, after, row })
  }

  /** Offers to a taker of a side, best first: at one price the recorded size, then the orders. */
  private offers(side: NaiveSide, limit: number | null): Offer[] {
    const maker = opposite[side]
    const bound = limit ?? (side === 'buy' ? Number.POSITIVE_INFINITY : Number.NEGATIVE_INFINITY)
    const found: Offer[] = this.left(maker, bound).map(([price, { size, taken }]) => {
      return { price, lots: size - taken, order: null }
    })
    for (const order of this.queue(maker)) {
      if (!this.isMet(side, bound, order.price)) continue
      found.push({ price: order.price, lots: order.remaining, order })
    }
    // The sort is stable: levels were added first, then orders in their queue's order.
    return found.sort((a, b) => (a.price - b.price) * (side === 'buy' ? 1 : -1))
  }

  /** The size that a taker would get, without offers that it does not trade with. */
  private offered({ account, side, price }: NaiveOrder): number {
    let lots = 0
    for (const offer of this.offers(side, price)) {
      if (this.selfMatch === 'off' || offer.order?.account !== account) lots += offer.lots
    }
    return lots
  }

  /** True if an order would match an order of the same account and self-matches are refused. */
  private meetsOwn(taker: {
    readonly account: string
    readonly side: NaiveSide
    readonly price: number
    readonly lots: number
  }): boolean {
    if (this.selfMatch !== 'reject_taker') return false
    let left = taker.lots
    for (const { order, lots } of this.offers(taker.side, taker.price)) {
      if (left <= 0) return false
      if (order?.account === taker.account) return true
      left -= lots
    }
    return false
  }

  private take(taker: NaiveOrder): void {
    for (const { order, price } of this.offers(taker.side, taker.price)) {
      if (taker.remaining === 0) return
      if (order === null) {
        const level = this.levels[opposite[taker.side]].get(price)
        if (level === undefined) throw new Error('an offered level is recorded')
        const lots = Math.min(taker.remaining, level.size - level.taken)
        this.takeOf(level, lots, MINUTE)
        taker.remaining -= lots
        this.note(taker, { lots, price, rule: 'level_taken', before: 0, after: 0, row: level.row })
        continue
      }
      if (this.selfMatch === 'cancel_maker' && order.account === taker.account) {
        this.drop(order)
        continue
      }
      const lots = Math.min(taker.remaining, order.remaining)
      order.remaining -= lots
      taker.remaining -= lots
      if (order.remaining === 0) this.drop(order)
      this.note(order, {
        lots,
        price,
        rule: 'book_maker',
        before: order.ahead,
        after: order.ahead,
        row: 0,
      })
      this.note(taker, { lots, price, rule: 'book_taker', before: 0, after: 0, row: 0 })
    }
  }

  /** Puts an order at the end of its queue, behind all recorded size at its price. */
  private rest(order: NaiveOrder): void {
    this.arrivals += 1
    order.arrival = this.arrivals
    const level = this.levels[order.side].get(order.price)
    order.ahead = level === undefined ? 0 : level.size - level.printed
    order.cut = 0
    this.resting.push(order)
  }

  private drop(order: NaiveOrder): void {
    this.resting = this.resting.filter((other) => other !== order)
  }

  private own(account: string, number: number, ended: string): NaiveOrder | string {
    const owner = this.owners.get(number)
    if (owner === undefined) return 'order_not_found'
    const order = this.resting.find((live) => live.number === number)
    if (order === undefined) return ended
    return owner === account ? order : 'not_owner_of_order'
  }

  /** The price of a post-only order: one tick off the best offer, or null. */
  private postOnlyPrice(side: NaiveSide, price: number, postOnly: NaiveEntry['postOnly']): number | null {
    const met = this.offers(side, price)[0]
    if (postOnly === 'off' || met === undefined) return price
    if (postOnly === 'reject') return null
    return side === 'buy' ? met.price - 1 : met.price + 1
  }

  /** True if a limit price of a side accepts a price of the other side. */
  private isMet(side: NaiveSide, limit: number, price: number): boolean {
    return side === 'buy' ? price <= limit : price >= limit
  }
}
