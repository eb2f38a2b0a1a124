/**
 * The facts of live orders that their book does not know: a plain record for each, its times and its
 * neighbours in the account's list in columns, all under the slots of the book.
 *
 * The columns hold what would cost a record a boxed number each. About 240 bytes a resting order,
 * the book's slot and the table of ids included; `npm run bench` measures it. The record of a slot is
 * used again for the next order there: live orders outlive garbage collections, and copying 10,000
 * of them each time cost the engine a twentieth.
 */
import type { WaitingTrigger } from '../../book/index.ts'
import {
  assert,
  changing,
  copyRow,
  fixed,
  instrumentId,
  type Lots,
  lots,
  type Micros,
  micros,
  type OrderId,
  orNull,
  type Price9,
  plainUnit,
  type RowOf,
  rowUnit,
  sequence,
  type Ticks,
  units,
} from '../../core/index.ts'
import {
  type FillCondition,
  NO_ORDER,
  NO_SESSION,
  orderFields,
  type TriggerSource,
} from '../../model/index.ts'

/**
 * Where a live order is.
 * - `entering`: it is being matched, or about to be.
 * - `resting`: in its book.
 * - `emptied`: an iceberg whose visible part is gone, until it shows its next.
 * - `routed`: on its way to the third-party exchange that matches it.
 * - `bumped`: behind the speed bump.
 * - `waiting`: the second of two partners, until the first has had its turn.
 * - `untriggered`: it waits for a price.
 * - `fired`: its price came, and it waits for its turn.
 * - `dormant`: a secondary that waits for its primary.
 */
export type OrderStage =
  | 'entering'
  | 'resting'
  | 'emptied'
  | 'routed'
  | 'bumped'
  | 'waiting'
  | 'untriggered'
  | 'fired'
  | 'dormant'

/** The condition that a trigger order waits for; of a dormant secondary, the one that it will wait for. */
export interface OrderTrigger {
  readonly source: TriggerSource
  /** Value of the source when a trailing order was placed; 0 for others. */
  reference: Price9
  readonly waiting: WaitingTrigger
}

/** How an order is linked to others; `NO_ORDER` where it is not. */
export interface OrderLink {
  readonly condition: FillCondition
  /** Names the link of two partners, as `OrderLinks` does. */
  pair: OrderId
  /** Its partner while that lives: of the two one cancels the other. */
  partner: OrderId
  /** How much fills of the other have cut off it. */
  cut: Lots
  /** The order whose fills place this secondary, or placed the order that this one came from. */
  primary: OrderId
  /** The secondary that this order was placed for. */
  origin: OrderId
  /** Secondaries of a primary. */
  secondaries: readonly OrderId[]
  /** Partner of a dormant secondary, dormant too. */
  sibling: OrderId
  /** The fill of the primary at which the other last had its turn. */
  siblingTurn: Lots
  /** How much of it was placed, as which order last, and how many turns are to come. */
  placed: Lots
  placedAs: OrderId
  turns: number
  /** It ends once its turns are over. */
  ends: boolean
}

export const liveOrderFields = {
  ...orderFields,
  /** The holding whose order it is, which knows account and instrument. */
  holding: fixed(units.row),
  /**
   * The basis of its fills: null before the first, their price while they all had one, then the basis of all
   * of them as a wide integer.
   */
  fills: changing(plainUnit<null | Ticks | Float64Array>('basis of fills')),
  stage: changing(plainUnit<OrderStage>('stage')),
  /** Time at which its matching must have begun at the latest, where it waits on its way; null for no end. */
  validUntil: changing(orNull(units.micros)),
  /** It has stood in its book. */
  stood: changing(units.flag),
  /** Null but for trigger types. */
  trigger: changing(plainUnit<OrderTrigger | null>('trigger or null')),
  /** Null where it is linked to none. */
  link: changing(plainUnit<OrderLink | null>('link or null')),
}

/** A live order: its terms, and what the engine needs to find at once. */
export interface LiveOrder extends RowOf<typeof liveOrderFields> {}

export const liveOrderUnit = rowUnit('live order', liveOrderFields)

/** A live order while it is made. */
export type OrderRecord = { -readonly [Field in keyof LiveOrder]: LiveOrder[Field] }

/** The records and columns; only this file knows the layout of the columns. */
export interface LiveOrders {
  readonly records: OrderTermsRecord[]
  /** Creation and last change of each slot. */
  times: Float64Array
  /** Next and previous order of the same account. */
  links: Int32Array
}

/** No orders yet. */
export function createLiveOrders(): LiveOrders {
  return { records: [], times: new Float64Array(0), links: new Int32Array(0) }
}

/** The holding of an order that is no more. */
const NO_HOLDING = -1

/** Terms that few orders have. */
type RareTerms = Pick<
  OrderRecord,
  | 'label'
  | 'display'
  | 'replaced'
  | 'autoReplaced'
  | 'advanced'
  | 'liquidation'
  | 'triggeredBy'
  | 'session'
  | 'extras'
  | 'validUntil'
  | 'trigger'
  | 'link'
>

/** The values of these terms for all other orders: one object for all of them. */
const usualTerms: RareTerms = Object.freeze({
  label: '',
  display: lots(0),
  replaced: false,
  autoReplaced: false,
  advanced: null,
  liquidation: false,
  triggeredBy: NO_ORDER,
  session: NO_SESSION,
  extras: null,
  validUntil: null,
  trigger: null,
  link: null,
})

/** Bits of `flags`. */
const SELLS = 1
const REDUCES = 2
const STOOD = 4

/**
 * A record. Terms that few orders have stand in an object of their own, which is made when the first of them is
 * set: a hundred bytes less for each order, and as much less memory that each command goes through.
 */
class OrderTermsRecord implements OrderRecord {
  id = NO_ORDER
  instrument = instrumentId(0)
  type: OrderRecord['type'] = 'limit'
  timeInForce: OrderRecord['timeInForce'] = 'good_til_cancelled'
  postOnly: OrderRecord['postOnly'] = 'off'
  amount = lots(0)
  created = sequence(0)
  holding = NO_HOLDING
  fills: OrderRecord['fills'] = null
  stage: OrderStage = 'entering'
  rare = usualTerms
  /** Fields with two values, as bits: a word less for each. */
  flags = 0

  get side(): OrderRecord['side'] {
    return (this.flags & SELLS) === 0 ? 'buy' : 'sell'
  }

  set side(value: OrderRecord['side']) {
    this.setFlag(SELLS, value === 'sell')
  }

  get reduceOnly(): boolean {
    return (this.flags & REDUCES) !== 0
  }

  set reduceOnly(value: boolean) {
    this.setFlag(REDUCES, value)
  }

  get stood(): boolean {
    return (this.flags & STOOD) !== 0
  }

  set stood(value: boolean) {
    this.setFlag(STOOD, value)
  }

  get label(): RareTerms['label'] {
    return this.rare.label
  }

  set label(value: RareTerms['label']) {
    if (value !== this.rare.label) this.ownRare().label = value
  }

  get display(): RareTerms['display'] {
    return this.rare.display
  }

  set display(value: RareTerms['display']) {
    if (value !== this.rare.display) this.ownRare().display = value
  }

  get replaced(): RareTerms['replaced'] {
    return this.rare.replaced
  }

  set replaced(value: RareTerms['replaced']) {
    if (value !== this.rare.replaced) this.ownRare().replaced = value
  }

  get autoReplaced(): RareTerms['autoReplaced'] {
    return this.rare.autoReplaced
  }

  set autoReplaced(value: RareTerms['autoReplaced']) {
    if (value !== this.rare.autoReplaced) this.ownRare().autoReplaced = value
  }

  get advanced(): RareTerms['advanced'] {
    return this.rare.advanced
  }

  set advanced(value: RareTerms['advanced']) {
    if (value !== this.rare.advanced) this.ownRare().advanced = value
  }

  get liquidation(): RareTerms['liquidation'] {
    return this.rare.liquidation
  }

  set liquidation(value: RareTerms['liquidation']) {
    if (value !== this.rare.liquidation) this.ownRare().liquidation = value
  }

  get triggeredBy(): RareTerms['triggeredBy'] {
    return this.rare.triggeredBy
  }

  set triggeredBy(value: RareTerms['triggeredBy']) {
    if (value !== this.rare.triggeredBy) this.ownRare().triggeredBy = value
  }

  get session(): RareTerms['session'] {
    return this.rare.session
  }

  set session(value: RareTerms['session']) {
    if (value !== this.rare.session) this.ownRare().session = value
  }

  get extras(): RareTerms['extras'] {
    return this.rare.extras
  }

  set extras(value: RareTerms['extras']) {
    if (value !== this.rare.extras) this.ownRare().extras = value
  }

  get validUntil(): RareTerms['validUntil'] {
    return this.rare.validUntil
  }

  set validUntil(value: RareTerms['validUntil']) {
    if (value !== this.rare.validUntil) this.ownRare().validUntil = value
  }

  get trigger(): RareTerms['trigger'] {
    return this.rare.trigger
  }

  set trigger(value: RareTerms['trigger']) {
    if (value !== this.rare.trigger) this.ownRare().trigger = value
  }

  get link(): RareTerms['link'] {
    return this.rare.link
  }

  set link(value: RareTerms['link']) {
    if (value !== this.rare.link) this.ownRare().link = value
  }

  /** Forgets what few orders have. */
  clearRare(): void {
    this.rare = usualTerms
  }

  setFlag(flag: number, isSet: boolean): void {
    this.flags = isSet ? this.flags | flag : this.flags & ~flag
  }

  ownRare(): RareTerms {
    if (this.rare === usualTerms) this.rare = { ...usualTerms }
    return this.rare
  }
}

/** Kept alive so that V8 keeps the shape of records: without it the next exchange would compile its code anew. */
const noRecord = new OrderTermsRecord()

/**
 * The record of a slot below `capacity` that was just taken, for the caller to fill: every field but
 * the times, which are set to `time`. Its neighbours are none of its business.
 */
export function recordFor(
  orders: LiveOrders,
  slot: number,
  live: { readonly time: number; readonly capacity: number },
): OrderRecord {
  if (orders.times.length < live.capacity * 2) grow(orders, live.capacity)
  orders.times[slot * 2] = live.time
  orders.times[slot * 2 + 1] = live.time
  const known = orders.records[slot]
  if (known !== undefined) return known
  const made = new OrderTermsRecord()
  orders.records[slot] = made
  return made
}

/** Lets go of the order under a slot; its record waits for the next one. */
export function dropOrder(orders: LiveOrders, slot: number): void {
  const record = orders.records[slot]
  assert(record !== undefined && record.holding !== NO_HOLDING, 'an order that ends is live')
  record.holding = NO_HOLDING
  record.fills = null
  record.clearRare()
}

/** All fields of an order as they are now, in an object of its own. */
export function copyOfOrder(order: LiveOrder): LiveOrder {
  return copyRow(liveOrderFields, order)
}

/** True if a slot still holds the order of this id. */
export function holdsOrder(orders: LiveOrders, slot: number, id: number): boolean {
  const record = orders.records[slot] ?? noRecord
  return record.id === id && record.holding !== NO_HOLDING
}

/** The order under a slot that is in use. Whoever keeps it beyond the command copies it. */
export function recordAt(orders: LiveOrders, slot: number): LiveOrder {
  const record = orders.records[slot]
  assert(record !== undefined && record.holding !== NO_HOLDING, 'a live order has a record')
  return record
}

/** The time of its creation. */
export function creationTimeAt(orders: LiveOrders, slot: number): Micros {
  return micros(orders.times[slot * 2] as number)
}

/** The time of its last change. */
export function updateTimeAt(orders: LiveOrders, slot: number): Micros {
  return micros(orders.times[slot * 2 + 1] as number)
}

/** Notes the time of a change. */
export function setUpdateTime(orders: LiveOrders, slot: number, time: number): void {
  orders.times[slot * 2 + 1] = time
}

/** The order after it in its account's list. */
export function nextInAccount(orders: LiveOrders, slot: number): number {
  return orders.links[slot * 2] as number
}

/** The order before it. */
export function previousInAccount(orders: LiveOrders, slot: number): number {
  return orders.links[slot * 2 + 1] as number
}

/** Sets the order after it. */
export function setNextInAccount(orders: LiveOrders, slot: number, next: number): void {
  orders.links[slot * 2] = next
}

/** Sets the order before it. */
export function setPreviousInAccount(orders: LiveOrders, slot: number, previous: number): void {
  orders.links[slot * 2 + 1] = previous
}

function grow(orders: LiveOrders, capacity: number): void {
  const times = new Float64Array(capacity * 2)
  times.set(orders.times)
  orders.times = times
  const links = new Int32Array(capacity * 2)
  links.set(orders.links)
  orders.links = links
}
