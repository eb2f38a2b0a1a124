/**
 * The delivery price: the mean of 450 values of an index over the half hour before 08:00 UTC, taken every 4 seconds
 * from 07:30:00 on. During the window this mean is the estimated delivery price.
 *
 * An index keeps its value between changes, so one multiplication adds all values that are due since the last call. The
 * owner of the index calls `sampleUntil` with the old price before each change, and at 08:00.
 * Source: market.md 3.5, T39, T40; coverage.md R24.
 */
import {
  assert,
  divFloor,
  divHalfAwayBig,
  MICROS_PER_DAY,
  type Micros,
  micros,
  modFloor,
  safeNumber,
} from '../../core/index.ts'

/** The values taken in one window; plain data that only this file writes. */
export interface DeliveryAverage {
  /** The 08:00 at which the window ends; 0 before the first window. */
  end: number
  /** Number of the 450 values that were due so far. */
  next: number
  /** Sum in 1e-9 of the values at which the price was known, and their number. */
  sum: bigint
  count: number
}

/** Length of the window. */
export const WINDOW_MICROS = 1_800_000_000

const SAMPLE_MICROS = 4_000_000
const SAMPLES = 450
const DAY_END_MICROS = 28_800_000_000

/** An average without values. */
export function createDeliveryAverage(): DeliveryAverage {
  return { end: 0, next: 0, sum: 0n, count: 0 }
}

/**
 * Takes all values of the window around `time` that are due at or before `time` and not yet taken, at one price. The
 * price 0 means unknown: these values are left out, except that the value due at `time` itself stays due. In another
 * window than the last one the average starts again. Outside of windows nothing happens.
 */
export function sampleUntil(average: DeliveryAverage, time: Micros, price9: number): void {
  const left = untilDayEnd(time)
  if (left > WINDOW_MICROS) return
  const end = time + left
  if (average.end !== end) {
    average.end = end
    average.next = 0
    average.sum = 0n
    average.count = 0
  }
  const due = Math.min(SAMPLES, divFloor(WINDOW_MICROS - left, SAMPLE_MICROS) + 1)
  assert(due >= average.next, 'values arrive in order of time')
  const taken = due - average.next
  if (taken === 0) return
  if (price9 === 0) {
    // The value due at this instant stays due: the index may become known at the same instant, for example when a run
    // begins.
    const isNow = modFloor(WINDOW_MICROS - left, SAMPLE_MICROS) === 0 && left > 0
    average.next = Math.max(average.next, isNow ? due - 1 : due)
    return
  }
  average.next = due
  assert(price9 > 0, 'an index is positive')
  average.sum += BigInt(price9) * BigInt(taken)
  average.count += taken
}

/** The mean of the values taken, rounded half away from zero to a step; 0 without values. */
export function deliveryMean9(average: Readonly<DeliveryAverage>, step9: number): number {
  if (average.count === 0) return 0
  return safeNumber(divHalfAwayBig(average.sum, BigInt(average.count) * BigInt(step9))) * step9
}

/** The mean of the values taken, rounded half away from zero to 1e-9; 0 without values. */
export function exactMean9(average: Readonly<DeliveryAverage>): number {
  return deliveryMean9(average, 1)
}

/** True if `time` is in the half hour before an 08:00, both ends included. */
export function isInAveragingWindow(time: Micros): boolean {
  return untilDayEnd(time) <= WINDOW_MICROS
}

/** The time at which the window that ends at `end` begins. Its first value is due then. */
export function windowStart(end: Micros): Micros {
  assert(untilDayEnd(end) === 0, 'a window ends at 08:00 UTC')
  return micros(end - WINDOW_MICROS)
}

/** Microseconds to the first 08:00 UTC at or after `time`. */
function untilDayEnd(time: Micros): number {
  return modFloor(DAY_END_MICROS - time, MICROS_PER_DAY)
}
