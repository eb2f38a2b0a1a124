/**
 * Orders that end with their day or with their instrument.
 *
 * Rule: order.good-til-day. Source: trading.md 6.3, 6.4 (C21, C22); market.md 3.6 step 1.
 *
 * Rule: direct.good-for-settlements. An order of direct access may outlive a number of settlements first. All
 * settlements of one trading day count as one, because the end of the day and a settlement that waited for a halted
 * book are the same settlement. Source: sessions-blocks-gateways.md 8.5.
 */

import { dayBoundaryAfter } from '../../core/index.ts'
import { type CancelReason, numberOfId } from '../../model/index.ts'
import { endOrder, isStill } from '../market/index.ts'
import {
  awaitDayEnd,
  type Exchange,
  holdingOfOrder,
  type InstrumentRow,
  type LiveOrder,
  orderAt,
  type Turn,
  visitAccountOrders,
} from '../state/index.ts'
import type { Pool } from '../value/index.ts'

/**
 * Cancels the good-til-day orders of an instrument, or of all instruments in the order of listing. It keeps dormant
 * orders, because their day has not begun. Orders that end with their instrument get the reason `expiry` (S095).
 */
export function endDayOrders(turn: Turn, row: InstrumentRow | null): void {
  const isMeant = (order: LiveOrder): boolean =>
    order.timeInForce === 'good_til_day' &&
    order.stage !== 'dormant' &&
    (row === null || order.instrument === row.instrument.id)
  const { instruments, now } = turn.exchange
  const reason = (order: LiveOrder): CancelReason => {
    const expiration = instruments[order.instrument]?.instrument.expiration ?? Number.POSITIVE_INFINITY
    return expiration <= now ? 'expiry' : 'settlement'
  }
  endMeant(turn, isMeant, reason, outlivesSettlement)
}

/** Cancels every order of an instrument, including waiting ones. */
export function endOrders(turn: Turn, row: InstrumentRow, reason: CancelReason): void {
  const isMeant = (order: LiveOrder): boolean => order.instrument === row.instrument.id
  endMeant(turn, isMeant, () => reason)
}

/** Cancels the selected live orders of an instrument, and returns their number. */
export function endOrdersThat(
  turn: Turn,
  row: InstrumentRow,
  isChosen: (order: LiveOrder, slot: number) => boolean,
  reason: CancelReason,
): number {
  const { slots } = turn.exchange
  const before = slots.used
  const isMeant = (order: LiveOrder, slot: number): boolean =>
    order.instrument === row.instrument.id && isChosen(order, slot)
  endMeant(turn, isMeant, () => reason)
  return before - slots.used
}

/** True if an order outlives this settlement. The function counts the settlement. */
function outlivesSettlement(exchange: Exchange, order: LiveOrder): boolean {
  const direct = order.extras?.direct ?? null
  if (order.extras === null || direct === null || direct.settlements === undefined) return false
  const day = dayBoundaryAfter(exchange.now)
  if (direct.outlivedUntil !== day) {
    if (direct.settlements === 0) return false
    const counted = { ...direct, settlements: direct.settlements - 1, outlivedUntil: day }
    order.extras = { ...order.extras, direct: counted }
  }
  awaitDayEnd(exchange)
  return true
}

/**
 * Cancels the selected live orders in one pass over all accounts: instruments in the order of listing, orders in the
 * order of their creation. If cancelling one ends others, the pass skips these.
 */
function endMeant(
  turn: Turn,
  isMeant: (order: LiveOrder, slot: number) => boolean,
  reason: (order: LiveOrder) => CancelReason,
  /** True for an order that outlives the settlement; the function may update the order. */
  outlives?: (exchange: Exchange, order: LiveOrder) => boolean,
): void {
  const found: { readonly slot: number; readonly order: LiveOrder['id']; readonly at: number }[] = []
  if (turn.exchange.slots.used === 0) return
  for (const { account } of turn.exchange.accounts) {
    visitAccountOrders(turn.exchange, account.id, (slot) => {
      const order = orderAt(turn.exchange, slot)
      if (isMeant(order, slot)) found.push({ slot, order: order.id, at: order.instrument })
    })
  }
  found.sort((left, right) => left.at - right.at || numberOfId(left.order) - numberOfId(right.order))
  for (const { slot, order } of found) {
    if (!isStill(turn.exchange, slot, order)) continue
    const live = orderAt(turn.exchange, slot)
    if (outlives?.(turn.exchange, live) === true) continue
    endOrder(turn, slot, reason(live))
  }
}

/**
 * The first step of a liquidation: it cancels every open order of the account, including orders that wait for a price
 * or for another order.
 *
 * The lock applies to the whole account, so the cancel does too: the owner could neither edit nor cancel a remaining
 * order of another currency. Only orders behind the speed bump remain, and end at their release.
 * Source: market.md 6.6 step 2; R53.
 */

/** Cancels the orders of an account in the order of their creation. Events: `order` cancelled of each. */
export function cancelAll(turn: Turn, pool: Pool): void {
  cancelWhere(
    turn,
    pool.account.account.id,
    'autoliquidation',
    // Orders behind the speed bump end at their release (sessions document 8.8).
    (_row, slot) => orderAt(turn.exchange, slot).stage !== 'bumped',
  )
}

/** Cancels the selected orders of an account. */
export function cancelWhere(
  turn: Turn,
  account: number,
  reason: CancelReason,
  isMeant: (row: InstrumentRow, slot: number) => boolean,
): void {
  const meant: { readonly slot: number; readonly id: number }[] = []
  visitAccountOrders(turn.exchange, account, (slot) => {
    const { row } = holdingOfOrder(turn.exchange, slot)
    if (isMeant(row, slot)) meant.push({ slot, id: orderAt(turn.exchange, slot).id })
  })
  for (const { slot, id } of meant) if (isStill(turn.exchange, slot, id)) endOrder(turn, slot, reason)
}
