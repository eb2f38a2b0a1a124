/**
 * The family of orders: its columns, and the function that makes an event of it. The column of a field with a usual
 * value takes its unit and that value from the field.
 */
import {
  accountId,
  instrumentId,
  lots,
  type Mutable,
  micros,
  price9,
  sequence,
  units,
  wordUnit,
} from '../../core/index.ts'
import { NO_ORDER } from '../ids.ts'
import {
  type Order,
  orderFields,
  type RareOrderTerms,
  type UsualOrderTerms,
  unlinked,
  usualOrderTerms,
} from '../order.ts'
import { NO_SESSION } from '../protection/sessions.ts'
import { orderChanges, orderReasons, orderStates } from '../words/orders.ts'
import * as eventUnits from './family.ts'
import {
  type Column,
  type Columns,
  columnOrNull,
  type EventHeader,
  type FamilyRow,
  noLots,
  sparse,
  unless,
  unlessUsual,
} from './family.ts'

/**
 * Columns of the event of an order; new ones come last. For a field with a usual value, the compiler requires a column
 * with that value.
 */
export const orderColumns = {
  /**
   * - `opened`: admitted, before it matches; `untriggered` if it waits for a price or a fill.
   * - `filled`: for a maker, after each match; for a taker, once after its last match. `state` shows whether size is
   *   left.
   * - `rested`: the remainder of a market order now rests at a limit price (C16, C20).
   * - `edited`: changed by its owner.
   * - `resized`: the engine changed its amount; `reason` says why.
   * - `refreshed`: an iceberg shows its next part, at the end of the queue.
   * - `triggered`: the trigger fired, or a secondary became active, and the order became `successor`, which opens next.
   * - `rejected`: the trigger fired or a secondary became active, but the new order was refused; `reason` says why.
   * - `cancelled`: ended with size left; `reason` says why.
   */
  change: wordUnit('change of an order', orderChanges),
  order: units.orderId,
  account: units.accountId,
  instrument: units.instrumentId,
  side: orderFields.side.unit,
  type: orderFields.type.unit,
  timeInForce: orderFields.timeInForce.unit,
  price: units.price9,
  amount: orderFields.amount.unit,
  filled: sparse(noLots, units.lots),
  /** Average price of its fills in 1e-9 quote units, 0 before the first (R27). */
  averagePrice: sparse(price9(0), units.price9),
  state: wordUnit('state of an order', orderStates),
  postOnly: unless('off', orderFields.postOnly.unit),
  /** Advanced price of an option order; null for other orders. `price` is its current price in the book. */
  advanced: unlessUsual(orderFields.advanced),
  /** True if the last change was a new price of an advanced order by the engine. */
  autoReplaced: unlessUsual(orderFields.autoReplaced),
  /** True if a liquidation placed it. */
  liquidation: unlessUsual(orderFields.liquidation),
  reduceOnly: unless(false, orderFields.reduceOnly.unit),
  /** True if the order is in the book, which shows a market order as a limit order (C16). */
  rested: unless(false, units.flag),
  replaced: unlessUsual(orderFields.replaced),
  label: unlessUsual(orderFields.label),
  createdAt: units.micros,
  /** Size that an iceberg shows at a time; 0 for an order that shows all of it. */
  display: unlessUsual(orderFields.display),
  /** Visible size in the book, or the size that would be visible there. */
  shown: units.lots,
  /** The trigger that the order waits for, or that fired; null for orders without a trigger. */
  trigger: unless(null, eventUnits.trigger),
  links: sparse(unlinked, eventUnits.links),
  /** The trigger order that this order was before, or `NO_ORDER`. */
  triggeredBy: unlessUsual(orderFields.triggeredBy),
  /** The session that placed the order; 0 for none. */
  session: unlessUsual(orderFields.session),
  /** Market-maker protection, identifiers of a quote, terms of direct access; null for most orders. */
  extras: unlessUsual(orderFields.extras),
  /** The order that a triggered order became; otherwise `NO_ORDER`. */
  successor: unless(NO_ORDER, units.orderId),
  /** Why it was cancelled, resized or rejected; null on every other change. */
  reason: columnOrNull(wordUnit('reason of an order', orderReasons)),
  /** Further facts of a change for sessions of direct access; null for most changes. */
  by: unless(null, eventUnits.changedBy),
} satisfies Columns & { readonly [N in keyof UsualOrderTerms]: Column<UsualOrderTerms[N]> }

/** An order changed. */
export interface OrderChanged extends FamilyRow<'order', typeof orderColumns> {}

/** An order's event that is filled from records. */
export type FilledOrder = Mutable<OrderChanged>

/** Columns that are fields of every order, without its instrument, which the emitting code already has. */
export type CommonOrderTerms = Pick<
  OrderChanged,
  Exclude<Extract<keyof OrderChanged, keyof Order>, keyof RareOrderTerms | 'instrument'>
>

/** The other columns: the change, and the state of the order after it. */
export type OrderNow = Omit<OrderChanged, keyof CommonOrderTerms | keyof RareOrderTerms | keyof EventHeader | 'kind'>

/** The event of an order, with its columns in the order of their declaration. */
export function orderEvent(
  header: EventHeader,
  order: CommonOrderTerms,
  terms: RareOrderTerms,
  now: OrderNow,
): FilledOrder {
  return {
    kind: 'order',
    time: header.time,
    number: header.number,
    cause: header.cause,
    change: now.change,
    order: now.order,
    account: now.account,
    instrument: now.instrument,
    side: order.side,
    type: order.type,
    timeInForce: order.timeInForce,
    price: now.price,
    amount: order.amount,
    filled: now.filled,
    averagePrice: now.averagePrice,
    state: now.state,
    postOnly: order.postOnly,
    advanced: terms.advanced,
    autoReplaced: terms.autoReplaced,
    liquidation: terms.liquidation,
    reduceOnly: order.reduceOnly,
    rested: now.rested,
    replaced: order.replaced,
    label: order.label,
    createdAt: now.createdAt,
    display: terms.display,
    shown: now.shown,
    trigger: now.trigger,
    links: now.links,
    triggeredBy: terms.triggeredBy,
    session: order.session,
    extras: terms.extras,
    successor: now.successor,
    reason: now.reason,
    by: now.by,
  }
}

/** Columns of `OrderNow` that most records leave out: those declared with a quiet value. */
type UsualNow = {
  readonly [N in keyof OrderNow as (typeof orderColumns)[N] extends { readonly quiet: unknown }
    ? N
    : never]: OrderNow[N]
}

/** The values of these columns in most events. Code that spreads them must set all other columns. */
export const usualNow: UsualNow = {
  filled: noLots,
  averagePrice: price9(0),
  rested: false,
  trigger: null,
  links: unlinked,
  successor: NO_ORDER,
  reason: null,
  by: null,
}

/** Placeholder values of `OrderNow`. */
const blankNow: OrderNow = {
  ...usualNow,
  change: 'opened',
  order: NO_ORDER,
  account: accountId(0),
  instrument: instrumentId(0),
  price: price9(0),
  state: 'open',
  createdAt: micros(0),
  shown: noLots,
}

const blankTerms: CommonOrderTerms = {
  side: 'buy',
  type: 'limit',
  timeInForce: 'good_til_cancelled',
  amount: lots(0),
  postOnly: 'off',
  reduceOnly: false,
  replaced: false,
  label: '',
  session: NO_SESSION,
}

/** The header of an event that was never emitted. */
export const blankHeader: EventHeader = { time: micros(0), number: 0, cause: sequence(0) }

/** A blank order event. It has all columns from the start, so its shape never changes. */
export function blankOrder(): FilledOrder {
  return orderEvent(blankHeader, blankTerms, usualOrderTerms, blankNow)
}
