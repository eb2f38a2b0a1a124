/**
 * Reduce-only orders: the total size of an account's reduce-only orders on one instrument never exceeds its position.
 *
 * Rule: order.reduce-only. The order that would execute first has precedence, those behind it shrink, and none grows
 * back. They do not count in margin. Source: trading.md 6.8 (C26).
 */
import { NO_SLOT, priceOf, remainingOf } from '../../book/index.ts'
import { type Side, sides } from '../../model/index.ts'
import {
  type Exchange,
  type HoldingRow,
  inExecutionOrder,
  isAtOrBefore,
  orderAt,
  partnerAt,
  reducible,
  shareOf,
  type Turn,
  take,
  wantedShare,
} from '../state/index.ts'
import { endOrder, isStill } from './ending.ts'
import { cutOrderTo } from './links.ts'

/**
 * Shares the position of a holding among its reduce-only orders, including the order in slot `entering` (or NO_SLOT)
 * that is about to be matched. Events: `order` resized for orders that shrink, `order` cancelled for orders with no
 * size left; buys before sells, best price first.
 */
export function reallocate(turn: Turn, owner: HoldingRow, entering: number): void {
  const { exchange } = turn
  if (owner.reducing.length === 0 && entering === NO_SLOT) return
  const enters = entering === NO_SLOT ? null : orderAt(exchange, entering).side
  for (const side of sides) {
    const entersHere = enters === side
    const position = reducible(exchange, owner.holding, side)
    const own = entersHere ? remainingOf(exchange.slots, entering) : 0
    // If all orders fit, each keeps its size.
    if (wantedShare(exchange, owner, side, NO_SLOT) + own <= position) continue
    const share = shareOf(position)
    for (const { slot, id } of inExecutionOrder(exchange, owner, side, entersHere ? entering : NO_SLOT)) {
      // An order that ended may have ended its partner too.
      if (!isStill(exchange, slot, id)) continue
      const remaining = remainingOf(exchange.slots, slot)
      const keep = take(share, id, partnerAt(exchange, slot), remaining)
      if (keep === remaining) continue
      if (keep === 0) endOrder(turn, slot, 'risk_mitigation')
      else cutOrderTo(turn, slot, keep, 'reduce_only')
    }
  }
}

/** The reduce-only order, and the orders that do not count. */
interface AllocatedOrder {
  readonly side: Side
  readonly price: number
  readonly lots: number
  readonly except: number
  readonly partner: number
}

/**
 * The part of `lots` that an order would keep when it enters its book, after the orders that execute before it;
 * `except` is the slot of the order that it replaces, or NO_SLOT.
 */
export function allocation(exchange: Exchange, owner: HoldingRow, order: AllocatedOrder): number {
  const { side, price, lots, except, partner } = order
  const position = reducible(exchange, owner.holding, side)
  if (wantedShare(exchange, owner, side, except) + lots <= position) return lots
  const share = shareOf(position)
  for (const { slot, id } of inExecutionOrder(exchange, owner, side, NO_SLOT)) {
    const own = priceOf(exchange.slots, slot)
    if (slot === except || !isAtOrBefore(side, own, price)) continue
    const wanted = remainingOf(exchange.slots, slot)
    take(share, id, partnerAt(exchange, slot), wanted)
  }
  return Math.min(lots, share.left + (share.kept.get(partner) ?? 0))
}
