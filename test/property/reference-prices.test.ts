/**
 * Impact prices, fair prices, marks and premiums compared with plain fractions, on small numbers with every tie and on
 * numbers like those of real books.
 */
import fc from 'fast-check'
import { expect, test } from 'vitest'
import {
  clampedPrice9,
  deliveryMarkOf,
  fairPrice,
  impactPrice,
  indexOfConstituents,
  indexStep9,
  markOf,
  markStep9,
  nextPremium,
  type PriceLevel,
} from '../../src/pricing/index.ts'
import { type Fraction, fraction, minus, over, plus, roundedTo, sign, times } from '../support/fraction.ts'

const NANO = 1_000_000_000
const payoff = fc.constantFrom('inverse' as const, 'linear' as const)

/** Few divisors and small sizes, or a market of 1e5 USD with sizes to the last digit. */
const small = { price: fc.integer({ min: 1, max: 12 }), amount: fc.integer({ min: 1, max: 24 }) }
const real = {
  price: fc.integer({ min: 99_000 * NANO, max: 101_000 * NANO }),
  amount: fc.integer({ min: 1, max: 200_000 * NANO }),
}

function sideOf(unit: typeof small): fc.Arbitrary<readonly PriceLevel[]> {
  return fc.array(fc.record({ price9: unit.price, amount9: unit.amount }), {
    ...{ minLength: 1, maxLength: 12 },
  })
}

/** Takes level by level in fractions, from each level at most the remaining size. */
function plainImpact(kind: 'inverse' | 'linear', side: readonly PriceLevel[], size: Fraction): Fraction {
  let quote = fraction(0)
  let coin = fraction(0)
  for (const { price9, amount9 } of side) {
    const price = fraction(price9, NANO)
    const amount = fraction(amount9, NANO)
    const levelCoin = kind === 'inverse' ? over(amount, price) : amount
    const levelQuote = kind === 'inverse' ? amount : times(amount, price)
    const rest = minus(size, kind === 'inverse' ? coin : quote)
    const whole = kind === 'inverse' ? levelCoin : levelQuote
    const part = sign(minus(whole, rest)) > 0 ? over(rest, whole) : fraction(1)
    quote = plus(quote, times(levelQuote, part))
    coin = plus(coin, times(levelCoin, part))
    if (sign(minus(rest, times(whole, part))) === 0) break
  }
  return over(quote, coin)
}

test.each([
  ['small numbers', sideOf(small), fc.integer({ min: 1, max: 8 * NANO })],
  ['small numbers, whole sizes', sideOf(small), fc.integer({ min: 1, max: 8 }).map((n) => n * NANO)],
  ['real numbers', sideOf(real), fc.integer({ min: 1, max: 10 * NANO })],
])('an impact price is the rounded fraction: %s', (_title, sides, sizes) => {
  fc.assert(
    fc.property(payoff, sides, sizes, (kind, side, impact9) => {
      const expected = roundedTo(plainImpact(kind, side, fraction(impact9, NANO)), NANO)
      expect(impactPrice({ payoff: kind, levels: side, impact9 })).toBe(expected)
    }),
    { numRuns: 400 },
  )
})

test('a fair price is the rounded fraction', () => {
  const prices = fc.oneof(fc.integer({ min: 1, max: 5_000 }), real.price)
  const side = fc.option(fc.record({ best9: prices, impact9: prices }))
  const fallback = fc.oneof(prices, fc.integer({ min: -5_000, max: 5_000 }))
  fc.assert(
    fc.property(side, side, fallback, (bid, ask, fallback9) => {
      const impact = (from: { best9: number; impact9: number }, way: 1 | -1): Fraction => {
        const bound = fraction(from.best9)
        const most = times(bound, fraction(1000 + way, 1000))
        const price = fraction(from.impact9)
        return sign(minus(price, most)) === way ? most : price
      }
      const low = bid === null ? fraction(fallback9) : impact(bid, -1)
      const high = ask === null ? fraction(fallback9) : impact(ask, 1)
      const expected = roundedTo(over(plus(low, high), fraction(2)), 1)
      expect(fairPrice(bid, ask, fallback9)).toBe(expected)
    }),
    { numRuns: 500 },
  )
})

const index = fc.oneof(
  fc.integer({ min: 1, max: 100_000 }),
  fc.integer({ min: 1, max: 3 * NANO }),
  fc.integer({ min: 999 * NANO, max: 1001 * NANO }),
  real.price,
)
const premium = fc.oneof(fc.integer({ min: -1_000, max: 1_000 }), fc.integer({ min: -700 * NANO, max: 700 * NANO }))
const tick = fc.constantFrom(1, 10, 250, 1_000, 2_500_000, 500_000_000)
const clamp = fc.constantFrom(0, 5_000, 5_001, 100_000, 1_000_000)

/** Index plus premium between both bounds. */
function plainClamped(index9: number, ema9: number, clampPpm: number): Fraction {
  const bound = fraction(index9)
  const low = times(bound, fraction(1_000_000 - clampPpm, 1_000_000))
  const high = times(bound, fraction(1_000_000 + clampPpm, 1_000_000))
  const price = fraction(index9 + ema9)
  if (sign(minus(price, low)) < 0) return low
  return sign(minus(price, high)) > 0 ? high : price
}

/** Rounds a price to a mark. */
function plainMark(kind: 'inverse' | 'linear', tick9: number, price: Fraction): number {
  const step9 = markStep9({ payoff: kind, tick9 }, Number(price.n / price.d))
  return Math.max(step9, roundedTo(over(price, fraction(step9)), 1) * step9)
}

test('a mark is the rounded fraction', () => {
  fc.assert(
    fc.property(payoff, tick, index, premium, clamp, (kind, tick9, index9, ema9, clampPpm) => {
      const price = plainClamped(index9, ema9, clampPpm)
      const terms = { index9, ema9, clampPpm }
      expect(clampedPrice9(terms)).toBe(roundedTo(price, 1))
      expect(markOf({ ...terms, payoff: kind, tick9 })).toBe(plainMark(kind, tick9, price))
    }),
    { numRuns: 1000 },
  )
})

test('the mark of an expiring future is the rounded fraction, between mean and mark', () => {
  const elapsed = fc.integer({ min: 0, max: 1_800_000_000 })
  fc.assert(
    fc.property(payoff, tick, index, index, elapsed, (kind, tick9, mean9, mark9, micro) => {
      const weight = fraction(micro, 1_800_000_000)
      const rest = minus(fraction(1), weight)
      const price = plus(times(weight, fraction(mean9)), times(rest, fraction(mark9)))
      const found = deliveryMarkOf({ mean9, mark9, elapsed: micro, payoff: kind, tick9 })
      expect(found).toBe(plainMark(kind, tick9, price))
    }),
    { numRuns: 500 },
  )
})

test('a premium moves by the rounded fraction, never past its target, and stops there', () => {
  fc.assert(
    fc.property(premium, premium, (from, to) => {
      let ema = from
      let seconds = 0
      for (;;) {
        const next = nextPremium(ema, to)
        const expected = plus(fraction(ema), times(fraction(2, 31), fraction(to - ema)))
        // Rounding the change is the same as rounding the sum.
        const moved = roundedTo(minus(expected, fraction(ema)), 1)
        expect(next).toBe(ema + moved)
        expect(Math.abs(to - next)).toBeLessThanOrEqual(Math.abs(to - ema))
        expect(Math.sign(to - next) * Math.sign(to - ema)).toBeGreaterThanOrEqual(0)
        if (next === ema) break
        ema = next
        seconds += 1
      }
      expect(Math.abs(to - ema)).toBeLessThanOrEqual(7)
      expect(seconds).toBeLessThanOrEqual(400)
    }),
    { numRuns: 60 },
  )
})

test('an index is the rounded fraction', () => {
  const list = fc.array(fc.record({ price9: index, weight9: fc.integer({ min: 1, max: 1_000 }) }), {
    minLength: 1,
    maxLength: 7,
  })
  fc.assert(
    fc.property(list, fc.constantFrom('btc_usd', 'sol_usdc'), fc.array(tick), (constituents, name, ticks) => {
      const sorted = constituents.map(({ price9 }) => price9).toSorted((a, b) => a - b)
      const middle = (at: number): Fraction => fraction(sorted[at] ?? 0)
      const last = sorted.length - 1
      const median = over(plus(middle(last >> 1), middle((last + 1) >> 1)), fraction(2))
      let sum = fraction(0)
      let weights = 0
      for (const { price9, weight9 } of constituents) {
        const low = times(median, fraction(995, 1000))
        const high = times(median, fraction(1005, 1000))
        let price = fraction(price9)
        if (sign(minus(price, low)) < 0) price = low
        if (sign(minus(price, high)) > 0) price = high
        sum = plus(sum, times(price, fraction(weight9)))
        weights += weight9
      }
      const mean = over(sum, fraction(weights))
      const step9 = indexStep9(name, Number(mean.n / mean.d), ticks)
      const expected = roundedTo(over(mean, fraction(step9)), 1) * step9
      expect(indexOfConstituents(constituents, name, ticks)).toBe(expected)
    }),
    { numRuns: 400 },
  )
})
