/**
 * The record of a live order seen as an object.
 */
import { assert, ticks } from '../../core/index.ts'
import { postOnlyModes, timesInForce } from '../../model/index.ts'
import type { LiveOrder, OrderRecord } from './live-order.ts'
import {
  amountAt,
  holdingAt,
  idAt,
  reducesAt,
  setStage,
  sideAt,
  stageAt,
  timeInForceAt,
  typeAt,
} from './order-fields.ts'
import {
  createLiveOrders,
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
const { reduces: REDUCES, stood: STOOD, rare: RARE } = orderFlags
const AT = orderWordsAt

/** The order in a slot as an object: it reads and writes the record, and is of use while the slot is the order's. */
export class OrderOfRecord implements LiveOrder {
  /** Kept alive so that V8 keeps the shape of views: without it the next exchange would compile its code anew. */
  static readonly kept: LiveOrder = new OrderOfRecord(createLiveOrders([]), 0)

  readonly orders: LiveOrders
  readonly slot: number

  constructor(orders: LiveOrders, slot: number) {
    this.orders = orders
    this.slot = slot
  }

  get id(): OrderRecord['id'] {
    return idAt(this.orders, this.slot)
  }

  get instrument(): OrderRecord['instrument'] {
    const holding = this.orders.holdings[this.holding]
    assert(holding !== undefined, 'an order has a holding')
    return holding.row.instrument.id
  }

  get side(): OrderRecord['side'] {
    return sideAt(this.orders, this.slot)
  }

  get type(): OrderRecord['type'] {
    return typeAt(this.orders, this.slot)
  }

  get timeInForce(): OrderRecord['timeInForce'] {
    return timeInForceAt(this.orders, this.slot)
  }

  set timeInForce(value: OrderRecord['timeInForce']) {
    this.setWord(AT.timeInForce, placeIn(timesInForce, value))
  }

  get postOnly(): OrderRecord['postOnly'] {
    return postOnlyModes[(this.bits >> AT.postOnly) & WORD_BITS] as OrderRecord['postOnly']
  }

  set postOnly(value: OrderRecord['postOnly']) {
    this.setWord(AT.postOnly, placeIn(postOnlyModes, value))
  }

  get reduceOnly(): boolean {
    return reducesAt(this.orders, this.slot)
  }

  set reduceOnly(value: boolean) {
    this.setFlag(REDUCES, value)
  }

  get amount(): OrderRecord['amount'] {
    return amountAt(this.orders, this.slot)
  }

  set amount(value: OrderRecord['amount']) {
    this.orders.doubles[this.slot * DOUBLES + AMOUNT] = value
  }

  get created(): OrderRecord['created'] {
    return this.orders.doubles[this.slot * DOUBLES + CREATED] as OrderRecord['created']
  }

  get holding(): number {
    return holdingAt(this.orders, this.slot)
  }

  get fills(): OrderRecord['fills'] {
    const paid = (this.bits >> AT.paid) & WORD_BITS
    if (paid === paidStates.none) return null
    if (paid === paidStates.once)
      return ticks(this.orders.doubles[this.slot * DOUBLES + PAID] as number)
    const at = this.slot * DOUBLES + PAID
    return this.orders.doubles.slice(at, at + 2)
  }

  set fills(value: OrderRecord['fills']) {
    const isBasis = value !== null && typeof value !== 'number'
    const at = this.slot * DOUBLES + PAID
    if (isBasis) this.orders.doubles.set(value, at)
    else if (value !== null) this.orders.doubles[at] = value
    this.setWord(AT.paid, value === null ? 0 : isBasis ? paidStates.often : paidStates.once)
  }

  get stage(): OrderRecord['stage'] {
    return stageAt(this.orders, this.slot)
  }

  set stage(value: OrderRecord['stage']) {
    setStage(this.orders, this.slot, value)
  }

  get stood(): boolean {
    return (this.bits & STOOD) !== 0
  }

  set stood(value: boolean) {
    this.setFlag(STOOD, value)
  }

  get label(): RareTerms['label'] {
    return this.rare.label
  }

  get display(): RareTerms['display'] {
    return this.rare.display
  }

  set display(value: RareTerms['display']) {
    if (value !== this.display) this.ownRare().display = value
  }

  get replaced(): RareTerms['replaced'] {
    return this.rare.replaced
  }

  set replaced(value: RareTerms['replaced']) {
    if (value !== this.replaced) this.ownRare().replaced = value
  }

  get autoReplaced(): RareTerms['autoReplaced'] {
    return this.rare.autoReplaced
  }

  set autoReplaced(value: RareTerms['autoReplaced']) {
    if (value !== this.autoReplaced) this.ownRare().autoReplaced = value
  }

  get advanced(): RareTerms['advanced'] {
    return this.rare.advanced
  }

  set advanced(value: RareTerms['advanced']) {
    if (value !== this.advanced) this.ownRare().advanced = value
  }

  get liquidation(): RareTerms['liquidation'] {
    return this.rare.liquidation
  }

  get triggeredBy(): RareTerms['triggeredBy'] {
    return this.rare.triggeredBy
  }

  get session(): RareTerms['session'] {
    return this.rare.session
  }

  get extras(): RareTerms['extras'] {
    return this.rare.extras
  }

  set extras(value: RareTerms['extras']) {
    if (value !== this.extras) this.ownRare().extras = value
  }

  get validUntil(): RareTerms['validUntil'] {
    return this.rare.validUntil
  }

  set validUntil(value: RareTerms['validUntil']) {
    if (value !== this.validUntil) this.ownRare().validUntil = value
  }

  get trigger(): RareTerms['trigger'] {
    return this.rare.trigger
  }

  set trigger(value: RareTerms['trigger']) {
    if (value !== this.trigger) this.ownRare().trigger = value
  }

  get link(): RareTerms['link'] {
    return this.rare.link
  }

  set link(value: RareTerms['link']) {
    if (value !== this.link) this.ownRare().link = value
  }

  private get bits(): number {
    return this.orders.words[this.slot * WORDS + BITS] as number
  }

  private get isRare(): boolean {
    return ((this.orders.words[this.slot * WORDS + BITS] as number) & RARE) !== 0
  }

  private get rare(): RareTerms {
    return this.isRare ? this.rareTerms() : usualTerms
  }

  private rareTerms(): RareTerms {
    const terms = this.orders.rare.get(this.slot)
    assert(terms !== undefined, 'terms that few orders have are kept')
    return terms
  }

  private ownRare(): RareTerms {
    if (!this.isRare) {
      this.setFlag(RARE, true)
      this.orders.rare.set(this.slot, { ...usualTerms })
    }
    return this.rareTerms()
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
