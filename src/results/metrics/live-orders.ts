/**
 * Live orders as records in slots, found by id. A map of objects would burden the garbage collector with every order.
 * Memory: 48 to 96 bytes for each order at the peak of live orders, and 21 to 43 in the table of ids.
 */
import {
  assert,
  createIntMap,
  createRecords,
  type IntMap,
  intMapDelete,
  intMapGet,
  intMapSet,
  type Plain,
  type Records,
  recordLayout,
  type Unit,
} from '../../core/index.ts'

const layout = recordLayout(['order', 'createdAt', 'arrival', 'trigger'], ['account', 'instrument', 'partly'])
const { order: ORDER, createdAt: CREATED_AT, arrival: ARRIVAL, trigger: TRIGGER } = layout.doubles
const { account: ACCOUNT, instrument: INSTRUMENT, partly: PARTLY } = layout.words
const { doubles: DOUBLES, words: WORDS } = layout.lengths
const CAPACITY_MIN = 64
const NONE = -1

/** All live orders; only this file accesses the records. */
export interface LiveOrders {
  readonly slots: IntMap
  records: Records
  /** Number of slots ever used. */
  used: number
  readonly free: number[]
}

/** A live order. */
export interface LiveOrder {
  readonly order: number
  readonly account: number
  readonly instrument: number
  readonly createdAt: number
  /** Mid price in 1e-9 at the arrival of the request that priced it; 0 if the book had none then. */
  readonly arrival: number
  /** Trigger price in 1e-9 of an order that a trigger placed; otherwise 0. */
  readonly trigger: number
}

/** Creates an empty set of live orders. */
export function createLiveOrders(): LiveOrders {
  return {
    slots: createIntMap(),
    records: createRecords(layout, CAPACITY_MIN),
    used: 0,
    free: [],
  }
}

/** Adds an order. */
export function addOrder(live: LiveOrders, of: LiveOrder): void {
  assert(slotOf(live, of.order) === NONE, 'an order is opened once')
  const slot = live.free.pop() ?? nextSlot(live)
  intMapSet(live.slots, of.order, slot)
  const { doubles, words } = live.records
  const [at, word] = [slot * DOUBLES, slot * WORDS]
  doubles[at + ORDER] = of.order
  doubles[at + CREATED_AT] = of.createdAt
  doubles[at + ARRIVAL] = of.arrival
  doubles[at + TRIGGER] = of.trigger
  words[word + ACCOUNT] = of.account
  words[word + INSTRUMENT] = of.instrument
  words[word + PARTLY] = 0
}

/** The slot of an order, or -1. */
export function slotOf(orders: LiveOrders, order: number): number {
  return intMapGet(orders.slots, order)
}

/** Removes an order; returns true if it was partly filled. */
export function removeLiveOrder(live: LiveOrders, order: number): boolean {
  const slot = slotOf(live, order)
  if (slot === NONE) return false
  intMapDelete(live.slots, order)
  live.free.push(slot)
  live.records.doubles[slot * DOUBLES + ORDER] = NONE
  return live.records.words[slot * WORDS + PARTLY] === 1
}

/** Marks an order as partly filled; returns false if it already was, or if the order is unknown. */
export function notePartFilled(live: LiveOrders, order: number): boolean {
  const slot = slotOf(live, order)
  const { words } = live.records
  if (slot === NONE || words[slot * WORDS + PARTLY] === 1) return false
  words[slot * WORDS + PARTLY] = 1
  return true
}

/** Sets the mid price at which a request priced the order in a slot. */
export function setArrival(orders: LiveOrders, slot: number, mid: number): void {
  orders.records.doubles[slot * DOUBLES + ARRIVAL] = mid
}

export function accountIn(orders: LiveOrders, slot: number): number {
  return orders.records.words[slot * WORDS + ACCOUNT] as number
}

export function instrumentIn(orders: LiveOrders, slot: number): number {
  return orders.records.words[slot * WORDS + INSTRUMENT] as number
}

export function createdAtIn(orders: LiveOrders, slot: number): number {
  return orders.records.doubles[slot * DOUBLES + CREATED_AT] as number
}

export function arrivalIn(orders: LiveOrders, slot: number): number {
  return orders.records.doubles[slot * DOUBLES + ARRIVAL] as number
}

export function triggerIn(orders: LiveOrders, slot: number): number {
  return orders.records.doubles[slot * DOUBLES + TRIGGER] as number
}

/** Snapshots contain live orders in ascending order of ids, independent of their slots. */
export const liveOrdersUnit: Unit<LiveOrders> = {
  name: 'live orders',
  save: (live) => {
    const rows: Plain[][] = []
    for (let slot = 0; slot < live.used; slot += 1) {
      const order = live.records.doubles[slot * DOUBLES + ORDER] as number
      if (order === NONE) continue
      rows.push([
        order,
        accountIn(live, slot),
        instrumentIn(live, slot),
        createdAtIn(live, slot),
        arrivalIn(live, slot),
        triggerIn(live, slot),
        live.records.words[slot * WORDS + PARTLY] as number,
      ])
    }
    return rows.sort(([left], [right]) => Number(left) - Number(right))
  },
  load: (plain) => {
    const live = createLiveOrders()
    // `save` wrote this plain form.
    for (const saved of plain as readonly (readonly number[])[]) {
      const [order = 0, account = 0, instrument = 0, createdAt = 0, arrival = 0, trigger = 0] = saved
      addOrder(live, { order, account, instrument, createdAt, arrival, trigger })
      if (saved[6] === 1) notePartFilled(live, order)
    }
    return live
  },
}

function nextSlot(live: LiveOrders): number {
  const slot = live.used
  live.used += 1
  const { doubles } = live.records
  if (live.used * DOUBLES > doubles.length) {
    live.records = createRecords(layout, 2 * slot)
    live.records.doubles.set(doubles)
  }
  return slot
}
