/**
 * Follow-up work of a command, which runs after the command: trigger orders that fired, and secondaries that are due,
 * including those that this work causes. First in, first out; each item is a command of the engine at the same time,
 * with the cause of the command that queued it (C06). The work ends, because each item uses up a waiting order or a
 * part of one.
 *
 * Rule: order.activation, order.secondary. Source: trading.md 6.13 (C31d, f, i), 6.14 (C32e, f).
 */

import { NO_SLOT, ownerOf, priceOf, remainingOf, setSlot } from '../../book/index.ts'
import { assert, divFloor, type Lots, lots, mulDivFloor, type OrderId, type Ticks, ticks } from '../../core/index.ts'
import {
  entryTypeOf,
  isTrailing,
  isTriggerType,
  NO_ORDER,
  type OrderTerms,
  type Refusal,
  type RejectionReason,
  refusals,
  validationStep,
} from '../../model/index.ts'
import {
  type CheckResult,
  closeOrder,
  type Exchange,
  emitOrder,
  holdingOfOrder,
  type OrderLink,
  orderAt,
  orderSlotOf,
  pass,
  stateOf,
  successorSession,
  type Turn,
  type Work,
} from '../state/index.ts'
import { settleMarks } from '../value/index.ts'
import { candidateEntry, liveCandidate, type Placed, placedCandidate } from './candidate.ts'
import { announce, createOrder, newLink, waitingPrice } from './creation.ts'
import type { Entry } from './dry-run.ts'
import { endOrder, partWays, rejectOrder } from './ending.ts'
import { sendOrder } from './entering.ts'
import { successorExtras } from './mmp-checks.ts'
import { displayOf } from './order-checks.ts'
import { countOpen, leaveBook } from './resting.ts'
import { admit } from './steps.ts'

/** Runs all queued work, including the work that it queues. */
export function drainWork(turn: Turn): void {
  const { work } = turn.exchange
  if (work.length === 0) return
  for (let at = 0; at < work.length; at += 1) {
    const item = work[at]
    if (item?.kind === 'activate') activate(turn, item.order)
    else if (item !== undefined) placeSecondary(turn, item)
    // The work may have made the first book of an option, and its new mark may trigger more.
    if (at === work.length - 1) settleMarks(turn)
  }
  work.length = 0
}

/** Enters a fired trigger order into its book, or rejects it. */
function activate(turn: Turn, id: OrderId): void {
  const { exchange } = turn
  const slot = orderSlotOf(exchange, id)
  if (slot === NO_SLOT) return
  const order = orderAt(exchange, slot)
  assert(order.stage === 'fired', 'an activated trigger has fired')
  const { row } = holdingOfOrder(exchange, slot)
  const account = ownerOf(exchange.slots, slot)
  const terms = termsOf(exchange, slot)
  const linked = order.link === null ? null : order
  const result = checkEntry(exchange, {
    row,
    account,
    terms,
    display: order.display,
    linked,
    // Its size was checked when it was placed, and may have been reduced since.
    isPart: true,
    session: successorSession(exchange, order.session, order.created),
    extras: null,
  })
  if (!result.ok) {
    rejectOrder(turn, slot, wordOf(result.fault.refusal))
    return
  }
  const { link } = order
  const display = displayOf(order.amount, order.display)
  const entering = createOrder(exchange, {
    row,
    account,
    terms,
    display,
    link,
    triggeredBy: id,
    stage: 'entering',
    price: result.plan.price,
    session: successorSession(exchange, order.session, order.created),
    extras: successorExtras(order),
  })
  if (link !== null) passLinks(exchange, link, orderAt(exchange, entering).id)
  becomes(turn, slot, orderAt(exchange, entering).id)
  announce(turn, row, entering)
  sendOrder(turn, row, entering, 'placed')
}

/** Replaces a fired order by its successor in all links of other orders. */
function passLinks(exchange: Exchange, link: OrderLink, successor: OrderId): void {
  const partner = orderSlotOf(exchange, link.partner)
  const other = partner === NO_SLOT ? null : orderAt(exchange, partner).link
  if (other !== null) other.partner = successor
  for (const id of link.secondaries) {
    const slot = orderSlotOf(exchange, id)
    const own = slot === NO_SLOT ? null : orderAt(exchange, slot).link
    if (own !== null) own.primary = successor
  }
  const origin = orderSlotOf(exchange, link.origin)
  const secondary = origin === NO_SLOT ? null : orderAt(exchange, origin).link
  if (secondary !== null) secondary.placedAs = successor
}

/** Ends a waiting order that became another order, which takes over its links. Events: `order` triggered. */
function becomes(turn: Turn, slot: number, successor: OrderId): void {
  const { row } = holdingOfOrder(turn.exchange, slot)
  emitOrder(turn, row, slot, {
    change: 'triggered',
    state: 'triggered',
    rested: false,
    reason: null,
    successor,
  })
  closeOrder(turn.exchange, slot)
}

/** Work that places a secondary order. */
type SecondaryWork = Extract<Work, { readonly kind: 'place_secondary' }>

/** Places the part of a secondary that the fills of its primary require. */
function placeSecondary(turn: Turn, item: SecondaryWork): void {
  const slot = orderSlotOf(turn.exchange, item.secondary)
  if (slot === NO_SLOT) return
  const order = orderAt(turn.exchange, slot)
  const { link } = order
  assert(link !== null && order.stage === 'dormant', 'a secondary order waits for its primary')
  link.turns -= 1
  const isAll = link.condition !== 'incremental' || item.filled === item.amount
  const target = isAll ? order.amount : mulDivFloor(order.amount, item.filled, item.amount)
  const more = target - link.placed
  if (more > 0) placePart(turn, slot, { more, isAll, link, filled: item.filled })
  const left = orderSlotOf(turn.exchange, item.secondary)
  if (left === NO_SLOT || link.turns > 0 || !(link.ends || isAll)) return
  // It ends because of its primary, and does not end orders that were placed for it.
  partWays(turn.exchange, item.secondary, link)
  endOrder(turn, left, 'oto_primary_closed')
}

/** The size of a secondary to place, and whether it is the last part. */
interface Part {
  readonly more: number
  readonly isAll: boolean
  readonly link: OrderLink
  /** Filled size of the primary when this part is due. */
  readonly filled: Lots
}

function placePart(turn: Turn, slot: number, part: Part): void {
  part.link.placed = lots(part.link.placed + part.more)
  const rival = orderSlotOf(turn.exchange, part.link.partner)
  // The partner's part for the same fill was placed first and has ended, which ends this part too.
  const isOver = rival === NO_SLOT && part.link.partner !== NO_ORDER && part.link.siblingTurn === part.filled
  if (isOver) {
    if (part.isAll) endOrder(turn, slot, 'oco_other_closed')
    return
  }
  const placed = orderSlotOf(turn.exchange, part.link.placedAs)
  if (placed === NO_SLOT) placeAnew(turn, slot, part)
  else raisePart(turn, slot, { ...part, placed })
}

/** Places an order for a part of a secondary, with all checks of a placement (C32f). */
function placeAnew(turn: Turn, slot: number, { more, isAll, link, filled }: Part): void {
  const { exchange } = turn
  const order = orderAt(exchange, slot)
  const { row } = holdingOfOrder(exchange, slot)
  const account = ownerOf(exchange.slots, slot)
  const terms = { ...termsOf(exchange, slot), amount: lots(more) }
  const display = displayOf(more, order.display)
  // A part has its own links, on which no fill has acted yet.
  const linked = link.condition === 'incremental' ? null : order
  const session = successorSession(exchange, order.session, order.created)
  // The order that replaces a secondary takes its place among the trigger orders, so it is already counted.
  const placed = {
    row,
    account,
    terms,
    display,
    linked,
    isPart: true,
    isCounted: isAll,
    session,
    extras: null,
  }
  const result: CheckResult<Entry | null> = isTriggerType(order.type)
    ? checkWaiting(exchange, placed)
    : checkEntry(exchange, placed)
  if (!result.ok) {
    rejectOrder(turn, slot, wordOf(result.fault.refusal))
    return
  }
  const entry = result.plan
  const made = createOrder(exchange, {
    row,
    account,
    terms,
    display,
    triggeredBy: NO_ORDER,
    session,
    extras: successorExtras(order),
    link: newLink({ condition: link.condition, pair: link.pair, primary: link.primary, origin: order.id }),
    stage: entry === null ? 'untriggered' : 'entering',
    price: entry === null ? waitingPrice(order.type, terms.price) : entry.price,
  })
  const { id } = orderAt(exchange, made)
  link.placedAs = id
  linkPlaced(exchange, link, made)
  updateSibling(exchange, link, id, filled)
  if (isAll) becomes(turn, slot, id)
  announce(turn, row, made)
  if (entry !== null) sendOrder(turn, row, made, 'placed')
}

/**
 * Links the order placed for one of two secondaries to the order placed for the other, or to the other secondary
 * itself.
 */
function linkPlaced(exchange: Exchange, link: OrderLink, made: number): void {
  const { id, link: own } = orderAt(exchange, made)
  const rival = orderSlotOf(exchange, link.partner)
  if (own === null || rival === NO_SLOT) return
  const other = orderAt(exchange, rival)
  assert(other.link !== null, 'a linked order has a partner')
  own.partner = other.id
  other.link.partner = id
  const placed = other.stage === 'dormant' ? orderSlotOf(exchange, other.link.placedAs) : NO_SLOT
  const placedLink = placed === NO_SLOT ? null : orderAt(exchange, placed).link
  if (placedLink === null) return
  own.partner = other.link.placedAs
  placedLink.partner = id
}

/** Records in the dormant partner which order was placed, and at which fill. */
function updateSibling(exchange: Exchange, link: OrderLink, id: OrderId, filled: Lots): void {
  const slot = orderSlotOf(exchange, link.sibling)
  const other = slot === NO_SLOT ? null : orderAt(exchange, slot).link
  if (other === null) return
  other.partner = id
  other.siblingTurn = filled
}

/** A part with the lots that are already placed. */
interface PlacedPart extends Part {
  readonly placed: number
}

/** Increases the order placed for a secondary by another part. The order loses its place in the queue (C32e). */
function raisePart(turn: Turn, slot: number, part: PlacedPart): void {
  const { more, isAll, placed, link, filled } = part
  const { slots } = turn.exchange
  const order = orderAt(turn.exchange, placed)
  const { row } = holdingOfOrder(turn.exchange, placed)
  const before = remainingOf(slots, placed)
  const price = ticks(priceOf(slots, placed))
  const isResting = order.stage === 'resting'
  const waits = order.stage === 'bumped'
  const raised = liveCandidate(turn.exchange, 'move', { slot: placed, rest: before + more, price })
  const result = isResting || waits ? admit(turn.exchange, raised) : pass(null)
  if (!result.ok) {
    rejectOrder(turn, slot, wordOf(result.fault.refusal))
    return
  }
  updateSibling(turn.exchange, link, order.id, filled)
  if (isAll) becomes(turn, slot, order.id)
  if (isResting) leaveBook(turn, row, placed)
  order.amount = lots(order.amount + more)
  if (waits) countOpen(turn.exchange, row, placed, before, before + more)
  setSlot(slots, placed, price, before + more)
  if (isResting) order.stage = 'entering'
  emitOrder(turn, row, placed, {
    change: 'resized',
    state: stateOf(order),
    rested: isResting,
    reason: 'linked_order',
  })
  if (isResting) sendOrder(turn, row, placed, 'edited')
}

/** Terms with which a waiting order would enter. */
function termsOf(exchange: Exchange, slot: number): OrderTerms {
  const order = orderAt(exchange, slot)
  const { row } = holdingOfOrder(exchange, slot)
  const { side, type, timeInForce, amount, label, postOnly, reduceOnly, trigger } = order
  const isLimit = entryTypeOf(type) === 'limit'
  const { tick9 } = row.instrument
  const ticksOf = (price: number): Ticks => ticks(divFloor(price, tick9))
  const follows = isTrailing(type)
  return {
    side,
    type,
    timeInForce,
    amount,
    label,
    postOnly,
    reduceOnly,
    price: isLimit ? ticks(priceOf(exchange.slots, slot)) : null,
    advanced: order.advanced,
    trigger:
      trigger === null
        ? null
        : {
            source: trigger.source,
            price: follows ? null : ticksOf(trigger.waiting.price),
            offset: follows ? ticksOf(trigger.waiting.offset) : null,
          },
  }
}

/** The reason why a due order was refused, in the words of its history (C19). */
function wordOf({ reason }: Refusal): RejectionReason {
  const { history } = refusals[reason]
  assert(history !== null, `a waiting order passed all checks when it was placed, found ${reason}`)
  return history
}

/**
 * Admission of orders that are not live yet: placements, trigger orders that fire, and secondaries that are due. The
 * checks are the steps of `steps.ts`.
 *
 * Source: trading.md 6.2 (C20), 6.13 (C31), 4.1 (C09), C07.
 */

/** Checks an order that enters a book now. */
export function checkEntry(exchange: Exchange, placed: Placed): CheckResult<Entry> {
  const found = admit(exchange, placedCandidate('enter', placed))
  return found.ok ? pass(candidateEntry(exchange, found.plan)) : found
}

/** Checks only the steps before margin: the terms of the order, its book and its account. */
export function checkTerms(exchange: Exchange, placed: Placed): CheckResult<Entry> {
  const candidate = placedCandidate('enter', placed)
  const found = admit(exchange, candidate, validationStep.mmp)
  return found.ok ? pass(candidateEntry(exchange, found.plan)) : found
}

/**
 * Checks an order that waits for a price. It holds no margin while it waits; the remaining checks follow when it fires.
 */
export function checkWaiting(exchange: Exchange, placed: Placed): CheckResult<null> {
  const found = admit(exchange, placedCandidate('wait', placed))
  return found.ok ? pass(null) : found
}

/** Checks an order that is placed later: only its size, its price and its trigger. */
export function checkDormant(exchange: Exchange, placed: Placed): CheckResult<null> {
  const found = admit(exchange, placedCandidate('sleep', placed))
  return found.ok ? pass(null) : found
}
