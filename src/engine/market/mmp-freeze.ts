/**
 * Freezes of groups of market-maker protection: how they begin and end.
 *
 * Rule: mmp.freeze. When a group reaches a limit, it loses all its open orders, over all instruments of its index, in
 * the order of their creation, and accepts no new orders until its frozen time is over or it is reset. Then its window
 * ends and its counters are 0. Orders behind the speed bump continue to wait as immediate-or-cancel. Events: those of
 * each order, then `mmp`; all of them before the next fill (C44).
 *
 * Rule: mmp.first-second. During the first second nothing ends a freeze for direct access. A reset by JSON-RPC frees
 * requests over JSON-RPC at once, and direct access when that second is over (C42, R11); a timer ends the second.
 *
 * Source: trading.md 7.2, C41, C42, C44; sessions-blocks-gateways.md 8.9; coverage R11.
 */

import { remainingOf } from '../../book/index.ts'
import { accountId, assert, cancel, type Micros, micros, type TimerId } from '../../core/index.ts'
import {
  type CancelReason,
  type ConversionReason,
  leastFreezeMicros,
  type MmpChange,
  type MmpTrigger,
  type Refusal,
} from '../../model/index.ts'
import {
  clearWindow,
  type Exchange,
  eventHeader,
  isDirect,
  type LiveOrder,
  type MmpGroup,
  mmpGroupAt,
  orderAt,
  setTimer,
  stageAt,
  type Turn,
  visitAccountOrders,
} from '../state/index.ts'
import { endOrder, isStill } from './ending.ts'
import { pullRfqQuotes } from './rfq-ending.ts'
import { convertWaiting } from './waiting.ts'

/** Result of a cancel: an order behind the speed bump becomes immediate-or-cancel and continues to wait. */
type Pulled = 'cancelled' | 'converted'

/**
 * The reason why the freeze of its group refuses an order, an amend or a quote, or null. `resets` is true if the
 * request asks to end the freeze first.
 */
export function frozenRefusal(
  exchange: Exchange,
  { freeze }: MmpGroup,
  session: number,
  resets: boolean,
): Refusal | null {
  if (freeze === null) return null
  if (isDirect(exchange, session)) {
    if (exchange.now < freeze.since + leastFreezeMicros) {
      return { reason: 'mmp_min_freeze_time_not_elapsed' }
    }
    if (resets) return null
  }
  return freeze.isReset ? null : { reason: 'mmp_trigger' }
}

/** Freezes a group that reached a limit, and cancels its orders. For direct access it may already be frozen. */
export function tripGroup(turn: Turn, group: MmpGroup, trigger: MmpTrigger): void {
  const { config, freeze } = group
  assert(config !== null, 'only a configured group has limits')
  assert(freeze === null || freeze.isReset, 'a frozen group cannot be triggered again')
  stopTimer(turn.exchange, group)
  const cancelled = group.blockRfq
    ? pullRfqQuotes(turn, group.account, null, 'mmp_trigger')
    : pullMembers(turn, membersOf(turn.exchange, group), 'mmp_trigger')
  const since = turn.exchange.now
  const until = config.frozenTime === 0 ? null : micros(since + config.frozenTime)
  const timer = until === null ? null : unfreezeAt(turn.exchange, group, until)
  group.freeze = { trigger, since, until, timer, isReset: false }
  emitMmp(turn, group, 'triggered', 0, cancelled)
}

/** Ends a freeze whose time is over, or the second for which direct access waits after a reset. */
export function unfreezeGroup(turn: Turn, number: number): void {
  const group = mmpGroupAt(turn.exchange, number)
  assert(group.freeze !== null, 'a group was frozen before it is unfrozen')
  // Trades over JSON-RPC since the reset stay counted.
  if (!group.freeze.isReset) clearWindow(group)
  group.freeze = null
  emitMmp(turn, group, 'unfrozen', 0, 0)
}

/** Ends the freeze of a group early; false without a freeze. */
export function resetGroup(turn: Turn, group: MmpGroup, session: number): boolean {
  if (group.freeze === null || group.freeze.isReset) return false
  stopTimer(turn.exchange, group)
  clearWindow(group)
  const floor = micros(group.freeze.since + leastFreezeMicros)
  if (turn.exchange.now < floor) {
    assert(!isDirect(turn.exchange, session), 'direct access cannot reset a group in the first second')
    const timer = unfreezeAt(turn.exchange, group, floor)
    group.freeze = {
      trigger: group.freeze.trigger,
      since: group.freeze.since,
      until: floor,
      timer,
      isReset: true,
    }
  } else {
    group.freeze = null
  }
  emitMmp(turn, group, 'reset', session, 0)
  return true
}

/** The open orders of a group with remaining size, in the order of their creation. */
export function membersOf(exchange: Exchange, { account, membership }: MmpGroup): readonly Member[] {
  const members: Member[] = []
  visitAccountOrders(exchange, account, (slot) => {
    const { id, extras } = orderAt(exchange, slot)
    if (extras?.mmp?.group !== membership.group) return
    if (remainingOf(exchange.slots, slot) > 0) members.push({ slot, id })
  })
  return members
}

/** An open order of a group. */
export interface Member {
  readonly slot: number
  readonly id: number
}

/** Cancels orders of a group, and returns the number of those that ended. */
export function pullMembers(
  turn: Turn,
  members: readonly Member[],
  reason: 'mmp_trigger' | 'mmp_config_curtailment',
): number {
  let cancelled = 0
  for (const { slot, id } of members) {
    if (!isStill(turn.exchange, slot, id)) continue
    if (pullOrder(turn, slot, reason) === 'cancelled') cancelled += 1
  }
  return cancelled
}

/** Emits a change of a group. */
export function emitMmp(turn: Turn, group: MmpGroup, change: MmpChange, session: number, cancelled: number): void {
  const { membership, config, freeze } = group
  const isFrozen = freeze !== null && !freeze.isReset
  turn.log.append({
    kind: 'mmp',
    ...eventHeader(turn),
    change,
    account: accountId(group.account),
    session,
    group: membership.group,
    index: membership.index,
    name: membership.name,
    config,
    trigger: change === 'triggered' && freeze !== null ? freeze.trigger : null,
    quantity9: group.quantity9,
    delta9: group.delta9,
    vega9: group.vega9,
    windowStart: group.windowStart,
    frozenUntil: isFrozen ? freeze.until : null,
    cancelled,
    blockRfq: group.blockRfq,
    correlationId: change === 'reset' ? (turn.exchange.directRequest?.correlationId ?? null) : null,
  })
}

function unfreezeAt(exchange: Exchange, { membership }: MmpGroup, time: Micros): TimerId {
  return setTimer(exchange.timers, time, { kind: 'mmp_unfreeze', group: membership.group })
}

function stopTimer(exchange: Exchange, { freeze }: MmpGroup): void {
  if (freeze !== null && freeze.timer !== null) cancel(exchange.timers, freeze.timer)
}

/**
 * Cancels orders on behalf of their owner, a protection, or a session that ends.
 */

/** Cancels a live order and the orders that depend on it. An order behind the speed bump continues to wait. */
export function pullOrder(turn: Turn, slot: number, reason: CancelReason & ConversionReason): Pulled {
  if (stageAt(turn.exchange.orders, slot) === 'bumped') {
    convertWaiting(turn, slot, reason)
    return 'converted'
  }
  endOrder(turn, slot, reason)
  return 'cancelled'
}

/**
 * Cancels the orders of an account that `isMeant` selects, in the order of their creation. Returns the number of orders
 * that ended; orders behind the speed bump continue to wait.
 */
export function pullWhere(
  turn: Turn,
  account: number,
  reason: CancelReason & ConversionReason,
  isMeant: (order: LiveOrder) => boolean,
): number {
  const { exchange } = turn
  const meant: { readonly slot: number; readonly id: number }[] = []
  visitAccountOrders(exchange, account, (slot) => {
    const order = orderAt(exchange, slot)
    if (isMeant(order)) meant.push({ slot, id: order.id })
  })
  const before = exchange.slots.used
  for (const { slot, id } of meant) {
    if (isStill(exchange, slot, id)) pullOrder(turn, slot, reason)
  }
  return before - exchange.slots.used
}
