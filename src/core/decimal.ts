/**
 * Exact conversions between decimal text and scaled integers.
 *
 * A scaled integer counts units of 10^-scale: 12.5 at scale 9 is 12,500,000,000. Text from users must be a plain
 * decimal: an optional '-', digits without a leading zero, an optional '.' with digits on both sides, `_` between
 * digits. Exponents, hexadecimal and '+' are refused, and so are more significant decimals than the scale: input is
 * never rounded silently.
 *
 * Limits: texts of at most `DECIMAL_LENGTH_MAX` characters (the plain text of every finite double fits), scales from 0
 * to `SCALE_MAX`.
 */
import { assert } from './assert.ts'
import { divHalfAwayBig, divNearest, powerOfTenBig } from './integer.ts'
import { err, ok, type Result } from './result.ts'

/** A number that a double cannot represent exactly; `decimal` is its literal text. */
export interface ExactDecimal {
  readonly decimal: string
}

/** A decimal from a user or the wire: a double, or the literal text if a double is not exact. */
export type DecimalInput = number | ExactDecimal

/** The reason why a text is not a scaled integer. `found` is the text, shortened if it is very long. */
export type DecimalFault =
  | { readonly kind: 'not_a_decimal'; readonly found: string }
  | { readonly kind: 'too_many_decimals'; readonly found: string; readonly scale: number }

const DECIMAL_LENGTH_MAX = 400
const FOUND_LENGTH_MAX = 60
const SCALE_MAX = 100
/** Integers below this have at most 15 digits. */
const QUICK_MAX = 1e15

const PLAIN_DECIMAL = /^(-?)(0|[1-9](?:_?[0-9])*)(?:\.([0-9](?:_?[0-9])*))?$/
const DOUBLE_TEXT = /^(-?)([0-9]+)(?:\.([0-9]+))?(?:e([+-][0-9]+))?$/

/** All powers of ten that are exact doubles. */
const EXACT_POWERS: readonly number[] = [
  1, 10, 100, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19, 1e20, 1e21,
  1e22,
]

/** Parses `text` into units of 10^-scale, exactly; the docstring of the file lists refused forms. */
export function parseScaled(text: string, scale: number): Result<bigint, DecimalFault> {
  assertScale(scale)
  const match = text.length <= DECIMAL_LENGTH_MAX ? PLAIN_DECIMAL.exec(text) : null
  if (match === null) return err({ kind: 'not_a_decimal', found: shortened(text) })
  const [, sign, whole = '', fractionText = ''] = match
  const fraction = withoutTrailingZeros(fractionText.replaceAll('_', ''))
  if (fraction.length > scale) {
    return err({ kind: 'too_many_decimals', found: shortened(text), scale })
  }
  const magnitude = BigInt(whole.replaceAll('_', '') + fraction.padEnd(scale, '0'))
  return ok(sign === '-' ? -magnitude : magnitude)
}

/** `parseScaled` for a number or for its literal text. */
export function parseDecimalInput(input: DecimalInput, scale: number): Result<bigint, DecimalFault> {
  if (typeof input !== 'number') return parseScaled(input.decimal, scale)
  if (!Number.isFinite(input)) return err({ kind: 'not_a_decimal', found: String(input) })
  const quick = quickScaled(input, scale)
  if (quick !== undefined) return ok(quick)
  return parseScaled(decimalTextOf(input), scale)
}

/**
 * The scaled integer of an ordinary number, computed without its text: up to 15 digits a double and a decimal determine
 * each other, so a candidate that divides back to the number is its decimal.
 */
function quickScaled(input: number, scale: number): bigint | undefined {
  const power = EXACT_POWERS[scale]
  if (power === undefined) return undefined
  const candidate = Math.round(input * power)
  if (candidate >= QUICK_MAX || candidate <= -QUICK_MAX) return undefined
  return divNearest(candidate, power) === input ? BigInt(candidate) : undefined
}

/** The shortest text that parses back to `value`, as plain decimal without an exponent. */
export function decimalTextOf(value: number): string {
  assert(Number.isFinite(value), 'a number with a decimal text is finite')
  const text = String(value)
  if (!text.includes('e')) return text
  const match = DOUBLE_TEXT.exec(text)
  assert(match !== null, 'the text of a double has a known form')
  const [, sign = '', whole = '', fraction = '', exponentText = '0'] = match
  const digits = whole + fraction
  const pointAt = whole.length + Number(exponentText)
  if (pointAt <= 0) return `${sign}0.${'0'.repeat(-pointAt)}${digits}`
  // A positive exponent starts at 21, beyond the 17 digits of a double, so the point is at the end.
  return sign + digits.padEnd(pointAt, '0')
}

/** Plain decimal text of `value` units of 10^-scale, without trailing zeros and never "-0". */
export function formatScaled(value: bigint, scale: number): string {
  assertScale(scale)
  const isNegative = value < 0n
  return withPoint((isNegative ? -value : value).toString(), isNegative, scale)
}

/** `formatScaled` of a safe integer, without the cost of a bigint. */
export function formatScaledNumber(value: number, scale: number): string {
  assert(Number.isSafeInteger(value), 'a scaled number is a safe integer')
  assertScale(scale)
  return withPoint(String(Math.abs(value)), value < 0, scale)
}

/**
 * The double nearest to `value` units of 10^-scale. If both operands of the one division are small, they are exact, so
 * it rounds once. Otherwise the engine parses the exact text, which all known engines round correctly.
 */
export function scaledToNumber(value: bigint | number, scale: number): number {
  assertScale(scale)
  const power = EXACT_POWERS[scale]
  const double = Number(value)
  if (power !== undefined && Number.isSafeInteger(double)) return divNearest(double + 0, power)
  assert(typeof value === 'bigint' || Number.isSafeInteger(value), 'a scaled number is an integer')
  return Number(formatScaled(BigInt(value), scale))
}

/** Units of 10^-to nearest to `value` units of 10^-from, halves away from zero. */
export function rescaleHalfAway(value: bigint, from: number, to: number): bigint {
  assertScale(from)
  assertScale(to)
  if (to >= from) return value * powerOfTenBig(to - from)
  return divHalfAwayBig(value, powerOfTenBig(from - to))
}

function assertScale(scale: number): void {
  const isScale = Number.isSafeInteger(scale) && scale >= 0 && scale <= SCALE_MAX
  assert(isScale, 'a scale is an integer from 0 to 100')
}

function withPoint(digits: string, isNegative: boolean, scale: number): string {
  const sign = isNegative ? '-' : ''
  if (scale === 0) return sign + digits
  const padded = digits.padStart(scale + 1, '0')
  const fraction = withoutTrailingZeros(padded.slice(-scale))
  const whole = sign + padded.slice(0, -scale)
  return fraction === '' ? whole : `${whole}.${fraction}`
}

function withoutTrailingZeros(digits: string): string {
  let length = digits.length
  while (length > 0 && digits[length - 1] === '0') length -= 1
  return digits.slice(0, length)
}

function shortened(text: string): string {
  return text.length <= FOUND_LENGTH_MAX ? text : `${text.slice(0, FOUND_LENGTH_MAX)}…`
}
