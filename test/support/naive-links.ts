/**
 * How one order of the naive exchange acts on others: partners that cancel each other, secondaries that
 * a primary's fills place or its end closes (C32), and reduce-only orders that the position no longer
 * covers (C26).
 */
import type { CancelReason, ResizeReason } from '../../src/model/index.ts'
import { NaiveEvents } from './naive-events.ts'
import { smaller } from './naive-money.ts'
import { isLive, type NaiveOrder, remainingOf } from './naive-orders.ts'
import { type NaiveMarket, sortedByPrice } from './naive-state.ts'

/** The state with orders that act on each other. */
export class NaiveLinkage extends NaiveEvents {
  /** Icebergs whose tip the order being matched has emptied, as the tips ran out. */
  protected emptied: NaiveOrder[] = []

  /** Cancels an order, and with it what cannot stand without it. */
  end(order: NaiveOrder, reason: CancelReason): void {
    const partner = this.partnerOf(order)
    this.close(order, reason)
    const isExpired = reason === 'expiry'
    if (partner !== null && this.isClosedBy(partner, order)) {
      this.close(partner, isExpired ? 'expiry' : 'oco_other_closed')
    }
    this.closeSecondaries(order, isExpired ? 'expiry' : 'oto_primary_closed')
  }

  /** Dormant secondaries that nothing will place any more end after their primary. */
  closeSecondaries(primary: NaiveOrder, reason: CancelReason = 'oto_primary_closed'): void {
    for (const secondary of primary.links.secondaries) {
      if (secondary.links.primary === primary) this.closeUncalled(secondary, reason)
    }
  }

  /** Ends a dormant secondary where no work for it is left. */
  closeUncalled(secondary: NaiveOrder, reason: CancelReason = 'oto_primary_closed'): void {
    const isCalled = this.work.some((item) => item.order === secondary)
    if (secondary.stage === 'dormant' && !isCalled) this.close(secondary, reason)
  }

  /** Takes size off an order, of an iceberg the hidden part first. It keeps its place. */
  protected cut(order: NaiveOrder, lots: bigint, reason: ResizeReason): void {
    order.amount -= lots
    order.tip = smaller(order.tip, remainingOf(order))
    this.report('resized', order, { rested: order.stage === 'resting', reason })
  }

  /** What a fill of an order does to the orders that are linked to it. */
  protected followLinks(order: NaiveOrder): void {
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
   * Reduce-only orders together never exceed the position: those that would execute first come
   * first, what is too much is cut, and what is left with nothing ends.
   */
  allocate(
    market: NaiveMarket,
    account: number,
    { entering, except }: { readonly entering?: NaiveOrder; readonly except?: NaiveOrder } = {},
  ): void {
    if (market.spec.payoff === 'spot') return
    const { size } = this.position(market, account)
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
        // Two of which one cancels the other share what the first of them has.
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
   * The order that ends when this one is executed, or null. Of two secondaries a placed one stands
   * for the dormant one that it came from.
   */
  protected partnerOf(order: NaiveOrder): NaiveOrder | null {
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

  /** A filled order is past closing, and a secondary that is placed bit by bit outlives a bit. */
  private isClosedBy(partner: NaiveOrder, order: NaiveOrder): boolean {
    const bit = order.links.origin !== null && partner.stage === 'dormant'
    if (bit && partner.links.condition === 'incremental') return false
    return isLive(partner) && remainingOf(partner) > 0n
  }

  private followPair(order: NaiveOrder): void {
    const partner = this.partnerOf(order)
    if (partner === null || !this.isClosedBy(partner, order)) return
    const { links } = partner
    const { condition } = order.links
    if (order.filled === order.amount || condition === 'first_hit') {
      this.close(partner, 'oco_other_closed')
    } else if (condition === 'incremental') {
      const full = partner.amount + links.cut
      const target = (full * order.filled) / (order.amount + order.links.cut)
      const more = target - links.cut
      if (more >= remainingOf(partner)) this.close(partner, 'oco_other_closed')
      else if (more > 0n) {
        links.cut += more
        this.cut(partner, more, 'linked_order')
      }
    }
  }
}
