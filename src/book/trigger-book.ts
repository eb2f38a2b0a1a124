/**
 * Trigger orders of one instrument that watch one price: which of them fire when it moves.
 *
 * Orders with a fixed price stand in two lists, those that fire on a rise and those that fire on a
 * fall, each with the next to fire at its end, so that a move which fires nothing costs two
 * comparisons. Trailing orders follow the price and are looked at one by one. What an order fires as,
 * and what comes of it, is the engine's.
 *
 * Prices are 1e-9 quote units. Rule: order.trigger. Source: trading.md 6.13, C31.
 */
import { assert } from '../core/index.ts'

/** An order that waits for a price. Only this file writes what changes of it. */
export interface WaitingTrigger {
  /** Its id; the lower of two was created first. */
  readonly order: number
  /** True if it fires when the price rises to its own, rather than falls. */
  readonly rises: boolean
  /** Where it fires; of a trailing order where it would fire now. */
  price: number
  /** Distance of a trailing order from the best price since; 0 for a fixed one. */
  offset: number
  /** The best price since a trailing order was placed: lowest where it rises, else highest. */
  extreme: number
}

/** The waiting orders of one instrument and one price. */
export interface TriggerBook {
  /** Sorted so that the next to fire is the last. */
  readonly rising: WaitingTrigger[]
  readonly falling: WaitingTrigger[]
  /** In the order in which they came. */
  readonly trailing: WaitingTrigger[]
}

/** No waiting orders. */
export function createTriggerBook(): TriggerBook {
  return { rising: [], falling: [], trailing: [] }
}

/** A trailing order whose price starts from `extreme`. */
export function trailingTrigger(of: Pick<WaitingTrigger, 'order' | 'rises' | 'offset' | 'extreme'>): WaitingTrigger {
  const { order, rises, offset, extreme } = of
  return { order, rises, price: trailedPrice(of), offset, extreme }
}

/** An order that fires at a fixed price. */
export function fixedTrigger(of: Pick<WaitingTrigger, 'order' | 'rises' | 'price'>): WaitingTrigger {
  return { order: of.order, rises: of.rises, price: of.price, offset: 0, extreme: 0 }
}

/** True if it fires at a price of the source. */
export function firesAt(trigger: Pick<WaitingTrigger, 'rises' | 'price'>, value: number): boolean {
  return trigger.rises ? value >= trigger.price : value <= trigger.price
}

/** Adds an order that waits. */
export function addTrigger(book: TriggerBook, trigger: WaitingTrigger): void {
  if (trigger.offset > 0) {
    book.trailing.push(trigger)
    return
  }
  const list = trigger.rises ? book.rising : book.falling
  list.splice(placeIn(list, trigger), 0, trigger)
}

/** Takes out an order that waits. */
export function removeTrigger(book: TriggerBook, trigger: WaitingTrigger): void {
  const list = trigger.offset > 0 ? book.trailing : trigger.rises ? book.rising : book.falling
  const at = trigger.offset > 0 ? list.indexOf(trigger) : placeIn(list, trigger)
  assert(list[at] === trigger, 'a trigger is in its book before it leaves')
  list.splice(at, 1)
}

/** Moves a fixed order that is in no book to another price. */
export function setTriggerPrice(trigger: WaitingTrigger, price: number): void {
  assert(trigger.offset === 0, 'only a fixed trigger has a separate price')
  trigger.price = price
}

/** Sets the distance of a trailing order that is in no book; the best price since stays (C31b). */
export function setTriggerOffset(trigger: WaitingTrigger, offset: number): void {
  assert(trigger.offset > 0 && offset > 0, 'only a trailing trigger has a distance')
  trigger.offset = offset
  trigger.price = trailedPrice(trigger)
}

/**
 * The price moved to `value`: trailing orders follow, then those that fire leave the book and are
 * returned, on a rise by rising price, on a fall by falling price, the older first where they tie
 * (C31c).
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

/** Throws where the lists are not what their fields say; `value` is null where the price is unknown. */
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
  for (const trigger of book.trailing) {
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

/** Negative where `left` fires before `right`; both fire on the same move. */
function inOrder(left: WaitingTrigger, right: WaitingTrigger): number {
  const apart = left.rises ? left.price - right.price : right.price - left.price
  return apart === 0 ? left.order - right.order : apart
}

/** Where a trigger stands, or would, in a list whose last entry fires first. */
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
