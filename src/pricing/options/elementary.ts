/**
 * Exponential and natural logarithm, computed only with + - x /, so that every machine and every version of an engine
 * gives the same bits. The platform's functions may differ in their last bit.
 *
 * Both reduce their argument by powers of two and use a fixed polynomial for the rest; the error is below one unit of
 * the last place. Source: the method and coefficients of fdlibm `e_exp.c` and `e_log.c` (Sun Microsystems, 1993), read
 * in 2026.
 */

import { assert } from '../../core/index.ts'

const LN2_HIGH = 0.6931471803691238

const LN2_LOW = 1.9082149292705877e-10

const LN2_INVERSE = Math.LOG2E

const SQRT_2 = Math.SQRT2

const SQRT_HALF = Math.SQRT1_2

const TWO_16 = 65_536

/** Range of the binary exponents of doubles. */
const EXPONENT_MIN = -1074

const EXPONENT_MAX = 1023

/** Every power of two, from the smallest up; all are exact. */
const powersOfTwo: Readonly<Float64Array> = powersFrom(EXPONENT_MIN, EXPONENT_MAX)

/** e to the power x, for x below 709; 0 if the result is below the smallest double. */
export function exponential(x: number): number {
  assert(x < 709, 'an exponential fits a double')
  if (x < -744) return 0
  const exponent = Math.floor(x * LN2_INVERSE + 0.5)
  const high = x - exponent * LN2_HIGH
  const low = exponent * LN2_LOW
  const rest = high - low
  const square = rest * rest
  const c =
    rest -
    square *
      (0.16666666666666602 +
        square *
          (-0.0027777777777015593 +
            square * (0.00006613756321437934 + square * (-0.0000016533902205465252 + square * 4.1381367970572385e-8))))
  return (1 - (low - (rest * c) / (2 - c) - high)) * powerOfTwo(exponent)
}

/** The natural logarithm of a positive x. */
export function logarithm(x: number): number {
  assert(x > 0, 'the argument of a logarithm is positive')
  let exponent = 0
  let mantissa = x
  while (mantissa >= TWO_16) {
    mantissa /= TWO_16
    exponent += 16
  }
  while (mantissa * TWO_16 < 1) {
    mantissa *= TWO_16
    exponent -= 16
  }
  while (mantissa > SQRT_2) {
    mantissa /= 2
    exponent += 1
  }
  while (mantissa < SQRT_HALF) {
    mantissa *= 2
    exponent -= 1
  }
  return exponent * LN2_HIGH + (logarithmNearOne(mantissa) + exponent * LN2_LOW)
}

/** A positive base to a power. */
export function power(base: number, exponent: number): number {
  return exponential(exponent * logarithm(base))
}

/** The logarithm of a number between the square roots of a half and of two. */
function logarithmNearOne(mantissa: number): number {
  const f = mantissa - 1
  const s = f / (2 + f)
  const z = s * s
  const w = z * z
  const even = w * (0.3999999999940942 + w * (0.22222198432149784 + w * 0.15313837699209373))
  const odd = z * (0.6666666666666735 + w * (0.2857142874366239 + w * (0.1818357216161805 + w * 0.14798198605116586)))
  const half = 0.5 * f * f
  return f - (half - s * (half + odd + even))
}

function powerOfTwo(exponent: number): number {
  return powersOfTwo[exponent - EXPONENT_MIN] ?? 0
}

function powersFrom(first: number, last: number): Float64Array {
  const powers = new Float64Array(last - first + 1)
  let value = 1
  for (let exponent = 0; exponent <= last; exponent += 1, value *= 2) powers[exponent - first] = value
  value = 1
  for (let exponent = 0; exponent >= first; exponent -= 1, value /= 2) powers[exponent - first] = value
  return powers
}

/** Rounding of doubles that leave this folder. */

/** The nearest integer, halves away from zero. */
export function nearestInteger(value: number): number {
  return (value < 0 ? -Math.floor(0.5 - value) : Math.floor(value + 0.5)) + 0
}
