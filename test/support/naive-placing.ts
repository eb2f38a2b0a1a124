/**
 * Placement of orders in the naive exchange: the orders of a request and their linked orders, orders from fired
 * triggers, and secondaries at their turn (C31, C32).
 */

import type { CommandOf, LinkedTerms, Refusal } from '../../src/model/index.ts'
import {
  checkLimits,
  checkLocks,
  checkParticipant,
  checkPrice,
  checkSize,
  checkState,
  checkTriggerGrid,
  checkTriggerNow,
  entryPrice,
  Findings,
  first,
  wordOf,
} from './naive-checks.ts'
import type { NaiveMatching } from './naive-matching.ts'
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
import { become, checkFunds, checkSelf, isTooLate, meetsOwn } from './naive-trials.ts'

/** The part of a secondary that one fill of its primary places. */
interface Part {
  readonly more: bigint
  readonly isLast: boolean
  readonly step: bigint
}

/** An order that passed its checks, with its entry price. */
interface Passed {
  readonly terms: NaiveTerms
  readonly price: bigint
}

export function place(exchange: NaiveMatching, command: CommandOf<'place_order'>): number | Refusal {
  const found = new Findings()
  const { linked, instrument, account } = command
  if (command.validUntil !== null && exchange.state.now >= command.validUntil) {
    found.add(6, { reason: 'timed_out' })
  }
  const market = exchange.state.markets[instrument]
  if (market === undefined) {
    found.add(7, { reason: 'not_found' })
    return first(command.fault, found.first) ?? { reason: 'not_found' }
  }
  const on = { account, instrument, tick: BigInt(market.spec.tick9) }
  const own = termsOf(command, { ...on, display: command.display })
  const others = (linked?.secondaries ?? []).map((to) => termsOf(to, { ...on, display: 0 }))
  const live = linked?.type === 'one_cancels_other' ? [own, ...others] : [own]
  const dormant = linked === null || live.length > 1 ? [] : others
  checkState(exchange, market, false, found)
  checkLocks(exchange, account, found)
  for (const terms of [...live, ...dormant]) checkParticipant(exchange, terms, found)
  const passed = live.map((terms) => ({ terms, price: checkNew(exchange, market, terms, found) }))
  for (const terms of dormant) checkDormant(exchange, market, terms, found)
  checkLimits(exchange, market, { live, dormant }, found)
  checkMoneyAndSelf(exchange, market, passed, found)
  const refusal = first(command.fault, found.first)
  if (refusal !== null) return refusal
  exchange.orders.deadline = command.validUntil
  openAll(exchange, passed, { dormant, linked, created: command.sequence })
  exchange.orders.deadline = null
  return 1
}

/** The turn of a trigger order: it enters the book or is rejected. */
export function activate(exchange: NaiveMatching, order: NaiveOrder): void {
  if (order.stage !== 'fired') return
  const market = exchange.state.marketOf(order)
  const terms: NaiveTerms = {
    ...order,
    type: bookTypeOf(order.type),
    price: isPriceless(order.type) ? null : order.price,
    display: shownAtATime(order.display, order.amount),
    trigger: null,
  }
  const found = new Findings()
  const price = checkAlone(exchange, market, { terms, from: order }, found)
  if (found.first !== null) {
    reject(exchange, order, found.first.refusal)
    return
  }
  const successor = become(exchange, order, terms, { stage: 'entering', price })
  exchange.orders.finish(order, 'triggered', {
    ...{ state: 'triggered', rested: false, successor: successor.id },
  })
  exchange.orders.open(successor)
  exchange.submit(successor)
}

/** The turn of a dormant secondary: it is placed in proportion to the fill of its primary. */
export function placeSecondary(exchange: NaiveMatching, work: Extract<NaiveWork, { kind: 'place' }>): void {
  const { order, filled, of } = work
  if (order.stage !== 'dormant') return
  const all = order.amount
  const inParts = order.links.condition === 'incremental' && filled < of
  const target = inParts ? (all * filled) / of : all
  const more = target - order.links.target
  if (more > 0n) {
    order.links.target = target
    placePart(exchange, order, { more, isLast: target === all, step: filled })
  }
  if (order.links.primary === null || !isLive(order.links.primary)) exchange.orders.closeUncalled(order)
}

/** Steps 11 to 16 of an order that goes live at once. Returns its entry price. */
function checkNew(exchange: NaiveMatching, market: NaiveMarket, terms: NaiveTerms, found: Findings): bigint {
  checkSize(market, terms, found)
  checkPrice(exchange, terms, found)
  if (terms.trigger === null) return entryPrice(exchange, market, terms, found)
  checkTriggerGrid(exchange, terms, found)
  checkReached(exchange, market, terms, found)
  return isPriceless(terms.type) ? 0n : (terms.price ?? 0n)
}

function checkReached(exchange: NaiveMatching, market: NaiveMarket, terms: NaiveTerms, found: Findings): void {
  const { type, side, trigger } = terms
  if (trigger === null) return
  const at = type === 'trailing_stop' ? null : trigger.price
  checkTriggerNow({ type, side, at }, exchange.state.sourceOf(market, trigger.source), found)
}

/** Steps 11 to 13 of a secondary; the other steps run at its turn. */
function checkDormant(exchange: NaiveMatching, market: NaiveMarket, terms: NaiveTerms, found: Findings): void {
  checkSize(market, terms, found)
  checkPrice(exchange, terms, found)
  checkTriggerGrid(exchange, terms, found)
}

/** Steps 8 and 12 to 20 of an order that the engine places itself. */
function checkAlone(
  exchange: NaiveMatching,
  market: NaiveMarket,
  placed: {
    readonly terms: NaiveTerms
    readonly from: NaiveOrder
    /** True if its trigger order or dormant order makes room for it. */
    readonly isLast?: boolean
  },
  found: Findings,
): bigint {
  const { terms, from } = placed
  const standing = placed.isLast === true ? from : undefined
  checkState(exchange, market, false, found)
  checkParticipant(exchange, terms, found)
  const waits = terms.trigger !== null
  if (waits) checkReached(exchange, market, terms, found)
  const price = waits ? (terms.price ?? 0n) : entryPrice(exchange, market, terms, found)
  checkLimits(exchange, market, { live: [terms], dormant: [] }, found, standing)
  checkMoneyAndSelf(exchange, market, [{ terms, price }], found, from)
  return price
}

/** Steps 19 and 20, which are skipped for orders that are already refused. */
function checkMoneyAndSelf(
  exchange: NaiveMatching,
  market: NaiveMarket,
  passed: readonly Passed[],
  found: Findings,
  from?: NaiveOrder,
): void {
  const entering = passed.filter(({ terms }) => terms.trigger === null)
  if (found.first !== null || entering.length === 0) return
  const wishes = entering.map(({ terms, price }) => ({ terms, price, lots: terms.amount }))
  checkFunds(exchange, market, wishes, found)
  if (found.first !== null) return
  for (const each of entering) checkSelf(exchange, each, found, from)
  const [one, other] = entering
  if (one === undefined || other === undefined || one.terms.side === other.terms.side) return
  const [buy, sell] = one.terms.side === 'buy' ? [one, other] : [other, one]
  if (buy.price >= sell.price && exchange.state.modeOf(one.terms.account) === 'reject_taker') {
    found.add(20, { reason: 'order_overlap' })
  }
}

/** Opens the orders of a request, then enters them, the first one first. */
function openAll(
  exchange: NaiveMatching,
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
    return exchange.orders.create(terms, { stage, price, created, links: { condition } })
  })
  const [own, other] = live
  if (own === undefined) return
  const dormant = how.dormant.map((terms) => {
    const price = isPriceless(terms.type) ? 0n : (terms.price ?? 0n)
    return exchange.orders.create(terms, {
      ...{ stage: 'dormant', price, created },
      links: { condition, primary: own },
    })
  })
  if (other !== undefined) pair(own, other)
  own.links.secondaries = dormant
  const [left, right] = dormant
  if (linked?.type === 'one_triggers_one_cancels_other' && left && right) {
    siblings(left, right)
  }
  for (const order of [...live, ...dormant]) exchange.orders.open(order)
  for (const order of live) {
    if (order.stage === 'entering') exchange.submit(order)
    else if (order.stage === 'waiting') enterSecond(exchange, order)
  }
}

function pair(own: NaiveOrder, other: NaiveOrder): void {
  for (const [order, partner] of [
    [own, other],
    [other, own],
  ] as const) {
    order.links.pair = own.id
    order.links.partner = partner
  }
}

function siblings(left: NaiveOrder, right: NaiveOrder): void {
  for (const [order, sibling] of [
    [left, right],
    [right, left],
  ] as const) {
    order.links.pair = left.id
    order.links.sibling = sibling
  }
}

/** The second of two partners is checked again, because the first may have changed the book. */
function enterSecond(exchange: NaiveMatching, order: NaiveOrder): void {
  if (isTooLate(exchange, order)) exchange.orders.end(order, 'risk_mitigation')
  else exchange.enter(order)
}

function reject(exchange: NaiveMatching, order: NaiveOrder, refusal: Refusal): void {
  const reason = wordOf(refusal)
  exchange.orders.finish(order, 'rejected', { state: 'rejected', rested: false, reason })
  exchange.orders.closeSecondaries(order)
}

function placePart(exchange: NaiveMatching, order: NaiveOrder, part: Part): void {
  const other = order.links.sibling?.links
  const placed = other?.placed ?? null
  if (other?.step === part.step && placed !== null && !isLive(placed)) {
    // The other secondary, placed at the same fill, has ended. So the part that this fill placed ends too.
    if (part.isLast) {
      const change = { state: 'cancelled', rested: false, reason: 'oco_other_closed' } as const
      exchange.orders.finish(order, 'cancelled', change)
    }
    return
  }
  if (order.links.placed !== null && isLive(order.links.placed)) raise(exchange, order, order.links.placed, part)
  else placeNew(exchange, order, part)
}

function placeNew(exchange: NaiveMatching, order: NaiveOrder, part: Part): void {
  const { links, trigger } = order
  const market = exchange.state.marketOf(order)
  const trails = order.type === 'trailing_stop'
  const terms: NaiveTerms = {
    ...order,
    price: isPriceless(order.type) ? null : order.price,
    amount: part.more,
    display: shownAtATime(order.display, part.more),
    trigger: trigger && { ...trigger, price: trails ? null : trigger.price },
  }
  const found = new Findings()
  const price = checkAlone(exchange, market, { terms, from: order, isLast: part.isLast }, found)
  if (found.first !== null) {
    reject(exchange, order, found.first.refusal)
    return
  }
  const stage = trigger === null ? 'entering' : 'untriggered'
  const placed = become(exchange, order, terms, { stage, price })
  links.step = part.step
  if (part.isLast) turnInto(exchange, order, placed)
  exchange.orders.open(placed)
  if (placed.stage === 'entering') exchange.submit(placed)
}

/** Another part of a secondary is due while the order of the previous part still rests: that order grows. */
function raise(exchange: NaiveMatching, order: NaiveOrder, placed: NaiveOrder, part: Part): void {
  const market = exchange.state.marketOf(order)
  const amount = placed.amount + part.more
  const rests = placed.stage === 'resting'
  if (rests) {
    const found = new Findings()
    const { price } = placed
    const left = remainingOf(placed)
    const old = { lots: placed.reduceOnly ? 0n : left, price }
    checkFunds(exchange, market, [{ terms: placed, price, lots: left + part.more, old }], found)
    if (found.first === null && meetsOwn(exchange, placed, { amount })) {
      found.add(20, { reason: 'order_overlap' })
    }
    if (found.first !== null) {
      reject(exchange, order, found.first.refusal)
      return
    }
  }
  order.links.step = part.step
  if (part.isLast) turnInto(exchange, order, placed)
  placed.amount = amount
  if (rests) {
    exchange.orders.leave(placed)
    placed.stage = 'entering'
  }
  exchange.orders.report('resized', placed, { rested: rests, reason: 'linked_order' })
  if (rests) exchange.enter(placed)
}

function turnInto(exchange: NaiveMatching, order: NaiveOrder, placed: NaiveOrder): void {
  exchange.orders.finish(order, 'triggered', {
    ...{ state: 'triggered', rested: false, successor: placed.id },
  })
}
