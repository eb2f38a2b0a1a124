/** Formats of numbers, for all sections of a scenario file. */
import { type DecimalInput, z } from '../../../core/index.ts'

/** A count. */
export const limit = z
  .int()
  .min(0)
  .optional()
  .meta({ description: 'A whole number.', examples: [100] })

/** A number in the spelling of the file. */
export const decimal = z.custom<DecimalInput>(isDecimal, 'a number').meta({ type: 'number', examples: [1000, 99990.5] })

/**
 * A number from 0 to 1. The bounds are for editors; the functions in `checks` report violations, with the number of
 * digits allowed.
 */
export const fraction = decimal.meta({ type: 'number', minimum: 0, maximum: 1, examples: [0.5] })

/** True if a value is a number in the form that the document reader returns. */
export function isDecimal(value: unknown): value is DecimalInput {
  if (typeof value === 'number') return true
  if (typeof value !== 'object' || value === null || !('decimal' in value)) return false
  return Object.keys(value).length === 1 && typeof value.decimal === 'string'
}
