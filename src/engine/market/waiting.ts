/**
 * The speed bump: on instruments that have one, an order that would match waits first. It stands in no book
 * and nobody sees it; margin counts it as open.
 *
 * One queue for each gateway pair, first in first out: timers of the same rank run in the order in which
 * they were set. The test is made once, at the submission, with all that can be taken, own orders included;
 * what may have changed by the release is looked at there.
 *
 * Rule: order.speed-bump. Source: trading.md 6.11 (C29); sessions-blocks-gateways.md 8.8; coverage R09, R10,
 * R25, R68; S302, S318.
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

/** True if an order at a price would wait before it meets its book. */
export function wouldWait(
  { config }: Exchange,
  row: InstrumentRow,
  order: { readonly side: Side; readonly price: number },
): boolean {
  if (row.instrument.speedBump === 0 || !config.speedBumps) return false
  return wouldTake(row.book, order.side, order.price)
}

/**
 * Why no more orders may wait: those of one Member are limited, and so is the queue (8.8). An order that waits
 * already is counted already; `ahead` are those of the same account that enter just before it.
 */
export function bumpRefusal(
  exchange: Exchange,
  order: {
    readonly row: InstrumentRow
    readonly account: number
    readonly side: Side
    readonly price: number
  },
  isWaiting: boolean,
  ahead = 0,
): Refusal | null {
  const { row } = order
  if (isWaiting || !wouldWait(exchange, row, order)) return null
  const { bumpLimits } = exchange.config
  const { gateway } = row.instrument
  const member = memberOf(exchange, order.account)
  const waiting = exchange.waiting.get(gateway)
  const all = ahead + (waiting?.all ?? 0)
  const own = ahead + (waiting?.ofMembers.get(member) ?? 0)
  if (member !== NO_ACCOUNT && own >= bumpLimits.member) {
    return { reason: 'other_reject member_speed_bump_limit' }
  }
  return all >= bumpLimits.queue ? { reason: 'other_reject speed_bump_queue_full' } : null
}

/** The main account that a waiting order of an account counts for; what is of no Member counts for none. */
function memberOf(exchange: Exchange, account: number): number {
  return isOfMember(exchange, account) ? accountRow(exchange, account).account.main : NO_ACCOUNT
}

/** The state of an order before it waits, where it stood or waited before. */
export interface WaitedBefore {
  /** Null for an order that is new to its book. */
  readonly terms: OrderTermsBefore | null
  /** Requests whose reply waits for it since then. */
  readonly held: readonly Sequence[]
  /** True if it waited until now. */
  readonly isAnew: boolean
}

/** An order that never stood and never waited. */
export const neverWaited: WaitedBefore = { terms: null, held: [], isAnew: false }

/**
 * Lets an order that stands nowhere wait; it counts as open meanwhile. The reply to a JSON-RPC request waits
 * with it, that of direct access does not. Events: `bump`.
 */
export function holdOrder(
  turn: Turn,
  row: InstrumentRow,
  of: { readonly slot: number; readonly before: WaitedBefore },
): void {
  const { exchange } = turn
  const { slot, before } = of
  const order = orderAt(exchange, slot)
  const account = ownerOf(exchange.slots, slot)
  order.stage = 'bumped'
  countOpen(exchange, row, { slot, before: 0, after: remainingOf(exchange.slots, slot) })
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
  emitBump(turn, slot, bump, { change: before.isAnew ? 'restarted' : 'queued' })
  recomputeMargin(exchange, holdingOfOrder(exchange, slot))
}

/** The reply of the request at work waits for the order; what a request only set off has been answered. */
export function holdReply(exchange: Exchange, bump: Bump, cause: Sequence): void {
  if (exchange.openRequest !== cause || bump.held.includes(cause)) return
  bump.held.push(cause)
  const held = exchange.heldRequests.get(cause)
  if (held === undefined) exchange.heldRequests.set(cause, { waiting: 1, count: 0 })
  else held.waiting += 1
}

/** Takes an order off the queue, to wherever it goes. Its timer is gone where that is what ended its wait. */
export function takeWaiting(exchange: Exchange, order: OrderId): Bump {
  const bump = defined(exchange.bumps.get(order), 'an order behind the speed bump is in its queue')
  exchange.bumps.delete(order)
  countWaiting(exchange.waiting, bump, -1)
  cancel(exchange.timers, bump.timer)
  return bump
}

/**
 * Requests whose reply waited for an order that waits no more: those for which nothing else waits are done.
 * Events: `request` of each.
 */
export function answerHeld(turn: Turn, held: readonly Sequence[]): void {
  const { exchange } = turn
  for (const cause of held) {
    const request = defined(exchange.heldRequests.get(cause), 'a waiting reply is known')
    request.waiting -= 1
    // The request itself may be at work still, and ends by itself.
    if (request.waiting > 0 || exchange.openRequest === cause) continue
    exchange.heldRequests.delete(cause)
    emitDone(turn, sequence(cause), { outcome: 'done', count: request.count })
  }
}

/**
 * An order that waits is to be cancelled: it waits on, and is immediate-or-cancel. Events: `bump`, where it
 * was not so before.
 */
export function convertWaiting(turn: Turn, slot: number, reason: ConversionReason): void {
  const { exchange } = turn
  const order = orderAt(exchange, slot)
  const bump = defined(exchange.bumps.get(order.id), 'a waiting order is in the queue')
  if (isImmediate(exchange, slot))
    return // It is its own terms that change; whoever lists it meanwhile sees what it was.
  ;(order as { timeInForce: typeof order.timeInForce }).timeInForce = 'immediate_or_cancel'
  bump.converted = reason
  forgetQuote(exchange, order)
  emitBump(turn, slot, bump, { change: 'converted', reason })
}

/** True if an order that waits ends at its release in any case: a cancel changes nothing about it. */
export function isImmediate(exchange: Exchange, slot: number): boolean {
  return !restsInBook(timeInForceAt(exchange.orders, slot))
}

/** Terms under which an order that stands in its book is listed while its amend waits; null for others. */
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

/** The waiting order by its slot, or undefined where it does not wait. */
export function waitingAt(exchange: Exchange, slot: number): Bump | undefined {
  const { orders, bumps } = exchange
  return stageAt(orders, slot) === 'bumped' ? bumps.get(idAt(orders, slot)) : undefined
}

/** Tells what happened to an order behind the speed bump. */
export function emitBump(
  turn: Turn,
  slot: number,
  bump: Bump,
  of: { readonly change: BumpChange; readonly reason?: ConversionReason },
): void {
  const { exchange } = turn
  const order = orderAt(exchange, slot)
  assert(orderSlotOf(exchange, order.id) === slot, 'the order of a slot is found by its id')
  turn.log.append({
    kind: 'bump',
    ...eventHeader(turn),
    change: of.change,
    order: order.id,
    account: accountRow(exchange, ownerOf(exchange.slots, slot)).account.id,
    instrument: order.instrument,
    session: order.session,
    side: order.side,
    amount: lots(remainingOf(exchange.slots, slot)),
    releaseAt: bump.releaseAt,
    reason: of.reason ?? null,
    by: askedConversion(exchange, order, of.reason ?? null),
  })
}
