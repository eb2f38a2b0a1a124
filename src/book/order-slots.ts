/**
 * Slots of resting orders, shared by all books of an exchange: struct of arrays under integer slots.
 *
 * Only what matching touches is here: price, remaining size and the part of it that is hidden,
 * neighbours in the queue, owner. An
 * order's other fields are a plain record beside it, kept by the engine under the same slot.
 * Free slots form a list through `next`. 52 bytes a slot; the arrays double when full.
 * Units: price in base ticks, remaining, hidden and ahead in lots.
 */
import { assert } from '../core/index.ts'

/** No slot, no neighbour. */
export const NO_SLOT = -1

/** The arrays; index arithmetic stays in this folder. */
export interface OrderSlots {
  price: Float64Array
  /** All that is left, hidden parts included. */
  remaining: Float64Array
  /** The part of it that an iceberg does not show. */
  hidden: Float64Array
  /** Recorded size before the order in its queue; 0 in a closed book. */
  ahead: Float64Array
  /** Lots by which rows have cut `ahead`, and which a print may still explain; see `prints.ts`. */
  cut: Float64Array
  next: Int32Array
  previous: Int32Array
  owner: Int32Array
  capacity: number
  /** First free slot, or NO_SLOT. */
  free: number
  /** Slots handed out. */
  used: number
}

const CAPACITY_MIN = 64
/** A bound on everything that can grow: 2^26 live orders is 3 GB of slots. */
export const ORDER_SLOTS_MAX = 67_108_864

/** An empty pool of slots. */
export function createOrderSlots(): OrderSlots {
  const slots: OrderSlots = {
    price: new Float64Array(0),
    remaining: new Float64Array(0),
    hidden: new Float64Array(0),
    ahead: new Float64Array(0),
    cut: new Float64Array(0),
    next: new Int32Array(0),
    previous: new Int32Array(0),
    owner: new Int32Array(0),
    capacity: 0,
    free: NO_SLOT,
    used: 0,
  }
  grow(slots, CAPACITY_MIN)
  return slots
}

/** Takes a free slot for an order of `owner`. */
export function takeSlot(
  slots: OrderSlots,
  order: { readonly owner: number; readonly price: number; readonly remaining: number },
): number {
  if (slots.free === NO_SLOT) grow(slots, slots.capacity * 2)
  const slot = slots.free
  slots.free = slots.next[slot] as number
  slots.price[slot] = order.price
  slots.remaining[slot] = order.remaining
  slots.hidden[slot] = 0
  slots.ahead[slot] = 0
  slots.cut[slot] = 0
  slots.owner[slot] = order.owner
  slots.next[slot] = NO_SLOT
  slots.previous[slot] = NO_SLOT
  slots.used += 1
  return slot
}

/** Gives a slot back; the order must have left its book. */
export function releaseSlot(slots: OrderSlots, slot: number): void {
  assert(slots.owner[slot] !== NO_SLOT, 'a slot that is released was taken')
  slots.owner[slot] = NO_SLOT
  slots.next[slot] = slots.free
  slots.free = slot
  slots.used -= 1
}

/** What is left of the order in a slot. */
export function remainingOf(slots: OrderSlots, slot: number): number {
  return slots.remaining[slot] as number
}

/** What an iceberg hides of it; 0 for an order that shows all. */
export function hiddenOf(slots: OrderSlots, slot: number): number {
  return slots.hidden[slot] as number
}

/** What can be seen of it. */
export function shownOf(slots: OrderSlots, slot: number): number {
  return (slots.remaining[slot] as number) - (slots.hidden[slot] as number)
}

/** Hides so much of an order that is not in a book. */
export function setHidden(slots: OrderSlots, slot: number, hidden: number): void {
  slots.hidden[slot] = hidden
}

/** The price of the order in a slot. */
export function priceOf(slots: OrderSlots, slot: number): number {
  return slots.price[slot] as number
}

/** The account of the order in a slot. */
export function ownerOf(slots: OrderSlots, slot: number): number {
  return slots.owner[slot] as number
}

/** Sets price and remaining of an order that is not in a book. */
export function setSlot(
  slots: OrderSlots,
  slot: number,
  order: { price: number; remaining: number },
): void {
  slots.price[slot] = order.price
  slots.remaining[slot] = order.remaining
}

function grow(slots: OrderSlots, capacity: number): void {
  assert(capacity <= ORDER_SLOTS_MAX, `at most ${ORDER_SLOTS_MAX} orders live at once`)
  const first = slots.capacity
  slots.price = extended(new Float64Array(capacity), slots.price)
  slots.remaining = extended(new Float64Array(capacity), slots.remaining)
  slots.hidden = extended(new Float64Array(capacity), slots.hidden)
  slots.ahead = extended(new Float64Array(capacity), slots.ahead)
  slots.cut = extended(new Float64Array(capacity), slots.cut)
  slots.next = extended(new Int32Array(capacity), slots.next)
  slots.previous = extended(new Int32Array(capacity), slots.previous)
  slots.owner = extended(new Int32Array(capacity), slots.owner)
  slots.capacity = capacity
  slots.owner.fill(NO_SLOT, first)
  // The list hands out low slots first, so that a run touches as little memory as it can.
  for (let slot = capacity - 1; slot >= first; slot -= 1) {
    slots.next[slot] = slots.free
    slots.free = slot
  }
}

function extended<T extends Float64Array | Int32Array>(larger: T, old: T): T {
  larger.set(old)
  return larger
}
