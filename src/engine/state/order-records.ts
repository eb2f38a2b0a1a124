/**
 * The facts of live orders that their book does not know: a plain record for each, its times and its
 * neighbours in the account's list in columns, all under the slots of the book.
 *
 * The columns hold what would cost a record a boxed number each. About 240 bytes a resting order,
 * the book's slot and the table of ids included; `npm run bench` measures it. The record of a slot is
 * used again for the next order there: live orders outlive garbage collections, and copying 10,000
 * of them each time cost the engine a twentieth.
 */
import { assert, type Micros, micros } from '../../core/index.ts'
import type { LiveOrder, OrderRecord } from './live-order.ts'
import { NO_HOLDING, noRecord, OrderTermsRecord } from './order-terms.ts'

/** The records and columns; only this file knows the layout of the columns. */
export interface LiveOrders {
  readonly records: OrderTermsRecord[]
  /** Creation and last change of each slot. */
  times: Float64Array
  /** Next and previous order of the same account. */
  links: Int32Array
}

/** No orders yet. */
export function createLiveOrders(): LiveOrders {
  return { records: [], times: new Float64Array(0), links: new Int32Array(0) }
}

/**
 * The record of a slot below `capacity` that was just taken, for the caller to fill: every field but
 * the times, which are set to `time`. Its neighbours are none of its business.
 */
export function recordFor(
  orders: LiveOrders,
  slot: number,
  live: { readonly time: number; readonly capacity: number },
): OrderRecord {
  if (orders.times.length < live.capacity * 2) grow(orders, live.capacity)
  orders.times[slot * 2] = live.time
  orders.times[slot * 2 + 1] = live.time
  const known = orders.records[slot]
  if (known !== undefined) return known
  const made = new OrderTermsRecord()
  orders.records[slot] = made
  return made
}

/** Lets go of the order under a slot; its record waits for the next one. */
export function dropOrder(orders: LiveOrders, slot: number): void {
  const record = orders.records[slot]
  assert(record !== undefined && record.holding !== NO_HOLDING, 'an order that ends is live')
  record.holding = NO_HOLDING
  record.fills = null
  record.clearRare()
}

/** True if a slot still holds the order of this id. */
export function holdsOrder(orders: LiveOrders, slot: number, id: number): boolean {
  const record = orders.records[slot] ?? noRecord
  return record.id === id && record.holding !== NO_HOLDING
}

/** The order under a slot that is in use. Whoever keeps it beyond the command copies it. */
export function recordAt(orders: LiveOrders, slot: number): LiveOrder {
  const record = orders.records[slot]
  assert(record !== undefined && record.holding !== NO_HOLDING, 'a live order has a record')
  return record
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
