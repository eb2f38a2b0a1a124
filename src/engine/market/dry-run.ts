/**
 * The dry run of an order: the sizes that it would take from the book, without taking them. Fill-or-kill, self-match
 * prevention and the cost of a spot order use these walks.
 *
 * A fill changes the orders that the next fill meets: a linked order ends, a reduce-only order shrinks. The walk counts
 * only sizes that will really be available, so that matching keeps its promise (DESIGN 4).
 * Source: trading.md 6.8 (C26), 6.9 (C27), 6.14 (C32), C21.
 */

import { NO_SLOT, ownerOf, priceOf, remainingOf, visitOffers, wouldTake } from '../../book/index.ts'
import { mulDivFloor, type Ticks } from '../../core/index.ts'
import { readExposure } from '../../margin/index.ts'
import { accepts, NO_ORDER, opposite, type Side } from '../../model/index.ts'
import {
  type AccountRow,
  accountRow,
  countTrade,
  type Exchange,
  findHolding,
  type HoldingRow,
  holdingOfOrder,
  type InstrumentRow,
  inExecutionOrder,
  type LiveOrder,
  type MmpCounters,
  mmpGroupAt,
  orderAt,
  orderSlotOf,
  partnerAt,
  reachedLimit,
  reducible,
  type Share,
  shareOf,
  take,
  wantedShare,
} from '../state/index.ts'
import { tradeShare } from '../value/index.ts'

/** An order about to be admitted or changed. */
export interface Entry {
  readonly row: InstrumentRow
  readonly account: number
  readonly side: Side
  readonly price: Ticks
  /** True if the price is a limit; a market order without a band has no limit. */
  readonly bounded: boolean
  readonly lots: number
  /** An order that may only reduce a position needs no margin. */
  readonly reduceOnly: boolean
  /** Size and price for which open orders already hold margin: the remainder of an edited order before the edit. */
  readonly replaces: { readonly lots: number; readonly price: number } | null
  /** The live order that enters, if it has links; otherwise null. */
  readonly linked: LiveOrder | null
  /** The slot of an order that is already in the book; otherwise NO_SLOT. */
  readonly from: number
}

/** Groups in which the fills so far would have counted, by number. */
interface Foresight {
  readonly counters: Map<number, MmpCounters>
  /** Groups that would have tripped. */
  readonly tripped: Set<number>
}

/**
 * Makes an entry. The defaults are those of most orders: a new order, with a limit price, that may add to a position.
 */
export function newEntry(of: Pick<Entry, 'row' | 'account' | 'side' | 'price' | 'lots'> & Partial<Entry>): Entry {
  return {
    row: of.row,
    account: of.account,
    side: of.side,
    price: of.price,
    bounded: of.bounded ?? true,
    lots: of.lots,
    reduceOnly: of.reduceOnly ?? false,
    replaces: of.replaces ?? null,
    linked: of.linked ?? null,
    from: of.from ?? NO_SLOT,
  }
}

/** A part of a resting order or of a recorded level that a taker would take. No account owns a recorded level. */
interface Take {
  readonly price: number
  readonly lots: number
  /** True if it belongs to the taker itself, by the settings of its account (C27). */
  readonly own: boolean
}

/**
 * True if two accounts do not trade with each other: an account and itself, or subaccounts with extended self-match
 * prevention.
 */
export function isOwn(exchange: Exchange, account: number, other: number): boolean {
  const taker = accountRow(exchange, account)
  if (taker.selfMatch === 'off') return false
  return account === other || groupOf(taker) === groupOf(accountRow(exchange, other))
}

/** Orders of accounts with the same number do not trade with each other (C27). */
function groupOf({ account, selfMatchExtended }: AccountRow): number {
  return selfMatchExtended ? account.main : account.id
}

/**
 * Rule: order.self-match. True if an order would reach an order of the same account although the account's mode forbids
 * it (C27).
 */
export function wouldMeetOwn(exchange: Exchange, entry: Entry): boolean {
  if (entry.lots <= 0) return false
  if (!mayMeetOwn(exchange, accountRow(exchange, entry.account), entry)) return false
  let left = entry.lots
  let met = false
  visitTakes(exchange, entry, (take) => {
    met = take.own
    left -= take.lots
    return !met && left > 0
  })
  return met
}

/** True if the book can fill the whole order without orders of the same account (C21). */
export function canFill(exchange: Exchange, entry: Entry): boolean {
  let left = entry.lots
  visitTakes(exchange, entry, (take) => {
    if (!take.own) left -= take.lots
    return left > 0
  })
  return left <= 0
}

/**
 * True if an order may reach another order of the same account although the account's mode forbids it. Most orders
 * reach no order, or none of the same account, and need no walk. Open sizes do not include reduce-only orders and
 * quotes, so these always need the walk.
 */
export function mayMeetOwn(
  exchange: Exchange,
  taker: AccountRow,
  { row, side, price }: Pick<Entry, 'row' | 'side' | 'price'>,
): boolean {
  if (taker.selfMatch !== 'reject_taker' || !wouldTake(row.book, side, price)) return false
  const { id } = taker.account
  if (groupOf(taker) !== id || taker.subaccounts > 0) return true
  const owner = findHolding(exchange, id, row)
  if (owner === undefined) return false
  const { buys, sells } = readExposure(exchange.margin, owner.holding)
  const isCounted = (side === 'buy' ? sells : buys) > 0
  return isCounted || owner.reducing.length > 0 || exchange.mmpGroups.length > 0
}

/**
 * Visits the sizes that the entry would take, in match order and up to its size, while `visit` returns true. It visits
 * an own order with its available size; `visit` decides whether that order stops the walk or is passed.
 */
export function visitTakes(exchange: Exchange, entry: Entry, visit: (take: Take) => boolean): void {
  const { slots } = exchange
  const foresight = exchange.mmpGroups.length === 0 ? null : noForesight()
  const run: Run = { exchange, entry, left: entry.lots, changes: null, foresight }
  if (entry.reduceOnly) noteOwnShare(run)
  visitOffers(entry.row.book, opposite(entry.side), ({ price, lots, slot }) => {
    if (!accepts(entry.side, entry.price, price)) return false
    if (slot === NO_SLOT) {
      const goesOn = visit({ price, lots, own: false })
      noteProtected(run, entry.from, price, lots)
      noteTaken(run, Math.min(lots, run.left))
      return goesOn && !isTripped(run, entry.from)
    }
    const there = whatIsThere(run, slot, lots)
    if (there <= 0) return true
    const own = isOwn(exchange, entry.account, ownerOf(slots, slot))
    const goesOn = visit({ price, lots: there, own })
    if (!own) {
      noteProtected(run, slot, price, there)
      noteProtected(run, entry.from, price, there)
      noteFilled(run, slot, Math.min(there, run.left))
    }
    // An own order that ends also ends its partner, which may be the taker itself.
    return goesOn && !isTripped(run, entry.from) && !(own && isPartner(entry, slot, exchange))
  })
}

/** The state of a walk. */
interface Run {
  readonly exchange: Exchange
  readonly entry: Entry
  left: number
  /** Null while no fill changed another order, as in most walks. */
  changes: Changes | null
  /** Null without groups of market-maker protection. */
  readonly foresight: Foresight | null
}

/** Changes that the fills so far would have made to orders further on, by order. */
interface Changes {
  /** Orders that would be closed. */
  readonly closed: Set<number>
  /** Fills that linked and reduce-only orders would have had. */
  readonly fills: Map<number, number>
  /** Sizes by which fills of partners, or a smaller position, would have reduced orders. */
  readonly cuts: Map<number, number>
  readonly shrunk: Map<number, number>
  /** Sizes by which the positions of holdings would have been reduced. */
  readonly reduced: Map<number, number>
}

function changesOf(run: Run): Changes {
  run.changes ??= {
    closed: new Set(),
    fills: new Map(),
    cuts: new Map(),
    shrunk: new Map(),
    reduced: new Map(),
  }
  return run.changes
}

/** Remaining size of a resting order after these changes. */
function restOf({ exchange, changes }: Run, slot: number): number {
  const remaining = remainingOf(exchange.slots, slot)
  if (changes === null) return remaining
  const { id } = orderAt(exchange, slot)
  return remaining - (changes.fills.get(id) ?? 0) - (changes.cuts.get(id) ?? 0) - (changes.shrunk.get(id) ?? 0)
}

/** Size of an offer that would still be available. */
function whatIsThere(run: Run, slot: number, lots: number): number {
  if (isTripped(run, slot)) return 0
  if (run.changes === null) return lots
  const { id } = orderAt(run.exchange, slot)
  return run.changes.closed.has(id) ? 0 : Math.min(lots, restOf(run, slot))
}

/** Counts the fill of a protected order. It may trip the order's group, whose other orders then end (C39). */
function noteProtected({ exchange, entry, left, foresight }: Run, slot: number, price: number, lots: number): void {
  if (foresight === null || slot === NO_SLOT) return
  foreseeFill(exchange, foresight, {
    order: orderAt(exchange, slot),
    row: entry.row,
    lots: Math.min(lots, left),
    price9: price * entry.row.instrument.tick9,
  })
}

/** True if an order would have ended because its group tripped. */
function isTripped({ exchange, foresight }: Run, slot: number): boolean {
  if (foresight === null || slot === NO_SLOT || foresight.tripped.size === 0) return false
  return foresight.tripped.has(groupNumberOf(orderAt(exchange, slot)))
}

/** Counts a size that the entry takes, which may end or shrink the entry's partner. */
function noteTaken(run: Run, lots: number): void {
  run.left -= lots
  const { linked } = run.entry
  if (linked === null || linked.link === null || lots === 0) return
  changePartner(run, linked, linked.amount - run.left, run.left)
}

/** Counts the fill of an order: first its linked orders change, then the reduce-only orders of its position. */
function noteFilled(run: Run, slot: number, lots: number): void {
  const order = orderAt(run.exchange, slot)
  const owner = holdingOfOrder(run.exchange, slot)
  if (order.link !== null || order.reduceOnly) {
    const { fills } = changesOf(run)
    fills.set(order.id, (fills.get(order.id) ?? 0) + lots)
  }
  if (order.link !== null) {
    const filled = order.amount - remainingOf(run.exchange.slots, slot)
    const now = run.changes?.fills.get(order.id) ?? 0
    changePartner(run, order, filled + now, restOf(run, slot))
  }
  noteTaken(run, lots)
  // Both sides of a trade with oneself leave the position as it was.
  if (owner.account !== run.entry.account) reducePosition(run, owner, lots)
}

function changePartner(run: Run, order: LiveOrder, filled: number, rest: number): void {
  const { link } = order
  const slot = link === null ? NO_SLOT : orderSlotOf(run.exchange, link.partner)
  if (link === null || slot === NO_SLOT) return
  const partner = orderAt(run.exchange, slot)
  if (link.condition === 'first_hit' || rest <= 0) {
    changesOf(run).closed.add(partner.id)
  } else if (link.condition === 'incremental' && partner.link !== null) {
    const full = partner.amount + partner.link.cut
    const target = mulDivFloor(full, filled, order.amount + link.cut)
    changesOf(run).cuts.set(partner.id, Math.max(0, target - partner.link.cut))
  }
}

/** Gives the entry its share of the position, which reduces the reduce-only orders behind it (C26). */
function noteOwnShare(run: Run): void {
  const { exchange, entry } = run
  const { account, row, side, price, linked, lots, from } = entry
  const owner = findHolding(exchange, account, row)
  if (owner === undefined || owner.reducing.length === 0) return
  const position = reducible(exchange, owner.holding, side)
  if (lots + wantedShare(exchange, owner, side, from) <= position) return
  const share = shareOf(position)
  let hasEntered = false
  for (const { slot, id } of inExecutionOrder(exchange, owner, side, NO_SLOT)) {
    if (slot === from) continue
    if (!hasEntered && !accepts(opposite(side), price, priceOf(exchange.slots, slot))) {
      take(share, linked?.id ?? -1, linked?.link?.partner ?? NO_ORDER, lots)
      hasEntered = true
    }
    shrink(run, share, slot, id)
  }
}

/** Gives a reduce-only order its part. If the part is 0, the order ends together with its partner. */
function shrink(run: Run, share: Share, slot: number, id: number): void {
  const wanted = restOf(run, slot)
  const { closed, shrunk } = changesOf(run)
  if (closed.has(id) || wanted <= 0) return
  const partner = partnerAt(run.exchange, slot)
  const keep = take(share, id, partner, wanted)
  if (keep < wanted) shrunk.set(id, (shrunk.get(id) ?? 0) + wanted - keep)
  if (keep > 0) return
  closed.add(id)
  if (partner !== NO_ORDER) closed.add(partner)
}

/** Shares the remaining position among the reduce-only orders of a holding (C26). */
function reducePosition(run: Run, owner: HoldingRow, lots: number): void {
  if (owner.reducing.length === 0) return
  const { reduced } = changesOf(run)
  reduced.set(owner.holding, (reduced.get(owner.holding) ?? 0) + lots)
  const side = opposite(run.entry.side)
  const position = reducible(run.exchange, owner.holding, side) - (reduced.get(owner.holding) ?? 0)
  if (wantedShare(run.exchange, owner, side, NO_SLOT) <= position) return
  const share = shareOf(Math.max(0, position))
  for (const { slot, id } of inExecutionOrder(run.exchange, owner, side, NO_SLOT)) {
    shrink(run, share, slot, id)
  }
}

function isPartner(entry: Entry, slot: number, exchange: Exchange): boolean {
  const partner = entry.linked?.link?.partner ?? NO_ORDER
  return partner !== NO_ORDER && partner === orderAt(exchange, slot).id
}

/**
 * Foresight of market-maker protection: a fill that has not happened yet may reach the limit of a group, whose other
 * orders then leave the book. A walk over the book must not count those orders (DESIGN 4).
 *
 * Rule: mmp.foresight. Source: trading.md C06, C21, C39.
 */

/** Foresight before the first fill. */
function noForesight(): Foresight {
  return { counters: new Map(), tripped: new Set() }
}

/** The group of a protected order, or 0. */
function groupNumberOf(order: LiveOrder): number {
  return order.extras?.mmp?.group ?? 0
}

/** A fill that the protection checks before it happens. */
interface ForeseenFill {
  readonly order: LiveOrder
  readonly row: InstrumentRow
  readonly lots: number
  readonly price9: number
}

/** Counts a possible fill of an order at a price, if the order belongs to a group. */
function foreseeFill(exchange: Exchange, foresight: Foresight, of: ForeseenFill): void {
  const number = groupNumberOf(of.order)
  if (number === 0 || foresight.tripped.has(number)) return
  const group = mmpGroupAt(exchange, number)
  if (group.config === null || (group.freeze !== null && !group.freeze.isReset)) return
  const { windowStart, quantity9, delta9, vega9 } = group
  const counters = foresight.counters.get(number) ?? { windowStart, quantity9, delta9, vega9 }
  foresight.counters.set(number, counters)
  const share = tradeShare(exchange, { row: of.row, side: of.order.side, lots: of.lots, price9: of.price9 })
  countTrade(counters, share, { now: exchange.now, interval: group.config.interval })
  if (reachedLimit(counters, group.config) !== null) foresight.tripped.add(number)
}
