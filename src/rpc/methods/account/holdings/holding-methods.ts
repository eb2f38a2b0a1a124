/**
 * The methods of holdings, as one table.
 */
import { positionMethods } from './positions.ts'
import { subaccountMethods } from './subaccounts.ts'
import { summaryMethods } from './summary.ts'

/**
 * Positions and account summaries, for a `methodSet`.
 *
 * @example
 * console.log(Object.keys(holdingMethods).includes('private/get_positions')) // true
 */
export const holdingMethods = {
  ...positionMethods,
  ...summaryMethods,
  ...subaccountMethods,
} as const
