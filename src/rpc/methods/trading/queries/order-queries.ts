/**
 * The queries of orders, as one table.
 */
import { openOrderMethods } from './open-orders.ts'
import { orderHistoryMethods } from './order-history.ts'
import { orderStateMethods } from './order-state.ts'

/**
 * Open orders, their states and histories, for a `methodSet`.
 *
 * @example
 * console.log(Object.keys(orderQueries).includes('private/get_open_orders')) // true
 */
export const orderQueries = {
  ...openOrderMethods,
  ...orderStateMethods,
  ...orderHistoryMethods,
} as const
