/**
 * Amounts in nano: a number while it is a safe integer, otherwise a bigint. Nearly all amounts and all hot paths use
 * numbers, because a bigint costs more than the arithmetic with it; bigints have no limit. Each value has only one
 * form, so equal values are identical.
 */
import { safeNumber } from './integer.ts'
import { addToWide, isNegativeWide, WIDE_BASE, wideToBigint } from './wide.ts'

/** An amount in nano: a number if it is a safe integer, otherwise a bigint. */
export type Nano = number | bigint

const SAFE_MAX = Number.MAX_SAFE_INTEGER
const SAFE_MAX_BIG = BigInt(SAFE_MAX)

/** Converts a bigint to a `Nano`. */
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

/** Converts a wide value to a `Nano`. */
export function nanoAt(source: Float64Array, at: number): Nano {
  const direct = (source[at] as number) * WIDE_BASE + (source[at + 1] as number)
  // Beyond the safe integers the sum rounds, but never to a safe integer.
  if (direct <= SAFE_MAX && direct >= -SAFE_MAX) return direct
  return nanoOf(wideToBigint(source, at))
}

/** True if a wide value is at least `needed`. The caller must not use the wide value afterwards. */
export function takesNano(source: Float64Array, at: number, needed: Nano): boolean {
  if (typeof needed === 'bigint') return wideToBigint(source, at) >= needed
  addToWide(source, at, -needed)
  return !isNegativeWide(source, at)
}
