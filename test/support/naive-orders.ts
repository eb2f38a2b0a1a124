/**
 * Orders of the naive exchange and what can be read from one of them alone.
 *
 * Prices are 1e-9 quote units and sizes lots, both bigint.
 */
import {
  type AdvancedTerms,
  type Currency,
  currencies,
  type FillCondition,
  type InstrumentSpec,
  type OrderChanged,
  type OrderTerms,
  type OrderType,
  orderForms,
  type Side,
  type TimeInForce,
  type TriggerSource,
} from '../../src/model/index.ts'
import { floorDiv } from './naive-money.ts'

/**
 * Where an order is: being matched, in the book, on its way to another exchange, waiting for a
 * price, chosen by a price and waiting for its turn, waiting for its primary, second of two partners before
 * its turn, or over.
 */
export type Stage = 'entering' | 'resting' | 'routed' | 'untriggered' | 'fired' | 'dormant' | 'waiting' | 'ended'

/** No price is higher, in 1e-9. */
export const PRICE_MAX = 9_007_199_000_000_000n

/** What a trigger order waits for. `extreme` is the best price since a trailing stop was placed. */
export interface NaiveTrigger {
  readonly source: TriggerSource
  price: bigint
  offset: bigint
  reference: bigint
  extreme: bigint
}

/** An order, live or ended. */
export interface NaiveOrder {
  readonly id: number
  readonly account: number
  readonly instrument: number
  readonly side: Side
  readonly type: OrderType
  readonly timeInForce: TimeInForce
  readonly label: string
  readonly created: number
  readonly createdAt: number
  readonly triggeredBy: number
  stage: Stage
  updatedAt: number
  price: bigint
  amount: bigint
  filled: bigint
  display: bigint
  /** What of it can be seen while it rests. */
  tip: bigint
  postOnly: 'off' | 'slide' | 'reject'
  reduceOnly: boolean
  replaced: boolean
  /** Whether its last change was a price that the exchange found anew. */
  autoReplaced: boolean
  advanced: AdvancedTerms | null
  /** Whether a liquidation placed it. */
  readonly liquidation: boolean
  /** Whether it ever stood in the book. */
  stood: boolean
  readonly fills: { readonly lots: bigint; readonly price: bigint }[]
  trigger: NaiveTrigger | null
  links: NaiveLinks
}

/** What links an order to others. */
export interface NaiveLinks {
  readonly condition: FillCondition
  /** First member of the pair, 0 for none. */
  pair: number
  /** The other member of an OCO pair. */
  partner: NaiveOrder | null
  /** How much of the amount the partner's fills took away. */
  cut: bigint
  /** Of a primary: its secondaries as they were created. */
  secondaries: readonly NaiveOrder[]
  /** Of a secondary: the order that places it. */
  primary: NaiveOrder | null
  /** Of a dormant secondary of an OTOCO: the other one. */
  sibling: NaiveOrder | null
  /** Of a dormant secondary: the last order placed for it, how much of it in all, and at which fill. */
  placed: NaiveOrder | null
  target: bigint
  step: bigint
  /** Of a placed secondary: the dormant one. */
  origin: NaiveOrder | null
}

/** Links of an order that has none. */
export function noLinks(): NaiveLinks {
  return {
    ...{ condition: 'first_hit', pair: 0, partner: null, cut: 0n, secondaries: [] },
    ...{ primary: null, sibling: null, placed: null, target: 0n, step: 0n, origin: null },
  }
}

/** What an order is made from: the terms of the model with prices in 1e-9 and sizes as bigint. */
export interface NaiveTerms {
  readonly account: number
  readonly instrument: number
  readonly side: Side
  readonly type: OrderType
  readonly timeInForce: TimeInForce
  readonly label: string
  readonly price: bigint | null
  readonly amount: bigint
  readonly display: bigint
  readonly postOnly: 'off' | 'slide' | 'reject'
  readonly reduceOnly: boolean
  /** A price in USD or of volatility, which `price` is computed from. */
  readonly advanced: AdvancedTerms | null
  readonly liquidation: boolean
  readonly trigger: {
    readonly source: TriggerSource
    readonly price: bigint | null
    readonly offset: bigint | null
  } | null
}

/** Terms as asked for, on an instrument with this tick. */
export function termsOf(
  asked: OrderTerms,
  on: {
    readonly account: number
    readonly instrument: number
    readonly tick: bigint
    readonly display: number
  },
): NaiveTerms {
  const { account, instrument, tick } = on
  const priced = (count: number | null): bigint | null => (count === null ? null : BigInt(count) * tick)
  const { side, type, timeInForce, label, postOnly, reduceOnly, trigger } = asked
  const amount = BigInt(asked.amount)
  return {
    ...{ account, instrument, side, type, timeInForce, label, postOnly, reduceOnly, amount },
    ...{ advanced: asked.advanced, liquidation: false },
    price: priced(asked.price),
    display: shownAtATime(BigInt(on.display), amount),
    trigger: trigger && {
      source: trigger.source,
      price: priced(trigger.price),
      offset: priced(trigger.offset),
    },
  }
}

/** A display that covers the amount hides nothing (C25). */
export function shownAtATime(display: bigint, amount: bigint): bigint {
  return display >= amount ? 0n : display
}

export function remainingOf(order: NaiveOrder): bigint {
  return order.amount - order.filled
}

export function isLive(order: NaiveOrder): boolean {
  return order.stage !== 'ended'
}

/** In a book or on its way to it. */
export function isInBook({ stage }: NaiveOrder): boolean {
  return stage === 'entering' || stage === 'resting' || stage === 'routed' || stage === 'waiting'
}

/** What would be seen of an order that enters with all that is left. */
export function freshTip(order: NaiveOrder): bigint {
  const left = remainingOf(order)
  return order.display > 0n && order.display < left ? order.display : left
}

/** What of an order can be seen, or could be once it stands in the book. */
export function shownOf(order: NaiveOrder): bigint {
  if (remainingOf(order) === 0n) return 0n
  return order.stage === 'resting' ? order.tip : freshTip(order)
}

/** Types that enter at a price of the market's, not at one that was asked for. */
export function isPriceless(type: OrderType): boolean {
  return type !== 'limit' && type !== 'stop_limit' && type !== 'take_limit'
}

/** What a type enters the book as. */
export function bookTypeOf(type: OrderType): 'limit' | 'market' | 'market_limit' {
  if (type === 'market_limit') return type
  return isPriceless(type) ? 'market' : 'limit'
}

/** Whether an order fires when its source rises to its price. */
export function firesOnRise(order: { readonly type: OrderType; readonly side: Side }): boolean {
  const takes = order.type === 'take_limit' || order.type === 'take_market'
  return takes ? order.side === 'sell' : order.side === 'buy'
}

/** Where a trigger order fires, to the last digit. */
export function firesAt(order: NaiveOrder): bigint {
  const { trigger } = order
  if (trigger === null) throw new Error('a trigger order has a trigger')
  if (order.type !== 'trailing_stop') return trigger.price
  return trigger.extreme + (order.side === 'buy' ? trigger.offset : -trigger.offset)
}

/** Where it fires as shown: a trailing stop on the grid, a half upward, and not below 0 but for combos. */
export function shownTrigger(order: NaiveOrder, spec: InstrumentSpec): bigint {
  const at = firesAt(order)
  if (order.type !== 'trailing_stop') return at
  // One that waits for its primary has seen no price yet.
  if (order.stage === 'dormant' || (at < 0n && spec.detail.type !== 'combo')) return 0n
  const tick = BigInt(spec.tick9)
  return floorDiv(at * 2n + tick, tick * 2n) * tick
}

/** The state on the wire of a live order. */
export function stateOf({ stage }: NaiveOrder): OrderChanged['state'] {
  return stage === 'untriggered' || stage === 'fired' || stage === 'dormant' ? 'untriggered' : 'open'
}

/** Id of the `number`-th order of a currency: number, form, currency (R08, C02). */
export function idOf(
  currency: Currency,
  number: number,
  order: Pick<NaiveOrder, 'side' | 'stage'> & {
    readonly trigger: { readonly source: TriggerSource } | null
  },
): number {
  const { trigger, side, stage } = order
  const form = stage === 'dormant' ? 'secondary' : trigger ? (`${trigger.source}_${side}` as const) : 'ordinary'
  return (number * 8 + orderForms.indexOf(form)) * 16 + currencies.indexOf(currency)
}

/** The number within an id. */
export function numberOf(id: number): number {
  return Math.floor(id / 128)
}
