/**
 * The facts of live orders that their book does not know: a plain record for each, its times and its
 * neighbours in the account's list in columns, all under the slots of the book.
 *
 * The columns hold what would cost a record a boxed number each. About 240 bytes a resting order,
 * the book's slot and the table of ids included; `npm run bench` measures it.
 */
import { defined, type Micros, micros, type OrderId, type Ticks } from '../../core/index.ts'
import type { Order } from '../../model/index.ts'

/** A live order: what people asked for, and what the engine needs to find at once. */
export interface LiveOrder extends Order {
  readonly id: OrderId
  /** The holding whose order it is, which knows account and instrument. */
  readonly holding: number
  /**
   * What its fills were made at: null before the first, their price while they all had one, then
   * the basis of all of them as a wide integer.
   */
  fills: null | Ticks | Float64Array
}

/** The records and columns; only this file knows the layout of the columns. */
export interface LiveOrders {
  readonly records: (LiveOrder | undefined)[]
  /** Creation and last change of each slot. */
  times: Float64Array
  /** Next and previous order of the same account. */
  links: Int32Array
}

/** No orders yet. */
export function createLiveOrders(): LiveOrders {
  return { records: [], times: new Float64Array(0), links: new Int32Array(0) }
}

/** Puts an order under a slot below `capacity`; its links are none of its business. */
export function putOrder(
  orders: LiveOrders,
  slot: number,
  live: { readonly order: LiveOrder; readonly time: number; readonly capacity: number },
): void {
  if (orders.times.length < live.capacity * 2) grow(orders, live.capacity)
  orders.records[slot] = live.order
  orders.times[slot * 2] = live.time
  orders.times[slot * 2 + 1] = live.time
}

/** Lets go of the order under a slot. */
export function dropOrder(orders: LiveOrders, slot: number): void {
  orders.records[slot] = undefined
}

/** The order under a slot that is in use. */
export function recordAt(orders: LiveOrders, slot: number): LiveOrder {
  return defined(orders.records[slot], 'a live order has a record')
}

/** The time of its creation. */
export function creationTimeAt(orders: LiveOrders, slot: number): Micros {
  return micros(orders.times[slot * 2] as number)
}

/** The time of its last change. */
export function updateTimeAt(orders: LiveOrders, slot: number): Micros {
  return micros(orders.times[slot * 2 + 1] as number)
}

/** Notes the time of a change. */
export function setUpdateTime(orders: LiveOrders, slot: number, time: number): void {
  orders.times[slot * 2 + 1] = time
}

/** The order after it in its account's list. */
export function nextInAccount(orders: LiveOrders, slot: number): number {
  return orders.links[slot * 2] as number
}

/** The order before it. */
export function previousInAccount(orders: LiveOrders, slot: number): number {
  return orders.links[slot * 2 + 1] as number
}

/** Sets the order after it. */
export function setNextInAccount(orders: LiveOrders, slot: number, next: number): void {
  orders.links[slot * 2] = next
}

/** Sets the order before it. */
export function setPreviousInAccount(orders: LiveOrders, slot: number, previous: number): void {
  orders.links[slot * 2 + 1] = previous
}

function grow(orders: LiveOrders, capacity: number): void {
  const times = new Float64Array(capacity * 2)
  times.set(orders.times)
  orders.times = times
  const links = new Int32Array(capacity * 2)
  links.set(orders.links)
  orders.links = links
}
