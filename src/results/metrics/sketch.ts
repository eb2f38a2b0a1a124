/**
 * Quantiles of many positive values in little memory.
 *
 * A value is counted by its exponent and the first eight bits of its mantissa, so that a quantile is within 0.2 % of a
 * value of that rank; zero is counted exactly. Memory: an entry for each such bucket that occurs, 256 for each
 * doubling. Only the bits of doubles are used, which are the same everywhere.
 */
import { assert } from '../../core/index.ts'

/** Weights by bucket. */
export type Sketch = Map<number, number>

const double = new Float64Array(1)
const halves = new Int32Array(double.buffer)
/** Number of bits of the high half that a bucket ignores. */
const DROPPED_BITS = 12
/** Half the range of these bits. */
const MIDDLE = 1 << (DROPPED_BITS - 1)
const ZERO = -1

/** Adds a value of zero or more with a weight of zero or more. */
export function addToSketch(sketch: Sketch, value: number, weight: number): void {
  assert(value >= 0 && weight >= 0, 'a sketch counts only values of at least zero')
  if (weight === 0) return
  const bucket = bucketOf(value)
  sketch.set(bucket, (sketch.get(bucket) ?? 0) + weight)
}

/** The value that a share of the weight (0 to 1) does not exceed; null for an empty sketch. */
export function quantileOf(sketch: Sketch, share: number): number | null {
  const buckets = [...sketch].toSorted(([left], [right]) => left - right)
  const whole = buckets.reduce((sum, [, weight]) => sum + weight, 0)
  let sum = 0
  for (const [bucket, weight] of buckets) {
    sum += weight
    if (sum >= whole * share) return middleOf(bucket)
  }
  return null
}

function bucketOf(value: number): number {
  if (value === 0) return ZERO
  double[0] = value
  return (halves[1] as number) >> DROPPED_BITS
}

function middleOf(bucket: number): number {
  if (bucket === ZERO) return 0
  halves[0] = 0
  halves[1] = (bucket << DROPPED_BITS) | MIDDLE
  return double[0] as number
}
