/**
 * Numbers of a scenario file, as every section writes them.
 */
import { type DecimalInput, z } from '../../../core/index.ts'

/** A count. */
export const limit = z
  .int()
  .min(0)
  .optional()
  .meta({ description: 'A whole number.', examples: [100] })

/** A number as it is written. */
export const decimal = z.custom<DecimalInput>(isDecimal, 'a number').meta({ type: 'number', examples: [1000, 99990.5] })

/** A number from 0 to 1; the bounds are for editors, `checks` tells them with the digits allowed. */
export const fraction = decimal.meta({ type: 'number', minimum: 0, maximum: 1, examples: [0.5] })

/** True if a value is a number as the document reads it. */
export function isDecimal(value: unknown): value is DecimalInput {
  if (typeof value === 'number') return true
  if (typeof value !== 'object' || value === null || !('decimal' in value)) return false
  return Object.keys(value).length === 1 && typeof value.decimal === 'string'
}
