/**
 * Margins in nano: a number as long as it is a safe integer, from there on a bigint. The first form is that of
 * nearly all margins and of every hot path; the second has no limit. A value has one form only, so that two
 * equal values are identical.
 */
import { addToWide, isNegativeWide, safeNumber, wideToBigint } from '../core/index.ts'

/** An amount in nano: a number where it is a safe integer, else a bigint. */
export type Nano = number | bigint

const SAFE_MAX = Number.MAX_SAFE_INTEGER
const SAFE_MAX_BIG = BigInt(SAFE_MAX)

/** A bigint in its form. */
export function nanoOf(value: bigint): Nano {
  return value > SAFE_MAX_BIG || value < -SAFE_MAX_BIG ? value : safeNumber(value)
}

/** A sum of two amounts. */
export function addNano(left: Nano, right: Nano): Nano {
  if (typeof left === 'number' && typeof right === 'number') {
    const sum = left + right
    if (sum <= SAFE_MAX && sum >= -SAFE_MAX) return sum
  }
  return nanoOf(BigInt(left) + BigInt(right))
}

/** A difference of two amounts. */
export function subtractNano(left: Nano, right: Nano): Nano {
  return addNano(left, -right)
}

/** True if a wide value is at least so much; the wide value is used up. */
export function takesNano(source: Float64Array, at: number, needed: Nano): boolean {
  if (typeof needed === 'bigint') return wideToBigint(source, at) >= needed
  addToWide(source, at, -needed)
  return !isNegativeWide(source, at)
}
