/**
 * The fields of the records of live orders, one by one: for whoever needs a few of many orders.
 */
import { assert, type Lots, type Micros, micros, type OrderId } from '../../core/index.ts'
import { NO_SESSION, type OrderType, orderTypes, type Side, type TimeInForce, timesInForce } from '../../model/index.ts'
import { type OrderStage, orderStages } from './live-order.ts'
import {
  type LiveOrders,
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

const { doubles: DOUBLES, words: WORDS } = orderLayout.lengths
const { id: ID, amount: AMOUNT, paid: PAID } = orderLayout.doubles
const { createdAt: CREATED_AT, updatedAt: UPDATED_AT } = orderLayout.doubles
const { holding: HOLDING, bits: BITS, next: NEXT, previous: PREVIOUS } = orderLayout.words
const { sells: SELLS, reduces: REDUCES, stood: STOOD, rare: RARE } = orderFlags
const AT = orderWordsAt

/** The id of a live order. */
export function idAt({ doubles }: LiveOrders, slot: number): OrderId {
  return doubles[slot * DOUBLES + ID] as OrderId
}

/** Its total size, fills included. */
export function amountAt({ doubles }: LiveOrders, slot: number): Lots {
  return doubles[slot * DOUBLES + AMOUNT] as Lots
}

/** Its label, '' for none. */
export function labelAt({ labels }: LiveOrders, slot: number): string {
  return slot < labels.length ? (labels[slot] as string) : ''
}

/** The session that it came over, or `NO_SESSION`. */
export function sessionOfOrder({ sessions }: LiveOrders, slot: number): number {
  return slot < sessions.length ? (sessions[slot] as number) : NO_SESSION
}

/** Its bits, of which `termsWord` names those of its terms. */
export function termBitsAt({ words }: LiveOrders, slot: number): number {
  return words[slot * WORDS + BITS] as number
}

/** True if it may have any of the terms that few orders have. */
export function isRareAt({ words, forcesRare }: LiveOrders, slot: number): boolean {
  return forcesRare || ((words[slot * WORDS + BITS] as number) & RARE) !== 0
}

/** Its terms that few orders have: its own, or those of all others. */
export function rareTermsAt({ words, rare }: LiveOrders, slot: number): RareTerms {
  if (((words[slot * WORDS + BITS] as number) & RARE) === 0) return usualTerms
  const terms = rare[slot]
  assert(terms != null, 'extra terms of an order are stored')
  return terms
}

/** The size that it shows at a time; 0 where it shows all. */
export function displayAt(orders: LiveOrders, slot: number): number {
  return rareTermsAt(orders, slot).display
}

/** Its protection, names of its quote and terms of direct access; null for most. */
export function extrasAt(orders: LiveOrders, slot: number): RareTerms['extras'] {
  return rareTermsAt(orders, slot).extras
}

/** The orders that it is linked to; null for most. */
export function linkAt(orders: LiveOrders, slot: number): RareTerms['link'] {
  return rareTermsAt(orders, slot).link
}

/** Gives an order terms that few orders have; the object is the order's from then on. */
export function setRareTerms({ words, rare }: LiveOrders, slot: number, terms: RareTerms): void {
  const at = slot * WORDS + BITS
  words[at] = (words[at] as number) | RARE
  setInColumn(rare, slot, { value: terms, usual: null })
}

/** The price of its fills in ticks, where they have one; 0 before the first, NaN where they have several. */
export function paidAt({ doubles, words }: LiveOrders, slot: number): number {
  const paid = ((words[slot * WORDS + BITS] as number) >> AT.paid) & WORD_BITS
  if (paid === paidStates.none) return 0
  return paid === paidStates.once ? (doubles[slot * DOUBLES + PAID] as number) : Number.NaN
}

/** Its side. */
export function sideAt({ words }: LiveOrders, slot: number): Side {
  return ((words[slot * WORDS + BITS] as number) & SELLS) === 0 ? 'buy' : 'sell'
}

/** Its type. */
export function typeAt({ words }: LiveOrders, slot: number): OrderType {
  return orderTypes[((words[slot * WORDS + BITS] as number) >> AT.type) & WORD_BITS] as OrderType
}

/** How long it stands. */
export function timeInForceAt({ words }: LiveOrders, slot: number): TimeInForce {
  const place = ((words[slot * WORDS + BITS] as number) >> AT.timeInForce) & WORD_BITS
  return timesInForce[place] as TimeInForce
}

/** True if it may only reduce a position. */
export function reducesAt({ words }: LiveOrders, slot: number): boolean {
  return ((words[slot * WORDS + BITS] as number) & REDUCES) !== 0
}

/** Where it is. */
export function stageAt({ words }: LiveOrders, slot: number): OrderStage {
  return orderStages[((words[slot * WORDS + BITS] as number) >> AT.stage) & WORD_BITS] as OrderStage
}

/** Notes where it is now; one that rests has stood in its book. */
export function setStage({ words }: LiveOrders, slot: number, stage: OrderStage): void {
  const at = slot * WORDS + BITS
  const others = (words[at] as number) & ~(WORD_BITS << AT.stage)
  const stood = stage === 'resting' ? STOOD : 0
  words[at] = others | stood | (placeIn(orderStages, stage) << AT.stage)
}

/** Its holding. */
export function holdingAt({ words }: LiveOrders, slot: number): number {
  return words[slot * WORDS + HOLDING] as number
}

/** The time of its creation. */
export function creationTimeAt(orders: LiveOrders, slot: number): Micros {
  return micros(orders.doubles[slot * DOUBLES + CREATED_AT] as number)
}

/** The time of its last change. */
export function updateTimeAt(orders: LiveOrders, slot: number): Micros {
  return micros(orders.doubles[slot * DOUBLES + UPDATED_AT] as number)
}

/** Notes the time of a change. */
export function setUpdateTime(orders: LiveOrders, slot: number, time: number): void {
  orders.doubles[slot * DOUBLES + UPDATED_AT] = time
}

/** The order after it in its account's list. */
export function nextInAccount(orders: LiveOrders, slot: number): number {
  return orders.words[slot * WORDS + NEXT] as number
}

/** The order before it. */
export function previousInAccount(orders: LiveOrders, slot: number): number {
  return orders.words[slot * WORDS + PREVIOUS] as number
}

/** Sets the order after it. */
export function setNextInAccount(orders: LiveOrders, slot: number, next: number): void {
  orders.words[slot * WORDS + NEXT] = next
}

/** Sets the order before it. */
export function setPreviousInAccount(orders: LiveOrders, slot: number, previous: number): void {
  orders.words[slot * WORDS + PREVIOUS] = previous
}
