/** Converts values of a valid file. */
import { assert, type Micros, micros, parseDuration } from '../../../core/index.ts'

/** A duration in microseconds; undefined for an absent one. */
export function durationOf(text: string | undefined): Micros | undefined {
  if (text === undefined) return undefined
  const parsed = parseDuration(text)
  assert(parsed.ok, 'an invalid duration has been reported')
  return micros(parsed.value)
}
