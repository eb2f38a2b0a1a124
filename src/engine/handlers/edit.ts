/**
 * Editing an open order. A smaller amount at the same price keeps the place in the queue; a larger
 * one or another price loses it, and a price that crosses matches at once (C28).
 *
 * Rule: order.edit-priority. Source: trading.md 4.2, 6.10, C07, C10, C24, C28.
 */
import { ownerOf, priceOf, remainingOf, setSlot } from '../../book/index.ts'
import { lots, type Ticks, ticks } from '../../core/index.ts'
import { type EditOrder, isOnGrid, type PostOnly, validationStep } from '../../model/index.ts'
import { emitOrder, type Turn } from '../emit.ts'
import { matchOrder, settleTaker } from '../matching/match.ts'
import { enterBook, leaveBook, shrinkInBook } from '../matching/resting.ts'
import type { Exchange, InstrumentRow } from '../state/exchange.ts'
import { holdingOfOrder, refreshMargin } from '../state/holdings.ts'
import { closeOrder, instrumentOf, orderAt } from '../state/orders.ts'
import { pass, refuse, type Verdict } from '../verdict.ts'
import { findOwnOrder } from './cancel.ts'
import { fundsRefusal } from './funds.ts'
import {
  bandRefusal,
  type Entry,
  postOnlyPrice,
  selfMatchRefusal,
  sizeRefusal,
  stateRefusal,
} from './order-checks.ts'

/** What an edit does to the order in a slot. */
export interface EditPlan {
  readonly row: InstrumentRow
  readonly slot: number
  readonly amount: number
  readonly price: Ticks
  readonly postOnly: PostOnly
  /** A reject-post-only order that would take is cancelled (C24). */
  readonly cancels: boolean
}

/** Checks an edit; reads only. */
export function checkEdit(exchange: Exchange, command: EditOrder): Verdict<EditPlan> {
  const step = validationStep
  if (command.validUntil !== null && exchange.now >= command.validUntil) {
    return refuse(step.validUntil, { reason: 'timed_out' })
  }
  const found = findOwnOrder(exchange, command, 'already_closed')
  if (!found.ok) return found
  const slot = found.plan
  const order = orderAt(exchange, slot)
  const row = instrumentOf(exchange, slot)
  const closed = stateRefusal(row)
  if (closed !== null) return refuse(step.bookState, closed)
  const remaining = remainingOf(exchange.slots, slot)
  const filled = order.amount - remaining
  const amount = command.amount ?? order.amount
  if (amount <= filled) return refuse(step.amount, { reason: 'invalid_amount' })
  const size = sizeRefusal(row, amount)
  if (size !== null) return refuse(step.amount, size)
  const oldPrice = ticks(priceOf(exchange.slots, slot))
  const wanted = command.price ?? oldPrice
  if (command.price !== null && !(wanted > 0 && isOnGrid(row.instrument, wanted))) {
    return refuse(step.price, { reason: 'price_wrong_tick' })
  }
  const { side } = order
  const postOnly = command.postOnly ?? order.postOnly
  const adjusted = postOnlyPrice(row, { side, price: wanted, postOnly })
  if (!adjusted.ok && adjusted.refusal.reason !== 'post_only_reject') {
    return refuse(step.postOnly, adjusted.refusal)
  }
  const price = adjusted.ok ? adjusted.value : oldPrice
  const plan: EditPlan = { row, slot, amount, price, postOnly, cancels: !adjusted.ok }
  if (plan.cancels) return pass(plan)
  if (price !== oldPrice) {
    const outside = row.mark === 0 ? noMark : bandRefusal(exchange, row, { side, price })
    if (outside !== null) return refuse(step.priceBand, outside)
  }
  const account = ownerOf(exchange.slots, slot)
  const replaces = { lots: remaining, price: oldPrice }
  const entry: Entry = { row, account, side, price, bounded: true, lots: amount - filled, replaces }
  const funds = fundsRefusal(exchange, entry)
  if (funds !== null) return refuse(step.margin, funds)
  const overlap = selfMatchRefusal(exchange, entry)
  if (overlap !== null) return refuse(step.selfMatch, overlap)
  return pass(plan)
}

/** Changes the order, and matches it where its new price crosses. */
export function commitEdit(turn: Turn, command: EditOrder, plan: EditPlan): number {
  const { exchange } = turn
  const { row, slot, amount, price } = plan
  const order = orderAt(exchange, slot)
  const owner = holdingOfOrder(exchange, slot)
  const remaining = remainingOf(exchange.slots, slot)
  const rest = remaining + amount - order.amount
  if (plan.cancels) {
    leaveBook(turn, row, slot)
    emitOrder(turn, row, slot, {
      kind: 'order_cancelled',
      state: 'cancelled',
      rested: true,
      reason: 'edit_post_only_reject',
    })
    closeOrder(exchange, slot)
    refreshMargin(exchange, owner)
    return 1
  }
  order.amount = lots(amount)
  order.postOnly = plan.postOnly
  order.reduceOnly = command.reduceOnly ?? order.reduceOnly
  order.replaced = true
  const keepsPlace = price === priceOf(exchange.slots, slot) && rest <= remaining
  if (keepsPlace) {
    if (rest < remaining) shrinkInBook(turn, row, { slot, lots: remaining - rest })
    emitOrder(turn, row, slot, { kind: 'order_edited', state: 'open', rested: true, reason: null })
    refreshMargin(exchange, owner)
    return 1
  }
  leaveBook(turn, row, slot)
  setSlot(exchange.slots, slot, { price, remaining: rest })
  emitOrder(turn, row, slot, { kind: 'order_edited', state: 'open', rested: true, reason: null })
  matchOrder(turn, row, slot)
  if (remainingOf(exchange.slots, slot) === rest) {
    enterBook(turn, row, slot)
    refreshMargin(exchange, owner)
  } else {
    settleTaker(turn, row, { slot, amountBefore: rest, placed: false })
  }
  return 1
}

/** Without a mark there is no band to hold a new price against (C23: 10040). */
const noMark = { reason: 'retry' } as const
