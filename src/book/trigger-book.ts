/**
 * Trigger orders of one instrument that watch one price. The book determines which of them fire when the price moves.
 *
 * Orders with a fixed price are in two lists, one for rises and one for falls, each with the next order to fire at its
 * end, so that a move that fires no order costs two comparisons. Trailing orders follow the price and are checked one
 * by one. The engine handles the orders that fire.
 *
 * Prices are 1e-9 quote units. Rule: order.trigger. Source: trading.md 6.13, C31.
 */
import { assert } from '../core/index.ts'

/** An order that waits for a price. Only this file writes its mutable fields. */
export interface WaitingTrigger {
  /** Its id; the lower of two ids was created first. */
  readonly order: number
  /** True if it fires when the price rises to the trigger price, false if it fires on a fall. */
  readonly rises: boolean
  /** Trigger price; for a trailing order the price at which it would fire now. */
  price: number
  /** Distance of a trailing order from the best price since its placement; 0 for a fixed one. */
  offset: number
  /** The best price since a trailing order was placed: the lowest if it fires on a rise, otherwise the highest. */
  extreme: number
}

/** The waiting orders of one instrument and one price. */
export interface TriggerBook {
  /** Sorted so that the next order to fire is last. */
  readonly rising: WaitingTrigger[]
  readonly falling: WaitingTrigger[]
  /** Sorted by order id, so that a restored book equals the original after edits. */
  readonly trailing: WaitingTrigger[]
}

/** A book without orders. */
export function createTriggerBook(): TriggerBook {
  return { rising: [], falling: [], trailing: [] }
}

/** A trailing order with the best price `extreme` so far. */
export function trailingTrigger(of: Pick<WaitingTrigger, 'order' | 'rises' | 'offset' | 'extreme'>): WaitingTrigger {
  return { order: of.order, rises: of.rises, price: trailedPrice(of), offset: of.offset, extreme: of.extreme }
}

/** An order with a fixed trigger price. */
export function fixedTrigger(of: Pick<WaitingTrigger, 'order' | 'rises' | 'price'>): WaitingTrigger {
  return { order: of.order, rises: of.rises, price: of.price, offset: 0, extreme: 0 }
}

/** True if it fires at a price of the source. */
export function firesAt(trigger: Pick<WaitingTrigger, 'rises' | 'price'>, value: number): boolean {
  return trigger.rises ? value >= trigger.price : value <= trigger.price
}

/** Adds a waiting order. */
export function addTrigger(book: TriggerBook, trigger: WaitingTrigger): void {
  if (trigger.offset > 0) {
    const later = book.trailing.findIndex(({ order }) => order > trigger.order)
    book.trailing.splice(later === -1 ? book.trailing.length : later, 0, trigger)
    return
  }
  const list = trigger.rises ? book.rising : book.falling
  list.splice(placeIn(list, trigger), 0, trigger)
}

/** Removes a waiting order. */
export function removeTrigger(book: TriggerBook, trigger: WaitingTrigger): void {
  const list = trigger.offset > 0 ? book.trailing : trigger.rises ? book.rising : book.falling
  const at = trigger.offset > 0 ? list.indexOf(trigger) : placeIn(list, trigger)
  assert(list[at] === trigger, 'a trigger is in its book before it leaves')
  list.splice(at, 1)
}

/** Changes the trigger price of a fixed order that is in no book. */
export function setTriggerPrice(trigger: WaitingTrigger, price: number): void {
  assert(trigger.offset === 0, 'only a fixed trigger has a separate price')
  trigger.price = price
}

/** Sets the distance of a trailing order that is in no book; the best price so far stays (C31b). */
export function setTriggerOffset(trigger: WaitingTrigger, offset: number): void {
  assert(trigger.offset > 0 && offset > 0, 'only a trailing trigger has a distance')
  trigger.offset = offset
  trigger.price = trailedPrice(trigger)
}

/**
 * Applies a move of the price to `value`: trailing orders follow it. Then the orders that fire leave the book and are
 * returned, on a rise by rising price, on a fall by falling price, older ones first at equal prices (C31c).
 */
export function takeFired(book: TriggerBook, value: number): readonly WaitingTrigger[] {
  const { rising, falling, trailing } = book
  if (trailing.length > 0) trail(trailing, value)
  else if (!isNextFired(rising, value) && !isNextFired(falling, value)) return none
  const up = popFired(rising, value)
  const down = popFired(falling, value)
  for (let at = trailing.length - 1; at >= 0; at -= 1) {
    const trigger = trailing[at]
    if (trigger === undefined || !firesAt(trigger, value)) continue
    trailing.splice(at, 1)
    if (trigger.rises) up.push(trigger)
    else down.push(trigger)
  }
  return [...up.sort(inOrder), ...down.sort(inOrder)]
}

const none: readonly WaitingTrigger[] = []

/** Throws if the lists are not in their documented order; `value` is null if the price is unknown. */
export function auditTriggers(book: TriggerBook, value: number | null): void {
  for (const list of [book.rising, book.falling]) {
    for (const [at, trigger] of list.entries()) {
      const next = list[at + 1]
      assert(trigger.rises === (list === book.rising), 'a trigger is in the list of its direction')
      assert(trigger.offset === 0, 'a fixed trigger has no distance')
      assert(next === undefined || inOrder(next, trigger) < 0, 'the next trigger to fire is the last in the list')
      assert(value !== null && !firesAt(trigger, value), 'a waiting trigger has not fired')
    }
  }
  for (const [at, trigger] of book.trailing.entries()) {
    const next = book.trailing[at + 1]
    assert(next === undefined || next.order > trigger.order, 'trailing triggers are in the order of their ids')
    assert(trigger.offset > 0, 'a trailing trigger has a distance')
    assert(trigger.price === trailedPrice(trigger), 'a trailing trigger has its price')
    assert(value !== null && !firesAt(trigger, value), 'a trailing trigger has not fired')
  }
}

function trail(trailing: readonly WaitingTrigger[], value: number): void {
  for (const trigger of trailing) {
    if (trigger.rises ? value >= trigger.extreme : value <= trigger.extreme) continue
    trigger.extreme = value
    trigger.price = trailedPrice(trigger)
  }
}

function trailedPrice(of: Pick<WaitingTrigger, 'rises' | 'offset' | 'extreme'>): number {
  return of.rises ? of.extreme + of.offset : of.extreme - of.offset
}

function isNextFired(list: readonly WaitingTrigger[], value: number): boolean {
  const next = list[list.length - 1]
  return next !== undefined && firesAt(next, value)
}

function popFired(list: WaitingTrigger[], value: number): WaitingTrigger[] {
  const fired: WaitingTrigger[] = []
  while (isNextFired(list, value)) {
    const next = list.pop()
    if (next !== undefined) fired.push(next)
  }
  return fired
}

/** Negative if `left` fires before `right`; both must fire on the same kind of move. */
function inOrder(left: WaitingTrigger, right: WaitingTrigger): number {
  const apart = left.rises ? left.price - right.price : right.price - left.price
  return apart === 0 ? left.order - right.order : apart
}

/** The index of a trigger, or the index at which to insert it, in a list whose last entry fires first. */
function placeIn(list: readonly WaitingTrigger[], trigger: WaitingTrigger): number {
  let low = 0
  let high = list.length
  while (low < high) {
    const middle = (low + high) >>> 1
    if (inOrder(list[middle] as WaitingTrigger, trigger) > 0) low = middle + 1
    else high = middle
  }
  return low
}
