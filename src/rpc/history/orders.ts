/**
 * Orders that have ended and the trades of orders, as queries look for them.
 * Source: trading.md 4.8.
 */
import type { AccountId, Micros, OrderId } from '../../core/index.ts'
import { NO_ORDER, type OrderChanged, originOf } from '../../model/index.ts'
import type { History } from './history.ts'
import type { UserTrade } from './user-trades.ts'
import { rowsOf, type Truncation, truncation, whole } from './windows.ts'

/**
 * The trades of an order, oldest first. They are looked for from the newest record back to the
 * creation of the order, so that trades need no list for each order.
 */
export function tradesOfOrder(
  history: History,
  of: { readonly account: AccountId; readonly order: OrderId; readonly createdAt: Micros },
): readonly UserTrade[] {
  const found: UserTrade[] = []
  const records = rowsOf(history.userTrades, of.account)
  for (let at = records.length - 1; at >= 0; at -= 1) {
    const record = records[at]
    if (record === undefined || record.trade.time < of.createdAt) break
    if (record.fill.order === of.order) found.push(record)
  }
  return found.reverse()
}

/**
 * The orders of an account that have ended, as they ended: the last first, without those of direct access.
 * Those of one instant stand in the order of their end.
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
 * True if an order is the primary of two that cancel each other. Its own links do not tell these from
 * two that are independent; those of the two do, as long as the history knows them.
 */
export function isOtocoPrimary(history: History, { links }: Pick<OrderChanged, 'links'>): boolean {
  const [first] = links.secondaries
  if (first === undefined) return false
  return (history.orders.look(first)?.links.pair ?? NO_ORDER) !== NO_ORDER
}

/** The truncation that a page of ended orders tells. */
export function ordersTruncation({ isEndedCut, ended, orders }: History): Truncation {
  const [first] = ended
  return isEndedCut && first !== undefined ? truncation(orders.get(first)) : whole
}
