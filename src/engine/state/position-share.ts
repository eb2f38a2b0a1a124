/**
 * How the reduce-only orders of a holding share its position: their order of execution, and the size of each. Source:
 * trading.md 6.8 (C26).
 */
import { NO_SLOT, placeOf, priceOf, remainingOf } from '../../book/index.ts'
import { NO_ORDER, type Side } from '../../model/index.ts'
import type { Exchange } from './exchange.ts'
import type { HoldingRow } from './holding-row.ts'
import type { LiveOrder } from './live-order.ts'
import { orderAt } from './orders.ts'

/** A position that is being shared. */
export interface Share {
  left: number
  /** Size that each order with a partner received. */
  readonly kept: Map<number, number>
}

/** A position before any order has received a part. */
export function shareOf(position: number): Share {
  return { left: position, kept: new Map() }
}

/**
 * Takes an order's part of a position. Two partners, of which one cancels the other, share one part: a fill of one ends
 * or cuts the other, so both together never execute beyond the position. Assumed: C26 does not mention partners.
 * Without this rule the stop of a bracket would end its take profit, and thereby itself, when it fires.
 */
export function take(share: Share, id: number, partner: number, wanted: number): number {
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
 * Total size in lots of the resting reduce-only orders of a side, without the order in slot `except` (NO_SLOT for
 * none). Partners count twice here, so orders that fit into this total always fit.
 */
export function wantedShare(exchange: Exchange, owner: HoldingRow, side: Side, except: number): number {
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

/** True if an order at `price` executes before or together with orders at `other`. */
export function isAtOrBefore(side: Side, price: number, other: number): boolean {
  return side === 'buy' ? price >= other : price <= other
}

/** A reduce-only order with the values that determine when it executes. */
interface Reducing {
  readonly slot: number
  readonly id: number
  readonly price: number
  readonly place: number
}

/** The place of an order that executes after all orders in a queue. */
const BEHIND_QUEUES = Number.MAX_SAFE_INTEGER

/** The orders of a side by price, then by their place in the queue. The entering order is last at its price. */
export function inExecutionOrder(
  exchange: Exchange,
  owner: HoldingRow,
  side: Side,
  entering: number,
): readonly Reducing[] {
  const { slots } = exchange
  const found: Reducing[] = []
  const add = (slot: number, isInQueue: boolean): void => {
    const place = isInQueue ? placeOf(slots, slot) : BEHIND_QUEUES
    const { id } = orderAt(exchange, slot)
    found.push({ slot, id, price: priceOf(slots, slot), place })
  }
  for (const slot of owner.reducing) {
    const order = orderAt(exchange, slot)
    // If two icebergs are `emptied`, the list has the older one first, and the sort is stable.
    if (order.side === side) add(slot, order.stage !== 'emptied')
  }
  if (entering !== NO_SLOT && orderAt(exchange, entering).side === side) add(entering, false)
  const better = side === 'buy' ? -1 : 1
  return found.sort((left, right) => {
    const apart = (left.price - right.price) * better
    return apart === 0 ? left.place - right.place : apart
  })
}
