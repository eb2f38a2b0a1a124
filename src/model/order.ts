/**
 * Orders: what they are made from, what they wait for and how they are linked.
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

/** The condition that a trigger order waits for, as asked. */
export interface TriggerTerms {
  readonly source: TriggerSource
  /** Where it fires; null for a trailing stop. */
  readonly price: Ticks | null
  /** Distance of a trailing stop from the best price since; null for the others. */
  readonly offset: Ticks | null
}

/** The condition that a trigger order waits for, as it stands. Prices in 1e-9 quote units, 0 for none. */
export interface Trigger {
  readonly source: TriggerSource
  /** Where it fires; of a trailing stop where it would fire now, on the grid. */
  readonly price: Price9
  /** Distance of a trailing stop from the best price since. */
  readonly offset: Price9
  /** Value of the source when a trailing stop was placed. */
  readonly reference: Price9
}

/**
 * The price of an advanced order of an option, which the engine turns into a price of the book each
 * second: a value in USD (1e-9), or an implied volatility (1e-9, so that 0.6 is 600,000,000)
 * (trading.md 6.12).
 */
export interface AdvancedTerms {
  readonly type: AdvancedType
  readonly value9: number
}

/** Terms that an order is made from: of a request, or of an entry of its `otoco_config`. */
export interface OrderTerms {
  readonly side: Side
  readonly type: OrderType
  readonly timeInForce: TimeInForce
  /** Null where the type needs none. */
  readonly price: Ticks | null
  readonly amount: Lots
  readonly label: string
  readonly postOnly: PostOnly
  readonly reduceOnly: boolean
  /** Null but for trigger types. */
  readonly trigger: TriggerTerms | null
  /** Its price where that is not one of the book; `price` is null then. Null for most. */
  readonly advanced: AdvancedTerms | null
}

/** A limit order that says nothing more: what an order that is made here starts from. */
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

/** The orders that a request brings along with its own. */
export interface LinkedTerms {
  readonly type: LinkedOrderType
  readonly condition: FillCondition
  /** On the instrument of the request (C08), in the order of the request. */
  readonly secondaries: readonly OrderTerms[]
}

/** How an order is linked to others. */
export interface OrderLinks {
  readonly condition: FillCondition
  /**
   * Names the link of two partners, of which one cancels the other: the first of them; `NO_ORDER` for none. Snapshots
   * and tables know it by this name.
   */
  readonly pair: OrderId
  /** The order whose fills place this secondary; `NO_ORDER` for others. */
  readonly primary: OrderId
  /** Secondaries of a primary as they were created. */
  readonly secondaries: readonly OrderId[]
}

/** An order that is linked to none. */
export const unlinked: OrderLinks = {
  condition: 'first_hit',
  pair: NO_ORDER,
  primary: NO_ORDER,
  secondaries: [],
}

/**
 * The fields of an order. One that has a usual value names it, and is a column of events that most leave out
 * (`events/order-event.ts`). What few orders set is `rare`: such a field has a place of its own only in orders that set
 * it. What many orders have, as those of a connection or of a strategy do, has a place in all of them (`usually`).
 */
export const orderFields = {
  id: fixed(units.orderId),
  instrument: fixed(units.instrumentId),
  side: fixed(wordUnit('side', sides)),
  /** The type as entered; of what a trigger order became, the type it entered as. */
  type: fixed(wordUnit('type of order', orderTypes)),
  timeInForce: fixed(wordUnit('time in force', timesInForce)),
  label: usually('', fixed(units.text)),
  postOnly: changing(wordUnit('post-only', postOnlyModes)),
  reduceOnly: changing(units.flag),
  /** Total size, fills included. */
  amount: changing(units.lots),
  /** Size that an iceberg shows at a time; 0 for an order that shows all of it. */
  display: rare(lots(0), changing(units.lots)),
  /** It was edited, or its price was found anew. */
  replaced: usually(false, changing(units.flag)),
  /** Its last change was a price that the engine found anew (trading.md 6.12). */
  autoReplaced: rare(false, changing(units.flag)),
  advanced: rare(null, changing(plainUnit<AdvancedTerms | null>('advanced terms or null'))),
  /** A liquidation placed it. */
  liquidation: rare(false, fixed(units.flag)),
  /** Sequence of the last request when it was opened. Orders are listed and cancelled as they opened. */
  created: fixed(units.sequence),
  /** The trigger order that became it, or `NO_ORDER`. */
  triggeredBy: rare(NO_ORDER, fixed(units.orderId)),
  /** The session that it came over, `NO_SESSION` for none; edits over others leave it (C49). */
  session: usually(NO_SESSION, fixed(units.count)),
  /** Terms that few orders have; null for most. */
  extras: rare(null, changing(plainUnit<OrderExtras | null>('extras or null'))),
}

/**
 * A live order: what its owner asked for. Owner, price and what is left of it stand in its slot of
 * the book.
 */
export interface Order extends RowOf<typeof orderFields> {}

/** The terms of an order that have a usual value. */
export interface UsualOrderTerms extends UsualOf<typeof orderFields> {}

/** Those that few orders have. */
export interface RareOrderTerms extends RareOf<typeof orderFields> {}

/** The values of these in all other orders. */
export const usualOrderTerms: RareOrderTerms = usualOf(orderFields)

/**
 * How the terms of an order that have few values stand in one word: three flags, and three words of lists by the place
 * of their first bit, each counted from 0.
 */
export const termsWord = {
  sells: 1,
  reduces: 2,
  replaced: 1 << 24,
  type: 4,
  timeInForce: 8,
  postOnly: 12,
} as const

/** Who placed an order. */
export function originOf({ liquidation, extras }: Pick<Order, 'liquidation' | 'extras'>): OrderOrigin {
  if (liquidation) return 'system'
  return extras?.direct == null ? 'json_rpc' : 'direct_access'
}
