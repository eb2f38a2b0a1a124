/**
 * Laws of the events of a run. Each violation throws, with the names of the account and the instrument and with decimal
 * amounts:
 * - events are numbered without gaps (the event of a level has the number of the previous event) and never go back in
 *   time;
 * - an order opens once and has no event after its end, so a second cancel changes nothing;
 * - the fills of an order match its trades and never exceed its amount, which changes only in events that say so;
 * - fill-or-kill fills all or nothing, reduce-only only reduces, an iceberg shows no more than its display, and the
 *   successor of an order comes next;
 * - a position is the signed sum of its fills since it was last set by a transfer, a gift or a delivery;
 * - a liquidation starts once, and only below the maintenance margin.
 */
import { coded, formatScaled, lots } from '../core/index.ts'
import {
  amountTextOfLots,
  type Event,
  type EventOf,
  type EventSink,
  type Fill,
  type Instrument,
  type OrderChanged,
} from '../model/index.ts'
import { orderIdOut } from '../rpc/index.ts'

/** The fields of a live order that its laws need. */
interface Known {
  amount: number
  filled: number
  readonly timeInForce: OrderChanged['timeInForce']
  reduceOnly: boolean
}

/** The fields of a live order with which a run continues. */
export interface ContinuedOrder extends Known {
  readonly id: number
}

/** The state with which a run continues; it stands for all earlier events. */
export interface ContinuedRun {
  /** Number of the last event. */
  readonly number: number
  readonly time: number
  readonly orders: readonly ContinuedOrder[]
}

/**
 * Checks the laws of events while a venue or a run emits them.
 *
 * @example
 * const laws = new EventLaws()
 * const venue = openVenue({ start: '2026-01-05T09:00:00Z', accounts: { ann: { BTC: 1 } }, sink: laws })
 * console.log(laws.count === 0, venue.now > 0) // false true
 */
export class EventLaws implements EventSink {
  readonly #live = new Map<number, Known>()
  readonly #positions = new Map<string, number>()
  readonly #instruments = new Map<number, Instrument>()
  readonly #accounts = new Map<number, string>()
  readonly #liquidations = new Set<string>()
  /** True if the laws saw the run from its beginning, so that an unseen position is zero. */
  #isWhole = true
  /** The successor of the order in the last event; the next event must be about it. */
  #successor = 0
  #number = 0
  #time = 0

  /** The number of the last event. */
  get count(): number {
    return this.#number
  }

  /** Continues with a restored run. */
  continueFrom({ number, time, orders }: ContinuedRun): void {
    this.#number = number
    this.#time = time
    this.#isWhole = false
    for (const { id, ...known } of orders) this.#live.set(id, known)
  }

  /**
   * Checks an event.
   *
   * @throws RangeError with the code `LAW` if it breaks a law.
   */
  emit(event: Event): void {
    const counts = event.kind === 'level' ? 0 : 1
    law(
      event.number === this.#number + counts,
      () => `events are numbered without gaps: ${event.number} follows ${this.#number}`,
    )
    law(event.time >= this.#time, () => `events never go back in time: ${event.time} follows ${this.#time}`)
    this.#number = event.number
    this.#time = event.time
    if (event.kind === 'level') return
    if (this.#successor !== 0) {
      const follows = event.kind === 'order' && (event.change === 'opened' || event.change === 'resized')
      law(follows && event.order === this.#successor, () => 'the successor of an order has the next event')
      this.#successor = 0
    }
    switch (event.kind) {
      case 'instrument':
        this.#instruments.set(event.instrument.id, event.instrument)
        return
      case 'account':
        this.#accounts.set(event.account, event.name)
        return
      case 'trade':
        this.#fill(event, event.maker)
        this.#fill(event, event.taker)
        return
      case 'given_position':
        this.#positions.set(keyOf(event.account, event.instrument), event.position)
        return
      case 'position_transfer':
        for (const { account, position } of [event.from, event.to]) {
          this.#positions.set(keyOf(account, event.instrument), position)
        }
        return
      case 'settlement':
        this.#settle(event)
        return
      case 'liquidation':
        this.#liquidate(event)
        return
      case 'order':
        if (event.change === 'opened') this.#open(event)
        else this.#change(event)
    }
  }

  #open(event: OrderChanged): void {
    law(!this.#live.has(event.order), () => `an order opens once: ${this.#nameOf(event)}`)
    law(event.filled === 0, () => `an order opens unfilled: ${this.#nameOf(event)}`)
    this.#live.set(event.order, knownOf(event))
    this.#shape(event)
  }

  #fill(trade: EventOf<'trade'>, fill: Fill): void {
    const instrument = this.#instruments.get(trade.instrument)
    const key = keyOf(fill.account, trade.instrument)
    const before = this.#positions.get(key) ?? (this.#isWhole ? 0 : undefined)
    this.#positions.set(key, fill.position)
    const hasPosition = instrument !== undefined && instrument.payoff !== 'spot' && instrument.detail.type !== 'combo'
    if (hasPosition && before !== undefined) {
      const expected = before + (fill.side === 'buy' ? trade.amount : -trade.amount)
      law(fill.position === expected, () => {
        const sizes = [expected, fill.position].map((size) => this.#amount(trade.instrument, size))
        const whose = `${this.#account(fill.account)} in ${this.#instrument(trade.instrument)}`
        return `a position is the signed sum of its fills: expected ${sizes[0]} for ${whose}, found ${sizes[1]}`
      })
    }
    const order = this.#live.get(fill.order)
    // A leg of a combo changes a position; only the trade of the combo fills the order.
    if (order === undefined || trade.combo !== null) return
    order.filled += trade.amount
    law(order.filled + fill.remaining === order.amount, () => {
      const sizes = [order.filled, order.amount, fill.remaining].map((size) => this.#amount(trade.instrument, size))
      const whose = `${this.#account(fill.account)} in ${this.#instrument(trade.instrument)}`
      return `fills do not exceed the order: ${sizes[0]} of ${sizes[1]} is filled and ${sizes[2]} remains for ${whose}`
    })
    if (!order.reduceOnly || before === undefined) return
    const reduces = Math.abs(fill.position) < Math.abs(before) && fill.position * before >= 0
    law(reduces, () => {
      const sizes = [before, fill.position].map((size) => this.#amount(trade.instrument, size))
      return `a reduce-only fill reduces: the position of ${this.#account(fill.account)} went from ${sizes[0]} to ${sizes[1]}`
    })
  }

  #settle({ account, instrument, position, type }: EventOf<'settlement'>): void {
    const key = keyOf(account, instrument)
    const known = this.#positions.get(key)
    law(known === undefined || known === position, () => {
      const sizes = [known ?? 0, position].map((size) => this.#amount(instrument, size))
      const whose = `${this.#account(account)} in ${this.#instrument(instrument)}`
      return `a settlement is of the position: expected ${sizes[0]} for ${whose}, found ${sizes[1]}`
    })
    if (type === 'delivery') this.#positions.set(key, 0)
  }

  #liquidate(event: EventOf<'liquidation'>): void {
    const key = `${event.account} ${event.currency}`
    const whose = (): string => `${this.#account(event.account)} in ${event.currency}`
    if (event.change === 'ended') {
      law(this.#liquidations.delete(key) || !this.#isWhole, () => `a liquidation that ends has started: ${whose()}`)
      return
    }
    law(!this.#liquidations.has(key), () => `a liquidation starts once: ${whose()}`)
    law(event.maintenance > event.marginBalance, () => {
      const [maintenance, balance] = [event.maintenance, event.marginBalance].map((money) => formatScaled(money, 9))
      return `only an account below its maintenance margin is liquidated: ${whose()} has ${balance}, and needs ${maintenance}`
    })
    this.#liquidations.add(key)
  }

  #change(event: OrderChanged): void {
    const known = this.#live.get(event.order)
    law(known !== undefined, () => `an order has no event after its end: ${this.#nameOf(event)} is ${event.change}`)
    if (known === undefined) return
    law(event.filled === known.filled, () => {
      const [filled, trades] = [event.filled, known.filled].map((size) => this.#amount(event.instrument, size))
      return `the fills of an order are its trades: ${this.#nameOf(event)} filled ${filled}, and its trades ${trades}`
    })
    const resizes = event.change === 'edited' || event.change === 'resized'
    law(resizes || event.amount === known.amount, () => `only an edit changes an amount: ${this.#nameOf(event)}`)
    law(event.reason !== 'reduce_only' || event.amount < known.amount, () => {
      return `a reduce-only order only shrinks: ${this.#nameOf(event)}`
    })
    this.#shape(event)
    this.#live.set(event.order, knownOf(event))
    if (event.state === 'open' || event.state === 'untriggered') return
    this.#live.delete(event.order)
    const isWhole = event.filled === event.amount || event.filled === 0
    law(event.timeInForce !== 'fill_or_kill' || isWhole, () => {
      return `a fill-or-kill order fills completely or not at all: ${this.#nameOf(event)}`
    })
    if (event.change === 'triggered') this.#successor = event.successor
  }

  #shape(event: OrderChanged): void {
    const remaining = event.amount - event.filled
    const isShown = event.display > 0 ? event.shown <= event.display : event.shown === remaining
    const says = event.change === 'cancelled' || event.change === 'rejected' || event.change === 'resized'
    law(remaining >= 0, () => `fills do not exceed the order: ${this.#nameOf(event)}`)
    law(
      (event.state === 'filled') === (remaining === 0),
      () => `a filled order has no remainder: ${this.#nameOf(event)}`,
    )
    law(
      event.shown >= 0 && event.shown <= remaining,
      () => `an order shows at most its remainder: ${this.#nameOf(event)}`,
    )
    law(isShown, () => `an order shows its display, or all of it: ${this.#nameOf(event)}`)
    law((event.reason !== null) === says, () => `only a change by the venue has a reason: ${this.#nameOf(event)}`)
    law((event.successor !== 0) === (event.change === 'triggered'), () => {
      return `only a triggered order has a successor: ${this.#nameOf(event)}`
    })
  }

  #nameOf(event: OrderChanged): string {
    const filled = this.#amount(event.instrument, event.filled)
    const size = `${filled} of ${this.#amount(event.instrument, event.amount)} filled`
    const instrument = this.#instruments.get(event.instrument)
    const id = instrument === undefined ? event.order : orderIdOut(instrument, event.order)
    return `order ${id} of ${this.#account(event.account)} in ${this.#instrument(event.instrument)} (${size})`
  }

  #account(account: number): string {
    return this.#accounts.get(account) ?? `account ${account}`
  }

  #instrument(instrument: number): string {
    return this.#instruments.get(instrument)?.name ?? `instrument ${instrument}`
  }

  #amount(instrument: number, size: number): string {
    const units = this.#instruments.get(instrument)
    return units === undefined ? `${size} lots` : amountTextOfLots(units, lots(size))
  }
}

function keyOf(account: number, instrument: number): string {
  return `${account} ${instrument}`
}

function knownOf({ amount, filled, timeInForce, reduceOnly }: OrderChanged): Known {
  return { amount, filled, timeInForce, reduceOnly }
}

function law(isKept: boolean, words: () => string): void {
  if (!isKept) throw coded(new RangeError(words()), 'LAW')
}
