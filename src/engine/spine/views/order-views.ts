/**
 * Read-only views of live orders, in engine units: prices in 1e-9 quote units, sizes in lots, money in nano.
 *
 * Source: trading.md 4.7, C14.
 */
import { ownerOf, priceOf, remainingOf } from '../../../book/index.ts'
import {
  type AccountId,
  type Amount,
  accountId,
  amount,
  currencyId,
  type Lots,
  lots,
  type Micros,
  type OrderId,
  type Price9,
  price9,
  wideToBigint,
} from '../../../core/index.ts'
import {
  type Currency,
  currencyOf,
  type Instrument,
  type Order,
  type OrderFilter,
  type OrderLinks,
  type SelfMatchMode,
  type Trigger,
  unlinked,
} from '../../../model/index.ts'
import { setReserve } from '../../market/index.ts'
import { matches } from '../../requests/index.ts'
import {
  accountRow,
  averagePrice,
  copyOfOrder,
  creationTimeAt,
  type Exchange,
  filledOf,
  instrumentOf,
  type LiveOrder,
  linksOf,
  orderAt,
  orderPrice9,
  orderSlotOf,
  stateOf,
  triggerOf,
  updateTimeAt,
  visibleOf,
  visitAccountOrders,
} from '../../state/index.ts'
import { orderNeed } from '../../value/index.ts'

/** The present state of a live order. */
export interface OrderView {
  readonly order: Readonly<Order>
  readonly account: AccountId
  readonly instrument: Instrument
  readonly price: Price9
  readonly filled: Lots
  readonly averagePrice: Price9
  readonly createdAt: Micros
  readonly updatedAt: Micros
  /** `untriggered` while it waits for a price or a fill. */
  readonly state: 'open' | 'untriggered'
  /** True if it is in its book. */
  readonly rested: boolean
  /** Visible size in the book, or the size that would be visible there. */
  readonly shown: Lots
  /** The trigger that it waits for; null except for trigger types. */
  readonly trigger: Trigger | null
  readonly links: OrderLinks
}

/** The rule for matches between orders of one account (C27). */
interface SelfTrading {
  readonly mode: SelfMatchMode
  readonly extended: boolean
}

/** A live order, or undefined. */
export function viewOrder(exchange: Exchange, order: OrderId): OrderView | undefined {
  const slot = orderSlotOf(exchange, order)
  return slot < 0 ? undefined : viewSlot(exchange, slot)
}

/** An account's live orders that match a filter, in the order of creation (C14). */
export function openOrders(exchange: Exchange, account: AccountId, filter: OrderFilter): readonly OrderView[] {
  const found: OrderView[] = []
  visitAccountOrders(exchange, account, (slot) => {
    if (matches(exchange, orderAt(exchange, slot), filter)) found.push(viewSlot(exchange, slot))
  })
  return found
}

/** The live order in a slot, with a copy of its terms. */
function viewSlot(exchange: Exchange, slot: number): OrderView {
  return viewAt(exchange, slot, copyOfOrder(orderAt(exchange, slot)))
}

/**
 * The live order in a slot, for callers that read it before the next command: the terms are those of the order itself,
 * without the cost of a copy.
 */
export function lentView(exchange: Exchange, slot: number): OrderView {
  return viewAt(exchange, slot, orderAt(exchange, slot))
}

function viewAt(exchange: Exchange, slot: number, order: LiveOrder): OrderView {
  const row = instrumentOf(exchange, slot)
  return {
    order,
    account: accountId(ownerOf(exchange.slots, slot)),
    instrument: row.instrument,
    price: orderPrice9(exchange, row, slot),
    filled: lots(filledOf(exchange, slot)),
    averagePrice: averagePrice(exchange, row, slot),
    createdAt: creationTimeAt(exchange.orders, slot),
    updatedAt: updateTimeAt(exchange.orders, slot),
    state: stateOf(order),
    rested: order.stage === 'resting',
    shown: visibleOf(exchange, slot),
    trigger: order.trigger === null ? null : triggerOf(row, order.trigger, order.stage),
    links: order.link === null ? unlinked : linksOf(order.link),
  }
}

/** The self-trading rule that an account chose. */
export function selfTradingOf(exchange: Exchange, account: AccountId): SelfTrading {
  const row = accountRow(exchange, account)
  return { mode: row.selfMatch, extended: row.selfMatchExtended }
}

/**
 * Initial margin of a live order alone, in nano. For a spot order it is the reserve; for orders that wait or that are
 * reduce-only it is 0 (C14). Undefined if the order is not live.
 */
export function orderMargin(
  exchange: Exchange,
  order: OrderId,
): { readonly margin: Amount; readonly currency: Currency } | undefined {
  const slot = orderSlotOf(exchange, order)
  if (slot < 0) return undefined
  const live = orderAt(exchange, slot)
  const row = instrumentOf(exchange, slot)
  const remaining = remainingOf(exchange.slots, slot)
  const isSale = row.base >= 0 && live.side === 'sell'
  const currency = currencyOf(isSale ? currencyId(row.base) : row.settlement)
  if (stateOf(live) !== 'open' || live.reduceOnly) return { margin: amount(0n), currency }
  const price = priceOf(exchange.slots, slot)
  if (row.base < 0) {
    const account = accountId(ownerOf(exchange.slots, slot))
    const shape = { side: live.side, lots: remaining, price: price9(price * row.instrument.tick9) }
    return { margin: orderNeed(exchange, account, { row, ...shape }), currency }
  }
  setReserve(exchange, row, { at: 0, side: live.side, lots: remaining, price })
  return { margin: amount(wideToBigint(exchange.scratch, 0)), currency }
}
