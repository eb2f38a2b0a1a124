/**
 * Impact prices at the edges: empty and thin sides, sizes that a level ends, sums of coin that no
 * rounded sum can decide; and the bounds of the fair price.
 */
import { describe, expect, test } from 'vitest'
import { AssertionFailure } from '../../../src/core/index.ts'
import { fairPrice, impactPrice, type PriceLevel } from '../../../src/pricing/index.ts'

const NANO = 1_000_000_000

function levels(...list: readonly (readonly [number, number])[]): readonly PriceLevel[] {
  return list.map(([price, amount]) => ({ price9: price * NANO, amount9: amount * NANO }))
}

function impact(payoff: 'inverse' | 'linear', side: readonly PriceLevel[], size: number): unknown {
  return impactPrice({ payoff, levels: side, impact9: size * NANO })
}

describe('impact prices', () => {
  test('a side without orders has no impact price', () => {
    expect(impact('inverse', [], 1)).toBeNull()
    expect(impact('linear', [], 50_000)).toBeNull()
  })

  test('a size of 0 is the best price', () => {
    expect(impact('inverse', levels([60_000, 10], [60_100, 10]), 0)).toBe(60_000 * NANO)
  })

  test('a thin side is averaged whole: by coin if amounts are USD, otherwise by amount', () => {
    const side = levels([100, 300], [150, 300])
    // 600 USD buy 3 + 2 coin.
    expect(impact('inverse', side, 6)).toBe(120 * NANO)
    expect(impact('linear', side, 1_000_000)).toBe(125 * NANO)
  })

  test('a size that a level ends exactly does not touch the next', () => {
    expect(impact('inverse', levels([60_000, 60_000], [61_000, 10]), 1)).toBe(60_000 * NANO)
    expect(impact('linear', levels([50_000, 1], [61_000, 1]), 50_000)).toBe(50_000 * NANO)
  })

  test('a linear size is quote: 50000 at 20000 and 30000 is 1 coin and 1 coin', () => {
    expect(impact('linear', levels([20_000, 1], [30_000, 5]), 50_000)).toBe(25_000 * NANO)
  })

  test('fractions of coin that add up to the size exactly, though none of them is decimal', () => {
    // 1/3 + 2/3 coin: 3 and 12 USD.
    expect(impact('inverse', levels([9, 3], [18, 12], [99, 99]), 1)).toBe(15 * NANO)
  })

  test('an average that is an exact half is rounded up, though its coin is no decimal', () => {
    // 1/3 + 5/3 coin for 11 of 1e-9 USD.
    const side = [
      { price9: 3, amount9: 1 },
      { price9: 6, amount9: 10 },
    ]
    expect(impact('inverse', side, 3)).toBe(6)
    expect(impact('inverse', side, 2)).toBe(6)
  })

  test('an average that misses a half by 1e-28 of 1e-9 is rounded down', () => {
    // Prime prices; the sum of coin rounded to 1e-30 would round up.
    const side = [
      { price9: 60_000_000_000_013, amount9: 37_541_938_083_894 },
      { price9: 60_010_000_000_037, amount9: 9_430_016_030_361 },
      { price9: 60_020_000_000_000, amount9: 60_020_000_000_000 },
    ]
    expect(impact('inverse', side, 1)).toBe(60_005_914_613_215)
  })

  test('a level without price or amount is a mistake of the caller', () => {
    const empty = levels([60_000, 0])
    expect(() => impact('inverse', empty, 1)).toThrow(AssertionFailure)
    expect(() => impact('linear', empty, 1)).toThrow(AssertionFailure)
  })
})

describe('the fair price', () => {
  const bid = { best9: 1_000_000, impact9: 999_500 }
  const ask = { best9: 1_000_000, impact9: 1_000_501 }

  test('is the middle of the impact prices, halves upward', () => {
    expect(fairPrice(bid, ask, 1)).toBe(1_000_001)
  })

  test('takes no impact price more than a thousandth away from the best', () => {
    const deep = { best9: 1_000_000, impact9: 500_000 }
    const high = { best9: 1_000_000, impact9: 2_000_000 }
    expect(fairPrice(deep, ask, 1)).toBe(999_751)
    expect(fairPrice(bid, high, 1)).toBe(1_000_250)
    expect(fairPrice(deep, high, 1)).toBe(1_000_000)
  })

  test('a side without orders counts as the fallback, which has no bound', () => {
    expect(fairPrice(null, ask, 900_000)).toBe(950_251)
    expect(fairPrice(bid, null, 2_000_000)).toBe(1_499_750)
    expect(fairPrice(null, null, 77)).toBe(77)
    expect(fairPrice(null, { best9: 1, impact9: 1 }, -4)).toBe(-2)
  })

  test('without impact is the middle of the best prices', () => {
    const best = (best9: number): { best9: number; impact9: number } => ({ best9, impact9: best9 })
    expect(fairPrice(best(100), best(105), 1)).toBe(103)
  })

  test('reaches to the largest prices', () => {
    const top = { best9: Number.MAX_SAFE_INTEGER, impact9: Number.MAX_SAFE_INTEGER }
    expect(fairPrice(top, top, 1)).toBe(Number.MAX_SAFE_INTEGER)
  })
})
