/**
 * The family of orders: its columns, and how an event of it is made. A field that has a usual value is a column with
 * the unit and that value of the field.
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
import * as eventUnits from './event-units.ts'
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

/** Columns of the event of an order; new ones come last. A field that has a usual value does not compile without its own. */
export const orderColumns = {
  /**
   * - `opened`: admitted, before it matches; `untriggered` where it waits for a price or a fill.
   * - `filled`: a maker after one match; a taker once, after its last match. `state` says whether
   *   anything is left.
   * - `rested`: the remainder of a market order now rests at a limit price (C16, C20).
   * - `edited`: changed by its owner.
   * - `resized`: its amount was changed by the engine; `reason` says why.
   * - `refreshed`: an iceberg shows its next part, at the end of the queue.
   * - `triggered`: it fired, or as a secondary its turn came, and it became `successor`, which opens next.
   * - `rejected`: the same, but what it would have become was refused; `reason` says why.
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
  /** Null but for advanced orders of options; `price` is what they stand at. */
  advanced: unlessUsual(orderFields.advanced),
  /** The engine changed it last, by a new price of an advanced order. */
  autoReplaced: unlessUsual(orderFields.autoReplaced),
  /** A liquidation placed it. */
  liquidation: unlessUsual(orderFields.liquidation),
  reduceOnly: unless(false, orderFields.reduceOnly.unit),
  /** It stands in the book, which shows a market order as a limit order (C16). */
  rested: unless(false, units.flag),
  replaced: unlessUsual(orderFields.replaced),
  label: unlessUsual(orderFields.label),
  createdAt: units.micros,
  /** Size that an iceberg shows at a time; 0 for an order that shows all of it. */
  display: unlessUsual(orderFields.display),
  /** Visible size in the book, or the size that would be visible once it stands there. */
  shown: units.lots,
  /** The trigger that it waits for, or waited for when it fired; null but for trigger types. */
  trigger: unless(null, eventUnits.trigger),
  links: sparse(unlinked, eventUnits.links),
  /** The trigger order that became it, or `NO_ORDER`. */
  triggeredBy: unlessUsual(orderFields.triggeredBy),
  /** The session that it came over; 0 for none. */
  session: unlessUsual(orderFields.session),
  /** Protection of a market maker, identifiers of a quote, terms of direct access; null for most. */
  extras: unlessUsual(orderFields.extras),
  /** The order that it became, where it was triggered; else `NO_ORDER`. */
  successor: unless(NO_ORDER, units.orderId),
  /** Why it was cancelled, resized or rejected; null on every other change. */
  reason: columnOrNull(wordUnit('reason of an order', orderReasons)),
  /** Facts of a change that sessions of direct access are told beyond the rest; null for most. */
  by: unless(null, eventUnits.changedBy),
} satisfies Columns & { readonly [N in keyof UsualOrderTerms]: Column<UsualOrderTerms[N]> }

/** An order changed. */
export interface OrderChanged extends FamilyRow<'order', typeof orderColumns> {}

/** An order's event that is filled from records. */
export type FilledOrder = Mutable<OrderChanged>

/** Columns that are fields of every order, but for its instrument, which whoever tells of it knows already. */
export type CommonOrderTerms = Pick<
  OrderChanged,
  Exclude<Extract<keyof OrderChanged, keyof Order>, keyof RareOrderTerms | 'instrument'>
>

/** The other columns: how the order changed, and where it stands now. */
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

/** Columns of `OrderNow` that most records leave out: those that are declared with what stands for them. */
type UsualNow = {
  readonly [N in keyof OrderNow as (typeof orderColumns)[N] extends { readonly quiet: unknown }
    ? N
    : never]: OrderNow[N]
}

/** The values of these columns in most events. Who spreads them has to give all others. */
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

/** An order of which nothing is known. */
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

/** The header of an event that nobody was told of. */
export const blankHeader: EventHeader = { time: micros(0), number: 0, cause: sequence(0) }

/** An order's event to be filled. With all its columns from the start it keeps one shape. */
export function blankOrder(): FilledOrder {
  return orderEvent(blankHeader, blankTerms, usualOrderTerms, blankNow)
}
