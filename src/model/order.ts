/**
 * Orders: the words of the venue for types, times in force, triggers, links and states.
 *
 * Source: interface document, Order; trading.md 4.1, 5.1, 6.2-6.8, 6.13, 6.14.
 */
import {
  kept,
  type Lots,
  type OrderId,
  type Price9,
  plainUnit,
  type RowOf,
  type Ticks,
  units,
} from '../core/index.ts'
import { NO_ORDER } from './ids.ts'
import type { OrderExtras } from './protection/order-extras.ts'
import type { OrderOrigin } from './protection/sessions.ts'

/** The side of an order, and of a fill of that order. */
export type Side = 'buy' | 'sell'

/** The side an order trades against. */
export function opposite(side: Side): Side {
  return side === 'buy' ? 'sell' : 'buy'
}

/** Whether an order with this limit price accepts a price of the other side; both in ticks. */
export function accepts(side: Side, limit: number, price: number): boolean {
  return side === 'buy' ? price <= limit : price >= limit
}

/** Orders that wait for a price before they become a limit or a market order (C31). */
export const triggerOrderTypes = [
  'stop_limit',
  'stop_market',
  'take_limit',
  'take_market',
  'trailing_stop',
] as const
export type TriggerOrderType = (typeof triggerOrderTypes)[number]

/** Order types as entered. */
export type OrderType = 'limit' | 'market' | 'market_limit' | TriggerOrderType

/** Whether an order of a type waits for a price. */
export function isTriggerType(type: OrderType): type is TriggerOrderType {
  return type !== 'limit' && type !== 'market' && type !== 'market_limit'
}

/** What an order of a type enters the book as; a trigger order once it fires. */
export function entryTypeOf(type: OrderType): 'limit' | 'market' | 'market_limit' {
  switch (type) {
    case 'stop_limit':
    case 'take_limit':
      return 'limit'
    case 'stop_market':
    case 'take_market':
    case 'trailing_stop':
      return 'market'
    default:
      return type
  }
}

/** The price that a trigger order watches. */
export const triggerSources = ['index_price', 'mark_price', 'last_price'] as const
export type TriggerSource = (typeof triggerSources)[number]

/** How long an order stands. */
export type TimeInForce =
  | 'good_til_cancelled'
  | 'good_til_day'
  | 'fill_or_kill'
  | 'immediate_or_cancel'

/** `slide` moves a taking price off the spread, `reject` refuses it (C24). */
export type PostOnly = 'off' | 'slide' | 'reject'

/** How orders of one request depend on each other (6.14). */
export const linkedOrderTypes = [
  'one_triggers_other',
  'one_cancels_other',
  'one_triggers_one_cancels_other',
] as const
export type LinkedOrderType = (typeof linkedOrderTypes)[number]

/** Which fills act on a linked order: any, only the last, or each in proportion (6.14). */
export const fillConditions = ['first_hit', 'complete_fill', 'incremental'] as const
export type FillCondition = (typeof fillConditions)[number]

/** States of an order on the wire. */
export type OrderState = 'open' | 'filled' | 'cancelled' | 'rejected' | 'untriggered' | 'triggered'

/**
 * Why an order was cancelled. `time_in_force` and `expiry` are shown without a word on the wire
 * (S095); `portfolio_locked` ends orders of direct access alone; the others are the venue's
 * `cancel_reason`.
 */
export type CancelReason =
  | 'user_request'
  | 'risk_mitigation'
  | 'edit_post_only_reject'
  | 'oco_other_closed'
  | 'oto_primary_closed'
  | 'settlement'
  | 'autoliquidation'
  | 'position_locked'
  | 'pme_account_locked'
  | 'pme_risk_reduction'
  | 'cancel_on_disconnect'
  | 'mmp_trigger'
  | 'mmp_config_curtailment'
  | 'portfolio_locked'
  | 'timed_out'
  | 'time_in_force'
  | 'expiry'

/**
 * Why the engine changed the amount of an order: what reduces a position cannot be more than the
 * position (C26), or a linked order was filled in part (C32).
 */
export type ResizeReason = 'reduce_only' | 'linked_order'

/** Why a trigger order that fired, or a secondary whose turn came, was refused (C19, C31, C32). */
export type RejectionReason =
  | 'reduce_direction'
  | 'not_enough_funds'
  | 'order_overlap'
  | 'post_only'
  | 'max_open_orders'
  | 'book_closed'
  | 'price_too_high'
  | 'price_too_low'
  | 'no_mark_price'
  | 'no_opposite_price'
  | 'trigger_price_too_high'
  | 'trigger_price_too_low'
  | 'invalid_trigger_price'

/** Why an order changed where its owner did not ask for it. */
export type OrderReason = CancelReason | ResizeReason | RejectionReason

/** What a trigger order waits for, as asked. */
export interface TriggerTerms {
  readonly source: TriggerSource
  /** Where it fires; null for a trailing stop. */
  readonly price: Ticks | null
  /** Distance of a trailing stop from the best price since; null for the others. */
  readonly offset: Ticks | null
}

/** What a trigger order waits for, as it stands. Prices in 1e-9 quote units, 0 for none. */
export interface Trigger {
  readonly source: TriggerSource
  /** Where it fires; of a trailing stop where it would fire now, on the grid. */
  readonly price: Price9
  /** Distance of a trailing stop from the best price since. */
  readonly offset: Price9
  /** What the source was when a trailing stop was placed. */
  readonly reference: Price9
}

/**
 * The price of an advanced order of an option, which the engine turns into a price of the book each
 * second: a value in USD (1e-9), or an implied volatility (1e-9, so that 0.6 is 600,000,000)
 * (trading.md 6.12).
 */
export interface AdvancedTerms {
  readonly type: 'usd' | 'implv'
  readonly value9: number
}

/** What an order is made from: of a request, or of an entry of its `otoco_config`. */
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
  /** Names the pair of which one cancels the other: its first member; `NO_ORDER` for none. */
  readonly pair: OrderId
  /** Of a secondary: the order whose fills place it; `NO_ORDER` for others. */
  readonly primary: OrderId
  /** Of a primary: its secondaries as they were created. */
  readonly secondaries: readonly OrderId[]
}

/** An order that is linked to none. */
export const unlinked: OrderLinks = {
  condition: 'first_hit',
  pair: NO_ORDER,
  primary: NO_ORDER,
  secondaries: [],
}

export const orderFields = {
  id: kept.fixed(units.orderId),
  instrument: kept.fixed(units.instrumentId),
  side: kept.fixed(plainUnit<Side>('side')),
  /** The type as entered; of what a trigger order became, the type it entered as. */
  type: kept.fixed(plainUnit<OrderType>('type of order')),
  timeInForce: kept.fixed(plainUnit<TimeInForce>('time in force')),
  label: kept.fixed(units.text),
  postOnly: kept.changing(plainUnit<PostOnly>('post-only')),
  reduceOnly: kept.changing(units.flag),
  /** Total size, fills included. */
  amount: kept.changing(units.lots),
  /** Size that an iceberg shows at a time; 0 for an order that shows all of it. */
  display: kept.changing(units.lots),
  /** It was edited, or its price was found anew. */
  replaced: kept.changing(units.flag),
  /** Its last change was a price that the engine found anew (trading.md 6.12). */
  autoReplaced: kept.changing(units.flag),
  advanced: kept.changing(plainUnit<AdvancedTerms | null>('advanced terms or null')),
  /** A liquidation placed it. */
  liquidation: kept.fixed(units.flag),
  /** Sequence of the last request when it was opened. Orders are listed and cancelled as they opened. */
  created: kept.fixed(units.sequence),
  /** The trigger order that became it, or `NO_ORDER`. */
  triggeredBy: kept.fixed(units.orderId),
  /** The session that it came over, `NO_SESSION` for none; edits over others leave it (C49). */
  session: kept.fixed(units.count),
  /** Terms that few orders have; null for most. */
  extras: kept.changing(plainUnit<OrderExtras | null>('extras or null')),
}

/**
 * A live order: what its owner asked for. Owner, price and what is left of it stand in its slot of
 * the book.
 */
export interface Order extends RowOf<typeof orderFields> {}

/** Who placed an order. */
export function originOf({
  liquidation,
  extras,
}: Pick<Order, 'liquidation' | 'extras'>): OrderOrigin {
  if (liquidation) return 'system'
  return extras?.direct == null ? 'json_rpc' : 'direct_access'
}
