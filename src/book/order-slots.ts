/**
 * Slots of resting orders, shared by all books of an exchange: one record for each order, identified by an integer.
 *
 * A slot contains only the fields that matching uses: price, remaining size and its hidden part, neighbours in the
 * queue, owner. The engine keeps the other fields of an order in a separate record under the same slot. Free slots form
 * a list through the next neighbour. A slot takes 64 bytes; a full pool grows by a quarter. Units: price in base ticks,
 * remaining, hidden, ahead and cut in lots.
 */
import { assert, createRecords, type Records, recordLayout } from '../core/index.ts'

/** No slot, no neighbour. */
export const NO_SLOT = -1

/** The records; only this file uses the places in them. */
export interface OrderSlots extends Records {
  capacity: number
  /** First free slot, or NO_SLOT. */
  free: number
  /** Slots in use. */
  used: number
  /** Number of arrivals in queues so far. */
  arrivals: number
}

const layout = recordLayout(['price', 'remaining', 'hidden', 'ahead', 'cut', 'place'], ['next', 'previous', 'owner'])
const { doubles: DOUBLES, words: WORDS } = layout.lengths
const { price: PRICE, remaining: REMAINING, hidden: HIDDEN, ahead: AHEAD, cut: CUT, place: PLACE } = layout.doubles
const { next: NEXT, previous: PREVIOUS, owner: OWNER } = layout.words

const CAPACITY_MIN = 64
/** Largest number of live orders: 2^26 orders take 4 GB of slots. */
const ORDER_SLOTS_MAX = 67_108_864

/** An empty pool of slots. */
export function createOrderSlots(): OrderSlots {
  const slots: OrderSlots = {
    ...createRecords(layout, 0),
    capacity: 0,
    free: NO_SLOT,
    used: 0,
    arrivals: 0,
  }
  grow(slots, CAPACITY_MIN)
  return slots
}

/** Takes a free slot for an order of `owner`. */
export function takeSlot(slots: OrderSlots, owner: number, price: number, remaining: number): number {
  if (slots.free === NO_SLOT) {
    grow(slots, Math.min(ORDER_SLOTS_MAX, slots.capacity + (slots.capacity >> 2)))
  }
  const slot = slots.free
  const { doubles, words } = slots
  const double = slot * DOUBLES
  const word = slot * WORDS
  slots.free = words[word + NEXT] as number
  doubles[double + PRICE] = price
  doubles[double + REMAINING] = remaining
  doubles[double + HIDDEN] = 0
  doubles[double + AHEAD] = 0
  doubles[double + CUT] = 0
  words[word + OWNER] = owner
  words[word + NEXT] = NO_SLOT
  words[word + PREVIOUS] = NO_SLOT
  slots.used += 1
  return slot
}

/** Releases a slot; the order must have left its book. */
export function releaseSlot(slots: OrderSlots, slot: number): void {
  assert(ownerOf(slots, slot) !== NO_SLOT, 'a slot is in use before its release')
  slots.words[slot * WORDS + OWNER] = NO_SLOT
  setNext(slots, slot, slots.free)
  slots.free = slot
  slots.used -= 1
}

/** Remaining size of the order in a slot. */
export function remainingOf(slots: OrderSlots, slot: number): number {
  return slots.doubles[slot * DOUBLES + REMAINING] as number
}

/** Sets the remaining size. */
export function setRemaining(slots: OrderSlots, slot: number, remaining: number): void {
  slots.doubles[slot * DOUBLES + REMAINING] = remaining
}

/** Hidden size of an iceberg; 0 for an order that shows all. */
export function hiddenOf(slots: OrderSlots, slot: number): number {
  return slots.doubles[slot * DOUBLES + HIDDEN] as number
}

/** Visible size of the order in a slot. */
export function shownOf(slots: OrderSlots, slot: number): number {
  return remainingOf(slots, slot) - hiddenOf(slots, slot)
}

/** Sets the hidden size. For an order in a book, the caller must also update the size of its level. */
export function setHidden(slots: OrderSlots, slot: number, hidden: number): void {
  slots.doubles[slot * DOUBLES + HIDDEN] = hidden
}

/** The price of the order in a slot. */
export function priceOf(slots: OrderSlots, slot: number): number {
  return slots.doubles[slot * DOUBLES + PRICE] as number
}

/** The account of the order in a slot. */
export function ownerOf(slots: OrderSlots, slot: number): number {
  return slots.words[slot * WORDS + OWNER] as number
}

/** Recorded size ahead of the order in its queue; 0 in a closed book. */
export function aheadOf(slots: OrderSlots, slot: number): number {
  return slots.doubles[slot * DOUBLES + AHEAD] as number
}

/** Sets the size ahead of the order. */
export function setAhead(slots: OrderSlots, slot: number, ahead: number): void {
  slots.doubles[slot * DOUBLES + AHEAD] = ahead
}

/** Lots by which rows have cut the size ahead of the order and which a print may still explain; see `prints.ts`. */
export function cutOf(slots: OrderSlots, slot: number): number {
  return slots.doubles[slot * DOUBLES + CUT] as number
}

/** Sets the lots of `cutOf`. */
export function setCut(slots: OrderSlots, slot: number, cut: number): void {
  slots.doubles[slot * DOUBLES + CUT] = cut
}

/** The number of its last arrival in a queue: of two orders in one queue the one with the lower number comes first. */
export function placeOf(slots: OrderSlots, slot: number): number {
  return slots.doubles[slot * DOUBLES + PLACE] as number
}

/** Moves the order behind all others by a new arrival number. */
export function takePlace(slots: OrderSlots, slot: number): void {
  slots.arrivals += 1
  slots.doubles[slot * DOUBLES + PLACE] = slots.arrivals
}

/** The order behind it in its queue, or NO_SLOT. */
export function nextOf(slots: OrderSlots, slot: number): number {
  return slots.words[slot * WORDS + NEXT] as number
}

/** Sets the order behind it. */
export function setNext(slots: OrderSlots, slot: number, next: number): void {
  slots.words[slot * WORDS + NEXT] = next
}

/** The order before it in its queue, or NO_SLOT. */
export function previousOf(slots: OrderSlots, slot: number): number {
  return slots.words[slot * WORDS + PREVIOUS] as number
}

/** Sets the order before it. */
export function setPrevious(slots: OrderSlots, slot: number, previous: number): void {
  slots.words[slot * WORDS + PREVIOUS] = previous
}

/** Sets price and remaining size of an order that is not in a book. */
export function setSlot(slots: OrderSlots, slot: number, price: number, remaining: number): void {
  slots.doubles[slot * DOUBLES + PRICE] = price
  slots.doubles[slot * DOUBLES + REMAINING] = remaining
}

function grow(slots: OrderSlots, capacity: number): void {
  const first = slots.capacity
  assert(capacity > first, `at most ${ORDER_SLOTS_MAX} orders are live at the same time`)
  const larger = createRecords(layout, capacity)
  larger.doubles.set(slots.doubles)
  Object.assign(slots, larger)
  slots.capacity = capacity
  // The list hands out low slots first, so that a run uses little memory.
  for (let slot = capacity - 1; slot >= first; slot -= 1) {
    slots.words[slot * WORDS + OWNER] = NO_SLOT
    setNext(slots, slot, slots.free)
    slots.free = slot
  }
}
