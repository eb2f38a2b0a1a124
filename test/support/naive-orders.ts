/**
 * Orders of the naive exchange, and functions of a single order.
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
 * The stage of an order: being matched, in the book, in flight to the alternative engine, waiting for a trigger price,
 * triggered and queued, waiting for its primary, second of two partners before its turn, or over.
 */
export type Stage = 'entering' | 'resting' | 'routed' | 'untriggered' | 'fired' | 'dormant' | 'waiting' | 'ended'

/** The highest price, in 1e-9. */
export const PRICE_MAX = 9_007_199_000_000_000n

/** The condition of a trigger order. `extreme` is the best price since a trailing stop was placed. */
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
  /** The displayed size while it rests. */
  tip: bigint
  postOnly: 'off' | 'slide' | 'reject'
  reduceOnly: boolean
  replaced: boolean
  /** True if the exchange computed its current price in its last change. */
  autoReplaced: boolean
  advanced: AdvancedTerms | null
  /** True if a liquidation placed it. */
  readonly liquidation: boolean
  /** True if it ever rested in the book. */
  stood: boolean
  readonly fills: { readonly lots: bigint; readonly price: bigint }[]
  trigger: NaiveTrigger | null
  links: NaiveLinks
}

/** Links of an order to others. */
export interface NaiveLinks {
  readonly condition: FillCondition
  /** First member of the pair; 0 for none. */
  pair: number
  /** The other member of an OCO pair. */
  partner: NaiveOrder | null
  /** The part of the amount that fills of the partner removed. */
  cut: bigint
  /** For a primary: its secondaries in the order of creation. */
  secondaries: readonly NaiveOrder[]
  /** For a secondary: the order that places it. */
  primary: NaiveOrder | null
  /** For a dormant secondary of an OTOCO: the other secondary. */
  sibling: NaiveOrder | null
  /** For a dormant secondary: the last order placed for it, the total size placed, and the number of that fill. */
  placed: NaiveOrder | null
  target: bigint
  step: bigint
  /** For a placed secondary: the dormant order that it came from. */
  origin: NaiveOrder | null
}

/** Links of an unlinked order. */
export function noLinks(): NaiveLinks {
  return {
    ...{ condition: 'first_hit', pair: 0, partner: null, cut: 0n, secondaries: [] },
    ...{ primary: null, sibling: null, placed: null, target: 0n, step: 0n, origin: null },
  }
}

/** Inputs of an order: the terms of the model, with prices in 1e-9 and sizes as bigint. */
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
  /** A price in USD or as a volatility, from which `price` is computed. */
  readonly advanced: AdvancedTerms | null
  readonly liquidation: boolean
  readonly trigger: {
    readonly source: TriggerSource
    readonly price: bigint | null
    readonly offset: bigint | null
  } | null
}

/** Terms of a command, for an instrument with this tick. */
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

/** True in a book or in flight to it. */
export function isInBook({ stage }: NaiveOrder): boolean {
  return stage === 'entering' || stage === 'resting' || stage === 'routed' || stage === 'waiting'
}

/** The displayed size of an order that enters with all of its remaining size. */
export function freshTip(order: NaiveOrder): bigint {
  const left = remainingOf(order)
  return order.display > 0n && order.display < left ? order.display : left
}

/** The displayed size of an order, now or when it will rest. */
export function shownOf(order: NaiveOrder): bigint {
  if (remainingOf(order) === 0n) return 0n
  return order.stage === 'resting' ? order.tip : freshTip(order)
}

/** True for types that enter at a market price instead of a requested price. */
export function isPriceless(type: OrderType): boolean {
  return type !== 'limit' && type !== 'stop_limit' && type !== 'take_limit'
}

/** The type with which an order enters the book. */
export function bookTypeOf(type: OrderType): 'limit' | 'market' | 'market_limit' {
  if (type === 'market_limit') return type
  return isPriceless(type) ? 'market' : 'limit'
}

/** True if an order fires when its source rises to its price. */
export function firesOnRise(order: { readonly type: OrderType; readonly side: Side }): boolean {
  const takes = order.type === 'take_limit' || order.type === 'take_market'
  return takes ? order.side === 'sell' : order.side === 'buy'
}

/** The exact price at which a trigger order fires. */
export function firesAt(order: NaiveOrder): bigint {
  if (order.trigger === null) throw new Error('a trigger order has a trigger')
  if (order.type !== 'trailing_stop') return order.trigger.price
  return order.trigger.extreme + (order.side === 'buy' ? order.trigger.offset : -order.trigger.offset)
}

/**
 * The trigger price on the wire: of a trailing stop rounded to the grid, half up, and not below 0 except for combos.
 */
export function shownTrigger(order: NaiveOrder, spec: InstrumentSpec): bigint {
  const at = firesAt(order)
  if (order.type !== 'trailing_stop') return at
  // An order that waits for its primary has not seen a price yet.
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
