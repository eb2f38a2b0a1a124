/**
 * Orders that end with their day or with their instrument.
 *
 * Rule: order.good-til-day. Source: trading.md 6.3, 6.4 (C21, C22); market.md 3.6 step 1.
 */
import { type CancelReason, numberOfId } from '../../model/index.ts'
import { endOrder, isStill } from '../market/index.ts'
import {
  type InstrumentRow,
  type LiveOrder,
  orderAt,
  type Turn,
  visitAccountOrders,
} from '../state/index.ts'

/**
 * Cancels the good-til-day orders of an instrument, or of all in the order of listing; the day of a
 * dormant one has not begun.
 */
export function endDayOrders(turn: Turn, row: InstrumentRow | null): void {
  const isMeant = ({ instrument, timeInForce, stage }: LiveOrder): boolean =>
    timeInForce === 'good_til_day' &&
    stage !== 'dormant' &&
    (row === null || instrument === row.instrument.id)
  endMeant(turn, isMeant, 'settlement')
}

/** Cancels every order of an instrument, those that wait included. */
export function endOrders(turn: Turn, row: InstrumentRow, reason: CancelReason): void {
  endMeant(turn, ({ instrument }) => instrument === row.instrument.id, reason)
}

/**
 * Cancels live orders in one pass over all accounts: instruments in the order of listing, orders in that
 * of their creation. Ending one may end others, which are then left alone.
 */
function endMeant(turn: Turn, isMeant: (order: LiveOrder) => boolean, reason: CancelReason): void {
  const { exchange } = turn
  const found: { readonly slot: number; readonly order: LiveOrder['id']; readonly at: number }[] =
    []
  if (exchange.slots.used === 0) return
  for (const { account } of exchange.accounts) {
    visitAccountOrders(exchange, account.id, (slot) => {
      const order = orderAt(exchange, slot)
      if (isMeant(order)) found.push({ slot, order: order.id, at: order.instrument })
    })
  }
  found.sort(
    (left, right) => left.at - right.at || numberOfId(left.order) - numberOfId(right.order),
  )
  for (const { slot, order } of found) {
    if (isStill(exchange, slot, order)) endOrder(turn, slot, reason)
  }
}
