/**
 * The methods of orders and quotes, as one table.
 */
import { bulkCancelMethods } from './cancels/bulk-cancel.ts'
import { cancelMethods } from './cancels/cancel.ts'
import { closePositionMethods } from './entry/close-position.ts'
import { editMethods } from './entry/edit.ts'
import { placeMethods } from './entry/place.ts'
import { cancelQuoteMethods } from './quotes/cancel-quotes.ts'
import { massQuoteMethods } from './quotes/mass-quote.ts'

/**
 * Placements, edits, cancels and quotes, for a `methodSet`.
 *
 * @example
 * console.log(Object.keys(orderMethods).includes('private/mass_quote')) // true
 */
export const orderMethods = {
  ...placeMethods,
  ...editMethods,
  ...closePositionMethods,
  ...cancelMethods,
  ...bulkCancelMethods,
  ...massQuoteMethods,
  ...cancelQuoteMethods,
} as const
