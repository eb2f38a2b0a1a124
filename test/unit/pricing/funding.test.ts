/**
 * Funding at the edges: premiums beyond every cap, no time, no position, halves.
 */
import { expect, test } from 'vitest'
import { AssertionFailure, micros } from '../../../src/core/index.ts'
import {
  fundingExcess,
  fundingIncrement,
  fundingIncrementNear,
  fundingOf,
  fundingRate8,
} from '../../../src/pricing/index.ts'

/** The published rate at a mark and an index. */
function rateAt(at: Parameters<typeof fundingExcess>[0]): number {
  return fundingRate8(fundingExcess(at), at.index9)
}

/** The growth of the accumulator at a rate in 1e-8. */
function gainOf(of: Omit<Parameters<typeof fundingIncrement>[0], 'excess'> & { readonly rate8: number }): bigint {
  const { rate8, payoff, elapsed, index9 } = of
  const excess = BigInt(rate8) * BigInt(index9)
  return fundingIncrement({ payoff, elapsed, index9, excess })
}

const free = { dampers: [{ from: micros(0), rate8: 0 }], cap8: 100_000_000 }
const time = micros(0)

test('a premium of hundreds of times the index is capped like any other', () => {
  const mark9 = Number.MAX_SAFE_INTEGER
  expect(rateAt({ mark9, index9: 1, terms: free, time })).toBe(100_000_000)
  expect(rateAt({ mark9: 3, index9: 1, terms: free, time })).toBe(100_000_000)
  expect(rateAt({ mark9: 1, index9: mark9, terms: free, time })).toBe(-100_000_000)
})

test('a premium between one and two times the index can be below the cap', () => {
  const terms = { dampers: [{ from: micros(0), rate8: 100_000_000 }], cap8: 100_000_000 }
  expect(rateAt({ mark9: 250, index9: 100, terms, time })).toBe(50_000_000)
  expect(rateAt({ mark9: 301, index9: 100, terms, time })).toBe(100_000_000)
})

test('a rate is rounded half away from zero', () => {
  const index9 = 200_000_000
  expect(rateAt({ mark9: index9 + 1, index9, terms: free, time })).toBe(1)
  expect(rateAt({ mark9: index9 - 1, index9, terms: free, time })).toBe(-1)
  expect(rateAt({ mark9: index9, index9, terms: free, time })).toBe(0)
})

test('a rate of no premium is 0 and not -0', () => {
  const terms = { ...free, dampers: [{ from: micros(0), rate8: 1_000 }] }
  expect(Object.is(rateAt({ mark9: 999_999, index9: 1_000_000, terms, time }), 0)).toBe(true)
})

test('a premium within the damper has no rate, to the last unit', () => {
  for (const index9 of [3, 999_983, 60_000_000_000_003, 8_000_000_000_000_000]) {
    for (const rate8 of [1, 33, 50_000, 9_999_999]) {
      const terms = { dampers: [{ from: micros(0), rate8 }], cap8: 100_000_000 }
      // The largest premium that the damper leaves without a rate.
      const within = Number((BigInt(rate8) * BigInt(index9)) / 100_000_000n)
      const off = Math.ceil(within * 1e-6)
      for (const premium of [within - 2 * off, within - off, within - 1, within, within + 1]) {
        if (premium < 0) continue
        const exact = BigInt(premium) * 100_000_000n - BigInt(rate8) * BigInt(index9)
        const excess = fundingExcess({ mark9: index9 + premium, index9, terms, time })
        expect(excess).toBe(exact > 0n ? exact : 0n)
      }
    }
  }
})

test('nothing accrues in no time or at no rate', () => {
  const span = { payoff: 'inverse', rate8: 1, elapsed: 1, index9: 1 } as const
  expect(gainOf({ ...span, elapsed: 0 })).toBe(0n)
  expect(gainOf({ ...span, rate8: 0 })).toBe(0n)
  expect(() => gainOf({ ...span, elapsed: -1 })).toThrow(AssertionFailure)
  expect(() => gainOf({ ...span, index9: 0 })).toThrow(AssertionFailure)
})

test('the accumulator is rounded half away from zero', () => {
  // 1e-8 for 3600 us of 8 h at 4 units of 1e-9: 36e3 / 288e8 * 4 = 5e-6, so 144 us give 0.2 and 360 us 0.5.
  const span = { payoff: 'linear', index9: 4, rate8: 1 } as const
  expect(gainOf({ ...span, elapsed: 359_999_999 })).toBe(0n)
  expect(gainOf({ ...span, elapsed: 360_000_000 })).toBe(1n)
  expect(gainOf({ ...span, rate8: -1, elapsed: 360_000_000 })).toBe(-1n)
})

test('without a position there is no funding, and both sides of a half are rounded alike', () => {
  const half = { payoff: 'linear', amountStep9: 1, from: 0n, to: 500_000_000_000_000_000n } as const
  expect(fundingOf(half.payoff, 0, half.amountStep9, half.from, half.to)).toBe(0n)
  expect(fundingOf(half.payoff, 1, half.amountStep9, half.from, half.to)).toBe(-1n)
  expect(fundingOf(half.payoff, -1, half.amountStep9, half.from, half.to)).toBe(1n)
  expect(fundingOf(half.payoff, 7, half.amountStep9, half.to, half.to)).toBe(0n)
})

test.each(['inverse', 'linear'] as const)(
  'funding-estimate: an increment of %s funding in doubles is close to the exact one',
  (payoff) => {
    for (const index9 of [1_000_000, 50_000_000_000_000]) {
      for (const elapsed of [1_000_000, 28_800_000_000]) {
        for (const rate8 of [750_000, -750_000]) {
          const span = { payoff, elapsed, index9, excess: BigInt(rate8) * BigInt(index9) }
          const exact = Number(fundingIncrement(span))
          // The exact one is rounded to a unit.
          const most = 0.5 + 1e-14 * Math.abs(exact)
          expect(Math.abs(fundingIncrementNear(span) - exact)).toBeLessThanOrEqual(most)
        }
      }
    }
  },
)
