/**
 * Lets an admitted order enter its book: computes its share of the position if it is reduce-only, matches it, and rests
 * the remainder. If a third-party exchange matches the order, it is sent there instead (R37).
 *
 * Rule: order.routed. Source: trading.md 6.2, 6.3, 6.8; coverage R37, R68.
 */
import { NO_SLOT, ownerOf, priceOf, remainingOf, wouldTake } from '../../book/index.ts'
import { micros, ticks } from '../../core/index.ts'
import { NO_ORDER, originOf } from '../../model/index.ts'
import {
  awaitDayEnd,
  type Bump,
  type Exchange,
  holdingOfOrder,
  type InstrumentRow,
  idAt,
  isRareAt,
  type OrderTermsBefore,
  orderAt,
  orderSlotOf,
  reducesAt,
  setStage,
  setTimer,
  type Turn,
  timeInForceAt,
} from '../state/index.ts'
import { recomputeMargin } from '../value/index.ts'
import { canFill, type Entry, newEntry, wouldMeetOwn } from './dry-run.ts'
import { endOrder, isStill, leaveWithoutBook } from './ending.ts'
import { matchOrder, settleTaker } from './match.ts'
import { isTooLate } from './order-checks.ts'
import { allocation, reallocate } from './reduce-only.ts'
import { countOpen, enterBook } from './resting.ts'
import { answerHeld, emitBump, holdOrder, isImmediate, neverWaited, wouldWait } from './waiting.ts'

/** How an order enters: a new one is placed; an edited one was in the book before, unless it was on its way. */
type Entrance = 'placed' | 'edited'

/**
 * Sends an admitted order to its matching: at once, to a third-party exchange, or behind the speed bump if it would
 * match. All orders except those of liquidations pass through this function.
 */
export function sendOrder(turn: Turn, row: InstrumentRow, slot: number, how: Entrance): void {
  const { routeDelay, speedBump } = row.instrument
  if (speedBump > 0 && isBumped(turn.exchange, row, slot)) {
    holdOrder(turn, row, slot, neverWaited)
  } else if (routeDelay === null) enterOrder(turn, row, slot, how)
  else routeOrder(turn, row, slot)
}

/**
 * Sends an amended order that rested or waited. It waits (again) if it would match; otherwise it enters its book at
 * once, and the replies that waited for it are sent.
 */
export function resendOrder(
  turn: Turn,
  row: InstrumentRow,
  slot: number,
  terms: OrderTermsBefore | null,
  waited: Bump | null,
): void {
  const held = waited?.held ?? []
  if (isBumped(turn.exchange, row, slot)) {
    const before = { terms: waited === null ? terms : waited.before, held, isAnew: waited !== null }
    holdOrder(turn, row, slot, before)
    return
  }
  if (waited !== null) emitBump(turn, slot, waited, 'withdrawn')
  sendOrder(turn, row, slot, 'edited')
  answerHeld(turn, held)
}

function isBumped(exchange: Exchange, row: InstrumentRow, slot: number): boolean {
  const { side } = orderAt(exchange, slot)
  return wouldWait(exchange, row, side, priceOf(exchange.slots, slot))
}

/** Sends an order that waited for its partner. */
export function sendLater(turn: Turn, row: InstrumentRow, slot: number): void {
  if (isBumped(turn.exchange, row, slot)) holdOrder(turn, row, slot, neverWaited)
  else enterLater(turn, row, slot)
}

/** Matches an admitted order that is in no stage yet, and rests or ends the remainder. */
export function enterOrder(turn: Turn, row: InstrumentRow, slot: number, how: Entrance): void {
  const { exchange } = turn
  const { orders } = exchange
  setStage(orders, slot, 'entering')
  // Its matching has begun, so its deadline no longer applies.
  if (isRareAt(orders, slot)) orderAt(exchange, slot).validUntil = null
  if (reducesAt(orders, slot)) {
    const id = idAt(orders, slot)
    reallocate(turn, holdingOfOrder(exchange, slot), slot)
    if (!isStill(exchange, slot, id)) return
  }
  const before = remainingOf(exchange.slots, slot)
  const isKilled = timeInForceAt(orders, slot) === 'fill_or_kill' && !canFill(exchange, entryOf(exchange, row, slot))
  if (!isKilled && !matchOrder(turn, row, slot)) return
  const untouched = remainingOf(exchange.slots, slot) === before
  if (how === 'edited' && untouched && !isImmediate(exchange, slot)) {
    // The event of the edit already shows an order that only moved.
    enterBook(turn, row, slot)
    recomputeMargin(exchange, holdingOfOrder(exchange, slot))
    return
  }
  settleTaker(turn, row, slot, before, how === 'placed')
}

/**
 * Enters an order that waited, after a check of what may have changed since its admission. It ends if it may not take,
 * if it would reach an order of the same account although the account's mode forbids it, or if its book is closed (R68,
 * C18).
 */
export function enterLater(turn: Turn, row: InstrumentRow, slot: number): void {
  const { exchange } = turn
  const order = orderAt(exchange, slot)
  const price = priceOf(exchange.slots, slot)
  const takes = wouldTake(row.book, order.side, price)
  // A released order of direct access cancels its own orders that it meets, whatever its mode (8.8).
  const mayMeetOwn = exchange.released === order.id && originOf(order) === 'direct_access'
  const isBarred =
    takes && (order.postOnly !== 'off' || (!mayMeetOwn && wouldMeetOwn(exchange, entryOf(exchange, row, slot))))
  // A validation step checked the deadline when the request came. The order is admitted by now, so it ends.
  if (isTooLate(exchange.now, order.validUntil)) {
    order.stage = 'entering'
    endOrder(turn, slot, 'timed_out')
    return
  }
  if (isBarred || row.state !== 'open') {
    order.stage = 'entering'
    endOrder(turn, slot, 'risk_mitigation')
    return
  }
  enterOrder(turn, row, slot, order.stood ? 'edited' : 'placed')
}

/** Lets an order arrive at the third-party exchange. */
export function arriveOrder(turn: Turn, id: number): void {
  const slot = orderSlotOf(turn.exchange, id)
  if (slot === NO_SLOT) return
  const { row } = holdingOfOrder(turn.exchange, slot)
  leaveWithoutBook(turn.exchange, row, slot)
  orderAt(turn.exchange, slot).stage = 'entering'
  enterLater(turn, row, slot)
}

/** Sends an order on its way for the delay of the instrument. It counts as open meanwhile. */
function routeOrder(turn: Turn, row: InstrumentRow, slot: number): void {
  const { exchange } = turn
  const order = orderAt(exchange, slot)
  order.stage = 'routed'
  countOpen(exchange, row, slot, 0, remainingOf(exchange.slots, slot))
  if (order.timeInForce === 'good_til_day') awaitDayEnd(exchange)
  const time = micros(exchange.now + (row.instrument.routeDelay ?? 0))
  const timer = setTimer(exchange.timers, time, { kind: 'order_arrival', order: order.id })
  exchange.arrivals.set(order.id, timer)
  recomputeMargin(exchange, holdingOfOrder(exchange, slot))
}

/** The entry of a live order, for a dry run. */
function entryOf(exchange: Exchange, row: InstrumentRow, slot: number): Entry {
  const order = orderAt(exchange, slot)
  const { side, link, reduceOnly } = order
  const price = priceOf(exchange.slots, slot)
  const remaining = remainingOf(exchange.slots, slot)
  const partner = link?.partner ?? NO_ORDER
  const asked = { side, price, lots: remaining, except: slot, partner }
  return newEntry({
    row,
    account: ownerOf(exchange.slots, slot),
    side,
    price: ticks(price),
    lots: reduceOnly ? allocation(exchange, holdingOfOrder(exchange, slot), asked) : remaining,
    reduceOnly,
    linked: link === null ? null : order,
    from: slot,
  })
}
