/**
 * The average price of a basis, which orders and positions share.
 */
import { expect, test } from 'vitest'
import { averagePrice9, basisBig } from '../../../src/ledger/index.ts'

const inverse = { payoff: 'inverse', amountStep9: 10_000_000_000 } as const
const linear = { payoff: 'linear', amountStep9: 1_000_000 } as const

test('is the price of one fill, and the mean of two: harmonic for inverse contracts', () => {
  for (const terms of [inverse, linear]) {
    const basis = basisBig(terms, 3, 50_000_000_000_000)
    expect(averagePrice9(terms, { lots: 3, basis }, 1_000)).toBe(50_000_000_000_000)
  }
  const two = (terms: typeof inverse | typeof linear): bigint =>
    basisBig(terms, 1, 40_000_000_000_000) + basisBig(terms, 1, 60_000_000_000_000)
  const held = (terms: typeof inverse | typeof linear) => ({ lots: 2, basis: two(terms) })
  expect(averagePrice9(inverse, held(inverse), 1)).toBe(48_000_000_000_000)
  expect(averagePrice9(linear, held(linear), 1)).toBe(50_000_000_000_000)
})

test('is rounded to the step, half away from zero, and 0 without a size', () => {
  expect(averagePrice9(linear, { lots: 2_000, basis: 5n }, 1)).toBe(3)
  expect(averagePrice9(linear, { lots: 2_000, basis: 5n }, 10)).toBe(0)
  expect(averagePrice9(linear, { lots: 0, basis: 5n }, 1)).toBe(0)
  expect(averagePrice9(inverse, { lots: 2, basis: 0n }, 1)).toBe(0)
})
