/**
 * The normal distribution, from rational functions with fixed coefficients.
 *
 * Source: W. J. Cody, "Rational Chebyshev approximations for the error function", Mathematics of
 * Computation 23 (1969), with the coefficients of his CALERF; market.md 0.
 */
import { assert } from '../../core/index.ts'
import { exponential, logarithm } from './elementary.ts'

const SQRT_HALF = Math.SQRT1_2
const SQRT_TWO_PI_INVERSE = 0.3989422804014327
const SQRT_PI_INVERSE = 0.5641895835477563

/** Up to here the error function itself is approximated, above it its complement. */
const SMALL = 0.46875
const MIDDLE = 4
/** From here on the complement is below the smallest double. */
const LARGE = 26.6

/** The probability of a value of at most x. */
export function normalBelow(x: number): number {
  return 0.5 * complementaryError(-x * SQRT_HALF)
}

/** The density at x. */
export function normalDensity(x: number): number {
  return SQRT_TWO_PI_INVERSE * exponential(-0.5 * x * x)
}

/**
 * The x at which `normalBelow` is `p`, for p between 0 and 1. The relative error is about 1e-16.
 *
 * Source: M. J. Wichura, "Algorithm AS 241: The Percentage Points of the Normal Distribution", Applied Statistics 37
 * (1988), PPND16.
 */
export function normalQuantile(p: number): number {
  assert(p > 0 && p < 1, 'a probability is between 0 and 1')
  const q = p - 0.5
  if (q <= 0.425 && q >= -0.425) {
    const r = 0.180625 - q * q
    return q * (horner(r, centreNumerator) / horner(r, centreDenominator))
  }
  const root = Math.sqrt(-logarithm(q < 0 ? p : 1 - p))
  const value =
    root <= 5
      ? horner(root - 1.6, shoulderNumerator) / horner(root - 1.6, shoulderDenominator)
      : horner(root - 5, tailNumerator) / horner(root - 5, tailDenominator)
  return q < 0 ? -value : value
}

/** A polynomial by Horner's rule, the highest power first. */
function horner(x: number, coefficients: readonly number[]): number {
  let value = 0
  for (const coefficient of coefficients) value = value * x + coefficient
  return value
}

/** 1 - erf(x). */
function complementaryError(x: number): number {
  const y = x < 0 ? -x : x
  if (y <= SMALL) return 1 - errorNearZero(x)
  if (y >= LARGE) return x < 0 ? 2 : 0
  const tail = y <= MIDDLE ? middle(y) : far(y)
  // The square is split, so that its rounding error does not affect the exponential.
  const coarse = Math.floor(y * 16) / 16
  const fine = (y - coarse) * (y + coarse)
  const result = exponential(-coarse * coarse) * exponential(-fine) * tail
  return x < 0 ? 2 - result : result
}

function errorNearZero(x: number): number {
  const z = x * x
  const numerator =
    (((0.18577770618460315 * z + 3.1611237438705655) * z + 113.86415415105016) * z + 377.485237685302) * z +
    3209.3775891384694
  const denominator =
    (((z + 23.601290952344122) * z + 244.02463793444417) * z + 1282.6165260773723) * z + 2844.236833439171
  return (x * numerator) / denominator
}

function middle(y: number): number {
  return ratio(y, middleNumerator, middleDenominator)
}

function far(y: number): number {
  const z = 1 / (y * y)
  return (SQRT_PI_INVERSE - z * ratio(z, farNumerator, farDenominator)) / y
}

/** Two polynomials by Horner's rule, the highest power first; the highest coefficient of the denominator is 1. */
function ratio(x: number, over: readonly number[], under: readonly number[]): number {
  let numerator = over[0] ?? 0
  let denominator = 1
  for (let at = 0; at < under.length; at += 1) {
    numerator = numerator * x + (over[at + 1] ?? 0)
    denominator = denominator * x + (under[at] ?? 0)
  }
  return numerator / denominator
}

const middleNumerator = [
  2.1531153547440383e-8, 0.5641884969886701, 8.883149794388377, 66.11919063714163, 298.6351381974001, 881.952221241769,
  1712.0476126340707, 2051.0783778260716, 1230.3393547979972,
]
const middleDenominator = [
  15.744926110709835, 117.6939508913125, 537.1811018620099, 1621.3895745666903, 3290.7992357334597, 4362.619090143247,
  3439.3676741437216, 1230.3393548037495,
]
const farNumerator = [
  0.016315387137302097, 0.30532663496123236, 0.36034489994980445, 0.12578172611122926, 0.016083785148742275,
  0.0006587491615298378,
]
const farDenominator = [
  2.568520192289822, 1.8729528499234673, 0.5279051029514285, 0.06051834131244132, 0.0023352049762686918,
]
/** Coefficients of AS 241, the highest power first; each denominator ends with 1. */
const centreNumerator = [
  2509.0809287301227, 33430.57558358813, 67265.7709270087, 45921.95393154987, 13731.69376550946, 1971.5909503065513,
  133.14166789178438, 3.3871328727963665,
]
const centreDenominator = [
  5226.495278852546, 28729.085735721943, 39307.89580009271, 21213.794301586597, 5394.196021424751, 687.1870074920579,
  42.31333070160091, 1,
]
const shoulderNumerator = [
  0.0007745450142783414, 0.022723844989269184, 0.2417807251774506, 1.2704582524523684, 3.6478483247632045,
  5.769497221460691, 4.630337846156546, 1.4234371107496835,
]
const shoulderDenominator = [
  1.0507500716444169e-9, 0.0005475938084995345, 0.015198666563616457, 0.14810397642748008, 0.6897673349851,
  1.6763848301838038, 2.053191626637759, 1,
]
const tailNumerator = [
  2.0103343992922881e-7, 2.7115555687434876e-5, 0.0012426609473880784, 0.026532189526576124, 0.29656057182850487,
  1.7848265399172913, 5.463784911164114, 6.657904643501103,
]
const tailDenominator = [
  2.0442631033899397e-15, 1.421511758316446e-7, 1.8463183175100548e-5, 0.0007868691311456133, 0.014875361290850615,
  0.1369298809227358, 0.599832206555888, 1,
]
