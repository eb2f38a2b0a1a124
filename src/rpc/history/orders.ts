/**
 * Ended orders and the trades of orders, for queries. Source: trading.md 4.8.
 */
import type { AccountId, Micros, OrderId } from '../../core/index.ts'
import { NO_ORDER, type OrderChanged, originOf } from '../../model/index.ts'
import type { History } from './history.ts'
import type { UserTrade } from './user-trades.ts'
import { rowsOf, type Truncation, truncation, whole } from './windows.ts'

/**
 * The trades of an order, oldest first. The search goes from the newest record back to the creation of the order, so
 * that trades need no list for each order.
 */
export function tradesOfOrder(
  history: History,
  account: AccountId,
  order: OrderId,
  createdAt: Micros,
): readonly UserTrade[] {
  const found: UserTrade[] = []
  const records = rowsOf(history.userTrades, account)
  for (let at = records.length - 1; at >= 0; at -= 1) {
    const record = records[at]
    if (record === undefined || record.trade.time < createdAt) break
    if (record.fill.order === order) found.push(record)
  }
  return found.reverse()
}

/**
 * The ended orders of an account in their final state, last ended first, without orders of direct access. Orders that
 * ended at the same time are in the order of their end.
 */
export function endedOrdersOf(history: History, account: AccountId): readonly OrderChanged[] {
  const found: OrderChanged[] = []
  for (let at = history.ended.length - 1; at >= 0; at -= 1) {
    const id = history.ended[at]
    if (id === undefined || history.orders.accountOf(id) !== account) continue
    const order = history.orders.get(id)
    if (order !== undefined && originOf(order) !== 'direct_access') found.push(order)
  }
  return found
}

/**
 * True if an order is the primary of two orders that cancel each other. Its own links are the same for two independent
 * orders. The links of the two show the difference, as long as the history keeps them.
 */
export function isOtocoPrimary(history: History, event: Pick<OrderChanged, 'links'>): boolean {
  const [first] = event.links.secondaries
  if (first === undefined) return false
  return (history.orders.look(first)?.links.pair ?? NO_ORDER) !== NO_ORDER
}

/** The note on a page of ended orders that older ones are missing. */
export function ordersTruncation(history: History): Truncation {
  const [first] = history.ended
  return history.isEndedCut && first !== undefined ? truncation(history.orders.get(first)) : whole
}
