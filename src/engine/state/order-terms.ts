/**
 * The record of a live order in memory: terms that few orders have apart, fields with two values as bits.
 */
import { instrumentId, lots, sequence } from '../../core/index.ts'
import { NO_ORDER, NO_SESSION } from '../../model/index.ts'
import type { OrderRecord, OrderStage } from './live-order.ts'

/** The holding of an order that is no more. */
export const NO_HOLDING = -1

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
export class OrderTermsRecord implements OrderRecord {
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
export const noRecord = new OrderTermsRecord()
