/**
 * Orders: their terms, their trigger conditions and their links.
 *
 * Source: interface document, Order; trading.md 4.1, 5.1, 6.2-6.8, 6.13, 6.14.
 */
import {
  changing,
  fixed,
  type Lots,
  lots,
  type OrderId,
  type Price9,
  plainUnit,
  type RareOf,
  type RowOf,
  rare,
  type Ticks,
  type UsualOf,
  units,
  usually,
  usualOf,
  wordUnit,
} from '../core/index.ts'
import { NO_ORDER } from './ids.ts'
import type { OrderExtras } from './protection/order-extras.ts'
import { NO_SESSION } from './protection/sessions.ts'
import {
  type AdvancedType,
  type FillCondition,
  type LinkedOrderType,
  type OrderOrigin,
  type OrderType,
  orderTypes,
  type PostOnly,
  postOnlyModes,
  type Side,
  sides,
  type TimeInForce,
  type TriggerSource,
  timesInForce,
} from './words/orders.ts'

/** The side an order trades against. */
export function opposite(side: Side): Side {
  return side === 'buy' ? 'sell' : 'buy'
}

/** True if an order with this limit price accepts a price of the other side; both in ticks. */
export function accepts(side: Side, limit: number, price: number): boolean {
  return side === 'buy' ? price <= limit : price >= limit
}

/** The trigger condition of an order, as in the request. */
export interface TriggerTerms {
  readonly source: TriggerSource
  /** Price at which it fires; null for a trailing stop. */
  readonly price: Ticks | null
  /** Distance of a trailing stop from the best price since its placement; null for other types. */
  readonly offset: Ticks | null
}

/** The current trigger condition of an order. Prices in 1e-9 quote units, 0 for none. */
export interface Trigger {
  readonly source: TriggerSource
  /** Price at which it fires. For a trailing stop the price at which it would fire now, on the grid. */
  readonly price: Price9
  /** Distance of a trailing stop from the best price since its placement. */
  readonly offset: Price9
  /** Value of the source when a trailing stop was placed. */
  readonly reference: Price9
}

/**
 * The price of an advanced order of an option, which the engine converts into a price of the book each second: a value
 * in USD (1e-9), or an implied volatility (1e-9, so that 0.6 is 600,000,000) (trading.md 6.12).
 */
export interface AdvancedTerms {
  readonly type: AdvancedType
  readonly value9: number
}

/** Terms of a new order: from a request, or from an entry of its `otoco_config`. */
export interface OrderTerms {
  readonly side: Side
  readonly type: OrderType
  readonly timeInForce: TimeInForce
  /** Null if the type has no price. */
  readonly price: Ticks | null
  readonly amount: Lots
  readonly label: string
  readonly postOnly: PostOnly
  readonly reduceOnly: boolean
  /** Null except for trigger types. */
  readonly trigger: TriggerTerms | null
  /** Price of an advanced order, for which `price` is null. Null for most orders. */
  readonly advanced: AdvancedTerms | null
}

/** A limit order with default terms. Code that creates orders starts from it. */
export const usualTerms: OrderTerms = {
  side: 'buy',
  type: 'limit',
  timeInForce: 'good_til_cancelled',
  price: null,
  amount: lots(0),
  label: '',
  postOnly: 'off',
  reduceOnly: false,
  trigger: null,
  advanced: null,
}

/** The other orders of a request. */
export interface LinkedTerms {
  readonly type: LinkedOrderType
  readonly condition: FillCondition
  /** On the instrument of the request (C08), in the order of the request. */
  readonly secondaries: readonly OrderTerms[]
}

/** Links of an order to other orders. */
export interface OrderLinks {
  readonly condition: FillCondition
  /**
   * Identifies a pair of orders of which one cancels the other: the id of the first of them; `NO_ORDER` for none.
   * Snapshots and tables use this id.
   */
  readonly pair: OrderId
  /** The order whose fills place this secondary; `NO_ORDER` for others. */
  readonly primary: OrderId
  /** Secondaries of a primary in the order of their creation. */
  readonly secondaries: readonly OrderId[]
}

/** Links of an order that is not linked. */
export const unlinked: OrderLinks = {
  condition: 'first_hit',
  pair: NO_ORDER,
  primary: NO_ORDER,
  secondaries: [],
}

/**
 * The fields of an order. A field with a usual value declares it, and most events leave out its column
 * (`events/order-event.ts`). A `rare` field takes storage only in orders that set it. A field that many orders set,
 * such as those of a connection or of a strategy, takes storage in all orders (`usually`).
 */
export const orderFields = {
  id: fixed(units.orderId),
  instrument: fixed(units.instrumentId),
  side: fixed(wordUnit('side', sides)),
  /** The type as entered. For an order that came from a trigger order, its type in the book. */
  type: fixed(wordUnit('type of order', orderTypes)),
  timeInForce: fixed(wordUnit('time in force', timesInForce)),
  label: usually('', fixed(units.text)),
  postOnly: changing(wordUnit('post-only', postOnlyModes)),
  reduceOnly: changing(units.flag),
  /** Total size, including fills. */
  amount: changing(units.lots),
  /** Size that an iceberg shows at a time; 0 for an order that shows all of it. */
  display: rare(lots(0), changing(units.lots)),
  /** True if it was edited or the engine set a new price. */
  replaced: usually(false, changing(units.flag)),
  /** True if the last change was a new price by the engine (trading.md 6.12). */
  autoReplaced: rare(false, changing(units.flag)),
  advanced: rare(null, changing(plainUnit<AdvancedTerms | null>('advanced terms or null'))),
  /** True if a liquidation placed it. */
  liquidation: rare(false, fixed(units.flag)),
  /** Sequence of the last request at its opening. Orders are listed and cancelled in the order of opening. */
  created: fixed(units.sequence),
  /** The trigger order that this order was before, or `NO_ORDER`. */
  triggeredBy: rare(NO_ORDER, fixed(units.orderId)),
  /** The session that placed the order, `NO_SESSION` for none. Edits over other sessions do not change it (C49). */
  session: usually(NO_SESSION, fixed(units.count)),
  /** Terms that few orders have; null for most. */
  extras: rare(null, changing(plainUnit<OrderExtras | null>('extras or null'))),
}

/** The terms of a live order. The slot of the order in the book contains its owner, price and remaining size. */
export interface Order extends RowOf<typeof orderFields> {}

/** The terms of an order that have a usual value. */
export interface UsualOrderTerms extends UsualOf<typeof orderFields> {}

/** The terms that few orders have. */
export interface RareOrderTerms extends RareOf<typeof orderFields> {}

/** The values of the rare terms in all other orders. */
export const usualOrderTerms: RareOrderTerms = usualOf(orderFields)

/**
 * The layout of a word that holds the terms of an order with few values: three flags, and indices in three lists of
 * words, each given by the position of its first bit and counted from 0.
 */
export const termsWord = {
  sells: 1,
  reduces: 2,
  replaced: 1 << 24,
  type: 4,
  timeInForce: 8,
  postOnly: 12,
} as const

/** Origin of an order. */
export function originOf({ liquidation, extras }: Pick<Order, 'liquidation' | 'extras'>): OrderOrigin {
  if (liquidation) return 'system'
  return extras?.direct == null ? 'json_rpc' : 'direct_access'
}
