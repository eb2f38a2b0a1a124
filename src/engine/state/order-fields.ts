/**
 * Accessors for single fields in the records of live orders, for code that needs a few fields of many orders.
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
export function idAt(orders: LiveOrders, slot: number): OrderId {
  return orders.doubles[slot * DOUBLES + ID] as OrderId
}

/** The total size of an order, including fills. */
export function amountAt(orders: LiveOrders, slot: number): Lots {
  return orders.doubles[slot * DOUBLES + AMOUNT] as Lots
}

/** The label of an order, '' without a label. */
export function labelAt({ labels }: LiveOrders, slot: number): string {
  return slot < labels.length ? (labels[slot] as string) : ''
}

/** The session that an order came over, or `NO_SESSION`. */
export function sessionOfOrder({ sessions }: LiveOrders, slot: number): number {
  return slot < sessions.length ? (sessions[slot] as number) : NO_SESSION
}

/** The bits of an order. `termsWord` names the bits of its terms. */
export function termBitsAt(orders: LiveOrders, slot: number): number {
  return orders.words[slot * WORDS + BITS] as number
}

/** True if an order may have a term that few orders have. */
export function isRareAt(orders: LiveOrders, slot: number): boolean {
  return orders.forcesRare || ((orders.words[slot * WORDS + BITS] as number) & RARE) !== 0
}

/** The rare terms of an order: its own object, or the shared default values. */
export function rareTermsAt(orders: LiveOrders, slot: number): RareTerms {
  if (((orders.words[slot * WORDS + BITS] as number) & RARE) === 0) return usualTerms
  const terms = orders.rare[slot]
  assert(terms != null, 'extra terms of an order are stored')
  return terms
}

/** The display size of an iceberg; 0 if the order shows all of its size. */
export function displayAt(orders: LiveOrders, slot: number): number {
  return rareTermsAt(orders, slot).display
}

/** The protection, quote names and direct-access terms of an order; null for most orders. */
export function extrasAt(orders: LiveOrders, slot: number): RareTerms['extras'] {
  return rareTermsAt(orders, slot).extras
}

/** The links of an order to other orders; null for most orders. */
export function linkAt(orders: LiveOrders, slot: number): RareTerms['link'] {
  return rareTermsAt(orders, slot).link
}

/** Gives an order its own object of rare terms. The caller must not use the object afterwards. */
export function setRareTerms({ words, rare }: LiveOrders, slot: number, terms: RareTerms): void {
  const at = slot * WORDS + BITS
  words[at] = (words[at] as number) | RARE
  setInColumn(rare, slot, terms, null)
}

/** The price of an order's fills in ticks; 0 before the first fill, NaN if fills have several prices. */
export function paidAt(orders: LiveOrders, slot: number): number {
  const paid = ((orders.words[slot * WORDS + BITS] as number) >> AT.paid) & WORD_BITS
  if (paid === paidStates.none) return 0
  return paid === paidStates.once ? (orders.doubles[slot * DOUBLES + PAID] as number) : Number.NaN
}

/** The side of an order. */
export function sideAt(orders: LiveOrders, slot: number): Side {
  return ((orders.words[slot * WORDS + BITS] as number) & SELLS) === 0 ? 'buy' : 'sell'
}

/** The type of an order. */
export function typeAt(orders: LiveOrders, slot: number): OrderType {
  return orderTypes[((orders.words[slot * WORDS + BITS] as number) >> AT.type) & WORD_BITS] as OrderType
}

/** The time in force of an order. */
export function timeInForceAt(orders: LiveOrders, slot: number): TimeInForce {
  const place = ((orders.words[slot * WORDS + BITS] as number) >> AT.timeInForce) & WORD_BITS
  return timesInForce[place] as TimeInForce
}

/** True if an order may only reduce a position. */
export function reducesAt(orders: LiveOrders, slot: number): boolean {
  return ((orders.words[slot * WORDS + BITS] as number) & REDUCES) !== 0
}

/** The stage of an order. */
export function stageAt(orders: LiveOrders, slot: number): OrderStage {
  return orderStages[((orders.words[slot * WORDS + BITS] as number) >> AT.stage) & WORD_BITS] as OrderStage
}

/** Sets the stage of an order. `resting` also records that the order has rested in its book. */
export function setStage({ words }: LiveOrders, slot: number, stage: OrderStage): void {
  const at = slot * WORDS + BITS
  const others = (words[at] as number) & ~(WORD_BITS << AT.stage)
  const stood = stage === 'resting' ? STOOD : 0
  words[at] = others | stood | (placeIn(orderStages, stage) << AT.stage)
}

/** The row of an order's holding. */
export function holdingAt(orders: LiveOrders, slot: number): number {
  return orders.words[slot * WORDS + HOLDING] as number
}

/** The time of an order's creation. */
export function creationTimeAt(orders: LiveOrders, slot: number): Micros {
  return micros(orders.doubles[slot * DOUBLES + CREATED_AT] as number)
}

/** The time of an order's last change. */
export function updateTimeAt(orders: LiveOrders, slot: number): Micros {
  return micros(orders.doubles[slot * DOUBLES + UPDATED_AT] as number)
}

/** Sets the time of an order's last change. */
export function setUpdateTime(orders: LiveOrders, slot: number, time: number): void {
  orders.doubles[slot * DOUBLES + UPDATED_AT] = time
}

/** The next order in the list of the account. */
export function nextInAccount(orders: LiveOrders, slot: number): number {
  return orders.words[slot * WORDS + NEXT] as number
}

/** The previous order in the list of the account. */
export function previousInAccount(orders: LiveOrders, slot: number): number {
  return orders.words[slot * WORDS + PREVIOUS] as number
}

/** Sets the next order in the list of the account. */
export function setNextInAccount(orders: LiveOrders, slot: number, next: number): void {
  orders.words[slot * WORDS + NEXT] = next
}

/** Sets the previous order in the list of the account. */
export function setPreviousInAccount(orders: LiveOrders, slot: number, previous: number): void {
  orders.words[slot * WORDS + PREVIOUS] = previous
}
