/**
 * Words of orders. The position of a word in a list is its code in result tables: words are only ever added at the
 * end, and the frequent ones stand first.
 *
 * Source: interface document, Order; trading.md 4.1, 5.1, 6.2-6.8, 6.12-6.14.
 */
import { type WordOfSort, wordsOf } from './words-by-sort.ts'

/** Sides of orders, and of fills of those orders. */
export const sides = ['buy', 'sell'] as const

/** The side of an order, and of a fill of that order. */
export type Side = (typeof sides)[number]

/**
 * Sorts of orders that wait for a price.
 * - `stop`: it fires once the price has got worse for a position that the order would close.
 * - `take`: once the price has got better for that.
 * - `trailing`: a stop that follows the price at a distance, as long as it gets better.
 */
type TriggerSort = 'stop' | 'take' | 'trailing'

/**
 * Order types as entered: the sort of those that wait for a price, null for others, and the type as which each enters the
 * book, those that wait once they fire (C31). One table, because the place of a type in it is its code, of whichever sort
 * the next one is.
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

/** A type as which an order enters the book. */
export type EntryType = {
  [T in OrderType]: (typeof types)[T]['sort'] extends null ? T : never
}[OrderType]

/** The type of an order that waits for a price. */
export type TriggerOrderType = Exclude<OrderType, EntryType>

/** Order types as entered. No type is a number, so that keys keep their order. */
export const orderTypes = /* @__PURE__ */ Object.keys(types) as readonly OrderType[]

/** Types of orders that wait for a price before they become another one. */
export const triggerOrderTypes: readonly TriggerOrderType[] = /* @__PURE__ */ orderTypes.filter(isTriggerType)

/** True if an order of a type waits for a price. */
export function isTriggerType(type: OrderType): type is TriggerOrderType {
  // Most orders are of these two.
  if (type === 'limit' || type === 'market') return false
  return types[type].sort !== null
}

/** The type as which an order enters the book; of a trigger order, once it fires. */
export function entryTypeOf(type: OrderType): EntryType {
  return isTriggerType(type) ? types[type].enters : type
}

/** The sort of an order that waits for a price; null for others. */
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

/** How long orders stand, and whether what is left of one after it matched rests in its book. */
const forces = {
  good_til_cancelled: { rests: true },
  immediate_or_cancel: { rests: false },
  fill_or_kill: { rests: false },
  good_til_day: { rests: true },
} as const satisfies { readonly [word: string]: { readonly rests: boolean } }

/** How long an order stands. */
export type TimeInForce = keyof typeof forces

/** How long orders stand. No word is a number, so that keys keep their order. */
export const timesInForce = /* @__PURE__ */ Object.keys(forces) as readonly TimeInForce[]

/** True if what is left of an order after it matched rests in its book. */
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

/** How orders of one request depend on each other (6.14). */
export const linkedOrderTypes = ['one_triggers_other', 'one_cancels_other', 'one_triggers_one_cancels_other'] as const

/** How orders of one request depend on each other (6.14). */
export type LinkedOrderType = (typeof linkedOrderTypes)[number]

/** Which fills act on a linked order: any, only the last, or each in proportion (6.14). */
export const fillConditions = ['first_hit', 'complete_fill', 'incremental'] as const

/** Which fills act on a linked order. */
export type FillCondition = (typeof fillConditions)[number]

/** States of orders on the wire. */
export const orderStates = ['open', 'filled', 'cancelled', 'rejected', 'untriggered', 'triggered'] as const

/** A state of an order on the wire. */
export type OrderState = (typeof orderStates)[number]

/** Who placed an order: JSON-RPC, direct access, or the venue itself. */
export type OrderOrigin = 'json_rpc' | 'direct_access' | 'system'

/** The origins of orders that tables show; an order that its owner placed by JSON-RPC shows none. */
export const shownOrigins = ['liquidation', 'direct_access'] as const

/** How orders change; events put `order_` in front. See `OrderChanged`. */
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

/** How an order changed. */
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

/** Why orders changed where their owners did not ask for it. */
export const orderReasons = /* @__PURE__ */ wordsOf(reasonSorts)

/** Why an order changed where its owner did not ask for it. */
export type OrderReason = (typeof orderReasons)[number]

/**
 * Why an order was cancelled. `time_in_force` and `expiry` are shown without a word on the wire
 * (S095); `portfolio_locked`, which ends orders of direct access alone, `timed_out` and `rescale` have no word of JSON-RPC
 * and are shown as another (`src/rpc/wire/orders.ts`); the others are the venue's `cancel_reason`.
 */
export type CancelReason = WordOfSort<typeof reasonSorts, 'cancel'>

/**
 * Why the engine changed the amount of an order: what reduces a position cannot be more than the
 * position (C26), or a linked order was filled in part (C32).
 */
export type ResizeReason = WordOfSort<typeof reasonSorts, 'resize'>

/** Why a trigger order that fired, or a secondary whose turn came, was refused (C19, C31, C32). */
export type RejectionReason = WordOfSort<typeof reasonSorts, 'rejection'>
