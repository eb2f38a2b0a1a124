/**
 * Words of orders. The position of a word in a list is its code in result tables: words are only ever added at the end,
 * and the frequent ones come first.
 *
 * Source: interface document, Order; trading.md 4.1, 5.1, 6.2-6.8, 6.12-6.14.
 */
import { type WordOfSort, wordsOf } from './words-by-sort.ts'

/** Sides of orders, and of fills of those orders. */
export const sides = ['buy', 'sell'] as const

/** The side of an order, and of a fill of that order. */
export type Side = (typeof sides)[number]

/**
 * Kinds of orders that wait for a price.
 * - `stop`: it fires when the price has become worse for a position that the order would close.
 * - `take`: it fires when the price has become better for that position.
 * - `trailing`: a stop that follows the price at a distance, as long as the price becomes better.
 */
type TriggerSort = 'stop' | 'take' | 'trailing'

/**
 * Order types as entered: the kind of those that wait for a price, null for others, and the type in the book, for
 * trigger orders after they fire (C31). All kinds are in one table, because the place of a type in it is its code and
 * the next type may be of any kind.
 */
const types = {
  limit: { sort: null, enters: 'limit' },
  market: { sort: null, enters: 'market' },
  market_limit: { sort: null, enters: 'market_limit' },
  stop_limit: { sort: 'stop', enters: 'limit' },
  stop_market: { sort: 'stop', enters: 'market' },
  take_limit: { sort: 'take', enters: 'limit' },
  take_market: { sort: 'take', enters: 'market' },
  trailing_stop: { sort: 'trailing', enters: 'market' },
} as const satisfies {
  readonly [type: string]: { readonly sort: TriggerSort | null; readonly enters: string }
}

/** An order type as entered. */
export type OrderType = keyof typeof types

/** Type of an order in the book. */
type EntryType = {
  [T in OrderType]: (typeof types)[T]['sort'] extends null ? T : never
}[OrderType]

/** The type of an order that waits for a price. */
export type TriggerOrderType = Exclude<OrderType, EntryType>

/** Order types as entered. No type is a number, so that keys keep their order. */
export const orderTypes = /* @__PURE__ */ Object.keys(types) as readonly OrderType[]

/** Types of orders that wait for a price before they become another order. */
export const triggerOrderTypes: readonly TriggerOrderType[] = /* @__PURE__ */ orderTypes.filter(isTriggerType)

/** True if an order of a type waits for a price. */
export function isTriggerType(type: OrderType): type is TriggerOrderType {
  // Most orders have one of these two types.
  if (type === 'limit' || type === 'market') return false
  return types[type].sort !== null
}

/** The type of an order in the book; for a trigger order, after it fires. */
export function entryTypeOf(type: OrderType): EntryType {
  return isTriggerType(type) ? types[type].enters : type
}

/** The kind of an order that waits for a price; null for others. */
export function triggerSortOf(type: OrderType): TriggerSort | null {
  return isTriggerType(type) ? types[type].sort : null
}

/** True if an order follows the price at a distance while it waits. */
export function isTrailing(type: OrderType): boolean {
  return triggerSortOf(type) === 'trailing'
}

/** The prices that trigger orders watch. */
export const triggerSources = ['index_price', 'mark_price', 'last_price'] as const

/** The price that a trigger order watches. */
export type TriggerSource = (typeof triggerSources)[number]

/** Lifetimes of orders, and whether the remainder of an order rests in the book after it matched. */
const forces = {
  good_til_cancelled: { rests: true },
  immediate_or_cancel: { rests: false },
  fill_or_kill: { rests: false },
  good_til_day: { rests: true },
} as const satisfies { readonly [word: string]: { readonly rests: boolean } }

/** Lifetime of an order. */
export type TimeInForce = keyof typeof forces

/** Lifetimes of orders. No word is a number, so that keys keep their order. */
export const timesInForce = /* @__PURE__ */ Object.keys(forces) as readonly TimeInForce[]

/** True if the remainder of an order rests in the book after it matched. */
export function restsInBook(timeInForce: TimeInForce): boolean {
  // Most orders are good until they are cancelled.
  return timeInForce === 'good_til_cancelled' || forces[timeInForce].rests
}

/** Modes of post-only: `slide` moves a taking price off the spread, `reject` refuses it (C24). */
export const postOnlyModes = ['off', 'slide', 'reject'] as const

/** A mode of post-only (C24). */
export type PostOnly = (typeof postOnlyModes)[number]

/** Prices that advanced orders follow: a value in USD, or an implied volatility (6.12). */
export const advancedTypes = ['usd', 'implv'] as const

/** A price that an advanced order follows. */
export type AdvancedType = (typeof advancedTypes)[number]

/** Dependencies between the orders of one request (6.14). */
export const linkedOrderTypes = ['one_triggers_other', 'one_cancels_other', 'one_triggers_one_cancels_other'] as const

/** A dependency between the orders of one request (6.14). */
export type LinkedOrderType = (typeof linkedOrderTypes)[number]

/** Fills that affect a linked order: any fill, only the last, or each in proportion (6.14). */
export const fillConditions = ['first_hit', 'complete_fill', 'incremental'] as const

/** The fills that affect a linked order. */
export type FillCondition = (typeof fillConditions)[number]

/** States of orders on the wire. */
export const orderStates = ['open', 'filled', 'cancelled', 'rejected', 'untriggered', 'triggered'] as const

/** A state of an order on the wire. */
export type OrderState = (typeof orderStates)[number]

/** The origin of an order: JSON-RPC, direct access, or the venue itself. */
export type OrderOrigin = 'json_rpc' | 'direct_access' | 'system'

/** Origins that tables show. For an order that its owner placed by JSON-RPC they show no origin. */
export const shownOrigins = ['liquidation', 'direct_access'] as const

/** Changes of orders; events add the prefix `order_`. See `OrderChanged`. */
export const orderChanges = [
  'opened',
  'filled',
  'cancelled',
  'edited',
  'rested',
  'resized',
  'refreshed',
  'triggered',
  'rejected',
] as const

/** A change of an order. */
export type OrderChange = (typeof orderChanges)[number]

const reasonSorts = {
  user_request: 'cancel',
  time_in_force: 'cancel',
  risk_mitigation: 'cancel',
  edit_post_only_reject: 'cancel',
  settlement: 'cancel',
  expiry: 'cancel',
  oco_other_closed: 'cancel',
  oto_primary_closed: 'cancel',
  reduce_only: 'resize',
  linked_order: 'resize',
  reduce_direction: 'rejection',
  not_enough_funds: 'rejection',
  order_overlap: 'rejection',
  post_only: 'rejection',
  max_open_orders: 'rejection',
  book_closed: 'rejection',
  price_too_high: 'rejection',
  price_too_low: 'rejection',
  no_mark_price: 'rejection',
  no_opposite_price: 'rejection',
  trigger_price_too_high: 'rejection',
  trigger_price_too_low: 'rejection',
  invalid_trigger_price: 'rejection',
  autoliquidation: 'cancel',
  position_locked: 'cancel',
  pme_account_locked: 'cancel',
  pme_risk_reduction: 'cancel',
  cancel_on_disconnect: 'cancel',
  mmp_trigger: 'cancel',
  mmp_config_curtailment: 'cancel',
  portfolio_locked: 'cancel',
  timed_out: 'cancel',
  rescale: 'cancel',
} as const

/** Why orders changed without a request of their owners. */
export const orderReasons = /* @__PURE__ */ wordsOf(reasonSorts)

/** Why an order changed without a request of its owner. */
export type OrderReason = (typeof orderReasons)[number]

/**
 * Why an order was cancelled. The wire shows `time_in_force` and `expiry` without a word (S095). JSON-RPC has no word
 * for `portfolio_locked`, which ends only orders of direct access, `timed_out` and `rescale`, and shows another word
 * for them (`src/rpc/wire/orders.ts`). All other reasons are the venue's `cancel_reason`.
 */
export type CancelReason = WordOfSort<typeof reasonSorts, 'cancel'>

/**
 * Why the engine changed the amount of an order: a reduce-only order cannot exceed the position (C26), or a linked
 * order was filled in part (C32).
 */
export type ResizeReason = WordOfSort<typeof reasonSorts, 'resize'>

/** Why a trigger order that fired, or a secondary that became active, was refused (C19, C31, C32). */
export type RejectionReason = WordOfSort<typeof reasonSorts, 'rejection'>
