/**
 * Exact integer arithmetic on safe integers and on bigint, each division with its rounding named.
 *
 * Only this file and `src/pricing` divide. Roundings: `Floor` toward minus infinity, `Trunc` toward zero, `HalfAway` to
 * the nearest, halves away from zero (the venue's rule for all money, so that the two sides of a trade round alike:
 * R04).
 *
 * `mulDivFloor` and similar functions compute a * b / d with a 106-bit product in doubles. The product of two safe
 * integers is exactly p + e, with p the rounded double product and e its error, found by Dekker's splitting. A first
 * quotient from the double division is wrong by a few units at most; the remainder, again exact, corrects it. The
 * result is the same on every platform, because only + - * / of IEEE doubles are used. bigint arithmetic is the oracle.
 */
import { assert } from './assert.ts'

/** 2^27 + 1: multiplying by it splits a 53-bit integer into two halves of 27 and 26 bits. */
const SPLITTER = 134_217_729
const SAFE_MAX = Number.MAX_SAFE_INTEGER
const TWO_50 = 1_125_899_906_842_624
const TWO_42 = 4_398_046_511_104

/** Quotient of doubles, the nearest double. Only for values that leave the engine. */
export function divNearest(numerator: number, denominator: number): number {
  return numerator / denominator
}

/** a / b rounded toward minus infinity; `b` positive, both safe integers. */
export function divFloor(a: number, b: number): number {
  const quotient = Math.floor(a / b)
  // The double quotient may round up to an integer that is one too large when a is near 2^53.
  return quotient * b > a ? quotient - 1 : quotient
}

/** a / b rounded up; `b` positive. */
export function divCeil(a: number, b: number): number {
  return -divFloor(-a, b) + 0
}

/** a modulo b in [0, b); `b` positive. */
export function modFloor(a: number, b: number): number {
  const remainder = a % b
  return remainder < 0 ? remainder + b : remainder + 0
}

/** n / d rounded toward minus infinity; `d` positive. */
export function divFloorBig(n: bigint, d: bigint): bigint {
  const quotient = n / d
  return quotient * d > n ? quotient - 1n : quotient
}

/** n / d rounded toward zero. */
export function divTruncBig(n: bigint, d: bigint): bigint {
  return n / d
}

/** n / d rounded up; `d` positive. */
export function divCeilBig(n: bigint, d: bigint): bigint {
  return -divFloorBig(-n, d)
}

/** n / d rounded half to even; d > 0. */
export function divHalfEvenBig(n: bigint, d: bigint): bigint {
  assert(d > 0n, 'a divisor is positive')
  const floor = divFloorBig(n, d)
  const twice = (n - floor * d) * 2n
  const isUp = twice > d || (twice === d && floor % 2n !== 0n)
  return isUp ? floor + 1n : floor
}

/** n / d to the nearest integer, halves away from zero; `d` positive. The venue's `rdiv` (R04). */
export function divHalfAwayBig(n: bigint, d: bigint): bigint {
  assert(d > 0n, 'a denominator is positive')
  const doubled = (n < 0n ? -n : n) * 2n + d
  const rounded = doubled / (2n * d)
  return n < 0n ? -rounded : rounded
}

/** The error of the double product a * b, so that a * b = product + error exactly. */
function productError(a: number, b: number, product: number): number {
  const aSplit = SPLITTER * a
  const aHigh = aSplit - (aSplit - a)
  const aLow = a - aHigh
  const bSplit = SPLITTER * b
  const bHigh = bSplit - (bSplit - b)
  const bLow = b - bHigh
  return aLow * bLow - (product - aHigh * bHigh - aLow * bHigh - aHigh * bLow)
}

/** a * b - q * d, exactly. The caller must know that the result is a safe integer. All four are safe integers. */
export function mulSub(a: number, b: number, q: number, d: number): number {
  const left = a * b
  const right = q * d
  if (left <= SAFE_MAX && right <= SAFE_MAX && left >= -SAFE_MAX && right >= -SAFE_MAX) {
    return left - right
  }
  return left - right + (productError(a, b, left) - productError(q, d, right))
}

/**
 * a * b / d rounded down, for safe integers a, b >= 0 and d >= 1. It asserts that the result is a safe integer. From
 * d = 2^50 on a remainder of a few divisors would not be safe, so bigint is used.
 */
export function mulDivFloor(a: number, b: number, d: number): number {
  const product = a * b
  return product <= SAFE_MAX ? divFloor(product, d) : wideDivFloor(a, b, d)
}

/** a * b / d rounded down if the product is not a safe integer. */
function wideDivFloor(a: number, b: number, d: number): number {
  const product = a * b
  if (d >= TWO_50) return safeNumber((BigInt(a) * BigInt(b)) / BigInt(d))
  let quotient = Math.floor(product / d)
  assert(quotient <= SAFE_MAX, 'the quotient of a product fits a safe integer')
  let remainder = mulSub(a, b, quotient, d)
  while (remainder < 0) {
    quotient -= 1
    remainder += d
  }
  while (remainder >= d) {
    quotient += 1
    remainder -= d
  }
  return quotient
}

/**
 * a * b / d to the nearest integer, halves away from zero, for a of either sign; see `mulDivFloor`.
 *
 * The double quotient has a relative error below 2^-51, so below 2^42 an error below 2^-9. Unless it is that close to a
 * half, the nearest integer is certain and no remainder is needed.
 */
export function mulDivHalfAway(a: number, b: number, d: number): number {
  const magnitude = Math.abs(a)
  const estimate = (magnitude * b) / d
  if (estimate < TWO_42) {
    const nearest = Math.floor(estimate + 0.5)
    const off = estimate - nearest
    if (off > -0.49 && off < 0.49) return a < 0 ? -nearest + 0 : nearest
  }
  return unsureHalfAway(a, b, d)
}

/** a * b / d to the nearest integer by the remainder, if the double quotient is not certain. */
function unsureHalfAway(a: number, b: number, d: number): number {
  const magnitude = Math.abs(a)
  const quotient = mulDivFloor(magnitude, b, d)
  const remainder = mulSub(magnitude, b, quotient, d)
  const rounded = remainder >= d - remainder ? quotient + 1 : quotient
  return a < 0 ? -rounded + 0 : rounded
}

/** Converts a bigint to a number, which must be a safe integer. */
export function safeNumber(value: bigint): number {
  const result = Number(value)
  if (!Number.isSafeInteger(result)) assert(false, `a value fits a safe integer, found ${value}`)
  return result
}

/** 10 to the power `exponent`, exact for 0..15. */
export function powerOfTen(exponent: number): number {
  assert(exponent >= 0 && exponent <= 15, 'a power of ten is between 1 and 1e15')
  let power = 1
  for (let step = 0; step < exponent; step += 1) power *= 10
  return power
}

/** 10 to the power `exponent` as a bigint. */
export function powerOfTenBig(exponent: number): bigint {
  let power = 1n
  for (let step = 0; step < exponent; step += 1) power *= 10n
  return power
}
