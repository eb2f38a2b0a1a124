/**
 * The speed bump: on instruments that have one, an order that would match waits first. It is in no book and invisible
 * to others; margin counts it as open.
 *
 * Each gateway pair has one queue, first in first out: timers of the same rank run in the order in which they were set.
 * The test is made once, at the submission, against all orders that the order could take, including those of the same
 * account. Conditions that may change are checked again at the release.
 *
 * Rule: order.speed-bump. Source: trading.md 6.11 (C29); sessions-blocks-gateways.md 8.8; coverage R09, R10, R25, R68;
 * S302, S318.
 */
import { ownerOf, priceOf, remainingOf, wouldTake } from '../../book/index.ts'
import {
  assert,
  cancel,
  defined,
  lots,
  micros,
  type OrderId,
  type Sequence,
  sequence,
  ticks,
} from '../../core/index.ts'
import {
  type BumpChange,
  type ConversionReason,
  NO_ACCOUNT,
  originOf,
  type Refusal,
  restsInBook,
  type Side,
} from '../../model/index.ts'
import {
  accountRow,
  askedConversion,
  awaitDayEnd,
  type Bump,
  countWaiting,
  type Exchange,
  emitDone,
  eventHeader,
  forgetQuote,
  holdingOfOrder,
  type InstrumentRow,
  idAt,
  isOfMember,
  type OrderTermsBefore,
  orderAt,
  orderSlotOf,
  setTimer,
  stageAt,
  type Turn,
  timeInForceAt,
  updateTimeAt,
} from '../state/index.ts'
import { recomputeMargin } from '../value/index.ts'
import { countOpen } from './resting.ts'

/** True if an order at a price would wait before it enters its book. */
export function wouldWait(exchange: Exchange, row: InstrumentRow, side: Side, price: number): boolean {
  if (row.instrument.speedBump === 0 || !exchange.config.speedBumps) return false
  return wouldTake(row.book, side, price)
}

/** The fields of an order that can make it wait for a speed bump. */
interface BumpedOrder {
  readonly row: InstrumentRow
  readonly account: number
  readonly side: Side
  readonly price: number
}

/**
 * The reason why no more orders may wait, or null: the orders of one Member are limited, and so is the queue (8.8). An
 * order that already waits is already counted; `ahead` is the number of orders of the same account that enter just
 * before it.
 */
export function bumpRefusal(exchange: Exchange, order: BumpedOrder, isWaiting: boolean, ahead = 0): Refusal | null {
  if (isWaiting || !wouldWait(exchange, order.row, order.side, order.price)) return null
  const { bumpLimits } = exchange.config
  const { gateway } = order.row.instrument
  const member = memberOf(exchange, order.account)
  const waiting = exchange.waiting.get(gateway)
  const all = ahead + (waiting?.all ?? 0)
  const own = ahead + (waiting?.ofMembers.get(member) ?? 0)
  if (member !== NO_ACCOUNT && own >= bumpLimits.member) {
    return { reason: 'other_reject member_speed_bump_limit' }
  }
  return all >= bumpLimits.queue ? { reason: 'other_reject speed_bump_queue_full' } : null
}

/**
 * The main account of the Member for whose limit an account's waiting orders count; NO_ACCOUNT for an account of no
 * Member.
 */
function memberOf(exchange: Exchange, account: number): number {
  return isOfMember(exchange, account) ? accountRow(exchange, account).account.main : NO_ACCOUNT
}

/** The state of an order before it waits, if it rested or waited before. */
interface WaitedBefore {
  /** Null for an order that is new to its book. */
  readonly terms: OrderTermsBefore | null
  /** Requests whose reply has waited for it since then. */
  readonly held: readonly Sequence[]
  /** True if it waited until now. */
  readonly isAnew: boolean
}

/** The state of an order that never rested and never waited. */
export const neverWaited: WaitedBefore = { terms: null, held: [], isAnew: false }

/**
 * Lets an order that is in no book wait. It counts as open meanwhile. The reply to a JSON-RPC request waits with it;
 * the reply over direct access does not. Events: `bump`.
 */
export function holdOrder(turn: Turn, row: InstrumentRow, slot: number, before: WaitedBefore): void {
  const { exchange } = turn
  const order = orderAt(exchange, slot)
  const account = ownerOf(exchange.slots, slot)
  order.stage = 'bumped'
  countOpen(exchange, row, slot, 0, remainingOf(exchange.slots, slot))
  if (order.timeInForce === 'good_til_day') awaitDayEnd(exchange)
  const releaseAt = micros(exchange.now + row.instrument.speedBump)
  const bump: Bump = {
    order: order.id,
    pair: row.instrument.gateway,
    member: memberOf(exchange, account),
    timer: setTimer(exchange.timers, releaseAt, { kind: 'bump_release', order: order.id }),
    releaseAt,
    cause: turn.cause,
    converted: null,
    held: [...before.held],
    before: before.terms,
  }
  exchange.bumps.set(order.id, bump)
  countWaiting(exchange.waiting, bump, 1)
  if (originOf(order) === 'json_rpc') holdReply(exchange, bump, turn.cause)
  emitBump(turn, slot, bump, before.isAnew ? 'restarted' : 'queued')
  recomputeMargin(exchange, holdingOfOrder(exchange, slot))
}

/**
 * Makes the reply of the current request wait for the order. A request that caused the order indirectly has already
 * been answered.
 */
export function holdReply(exchange: Exchange, bump: Bump, cause: Sequence): void {
  if (exchange.openRequest !== cause || bump.held.includes(cause)) return
  bump.held.push(cause)
  const held = exchange.heldRequests.get(cause)
  if (held === undefined) exchange.heldRequests.set(cause, { waiting: 1, count: 0 })
  else held.waiting += 1
}

/** Removes an order from the queue and cancels its timer, which is already gone if it ended the wait. */
export function takeWaiting(exchange: Exchange, order: OrderId): Bump {
  const bump = defined(exchange.bumps.get(order), 'an order behind the speed bump is in its queue')
  exchange.bumps.delete(order)
  countWaiting(exchange.waiting, bump, -1)
  cancel(exchange.timers, bump.timer)
  return bump
}

/**
 * Completes requests whose reply waited for an order that no longer waits, unless they wait for other orders too.
 * Events: `request` of each.
 */
export function answerHeld(turn: Turn, held: readonly Sequence[]): void {
  const { exchange } = turn
  for (const cause of held) {
    const request = defined(exchange.heldRequests.get(cause), 'a waiting reply is known')
    request.waiting -= 1
    // The request may be the current one, which completes by itself.
    if (request.waiting > 0 || exchange.openRequest === cause) continue
    exchange.heldRequests.delete(cause)
    emitDone(turn, sequence(cause), { outcome: 'done', count: request.count })
  }
}

/**
 * Handles the cancel of a waiting order: it becomes immediate-or-cancel and continues to wait. Events: `bump`, if it
 * was not immediate-or-cancel before.
 */
export function convertWaiting(turn: Turn, slot: number, reason: ConversionReason): void {
  const order = orderAt(turn.exchange, slot)
  const bump = defined(turn.exchange.bumps.get(order.id), 'a waiting order is in the queue')
  if (isImmediate(turn.exchange, slot))
    return // Its current terms change; lists of orders show its earlier terms until the release.
  ;(order as { timeInForce: typeof order.timeInForce }).timeInForce = 'immediate_or_cancel'
  bump.converted = reason
  forgetQuote(turn.exchange, order)
  emitBump(turn, slot, bump, 'converted', reason)
}

/** True if a waiting order ends at its release in any case: a cancel does not change it. */
export function isImmediate(exchange: Exchange, slot: number): boolean {
  return !restsInBook(timeInForceAt(exchange.orders, slot))
}

/** Terms under which a resting order is listed while its amend waits; null for other orders. */
export function termsBefore(exchange: Exchange, slot: number): OrderTermsBefore | null {
  const order = orderAt(exchange, slot)
  if (order.stage !== 'resting') return null
  const { amount, display, postOnly, reduceOnly, replaced, timeInForce, extras } = order
  const price = ticks(priceOf(exchange.slots, slot))
  const updatedAt = updateTimeAt(exchange.orders, slot)
  return {
    price,
    amount,
    display,
    postOnly,
    reduceOnly,
    replaced,
    timeInForce,
    extras,
    updatedAt,
  }
}

/** The waiting order of a slot; undefined if the order does not wait. */
export function waitingAt(exchange: Exchange, slot: number): Bump | undefined {
  return stageAt(exchange.orders, slot) === 'bumped' ? exchange.bumps.get(idAt(exchange.orders, slot)) : undefined
}

/** Emits a change of an order behind the speed bump. */
export function emitBump(turn: Turn, slot: number, bump: Bump, change: BumpChange, reason?: ConversionReason): void {
  const order = orderAt(turn.exchange, slot)
  assert(orderSlotOf(turn.exchange, order.id) === slot, 'the order of a slot is found by its id')
  turn.log.append({
    kind: 'bump',
    ...eventHeader(turn),
    change,
    order: order.id,
    account: accountRow(turn.exchange, ownerOf(turn.exchange.slots, slot)).account.id,
    instrument: order.instrument,
    session: order.session,
    side: order.side,
    amount: lots(remainingOf(turn.exchange.slots, slot)),
    releaseAt: bump.releaseAt,
    reason: reason ?? null,
    by: askedConversion(turn.exchange, order, reason ?? null),
  })
}
