/**
 * Values of a file in which nothing is wrong.
 */
import { assert, type Micros, micros, parseDuration } from '../../../core/index.ts'

/** A duration in microseconds; undefined where none is given. */
export function durationOf(text: string | undefined): Micros | undefined {
  if (text === undefined) return undefined
  const parsed = parseDuration(text)
  assert(parsed.ok, 'an invalid duration has been reported')
  return micros(parsed.value)
}
