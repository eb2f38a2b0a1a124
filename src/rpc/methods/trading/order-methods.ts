/**
 * The methods of orders and quotes, as one table.
 */
import { cancelMethods } from './cancels/cancels.ts'
import { closePositionMethods } from './entry/close-position.ts'
import { editMethods } from './entry/edit.ts'
import { placeMethods } from './entry/place.ts'
import { quoteMethods } from './quotes/quotes.ts'

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
  ...quoteMethods,
} as const
