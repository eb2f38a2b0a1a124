/**
 * Editing a live order. A smaller amount at the same price keeps the place in the queue; a larger one,
 * another price or a larger visible part loses it, and a price that crosses matches at once (C28). An
 * order that waits for a price or a fill is changed where it waits.
 *
 * Rule: order.edit-priority. Source: trading.md 4.2, 6.7, 6.8, 6.10, 6.13, C07, C10, C24, C28, C31.
 */
import { NO_SLOT, ownerOf, priceOf, remainingOf, setSlot, shownOf } from '../../book/index.ts'
import { type Ticks, ticks } from '../../core/index.ts'
import { type EditOrder, isOnGrid, NO_ORDER, originOf, validationStep } from '../../model/index.ts'
import {
  accountRefusal,
  allocation,
  bandRefusal,
  bumpRefusal,
  cutInBook,
  displayOf,
  type Entry,
  endOrder,
  fundsRefusal,
  hideInBook,
  icebergRefusal,
  leaveBook,
  leaveWithoutBook,
  lockRefusal,
  mayBePrice,
  mmpEditRefusal,
  noMark,
  postOnlyPrice,
  reallocate,
  reduceOnlyRefusal,
  resendOrder,
  riskRefusal,
  selfMatchRefusal,
  sendOrder,
  setReduceOnly,
  sizeRefusal,
  stateRefusal,
  switchedExtras,
  takeWaiting,
  termsBefore,
  waitingAt,
  wouldWait,
} from '../market/index.ts'
import {
  type Exchange,
  emitOrder,
  holdingOfOrder,
  type InstrumentRow,
  instrumentOf,
  isDirect,
  isMarked,
  type LiveOrder,
  type OrderTermsBefore,
  orderAt,
  pass,
  refuse,
  stateOf,
  type Turn,
  type Verdict,
} from '../state/index.ts'
import { advancedRefusal, advancedTicks, recomputeMargin } from '../value/index.ts'
import { findOwnOrder } from './cancel.ts'
import { amendFault, portfolioFault } from './direct-checks.ts'
import { checkEditWaiting, commitEditWaiting, type EditPlan } from './edit-waiting.ts'

const step = validationStep

/** Checks an edit; reads only. */
export function checkEdit(exchange: Exchange, command: EditOrder): Verdict<EditPlan> {
  if (command.validUntil !== null && exchange.now >= command.validUntil) {
    return refuse(step.validUntil, { reason: 'timed_out' })
  }
  const isOver = isDirect(exchange, command.session)
  const barred = isOver ? portfolioFault(exchange, command.account, { isAlgo: false }) : null
  if (barred !== null) return { ok: false, fault: barred }
  const found = findOwnOrder(exchange, command, 'already_closed')
  if (!found.ok) return found
  const slot = found.plan
  const order = orderAt(exchange, slot)
  const row = instrumentOf(exchange, slot)
  // What waits and was to be cancelled is as good as gone.
  if ((waitingAt(exchange, slot)?.converted ?? null) !== null) {
    return refuse(step.instrument, { reason: 'already_closed' })
  }
  const astray = isOver ? amendFault(exchange, command, { row, order }) : null
  if (astray !== null) return { ok: false, fault: astray }
  const closed = stateRefusal(row)
  if (closed !== null) return refuse(step.bookState, closed)
  const reduceOnly = command.reduceOnly ?? order.reduceOnly
  const locked =
    lockRefusal(exchange, command.account) ??
    accountRefusal(exchange, command.account, { reduceOnly, row })
  if (locked !== null) return refuse(step.accountLocks, locked)
  // Another quote replaces a quote (C28).
  if (order.extras !== null && order.extras.quote !== null) {
    return refuse(step.argumentCombination, { reason: 'invalid_args_for_instrument' })
  }
  const { advanced } = command
  const late = advanced === null ? null : advancedRefusal(exchange, row, advanced)
  if (late !== null) return refuse(step.argumentCombination, late)
  if (command.mmp === true && (order.type !== 'limit' || order.link !== null)) {
    return refuse(step.argumentCombination, { reason: 'unsupported_arg_combination' })
  }
  const filled = order.amount - remainingOf(exchange.slots, slot)
  const amount = command.amount ?? order.amount
  if (amount <= filled) return refuse(step.amount, { reason: 'invalid_amount' })
  const size = sizeRefusal(row, amount)
  if (size !== null) return refuse(step.amount, size)
  const shown = command.display ?? order.display
  const iceberg = icebergRefusal(row, { lots: amount, display: shown })
  if (iceberg !== null) return refuse(step.amount, iceberg)
  const asked: EditPlan = {
    row,
    slot,
    amount,
    display: displayOf({ lots: amount, display: shown }),
    showsMore: order.display > 0 && (shown === 0 || shown > order.display),
    price: editedPrice(exchange, { row, slot, command }),
    advanced: command.advanced ?? order.advanced,
    postOnly: command.postOnly ?? order.postOnly,
    reduceOnly: command.reduceOnly ?? order.reduceOnly,
    cancels: false,
    waits: stateOf(order) === 'untriggered',
    mmp: command.mmp,
  }
  if (asked.waits) return checkEditWaiting(exchange, command, asked)
  if (
    command.price !== null &&
    !(mayBePrice(row, asked.price) && isOnGrid(row.instrument, asked.price))
  ) {
    return refuse(step.price, { reason: 'price_wrong_tick' })
  }
  return checkEditOpen(exchange, asked, { order, session: command.session })
}

/** The price asked for, in ticks; of an advanced order what its terms come to. */
function editedPrice(
  exchange: Exchange,
  of: { readonly row: InstrumentRow; readonly slot: number; readonly command: EditOrder },
): Ticks {
  const { row, slot, command } = of
  const before = ticks(priceOf(exchange.slots, slot))
  const { side } = orderAt(exchange, slot)
  if (command.advanced === null) return command.price ?? before
  return advancedTicks(exchange, row, { side, advanced: command.advanced }) ?? before
}

/** Steps 14 to 20 for an order that is open. */
function checkEditOpen(
  exchange: Exchange,
  asked: EditPlan,
  { order, session }: { readonly order: LiveOrder; readonly session: number },
): Verdict<EditPlan> {
  const { row, slot, postOnly, reduceOnly } = asked
  const { side } = order
  const account = ownerOf(exchange.slots, slot)
  const oldPrice = ticks(priceOf(exchange.slots, slot))
  const adjusted = postOnlyPrice(row, { side, price: asked.price, postOnly })
  if (!adjusted.ok && adjusted.refusal.reason !== 'post_only_reject') {
    return refuse(step.postOnly, adjusted.refusal)
  }
  const price = adjusted.ok ? adjusted.value : oldPrice
  const plan: EditPlan = { ...asked, price, cancels: !adjusted.ok }
  if (plan.cancels) return pass(plan)
  if (price !== oldPrice) {
    const outside = !isMarked(row) ? noMark : bandRefusal(exchange, row, { side, price })
    if (outside !== null) return refuse(step.priceBand, outside)
  }
  const rest = asked.amount - order.amount + remainingOf(exchange.slots, slot)
  if (asked.amount > order.amount) {
    const limit = riskRefusal(exchange, { row, account, side, lots: rest, from: slot })
    if (limit !== null) return refuse(step.openOrderLimits, limit)
  }
  if (reduceOnly && !order.reduceOnly) {
    const opens = reduceOnlyRefusal(exchange, row, { account, side })
    if (opens !== null) return refuse(step.reduceOnly, opens)
  }
  const remaining = remainingOf(exchange.slots, slot)
  if (asked.mmp === true || order.extras !== null) {
    const size = { row, side, price, lots: rest, except: slot }
    const guarded = mmpEditRefusal(exchange, { slot, mmp: asked.mmp, session, size })
    if (guarded !== null) return refuse(step.mmp, guarded)
  }
  const owner = holdingOfOrder(exchange, slot)
  const partner = order.link?.partner ?? NO_ORDER
  const entry: Entry = {
    row,
    account,
    side,
    price,
    bounded: true,
    reduceOnly,
    lots: reduceOnly
      ? Math.min(rest, allocation(exchange, owner, { side, price, except: slot, partner }))
      : rest,
    replaces: order.reduceOnly ? null : { lots: remaining, price: oldPrice },
    linked: order.link === null ? null : order,
    from: slot,
  }
  const funds = fundsRefusal(exchange, entry, null)
  if (funds !== null) return refuse(step.margin, funds)
  const isDirect = originOf(order) === 'direct_access'
  const isMetLater = isDirect && wouldWait(exchange, row, entry)
  const overlap = isMetLater ? null : selfMatchRefusal(exchange, entry)
  if (overlap !== null) return refuse(step.selfMatch, overlap)
  const isWaiting = order.stage === 'bumped'
  const waiting = bumpRefusal(exchange, entry, isWaiting)
  return waiting === null ? pass(plan) : refuse(step.speedBump, waiting)
}

/** Changes the order, and matches it where its new price crosses. */
export function commitEdit(turn: Turn, command: EditOrder, plan: EditPlan): number {
  const { exchange } = turn
  const { row, slot, amount } = plan
  if (plan.cancels) {
    endOrder(turn, slot, 'edit_post_only_reject')
    return 1
  }
  const order = orderAt(exchange, slot)
  const before = row.instrument.speedBump > 0 ? termsBefore(exchange, slot) : null
  order.postOnly = plan.postOnly
  order.replaced = true
  order.autoReplaced = false
  order.advanced = plan.advanced
  if (plan.mmp !== null) {
    const { account } = command
    order.extras = switchedExtras(exchange, slot, { row, account, mmp: plan.mmp })
  }
  if (plan.waits) {
    commitEditWaiting(turn, command, plan)
    return 1
  }
  setReduceOnly(turn, row, { slot, reduceOnly: plan.reduceOnly })
  const remaining = remainingOf(exchange.slots, slot)
  const rest = remaining + amount - order.amount
  const keepsPlace = keepsPlaceAt(exchange, plan, rest)
  if (order.stage === 'routed' || order.stage === 'bumped' || !keepsPlace) {
    order.validUntil = command.validUntil
    moveOrder(turn, plan, { rest, before })
    return 1
  }
  // Nothing of what it shows moves back: what is cut, and what it hides from now on, is behind.
  if (rest < remaining) cutInBook(turn, row, { slot, lots: remaining - rest })
  const shown = shownOf(exchange.slots, slot)
  if (plan.display > 0 && shown > plan.display) {
    hideInBook(turn, row, { slot, lots: shown - plan.display })
  }
  order.amount = amount
  order.display = plan.display
  tellEdited(turn, row, { slot, rested: true })
  const owner = holdingOfOrder(exchange, slot)
  recomputeMargin(exchange, owner)
  if (order.reduceOnly) reallocate(turn, owner, NO_SLOT)
  return 1
}

/**
 * Whether an edited order stays where it stands: at its price, with no more size, and with nothing
 * shown that was hidden (C28).
 */
function keepsPlaceAt(exchange: Exchange, plan: EditPlan, rest: number): boolean {
  const { slot, price, display, showsMore } = plan
  const { slots } = exchange
  if (price !== priceOf(slots, slot) || rest > remainingOf(slots, slot) || showsMore) return false
  return display > 0 || rest <= shownOf(slots, slot)
}

/** Where an order moves, and what it is from then on. */
export type Move = Pick<EditPlan, 'row' | 'slot' | 'amount' | 'display' | 'price'>

/**
 * Takes the order out of its place and lets it enter with its new terms; `before` is what it was while it stood
 * there, of an instrument with a speed bump.
 */
export function moveOrder(
  turn: Turn,
  plan: Move,
  { rest, before }: { readonly rest: number; readonly before: OrderTermsBefore | null },
): void {
  const { exchange } = turn
  const { row, slot, price } = plan
  const order = orderAt(exchange, slot)
  const rested = order.stage === 'resting'
  const waited = order.stage === 'bumped' ? takeWaiting(exchange, order.id) : null
  if (rested) leaveBook(turn, row, slot)
  else leaveWithoutBook(exchange, row, slot)
  order.stage = 'entering'
  order.amount = plan.amount
  order.display = plan.display
  setSlot(exchange.slots, slot, { price, remaining: rest })
  tellEdited(turn, row, { slot, rested })
  if (before === null && waited === null) sendOrder(turn, row, slot, 'edited')
  else resendOrder(turn, row, { slot, terms: before, waited })
}

/** Tells that an order was edited. */
export function tellEdited(
  turn: Turn,
  row: InstrumentRow,
  { slot, rested }: { readonly slot: number; readonly rested: boolean },
): void {
  emitOrder(turn, row, slot, { kind: 'order_edited', state: 'open', rested, reason: null })
}
