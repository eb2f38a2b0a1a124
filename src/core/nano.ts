/**
 * Amounts in nano: a number as long as it is a safe integer, from there on a bigint. The first form is that of
 * nearly all amounts and of every hot path, where a bigint costs more than what is computed with it; the second has
 * no limit. A value has one form only, so that two equal values are identical.
 */
import { safeNumber } from './integer.ts'
import { addToWide, isNegativeWide, WIDE_BASE, wideToBigint } from './wide.ts'

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

/** A wide value in its form. */
export function nanoAt(source: Float64Array, at: number): Nano {
  const direct = (source[at] as number) * WIDE_BASE + (source[at + 1] as number)
  // Beyond a safe integer the sum rounds, but never back to one.
  if (direct <= SAFE_MAX && direct >= -SAFE_MAX) return direct
  return nanoOf(wideToBigint(source, at))
}

/** True if a wide value is at least so much; the wide value is used up. */
export function takesNano(source: Float64Array, at: number, needed: Nano): boolean {
  if (typeof needed === 'bigint') return wideToBigint(source, at) >= needed
  addToWide(source, at, -needed)
  return !isNegativeWide(source, at)
}
