/**
 * Matching an incoming order against the book, one resting order or recorded level at a time.
 *
 * In a replay book a taker meets at each price what is left of the recorded size before the orders of
 * the run. Source: trading.md 6.1, 6.9, C27; DESIGN 4 and 5.
 */
import {
  aheadOf,
  bestLeft,
  firstInBook,
  NO_SLOT,
  type OrderSlots,
  ownerOf,
  priceOf,
  recordedOf,
  remainingOf,
  setSlot,
} from '../../book/index.ts'
import { assert } from '../../core/index.ts'
import { type PricedTerms, pricedTerms } from '../../ledger/index.ts'
import {
  accepts,
  type OrderType,
  opposite,
  type Side,
  type TimeInForce,
} from '../../model/index.ts'
import { emitOrder, type Turn } from '../emit.ts'
import type { InstrumentRow } from '../state/exchange.ts'
import { holdingOfOrder, refreshMargin } from '../state/holdings.ts'
import { closeOrder, noteFillPrice, orderAt } from '../state/orders.ts'
import type { FillContext, FillReason } from './book-trade.ts'
import { finishMaker, runFillHooks, takeOffMaker } from './fill.ts'
import { takeFromLevel } from './replay.ts'
import { enterBook, leaveBook } from './resting.ts'

/** Why the two sides of a match in the closed book were filled. */
const byBook: FillReason = {
  makerRule: 'book_maker',
  takerRule: 'book_taker',
  aheadBefore: 0,
  aheadAfter: 0,
  source: null,
}

/**
 * Matches a live order that is in no book, up to its limit price. What is left stays in its slot.
 * Emits a `trade` and the maker's `order_filled` for each fill.
 */
export function matchOrder(turn: Turn, row: InstrumentRow, takerSlot: number): void {
  const { exchange } = turn
  const { slots } = exchange
  const { side } = orderAt(exchange, takerSlot)
  const limit = priceOf(slots, takerSlot)
  const owner = ownerOf(slots, takerSlot)
  const makerSide = opposite(side)
  let priced: PricedTerms | undefined
  for (;;) {
    const wanted = remainingOf(slots, takerSlot)
    if (wanted === 0) return
    const shown = recordedPrice(row, makerSide)
    const makerSlot = firstInBook(row.book, makerSide)
    if (makerSlot === NO_SLOT && shown === undefined) return
    const price = shown ?? priceOf(slots, makerSlot)
    if (!accepts(side, limit, price)) return
    const isOwn = shown === undefined && ownerOf(slots, makerSlot) === owner
    if (isOwn && exchange.config.selfMatch !== 'off') {
      cancelResting(turn, row, makerSlot)
      continue
    }
    const price9 = price * row.instrument.tick9
    if (priced === undefined || priced.price9 !== price9) priced = pricedTerms(row.terms, price9)
    if (shown !== undefined) {
      takeFromLevel(turn, row, { slot: takerSlot, makerSide, price, priced })
      continue
    }
    fillOne({
      turn,
      row,
      takerSlot,
      makerSlot,
      lots: Math.min(wanted, remainingOf(slots, makerSlot)),
      price,
      priced,
      reason: row.book.recorded === null ? byBook : { ...byBook, ...placeOf(slots, makerSlot) },
    })
  }
}

/** Matches one resting order and runs the hooks. */
function fillOne(fill: FillContext): void {
  const { turn, row, takerSlot, makerSlot, lots, price, priced } = fill
  const { exchange } = turn
  const { slots } = exchange
  setSlot(slots, takerSlot, {
    price: priceOf(slots, takerSlot),
    remaining: remainingOf(slots, takerSlot) - lots,
  })
  const rest = takeOffMaker(turn, row, { slot: makerSlot, lots })
  noteFillPrice(exchange, row, { slot: takerSlot, lots, price, priced })
  noteFillPrice(exchange, row, { slot: makerSlot, lots, price, priced })
  runFillHooks(fill)
  finishMaker(turn, row, { slot: makerSlot, rest })
}

/**
 * The price at which a taker would take from the recorded book: where something is left there at a
 * price that is at least as good as the best order of the run.
 */
function recordedPrice(row: InstrumentRow, makerSide: Side): number | undefined {
  const { recorded } = row.book
  if (recorded === null) return undefined
  const price = bestLeft(recordedOf(recorded, makerSide))
  const first = firstInBook(row.book, makerSide)
  if (price === undefined || first === NO_SLOT) return price
  return accepts(opposite(makerSide), priceOf(row.book.slots, first), price) ? price : undefined
}

/** Where an order of the run stood in the recorded queue, which a taker of the run does not shorten. */
function placeOf(
  slots: OrderSlots,
  slot: number,
): { readonly aheadBefore: number; readonly aheadAfter: number } {
  const ahead = aheadOf(slots, slot)
  return { aheadBefore: ahead, aheadAfter: ahead }
}

/** The resting order of the taker's own account goes, and matching continues (C27). */
function cancelResting(turn: Turn, row: InstrumentRow, slot: number): void {
  const { exchange } = turn
  assert(
    exchange.config.selfMatch === 'cancel_maker',
    'a taker that would be refused never matches',
  )
  const owner = holdingOfOrder(exchange, slot)
  leaveBook(turn, row, slot)
  emitOrder(turn, row, slot, {
    kind: 'order_cancelled',
    state: 'cancelled',
    rested: true,
    reason: 'risk_mitigation',
  })
  closeOrder(exchange, slot)
  refreshMargin(exchange, owner)
}

/**
 * Ends the taker's part of a command: what is left rests or is cancelled, and one event tells where
 * the order stands.
 */
export function settleTaker(
  turn: Turn,
  row: InstrumentRow,
  taker: { readonly slot: number; readonly amountBefore: number; readonly placed: boolean },
): void {
  const { exchange } = turn
  const { slot, amountBefore, placed } = taker
  const { type, timeInForce } = orderAt(exchange, slot)
  const remaining = remainingOf(exchange.slots, slot)
  const traded = remaining !== amountBefore
  const rests = remaining > 0 && standsInBook(timeInForce, type, row)
  const owner = holdingOfOrder(exchange, slot)
  if (remaining === 0) {
    emitOrder(turn, row, slot, {
      kind: 'order_filled',
      state: 'filled',
      rested: false,
      reason: null,
    })
    closeOrder(exchange, slot)
  } else if (rests) {
    if (traded) {
      emitOrder(turn, row, slot, {
        kind: 'order_filled',
        state: 'open',
        rested: true,
        reason: null,
      })
    }
    enterBook(turn, row, slot)
    // An edited order rested before, and is shown as a limit order ever since (C16).
    if (placed && type !== 'limit') {
      emitOrder(turn, row, slot, {
        kind: 'order_rested',
        state: 'open',
        rested: true,
        reason: null,
      })
    }
  } else {
    emitOrder(turn, row, slot, {
      kind: 'order_cancelled',
      state: 'cancelled',
      rested: false,
      reason: 'time_in_force',
    })
    closeOrder(exchange, slot)
  }
  refreshMargin(exchange, owner)
}

/**
 * Whether a remainder stays in the book. Without price bands a market order has no price to rest
 * at, so its remainder ends instead (Assumed: C20 gives the band price and no other).
 */
function standsInBook(timeInForce: TimeInForce, type: OrderType, row: InstrumentRow): boolean {
  if (timeInForce === 'immediate_or_cancel' || timeInForce === 'fill_or_kill') return false
  return type !== 'market' || row.bandMax > 0
}
