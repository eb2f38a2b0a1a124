/**
 * An object view of the record of a live order.
 */
import { assert, ticks } from '../../core/index.ts'
import { postOnlyModes, timesInForce } from '../../model/index.ts'
import type { LiveOrder } from './live-order.ts'
import {
  amountAt,
  holdingAt,
  idAt,
  labelAt,
  rareTermsAt,
  reducesAt,
  sessionOfOrder,
  setRareTerms,
  setStage,
  sideAt,
  stageAt,
  timeInForceAt,
  typeAt,
} from './order-fields.ts'
import {
  createOrderStore,
  type LiveOrders,
  orderFlags,
  orderLayout,
  orderWordsAt,
  paidStates,
  placeIn,
  type RareTerms,
  usualTerms,
  WORD_BITS,
} from './order-layout.ts'

const { doubles: DOUBLES, words: WORDS } = orderLayout.lengths
const { amount: AMOUNT, created: CREATED, paid: PAID } = orderLayout.doubles
const { bits: BITS } = orderLayout.words
const { reduces: REDUCES, stood: STOOD, rare: RARE, replaced: REPLACED } = orderFlags
const AT = orderWordsAt

/**
 * Rare terms that handlers of plain orders read too. Their accessors are written out, because these load by a fixed
 * name.
 */
type AskedTerms = Pick<RareTerms, 'display' | 'extras' | 'trigger' | 'link'>

/** The view of a record. The loop below adds accessors for the other rare terms. */
class OrderOfRecord implements Omit<LiveOrder, Exclude<keyof RareTerms, keyof AskedTerms>> {
  /**
   * Keeps one view alive, so that V8 keeps the shape of views. Without it the next exchange would recompile its code.
   */
  static kept?: LiveOrder

  readonly orders: LiveOrders
  readonly slot: number

  constructor(orders: LiveOrders, slot: number) {
    this.orders = orders
    this.slot = slot
  }

  get id(): LiveOrder['id'] {
    return idAt(this.orders, this.slot)
  }

  get instrument(): LiveOrder['instrument'] {
    const holding = this.orders.holdings[this.holding]
    assert(holding !== undefined, 'an order has a holding')
    return holding.row.instrument.id
  }

  get side(): LiveOrder['side'] {
    return sideAt(this.orders, this.slot)
  }

  get type(): LiveOrder['type'] {
    return typeAt(this.orders, this.slot)
  }

  get timeInForce(): LiveOrder['timeInForce'] {
    return timeInForceAt(this.orders, this.slot)
  }

  set timeInForce(value: LiveOrder['timeInForce']) {
    this.setWord(AT.timeInForce, placeIn(timesInForce, value))
  }

  get label(): string {
    return labelAt(this.orders, this.slot)
  }

  get postOnly(): LiveOrder['postOnly'] {
    return postOnlyModes[(this.bits >> AT.postOnly) & WORD_BITS] as LiveOrder['postOnly']
  }

  set postOnly(value: LiveOrder['postOnly']) {
    this.setWord(AT.postOnly, placeIn(postOnlyModes, value))
  }

  get reduceOnly(): boolean {
    return reducesAt(this.orders, this.slot)
  }

  set reduceOnly(value: boolean) {
    this.setFlag(REDUCES, value)
  }

  get amount(): LiveOrder['amount'] {
    return amountAt(this.orders, this.slot)
  }

  set amount(value: LiveOrder['amount']) {
    this.orders.doubles[this.slot * DOUBLES + AMOUNT] = value
  }

  get replaced(): boolean {
    return (this.bits & REPLACED) !== 0
  }

  set replaced(value: boolean) {
    this.setFlag(REPLACED, value)
  }

  get created(): LiveOrder['created'] {
    return this.orders.doubles[this.slot * DOUBLES + CREATED] as LiveOrder['created']
  }

  get session(): number {
    return sessionOfOrder(this.orders, this.slot)
  }

  get holding(): number {
    return holdingAt(this.orders, this.slot)
  }

  get fills(): LiveOrder['fills'] {
    const paid = (this.bits >> AT.paid) & WORD_BITS
    if (paid === paidStates.none) return null
    if (paid === paidStates.once) return ticks(this.orders.doubles[this.slot * DOUBLES + PAID] as number)
    const at = this.slot * DOUBLES + PAID
    return this.orders.doubles.slice(at, at + 2)
  }

  set fills(value: LiveOrder['fills']) {
    const isBasis = value !== null && typeof value !== 'number'
    const at = this.slot * DOUBLES + PAID
    if (isBasis) this.orders.doubles.set(value, at)
    else if (value !== null) this.orders.doubles[at] = value
    this.setWord(AT.paid, value === null ? 0 : isBasis ? paidStates.often : paidStates.once)
  }

  get stage(): LiveOrder['stage'] {
    return stageAt(this.orders, this.slot)
  }

  set stage(value: LiveOrder['stage']) {
    setStage(this.orders, this.slot, value)
  }

  get stood(): boolean {
    return (this.bits & STOOD) !== 0
  }

  set stood(value: boolean) {
    this.setFlag(STOOD, value)
  }

  get display(): LiveOrder['display'] {
    return rareTermsAt(this.orders, this.slot).display
  }

  set display(value: LiveOrder['display']) {
    if (value !== this.display) this.ownRare().display = value
  }

  get extras(): LiveOrder['extras'] {
    return rareTermsAt(this.orders, this.slot).extras
  }

  set extras(value: LiveOrder['extras']) {
    if (value !== this.extras) this.ownRare().extras = value
  }

  get trigger(): LiveOrder['trigger'] {
    return rareTermsAt(this.orders, this.slot).trigger
  }

  set trigger(value: LiveOrder['trigger']) {
    if (value !== this.trigger) this.ownRare().trigger = value
  }

  get link(): LiveOrder['link'] {
    return rareTermsAt(this.orders, this.slot).link
  }

  set link(value: LiveOrder['link']) {
    if (value !== this.link) this.ownRare().link = value
  }

  /** The order's own rare terms. Creates them with their usual values if the order had none. */
  ownRare(): RareTerms {
    if ((this.bits & RARE) === 0) setRareTerms(this.orders, this.slot, { ...usualTerms })
    return rareTermsAt(this.orders, this.slot)
  }

  private get bits(): number {
    return this.orders.words[this.slot * WORDS + BITS] as number
  }

  private setFlag(flag: number, isSet: boolean): void {
    const at = this.slot * WORDS + BITS
    this.orders.words[at] = isSet ? this.bits | flag : this.bits & ~flag
  }

  private setWord(first: number, value: number): void {
    const others = this.bits & ~(WORD_BITS << first)
    this.orders.words[this.slot * WORDS + BITS] = others | (value << first)
  }
}

for (const name of Object.keys(usualTerms) as (keyof RareTerms)[]) {
  if (name in OrderOfRecord.prototype) continue
  Object.defineProperty(OrderOfRecord.prototype, name, {
    get(this: OrderOfRecord) {
      return rareTermsAt(this.orders, this.slot)[name]
    },
    set(this: OrderOfRecord & RareTerms, value: never) {
      if (value !== this[name]) this.ownRare()[name] = value
    },
  })
}

/**
 * Returns the order of a slot as an object that reads and writes the record. It is valid while the order has the slot.
 */
export function orderOfRecord(orders: LiveOrders, slot: number): LiveOrder {
  // The class has accessors for all rare terms.
  return new OrderOfRecord(orders, slot) as unknown as LiveOrder
}

OrderOfRecord.kept = orderOfRecord(createOrderStore([]), 0)
