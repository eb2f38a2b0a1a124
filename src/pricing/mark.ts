/**
 * Mark prices of futures and perpetuals: the index plus an average premium of the book, rounded to the precision of
 * marks. Prices are counts of 1e-9.
 *
 * A mark is the exact value of its formula, rounded half away from zero once. It is at least one step, so that it can
 * be a divisor.
 * Source: market.md 3.2, T24-T26.
 */
import { assert, divHalfAwayBig, mulDivFloor, mulDivHalfAway, safeNumber } from '../core/index.ts'
import type { PositionPayoff } from '../model/index.ts'

/** Index, average premium, and the largest distance of a mark from its index, in parts per million. */
interface Clamped {
  readonly index9: number
  readonly ema9: number
  readonly clampPpm: number
}

/** The terms of a contract that determine the precision of its marks. */
interface MarkTerms {
  readonly payoff: PositionPayoff
  readonly tick9: number
}

/** Time before its end during which the mark of a future moves to its delivery average: half an hour. */
export const DELIVERY_MARK_MICROS = 1_800_000_000

/** Weight 2/31 of the newest premium: an average over 30 seconds. */
const EMA_WEIGHT = 2
const EMA_PERIODS = 31
const PPM = 1_000_000
/** Doubles whose ratio is below this have the same order as the exact values. */
export const CERTAINLY = 0.999_999

const STEP_2_DIGITS = 10_000_000
const STEP_4_DIGITS = 100_000
const STEP_6_DIGITS = 1_000
const THOUSAND9 = 1_000_000_000_000
const ONE9 = 1_000_000_000
const DECIMAL = 10

/**
 * The average premium one second later. Repeated, it stops within 7 units of `premium9`. If `tick9` is below 1e-6,
 * where these units are ticks, each second moves it by at least one unit until it is equal.
 */
export function nextPremium(ema9: number, premium9: number, tick9 = STEP_6_DIGITS): number {
  const distance = premium9 - ema9
  if (Number.isSafeInteger(distance)) {
    const move = mulDivHalfAway(distance, EMA_WEIGHT, EMA_PERIODS)
    return ema9 + (move === 0 && tick9 < STEP_6_DIGITS ? Math.sign(distance) : move)
  }
  const wide = (BigInt(premium9) - BigInt(ema9)) * BigInt(EMA_WEIGHT)
  return safeNumber(BigInt(ema9) + divHalfAwayBig(wide, BigInt(EMA_PERIODS)))
}

/** Index plus premium, at most `clampPpm` away from the index, rounded to a mark. */
export function markOf(terms: Clamped & MarkTerms): number {
  const sign = boundSign(terms)
  if (sign === 0) return positiveMark(terms.index9 + terms.ema9, markStep9(terms, terms.index9 + terms.ema9))
  // A bound need not be an integer, and is rounded once: index * (1 + clamp) to the step.
  const factor = PPM + sign * terms.clampPpm
  const step9 = markStep9(terms, mulDivFloor(terms.index9, factor, PPM))
  return Math.max(step9, mulDivHalfAway(terms.index9, factor, PPM * step9) * step9)
}

/** Index plus premium, at most `clampPpm` away from the index, to 1e-9. */
export function clampedPrice9(terms: Clamped): number {
  const sign = boundSign(terms)
  if (sign === 0) return terms.index9 + terms.ema9
  return mulDivHalfAway(terms.index9, PPM + sign * terms.clampPpm, PPM)
}

/** The terms of a mark price during the averaging of a delivery price. */
interface DeliveryMarkTerms extends MarkTerms {
  readonly mean9: number
  readonly elapsed: number
  readonly mark9: number
}

/**
 * The mark of an expiring future, `elapsed` microseconds into its last half hour: from `mark9`, which
 * is `clampedPrice9`, it moves to `mean9`, the mean of the samples so far (0 for none).
 */
export function deliveryMarkOf(terms: DeliveryMarkTerms): number {
  const { mean9, elapsed, mark9 } = terms
  assert(elapsed >= 0 && elapsed <= DELIVERY_MARK_MICROS, 'the window lasts half an hour')
  if (mean9 === 0) return positiveMark(mark9, markStep9(terms, mark9))
  const rest = DELIVERY_MARK_MICROS - elapsed
  const weighed = BigInt(mean9) * BigInt(elapsed) + BigInt(mark9) * BigInt(rest)
  const window = BigInt(DELIVERY_MARK_MICROS)
  const step9 = markStep9(terms, safeNumber(weighed / window))
  const steps = divHalfAwayBig(weighed, window * BigInt(step9))
  return Math.max(step9, safeNumber(steps) * step9)
}

/**
 * The precision of a mark near `price9`: 2 decimals, for linear contracts 4 below 1000 and 6 below 1; more if the tick
 * needs them.
 */
export function markStep9({ payoff, tick9 }: MarkTerms, price9: number): number {
  if (payoff === 'inverse' || price9 >= THOUSAND9) return finerStep9(STEP_2_DIGITS, tick9)
  return finerStep9(price9 >= ONE9 ? STEP_4_DIGITS : STEP_6_DIGITS, tick9)
}

/**
 * Rule: prices.precision. The step of a price without an order (a mark, a mean, a delivery price): the usual one, or,
 * if the tick has more decimals, one decimal more than the tick, at most nine.
 * Assumed: the venue rounds its marks for the ticks that it lists, and lists none that are finer than its marks.
 */
export function finerStep9(usual9: number, tick9: number): number {
  if (tick9 % usual9 === 0) return usual9
  let step9 = usual9
  while (tick9 % step9 !== 0) step9 /= DECIMAL
  return Math.max(1, step9 / DECIMAL)
}

/** The nearest multiple of a step, halves away from zero. */
export function roundToStep(price9: number, step9: number): number {
  return mulDivHalfAway(price9, 1, step9) * step9
}

function positiveMark(price9: number, step9: number): number {
  return Math.max(step9, roundToStep(price9, step9))
}

/** The bound that the premium exceeds: 1 the upper, -1 the lower, 0 none. */
function boundSign({ index9, ema9, clampPpm }: Clamped): -1 | 0 | 1 {
  assert(index9 > 0, 'an index is positive')
  // Most premiums are far within the bound, which doubles show reliably.
  if (Math.abs(ema9) < ((index9 * clampPpm) / PPM) * CERTAINLY) return 0
  // The premium is an integer, so it exceeds the bound exactly if it exceeds the integer part of the bound.
  if (Math.abs(ema9) <= mulDivFloor(index9, clampPpm, PPM)) return 0
  return ema9 > 0 ? 1 : -1
}
