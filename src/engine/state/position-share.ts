/**
 * How a position is shared among the orders that may only reduce it: who comes first, and how much each
 * gets. Source: trading.md 6.8 (C26).
 */
import { NO_SLOT, placeOf, priceOf, remainingOf } from '../../book/index.ts'
import { NO_ORDER, type Side } from '../../model/index.ts'
import type { Exchange } from './exchange.ts'
import type { HoldingRow } from './holding-row.ts'
import type { LiveOrder } from './live-order.ts'
import { orderAt } from './orders.ts'

/** A position that is shared out. */
export interface Share {
  left: number
  /** Size that each order with a partner got. */
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
  const { id, partner, wanted } = of
  const shared = partner === NO_ORDER ? 0 : (share.kept.get(partner) ?? 0)
  const keep = Math.min(wanted, shared + share.left)
  share.left -= Math.max(0, keep - shared)
  if (partner !== NO_ORDER) share.kept.set(id, keep)
  return keep
}

/** The partner of a live order, or `NO_ORDER`. */
export function partnerAt(exchange: Exchange, slot: number): number {
  return orderAt(exchange, slot).link?.partner ?? NO_ORDER
}

/**
 * Size that the resting reduce-only orders of a side want together, but for the one in slot `except`, else NO_SLOT.
 * Partners count twice here: orders which fit by this fit.
 */
export function wantedShare(
  exchange: Exchange,
  owner: HoldingRow,
  of: { readonly side: Side; readonly except: number },
): number {
  const { side, except } = of
  const all = owner.wanted[side]
  if (except === NO_SLOT) return all
  const order = orderAt(exchange, except)
  const isCounted = order.side === side && order.reduceOnly && sharesPosition(order)
  return isCounted ? all - remainingOf(exchange.slots, except) : all
}

/** True if a reduce-only order is one of those that share the position of its holding. */
export function sharesPosition({ stage }: LiveOrder): boolean {
  return stage === 'resting' || stage === 'emptied'
}

/** True if an order at a price executes before those at another, or with them. */
export function isAtOrBefore(side: Side, price: number, other: number): boolean {
  return side === 'buy' ? price >= other : price <= other
}

/** A reduce-only order with what decides when it executes. */
interface Reducing {
  readonly slot: number
  readonly id: number
  readonly price: number
  readonly place: number
}

/** Behind all that stand in a queue. */
const BEHIND_QUEUES = Number.MAX_SAFE_INTEGER

/** The orders of a side by price, then by their place in the queue; who enters comes last of a price. */
export function inExecutionOrder(
  exchange: Exchange,
  owner: HoldingRow,
  of: { readonly side: Side; readonly entering: number },
): readonly Reducing[] {
  const { slots } = exchange
  const { side, entering } = of
  const found: Reducing[] = []
  const add = (slot: number, isInQueue: boolean): void => {
    const place = isInQueue ? placeOf(slots, slot) : BEHIND_QUEUES
    const { id } = orderAt(exchange, slot)
    found.push({ slot, id, price: priceOf(slots, slot), place })
  }
  for (const slot of owner.reducing) {
    const order = orderAt(exchange, slot)
    // Of two whose visible parts are gone the list has the older first, and sorting is stable.
    if (order.side === side) add(slot, order.stage !== 'emptied')
  }
  if (entering !== NO_SLOT && orderAt(exchange, entering).side === side) add(entering, false)
  const better = side === 'buy' ? -1 : 1
  return found.sort((left, right) => {
    const apart = (left.price - right.price) * better
    return apart === 0 ? left.place - right.place : apart
  })
}
