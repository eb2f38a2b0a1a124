/**
 * Live orders of the naive exchange: they are created, opened and finished. An order affects others: partners cancel
 * each other, fills of a primary place its secondaries and its end closes them (C32), and reduce-only orders shrink
 * with the position (C26).
 */
import type { CancelReason, InstrumentSpec, OrderChanged, ResizeReason, Side } from '../../src/model/index.ts'
import type { NaiveEvents } from './naive-events.ts'
import { averageOf, smaller } from './naive-money.ts'
import {
  bookTypeOf,
  idOf,
  isInBook,
  isLive,
  type NaiveLinks,
  type NaiveOrder,
  type NaiveTerms,
  noLinks,
  PRICE_MAX,
  remainingOf,
  shownOf,
  shownTrigger,
  stateOf,
} from './naive-orders.ts'
import { type NaiveMarket, type NaiveState, type NaiveWork, otherSide, sortedByPrice } from './naive-state.ts'

/** Fields of an event besides the order itself. */
interface Change {
  readonly state?: OrderChanged['state']
  readonly rested: boolean
  readonly reason?: OrderChanged['reason']
  readonly successor?: number
}

/** Properties of an order that are decided at its creation. */
interface Birth {
  readonly stage: NaiveOrder['stage']
  readonly price: bigint
  readonly created: number
  readonly triggeredBy?: number
  readonly links?: Partial<NaiveLinks>
}

/** Live orders, the work that they have caused, and the orders in flight to the alternative engine. */
export class NaiveLiveOrders {
  readonly state: NaiveState
  readonly events: NaiveEvents
  /** Live orders in the order of opening. */
  live: NaiveOrder[] = []
  readonly ended = new Set<number>()
  readonly work: NaiveWork[] = []
  /** Orders in flight to the alternative engine, in the order of sending. */
  routes: {
    readonly due: number
    readonly order: NaiveOrder
    /** The deadline of its request for the start of matching; null for none. */
    readonly until: number | null
  }[] = []
  /** The deadline of the current request. */
  deadline: number | null = null
  /** Icebergs whose tip the current match has emptied, in the order in which that happened. */
  emptied: NaiveOrder[] = []

  constructor(state: NaiveState, events: NaiveEvents) {
    this.state = state
    this.events = events
  }

  /** Orders of a side in match order; an iceberg without a tip is in no queue. */
  queue(market: NaiveMarket, side: Side): readonly NaiveOrder[] {
    return sortedByPrice(market.resting.filter((order) => order.side === side && order.tip > 0n))
  }

  /** Live orders of an account, in the order of opening. */
  of(account: number): readonly NaiveOrder[] {
    return this.live.filter((order) => order.account === account)
  }

  /** Orders of an account in a book or in flight to it. */
  committed(market: NaiveMarket, account: number): readonly NaiveOrder[] {
    return this.of(account).filter((order) => order.instrument === market.id && isInBook(order))
  }

  /** The best resting order that an order of a side would take. */
  bestAgainst(market: NaiveMarket, side: Side): NaiveOrder | undefined {
    return this.queue(market, otherSide(side))[0]
  }

  /** A new order without an event yet. */
  create(terms: NaiveTerms, birth: Birth): NaiveOrder {
    const market = this.state.marketOf(terms)
    const currency = market.spec.settlementCurrency
    const { stage, price, created, triggeredBy } = birth
    const { trigger, side } = terms
    const trails = terms.type === 'trailing_stop' && stage === 'untriggered'
    const reference = trails && trigger ? (this.state.sourceOf(market, trigger.source) ?? 0n) : 0n
    return {
      ...terms,
      id: idOf(currency, this.events.next(`order ${currency}`), { side, stage, trigger }),
      ...{ stage, price, created, createdAt: this.state.now, updatedAt: this.state.now },
      ...{ triggeredBy: triggeredBy ?? 0, filled: 0n, fills: [], tip: 0n },
      ...{ replaced: false, autoReplaced: false, stood: false },
      trigger: trigger && {
        source: trigger.source,
        price: trigger.price ?? 0n,
        offset: trigger.offset ?? 0n,
        ...{ reference, extreme: reference },
      },
      links: { ...noLinks(), ...birth.links },
    }
  }

  /** Announces a new order and counts it as live. */
  open(order: NaiveOrder): void {
    this.live.push(order)
    this.report('opened', order, { rested: false })
  }

  /** Removes an order from its book, or from its route there. */
  leave(order: NaiveOrder): void {
    const market = this.state.marketOf(order)
    market.resting = market.resting.filter((other) => other !== order)
    this.routes = this.routes.filter((route) => route.order !== order)
  }

  /** Ends an order. The event shows its last state. */
  finish(order: NaiveOrder, change: OrderChanged['change'], reported: Change): void {
    this.leave(order)
    this.live = this.live.filter((other) => other !== order)
    this.ended.add(order.id)
    this.report(change, order, reported)
    order.stage = 'ended'
  }

  /** A market order without a band takes any price, and its events show no price. */
  private isEndOfPrices({ type, side, price }: NaiveOrder, spec: InstrumentSpec): boolean {
    if (bookTypeOf(type) !== 'market') return false
    const most = (PRICE_MAX / BigInt(spec.tick9)) * BigInt(spec.tick9)
    if (side === 'buy') return price === most
    return price === (spec.detail.type === 'combo' ? -most : 0n)
  }

  report(change: OrderChanged['change'], order: NaiveOrder, reported: Change): void {
    const { spec } = this.state.marketOf(order)
    const { id, account, instrument, side, type, timeInForce, trigger } = order
    order.updatedAt = this.state.now
    this.events.emit({
      ...{ kind: 'order', change, order: id, account, instrument, side, type, timeInForce },
      price: Number(this.isEndOfPrices(order, spec) ? 0n : order.price),
      amount: Number(order.amount),
      filled: Number(order.filled),
      averagePrice: Number(averageOf(spec, order.fills)),
      state: reported.state ?? stateOf(order),
      postOnly: order.postOnly,
      ...{ advanced: order.advanced, autoReplaced: order.autoReplaced },
      liquidation: order.liquidation,
      reduceOnly: order.reduceOnly,
      rested: reported.rested,
      replaced: order.replaced,
      label: order.label,
      createdAt: order.createdAt,
      display: Number(order.display),
      shown: Number(shownOf(order)),
      trigger: trigger && {
        source: trigger.source,
        price: Number(shownTrigger(order, spec)),
        offset: Number(trigger.offset),
        reference: Number(trigger.reference),
      },
      links: this.linksOf(order),
      triggeredBy: order.triggeredBy,
      ...{ session: 0, extras: null },
      successor: reported.successor ?? 0,
      reason: reported.reason ?? null,
      by: null,
    })
  }

  linksOf({ links }: NaiveOrder): object {
    const { condition, pair, primary, secondaries } = links
    return {
      ...{ condition, pair, primary: primary?.id ?? 0 },
      secondaries: secondaries.map(({ id }) => id),
    }
  }

  /** Cancels an order, and the orders that depend on it. */
  end(order: NaiveOrder, reason: CancelReason): void {
    const partner = this.partnerOf(order)
    this.close(order, reason)
    const isExpired = reason === 'expiry'
    if (partner !== null && this.isClosedBy(partner, order)) {
      this.close(partner, isExpired ? 'expiry' : 'oco_other_closed')
    }
    this.closeSecondaries(order, isExpired ? 'expiry' : 'oto_primary_closed')
  }

  /** Ends dormant secondaries that will never be placed, after their primary. */
  closeSecondaries(primary: NaiveOrder, reason: CancelReason = 'oto_primary_closed'): void {
    for (const secondary of primary.links.secondaries) {
      if (secondary.links.primary === primary) this.closeUncalled(secondary, reason)
    }
  }

  /** Ends a dormant secondary if no queued work will place it. */
  closeUncalled(secondary: NaiveOrder, reason: CancelReason = 'oto_primary_closed'): void {
    const isCalled = this.work.some((item) => item.order === secondary)
    if (secondary.stage === 'dormant' && !isCalled) this.close(secondary, reason)
  }

  /** Reduces an order, an iceberg's hidden part first. It keeps its place. */
  cut(order: NaiveOrder, lots: bigint, reason: ResizeReason): void {
    order.amount -= lots
    order.tip = smaller(order.tip, remainingOf(order))
    this.report('resized', order, { rested: order.stage === 'resting', reason })
  }

  /** Applies a fill of an order to its linked orders. */
  followLinks(order: NaiveOrder): void {
    if (!isLive(order)) return
    this.followPair(order)
    const { condition, secondaries } = order.links
    const done = order.filled === order.amount
    const calls = condition === 'incremental' || (condition === 'first_hit' ? order.fills.length === 1 : done)
    if (!calls) return
    for (const secondary of secondaries) {
      if (!isLive(secondary)) continue
      this.work.push({
        ...{ kind: 'place', order: secondary, filled: order.filled, of: order.amount },
      })
    }
  }

  /**
   * Reduce-only orders together never exceed the position. The orders that would execute first keep their size first,
   * the excess is cut, and an order without remaining size ends.
   */
  allocate(
    market: NaiveMarket,
    account: number,
    { entering, except }: { readonly entering?: NaiveOrder; readonly except?: NaiveOrder } = {},
  ): void {
    if (market.spec.payoff === 'spot') return
    const { size } = this.state.position(market, account)
    for (const side of ['buy', 'sell'] as const) {
      const reduces = side === 'buy' ? -size : size
      let left = reduces > 0n ? reduces : 0n
      const kept = new Map<NaiveOrder, bigint>()
      const resting = market.resting.filter((order) => order.tip > 0n)
      const walk = [...resting, ...this.emptied, ...(entering === undefined ? [] : [entering])]
      const own = walk.filter(
        (order) =>
          order.account === account && order.side === side && order.reduceOnly && order !== except && isLive(order),
      )
      for (const order of sortedByPrice(own)) {
        if (!isLive(order)) continue
        const wants = remainingOf(order)
        // Two partners share the size that the first of them keeps.
        const partner = this.partnerOf(order)
        const shared = (partner === null ? undefined : kept.get(partner)) ?? 0n
        const keeps = smaller(wants, shared + left)
        if (keeps > shared) left -= keeps - shared
        kept.set(order, keeps)
        if (keeps === wants) continue
        if (keeps === 0n) this.end(order, 'risk_mitigation')
        else this.cut(order, wants - keeps, 'reduce_only')
      }
    }
  }

  /**
   * The order that ends when this one is executed, or null. Among secondaries, a placed order represents the dormant
   * one that it came from.
   */
  private partnerOf(order: NaiveOrder): NaiveOrder | null {
    const { partner, origin, sibling } = order.links
    if (partner !== null) return isLive(partner) ? partner : null
    const other = origin === null ? sibling : origin.links.sibling
    if (other === null) return null
    const { placed } = other.links
    const standing = placed !== null && isLive(placed) ? placed : null
    const dormant = isLive(other) ? other : null
    return origin === null ? (dormant ?? standing) : (standing ?? dormant)
  }

  private close(order: NaiveOrder, reason: CancelReason): void {
    const rested = order.stage === 'resting'
    this.finish(order, 'cancelled', { state: 'cancelled', rested, reason })
  }

  /** A filled order cannot be closed, and a secondary that is placed in parts survives the end of one part. */
  private isClosedBy(partner: NaiveOrder, order: NaiveOrder): boolean {
    const bit = order.links.origin !== null && partner.stage === 'dormant'
    if (bit && partner.links.condition === 'incremental') return false
    return isLive(partner) && remainingOf(partner) > 0n
  }

  private followPair(order: NaiveOrder): void {
    const partner = this.partnerOf(order)
    if (partner === null || !this.isClosedBy(partner, order)) return
    const { condition } = order.links
    if (order.filled === order.amount || condition === 'first_hit') {
      this.close(partner, 'oco_other_closed')
    } else if (condition === 'incremental') {
      const full = partner.amount + partner.links.cut
      const target = (full * order.filled) / (order.amount + order.links.cut)
      const more = target - partner.links.cut
      if (more >= remainingOf(partner)) this.close(partner, 'oco_other_closed')
      else if (more > 0n) {
        partner.links.cut += more
        this.cut(partner, more, 'linked_order')
      }
    }
  }
}
