/**
 * Funding compared with plain fractions: the literal formula of the rate, the accumulator in its unit, and the payments
 * of the two sides of a position.
 */
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { micros } from '../../src/core/index.ts'
import { fundingExcess, fundingIncrement, fundingOf, fundingRate8 } from '../../src/pricing/index.ts'
import { type Fraction, fraction, minus, over, plus, roundedBig, roundedTo, sign, times } from '../support/fraction.ts'

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

const NANO = 1_000_000_000
const payoff = fc.constantFrom('inverse' as const, 'linear' as const)
const price = fc.oneof(
  fc.integer({ min: 1, max: 1_000 }),
  fc.integer({ min: 1, max: 3 * NANO }),
  fc.integer({ min: 59_000 * NANO, max: 61_000 * NANO }),
)
const rate8 = fc.integer({ min: -5_000_000, max: 5_000_000 })
const elapsed = fc.oneof(fc.nat(1_000), fc.nat(28_800_000_000), fc.nat(40 * 86_400_000_000))

function greater(a: Fraction, b: Fraction): Fraction {
  return sign(minus(a, b)) > 0 ? a : b
}

function lesser(a: Fraction, b: Fraction): Fraction {
  return sign(minus(a, b)) < 0 ? a : b
}

test('a rate is clamp(max(d, p) + min(-d, p)), rounded once', () => {
  const damper = fc.constantFrom(0, 25_000, 50_000, 100_000_000)
  const cap = fc.constantFrom(0, 500_000, 5_000_000, 100_000_000)
  const near = fc.tuple(price, fc.integer({ min: -20_000, max: 20_000 })).map(([at, off]) => ({
    index9: at,
    mark9: Math.max(1, at + Math.round((at / 1e6) * off)),
  }))
  const pair = fc.oneof(near, fc.record({ index9: price, mark9: price }))
  fc.assert(
    fc.property(pair, damper, cap, ({ index9, mark9 }, damper8, cap8) => {
      const p = fraction(mark9 - index9, index9)
      const d = fraction(damper8, 100_000_000)
      const minusD = fraction(-damper8, 100_000_000)
      const c = fraction(cap8, 100_000_000)
      const free = plus(greater(d, p), lesser(minusD, p))
      const expected = greater(fraction(-cap8, 100_000_000), lesser(c, free))
      const terms = { dampers: [{ from: micros(0), rate8: damper8 }], cap8 }
      const found = rateAt({ mark9, index9, terms, time: micros(5) })
      expect(found).toBe(roundedTo(expected, 100_000_000) + 0)
    }),
    { numRuns: 1000 },
  )
})

test('the accumulator gains rate times time over 8 hours, per coin or over the index', () => {
  fc.assert(
    fc.property(payoff, rate8, elapsed, price, (kind, rate, micro, index9) => {
      const index = fraction(index9, NANO)
      const share = times(fraction(rate, 100_000_000), fraction(micro, 28_800_000_000))
      const gain = kind === 'inverse' ? over(share, index) : times(share, index)
      const unit = fraction(10n ** (kind === 'inverse' ? 24n : 18n))
      const found = gainOf({ payoff: kind, rate8: rate, elapsed: micro, index9 })
      expect(found).toBe(roundedBig(times(gain, unit)))
    }),
    { numRuns: 500 },
  )
})

test('a position receives the payment of its opposite, in the unit of its size', () => {
  const accumulator = fc.bigInt({ min: -(10n ** 22n), max: 10n ** 22n })
  const lots = fc.integer({ min: -1_000_000_000, max: 1_000_000_000 })
  const step = fc.constantFrom(NANO, 10 * NANO, 1_000_000, 1)
  fc.assert(
    fc.property(payoff, lots, step, accumulator, accumulator, (kind, size, step9, from, to) => {
      const holding = { payoff: kind, amountStep9: step9, from, to }
      const found = fundingOf(holding.payoff, size, holding.amountStep9, holding.from, holding.to)
      const amount = times(fraction(size), fraction(step9, NANO))
      const moved = fraction(to - from, 10n ** (kind === 'inverse' ? 24n : 18n))
      expect(found).toBe(-roundedBig(times(times(amount, moved), fraction(NANO))))
      expect(fundingOf(holding.payoff, -size, holding.amountStep9, holding.from, holding.to)).toBe(-found)
    }),
    { numRuns: 500 },
  )
})
