/**
 * The first step of a liquidation: it cancels every open order of the account, including orders that wait for a price
 * or for another order.
 *
 * The lock applies to the whole account, so the cancel does too: the owner could neither edit nor cancel a remaining
 * order of another currency. Only orders behind the speed bump remain, and end at their release.
 * Source: market.md 6.6 step 2; R53.
 */
import type { CancelReason } from '../../model/index.ts'
import { endOrder, isStill } from '../market/index.ts'
import { holdingOfOrder, type InstrumentRow, orderAt, type Turn, visitAccountOrders } from '../state/index.ts'
import type { Pool } from '../value/index.ts'

/** Cancels the orders of an account in the order of their creation. Events: `order` cancelled of each. */
export function cancelAll(turn: Turn, { account }: Pool): void {
  cancelWhere(turn, {
    account: account.account.id,
    reason: 'autoliquidation',
    // Orders behind the speed bump end at their release (sessions document 8.8).
    isMeant: (_row, slot) => orderAt(turn.exchange, slot).stage !== 'bumped',
  })
}

/** Cancels the selected orders of an account. */
export function cancelWhere(
  turn: Turn,
  of: {
    readonly account: number
    readonly reason: CancelReason
    readonly isMeant: (row: InstrumentRow, slot: number) => boolean
  },
): void {
  const { exchange } = turn
  const { account, reason, isMeant } = of
  const meant: { readonly slot: number; readonly id: number }[] = []
  visitAccountOrders(exchange, account, (slot) => {
    const { row } = holdingOfOrder(exchange, slot)
    if (isMeant(row, slot)) meant.push({ slot, id: orderAt(exchange, slot).id })
  })
  for (const { slot, id } of meant) if (isStill(exchange, slot, id)) endOrder(turn, slot, reason)
}
