/**
 * The facts of live orders that their book does not know: a plain record for each, its times and its
 * neighbours in the account's list in columns, all under the slots of the book.
 *
 * The columns hold what would cost a record a boxed number each. About 240 bytes a resting order,
 * the book's slot and the table of ids included; `npm run bench` measures it. The record of a slot is
 * used again for the next order there: live orders outlive garbage collections, and copying 10,000
 * of them each time cost the engine a twentieth.
 */
import { assert, type Micros, micros, type OrderId, type Ticks } from '../../core/index.ts'
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
  readonly records: { -readonly [Field in keyof LiveOrder]: LiveOrder[Field] }[]
  /** Creation and last change of each slot. */
  times: Float64Array
  /** Next and previous order of the same account. */
  links: Int32Array
}

/** No orders yet. */
export function createLiveOrders(): LiveOrders {
  return { records: [], times: new Float64Array(0), links: new Int32Array(0) }
}

/** The holding of an order that is no more. */
const NO_HOLDING = -1

/**
 * Puts an order under a slot below `capacity`; the caller keeps it no longer. Its links are none of
 * its business.
 */
export function putOrder(
  orders: LiveOrders,
  slot: number,
  live: { readonly order: LiveOrder; readonly time: number; readonly capacity: number },
): void {
  if (orders.times.length < live.capacity * 2) grow(orders, live.capacity)
  keepOrder(orders, slot, live.order)
  orders.times[slot * 2] = live.time
  orders.times[slot * 2 + 1] = live.time
}

/** Lets go of the order under a slot; its record waits for the next one. */
export function dropOrder(orders: LiveOrders, slot: number): void {
  const record = orders.records[slot]
  assert(record !== undefined && record.holding !== NO_HOLDING, 'an order that ends is live')
  record.holding = NO_HOLDING
  record.label = ''
  record.fills = null
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

function keepOrder(orders: LiveOrders, slot: number, order: LiveOrder): void {
  const record = orders.records[slot]
  if (record === undefined) {
    orders.records[slot] = order
    return
  }
  record.id = order.id
  record.instrument = order.instrument
  record.side = order.side
  record.type = order.type
  record.timeInForce = order.timeInForce
  record.label = order.label
  record.postOnly = order.postOnly
  record.reduceOnly = order.reduceOnly
  record.amount = order.amount
  record.replaced = order.replaced
  record.created = order.created
  record.holding = order.holding
  record.fills = order.fills
}

function grow(orders: LiveOrders, capacity: number): void {
  const times = new Float64Array(capacity * 2)
  times.set(orders.times)
  orders.times = times
  const links = new Int32Array(capacity * 2)
  links.set(orders.links)
  orders.links = links
}
