/**
 * Falls of a curve below its highest point so far.
 *
 * A curve is the growth of one unit of money: 1 at the start, and the product of 1 + r at each later point, so that
 * deposits and withdrawals are neither gains nor losses. A fall is a negative share of the highest point. A product of
 * doubles that should reach the peak exactly may miss it in the last digits; this does not count as a fall.
 */
import { assert } from '../../core/index.ts'

/** A point of a curve. */
export interface CurvePoint {
  /** Virtual time in microseconds. */
  readonly time: number
  readonly value: number
}

/** Consecutive points below an earlier highest point. */
export interface Drawdown {
  /** Time of the highest point before the fall. */
  readonly start: number
  /** Time of the lowest point. */
  readonly valley: number
  /** Time at which the curve reached that height again; null if it has not. */
  readonly recovery: number | null
  /** Deepest fall as a negative share of the highest point. */
  readonly depth: number
}

const ROUNDING = 1e-12

/** The fall from a peak: 0, or a negative share of it. */
export function fallFrom(peak: number, value: number): number {
  return value >= peak * (1 - ROUNDING) ? 0 : value / peak - 1
}

/** The fall at each point of a curve: 0, or a negative share. */
export function fallsOf(curve: readonly CurvePoint[]): readonly number[] {
  let peak = Number.NEGATIVE_INFINITY
  return curve.map(({ value }) => {
    if (value > peak) peak = value
    assert(peak > 0, 'a curve begins above zero')
    return fallFrom(peak, value)
  })
}

/** All drawdowns of a curve in the order of their beginning. */
export function drawdownsOf(curve: readonly CurvePoint[]): readonly Drawdown[] {
  const found: Drawdown[] = []
  let peak: CurvePoint | null = null
  let open: { start: number; valley: number; depth: number } | null = null
  for (const point of curve) {
    const depth = peak === null ? 0 : fallFrom(peak.value, point.value)
    if (peak === null || depth === 0) {
      if (open !== null) found.push({ ...open, recovery: point.time })
      open = null
      peak = point
      continue
    }
    if (open === null) open = { start: peak.time, valley: point.time, depth }
    else if (depth < open.depth) open = { start: open.start, valley: point.time, depth }
  }
  if (open !== null) found.push({ ...open, recovery: null })
  return found
}

/** The deepest drawdowns first; with equal depth the earlier one. */
export function deepest(all: readonly Drawdown[], most: number): readonly Drawdown[] {
  return all.toSorted((left, right) => left.depth - right.depth || left.start - right.start).slice(0, most)
}
