/**
 * Ends live orders before they are filled, in any stage, together with the orders that depend on them: the partner if
 * one cancels the other, and secondaries of a primary that ended.
 *
 * Rule: order.links-close. Source: trading.md 5.1 (cancel reasons), 6.14 (C32).
 */
import { NO_SLOT, remainingOf, removeTrigger } from '../../book/index.ts'
import { assert, cancel, defined } from '../../core/index.ts'
import { type CancelReason, NO_ORDER, type RejectionReason } from '../../model/index.ts'
import {
  amountAt,
  type Bump,
  closeOrder,
  type Exchange,
  emitOrder,
  holdingOfOrder,
  holdsOrder,
  type InstrumentRow,
  idAt,
  type LiveOrder,
  linkAt,
  type OrderLink,
  orderAt,
  orderSlotOf,
  stageAt,
  type Turn,
} from '../state/index.ts'
import { recomputeMargin, refreshMargin } from '../value/index.ts'
import { countOpen, leaveBook, stopReducing } from './resting.ts'
import { answerHeld, emitBump, takeWaiting } from './waiting.ts'

/** Cancels a live order and ends the orders that depend on it. Events: `order` cancelled of each. */
export function endOrder(turn: Turn, slot: number, reason: CancelReason): void {
  const { exchange } = turn
  const owner = holdingOfOrder(exchange, slot)
  const id = idAt(exchange.orders, slot)
  const stage = stageAt(exchange.orders, slot)
  const link = linkAt(exchange.orders, slot)
  const rested = stage === 'resting' || stage === 'emptied'
  // Its fills changed a position, which a liquidation round may have to check.
  const hasTraded = amountAt(exchange.orders, slot) !== remainingOf(exchange.slots, slot)
  const waited = leaveStage(turn, owner.row, slot)
  emitOrder(turn, owner.row, slot, { change: 'cancelled', state: 'cancelled', rested, reason })
  closeOrder(exchange, slot)
  if (hasTraded) refreshMargin(exchange, owner)
  else recomputeMargin(exchange, owner)
  if (waited !== null) answerHeld(turn, waited.held)
  if (link !== null) endLinked(turn, { id, isDormant: stage === 'dormant', reason }, link)
}

/** Rejects a waiting order when it is due. Its partner stays, without a partner (C32d); its own secondaries end. */
export function rejectOrder(turn: Turn, slot: number, reason: RejectionReason): void {
  const { row } = holdingOfOrder(turn.exchange, slot)
  const { id, link, stage } = orderAt(turn.exchange, slot)
  if (link !== null) partWays(turn.exchange, id, link)
  const state = 'rejected'
  emitOrder(turn, row, slot, { change: 'rejected', state, rested: false, reason })
  closeOrder(turn.exchange, slot)
  if (link !== null) endLinked(turn, { id, isDormant: stage === 'dormant', reason: null }, link)
}

/** Removes a live order from its stage. Returns its wait if it was behind the speed bump. */
function leaveStage(turn: Turn, row: InstrumentRow, slot: number): Bump | null {
  if (stageAt(turn.exchange.orders, slot) !== 'resting') return leaveOther(turn, row, slot)
  leaveBook(turn, row, slot)
  return null
}

/** Removes an order that is in no book from its stage. */
function leaveOther(turn: Turn, row: InstrumentRow, slot: number): Bump | null {
  const order = orderAt(turn.exchange, slot)
  switch (order.stage) {
    case 'bumped': {
      const bump = takeWaiting(turn.exchange, order.id)
      emitBump(turn, slot, bump, 'withdrawn')
      leaveWithoutBook(turn.exchange, row, slot)
      return bump
    }
    case 'emptied':
    case 'routed':
      leaveWithoutBook(turn.exchange, row, slot)
      return null
    case 'untriggered': {
      assert(order.trigger !== null, 'an untriggered order has a trigger')
      removeTrigger(row.triggers[order.trigger.source], order.trigger.waiting)
      return null
    }
    case 'resting':
    case 'entering':
    case 'waiting':
    case 'fired':
    case 'dormant':
      return null
  }
}

/** Removes an order from the open orders that margin counts, if it is in no queue of a book. */
export function leaveWithoutBook(exchange: Exchange, row: InstrumentRow, slot: number): void {
  const order = orderAt(exchange, slot)
  countOpen(exchange, row, slot, remainingOf(exchange.slots, slot), 0)
  if (order.stage === 'routed') stopArrival(exchange, order)
  else if (order.reduceOnly && order.stage === 'emptied') stopReducing(exchange, slot)
}

/** Cancels the arrival of an order that is no longer on its way. */
function stopArrival(exchange: Exchange, { id }: LiveOrder): void {
  const timer = defined(exchange.arrivals.get(id), 'a delayed order has a timer')
  exchange.arrivals.delete(id)
  // The timer is already gone if the order's arrival ended its way.
  cancel(exchange.timers, timer)
}

/** Unlinks an order and its partner. */
export function partWays(exchange: Exchange, id: number, link: OrderLink): void {
  for (const other of [link.partner, link.sibling]) {
    const slot = orderSlotOf(exchange, other)
    const own = slot === NO_SLOT ? null : orderAt(exchange, slot).link
    if (own === null) continue
    if (own.partner === id) own.partner = NO_ORDER
    if (own.sibling === id) own.sibling = NO_ORDER
  }
  link.partner = NO_ORDER
  link.sibling = NO_ORDER
}

/** An order that closed. */
interface EndedOrder {
  readonly id: number
  readonly isDormant: boolean
  /** Null if it was filled or refused. */
  readonly reason: CancelReason | null
}

/**
 * The reason why an order ends that is linked to a closed one. After `expiry` the linked order has the same reason, so
 * that reasons do not depend on the order in which linked orders are found (S095).
 */
function linkedReason({ reason }: Pick<EndedOrder, 'reason'>, usual: CancelReason): CancelReason {
  return reason === 'expiry' ? reason : usual
}

/** Ends the orders that depend on a closed order: its partner, and secondaries that will no longer be placed. */
function endLinked(turn: Turn, ended: EndedOrder, link: OrderLink): void {
  const { exchange } = turn
  const sibling = orderSlotOf(exchange, link.sibling)
  const partner = sibling === NO_SLOT ? orderSlotOf(exchange, link.partner) : sibling
  if (partner !== NO_SLOT) endPartner(turn, partner, { ...ended, link })
  const secondaries = link.secondaries.filter((id) => orderSlotOf(exchange, id) !== NO_SLOT)
  // Secondaries end because of their primary, not because of each other.
  for (const id of secondaries) {
    const own = orderAt(exchange, orderSlotOf(exchange, id)).link
    if (own !== null && own.turns === 0) partWays(exchange, id, own)
  }
  for (const id of secondaries) {
    const slot = orderSlotOf(exchange, id)
    if (slot === NO_SLOT) continue
    const own = orderAt(exchange, slot).link
    assert(own !== null, 'a secondary order is linked')
    if (own.turns === 0) endOrder(turn, slot, linkedReason(ended, 'oto_primary_closed'))
    else own.ends = true
  }
}

/** An ended order with a link. */
interface EndedLinked extends EndedOrder {
  readonly link: OrderLink
}

/**
 * Rule: order.one-cancels-other. One of two partners closed, so the other ends. With the condition `incremental` a
 * secondary is placed in parts, so a closed part does not end the parts that are still to come.
 */
export function endPartner(turn: Turn, slot: number, by: EndedLinked): void {
  const partner = orderAt(turn.exchange, slot)
  if (by.link.condition === 'incremental' && partner.stage === 'dormant' && !by.isDormant) {
    by.link.partner = NO_ORDER
    return
  }
  partWays(turn.exchange, by.id, by.link)
  // A dormant order that ends with its partner keeps alive what was placed for the filled part of the primary.
  if (by.isDormant && partner.link !== null) partWays(turn.exchange, partner.id, partner.link)
  // An order that the same fill completed closes by itself.
  if (remainingOf(turn.exchange.slots, slot) > 0) endOrder(turn, slot, linkedReason(by, 'oco_other_closed'))
}

/** True if a slot still has the same order. Fills may end orders. */
export function isStill(exchange: Exchange, slot: number, id: number): boolean {
  return holdsOrder(exchange.orders, slot, id)
}
