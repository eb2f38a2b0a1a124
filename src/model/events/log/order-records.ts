/**
 * Writer and reader of the records of orders, which are most records of a run. Their layout is that of all families
 * (`layout.ts`), from which their places follow; a property test holds both to the writer and the reader of all
 * families.
 */
import {
  type AccountId,
  accountId,
  type InstrumentId,
  instrumentId,
  type Lots,
  type Micros,
  micros,
  type OrderId,
  type Plain,
  type Price9,
  price9,
  sequence,
} from '../../../core/index.ts'
import { NO_ORDER } from '../../ids.ts'
import {
  type AdvancedTerms,
  type Order,
  type OrderLinks,
  type Trigger,
  termsWord,
  unlinked,
} from '../../order.ts'
import type { ChangedBy, OrderExtras } from '../../protection/order-extras.ts'
import { NO_SESSION } from '../../protection/sessions.ts'
import {
  orderChanges,
  orderReasons,
  orderStates,
  orderTypes,
  postOnlyModes,
  timesInForce,
} from '../../words/orders.ts'
import { type EventHeader, noLots } from '../family.ts'
import type { OrderChanged } from '../trading-events.ts'
import { bitsOf, layoutOf, placesOf } from './layout.ts'
import {
  appendNumber,
  appendText,
  type Cursor,
  type LogBuffer,
  nextNumber,
  nextText,
  reserve,
  WORD_BYTES,
} from './log-buffer.ts'
import { bitsAt, codeOfWord, plainText, setHead } from './records.ts'

/** An order's event that is filled from records. */
export type FilledOrder = { -readonly [N in keyof OrderChanged]: OrderChanged[N] }

/** Columns of an order's event that a live order has too, under the same names. */
export type OrderTermsNow = Pick<OrderChanged, Extract<keyof OrderChanged, keyof Order>>

/** The other columns: how it changed, and where it stands now. */
export type OrderNow = Omit<OrderChanged, keyof OrderTermsNow | keyof EventHeader | 'kind'>

/** Words that every record of an order has. */
export const orderWords = layoutOf('order').words
const orderCode = layoutOf('order').code
/** Places of the columns that every record of an order has. */
export const inOrder = placesOf('order', [
  'order',
  'price',
  'amount',
  'createdAt',
  'shown',
  'account',
  'instrument',
  'change',
  'side',
  'type',
  'timeInForce',
  'state',
  'postOnly',
  'reason',
])
/** Bits of the columns that records of orders may leave out. */
export const orderBits = bitsOf('order', [
  'filled',
  'averagePrice',
  'advanced',
  'autoReplaced',
  'liquidation',
  'reduceOnly',
  'rested',
  'replaced',
  'label',
  'display',
  'trigger',
  'links',
  'triggeredBy',
  'session',
  'extras',
  'successor',
  'by',
])
/** Columns of an order that stand behind the common ones. */
const orderBehind =
  orderBits.filled |
  orderBits.averagePrice |
  orderBits.advanced |
  orderBits.label |
  orderBits.display |
  orderBits.trigger |
  orderBits.links |
  orderBits.triggeredBy |
  orderBits.session |
  orderBits.extras |
  orderBits.successor |
  orderBits.by

type CommonNow =
  | 'order'
  | 'price'
  | 'createdAt'
  | 'shown'
  | 'account'
  | 'change'
  | 'state'
  | 'reason'

/** Sets the places that every order fills alike. */
function setCommon(
  buffer: LogBuffer,
  from: number,
  now: Pick<PlainOrderNow, CommonNow>,
  of: { readonly amount: number; readonly instrument: number },
): void {
  const { doubles, ints, bytes } = buffer
  // The last word has codes and zeros.
  doubles[from + orderWords - 1] = 0
  doubles[from + inOrder.order] = now.order
  doubles[from + inOrder.price] = now.price + 0
  doubles[from + inOrder.amount] = of.amount + 0
  doubles[from + inOrder.createdAt] = now.createdAt
  doubles[from + inOrder.shown] = now.shown + 0
  ints[2 * from + inOrder.account] = now.account
  ints[2 * from + inOrder.instrument] = of.instrument
  const byte = from * WORD_BYTES
  bytes[byte + inOrder.change] = codeOfWord(orderChanges, now.change)
  bytes[byte + inOrder.state] = codeOfWord(orderStates, now.state)
  bytes[byte + inOrder.reason] = codeOfWord(orderReasons, now.reason)
}

/** Appends the record of an order: its terms, and how it changed. */
export function appendOrder(buffer: LogBuffer, terms: OrderTermsNow, now: OrderNow): void {
  const from = buffer.at
  reserve(buffer, orderWords)
  setCommon(buffer, from, now, terms)
  const { bytes } = buffer
  const byte = from * WORD_BYTES
  bytes[byte + inOrder.side] = terms.side === 'buy' ? 1 : 2
  bytes[byte + inOrder.type] = codeOfWord(orderTypes, terms.type)
  bytes[byte + inOrder.timeInForce] = codeOfWord(timesInForce, terms.timeInForce)
  bytes[byte + inOrder.postOnly] = codeOfWord(postOnlyModes, terms.postOnly)
  buffer.at = from + orderWords
  const bits = orderBitsOf(terms, now)
  if ((bits & orderBehind) !== 0) appendOrderRest(buffer, { terms, now, bits })
  setHead(buffer, from, { code: orderCode, bits })
}

const WORD_MASK = 15

/** An order without any of the terms that few orders have, as it stands after a change. */
export interface PlainOrderNow extends EventHeader {
  change: OrderChanged['change']
  state: OrderChanged['state']
  reason: OrderChanged['reason']
  rested: boolean
  order: OrderId
  account: number
  instrument: InstrumentId
  /** See `termsWord`. */
  terms: number
  price: number
  amount: number
  filled: number
  averagePrice: number
  createdAt: number
  /** Its remaining size, all of which it shows. */
  shown: number
}

/** Appends the record of such an order, as `appendOrder` does. */
export function appendPlainOrder(buffer: LogBuffer, now: PlainOrderNow): void {
  const from = buffer.at
  const { filled, terms } = now
  const words = filled === 0 ? orderWords : orderWords + 2
  reserve(buffer, words)
  setCommon(buffer, from, now, now)
  const { doubles, bytes } = buffer
  const byte = from * WORD_BYTES
  bytes[byte + inOrder.side] = (terms & termsWord.sells) === 0 ? 1 : 2
  bytes[byte + inOrder.type] = ((terms >> termsWord.type) & WORD_MASK) + 1
  bytes[byte + inOrder.timeInForce] = ((terms >> termsWord.timeInForce) & WORD_MASK) + 1
  bytes[byte + inOrder.postOnly] = ((terms >> termsWord.postOnly) & WORD_MASK) + 1
  let bits = 0
  if ((terms & termsWord.reduces) !== 0) bits |= orderBits.reduceOnly
  if (now.rested) bits |= orderBits.rested
  let at = from + orderWords
  if (filled !== 0) {
    bits |= orderBits.filled
    doubles[at] = filled
    at += 1
    if (now.averagePrice !== 0) {
      bits |= orderBits.averagePrice
      doubles[at] = now.averagePrice
      at += 1
    }
  }
  buffer.at = at
  setHead(buffer, from, { code: orderCode, bits })
}

function orderBitsOf(terms: OrderTermsNow, now: OrderNow): number {
  let bits = now.filled === 0 ? 0 : orderBits.filled
  if (now.averagePrice !== 0) bits |= orderBits.averagePrice
  if (terms.advanced !== null) bits |= orderBits.advanced
  if (terms.autoReplaced) bits |= orderBits.autoReplaced
  if (terms.liquidation) bits |= orderBits.liquidation
  if (terms.reduceOnly) bits |= orderBits.reduceOnly
  if (now.rested) bits |= orderBits.rested
  if (terms.replaced) bits |= orderBits.replaced
  if (terms.label !== '') bits |= orderBits.label
  if (terms.display !== 0) bits |= orderBits.display
  if (now.trigger !== null) bits |= orderBits.trigger
  if (now.links !== unlinked && isLinked(now.links)) bits |= orderBits.links
  if (terms.triggeredBy !== NO_ORDER) bits |= orderBits.triggeredBy
  if (terms.session !== NO_SESSION) bits |= orderBits.session
  if (terms.extras !== null) bits |= orderBits.extras
  if (now.successor !== NO_ORDER) bits |= orderBits.successor
  if (now.by !== null) bits |= orderBits.by
  return bits
}

function isLinked({ condition, pair, primary, secondaries }: OrderLinks): boolean {
  if (condition !== unlinked.condition || secondaries.length > 0) return true
  return pair !== NO_ORDER || primary !== NO_ORDER
}

function appendOrderRest(
  buffer: LogBuffer,
  of: { readonly terms: OrderTermsNow; readonly now: OrderNow; readonly bits: number },
): void {
  const { terms, now, bits } = of
  if ((bits & orderBits.filled) !== 0) appendNumber(buffer, now.filled)
  if ((bits & orderBits.averagePrice) !== 0) appendNumber(buffer, now.averagePrice)
  if ((bits & orderBits.advanced) !== 0) appendPlain(buffer, terms.advanced)
  if ((bits & orderBits.label) !== 0) appendText(buffer, terms.label)
  if ((bits & orderBits.display) !== 0) appendNumber(buffer, terms.display)
  if ((bits & orderBits.trigger) !== 0) appendPlain(buffer, now.trigger)
  if ((bits & orderBits.links) !== 0) appendPlain(buffer, now.links)
  if ((bits & orderBits.triggeredBy) !== 0) appendNumber(buffer, terms.triggeredBy)
  if ((bits & orderBits.session) !== 0) appendNumber(buffer, terms.session)
  if ((bits & orderBits.extras) !== 0) appendPlain(buffer, terms.extras)
  if ((bits & orderBits.successor) !== 0) appendNumber(buffer, now.successor)
  if ((bits & orderBits.by) !== 0) appendPlain(buffer, now.by)
}

function appendPlain(buffer: LogBuffer, value: object | null): void {
  // Columns of plain data hold plain data, which their types cannot say.
  appendText(buffer, plainText(value as Plain))
}

/** An order's event to be filled: with all its columns from the start, it keeps one shape. */
export function blankOrder(): FilledOrder {
  return {
    kind: 'order',
    time: micros(0),
    number: 0,
    cause: sequence(0),
    change: 'opened',
    order: NO_ORDER,
    account: accountId(0),
    instrument: instrumentId(0),
    side: 'buy',
    type: 'limit',
    timeInForce: 'good_til_cancelled',
    price: noPrice,
    amount: noLots,
    filled: noLots,
    averagePrice: noPrice,
    state: 'open',
    postOnly: 'off',
    advanced: null,
    autoReplaced: false,
    liquidation: false,
    reduceOnly: false,
    rested: false,
    replaced: false,
    label: '',
    createdAt: micros(0),
    display: noLots,
    shown: noLots,
    trigger: null,
    links: unlinked,
    triggeredBy: NO_ORDER,
    session: NO_SESSION,
    extras: null,
    successor: NO_ORDER,
    reason: null,
    by: null,
  }
}

/** Fills an event from the record of an order; its header is the reader's. */
export function fillOrder(event: FilledOrder, buffer: LogBuffer, from: number): void {
  const { doubles, ints, bytes } = buffer
  const bits = bitsAt(buffer, from)
  const byte = from * WORD_BYTES
  // Records hold what events held, so that what is read has the unit that was written.
  event.change = orderChanges[
    (bytes[byte + inOrder.change] as number) - 1
  ] as OrderChanged['change']
  event.order = doubles[from + inOrder.order] as OrderId
  event.account = ints[2 * from + inOrder.account] as AccountId
  event.instrument = ints[2 * from + inOrder.instrument] as InstrumentId
  event.side = bytes[byte + inOrder.side] === 1 ? 'buy' : 'sell'
  event.type = orderTypes[(bytes[byte + inOrder.type] as number) - 1] as OrderChanged['type']
  event.timeInForce = timesInForce[
    (bytes[byte + inOrder.timeInForce] as number) - 1
  ] as OrderChanged['timeInForce']
  event.price = doubles[from + inOrder.price] as Price9
  event.amount = doubles[from + inOrder.amount] as Lots
  event.state = orderStates[(bytes[byte + inOrder.state] as number) - 1] as OrderChanged['state']
  event.postOnly = postOnlyModes[
    (bytes[byte + inOrder.postOnly] as number) - 1
  ] as OrderChanged['postOnly']
  event.autoReplaced = (bits & orderBits.autoReplaced) !== 0
  event.liquidation = (bits & orderBits.liquidation) !== 0
  event.reduceOnly = (bits & orderBits.reduceOnly) !== 0
  event.rested = (bits & orderBits.rested) !== 0
  event.replaced = (bits & orderBits.replaced) !== 0
  event.createdAt = doubles[from + inOrder.createdAt] as Micros
  event.shown = doubles[from + inOrder.shown] as Lots
  const reason = bytes[byte + inOrder.reason] as number
  event.reason = reason === 0 ? null : (orderReasons[reason - 1] as OrderChanged['reason'])
  fillOrderRest(event, { buffer, at: from + orderWords }, bits)
}

function fillOrderRest(event: FilledOrder, cursor: Cursor, bits: number): void {
  event.filled = (bits & orderBits.filled) === 0 ? noLots : (nextNumber(cursor) as Lots)
  event.averagePrice =
    (bits & orderBits.averagePrice) === 0 ? noPrice : (nextNumber(cursor) as Price9)
  event.advanced = (bits & orderBits.advanced) === 0 ? null : nextPlain<AdvancedTerms>(cursor)
  event.label = (bits & orderBits.label) === 0 ? '' : nextText(cursor)
  event.display = (bits & orderBits.display) === 0 ? noLots : (nextNumber(cursor) as Lots)
  event.trigger = (bits & orderBits.trigger) === 0 ? null : nextPlain<Trigger>(cursor)
  event.links = (bits & orderBits.links) === 0 ? unlinked : nextPlain<OrderLinks>(cursor)
  event.triggeredBy =
    (bits & orderBits.triggeredBy) === 0 ? NO_ORDER : (nextNumber(cursor) as OrderId)
  event.session = (bits & orderBits.session) === 0 ? NO_SESSION : nextNumber(cursor)
  event.extras = (bits & orderBits.extras) === 0 ? null : nextPlain<OrderExtras>(cursor)
  event.successor = (bits & orderBits.successor) === 0 ? NO_ORDER : (nextNumber(cursor) as OrderId)
  event.by = (bits & orderBits.by) === 0 ? null : nextPlain<ChangedBy>(cursor)
}

/** Plain data of the type that was written. */
function nextPlain<T>(cursor: Cursor): T {
  return JSON.parse(nextText(cursor)) as T
}

const noPrice = price9(0)
