/**
 * The controls that open a market, as one table.
 */
import { marketControls } from './controls.ts'
import { priceControls } from './prices.ts'

/**
 * The controls that open a market: instruments, accounts, deposits, prices, for a `methodSet`.
 *
 * @example
 * console.log(Object.keys(openingControls).includes('sim/set_index')) // true
 */
export const openingControls = {
  ...marketControls,
  ...priceControls,
} as const
