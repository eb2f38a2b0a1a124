/**
 * Statistics of series of doubles: sums, moments, percentiles and straight lines.
 *
 * Only + - * / and the square root are used, in a fixed order, so that every machine gives the same bits. Sums are
 * compensated (Neumaier's form of Kahan's sum); moments are taken about the mean in a second pass.
 *
 * Source: notes/metrics.md; the forms of skew and kurtosis are those of pandas, percentiles those of NumPy (`linear`).
 */
import { assert, defined } from '../../core/index.ts'

/** A value over a length of time, in periods. */
export interface Weighed {
  readonly value: number
  readonly length: number
}

/**
 * Mean and central moments of a series: `m2`, `m3` and `m4` are sums of powers of `z`, the differences from the mean.
 *
 * A value v over a length t is the sum of t periods: its expectation is t times that of one period, and so is its
 * variance. So the mean of a period is `sum(v) / sum(t)`, and `z = (v - mean t) / sqrt(t)` has the variance of one
 * period. Both are the estimators of generalized least squares, and of maximum likelihood if v is normal; if all
 * lengths are 1 they are the ordinary ones.
 *
 * Source: Campbell, Lo and MacKinlay, The Econometrics of Financial Markets, 9.3.2 (irregularly sampled data).
 */
export interface Moments {
  readonly n: number
  /** The mean of one period. */
  readonly mean: number
  readonly z: readonly number[]
  readonly m2: number
  readonly m3: number
  readonly m4: number
}

/** The sum of a series, compensated for rounding. */
export function sumOf(values: readonly number[]): number {
  return sumBy(values, (value) => value)
}

/** The sum of `of` over all values and their indices, compensated for rounding. */
export function sumBy(values: readonly number[], of: (value: number, index: number) => number): number {
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
  assert(values.length > 0, 'a mean needs at least one value')
  return sumOf(values) / values.length
}

/** Mean and central moments of values with equal weight. */
export function momentsOf(values: readonly number[]): Moments {
  return weighedMomentsOf(values.map((value) => ({ value, length: 1 })))
}

/** Mean and central moments of a series that is not empty and covers some time. */
export function weighedMomentsOf(series: readonly Weighed[]): Moments {
  const mean = weighedMeanOf(series)
  const z = series.map(({ value, length }) => (value - mean * length) / Math.sqrt(length))
  const power = (of: (difference: number) => number): number => sumBy(z, of)
  return {
    n: series.length,
    mean,
    z,
    m2: power((d) => d * d),
    m3: power((d) => d * d * d),
    m4: power((d) => d * d * (d * d)),
  }
}

/** The mean of one period. */
export function weighedMeanOf(series: readonly Weighed[]): number {
  const length = sumOf(series.map((one) => one.length))
  assert(length > 0, 'a mean over time needs a duration above zero')
  return sumOf(series.map(({ value }) => value)) / length
}

/** Standard deviation of a sample (divided by n - 1) of at least two values. */
export function deviationOf({ n, m2 }: Moments): number {
  assert(n > 1, 'a standard deviation needs at least two values')
  return Math.sqrt(m2 / (n - 1))
}

/** Bias-corrected skew of a sample of at least three values that differ. */
export function skewOf({ n, m2, m3 }: Moments): number {
  assert(n > 2 && m2 > 0, 'a skew needs three different values')
  const biased = (m3 / n / (m2 / n)) * (1 / Math.sqrt(m2 / n))
  return (Math.sqrt(n * (n - 1)) / (n - 2)) * biased
}

/** Bias-corrected excess kurtosis of a sample of at least four values that differ; 0 is the normal distribution's. */
export function excessKurtosisOf({ n, m2, m4 }: Moments): number {
  assert(n > 3 && m2 > 0, 'a kurtosis needs four different values')
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
  assert(rising.length > 0 && share >= 0 && share <= 1, 'a percentile is inside the range of values')
  const place = (rising.length - 1) * share
  const below = Math.floor(place)
  const low = defined(rising[below], 'the index is inside the range of values')
  const high = rising[below + 1] ?? low
  return low + (high - low) * (place - below)
}

/** Correlation of each value with the next one, from the differences from the mean; null if the values do not vary. */
export function lagOneOf({ n, z, m2 }: Moments): number | null {
  if (n < 2 || m2 === 0) return null
  return sumBy(z.slice(1), (value, at) => value * (z[at] ?? 0)) / m2
}

/** A straight line through points, by least squares. */
export interface Line {
  readonly slope: number
  readonly intercept: number
  /** Correlation of both coordinates, from -1 to 1; 0 if `y` does not vary. */
  readonly correlation: number
}

/** The line of `y` over `x`, with the same lengths; null if `x` does not vary. The intercept is for one period. */
export function lineOf(x: Moments, y: Moments): Line | null {
  assert(x.n === y.n, 'each point has two coordinates')
  if (x.m2 === 0) return null
  const products = sumBy(x.z, (value, at) => value * (y.z[at] ?? 0))
  const slope = products / x.m2
  const correlation = y.m2 === 0 ? 0 : correlationFrom(products / Math.sqrt(x.m2) / Math.sqrt(y.m2))
  return { slope, intercept: y.mean - slope * x.mean, correlation }
}

/** A correlation from a quotient of sums, limited to -1 to 1 because of their rounding. */
export function correlationFrom(quotient: number): number {
  return Math.max(-1, Math.min(1, quotient))
}
