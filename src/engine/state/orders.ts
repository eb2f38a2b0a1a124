/**
 * Live orders: their records in the slots of the book, their ids, and each account's list in the order of creation.
 */

import { NO_SLOT, ownerOf, priceOf, releaseSlot, remainingOf, shownOf, takeSlot } from '../../book/index.ts'
import {
  addWide,
  assert,
  defined,
  divFloor,
  intMapDelete,
  intMapGet,
  intMapSet,
  type Lots,
  lots,
  type Price9,
  price9,
  wideToBigint,
} from '../../core/index.ts'
import { averagePrice9, type PricedTerms, pricedTerms, setBasis } from '../../ledger/index.ts'
import {
  endOfPrices,
  entryTypeOf,
  type OrderExtras,
  type OrderLinks,
  type OrderState,
  type Side,
  type Trigger,
} from '../../model/index.ts'
import { finerStep9 } from '../../pricing/index.ts'
import type { AccountRow } from './account-row.ts'
import { accountRow } from './accounts.ts'
import type { Exchange } from './exchange.ts'
import { holdingOfOrder } from './holdings.ts'
import type { InstrumentRow } from './instrument-row.ts'
import type { LiveOrder, OrderLink, OrderStage, OrderTrigger } from './live-order.ts'
import type { MmpGroup } from './mmp-group.ts'
import {
  amountAt,
  idAt,
  isRareAt,
  nextInAccount,
  paidAt,
  previousInAccount,
  setNextInAccount,
  setPreviousInAccount,
  sideAt,
  typeAt,
} from './order-fields.ts'
import {
  basisPlace,
  type CommonTerms,
  dropOrder,
  type NewOrder,
  notePaid,
  openRecord,
  recordAt,
  reserveRecords,
} from './order-records.ts'

/** The instrument and side that identify a quote of a group. */
interface QuotePlace {
  readonly instrument: number
  readonly side: Side
}

/** Averages have 8 decimals. */
const STEP_8_DIGITS = 10

/** Account, price in ticks and open size in lots of a new slot. */
interface SlotTerms {
  readonly account: number
  readonly price: number
  readonly remaining: number
}

/** Takes a slot for an order. The caller fills its record, and then `listOrder` makes it live. */
export function takeOrderSlot(exchange: Exchange, live: SlotTerms): number {
  return takeSlot(exchange.slots, live.account, live.price, live.remaining)
}

/** Fills the record of an order in a slot that was just taken. Rare terms are set separately. */
export function newRecord(exchange: Exchange, slot: number, terms: CommonTerms, order: NewOrder): void {
  reserveRecords(exchange.orders, exchange.slots.capacity)
  openRecord(exchange.orders, slot, terms, order)
}

/** Makes the order of a slot live. It is in no book yet. */
export function listOrder(exchange: Exchange, slot: number): void {
  intMapSet(exchange.slotOfOrder, idAt(exchange.orders, slot), slot)
  const owner = accountRow(exchange, ownerOf(exchange.slots, slot))
  setNextInAccount(exchange.orders, slot, NO_SLOT)
  setPreviousInAccount(exchange.orders, slot, owner.lastOrder)
  if (owner.lastOrder === NO_SLOT) owner.firstOrder = slot
  else setNextInAccount(exchange.orders, owner.lastOrder, slot)
  owner.lastOrder = slot
  countOrder(exchange, slot, 1)
  if (isRareAt(exchange.orders, slot)) noteName(exchange, owner, slot)
}

/** Records the client order id of an order of direct access. */
function noteName(exchange: Exchange, owner: AccountRow, slot: number): void {
  const { id, extras } = orderAt(exchange, slot)
  const called = extras === null ? null : clientOrderIdOf(extras)
  if (called === null) return
  assert(!owner.clientOrders.has(called), 'each live order of a client has a unique client id')
  owner.clientOrders.set(called, id)
}

/** Ends a live order that has left its book. */
export function closeOrder(exchange: Exchange, slot: number): void {
  const { orders, slots } = exchange
  const owner = accountRow(exchange, ownerOf(slots, slot))
  const before = previousInAccount(orders, slot)
  const after = nextInAccount(orders, slot)
  if (before === NO_SLOT) owner.firstOrder = after
  else setNextInAccount(orders, before, after)
  if (after === NO_SLOT) owner.lastOrder = before
  else setPreviousInAccount(orders, after, before)
  countOrder(exchange, slot, -1)
  if (isRareAt(orders, slot)) forgetNames(exchange, owner, slot)
  intMapDelete(exchange.slotOfOrder, idAt(orders, slot))
  dropOrder(orders, slot)
  releaseSlot(slots, slot)
}

/** Forgets the quote and the client order id of an order. */
function forgetNames(exchange: Exchange, owner: AccountRow, slot: number): void {
  const order = orderAt(exchange, slot)
  if (order.extras === null) return
  forgetQuote(exchange, order)
  const called = clientOrderIdOf(order.extras)
  if (called !== null) owner.clientOrders.delete(called)
}

function clientOrderIdOf({ direct }: OrderExtras): string | null {
  return direct === null ? null : direct.clientOrderId
}

/** The slot of a live order, or NO_SLOT. */
export function orderSlotOf(exchange: Exchange, order: number): number {
  return intMapGet(exchange.slotOfOrder, order)
}

/** The live order of a slot. */
export function orderAt(exchange: Exchange, slot: number): LiveOrder {
  return recordAt(exchange.orders, slot)
}

/** The row of a live order's instrument. */
export function instrumentOf(exchange: Exchange, slot: number): InstrumentRow {
  return holdingOfOrder(exchange, slot).row
}

/** The row of a listed instrument. */
export function rowOfInstrument(exchange: Exchange, instrument: number): InstrumentRow {
  return defined(exchange.instruments[instrument], 'the instrument is listed')
}

/** Size filled so far, in lots. */
export function filledOf(exchange: Exchange, slot: number): number {
  return amountAt(exchange.orders, slot) - remainingOf(exchange.slots, slot)
}

/** A fill with its price in ticks. */
interface PricedFill {
  readonly slot: number
  readonly lots: number
  readonly price: number
  readonly priced: PricedTerms
}

/**
 * Records the price of a fill. One price needs no sum; from the second price on, the record has the basis of all fills,
 * from which the average is computed. The filled size has already been subtracted from the remaining size.
 */
export function noteFillPrice(exchange: Exchange, row: InstrumentRow, fill: PricedFill): void {
  const noted = notePaid(exchange.orders, fill.slot, fill.price)
  if (noted === 'one') return
  const at = basisPlace(fill.slot)
  if (noted === 'second') {
    const first = (exchange.orders.doubles[at] as number) * row.instrument.tick9
    const before = filledOf(exchange, fill.slot) - fill.lots
    setBasis(exchange.orders.doubles, at, pricedTerms(row.terms, first), before)
  }
  setBasis(exchange.scratch, 0, fill.priced, fill.lots)
  addWide(exchange.orders.doubles, at, exchange.scratch, 0)
}

/**
 * Average price of an order's fills, 0 before the first fill. For inverse contracts it is the total amount over the
 * total coin, for others the weighted mean. It has 8 decimals, or 9 if the ticks need them, rounded half away from zero
 * (C03, R27).
 */
export function averagePrice(exchange: Exchange, row: InstrumentRow, slot: number): Price9 {
  const paid = paidAt(exchange.orders, slot)
  if (!Number.isNaN(paid)) return price9(paid * row.instrument.tick9)
  const filled = filledOf(exchange, slot)
  const basis = wideToBigint(exchange.orders.doubles, basisPlace(slot))
  const step9 = finerStep9(STEP_8_DIGITS, row.instrument.tick9)
  return averagePrice9(row.terms, { lots: filled, basis }, step9)
}

/** Visible size of a live order, or the size that will be visible when it rests in the book. */
export function visibleOf(exchange: Exchange, slot: number): Lots {
  const { stage, display } = orderAt(exchange, slot)
  if (stage === 'resting' || stage === 'emptied') return lots(shownOf(exchange.slots, slot))
  const remaining = remainingOf(exchange.slots, slot)
  return lots(display > 0 ? Math.min(display, remaining) : remaining)
}

/** State of a live order: open to trading, or still waiting. */
export function stateOf(order: LiveOrder): OrderState & ('open' | 'untriggered') {
  return stateOfStage(order.stage)
}

/** State of a live order in a stage. */
export function stateOfStage(stage: OrderStage): OrderState & ('open' | 'untriggered') {
  switch (stage) {
    case 'entering':
    case 'resting':
    case 'emptied':
    case 'routed':
    case 'bumped':
    case 'waiting':
      return 'open'
    case 'untriggered':
    case 'fired':
    case 'dormant':
      return 'untriggered'
  }
}

/**
 * The trigger that an order waits for. The trigger price of a trailing order is rounded half up to the tick. Only the
 * trigger price of a combo may be negative.
 */
export function triggerOf(
  row: InstrumentRow,
  { source, reference, waiting }: OrderTrigger,
  stage: OrderStage,
): Trigger {
  const { tick9, detail } = row.instrument
  // The extreme price of a dormant trailing order is not known yet.
  const isKnown = waiting.offset === 0 || stage !== 'dormant'
  const onGrid = waiting.offset === 0 ? waiting.price : divFloor(waiting.price * 2 + tick9, tick9 * 2) * tick9
  const shown = detail.type === 'combo' ? onGrid : Math.max(0, onGrid)
  return {
    source,
    price: price9(isKnown ? shown : 0),
    offset: price9(waiting.offset),
    reference,
  }
}

/** The links of an order in the form of events and views. */
export function linksOf(link: OrderLink): OrderLinks {
  return { condition: link.condition, pair: link.pair, primary: link.primary, secondaries: link.secondaries }
}

/** Calls `visit` for each live order of an account in the order of creation; `visit` may close that order. */
export function visitAccountOrders(exchange: Exchange, account: number, visit: (slot: number) => void): void {
  let slot = accountRow(exchange, account).firstOrder
  while (slot !== NO_SLOT) {
    const next = nextInAccount(exchange.orders, slot)
    visit(slot)
    slot = next
  }
}

/**
 * The price of a live order in 1e-9; 0 for a market order whose price is the end of the price range because there is no
 * band.
 */
export function orderPrice9(exchange: Exchange, row: InstrumentRow, slot: number): Price9 {
  const price = priceOf(exchange.slots, slot)
  const type = typeAt(exchange.orders, slot)
  const isPriced =
    type === 'limit' ||
    entryTypeOf(type) !== 'market' ||
    price !== endOfPrices(row.instrument, sideAt(exchange.orders, slot))
  return price9(isPriced ? price * row.instrument.tick9 : 0)
}

/** Adds an order to the counts of its account: as a waiting order, or as an order in a book or on its way there. */
function countOrder(exchange: Exchange, slot: number, change: 1 | -1): void {
  const owner = accountRow(exchange, ownerOf(exchange.slots, slot))
  const { kind } = instrumentOf(exchange, slot).instrument
  const waits = isRareAt(exchange.orders, slot) && countWaiting(exchange, slot, change)
  if (!waits) {
    owner.openTotal += change
    if (kind === 'future') owner.openFuture += change
    else if (kind === 'option') owner.openOption += change
    else if (kind === 'spot') owner.openSpot += change
  }
}

/** Adds an order to the counts of waiting orders; false if it does not wait. */
function countWaiting(exchange: Exchange, slot: number, change: 1 | -1): boolean {
  const owner = accountRow(exchange, ownerOf(exchange.slots, slot))
  const { trigger, stage } = orderAt(exchange, slot)
  if (trigger !== null) owner.openTriggers[trigger.source] += change
  if (stage !== 'dormant') return trigger !== null
  if (instrumentOf(exchange, slot).instrument.kind === 'spot') owner.openSpotSecondaries += change
  else owner.openSecondaries += change
  return true
}

/**
 * The open quotes of groups: one for each instrument and side (trading.md 6.16).
 *
 * A cancelled quote that waits behind the speed bump as immediate-or-cancel is no longer an open quote: a new quote may
 * take its side.
 */

/** The slot of the open quote of an instrument and side, or NO_SLOT. */
export function quoteSlot(exchange: Exchange, group: MmpGroup, place: QuotePlace): number {
  const order = group.quotes.get(keyOf(place))
  return order === undefined ? NO_SLOT : intMapGet(exchange.slotOfOrder, order)
}

/** Records a live order as the open quote of its instrument and side. */
export function rememberQuote(exchange: Exchange, order: LiveOrder): void {
  const group = groupOf(exchange, order)
  assert(group !== null, 'a quote belongs to a group')
  const key = keyOf(order)
  assert(!group.quotes.has(key), 'a group has at most one quote per instrument and side')
  group.quotes.set(key, order.id)
}

/** Removes a quote that ended or is about to end. Does nothing for other orders. */
export function forgetQuote(exchange: Exchange, order: LiveOrder): void {
  const group = groupOf(exchange, order)
  if (group === null) return
  const key = keyOf(order)
  if (group.quotes.get(key) === order.id) group.quotes.delete(key)
}

/** True if a live order is the open quote of its instrument and side. */
export function isOpenQuote(exchange: Exchange, order: LiveOrder): boolean {
  return groupOf(exchange, order)?.quotes.get(keyOf(order)) === order.id
}

function groupOf(exchange: Exchange, { extras }: LiveOrder): MmpGroup | null {
  if (extras === null || extras.quote === null || extras.mmp === null) return null
  return defined(exchange.mmpGroups[extras.mmp.group - 1], 'the group of a quote exists')
}

function keyOf(place: QuotePlace): number {
  return place.instrument * 2 + (place.side === 'buy' ? 0 : 1)
}
