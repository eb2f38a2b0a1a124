/**
 * Wide integers: two doubles that hold an exact signed integer up to 9e24, for the hot state of the ledger and of
 * margin, where a bigint per step would cost more than the matching itself.
 *
 * A wide value is two numbers (high, low) in a `Float64Array` at `at` and `at + 1`: value = high * 1e9 + low, with high
 * a signed safe integer and 0 <= low < 1e9. So `high` is the nano part of a coin basis in 1e-18, and the whole units of
 * money in nano.
 *
 * All functions are exact; a division that rounds does so half away from zero (R04). The bigint forms (`wideToBigint`
 * and plain bigint arithmetic) are the oracle in the tests. Limit: |value| < 9.007e24 (9 million coin at 1e-18, 9e15
 * units at 1e-9); beyond it an assertion fails before a digit is lost.
 */

import { assert } from './assert.ts'
import { divFloorBig, mulDivFloor, mulDivHalfAway, mulSub, safeNumber } from './integer.ts'

/** An amount in nano: a number if it is a safe integer, otherwise a bigint. */
export type Nano = number | bigint

/** Value of one unit of `high`. */
export const WIDE_BASE = 1_000_000_000

const WIDE_BASE_BIG = 1_000_000_000n

const HALF_BASE = 500_000_000

const INVERSE_BASE = 1e-9

const SAFE_MAX = Number.MAX_SAFE_INTEGER

/**
 * Amounts in nano: a number while it is a safe integer, otherwise a bigint. Nearly all amounts and all hot paths use
 * numbers, because a bigint costs more than the arithmetic with it; bigints have no limit. Each value has only one
 * form, so equal values are identical.
 */

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

/** Writes both limbs, with 0 <= low < 1e9. */
function put(target: Float64Array, at: number, high: number, low: number): void {
  assert(high <= SAFE_MAX && high >= -SAFE_MAX, 'a wide value fits into its slots')
  target[at] = high
  target[at + 1] = low
}

/** Writes (high, low) after carrying; `low` may be any safe integer. */
function store(target: Float64Array, at: number, high: number, low: number): void {
  let carry = 0
  let rest = low
  if (low < 0 || low >= WIDE_BASE) {
    carry = Math.floor(low * INVERSE_BASE)
    rest = low - carry * WIDE_BASE
    // The product with 1e-9 is an estimate that can be wrong by one; the two lines below correct it.
    if (rest < 0) {
      carry -= 1
      rest += WIDE_BASE
    } else if (rest >= WIDE_BASE) {
      carry += 1
      rest -= WIDE_BASE
    }
  }
  put(target, at, high + carry, rest)
}

/** Reads a limb; the caller owns the layout, so the cell exists. */
function limb(source: Float64Array, at: number): number {
  return source[at] as number
}

/** Sets a wide value to a safe integer. */
export function setWide(target: Float64Array, at: number, value: number): void {
  store(target, at, 0, value)
}

/** Sets a wide value from a bigint. */
export function setWideBigint(target: Float64Array, at: number, value: bigint): void {
  const high = divFloorBig(value, WIDE_BASE_BIG)
  target[at] = safeNumber(high)
  target[at + 1] = Number(value - high * WIDE_BASE_BIG)
}

/** Sets a wide value to the product of two safe integers; the product must fit into a wide value. */
export function setWideProduct(target: Float64Array, at: number, a: number, b: number): void {
  // 0 times a negative number is -0, which has other bytes in a snapshot.
  const product = a * b + 0
  if (product <= SAFE_MAX && product >= -SAFE_MAX) setWide(target, at, product)
  else setWideBigint(target, at, BigInt(a) * BigInt(b))
}

/** The wide value as a bigint. */
export function wideToBigint(source: Float64Array, at: number): bigint {
  const high = limb(source, at)
  const low = limb(source, at + 1)
  // One allocation if the value fits into a double, as it nearly always does.
  const direct = high * WIDE_BASE + low
  if (direct <= Number.MAX_SAFE_INTEGER && direct >= -Number.MAX_SAFE_INTEGER) return BigInt(direct)
  return BigInt(high) * WIDE_BASE_BIG + BigInt(low)
}

/** Copies a wide value. */
export function copyWide(target: Float64Array, at: number, source: Float64Array, from: number): void {
  target[at] = limb(source, from)
  target[at + 1] = limb(source, from + 1)
}

/** Adds a safe integer. */
export function addToWide(target: Float64Array, at: number, delta: number): void {
  if (delta > -HALF_SAFE && delta < HALF_SAFE) {
    store(target, at, limb(target, at), limb(target, at + 1) + delta)
    return
  }
  const high = Math.trunc(delta * INVERSE_BASE)
  store(target, at, limb(target, at) + high, limb(target, at + 1) + (delta - high * WIDE_BASE))
}

const HALF_SAFE = 4_503_599_627_370_496

/** Adds `units` times 1e9; `units` is a safe integer. */
export function addUnitsToWide(target: Float64Array, at: number, units: number): void {
  put(target, at, limb(target, at) + units, limb(target, at + 1))
}

/** Adds another wide value. */
export function addWide(target: Float64Array, at: number, source: Float64Array, from: number): void {
  const high = limb(target, at) + limb(source, from)
  const low = limb(target, at + 1) + limb(source, from + 1)
  const carry = low >= WIDE_BASE ? 1 : 0
  put(target, at, high + carry, low - carry * WIDE_BASE)
}

/** Subtracts another wide value. */
export function subtractWide(target: Float64Array, at: number, source: Float64Array, from: number): void {
  const high = limb(target, at) - limb(source, from)
  const low = limb(target, at + 1) - limb(source, from + 1)
  const borrow = low < 0 ? 1 : 0
  put(target, at, high - borrow, low + borrow * WIDE_BASE)
}

/** Changes the sign. */
export function negateWide(target: Float64Array, at: number): void {
  const high = limb(target, at)
  const low = limb(target, at + 1)
  const borrow = low === 0 ? 0 : 1
  put(target, at, 0 - high - borrow, borrow * WIDE_BASE - low)
}

/** -1, 0 or 1 if the first value is smaller than, equal to or greater than the second. */
export function compareWide(left: Float64Array, at: number, right: Float64Array, from: number): -1 | 0 | 1 {
  const high = limb(left, at) - limb(right, from)
  if (high !== 0) return high < 0 ? -1 : 1
  const low = limb(left, at + 1) - limb(right, from + 1)
  return low === 0 ? 0 : low < 0 ? -1 : 1
}

/** True if the value is below zero. */
export function isNegativeWide(source: Float64Array, at: number): boolean {
  return limb(source, at) < 0
}

/**
 * Sets the target to a * b * 1e9 / d, rounded half away from zero. a, b >= 0 and d >= 1 are safe integers and so is
 * a * b / d. It computes a coin basis or a cost from a size and a price.
 */
export function setWideRatio(target: Float64Array, at: number, a: number, b: number, d: number): void {
  const high = mulDivFloor(a, b, d)
  const low = mulDivHalfAway(mulSub(a, b, high, d), WIDE_BASE, d)
  // A carry occurs only by rounding up.
  const carry = low === WIDE_BASE ? 1 : 0
  put(target, at, high + carry, low - carry * WIDE_BASE)
}

/** A part of a wide number: `part / whole` of the number at `from`. */
interface WideShare {
  readonly source: Float64Array
  readonly from: number
  readonly part: number
  readonly whole: number
}

/**
 * Sets the target to source * part / whole, rounded half away from zero, with 0 <= part <= whole < 2^50. It computes
 * the share of a basis that a reducing fill removes.
 */
export function setWideShare(target: Float64Array, at: number, share: WideShare): void {
  const { source, from, part, whole } = share
  let high = limb(source, from)
  let low = limb(source, from + 1)
  const negative = high < 0
  if (negative) {
    // |high * 1e9 + low| in the same two limbs.
    high = low === 0 ? -high : -high - 1
    low = low === 0 ? 0 : WIDE_BASE - low
  }
  const highShare = mulDivFloor(high, part, whole)
  const highRest = mulSub(high, part, highShare, whole)
  const carried = mulDivFloor(highRest, WIDE_BASE, whole)
  const carriedRest = mulSub(highRest, WIDE_BASE, carried, whole)
  const lowShare = mulDivFloor(low, part, whole)
  let rest = mulSub(low, part, lowShare, whole) + carriedRest
  let units = carried + lowShare
  if (rest >= whole) {
    rest -= whole
    units += 1
  }
  if (rest >= whole - rest) units += 1
  if (negative) store(target, at, 0 - highShare, 0 - units)
  else store(target, at, highShare, units)
}

/** value / 1e9 to the nearest integer, halves away from zero: converts a coin basis to nano. */
export function wideToNano(source: Float64Array, at: number): number {
  const high = limb(source, at)
  const low = limb(source, at + 1)
  // For a negative value an exact half rounds to the lower neighbour, which is `high` itself.
  const up = high < 0 ? low > HALF_BASE : low >= HALF_BASE
  return up ? high + 1 : high
}

/** (left - right) / 1e9 to the nearest integer, halves away from zero. */
export function wideDifferenceToNano(source: Float64Array, left: number, right: number): number {
  let high = limb(source, left) - limb(source, right)
  let low = limb(source, left + 1) - limb(source, right + 1)
  if (low < 0) {
    low += WIDE_BASE
    high -= 1
  }
  const up = high < 0 ? low > HALF_BASE : low >= HALF_BASE
  return up ? high + 1 : high
}

/** The value as a number; it asserts that the value is a safe integer. */
export function wideToNumber(source: Float64Array, at: number): number {
  const value = limb(source, at) * WIDE_BASE + limb(source, at + 1)
  assert(value <= SAFE_MAX && value >= -SAFE_MAX, 'the value is a safe integer')
  return value
}

/** Upper bound of the relative error of a few sums in doubles. */
export const NEAR_LOSS = 1e-14

/** The value rounded to a double. */
export function wideNear(source: Float64Array, at: number): number {
  return limb(source, at) * WIDE_BASE + limb(source, at + 1)
}

/** The double nearest to a value of at least zero, as `Number` returns it for a bigint. */
export function wideToDouble(source: Float64Array, at: number): number {
  const high = limb(source, at)
  const low = limb(source, at + 1)
  const direct = high * WIDE_BASE + low
  if (direct <= SAFE_MAX) return direct
  // Both parts of the product are exact; their rounded sum plus its error is the product, and the last sum rounds once.
  const top = Math.floor(high * INVERSE_TWO_26) * TWO_26
  const large = top * WIDE_BASE
  const small = (high - top) * WIDE_BASE
  const product = large + small
  return product + (small - (product - large) + low)
}

const TWO_26 = 67_108_864

const INVERSE_TWO_26 = 1.4901161193847656e-8

/** Rows with room for `length` cells: the same array, or a copy with twice that room. */
export function withRoom(rows: Float64Array, length: number): Float64Array {
  if (rows.length > length) return rows
  const larger = new Float64Array(Math.max(length, 16) * 2)
  larger.set(rows)
  return larger
}
