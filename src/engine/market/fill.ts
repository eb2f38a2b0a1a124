/**
 * The part of a fill that does not depend on the other side: the resting order loses its lots, the hooks run in the
 * order of C06, and one event shows the state of the resting order.
 *
 * The hooks run after each single fill, before the next resting order is matched: the trade and its postings, linked
 * orders, reduce-only re-allocation, protection counters; each for the maker, then for the taker. Placements caused by
 * a fill queue behind the command.
 * Source: trading.md 6.1, C06; DESIGN 4.
 */

import { hiddenOf, NO_SLOT, priceOf, remainingOf, setHidden, setSlot } from '../../book/index.ts'
import type { Side } from '../../model/index.ts'
import {
  closeOrder,
  countTrade,
  type Exchange,
  emitOrder,
  findHolding,
  type HoldingRow,
  holdingOfOrder,
  type InstrumentRow,
  isRareAt,
  type LiveOrder,
  type MmpGroup,
  mmpGroupAt,
  orderAt,
  reachedLimit,
  type Turn,
} from '../state/index.ts'
import { recomputeMargin, type SidedTrade, tradeShare } from '../value/index.ts'
import { bookTrade, type FillContext } from './book-trade.ts'
import { bookComboTrade } from './combo-trade.ts'
import { isStill } from './ending.ts'
import { followFill } from './links.ts'
import { emitMmp, tripGroup } from './mmp-freeze.ts'
import { reallocate } from './reduce-only.ts'
import { countOpen, emptyTip, leaveBook, refillTip, shrinkInBook, stopReducing } from './resting.ts'

/** The protected sides of a fill; at least one of them is set. */
interface ProtectedSides {
  readonly maker: ProtectedSide | null
  readonly taker: ProtectedSide | null
}

interface ProtectedSide {
  readonly group: MmpGroup
  readonly side: Side
}

/** Hooks that run after each single fill, in this order (C06, DESIGN 4). */
const fillHooks = {
  book,
  followLinks,
  reallocateReduceOnly,
  countProtection,
} as const

/** Runs the hooks of a fill whose sizes are already reduced. They may end orders, including the two of the fill. */
export function runFillHooks(fill: FillContext): void {
  const sides = protectedSides(fill)
  fillHooks.book(fill)
  fillHooks.followLinks(fill)
  fillHooks.reallocateReduceOnly(fill)
  if (sides !== null) fillHooks.countProtection(fill, sides)
}

/** Books the trade and its postings; for a combo those of its legs. */
function book(fill: FillContext): void {
  if (fill.row.instrument.detail.type === 'combo') bookComboTrade(fill)
  else bookTrade(fill)
}

/** Follows the links of the maker, then those of the taker if it is still live. */
function followLinks({ turn, makerSlot, takerSlot, lots }: FillContext): void {
  const taker = rareAt(turn.exchange, takerSlot)
  const maker = rareAt(turn.exchange, makerSlot)
  if ((taker?.link ?? null) === null && (maker?.link ?? null) === null) return
  const takerId = taker?.id ?? 0
  if (maker !== null && maker.link !== null) followFill(turn, makerSlot, lots)
  if (taker !== null && isStill(turn.exchange, takerSlot, takerId)) followFill(turn, takerSlot, lots)
}

/** The order in a slot if it may be linked; null for other orders and without an order. */
function rareAt(exchange: Exchange, slot: number): LiveOrder | null {
  return slot === NO_SLOT || !isRareAt(exchange.orders, slot) ? null : orderAt(exchange, slot)
}

/** Adjusts reduce-only orders to the changed positions; for a combo to those of its legs. */
function reallocateReduceOnly({ turn, row, makerOwner, takerOwner }: FillContext): void {
  if (row.legs.length === 0) {
    reallocateOf(turn, makerOwner)
    reallocateOf(turn, takerOwner)
    return
  }
  for (const leg of row.legs) {
    for (const { account } of [makerOwner, takerOwner]) {
      reallocateOf(turn, findHolding(turn.exchange, account, leg.row))
    }
  }
}

function reallocateOf(turn: Turn, owner: HoldingRow | undefined): void {
  if (owner !== undefined && owner.reducing.length > 0) reallocate(turn, owner, NO_SLOT)
}

/** Reduces the visible size of a resting order by `lots`. The order leaves its queue when its visible size is 0. */
export function takeOffMaker(turn: Turn, row: InstrumentRow, slot: number, lots: number): void {
  const { slots } = turn.exchange
  const rest = remainingOf(slots, slot) - lots
  const hidden = hiddenOf(slots, slot)
  if (rest > hidden) {
    shrinkInBook(turn, row, slot, lots)
  } else if (hidden > 0) {
    emptyTip(turn, row, slot)
  } else {
    const price = priceOf(slots, slot)
    leaveBook(turn, row, slot)
    setSlot(slots, slot, price, 0)
  }
}

/** Reduces the hidden size of an iceberg whose visible part is filled. */
export function takeOffHidden(turn: Turn, row: InstrumentRow, slot: number, lots: number): void {
  const before = remainingOf(turn.exchange.slots, slot)
  const rest = before - lots
  countOpen(turn.exchange, row, slot, before, rest)
  setSlot(turn.exchange.slots, slot, priceOf(turn.exchange.slots, slot), rest)
  setHidden(turn.exchange.slots, slot, rest)
  if (rest === 0 && orderAt(turn.exchange, slot).reduceOnly) stopReducing(turn.exchange, slot)
}

/** Emits the state of the resting order of a fill, unless a hook ended it, and closes it when filled. */
export function finishMaker(turn: Turn, row: InstrumentRow, slot: number, id: number): void {
  if (!isStill(turn.exchange, slot, id)) return
  const rest = remainingOf(turn.exchange.slots, slot)
  emitOrder(turn, row, slot, {
    change: 'filled',
    state: rest > 0 ? 'open' : 'filled',
    rested: true,
    reason: null,
  })
  if (rest === 0) closeOrder(turn.exchange, slot)
}

/** An iceberg whose visible part was filled. */
export interface EmptiedTip {
  readonly slot: number
  readonly id: number
  readonly price: number
}

/** The icebergs whose visible parts were filled completely, in the order of these fills. */
export interface EmptiedTips {
  readonly list: EmptiedTip[]
  /** Icebergs before this index are completely filled or have ended. */
  from: number
}

/** An empty list. */
export function noEmptiedTips(): EmptiedTips {
  return { list: [], from: 0 }
}

/**
 * The iceberg whose hidden size is taken next, after all visible size at its price. `next` is the next price with
 * visible size, or undefined.
 */
export function nextHidden(exchange: Exchange, tips: EmptiedTips, next: number | undefined): EmptiedTip | undefined {
  for (;;) {
    const tip = tips.list[tips.from]
    if (tip === undefined || tip.price === next) return undefined
    // The fills so far may have completed or ended it.
    if (isStill(exchange, tip.slot, tip.id)) return tip
    tips.from += 1
  }
}

/**
 * Rule: order.iceberg. Shows the next part of each iceberg that has hidden size left, at the end of the queue of its
 * price, in the order in which the earlier parts were filled (C25). Events: `order` refreshed.
 */
export function refreshTips(turn: Turn, row: InstrumentRow, emptied: EmptiedTips): void {
  const { exchange } = turn
  for (const { slot, id } of emptied.list) {
    // The fills may have completed or ended it.
    if (!isStill(exchange, slot, id)) continue
    refillTip(turn, row, slot)
    emitOrder(turn, row, slot, {
      change: 'refreshed',
      state: 'open',
      rested: true,
      reason: null,
    })
    recomputeMargin(exchange, holdingOfOrder(exchange, slot))
  }
}

/**
 * Effects of fills on market-maker protection: the last hook of a fill (C06, C39).
 *
 * The protected sides of a fill are determined before the other hooks, which may end both orders. Fills of a frozen
 * group do not count: during a freeze only orders that waited behind the speed bump still trade.
 */

/** Determines the protected sides of a fill before its hooks run; null without any. */
function protectedSides(context: FillContext): ProtectedSides | null {
  const { exchange } = context.turn
  if (exchange.mmpGroups.length === 0) return null
  const maker = protectedSide(exchange, context.makerSlot)
  const taker = protectedSide(exchange, context.takerSlot)
  return maker === null && taker === null ? null : { maker, taker }
}

/** Counts a fill in the groups of its two orders, and cancels the orders of groups whose limit is reached. */
function countProtection(fill: FillContext, { maker, taker }: ProtectedSides): void {
  const { turn, row, lots, priced } = fill
  for (const of of [maker, taker]) {
    if (of === null) continue
    countFill(turn, of.group, { row, side: of.side, lots, price9: priced.price9 })
  }
}

function protectedSide(exchange: Exchange, slot: number): ProtectedSide | null {
  if (slot === NO_SLOT) return null
  const { extras, side } = orderAt(exchange, slot)
  if (extras === null || extras.mmp === null) return null
  return { group: mmpGroupAt(exchange, extras.mmp.group), side }
}

/** Rule: mmp.fill. Counts one fill of a group. A limit that is reached takes effect before the next fill (C39). */
function countFill(turn: Turn, group: MmpGroup, trade: SidedTrade): void {
  const { config, freeze } = group
  if (config === null || (freeze !== null && !freeze.isReset)) return
  const opens = countTrade(group, tradeShare(turn.exchange, trade), {
    now: turn.exchange.now,
    interval: config.interval,
  })
  if (opens) emitMmp(turn, group, 'window_opened', 0, 0)
  const reached = reachedLimit(group, config)
  if (reached !== null) tripGroup(turn, group, reached)
}
