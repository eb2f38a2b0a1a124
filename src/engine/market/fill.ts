/**
 * The part of a fill that is the same whoever is on the other side: the resting order gives up its lots, the hooks
 * run in the order of C06, and one event tells where the resting order stands.
 *
 * After each single fill, and before the next resting order is looked at, the hooks run: the trade and
 * its postings, linked orders, reduce-only re-allocation, protection counters; each for the maker, then
 * for the taker. Placements caused by a fill queue behind the command.
 * Source: trading.md 6.1, C06; DESIGN 4.
 */
import { hiddenOf, NO_SLOT, priceOf, remainingOf, setHidden, setSlot } from '../../book/index.ts'
import {
  closeOrder,
  type Exchange,
  emitOrder,
  findHolding,
  type HoldingRow,
  holdingOfOrder,
  type InstrumentRow,
  isRareAt,
  type LiveOrder,
  orderAt,
  type Turn,
} from '../state/index.ts'
import { recomputeMargin } from '../value/index.ts'
import { bookTrade, type FillContext } from './book-trade.ts'
import { bookComboTrade } from './combo-trade.ts'
import { isStill } from './ending.ts'
import { followFill } from './links.ts'
import { countProtection, protectedSides } from './mmp-fills.ts'
import { reallocate } from './reduce-only.ts'
import { countOpen, emptyTip, leaveBook, refillTip, shrinkInBook, stopReducing } from './resting.ts'

/** Hooks that run after each single fill, in this order (C06, DESIGN 4). */
const fillHooks = {
  book,
  followLinks,
  reallocateReduceOnly,
  countProtection,
} as const

/** Runs the hooks of a fill whose sizes are already taken off. They may end orders, also these two. */
export function runFillHooks(fill: FillContext): void {
  const sides = protectedSides(fill)
  fillHooks.book(fill)
  fillHooks.followLinks(fill)
  fillHooks.reallocateReduceOnly(fill)
  if (sides !== null) fillHooks.countProtection(fill, sides)
}

/** The trade and its postings; of a combo those of its legs. */
function book(fill: FillContext): void {
  if (fill.row.instrument.detail.type === 'combo') bookComboTrade(fill)
  else bookTrade(fill)
}

/** Follows the links of the maker, then those of the taker where it still lives. */
function followLinks({ turn, makerSlot, takerSlot, lots }: FillContext): void {
  const { exchange } = turn
  const taker = rareAt(exchange, takerSlot)
  const maker = rareAt(exchange, makerSlot)
  if ((taker?.link ?? null) === null && (maker?.link ?? null) === null) return
  const takerId = taker?.id ?? 0
  if (maker !== null && maker.link !== null) followFill(turn, makerSlot, lots)
  if (taker !== null && isStill(exchange, takerSlot, takerId)) followFill(turn, takerSlot, lots)
}

/** The order in a slot, if there is one and it may be linked. */
function rareAt(exchange: Exchange, slot: number): LiveOrder | null {
  return slot === NO_SLOT || !isRareAt(exchange.orders, slot) ? null : orderAt(exchange, slot)
}

/** Positions changed, and with them what reduce-only orders may be: of a combo those of its legs. */
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

/** Takes lots off what a resting order shows; it leaves its queue when nothing more is shown. */
export function takeOffMaker(
  turn: Turn,
  row: InstrumentRow,
  change: { readonly slot: number; readonly lots: number },
): void {
  const { slot, lots } = change
  const { slots } = turn.exchange
  const rest = remainingOf(slots, slot) - lots
  const hidden = hiddenOf(slots, slot)
  if (rest > hidden) {
    shrinkInBook(turn, row, change)
  } else if (hidden > 0) {
    emptyTip(turn, row, slot)
  } else {
    const price = priceOf(slots, slot)
    leaveBook(turn, row, slot)
    setSlot(slots, slot, { price, remaining: 0 })
  }
}

/** Takes lots off what an iceberg hides, whose visible part is gone. */
export function takeOffHidden(
  turn: Turn,
  row: InstrumentRow,
  change: { readonly slot: number; readonly lots: number },
): void {
  const { exchange } = turn
  const { slot, lots } = change
  const before = remainingOf(exchange.slots, slot)
  const rest = before - lots
  countOpen(exchange, row, { slot, before, after: rest })
  setSlot(exchange.slots, slot, { price: priceOf(exchange.slots, slot), remaining: rest })
  setHidden(exchange.slots, slot, rest)
  if (rest === 0 && orderAt(exchange, slot).reduceOnly) stopReducing(exchange, slot)
}

/** Tells where the resting order of a fill stands, if a hook did not end it, and ends it when filled. */
export function finishMaker(
  turn: Turn,
  row: InstrumentRow,
  maker: { readonly slot: number; readonly id: number },
): void {
  const { slot, id } = maker
  const { exchange } = turn
  if (!isStill(exchange, slot, id)) return
  const rest = remainingOf(exchange.slots, slot)
  emitOrder(turn, row, slot, {
    change: 'filled',
    state: rest > 0 ? 'open' : 'filled',
    rested: true,
    reason: null,
  })
  if (rest === 0) closeOrder(exchange, slot)
}

/** An iceberg whose visible part was taken. */
export interface EmptiedTip {
  readonly slot: number
  readonly id: number
  readonly price: number
}

/** The icebergs whose visible parts an order used up, in that order. */
export interface EmptiedTips {
  readonly list: EmptiedTip[]
  /** Those before are used up to the end. */
  from: number
}

/** No iceberg yet. */
export function noEmptiedTips(): EmptiedTips {
  return { list: [], from: 0 }
}

/**
 * The next hidden part to be taken, once everything that is seen at its price is: `next` is the next
 * price at which something is seen, if there is any.
 */
export function nextHidden(exchange: Exchange, tips: EmptiedTips, next: number | undefined): EmptiedTip | undefined {
  for (;;) {
    const tip = tips.list[tips.from]
    if (tip === undefined || tip.price === next) return undefined
    // It may be filled by now, or ended by what the fills did.
    if (isStill(exchange, tip.slot, tip.id)) return tip
    tips.from += 1
  }
}

/**
 * Rule: order.iceberg. Shows the next part of each iceberg that has one, at the end of the queue of its
 * price, in the order in which the parts before were used up (C25). Events: `order` refreshed.
 */
export function refreshTips(turn: Turn, row: InstrumentRow, emptied: EmptiedTips): void {
  const { exchange } = turn
  for (const { slot, id } of emptied.list) {
    // It may have been filled, or ended by what the fills did.
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
