/** Decimal text and scaled integers: exactness compared with decimal.js, refusals, round trips. */
import { Decimal } from 'decimal.js'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { AssertionFailure } from '../../../src/core/assert.ts'
import {
  decimalTextOf,
  formatScaled,
  formatScaledNumber,
  parseDecimalInput,
  parseScaled,
  rescaleHalfAway,
  scaledToNumber,
} from '../../../src/core/decimal.ts'

const Exact = Decimal.clone({ precision: 1000, toExpNeg: -9e15, toExpPos: 9e15 })
const scales = fc.integer({ min: 0, max: 30 })
const bigs = fc.bigInt({ min: -(10n ** 40n), max: 10n ** 40n })
const doubles = fc.double({ noNaN: true, noDefaultInfinity: true })

function oracleText(value: bigint, scale: number): string {
  return new Exact(value.toString()).div(new Exact(10).pow(scale)).toFixed()
}

describe('parseScaled', () => {
  test.each([
    ['0', 9, 0n],
    ['-0', 9, 0n],
    ['-0.00', 2, 0n],
    ['12.5', 9, 12_500_000_000n],
    ['-0.5', 1, -5n],
    ['1_000', 0, 1000n],
    ['1_000.000_1', 4, 10_000_001n],
    ['0.500', 1, 5n],
    ['1.000', 0, 1n],
    ['0.1234567890123456789', 19, 1_234_567_890_123_456_789n],
    ['9007199254740993', 0, 9_007_199_254_740_993n],
  ])('%s at scale %i', (text, scale, value) => {
    expect(parseScaled(text, scale)).toEqual({ ok: true, value })
  })

  test.each([
    ...['', ' ', ' 1', '1 ', '+1', '--1', '-', '.', '.5', '5.', '017', '00', '-01', '0_1', '1e3'],
    ...['1E3', '0x10', '0b1', '1__0', '_1', '1_', '1_.5', '1._5', '1.5_', '1,5', 'NaN', 'Infinity'],
    ...['1\n', '١', '1.2.3', '1n'],
  ])('refuses %j', (text) => {
    expect(parseScaled(text, 9)).toEqual({
      ok: false,
      error: { kind: 'not_a_decimal', found: text },
    })
  })

  test('refuses more significant decimals than the scale', () => {
    expect(parseScaled('1.25', 1)).toEqual({
      ok: false,
      error: { kind: 'too_many_decimals', found: '1.25', scale: 1 },
    })
  })

  test('a very long text is refused and shortened', () => {
    const result = parseScaled('1'.repeat(401), 0)
    expect(result).toEqual({
      ok: false,
      error: { kind: 'not_a_decimal', found: `${'1'.repeat(60)}…` },
    })
    expect(parseScaled('1'.repeat(400), 0).ok).toBe(true)
  })

  test('a scale out of range is a bug of the caller', () => {
    for (const scale of [-1, 0.5, 101]) {
      expect(() => parseScaled('1', scale)).toThrow(AssertionFailure)
    }
  })

  test('reads back the output of formatScaled, which equals that of decimal.js', () => {
    fc.assert(
      fc.property(bigs, scales, (value, scale) => {
        const text = formatScaled(value, scale)
        expect(text).toBe(oracleText(value, scale))
        expect(parseScaled(text, scale)).toEqual({ ok: true, value })
      }),
    )
  })
})

describe('formatScaledNumber', () => {
  test('prints as formatScaled does', () => {
    fc.assert(
      fc.property(fc.maxSafeInteger(), scales, (value, scale) => {
        expect(formatScaledNumber(value, scale)).toBe(formatScaled(BigInt(value), scale))
      }),
    )
  })

  test('never prints -0', () => {
    expect(formatScaledNumber(-0, 3)).toBe('0')
    expect(formatScaled(-0n, 3)).toBe('0')
  })

  test('refuses what is not a safe integer', () => {
    expect(() => formatScaledNumber(0.5, 1)).toThrow(AssertionFailure)
    expect(() => formatScaledNumber(2 ** 53, 1)).toThrow(AssertionFailure)
  })
})

describe('decimalTextOf', () => {
  test.each([
    [-0, '0'],
    [1e21, '1000000000000000000000'],
    [-1.5e300, `-15${'0'.repeat(299)}`],
    [1e-7, '0.0000001'],
    [-1.25e-9, '-0.00000000125'],
    [0.1 + 0.2, '0.30000000000000004'],
    [5e-324, `0.${'0'.repeat(323)}5`],
  ])('%d', (value, text) => {
    expect(decimalTextOf(value)).toBe(text)
  })

  test('is the plain form of the shortest text, and a decimal we accept', () => {
    fc.assert(
      fc.property(doubles, (value) => {
        const text = decimalTextOf(value)
        expect(text).toBe(new Exact(String(value)).toFixed().replace(/^-0$/, '0'))
        expect(Number(text)).toBe(value + 0)
        expect(parseScaled(text, 100).ok || text.length > 100).toBe(true)
      }),
    )
  })

  test('refuses what is not finite', () => {
    expect(() => decimalTextOf(Number.NaN)).toThrow(AssertionFailure)
    expect(() => decimalTextOf(Number.POSITIVE_INFINITY)).toThrow(AssertionFailure)
  })
})

describe('parseDecimalInput', () => {
  test('takes numbers and literal texts', () => {
    expect(parseDecimalInput(1e-7, 9)).toEqual({ ok: true, value: 100n })
    expect(parseDecimalInput({ decimal: '9007199254740993' }, 1)).toEqual({
      ok: true,
      value: 90_071_992_547_409_930n,
    })
  })

  test('refuses what is not finite, as a value', () => {
    expect(parseDecimalInput(Number.NaN, 9)).toEqual({
      ok: false,
      error: { kind: 'not_a_decimal', found: 'NaN' },
    })
  })
})

describe('scaledToNumber', () => {
  test('is the double nearest to the exact decimal', () => {
    fc.assert(
      fc.property(bigs, scales, (value, scale) => {
        expect(scaledToNumber(value, scale)).toBe(Number(oracleText(value, scale)))
      }),
    )
  })

  test('is the same for numbers', () => {
    fc.assert(
      fc.property(fc.maxSafeInteger(), scales, (value, scale) => {
        expect(scaledToNumber(value, scale)).toBe(scaledToNumber(BigInt(value), scale))
      }),
    )
  })

  test('a decimal of 15 digits prints back', () => {
    expect(String(scaledToNumber(123_456_789_012_345n, 9))).toBe('123456.789012345')
    expect(Object.is(scaledToNumber(-0, 2), 0)).toBe(true)
  })

  test('refuses a number that is not a safe integer', () => {
    expect(() => scaledToNumber(1.5, 2)).toThrow(AssertionFailure)
  })
})

describe('rescaleHalfAway', () => {
  test.each([
    [125n, 2, 1, 13n],
    [-125n, 2, 1, -13n],
    [124n, 2, 1, 12n],
    [-124n, 2, 1, -12n],
    [5n, 0, 3, 5000n],
  ])('%d from scale %i to %i', (value, from, to, expected) => {
    expect(rescaleHalfAway(value, from, to)).toBe(expected)
  })

  test('rounds as decimal.js does', () => {
    fc.assert(
      fc.property(bigs, scales, scales, (value, from, to) => {
        const exact = new Exact(value.toString()).div(new Exact(10).pow(from))
        const rounded = exact.mul(new Exact(10).pow(to)).toFixed(0, Decimal.ROUND_HALF_UP)
        expect(rescaleHalfAway(value, from, to)).toBe(BigInt(rounded))
      }),
    )
  })
})
