/**
 * Values of a file in which nothing is wrong.
 */
import {
  assert,
  type DecimalInput,
  type Micros,
  micros,
  parseDecimalInput,
  parseDuration,
} from '../../../core/index.ts'

/** A decimal as a whole number of 10^-scale. */
export function scaledOf(value: DecimalInput, scale: number): bigint {
  const scaled = parseDecimalInput(value, scale)
  assert(scaled.ok, 'a decimal with too many places has been reported')
  return scaled.value
}

/** A duration in microseconds; undefined where none is given. */
export function durationOf(text: string | undefined): Micros | undefined {
  if (text === undefined) return undefined
  const parsed = parseDuration(text)
  assert(parsed.ok, 'a duration that is none has been reported')
  return micros(parsed.value)
}
