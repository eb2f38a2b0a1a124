/**
 * Orders that end with their day or with their instrument.
 *
 * Rule: order.good-til-day. Source: trading.md 6.3, 6.4 (C21, C22); market.md 3.6 step 1.
 */
import { type CancelReason, numberOfId } from '../../model/index.ts'
import type { Turn } from '../emit.ts'
import { endOrder, isStill } from '../matching/ending.ts'
import type { InstrumentRow } from '../state/exchange.ts'
import type { LiveOrder } from '../state/order-records.ts'
import { orderAt, visitAccountOrders } from '../state/orders.ts'

/** Cancels the good-til-day orders of an instrument; the day of a dormant one has not begun. */
export function endDay(turn: Turn, row: InstrumentRow): void {
  for (const { slot, id } of liveOrdersOf(turn, row)) {
    if (!isStill(turn.exchange, slot, id)) continue
    const { timeInForce, stage } = orderAt(turn.exchange, slot)
    if (timeInForce !== 'good_til_day' || stage === 'dormant') continue
    endOrder(turn, slot, 'settlement')
  }
}

/** Cancels every order of an instrument, those that wait included. */
export function endOrders(turn: Turn, row: InstrumentRow, reason: CancelReason): void {
  for (const { slot, id } of liveOrdersOf(turn, row)) {
    if (isStill(turn.exchange, slot, id)) endOrder(turn, slot, reason)
  }
}

/** The live orders of an instrument in the order of creation, those that wait included. */
function liveOrdersOf(
  { exchange }: Turn,
  row: InstrumentRow,
): readonly { readonly slot: number; readonly id: LiveOrder['id'] }[] {
  const found: { readonly slot: number; readonly id: LiveOrder['id'] }[] = []
  for (const { account } of exchange.accounts) {
    visitAccountOrders(exchange, account.id, (slot) => {
      const { id, instrument } = orderAt(exchange, slot)
      if (instrument === row.instrument.id) found.push({ slot, id })
    })
  }
  return found.sort((left, right) => numberOfId(left.id) - numberOfId(right.id))
}
