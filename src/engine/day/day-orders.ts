/**
 * Orders that end with their day or with their instrument.
 *
 * Rule: order.good-til-day. Source: trading.md 6.3, 6.4 (C21, C22); market.md 3.6 step 1.
 *
 * Rule: direct.good-for-settlements. An order of direct access may outlive a number of settlements first. Those of one
 * trading day count once, as its end and the settlement that waited for a halted book are one. Source:
 * sessions-blocks-gateways.md 8.5.
 */
import { dayBoundaryAfter } from '../../core/index.ts'
import { type CancelReason, numberOfId } from '../../model/index.ts'
import { endOrder, isStill } from '../market/index.ts'
import {
  awaitDayEnd,
  type Exchange,
  type InstrumentRow,
  type LiveOrder,
  orderAt,
  type Turn,
  visitAccountOrders,
} from '../state/index.ts'

/**
 * Cancels the good-til-day orders of an instrument, or of all in the order of listing; the day of a
 * dormant one has not begun. What ends with its instrument ends because of that (S095).
 */
export function endDayOrders(turn: Turn, row: InstrumentRow | null): void {
  const isMeant = ({ instrument, timeInForce, stage }: LiveOrder): boolean =>
    timeInForce === 'good_til_day' && stage !== 'dormant' && (row === null || instrument === row.instrument.id)
  const { instruments, now } = turn.exchange
  const reason = ({ instrument }: LiveOrder): CancelReason => {
    const expiration = instruments[instrument]?.instrument.expiration ?? Number.POSITIVE_INFINITY
    return expiration <= now ? 'expiry' : 'settlement'
  }
  endMeant(turn, { isMeant, reason, outlives: outlivesSettlement })
}

/** Cancels every order of an instrument, those that wait included. */
export function endOrders(turn: Turn, row: InstrumentRow, reason: CancelReason): void {
  const isMeant = ({ instrument }: LiveOrder): boolean => instrument === row.instrument.id
  endMeant(turn, { isMeant, reason: () => reason })
}

/** Cancels the live orders of an instrument that are meant, and returns how many went. */
export function endOrdersThat(
  turn: Turn,
  row: InstrumentRow,
  of: {
    readonly isMeant: (order: LiveOrder, slot: number) => boolean
    readonly reason: CancelReason
  },
): number {
  const { slots } = turn.exchange
  const before = slots.used
  const isMeant = (order: LiveOrder, slot: number): boolean =>
    order.instrument === row.instrument.id && of.isMeant(order, slot)
  endMeant(turn, { isMeant, reason: () => of.reason })
  return before - slots.used
}

/** True if an order is good for more settlements than this one, which is counted. */
function outlivesSettlement(exchange: Exchange, order: LiveOrder): boolean {
  const { extras } = order
  const direct = extras?.direct ?? null
  if (extras === null || direct === null || direct.settlements === undefined) return false
  const day = dayBoundaryAfter(exchange.now)
  if (direct.outlivedUntil !== day) {
    if (direct.settlements === 0) return false
    const counted = { ...direct, settlements: direct.settlements - 1, outlivedUntil: day }
    order.extras = { ...extras, direct: counted }
  }
  awaitDayEnd(exchange)
  return true
}

/**
 * Cancels live orders in one pass over all accounts: instruments in the order of listing, orders in that
 * of their creation. Ending one may end others, which are then left alone.
 */
function endMeant(
  turn: Turn,
  of: {
    readonly isMeant: (order: LiveOrder, slot: number) => boolean
    readonly reason: (order: LiveOrder) => CancelReason
    /** True for one that lives on all the same, which it may write down. */
    readonly outlives?: (exchange: Exchange, order: LiveOrder) => boolean
  },
): void {
  const { exchange } = turn
  const found: { readonly slot: number; readonly order: LiveOrder['id']; readonly at: number }[] = []
  if (exchange.slots.used === 0) return
  for (const { account } of exchange.accounts) {
    visitAccountOrders(exchange, account.id, (slot) => {
      const order = orderAt(exchange, slot)
      if (of.isMeant(order, slot)) found.push({ slot, order: order.id, at: order.instrument })
    })
  }
  found.sort((left, right) => left.at - right.at || numberOfId(left.order) - numberOfId(right.order))
  for (const { slot, order } of found) {
    if (!isStill(exchange, slot, order)) continue
    const live = orderAt(exchange, slot)
    if (of.outlives?.(exchange, live) === true) continue
    endOrder(turn, slot, of.reason(live))
  }
}
