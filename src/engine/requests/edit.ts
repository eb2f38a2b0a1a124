/**
 * Editing a live order. A smaller amount at the same price keeps the place in the queue. A larger amount, another price
 * or a larger visible part loses it. A price that crosses matches immediately (C28). An order that waits for a price or
 * a fill is changed and continues to wait.
 *
 * Rule: order.edit-priority. Source: trading.md 4.2, 6.7, 6.8, 6.10, 6.13, C07, C10, C24, C28, C31.
 */

import {
  addTrigger,
  NO_SLOT,
  priceOf,
  remainingOf,
  removeTrigger,
  setSlot,
  setTriggerOffset,
  setTriggerPrice,
  shownOf,
} from '../../book/index.ts'
import { assert, lots, type Ticks, ticks } from '../../core/index.ts'
import { type EditOrder, entryTypeOf, isTrailing, type TriggerTerms } from '../../model/index.ts'
import {
  admit,
  admitRequest,
  cutInBook,
  displayOf,
  type EditAsked,
  type EditPlan,
  endOrder,
  hideInBook,
  isStill,
  leaveBook,
  leaveWithoutBook,
  liveCandidate,
  price9Of,
  reallocate,
  resendOrder,
  sendOrder,
  setReduceOnly,
  switchedExtras,
  takeWaiting,
  termsBefore,
} from '../market/index.ts'
import {
  type CheckResult,
  type Exchange,
  emitOrder,
  holdingOfOrder,
  type InstrumentRow,
  idAt,
  instrumentOf,
  type LiveOrder,
  type OrderTermsBefore,
  orderAt,
  pass,
  stageAt,
  stateOf,
  type Turn,
} from '../state/index.ts'
import { advancedTicks, recomputeMargin } from '../value/index.ts'
import { type Handlers, seal } from './handler.ts'

/** Checks an edit; only reads. */
function checkEdit(exchange: Exchange, command: EditOrder): CheckResult<EditPlan> {
  const asked: EditAsked = { command, slot: NO_SLOT }
  const fault = admitRequest(exchange, 'edit', asked)
  if (fault !== null) return { ok: false, fault }
  const { slot } = asked
  const order = orderAt(exchange, slot)
  const row = instrumentOf(exchange, slot)
  const filled = order.amount - remainingOf(exchange.slots, slot)
  const amount = command.amount ?? order.amount
  const shown = command.display ?? order.display
  const waits = stateOf(order) === 'untriggered'
  const candidate = liveCandidate(exchange, waits ? 'edit_waiting' : 'edit', {
    slot,
    rest: amount - filled,
    price: editedPrice(exchange, row, slot, command),
    session: command.session,
    limit: command.price,
    advanced: command.advanced,
    trigger: editedTrigger(order, command),
    display: shown,
    postOnly: command.postOnly ?? order.postOnly,
    reduceOnly: command.reduceOnly ?? order.reduceOnly,
    isRequest: true,
    mmp: command.mmp,
  })
  const found = admit(exchange, candidate)
  if (!found.ok) return found
  return pass({
    row,
    slot,
    amount,
    display: displayOf(amount, shown),
    showsMore: order.display > 0 && (shown === 0 || shown > order.display),
    price: candidate.price,
    advanced: command.advanced ?? order.advanced,
    postOnly: candidate.postOnly,
    reduceOnly: candidate.reduceOnly,
    cancels: candidate.postOnlyRefusal !== null,
    waits,
    mmp: command.mmp,
  })
}

/** The new trigger of a trigger order; null if the edit keeps it. */
function editedTrigger({ type, trigger }: LiveOrder, command: EditOrder): TriggerTerms | null {
  if (trigger === null) return null
  if (isTrailing(type))
    return command.triggerOffset === null
      ? null
      : { source: trigger.source, price: null, offset: command.triggerOffset }
  return command.triggerPrice === null ? null : { source: trigger.source, price: command.triggerPrice, offset: null }
}

/** The new price in ticks; for an advanced order, the price that follows from its new terms. */
function editedPrice(exchange: Exchange, row: InstrumentRow, slot: number, command: EditOrder): Ticks {
  const before = ticks(priceOf(exchange.slots, slot))
  const { side } = orderAt(exchange, slot)
  if (command.advanced === null) return command.price ?? before
  return advancedTicks(exchange, row, side, command.advanced) ?? before
}

/** Changes the order, and matches it if its new price crosses. */
export function commitEdit(turn: Turn, command: EditOrder, plan: EditPlan): number {
  const { exchange } = turn
  const { row, slot, amount } = plan
  const id = idAt(exchange.orders, slot)
  if (plan.cancels) {
    endOrder(turn, slot, 'edit_post_only_reject')
    assert(!isStill(exchange, slot, id), 'an edit that post-only rejects ends the order')
    return 1
  }
  const order = orderAt(exchange, slot)
  const before = row.instrument.speedBump > 0 ? termsBefore(exchange, slot) : null
  order.postOnly = plan.postOnly
  order.replaced = true
  order.autoReplaced = false
  order.advanced = plan.advanced
  if (plan.mmp !== null) {
    order.extras = switchedExtras(exchange, slot, row, command.account, plan.mmp)
  }
  if (plan.waits) {
    commitEditWaiting(turn, command, plan)
    return 1
  }
  setReduceOnly(turn, row, slot, plan.reduceOnly)
  const remaining = remainingOf(exchange.slots, slot)
  const rest = remaining + amount - order.amount
  assert(rest > 0, 'an edit leaves a remaining size')
  const keepsPlace = keepsPlaceAt(exchange, plan, rest)
  if (order.stage === 'routed' || order.stage === 'bumped' || !keepsPlace) {
    order.validUntil = command.validUntil
    moveOrder(turn, plan, rest, before)
    const isInPlace = stageAt(exchange.orders, slot) !== 'entering' || !isStill(exchange, slot, id)
    assert(isInPlace, 'an order that an edit moved rests, waits or has ended')
    return 1
  }
  // The visible part keeps its place: the cut size and the newly hidden size come from behind it.
  if (rest < remaining) cutInBook(turn, row, slot, remaining - rest)
  const shown = shownOf(exchange.slots, slot)
  if (plan.display > 0 && shown > plan.display) {
    hideInBook(turn, row, slot, shown - plan.display)
  }
  order.amount = amount
  order.display = plan.display
  const left = remainingOf(exchange.slots, slot)
  assert(left === rest, 'an order that keeps its place has the remaining size of the edit')
  emitEdited(turn, row, slot, true)
  const owner = holdingOfOrder(exchange, slot)
  recomputeMargin(exchange, owner)
  if (order.reduceOnly) reallocate(turn, owner, NO_SLOT)
  return 1
}

/**
 * True if an edited order keeps its place: the same price, no larger size, and no hidden size that becomes visible
 * (C28).
 */
function keepsPlaceAt(exchange: Exchange, plan: EditPlan, rest: number): boolean {
  const { slots } = exchange
  if (plan.price !== priceOf(slots, plan.slot) || rest > remainingOf(slots, plan.slot) || plan.showsMore) return false
  return plan.display > 0 || rest <= shownOf(slots, plan.slot)
}

/** The new place and terms of an order that moves. */
type Move = Pick<EditPlan, 'row' | 'slot' | 'amount' | 'display' | 'price'>

/**
 * Takes the order out of its place and lets it enter with its new terms. `before` contains its terms before the move,
 * for instruments with a speed bump.
 */
export function moveOrder(turn: Turn, plan: Move, rest: number, before: OrderTermsBefore | null): void {
  const { row, slot, price } = plan
  const order = orderAt(turn.exchange, slot)
  const rested = order.stage === 'resting'
  const waited = order.stage === 'bumped' ? takeWaiting(turn.exchange, order.id) : null
  if (rested) leaveBook(turn, row, slot)
  else leaveWithoutBook(turn.exchange, row, slot)
  order.stage = 'entering'
  order.amount = plan.amount
  order.display = plan.display
  setSlot(turn.exchange.slots, slot, price, rest)
  emitEdited(turn, row, slot, rested)
  if (before === null && waited === null) sendOrder(turn, row, slot, 'edited')
  else resendOrder(turn, row, slot, before, waited)
}

/** Emits an edit of an order. */
export function emitEdited(turn: Turn, row: InstrumentRow, slot: number, rested: boolean): void {
  emitOrder(turn, row, slot, { change: 'edited', state: 'open', rested, reason: null })
}

export const editHandlers: Handlers<'edit_order'> = {
  edit_order: seal({ check: checkEdit, commit: commitEdit }),
}

/**
 * Edits an order that waits for a price or a fill. Fields that the request omits do not change, nor does the best price
 * seen by a trailing stop. Bands, margin and the account's other orders are checked when the order enters the book.
 *
 * Source: trading.md 4.2, 6.13 (C31), 6.14 (C32g).
 */

/** Changes a waiting order. Events: `order` edited. */
function commitEditWaiting(turn: Turn, command: EditOrder, plan: EditPlan): void {
  const order = orderAt(turn.exchange, plan.slot)
  order.reduceOnly = plan.reduceOnly
  order.display = plan.display
  const remaining = remainingOf(turn.exchange.slots, plan.slot) + plan.amount - order.amount
  assert(order.stage !== 'resting', 'an untriggered order is in no book')
  assert(remaining > 0, 'an edit of a waiting order leaves a remaining size')
  order.amount = lots(plan.amount)
  const price = entryTypeOf(order.type) === 'limit' ? plan.price : 0
  setSlot(turn.exchange.slots, plan.slot, price, remaining)
  changeTrigger(plan.row, command, order)
  emitOrder(turn, plan.row, plan.slot, {
    change: 'edited',
    state: 'untriggered',
    rested: false,
    reason: null,
  })
}

function changeTrigger(row: InstrumentRow, command: EditOrder, { type, stage, trigger }: LiveOrder): void {
  const follows = isTrailing(type)
  const changed = follows ? command.triggerOffset : command.triggerPrice
  if (trigger === null || changed === null) return
  assert(stage !== 'fired', 'a fired trigger places its order before the next command')
  const book = stage === 'untriggered' ? row.triggers[trigger.source] : null
  if (book !== null) removeTrigger(book, trigger.waiting)
  const price9 = price9Of(row, changed)
  if (follows) setTriggerOffset(trigger.waiting, price9)
  else setTriggerPrice(trigger.waiting, price9)
  if (book !== null) addTrigger(book, trigger.waiting)
}
