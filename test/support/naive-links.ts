/**
 * Effects of one order of the naive exchange on others: partners that cancel each other, secondaries that fills of a
 * primary place or its end closes (C32), and reduce-only orders that exceed the position (C26).
 */
import type { CancelReason, ResizeReason } from '../../src/model/index.ts'
import { NaiveEvents } from './naive-events.ts'
import { smaller } from './naive-money.ts'
import { isLive, type NaiveOrder, remainingOf } from './naive-orders.ts'
import { type NaiveMarket, sortedByPrice } from './naive-state.ts'

/** Adds links between orders. */
export class NaiveLinkage extends NaiveEvents {
  /** Icebergs whose tip the current match has emptied, in the order in which that happened. */
  protected emptied: NaiveOrder[] = []

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
  protected cut(order: NaiveOrder, lots: bigint, reason: ResizeReason): void {
    order.amount -= lots
    order.tip = smaller(order.tip, remainingOf(order))
    this.report('resized', order, { rested: order.stage === 'resting', reason })
  }

  /** Applies a fill of an order to its linked orders. */
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
   * Reduce-only orders together never exceed the position. The orders that would execute first keep their size first,
   * the excess is cut, and an order without remaining size ends.
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

  /** A filled order cannot be closed, and a secondary that is placed in parts survives the end of one part. */
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
