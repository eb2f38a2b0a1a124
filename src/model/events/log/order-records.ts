/**
 * Writer and reader of the records of orders, which are most records of a run. Their places follow from the general
 * layout (`layout.ts`). A property test compares both with the general writer and reader.
 */
import {
  type AccountId,
  assert,
  type InstrumentId,
  type Lots,
  type Micros,
  type OrderId,
  type Price9,
  price9,
} from '../../../core/index.ts'
import { NO_ORDER } from '../../ids.ts'
import { orderFields, type RareOrderTerms, termsWord, unlinked, usualOrderTerms } from '../../order.ts'
import { NO_SESSION } from '../../protection/sessions.ts'
import { orderChanges, orderReasons, orderStates, orderTypes, postOnlyModes, timesInForce } from '../../words/orders.ts'
import type { EventRow } from '../event.ts'
import { type EventHeader, noLots, type SteadyName } from '../family.ts'
import type { CommonOrderTerms, FilledOrder, OrderChanged, OrderNow, orderColumns } from '../order-event.ts'
import { type ColumnWays, handColumns, type Leaf, layoutOfFamily } from './layout.ts'
import { appendNumber, appendText, type LogBuffer, nextNumber, nextText, reserve, WORD_BYTES } from './log-buffer.ts'
import { bitsAt, codeOfWord, lengthAt, readLeaf, setHead, type Target, writeLeaf } from './records.ts'

const layout = layoutOfFamily('order')
/** Words that every record of an order has. */
export const orderWords = layout.words
/**
 * Columns that this file writes and reads by name. Columns that a record may leave out do not need a name here, but
 * access by name is faster than a loop.
 */
const named = handColumns('order', {
  change: 'place',
  order: 'place',
  account: 'place',
  instrument: 'place',
  side: 'place',
  type: 'place',
  timeInForce: 'place',
  price: 'place',
  amount: 'place',
  filled: 'bit',
  averagePrice: 'bit',
  state: 'place',
  postOnly: 'place',
  advanced: 'bit',
  autoReplaced: 'bit',
  liquidation: 'bit',
  reduceOnly: 'bit',
  rested: 'bit',
  replaced: 'bit',
  label: 'bit',
  createdAt: 'place',
  display: 'bit',
  shown: 'place',
  trigger: 'bit',
  links: 'bit',
  triggeredBy: 'bit',
  session: 'bit',
  extras: 'bit',
  successor: 'bit',
  reason: 'place',
  by: 'bit',
} as const satisfies ColumnWays<EventRow<'order'>, SteadyName<typeof orderColumns>>)
/** Places of the columns that every record of an order has. */
export const inOrder = named.places
/** Bits of the columns that records of orders may leave out. */
export const orderBits = named.bits
const commonBits = orderBits.filled | orderBits.averagePrice | orderBits.reduceOnly | orderBits.rested
/** Terms that are not rare although records may leave them out. */
const usualBits = orderBits.replaced | orderBits.label | orderBits.session

/** The sources of the columns of an order's event: its common terms, its rare terms, and its state after the change. */
interface OrderParts {
  readonly order: CommonOrderTerms
  readonly terms: RareOrderTerms
  readonly now: OrderNow
}

/** A column that the records of most orders leave out. */
interface SpareLeaf extends Leaf {
  readonly part: keyof OrderParts
}

const spareLeaves: readonly SpareLeaf[] = layout.columns
  .filter(({ name, bit }) => !(name in inOrder) && (bit & commonBits) === 0)
  .map((column) => {
    assert('unit' in column && column.bit !== 0, `records may leave out ${column.name}`)
    return { ...column, part: partOf(column.name) }
  })
/** Bits of the columns that few orders have. */
export const rareBits = spareLeaves.reduce((bits, { bit }) => bits | bit, 0) & ~usualBits
/** Columns that this file reads and writes only in a loop. */
const unnamedLeaves = spareLeaves.filter(({ name }) => !(name in orderBits))

function partOf(name: string): keyof OrderParts {
  if (name in usualOrderTerms) return 'terms'
  return name in orderFields ? 'order' : 'now'
}

/** Sets the fixed places, which every order fills. */
function setCommon(
  buffer: LogBuffer,
  from: number,
  now: Pick<PlainOrderNow, Exclude<keyof typeof inOrder, TermOfWord | 'amount'>>,
  amount: number,
): void {
  const { doubles, ints, bytes } = buffer
  // The last word contains codes and zeros. Clear it first.
  doubles[from + orderWords - 1] = 0
  doubles[from + inOrder.order] = now.order
  doubles[from + inOrder.price] = now.price + 0
  doubles[from + inOrder.amount] = amount + 0
  doubles[from + inOrder.createdAt] = now.createdAt
  doubles[from + inOrder.shown] = now.shown + 0
  ints[2 * from + inOrder.account] = now.account
  ints[2 * from + inOrder.instrument] = now.instrument
  const byte = from * WORD_BYTES
  bytes[byte + inOrder.change] = codeOfWord(orderChanges, now.change)
  bytes[byte + inOrder.state] = codeOfWord(orderStates, now.state)
  bytes[byte + inOrder.reason] = codeOfWord(orderReasons, now.reason)
}

/** Appends the record of an order: its common terms, its rare terms, and its state after the change. */
export function appendOrder(buffer: LogBuffer, order: CommonOrderTerms, terms: RareOrderTerms, now: OrderNow): void {
  const from = buffer.at
  reserve(buffer, orderWords)
  setCommon(buffer, from, now, order.amount)
  const byte = from * WORD_BYTES
  buffer.bytes[byte + inOrder.side] = order.side === 'buy' ? 1 : 2
  buffer.bytes[byte + inOrder.type] = codeOfWord(orderTypes, order.type)
  buffer.bytes[byte + inOrder.timeInForce] = codeOfWord(timesInForce, order.timeInForce)
  buffer.bytes[byte + inOrder.postOnly] = codeOfWord(postOnlyModes, order.postOnly)
  buffer.at = from + orderWords
  let bits = order.reduceOnly ? orderBits.reduceOnly : 0
  if (now.rested) bits |= orderBits.rested
  if (now.filled !== 0) {
    bits |= orderBits.filled
    appendNumber(buffer, now.filled)
  }
  if (now.averagePrice !== 0) {
    bits |= orderBits.averagePrice
    appendNumber(buffer, now.averagePrice)
  }
  const parts = { order, terms, now }
  const spare = spareBitsOf(parts)
  if (spare !== 0) bits |= appendSpare({ buffer, layout, from }, spare, parts)
  setHead(buffer, from, layout.code, bits)
}

/**
 * Bits of the optional columns that this order may have. A new column needs no line here, but access by name is faster
 * than a loop.
 */
function spareBitsOf(parts: OrderParts): number {
  const { order, terms, now } = parts
  let bits = 0
  if (terms.advanced !== null) bits |= orderBits.advanced
  if (terms.autoReplaced) bits |= orderBits.autoReplaced
  if (terms.liquidation) bits |= orderBits.liquidation
  if (order.replaced) bits |= orderBits.replaced
  if (order.label !== '') bits |= orderBits.label
  if (terms.display !== 0) bits |= orderBits.display
  if (now.trigger !== null) bits |= orderBits.trigger
  if (now.links !== unlinked) bits |= orderBits.links
  if (terms.triggeredBy !== NO_ORDER) bits |= orderBits.triggeredBy
  if (order.session !== NO_SESSION) bits |= orderBits.session
  if (terms.extras !== null) bits |= orderBits.extras
  if (now.successor !== NO_ORDER) bits |= orderBits.successor
  if (now.by !== null) bits |= orderBits.by
  for (const leaf of unnamedLeaves) {
    if (cellOf(leaf, parts) !== leaf.absent) bits |= leaf.bit
  }
  return bits
}

function cellOf({ name, part }: SpareLeaf, parts: OrderParts): unknown {
  const row: object = parts[part]
  return (row as { readonly [name: string]: unknown })[name]
}

/** Appends the requested optional columns. Returns the bits of those that differ from their usual value. */
function appendSpare(target: Target, asked: number, parts: OrderParts): number {
  let bits = 0
  for (const leaf of spareLeaves) {
    if ((asked & leaf.bit) !== 0) bits |= writeLeaf(target, leaf, cellOf(leaf, parts))
  }
  return bits
}

const WORD_MASK = 15

/** Columns that a word of terms contains (`termsWord`). */
type TermOfWord = 'side' | 'type' | 'timeInForce' | 'postOnly' | 'reduceOnly' | 'replaced'
/** Columns that have their usual value in every order without rare terms. */
type RareOfPlain = keyof RareOrderTerms | 'trigger' | 'links' | 'successor' | 'by'

/** The other columns, with numbers without their brands. */
type PlainColumns = {
  -readonly [N in Exclude<keyof EventRow<'order'>, TermOfWord | RareOfPlain>]: OrderChanged[N] extends number
    ? number
    : OrderChanged[N]
}

/** An order without rare terms, in its state after a change. It shows all of its remaining size. */
export interface PlainOrderNow extends EventHeader, PlainColumns {
  /** See `termsWord`. */
  terms: number
}

/** Appends the record of an order without rare terms, as `appendOrder` does. */
export function appendPlainOrder(buffer: LogBuffer, now: PlainOrderNow): void {
  const from = buffer.at
  const { filled, terms } = now
  const words = filled === 0 ? orderWords : orderWords + 2
  reserve(buffer, words)
  setCommon(buffer, from, now, now.amount)
  const byte = from * WORD_BYTES
  buffer.bytes[byte + inOrder.side] = (terms & termsWord.sells) === 0 ? 1 : 2
  buffer.bytes[byte + inOrder.type] = ((terms >> termsWord.type) & WORD_MASK) + 1
  buffer.bytes[byte + inOrder.timeInForce] = ((terms >> termsWord.timeInForce) & WORD_MASK) + 1
  buffer.bytes[byte + inOrder.postOnly] = ((terms >> termsWord.postOnly) & WORD_MASK) + 1
  let bits = 0
  if ((terms & termsWord.reduces) !== 0) bits |= orderBits.reduceOnly
  if (now.rested) bits |= orderBits.rested
  if ((terms & termsWord.replaced) !== 0) bits |= orderBits.replaced
  let at = from + orderWords
  if (filled !== 0) {
    bits |= orderBits.filled
    buffer.doubles[at] = filled
    at += 1
    if (now.averagePrice !== 0) {
      bits |= orderBits.averagePrice
      buffer.doubles[at] = now.averagePrice
      at += 1
    }
  }
  buffer.at = at
  if (now.label !== '') {
    bits |= orderBits.label
    appendText(buffer, now.label)
  }
  if (now.session !== NO_SESSION) {
    bits |= orderBits.session
    appendNumber(buffer, now.session)
  }
  setHead(buffer, from, layout.code, bits)
}

/**
 * Returns a function that fills order events from records. The caller passes the same event again or a blank one; the
 * reader sets its header. The function sets the rare terms only if this record or the record before has any.
 */
export function orderFiller(): (event: FilledOrder, buffer: LogBuffer, from: number) => void {
  let before = 0
  return (event, buffer, from) => {
    const bits = bitsAt(buffer, from)
    fillCommon(event, buffer, from)
    const source = { buffer, layout, from, at: from + orderWords }
    event.reduceOnly = (bits & orderBits.reduceOnly) !== 0
    event.rested = (bits & orderBits.rested) !== 0
    event.filled = (bits & orderBits.filled) === 0 ? noLots : (nextNumber(source) as Lots)
    event.averagePrice = (bits & orderBits.averagePrice) === 0 ? price9(0) : (nextNumber(source) as Price9)
    if (((bits | before) & rareBits) !== 0) {
      const row = event as unknown as { [name: string]: unknown }
      for (const leaf of spareLeaves) {
        if (((bits | before) & leaf.bit) !== 0) row[leaf.name] = readLeaf(source, leaf)
      }
    } else {
      event.replaced = (bits & orderBits.replaced) !== 0
      event.label = (bits & orderBits.label) === 0 ? '' : nextText(source)
      event.session = (bits & orderBits.session) === 0 ? NO_SESSION : nextNumber(source)
    }
    before = bits
  }
}

/** The account of an order. */
export function recordedAccountAt(buffer: LogBuffer, from: number): AccountId {
  return buffer.ints[2 * from + inOrder.account] as AccountId
}

/** The session of an order without rare terms; `NO_SESSION` for none. */
export function recordedSessionAt(buffer: LogBuffer, from: number): number {
  const bits = bitsAt(buffer, from)
  assert((bits & rareBits) === 0, 'a session of an order that is not rare')
  if ((bits & orderBits.session) === 0) return NO_SESSION
  // The session is the last column of such an order.
  return buffer.doubles[from + lengthAt(buffer, from) - 1] as number
}

/** The label of an order without rare terms; '' for none. */
export function recordedLabelAt(buffer: LogBuffer, from: number): string {
  const bits = bitsAt(buffer, from)
  assert((bits & rareBits) === 0, 'a label of an order that is not rare')
  if ((bits & orderBits.label) === 0) return ''
  const fills = ((bits & orderBits.filled) === 0 ? 0 : 1) + ((bits & orderBits.averagePrice) === 0 ? 0 : 1)
  return nextText({ buffer, at: from + orderWords + fills })
}

function fillCommon(event: FilledOrder, buffer: LogBuffer, from: number): void {
  const { doubles, ints, bytes } = buffer
  const byte = from * WORD_BYTES
  // A record contains the values of an event, so each value read has the unit with which it was written.
  event.change = orderChanges[(bytes[byte + inOrder.change] as number) - 1] as OrderChanged['change']
  event.order = doubles[from + inOrder.order] as OrderId
  event.account = ints[2 * from + inOrder.account] as AccountId
  event.instrument = ints[2 * from + inOrder.instrument] as InstrumentId
  event.side = bytes[byte + inOrder.side] === 1 ? 'buy' : 'sell'
  event.type = orderTypes[(bytes[byte + inOrder.type] as number) - 1] as OrderChanged['type']
  event.timeInForce = timesInForce[(bytes[byte + inOrder.timeInForce] as number) - 1] as OrderChanged['timeInForce']
  event.price = doubles[from + inOrder.price] as Price9
  event.amount = doubles[from + inOrder.amount] as Lots
  event.state = orderStates[(bytes[byte + inOrder.state] as number) - 1] as OrderChanged['state']
  event.postOnly = postOnlyModes[(bytes[byte + inOrder.postOnly] as number) - 1] as OrderChanged['postOnly']
  event.createdAt = doubles[from + inOrder.createdAt] as Micros
  event.shown = doubles[from + inOrder.shown] as Lots
  const reason = bytes[byte + inOrder.reason] as number
  event.reason = reason === 0 ? null : (orderReasons[reason - 1] as OrderChanged['reason'])
}
