/** Integer arithmetic compared with bigint, over difficult ranges: near 2^53, near 2^50, halves. */
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { AssertionFailure } from '../../../src/core/assert.ts'
import {
  divCeil,
  divCeilBig,
  divFloor,
  divFloorBig,
  divHalfAwayBig,
  divNearest,
  divTruncBig,
  modFloor,
  mulDivFloor,
  mulDivHalfAway,
  mulSub,
  powerOfTen,
  powerOfTenBig,
  safeNumber,
} from '../../../src/core/integer.ts'
import { askedRuns } from '../../support/property-runs.ts'

const MAX = Number.MAX_SAFE_INTEGER
const TWO_50 = 2 ** 50
const runs = { numRuns: askedRuns(5000, 1, 1000) }

/** Non-negative safe integers: any, small, near a power of two, near a power of ten. */
const natural = fc.oneof(
  fc.maxSafeNat(),
  fc.integer({ min: 0, max: 1000 }),
  fc
    .tuple(fc.integer({ min: 0, max: 53 }), fc.integer({ min: -3, max: 3 }))
    .map(([power, off]) => Math.min(MAX, Math.max(0, 2 ** power + off))),
  fc
    .tuple(fc.integer({ min: 0, max: 15 }), fc.integer({ min: -2, max: 2 }))
    .map(([power, off]) => Math.max(0, powerOfTen(power) + off)),
)
const positive = natural.map((value) => Math.max(1, value))
const signed = fc.tuple(natural, fc.boolean()).map(([value, minus]) => (minus ? 0 - value : value))

/** a, b and d whose quotient is a safe integer, often next to a whole or a half. */
const product = fc
  .tuple(natural, natural, positive, fc.constantFrom('any', 'whole', 'half'), natural)
  .map(([a, b, d, sort, offset]) => {
    if (sort === 'any') return { a, b, d }
    // The a nearest to a whole or half multiple of d / b.
    const target = BigInt(offset % 1_000_003) * 2n + (sort === 'half' ? 1n : 0n)
    const near = divFloorBig(target * BigInt(d), 2n * BigInt(Math.max(1, b)))
    return { a: near > BigInt(MAX) ? a : Number(near), b, d }
  })
  .filter(({ a, b, d }) => (BigInt(a) * BigInt(b)) / BigInt(d) < BigInt(MAX))

describe('division of safe integers', () => {
  test('floor, trunc, ceil, half away and modulo agree with bigint', () => {
    fc.assert(
      fc.property(signed, positive, (a, b) => {
        const [n, d] = [BigInt(a), BigInt(b)]
        expect(divFloor(a, b)).toBe(Number(divFloorBig(n, d)))
        expect(divCeil(a, b)).toBe(Number(divCeilBig(n, d)))
        expect(modFloor(a, b)).toBe(Number(n - divFloorBig(n, d) * d))
      }),
      runs,
    )
  })

  test('known values: halves go away from zero, floors toward minus infinity', () => {
    const halves = [5, -5].map((value) => mulDivHalfAway(value, 1, 2))
    const thirds = [4, -4].map((value) => mulDivHalfAway(value, 1, 3))
    expect([...halves, ...thirds]).toEqual([3, -3, 1, -1])
    expect([divFloor(-1, 3), divCeil(-1, 3), modFloor(-1, 3)]).toEqual([-1, 0, 2])
    expect(divFloor(MAX, 1)).toBe(MAX)
    expect(mulDivHalfAway(MAX, 1, 2)).toBe(2 ** 52)
  })

  test('zero is never negative', () => {
    const zeros = [divFloor(0, 3), divCeil(-1, 3)]
    for (const zero of [...zeros, modFloor(-3, 3), mulDivHalfAway(-1, 1, 3)]) {
      expect(Object.is(zero, 0)).toBe(true)
    }
  })
})

describe('division of bigints', () => {
  test('floor, trunc, ceil and half away bracket the quotient', () => {
    const wide = fc.bigInt({ min: -(10n ** 40n), max: 10n ** 40n })
    fc.assert(
      fc.property(wide, fc.bigInt({ min: 1n, max: 10n ** 30n }), (n, d) => {
        const floor = divFloorBig(n, d)
        expect(floor * d <= n && n < (floor + 1n) * d).toBe(true)
        expect(divCeilBig(n, d)).toBe(floor * d === n ? floor : floor + 1n)
        expect(divTruncBig(n, d)).toBe(n < 0n ? divCeilBig(n, d) : floor)
        const rounded = divHalfAwayBig(n, d)
        const distance = (rounded * d - n) * 2n
        expect(distance <= d && distance >= -d).toBe(true)
        expect(divHalfAwayBig(-n, d)).toBe(-rounded)
      }),
      runs,
    )
  })

  test('halves', () => {
    expect([divHalfAwayBig(5n, 2n), divHalfAwayBig(-5n, 2n), divHalfAwayBig(7n, 14n)]).toEqual([...[3n, -3n, 1n]])
    expect(() => divHalfAwayBig(1n, 0n)).toThrow(AssertionFailure)
  })
})

describe('multiply, then divide', () => {
  test('mulDivFloor agrees with bigint', () => {
    fc.assert(
      fc.property(product, ({ a, b, d }) => {
        expect(mulDivFloor(a, b, d)).toBe(Number((BigInt(a) * BigInt(b)) / BigInt(d)))
      }),
      runs,
    )
  })

  test('mulDivHalfAway agrees with bigint, for both signs', () => {
    fc.assert(
      fc.property(product, ({ a, b, d }) => {
        const expected = Number(divHalfAwayBig(BigInt(a) * BigInt(b), BigInt(d)))
        expect(mulDivHalfAway(a, b, d)).toBe(expected)
        expect(mulDivHalfAway(0 - a, b, d)).toBe(0 - expected)
      }),
      runs,
    )
  })

  test('divisors around and beyond 2^50', () => {
    const near = fc.integer({ min: -1000, max: 1000 }).map((off) => TWO_50 + off)
    const beyond = fc.integer({ min: TWO_50, max: MAX })
    const ratio = fc.double({ min: 0, max: 1, noNaN: true })
    fc.assert(
      fc.property(fc.oneof(near, beyond), natural, ratio, (d, b, part) => {
        const a = Math.floor(d * part)
        const exact = BigInt(a) * BigInt(b)
        expect(mulDivFloor(a, b, d)).toBe(Number(exact / BigInt(d)))
        expect(mulDivHalfAway(a, b, d)).toBe(Number(divHalfAwayBig(exact, BigInt(d))))
      }),
      runs,
    )
  })

  test('exact halves of large products', () => {
    const even = fc.integer({ min: 1, max: 2 ** 25 }).map((half) => half * 2)
    fc.assert(
      fc.property(even, fc.integer({ min: 1, max: 2 ** 26 }), (d, odd) => {
        // a * b / d = whole + 1/2 with a * b above 2^53.
        const a = (odd * 2 + 1) * (d / 2)
        for (const b of [1, 3, 99_999_999]) {
          const exact = BigInt(a) * BigInt(b)
          if (exact / BigInt(d) > BigInt(MAX)) continue
          expect(mulDivHalfAway(a, b, d)).toBe(Number(divHalfAwayBig(exact, BigInt(d))))
          expect(mulDivFloor(a, b, d)).toBe(Number(exact / BigInt(d)))
        }
      }),
      runs,
    )
  })

  test('the greatest quotient is still right, one more fails an assertion', () => {
    for (const d of [1, 2, 3, 7, 1_000_003, TWO_50 - 1, TWO_50, MAX]) {
      expect(mulDivFloor(MAX, d, d)).toBe(MAX)
      expect(mulDivFloor(d, MAX, d)).toBe(MAX)
      if (d > 1) expect(mulDivFloor(MAX - 1, d, d)).toBe(MAX - 1)
    }
    expect(() => mulDivFloor(MAX, 3, 2)).toThrow(AssertionFailure)
    expect(() => mulDivFloor(MAX, MAX, TWO_50)).toThrow(AssertionFailure)
  })

  test('mulSub is exact where its result is safe', () => {
    fc.assert(
      fc.property(product, fc.integer({ min: -2, max: 2 }), ({ a, b, d }, off) => {
        const q = Math.max(0, Number((BigInt(a) * BigInt(b)) / BigInt(d)) + off)
        const exact = BigInt(a) * BigInt(b) - BigInt(q) * BigInt(d)
        fc.pre(q <= MAX && exact <= BigInt(MAX) && exact >= -BigInt(MAX))
        expect(mulSub(a, b, q, d)).toBe(Number(exact))
      }),
      runs,
    )
  })
})

describe('small matters', () => {
  test('safeNumber refuses an inexact value', () => {
    expect(safeNumber(BigInt(MAX))).toBe(MAX)
    expect(safeNumber(-BigInt(MAX))).toBe(-MAX)
    for (const value of [2n ** 53n, -(2n ** 53n), 10n ** 30n]) {
      expect(() => safeNumber(value)).toThrow(AssertionFailure)
    }
  })

  test('powers of ten', () => {
    for (let exponent = 0; exponent <= 15; exponent += 1) {
      expect(BigInt(powerOfTen(exponent))).toBe(10n ** BigInt(exponent))
      expect(powerOfTenBig(exponent)).toBe(10n ** BigInt(exponent))
    }
    expect(powerOfTenBig(40)).toBe(10n ** 40n)
    expect(() => powerOfTen(16)).toThrow(AssertionFailure)
    expect(() => powerOfTen(-1)).toThrow(AssertionFailure)
    expect(divNearest(1, 4)).toBe(0.25)
  })
})
