/**
 * Fields of live orders that the book does not store: a record for each slot of the book (`order-layout.ts`), with the
 * order's times and its neighbours in the account's list.
 *
 * A record has 72 bytes per order, not counting the book's slot, the table of ids, labels and sessions; `npm run bench`
 * measures all of them together. Live orders outlive garbage collections, and the collector has only one buffer to scan
 * here.
 */
import { assert, createRecords } from '../../core/index.ts'
import { NO_SESSION, orderTypes, postOnlyModes, timesInForce } from '../../model/index.ts'
import { type LiveOrder, orderStages } from './live-order.ts'
import { holdingAt, setRareTerms } from './order-fields.ts'
import {
  type LiveOrders,
  NO_HOLDING,
  orderFlags,
  orderLayout,
  orderWordsAt,
  paidStates,
  placeIn,
  type RareTerms,
  setInColumn,
  usualTerms,
  WORD_BITS,
} from './order-layout.ts'
import { orderOfRecord } from './order-terms.ts'

const { doubles: DOUBLES, words: WORDS } = orderLayout.lengths
const { id: ID, amount: AMOUNT, created: CREATED, paid: PAID } = orderLayout.doubles
const { createdAt: CREATED_AT, updatedAt: UPDATED_AT } = orderLayout.doubles
const { holding: HOLDING, bits: BITS } = orderLayout.words
const { sells: SELLS, reduces: REDUCES, rare: RARE } = orderFlags
const AT = orderWordsAt

/** The terms of a new order that every order has. */
export type CommonTerms = Pick<
  LiveOrder,
  'side' | 'type' | 'timeInForce' | 'postOnly' | 'reduceOnly' | 'amount' | 'label'
>

/** Identity, stage, session and time of a new order. */
export type NewOrder = Pick<LiveOrder, 'id' | 'created' | 'holding' | 'stage' | 'session'> & {
  readonly time: number
}

/**
 * Fills the record of a slot below `capacity` that was just taken. The order has no fills and no rare terms. The caller
 * sets its neighbours.
 */
export function openRecord(orders: LiveOrders, slot: number, terms: CommonTerms, order: NewOrder): void {
  const { doubles, words } = orders
  const double = slot * DOUBLES
  const word = slot * WORDS
  doubles[double + ID] = order.id
  doubles[double + AMOUNT] = terms.amount
  doubles[double + CREATED] = order.created
  doubles[double + CREATED_AT] = order.time
  doubles[double + UPDATED_AT] = order.time
  words[word + HOLDING] = order.holding
  words[word + BITS] =
    (terms.side === 'sell' ? SELLS : 0) |
    (terms.reduceOnly ? REDUCES : 0) |
    (placeIn(orderTypes, terms.type) << AT.type) |
    (placeIn(timesInForce, terms.timeInForce) << AT.timeInForce) |
    (placeIn(postOnlyModes, terms.postOnly) << AT.postOnly) |
    (placeIn(orderStages, order.stage) << AT.stage)
  setInColumn(orders.labels, slot, terms.label, '')
  setInColumn(orders.sessions, slot, order.session, NO_SESSION)
}

/** Restores the rare terms of an order if any of them has an unusual value. */
export function restoreRareTerms(orders: LiveOrders, slot: number, order: LiveOrder): void {
  const names = Object.keys(usualTerms) as (keyof RareTerms)[]
  if (names.every((name) => order[name] === usualTerms[name])) return
  const terms = Object.fromEntries(names.map((name) => [name, order[name]]))
  // The object has each of them by its name.
  setRareTerms(orders, slot, terms as unknown as RareTerms)
}

/** Forgets the rare terms of an order. */
function dropRareTerms(orders: LiveOrders, slot: number): void {
  if (!hasRareTerms(orders, slot)) return
  orders.rare[slot] = null
  const at = slot * WORDS + BITS
  orders.words[at] = (orders.words[at] as number) & ~RARE
}

function hasRareTerms(orders: LiveOrders, slot: number): boolean {
  return ((orders.words[slot * WORDS + BITS] as number) & RARE) !== 0
}

/** True if a slot has a live order with its own object of rare terms. */
export function holdsRareTerms(orders: LiveOrders, slot: number): boolean {
  return isLive(orders, slot) && hasRareTerms(orders, slot)
}

/**
 * Records the price of a fill. While all fills have one price, no sum is needed. From the second price on (`second`,
 * then `more`) the caller keeps the basis of all fills at `basisPlace`, which has the first price until then.
 */
export function notePaid({ doubles, words }: LiveOrders, slot: number, price: number): 'one' | 'second' | 'more' {
  const at = slot * WORDS + BITS
  const bits = words[at] as number
  const paid = (bits >> AT.paid) & WORD_BITS
  if (paid === paidStates.often) return 'more'
  if (paid === paidStates.once) {
    if (doubles[slot * DOUBLES + PAID] === price) return 'one'
    words[at] = (bits & ~(WORD_BITS << AT.paid)) | (paidStates.often << AT.paid)
    return 'second'
  }
  doubles[slot * DOUBLES + PAID] = price
  words[at] = bits | (paidStates.once << AT.paid)
  return 'one'
}

/** The index of an order's fill basis among the doubles of the records. */
export function basisPlace(slot: number): number {
  return slot * DOUBLES + PAID
}

/** Removes the order of a slot. */
export function dropOrder(orders: LiveOrders, slot: number): void {
  assert(holdingAt(orders, slot) !== NO_HOLDING, 'an order is live before it ends')
  dropRareTerms(orders, slot)
  orders.words[slot * WORDS + HOLDING] = NO_HOLDING
}

/** True if a slot still has the order of this id. */
export function holdsOrder(orders: LiveOrders, slot: number, id: number): boolean {
  return orders.doubles[slot * DOUBLES + ID] === id && orders.words[slot * WORDS + HOLDING] !== NO_HOLDING
}

/** The order of a slot that is in use. A caller that keeps it beyond the command must copy it. */
export function recordAt(orders: LiveOrders, slot: number): LiveOrder {
  assert(isLive(orders, slot), 'a live order has a record')
  return orderOfRecord(orders, slot)
}

function isLive(orders: LiveOrders, slot: number): boolean {
  const holding = orders.words[slot * WORDS + HOLDING]
  return holding !== undefined && holding !== NO_HOLDING
}

/** Makes room for all slots below `capacity`. */
export function reserveRecords(orders: LiveOrders, capacity: number): void {
  if (orders.words.length >= capacity * WORDS) return
  const larger = createRecords(orderLayout, capacity)
  for (let at = HOLDING; at < larger.words.length; at += WORDS) larger.words[at] = NO_HOLDING
  larger.doubles.set(orders.doubles)
  Object.assign(orders, larger)
}
