/**
 * Laws of single orders, checked on the events of a run: an order opens once and has no event after its end, its fills
 * match its trades, its amount changes only in events that say so, fill-or-kill fills all or nothing, reduce-only only
 * reduces, an iceberg shows no more than its display, and the successor of an order comes next.
 */
import { assert } from '../../src/core/index.ts'
import type { Event, EventOf, Fill, OrderChanged } from '../../src/model/index.ts'

/** The fields of a live order that its laws need. */
interface Known {
  amount: number
  filled: number
  readonly timeInForce: OrderChanged['timeInForce']
  reduceOnly: boolean
}

/** The fields of a live order with which a run continues. */
export interface Continued extends Known {
  readonly id: number
}

/** Checks the events of orders. */
export class OrderLaws {
  private readonly live = new Map<number, Known>()
  private readonly positions = new Map<string, number>()
  /** True if the laws saw the run from its beginning, so that an unseen position is zero. */
  private isWhole = true
  /** The successor of the order in the last event; the next event must be about it. */
  private successor = 0

  continueWith(orders: readonly Continued[]): void {
    this.isWhole = false
    for (const { id, ...known } of orders) this.live.set(id, known)
  }

  emit(event: Event): void {
    if (event.kind === 'level') return
    if (this.successor !== 0) {
      const follows = event.kind === 'order' && (event.change === 'opened' || event.change === 'resized')
      assert(follows && event.order === this.successor, 'what an order became is told next')
      this.successor = 0
    }
    switch (event.kind) {
      case 'trade':
        this.fill(event, event.maker)
        this.fill(event, event.taker)
        return
      case 'given_position':
        this.positions.set(`${event.account} ${event.instrument}`, event.position)
        return
      case 'position_transfer':
        for (const side of [event.from, event.to]) {
          this.positions.set(`${side.account} ${event.instrument}`, side.position)
        }
        return
      case 'order':
        if (event.change === 'opened') this.open(event)
        else this.change(event)
    }
  }

  private open(event: OrderChanged): void {
    assert(!this.live.has(event.order), 'an order opens once')
    assert(event.filled === 0, 'an order opens unfilled')
    this.live.set(event.order, knownOf(event))
    this.shape(event)
  }

  private fill(trade: EventOf<'trade'>, fill: Fill): void {
    const place = `${fill.account} ${trade.instrument}`
    const before = this.positions.get(place) ?? (this.isWhole ? 0 : undefined)
    this.positions.set(place, fill.position)
    const order = this.live.get(fill.order)
    // A leg of a combo changes a position; only the trade of the combo fills the order.
    if (order === undefined || trade.combo !== null) return
    order.filled += trade.amount
    assert(order.filled + fill.remaining === order.amount, 'a fill says what is left')
    if (!order.reduceOnly || before === undefined) return
    assert(Math.abs(fill.position) < Math.abs(before), 'a reduce-only fill reduces')
    assert(fill.position * before >= 0, 'a reduce-only fill does not turn a position')
  }

  private change(event: OrderChanged): void {
    const known = this.live.get(event.order)
    if (known === undefined) assert(false, `an order that ended is silent, found \${event.change}`)
    else {
      assert(event.filled === known.filled, 'the fills of an order are its trades')
      const resizes = event.change === 'edited' || event.change === 'resized'
      assert(resizes || event.amount === known.amount, 'an amount changes where it is said')
      if (event.reason === 'reduce_only') assert(event.amount < known.amount, 'a cut is a cut')
      this.shape(event)
      this.live.set(event.order, knownOf(event))
    }
    const isOver = event.state !== 'open' && event.state !== 'untriggered'
    if (!isOver) return
    this.live.delete(event.order)
    if (event.timeInForce === 'fill_or_kill') {
      const whole = event.filled === event.amount || event.filled === 0
      assert(whole, 'a fill-or-kill order fills whole or not at all')
    }
    if (event.change === 'triggered') this.successor = event.successor
  }

  private shape(event: OrderChanged): void {
    const remaining = event.amount - event.filled
    assert(remaining >= 0, 'an order is not filled beyond its amount')
    assert((event.state === 'filled') === (remaining === 0), 'filled is when nothing is left')
    assert(event.shown >= 0 && event.shown <= remaining, 'no more is shown than is left')
    if (event.display > 0) assert(event.shown <= event.display, 'an iceberg shows its display')
    else assert(event.shown === remaining, 'a plain order shows all of it')
    const said = event.change === 'cancelled' || event.change === 'rejected'
    const why = said || event.change === 'resized'
    assert((event.reason !== null) === why, 'what nobody asked for has a reason')
    assert((event.successor !== 0) === (event.change === 'triggered'), 'it became something')
  }
}

function knownOf({ amount, filled, timeInForce, reduceOnly }: OrderChanged): Known {
  return { amount, filled, timeInForce, reduceOnly }
}
