/** Wide integers compared with bigint: every operation, both signs, carries, halves, and the limit. */
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { AssertionFailure } from '../../../src/core/assert.ts'
import { divHalfAwayBig } from '../../../src/core/integer.ts'
import {
  addToWide,
  addUnitsToWide,
  addWide,
  compareWide,
  copyWide,
  isNegativeWide,
  negateWide,
  setWide,
  setWideBigint,
  setWideProduct,
  setWideRatio,
  setWideShare,
  subtractWide,
  WIDE_BASE,
  wideToBigint,
  wideToDouble,
  wideToNano,
} from '../../../src/core/wide.ts'
import { askedRuns } from '../../support/property-runs.ts'

const MAX = Number.MAX_SAFE_INTEGER
const BASE = BigInt(WIDE_BASE)
const LIMIT = 9_000_000_000_000_000_000_000_000n
const runs = { numRuns: askedRuns(3000, 1, 600) }

/** Values of either sign: any up to the limit, or close to a multiple of the base, half or 2^53. */
const value = fc.oneof(
  fc.bigInt({ min: -LIMIT, max: LIMIT }),
  fc.bigInt({ min: -5n, max: 5n }),
  fc
    .tuple(
      fc.bigInt({ min: -1_000_000_000_000n, max: 1_000_000_000_000n }),
      fc.constantFrom(0n, BASE / 2n),
      fc.bigInt({ min: -2n, max: 2n }),
    )
    .map(([high, half, off]) => high * BASE + half + off),
  fc.bigInt({ min: -3n, max: 3n }).map((off) => 2n ** 53n + off),
  fc.bigInt({ min: -3n, max: 3n }).map((off) => -(2n ** 53n) + off),
)
const half = value.map((exact) => exact / 2n)
const safe = fc.oneof(
  fc.maxSafeInteger(),
  fc.integer({ min: -3, max: 3 }).map((off) => (off < 0 ? -MAX - off : MAX - off)),
  fc.integer({ min: -5, max: 5 }).map((off) => off * WIDE_BASE + off),
)

function wide(exact: bigint): Float64Array {
  const cells = new Float64Array(4)
  setWideBigint(cells, 2, exact)
  return cells
}

/** The value, after a check of its form: low in [0, 1e9), no negative zero. */
function read(cells: Float64Array): bigint {
  const [, , high = Number.NaN, low = Number.NaN] = cells
  expect(Number.isSafeInteger(high) && low >= 0 && low < WIDE_BASE).toBe(true)
  expect(Object.is(high, -0) || Object.is(low, -0)).toBe(false)
  expect(BigInt(high) * BASE + BigInt(low)).toBe(wideToBigint(cells, 2))
  return wideToBigint(cells, 2)
}

describe('conversion', () => {
  test('to and from bigint and safe integers', () => {
    fc.assert(
      fc.property(value, safe, (exact, number) => {
        expect(read(wide(exact))).toBe(exact)
        const cells = new Float64Array(4)
        setWide(cells, 2, number)
        expect(read(cells)).toBe(BigInt(number))
      }),
      runs,
    )
  })

  test('wideToNano rounds half away from zero', () => {
    fc.assert(
      fc.property(value, (exact) => {
        expect(BigInt(wideToNano(wide(exact), 2))).toBe(divHalfAwayBig(exact, BASE))
      }),
      runs,
    )
    for (const [exact, nano] of [
      [500_000_000n, 1],
      [499_999_999n, 0],
      [-500_000_000n, -1],
      [-499_999_999n, 0],
      [-1_500_000_000n, -2],
      [1_500_000_000n, 2],
    ] as const) {
      expect(wideToNano(wide(exact), 2)).toBe(nano)
    }
  })
})

describe('sums', () => {
  test('add, subtract, negate, copy, compare', () => {
    fc.assert(
      fc.property(half, half, (left, right) => {
        const sum = wide(left)
        addWide(sum, 2, wide(right), 2)
        expect(read(sum)).toBe(left + right)
        const difference = wide(left)
        subtractWide(difference, 2, wide(right), 2)
        expect(read(difference)).toBe(left - right)
        const negated = wide(left)
        negateWide(negated, 2)
        expect(read(negated)).toBe(-left)
        const copied = new Float64Array(4)
        copyWide(copied, 2, wide(left), 2)
        expect(read(copied)).toBe(left)
        const order = left < right ? -1 : left > right ? 1 : 0
        expect(compareWide(wide(left), 2, wide(right), 2)).toBe(order)
        expect(isNegativeWide(wide(left), 2)).toBe(left < 0n)
      }),
      runs,
    )
  })

  test('a value and itself: zero, without a negative zero', () => {
    fc.assert(
      fc.property(half, (exact) => {
        const cells = wide(exact)
        subtractWide(cells, 2, wide(exact), 2)
        expect(read(cells)).toBe(0n)
        expect([...cells.slice(2)].every((limb) => Object.is(limb, 0))).toBe(true)
      }),
    )
  })

  test('adding safe integers of any size', () => {
    fc.assert(
      fc.property(half, fc.array(safe, { maxLength: 8 }), (start, deltas) => {
        const cells = wide(start)
        let exact = start
        for (const delta of deltas) {
          addToWide(cells, 2, delta)
          exact += BigInt(delta)
          expect(read(cells)).toBe(exact)
        }
      }),
      runs,
    )
  })

  test('adding whole units', () => {
    const units = fc.integer({ min: -1_000_000_000, max: 1_000_000_000 })
    fc.assert(
      fc.property(half, units, (start, more) => {
        const cells = wide(start)
        addUnitsToWide(cells, 2, more)
        expect(read(cells)).toBe(start + BigInt(more) * BASE)
      }),
      runs,
    )
  })

  test('beyond the limit an assertion fails', () => {
    const cells = wide(BigInt(MAX) * BASE + BASE - 1n)
    expect(() => addUnitsToWide(cells, 2, 1)).toThrow(AssertionFailure)
    expect(() => addToWide(cells, 2, 1)).toThrow(AssertionFailure)
    expect(() => setWideBigint(cells, 2, 2n ** 53n * BASE)).toThrow(AssertionFailure)
  })
})

describe('products', () => {
  test('setWideProduct is exact beyond 2^53', () => {
    const small = fc.integer({ min: -999_000_000, max: 999_000_000 })
    fc.assert(
      fc.property(safe, small, (a, b) => {
        const cells = new Float64Array(4)
        setWideProduct(cells, 2, a, b)
        expect(read(cells)).toBe(BigInt(a) * BigInt(b))
      }),
      runs,
    )
  })

  test('setWideRatio: a * b * 1e9 / d, half away from zero', () => {
    const positive = fc.oneof(fc.integer({ min: 1, max: 1000 }), fc.integer({ min: 1, max: MAX }))
    fc.assert(
      fc.property(fc.maxSafeNat(), fc.maxSafeNat(), positive, (a, b, d) => {
        fc.pre((BigInt(a) * BigInt(b)) / BigInt(d) < BigInt(MAX))
        const cells = new Float64Array(4)
        setWideRatio(cells, 2, a, b, d)
        expect(read(cells)).toBe(divHalfAwayBig(BigInt(a) * BigInt(b) * BASE, BigInt(d)))
      }),
      runs,
    )
  })

  test('setWideRatio on exact halves', () => {
    const cells = new Float64Array(4)
    // 1 * 1 * 1e9 / 2e10 = 0.05; 5 * 1e9 / 1e10 = 0.5; 15e9 / 1e10 = 1.5.
    setWideRatio(cells, 2, 5, 1, 10_000_000_000)
    expect(read(cells)).toBe(1n)
    setWideRatio(cells, 2, 15, 1, 10_000_000_000)
    expect(read(cells)).toBe(2n)
    setWideRatio(cells, 2, 49, 1, 100_000_000_000)
    expect(read(cells)).toBe(0n)
  })

  test('setWideShare: a part of a value of either sign', () => {
    const whole = fc.oneof(fc.integer({ min: 1, max: 1000 }), fc.integer({ min: 1, max: 2 ** 50 - 1 }))
    const portion = fc.double({ min: 0, max: 1, noNaN: true })
    fc.assert(
      fc.property(value, whole, portion, (exact, parts, ratio) => {
        const part = Math.min(parts, Math.round(parts * ratio))
        const cells = new Float64Array(4)
        setWideShare(cells, 2, { source: wide(exact), from: 2, part, whole: parts })
        expect(read(cells)).toBe(divHalfAwayBig(exact * BigInt(part), BigInt(parts)))
      }),
      runs,
    )
  })

  test('setWideShare on halves: both signs round alike, and the whole is the value itself', () => {
    for (const [exact, part, whole, expected] of [
      [1n, 1, 2, 1n],
      [-1n, 1, 2, -1n],
      [-3n, 1, 2, -2n],
      [BASE + 1n, 1, 2, (BASE + 2n) / 2n],
      [-BASE - 1n, 1, 2, -(BASE + 2n) / 2n],
      [-BASE, 1, 1, -BASE],
      [-1n, 0, 7, 0n],
    ] as const) {
      const cells = new Float64Array(4)
      setWideShare(cells, 2, { source: wide(exact), from: 2, part, whole })
      expect(read(cells)).toBe(expected)
    }
  })
})

test('a value becomes the double that its bigint becomes', () => {
  const positive = value.map((exact) => (exact < 0n ? -exact : exact))
  fc.assert(
    fc.property(positive, (exact) => {
      expect(wideToDouble(wide(exact), 2)).toBe(Number(exact))
    }),
    runs,
  )
  // Just above and below the middle of two neighbouring doubles, where a second rounding would go wrong.
  const near = fc
    .tuple(fc.integer({ min: 53, max: 81 }), fc.bigInt({ min: 0n, max: 2n ** 52n - 1n }))
    .chain(([bits, mantissa]) => {
      const unit = 2n ** BigInt(bits - 52)
      const middle = (2n ** 52n + mantissa) * unit + unit / 2n
      return fc.bigInt({ min: -2n, max: 2n }).map((off) => middle + off)
    })
  fc.assert(
    fc.property(near, (exact) => {
      expect(wideToDouble(wide(exact), 2)).toBe(Number(exact))
    }),
    runs,
  )
})
