/** Plain fractions of bigints: the oracle of formulas with a single rounding. */

/** n / d with d above 0, not reduced. */
export interface Fraction {
  readonly n: bigint
  readonly d: bigint
}

/** n / d of integers, d above 0. */
export function fraction(n: number | bigint, d: number | bigint = 1): Fraction {
  return { n: BigInt(n), d: BigInt(d) }
}

export function plus(a: Fraction, b: Fraction): Fraction {
  return { n: a.n * b.d + b.n * a.d, d: a.d * b.d }
}

export function minus(a: Fraction, b: Fraction): Fraction {
  return { n: a.n * b.d - b.n * a.d, d: a.d * b.d }
}

export function times(a: Fraction, b: Fraction): Fraction {
  return { n: a.n * b.n, d: a.d * b.d }
}

/** a / b, b not 0. */
export function over(a: Fraction, b: Fraction): Fraction {
  const n = a.n * b.d
  const d = a.d * b.n
  return d < 0n ? { n: -n, d: -d } : { n, d }
}

export function sign(a: Fraction): -1 | 0 | 1 {
  if (a.n === 0n) return 0
  return a.n > 0n ? 1 : -1
}

/** The nearest count of 1 / `scale`, halves away from zero. */
export function roundedTo(a: Fraction, scale: number): number {
  return Number(roundedBig(times(a, fraction(scale))))
}

/** The nearest integer, halves away from zero. */
export function roundedBig({ n, d }: Fraction): bigint {
  const size = n < 0n ? -n : n
  const down = size / d
  const rounded = (size - down * d) * 2n >= d ? down + 1n : down
  return n < 0n ? -rounded : rounded
}
