/**
 * Effects of a fill on linked orders: it cancels or cuts the filled order's partner, and queues the placement of its
 * secondaries.
 *
 * Rule: order.one-cancels-other, order.one-triggers-other. Source: trading.md 6.14 (C32), C06 step 2.
 * Assumed: the fill condition of a request applies to every link that it creates, also to the link of two secondaries
 * of which one cancels the other.
 */
import { NO_SLOT, priceOf, remainingOf, setHidden, setSlot } from '../../book/index.ts'
import { lots, mulDivFloor } from '../../core/index.ts'
import type { ResizeReason } from '../../model/index.ts'
import {
  emitOrder,
  holdingOfOrder,
  type LiveOrder,
  type OrderLink,
  orderAt,
  orderSlotOf,
  stateOf,
  type Turn,
} from '../state/index.ts'
import { recomputeMargin } from '../value/index.ts'
import { endPartner } from './ending.ts'
import { countOpen, cutInBook } from './resting.ts'

/** Updates the orders linked to an order that was just filled by `filledNow` lots. */
export function followFill(turn: Turn, slot: number, filledNow: number): void {
  const order = orderAt(turn.exchange, slot)
  const { link } = order
  if (link === null) return
  const remaining = remainingOf(turn.exchange.slots, slot)
  const filled = order.amount - remaining
  const partner = orderSlotOf(turn.exchange, link.partner)
  if (partner !== NO_SLOT) fillActsOnPartner(turn, partner, { order, link, filled, remaining })
  if (link.secondaries.length === 0) return
  const due =
    link.condition === 'incremental' || (link.condition === 'first_hit' ? filled === filledNow : remaining === 0)
  if (due) bringTurns(turn, order, link, filled)
}

/** Reduces a live order in any stage to a remaining size, its hidden size first. Events: `order` resized. */
export function cutOrderTo(turn: Turn, slot: number, remaining: number, reason: ResizeReason): void {
  const { slots } = turn.exchange
  const owner = holdingOfOrder(turn.exchange, slot)
  const order = orderAt(turn.exchange, slot)
  const before = remainingOf(slots, slot)
  const off = before - remaining
  const { stage } = order
  if (stage === 'resting') {
    cutInBook(turn, owner.row, slot, off)
  } else {
    if (stage === 'emptied' || stage === 'routed' || stage === 'bumped') {
      countOpen(turn.exchange, owner.row, slot, before, remaining)
    }
    setSlot(slots, slot, priceOf(slots, slot), remaining)
    if (stage === 'emptied') setHidden(slots, slot, remaining)
  }
  order.amount = lots(order.amount - off)
  const rested = stage === 'resting' || stage === 'emptied'
  const state = stateOf(order)
  emitOrder(turn, owner.row, slot, { change: 'resized', state, rested, reason })
  recomputeMargin(turn.exchange, owner)
}

/** A fill of a linked order; sizes in lots. */
interface LinkedFill {
  readonly order: LiveOrder
  readonly link: OrderLink
  readonly filled: number
  readonly remaining: number
}

function fillActsOnPartner(turn: Turn, partner: number, by: LinkedFill): void {
  const { order, link, filled, remaining } = by
  // The other side of the same fill may be the partner. A completely filled partner closes by itself.
  if (remainingOf(turn.exchange.slots, partner) === 0) return
  if (link.condition === 'first_hit' || remaining === 0) {
    endPartner(turn, partner, { id: order.id, link, isDormant: false, reason: null })
    return
  }
  const other = orderAt(turn.exchange, partner)
  if (link.condition === 'complete_fill' || other.link === null || other.stage === 'dormant') return
  const target = mulDivFloor(other.amount + other.link.cut, filled, order.amount + link.cut)
  const more = target - other.link.cut
  if (more <= 0) return
  const rest = remainingOf(turn.exchange.slots, partner) - more
  if (rest <= 0) {
    endPartner(turn, partner, { id: order.id, link, isDormant: false, reason: null })
    return
  }
  other.link.cut = lots(target)
  cutOrderTo(turn, partner, rest, 'linked_order')
}

/** Queues the placement of each secondary, after the command, in the order of the request (C32i). */
function bringTurns({ exchange }: Turn, primary: LiveOrder, link: OrderLink, filled: number): void {
  for (const id of link.secondaries) {
    const slot = orderSlotOf(exchange, id)
    if (slot === NO_SLOT) continue
    const secondary = orderAt(exchange, slot).link
    if (secondary === null) continue
    secondary.turns += 1
    exchange.work.push({
      kind: 'place_secondary',
      secondary: id,
      filled: lots(filled),
      amount: primary.amount,
    })
  }
}
