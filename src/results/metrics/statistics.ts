/**
 * Statistics of series of doubles: sums, moments, percentiles and straight lines.
 *
 * Only + - * / and the square root are used, in a fixed order, so that every machine gives the same bits. Sums are
 * compensated (Neumaier's form of Kahan's sum); moments are taken about the mean in a second pass.
 *
 * Source: notes/metrics.md; the forms of skew and kurtosis are those of pandas, percentiles those of NumPy (`linear`).
 */
import { assert, defined } from '../../core/index.ts'

/** Mean and central moments of a series: `m2`, `m3` and `m4` are sums of powers of the differences from the mean. */
export interface Moments {
  readonly n: number
  readonly mean: number
  readonly m2: number
  readonly m3: number
  readonly m4: number
}

/** The sum of a series, compensated for rounding. */
export function sumOf(values: readonly number[]): number {
  return sumBy(values, (value) => value)
}

/** The sum of what `of` makes of each value and its place, compensated for rounding. */
export function sumBy(
  values: readonly number[],
  of: (value: number, index: number) => number,
): number {
  let sum = 0
  let lost = 0
  for (let index = 0; index < values.length; index += 1) {
    const term = of(values[index] as number, index)
    const next = sum + term
    lost += Math.abs(sum) >= Math.abs(term) ? sum - next + term : term - next + sum
    sum = next
  }
  return sum + lost
}

/** The arithmetic mean of a series that is not empty. */
export function meanOf(values: readonly number[]): number {
  assert(values.length > 0, 'a mean is that of at least one value')
  return sumOf(values) / values.length
}

/** Mean and central moments of a series that is not empty. */
export function momentsOf(values: readonly number[]): Moments {
  const mean = meanOf(values)
  const power = (of: (difference: number) => number): number =>
    sumBy(values, (value) => of(value - mean))
  return {
    n: values.length,
    mean,
    m2: power((d) => d * d),
    m3: power((d) => d * d * d),
    m4: power((d) => d * d * (d * d)),
  }
}

/** Standard deviation of a sample (divided by n - 1) of at least two values. */
export function deviationOf({ n, m2 }: Moments): number {
  assert(n > 1, 'a deviation is that of at least two values')
  return Math.sqrt(m2 / (n - 1))
}

/** Bias-corrected skew of a sample of at least three values that differ. */
export function skewOf({ n, m2, m3 }: Moments): number {
  assert(n > 2 && m2 > 0, 'a skew is that of three values that differ')
  const biased = (m3 / n / (m2 / n)) * (1 / Math.sqrt(m2 / n))
  return (Math.sqrt(n * (n - 1)) / (n - 2)) * biased
}

/** Bias-corrected excess kurtosis of a sample of at least four values that differ; 0 is the normal distribution's. */
export function excessKurtosisOf({ n, m2, m4 }: Moments): number {
  assert(n > 3 && m2 > 0, 'a kurtosis is that of four values that differ')
  const variance = m2 / (n - 1)
  const fourth = m4 / (variance * variance)
  const scale = (n * (n + 1)) / ((n - 1) * (n - 2) * (n - 3))
  return scale * fourth - (3 * (n - 1) * (n - 1)) / ((n - 2) * (n - 3))
}

/** Values in rising order. */
export function sorted(values: readonly number[]): readonly number[] {
  return values.toSorted((left, right) => left - right)
}

/** The percentile (0 to 1) of values in rising order, linear between two of them. */
export function percentileOf(rising: readonly number[], share: number): number {
  assert(rising.length > 0 && share >= 0 && share <= 1, 'a percentile lies within the values')
  const place = (rising.length - 1) * share
  const below = Math.floor(place)
  const low = defined(rising[below], 'the place lies within the values')
  const high = rising[below + 1] ?? low
  return low + (high - low) * (place - below)
}

/** Correlation of each value with the one after it, over the differences from the mean; null where nothing varies. */
export function lagOneOf(values: readonly number[]): number | null {
  const { n, mean, m2 } = momentsOf(values)
  if (n < 2 || m2 === 0) return null
  const products = sumBy(
    values.slice(1),
    (value, at) => (value - mean) * ((values[at] ?? 0) - mean),
  )
  return products / m2
}

/** A straight line through points, by least squares. */
export interface Line {
  readonly slope: number
  readonly intercept: number
  /** Correlation of both coordinates; 0 where `y` does not vary. */
  readonly correlation: number
}

/** The line of `y` over `x`, of equal length; null where `x` does not vary. */
export function lineOf(x: readonly number[], y: readonly number[]): Line | null {
  assert(x.length === y.length && x.length > 0, 'each point has two coordinates')
  const [overX, overY] = [momentsOf(x), momentsOf(y)]
  if (overX.m2 === 0) return null
  const products = sumBy(x, (value, at) => (value - overX.mean) * ((y[at] ?? 0) - overY.mean))
  const slope = products / overX.m2
  const correlation = overY.m2 === 0 ? 0 : products / Math.sqrt(overX.m2) / Math.sqrt(overY.m2)
  return { slope, intercept: overY.mean - slope * overX.mean, correlation }
}
