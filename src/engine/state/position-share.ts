/**
 * How a position is shared among the orders that may only reduce it: who comes first, and how much each
 * gets. Source: trading.md 6.8 (C26).
 */
import { isAheadInQueue, NO_SLOT, priceOf } from '../../book/index.ts'
import type { Side } from '../../model/index.ts'
import type { Exchange } from './exchange.ts'
import type { HoldingRow } from './holding-row.ts'
import { orderAt } from './orders.ts'

/** A position that is shared out. */
export interface Share {
  left: number
  /** What each order got. */
  readonly kept: Map<number, number>
}

/** A position of which nobody has a part yet. */
export function shareOf(position: number): Share {
  return { left: position, kept: new Map() }
}

/**
 * Takes an order's part of a position. Two of which one cancels the other share one part: a fill of one
 * ends or cuts the other, so that both never execute beyond the position. Assumed: C26 does not speak of
 * them, and without this the stop of a bracket would end its take profit, and so itself, as it fires.
 */
export function take(
  share: Share,
  of: { readonly id: number; readonly partner: number; readonly wanted: number },
): number {
  const shared = share.kept.get(of.partner) ?? 0
  const keep = Math.min(of.wanted, shared + share.left)
  share.left -= Math.max(0, keep - shared)
  share.kept.set(of.id, keep)
  return keep
}

/** The partner of a live order; 0 for none. */
export function partnerAt(exchange: Exchange, slot: number): number {
  return orderAt(exchange, slot).link?.partner ?? 0
}

/** The orders of a side by price, then by their place in the queue; who enters comes last of a price. */
export function inExecutionOrder(
  exchange: Exchange,
  owner: HoldingRow,
  of: { readonly side: Side; readonly entering: number },
): readonly { readonly slot: number; readonly id: number }[] {
  const { slots } = exchange
  const { side, entering } = of
  const all = entering === NO_SLOT ? owner.reducing : [...owner.reducing, entering]
  const better = side === 'buy' ? -1 : 1
  const { book } = owner.row
  return all
    .filter((slot) => orderAt(exchange, slot).side === side)
    .sort((left, right) => {
      const apart = (priceOf(slots, left) - priceOf(slots, right)) * better
      if (apart !== 0 || left === right) return apart
      if (left === entering || right === entering) return left === entering ? 1 : -1
      const [isLeftOut, isRightOut] = [left, right].map(
        (slot) => orderAt(exchange, slot).stage === 'emptied',
      )
      if (isLeftOut !== isRightOut) return isLeftOut ? 1 : -1
      // Of two whose visible parts are gone the list has the older first, and sorting is stable.
      if (isLeftOut) return 0
      return isAheadInQueue(book, left, right) ? -1 : 1
    })
    .map((slot) => ({ slot, id: orderAt(exchange, slot).id }))
}
