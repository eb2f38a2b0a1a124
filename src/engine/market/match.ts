/**
 * Matches an incoming order against the book, one resting order or recorded level at a time.
 *
 * In a replay book a taker takes at each price the remaining recorded size before the orders of the run. The hidden
 * size of icebergs comes after all visible size at its price.
 * Source: trading.md 6.1, 6.7, 6.9, C25, C27; DESIGN 4 and 5.
 */
import {
  aheadOf,
  bestLeft,
  firstInBook,
  hiddenOf,
  NO_SLOT,
  type OrderSlots,
  ownerOf,
  priceOf,
  recordedOf,
  remainingOf,
  setSlot,
  shownOf,
  wouldTake,
} from '../../book/index.ts'
import { type PricedTerms, pricedTerms } from '../../ledger/index.ts'
import {
  accepts,
  type OrderType,
  opposite,
  originOf,
  restsInBook,
  type Side,
  type TimeInForce,
} from '../../model/index.ts'
import {
  accountRow,
  closeOrder,
  emitOrder,
  type HoldingRow,
  holdingOfOrder,
  type InstrumentRow,
  idAt,
  noteFillPrice,
  orderAt,
  sideAt,
  type Turn,
  timeInForceAt,
  typeAt,
} from '../state/index.ts'
import { recomputeMargin, refreshMargin } from '../value/index.ts'
import { byBook, type FillContext, type FillReason } from './book-trade.ts'
import { isOwn } from './dry-run.ts'
import { endOrder, isStill } from './ending.ts'
import {
  type EmptiedTip,
  type EmptiedTips,
  finishMaker,
  nextHidden,
  noEmptiedTips,
  refreshTips,
  runFillHooks,
  takeOffHidden,
  takeOffMaker,
} from './fill.ts'
import { takeFromLevel } from './replay.ts'
import { enterBook } from './resting.ts'

/** The state of a match. */
interface Matching {
  readonly turn: Turn
  readonly row: InstrumentRow
  readonly takerSlot: number
  readonly takerId: number
  readonly takerOwner: HoldingRow
  /** Null while no visible part of an iceberg was filled completely. */
  emptied: EmptiedTips | null
  priced: PricedTerms | undefined
}

/**
 * Matches a live order that is in no book, up to its limit price. The remaining size stays in its slot. Emits a `trade`
 * and the maker's `order` filled for each fill. Returns false if a hook ended the order.
 */
export function matchOrder(turn: Turn, row: InstrumentRow, takerSlot: number): boolean {
  const side = sideAt(turn.exchange.orders, takerSlot)
  // Most orders match nothing.
  if (!wouldTake(row.book, side, priceOf(turn.exchange.slots, takerSlot))) return true
  const takerOwner = holdingOfOrder(turn.exchange, takerSlot)
  const matching: Matching = {
    turn,
    row,
    takerSlot,
    takerId: idAt(turn.exchange.orders, takerSlot),
    takerOwner,
    emptied: null,
    priced: undefined,
  }
  const isAlive = matchAlong(matching, side)
  if (matching.emptied !== null) refreshTips(turn, row, matching.emptied)
  return isAlive
}

function matchAlong(matching: Matching, side: Side): boolean {
  const { turn, row, takerSlot, takerId, takerOwner } = matching
  const { exchange } = turn
  const { slots } = exchange
  const limit = priceOf(slots, takerSlot)
  const makerSide = opposite(side)
  for (;;) {
    const wanted = remainingOf(slots, takerSlot)
    if (wanted === 0) return true
    const shown = recordedPrice(row, makerSide)
    const makerSlot = firstInBook(row.book, makerSide)
    const isEmpty = makerSlot === NO_SLOT && shown === undefined
    const price = isEmpty ? undefined : (shown ?? priceOf(slots, makerSlot))
    if (matching.emptied !== null) {
      const hidden = nextHidden(exchange, matching.emptied, price)
      if (hidden !== undefined) {
        takeHidden(matching, hidden, wanted)
        if (!isStill(exchange, takerSlot, takerId)) return false
        continue
      }
    }
    if (price === undefined || !accepts(side, limit, price)) return true
    if (shown !== undefined) {
      const priced = pricedAt(matching, price)
      takeFromLevel(turn, row, { slot: takerSlot, takerOwner, makerSide, price, priced })
    } else if (isOwn(exchange, takerOwner.account, ownerOf(slots, makerSlot))) {
      endOwn(matching, makerSlot)
    } else {
      takeShown(matching, makerSlot, wanted)
    }
    if (!isStill(exchange, takerSlot, takerId)) return false
  }
}

/**
 * Ends a resting order of the taker's own account, and matching continues (C27). A taker with `reject_taker` was
 * already refused if it would reach such an order. If effects of its fills have opened the way anyway, the taker ends.
 * A liquidation always ends the resting order, and so does a direct-access order released from the speed bump (8.8).
 */
function endOwn({ turn, takerSlot, takerOwner }: Matching, makerSlot: number): void {
  const { selfMatch } = accountRow(turn.exchange, takerOwner.account)
  const taker = orderAt(turn.exchange, takerSlot)
  const wasHeld = turn.exchange.released === taker.id && originOf(taker) === 'direct_access'
  const yields = selfMatch === 'cancel_maker' || taker.liquidation || wasHeld
  endOrder(turn, yields ? makerSlot : takerSlot, 'risk_mitigation')
}

/** Matches the visible size of a resting order, and runs the hooks. */
function takeShown(matching: Matching, makerSlot: number, wanted: number): void {
  const { slots } = matching.turn.exchange
  const price = priceOf(slots, makerSlot)
  const shown = shownOf(slots, makerSlot)
  const lots = Math.min(wanted, shown)
  const isEmptied = lots === shown && hiddenOf(slots, makerSlot) > 0
  const reason = matching.row.book.recorded === null ? byBook : reasonBehind(slots, makerSlot)
  takeOffTaker(matching, lots)
  takeOffMaker(matching.turn, matching.row, makerSlot, lots)
  if (isEmptied) noteEmptied(matching, makerSlot, price)
  finishFill(fillOf(matching, makerSlot, lots, price, reason))
}

function noteEmptied(matching: Matching, slot: number, price: number): void {
  matching.emptied ??= noEmptiedTips()
  matching.emptied.list.push({ slot, id: idAt(matching.turn.exchange.orders, slot), price })
}

/** The reason of a match with an order in a recorded queue. */
function reasonBehind(slots: OrderSlots, makerSlot: number): FillReason {
  return { ...byBook, ...placeOf(slots, makerSlot) }
}

/** Rule: order.iceberg-hidden. Matches the hidden size of an iceberg. Its owner pays as a taker (C25). */
function takeHidden(matching: Matching, hidden: EmptiedTip, wanted: number): void {
  const { slots } = matching.turn.exchange
  const lots = Math.min(wanted, remainingOf(slots, hidden.slot))
  const reason = { ...byBook, ...placeOf(slots, hidden.slot), makerRule: 'hidden' } as const
  takeOffTaker(matching, lots)
  takeOffHidden(matching.turn, matching.row, hidden.slot, lots)
  finishFill(fillOf(matching, hidden.slot, lots, hidden.price, reason))
}

function takeOffTaker({ turn, takerSlot }: Matching, lots: number): void {
  const { slots } = turn.exchange
  setSlot(slots, takerSlot, priceOf(slots, takerSlot), remainingOf(slots, takerSlot) - lots)
}

function fillOf(matching: Matching, makerSlot: number, lots: number, price: number, reason: FillReason): FillContext {
  return {
    turn: matching.turn,
    row: matching.row,
    takerSlot: matching.takerSlot,
    makerSlot,
    lots,
    price,
    makerOwner: holdingOfOrder(matching.turn.exchange, makerSlot),
    takerOwner: matching.takerOwner,
    priced: pricedAt(matching, price),
    reason,
  }
}

/** Finishes a fill whose sizes are already reduced: averages, hooks, and the maker's event. */
function finishFill(fill: FillContext): void {
  const { turn, row, takerSlot, makerSlot, lots, price, priced } = fill
  const id = idAt(turn.exchange.orders, makerSlot)
  noteFillPrice(turn.exchange, row, { slot: takerSlot, lots, price, priced })
  noteFillPrice(turn.exchange, row, { slot: makerSlot, lots, price, priced })
  runFillHooks(fill)
  finishMaker(turn, row, makerSlot, id)
}

/** The arithmetic of the contract at a price in ticks. */
function pricedAt(matching: Matching, price: number): PricedTerms {
  const price9 = price * matching.row.instrument.tick9
  if (matching.priced === undefined || matching.priced.price9 !== price9) {
    matching.priced = pricedTerms(matching.row.terms, price9)
  }
  return matching.priced
}

/**
 * The price at which a taker would take from the recorded book: its best price with remaining size, if it is at least
 * as good as the best order of the run.
 */
function recordedPrice(row: InstrumentRow, makerSide: Side): number | undefined {
  const { recorded } = row.book
  if (recorded === null) return undefined
  const price = bestLeft(recordedOf(recorded, makerSide))
  const first = firstInBook(row.book, makerSide)
  if (price === undefined || first === NO_SLOT) return price
  return accepts(opposite(makerSide), priceOf(row.book.slots, first), price) ? price : undefined
}

/** The position of a run's order in the recorded queue. A taker of the run does not shorten this queue. */
function placeOf(slots: OrderSlots, slot: number): { readonly aheadBefore: number; readonly aheadAfter: number } {
  const ahead = aheadOf(slots, slot)
  return { aheadBefore: ahead, aheadAfter: ahead }
}

/**
 * Finishes the matching of a taker: the remaining size rests or is cancelled, and one event shows the state of the
 * order.
 */
export function settleTaker(turn: Turn, row: InstrumentRow, slot: number, amountBefore: number, placed: boolean): void {
  const type = typeAt(turn.exchange.orders, slot)
  const timeInForce = timeInForceAt(turn.exchange.orders, slot)
  const remaining = remainingOf(turn.exchange.slots, slot)
  const traded = remaining !== amountBefore
  const rests = remaining > 0 && mayRest(timeInForce, type, row)
  const owner = holdingOfOrder(turn.exchange, slot)
  if (remaining === 0) {
    emitOrder(turn, row, slot, {
      change: 'filled',
      state: 'filled',
      rested: false,
      reason: null,
    })
    closeOrder(turn.exchange, slot)
  } else if (rests) {
    if (traded) {
      emitOrder(turn, row, slot, {
        change: 'filled',
        state: 'open',
        rested: true,
        reason: null,
      })
    }
    enterBook(turn, row, slot)
    // An edited order rested before, and has been shown as a limit order since then (C16).
    if (placed && type !== 'limit') {
      emitOrder(turn, row, slot, {
        change: 'rested',
        state: 'open',
        rested: true,
        reason: null,
      })
    }
  } else {
    endOrder(turn, slot, 'time_in_force')
    return
  }
  if (traded) refreshMargin(turn.exchange, owner)
  else recomputeMargin(turn.exchange, owner)
}

/**
 * True if a remainder stays in the book. Without price bands a market order has no price at which it could rest, so its
 * remainder ends instead (Assumed: C20 gives the band price and no other).
 */
function mayRest(timeInForce: TimeInForce, type: OrderType, row: InstrumentRow): boolean {
  return restsInBook(timeInForce) && (type !== 'market' || row.hasBand)
}
