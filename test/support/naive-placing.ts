/**
 * Placement of orders in the naive exchange: those of a request with what is linked to them, what
 * trigger orders become, and secondaries at their turn (C31, C32).
 */
import type { CommandOf, LinkedTerms, Refusal } from '../../src/model/index.ts'
import { Findings, first, wordOf } from './naive-checks.ts'
import {
  bookTypeOf,
  isLive,
  isPriceless,
  type NaiveOrder,
  type NaiveTerms,
  remainingOf,
  shownAtATime,
  termsOf,
} from './naive-orders.ts'
import type { NaiveMarket, NaiveWork } from './naive-state.ts'
import { NaiveTrials } from './naive-trials.ts'

/** An order that passed its checks, with the price that it enters at. */
interface Passed {
  readonly terms: NaiveTerms
  readonly price: bigint
}

/** The state with placements. */
export class NaivePlacing extends NaiveTrials {
  protected place(command: CommandOf<'place_order'>): number | Refusal {
    const found = new Findings()
    const { linked, instrument, account } = command
    if (command.validUntil !== null && this.now >= command.validUntil) {
      found.add(6, { reason: 'timed_out' })
    }
    const market = this.markets[instrument]
    if (market === undefined) {
      found.add(7, { reason: 'not_found' })
      return first(command.fault, found.first) ?? { reason: 'not_found' }
    }
    const on = { account, instrument, tick: BigInt(market.spec.tick9) }
    const own = termsOf(command, { ...on, display: command.display })
    const others = (linked?.secondaries ?? []).map((to) => termsOf(to, { ...on, display: 0 }))
    const live = linked?.type === 'one_cancels_other' ? [own, ...others] : [own]
    const dormant = linked === null || live.length > 1 ? [] : others
    this.checkState(market, false, found)
    this.checkLocks(account, found)
    for (const terms of [...live, ...dormant]) this.checkParticipant(terms, found)
    const passed = live.map((terms) => ({ terms, price: this.checkNew(market, terms, found) }))
    for (const terms of dormant) this.checkDormant(market, terms, found)
    this.checkLimits(market, { live, dormant }, found)
    this.checkMoneyAndSelf(market, passed, found)
    const refusal = first(command.fault, found.first)
    if (refusal !== null) return refusal
    this.deadline = command.validUntil
    this.openAll(passed, { dormant, linked, created: command.sequence })
    this.deadline = null
    return 1
  }

  /** A trigger order's turn: it becomes an order, or is rejected. */
  protected activate(order: NaiveOrder): void {
    if (order.stage !== 'fired') return
    const market = this.marketOf(order)
    const terms: NaiveTerms = {
      ...order,
      type: bookTypeOf(order.type),
      price: isPriceless(order.type) ? null : order.price,
      display: shownAtATime(order.display, order.amount),
      trigger: null,
    }
    const found = new Findings()
    const price = this.checkAlone(market, { terms, from: order }, found)
    if (found.first !== null) {
      this.reject(order, found.first.refusal)
      return
    }
    const successor = this.become(order, terms, { stage: 'entering', price })
    this.finish(order, 'triggered', {
      ...{ state: 'triggered', rested: false, successor: successor.id },
    })
    this.open(successor)
    this.submit(successor)
  }

  /** The turn of a dormant secondary: so much of it is placed as the primary was filled. */
  protected placeSecondary(work: Extract<NaiveWork, { kind: 'place' }>): void {
    const { order, filled, of } = work
    if (order.stage !== 'dormant') return
    const { links } = order
    const all = order.amount
    const inParts = links.condition === 'incremental' && filled < of
    const target = inParts ? (all * filled) / of : all
    const more = target - links.target
    if (more > 0n) {
      links.target = target
      this.placePart(order, { more, isLast: target === all, step: filled })
    }
    if (links.primary === null || !isLive(links.primary)) this.closeUncalled(order)
  }

  /** Steps 11 to 16 of an order that goes live at once. Returns the price that it enters at. */
  private checkNew(market: NaiveMarket, terms: NaiveTerms, found: Findings): bigint {
    this.checkSize(market, terms, found)
    this.checkPrice(terms, found)
    if (terms.trigger === null) return this.entryPrice(market, terms, found)
    this.checkTriggerGrid(terms, found)
    this.checkReached(market, terms, found)
    return isPriceless(terms.type) ? 0n : (terms.price ?? 0n)
  }

  private checkReached(market: NaiveMarket, terms: NaiveTerms, found: Findings): void {
    const { type, side, trigger } = terms
    if (trigger === null) return
    const at = type === 'trailing_stop' ? null : trigger.price
    this.checkTriggerNow({ type, side, at }, this.sourceOf(market, trigger.source), found)
  }

  /** Steps 11 to 13 of a secondary, which is looked at again when its turn comes. */
  private checkDormant(market: NaiveMarket, terms: NaiveTerms, found: Findings): void {
    this.checkSize(market, terms, found)
    this.checkPrice(terms, found)
    this.checkTriggerGrid(terms, found)
  }

  /** Steps 8 and 12 to 20 of an order that the engine places itself. */
  private checkAlone(
    market: NaiveMarket,
    placed: {
      readonly terms: NaiveTerms
      readonly from: NaiveOrder
      /** Whether what it comes from makes room for it. */
      readonly isLast?: boolean
    },
    found: Findings,
  ): bigint {
    const { terms, from } = placed
    const standing = placed.isLast === true ? from : undefined
    this.checkState(market, false, found)
    this.checkParticipant(terms, found)
    const waits = terms.trigger !== null
    if (waits) this.checkReached(market, terms, found)
    const price = waits ? (terms.price ?? 0n) : this.entryPrice(market, terms, found)
    this.checkLimits(market, { live: [terms], dormant: [] }, found, standing)
    this.checkMoneyAndSelf(market, [{ terms, price }], found, from)
    return price
  }

  /** Steps 19 and 20, which make no sense for orders that are refused already. */
  private checkMoneyAndSelf(
    market: NaiveMarket,
    passed: readonly Passed[],
    found: Findings,
    from?: NaiveOrder,
  ): void {
    const entering = passed.filter(({ terms }) => terms.trigger === null)
    if (found.first !== null || entering.length === 0) return
    const wishes = entering.map(({ terms, price }) => ({ terms, price, lots: terms.amount }))
    this.checkFunds(market, wishes, found)
    if (found.first !== null) return
    for (const each of entering) this.checkSelf(each, found, from)
    const [one, other] = entering
    if (one === undefined || other === undefined || one.terms.side === other.terms.side) return
    const [buy, sell] = one.terms.side === 'buy' ? [one, other] : [other, one]
    if (buy.price >= sell.price && this.modeOf(one.terms.account) === 'reject_taker') {
      found.add(20, { reason: 'order_overlap' })
    }
  }

  /** Opens the orders of a request and lets them enter, the first one first. */
  private openAll(
    passed: readonly Passed[],
    how: {
      readonly dormant: readonly NaiveTerms[]
      readonly linked: LinkedTerms | null
      readonly created: number
    },
  ): void {
    const { created, linked } = how
    const condition = linked?.condition ?? 'first_hit'
    const live = passed.map(({ terms, price }, at) => {
      const enters = at === 0 ? 'entering' : 'waiting'
      const stage = terms.trigger === null ? enters : 'untriggered'
      return this.create(terms, { stage, price, created, links: { condition } })
    })
    const [own, other] = live
    if (own === undefined) return
    const dormant = how.dormant.map((terms) => {
      const price = isPriceless(terms.type) ? 0n : (terms.price ?? 0n)
      return this.create(terms, {
        ...{ stage: 'dormant', price, created },
        links: { condition, primary: own },
      })
    })
    if (other !== undefined) this.pair(own, other)
    own.links.secondaries = dormant
    const [left, right] = dormant
    if (linked?.type === 'one_triggers_one_cancels_other' && left && right) {
      this.siblings(left, right)
    }
    for (const order of [...live, ...dormant]) this.open(order)
    for (const order of live) {
      if (order.stage === 'entering') this.submit(order)
      else if (order.stage === 'waiting') this.enterSecond(order)
    }
  }

  private pair(own: NaiveOrder, other: NaiveOrder): void {
    for (const [order, partner] of [
      [own, other],
      [other, own],
    ] as const) {
      order.links.pair = own.id
      order.links.partner = partner
    }
  }

  private siblings(left: NaiveOrder, right: NaiveOrder): void {
    for (const [order, sibling] of [
      [left, right],
      [right, left],
    ] as const) {
      order.links.pair = left.id
      order.links.sibling = sibling
    }
  }

  /** The second of two partners is looked at once more: the first may have changed what it meets. */
  private enterSecond(order: NaiveOrder): void {
    if (this.isTooLate(order)) this.end(order, 'risk_mitigation')
    else this.enter(order)
  }

  private reject(order: NaiveOrder, refusal: Refusal): void {
    const reason = wordOf(refusal)
    this.finish(order, 'rejected', { state: 'rejected', rested: false, reason })
    this.closeSecondaries(order)
  }

  private placePart(
    order: NaiveOrder,
    part: { readonly more: bigint; readonly isLast: boolean; readonly step: bigint },
  ): void {
    const { links } = order
    const other = links.sibling?.links
    const placed = other?.placed ?? null
    if (other?.step === part.step && placed !== null && !isLive(placed)) {
      // The other one was placed at the same fill and is over: what this fill placed is over.
      if (part.isLast) {
        const change = { state: 'cancelled', rested: false, reason: 'oco_other_closed' } as const
        this.finish(order, 'cancelled', change)
      }
      return
    }
    if (links.placed !== null && isLive(links.placed)) this.raise(order, links.placed, part)
    else this.placeNew(order, part)
  }

  private placeNew(
    order: NaiveOrder,
    part: { readonly more: bigint; readonly isLast: boolean; readonly step: bigint },
  ): void {
    const { links, trigger } = order
    const market = this.marketOf(order)
    const trails = order.type === 'trailing_stop'
    const terms: NaiveTerms = {
      ...order,
      price: isPriceless(order.type) ? null : order.price,
      amount: part.more,
      display: shownAtATime(order.display, part.more),
      trigger: trigger && { ...trigger, price: trails ? null : trigger.price },
    }
    const found = new Findings()
    const { isLast } = part
    const price = this.checkAlone(market, { terms, from: order, isLast }, found)
    if (found.first !== null) {
      this.reject(order, found.first.refusal)
      return
    }
    const stage = trigger === null ? 'entering' : 'untriggered'
    const placed = this.become(order, terms, { stage, price })
    links.step = part.step
    if (isLast) this.turnInto(order, placed)
    this.open(placed)
    if (placed.stage === 'entering') this.submit(placed)
  }

  /** More of a secondary is due while the order placed for it still stands: that one grows. */
  private raise(
    order: NaiveOrder,
    placed: NaiveOrder,
    part: { readonly more: bigint; readonly isLast: boolean; readonly step: bigint },
  ): void {
    const market = this.marketOf(order)
    const amount = placed.amount + part.more
    const rests = placed.stage === 'resting'
    if (rests) {
      const found = new Findings()
      const { price } = placed
      const left = remainingOf(placed)
      const old = { lots: placed.reduceOnly ? 0n : left, price }
      this.checkFunds(market, [{ terms: placed, price, lots: left + part.more, old }], found)
      if (found.first === null && this.meetsOwn(placed, { amount })) {
        found.add(20, { reason: 'order_overlap' })
      }
      if (found.first !== null) {
        this.reject(order, found.first.refusal)
        return
      }
    }
    order.links.step = part.step
    if (part.isLast) this.turnInto(order, placed)
    placed.amount = amount
    if (rests) {
      this.leave(placed)
      placed.stage = 'entering'
    }
    this.tell('resized', placed, { rested: rests, reason: 'linked_order' })
    if (rests) this.enter(placed)
  }

  private turnInto(order: NaiveOrder, placed: NaiveOrder): void {
    this.finish(order, 'triggered', {
      ...{ state: 'triggered', rested: false, successor: placed.id },
    })
  }
}
