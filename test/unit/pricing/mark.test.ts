/**
 * Marks at the edges: precision by payoff and price, bounds that are not whole, prices near 0.
 */
import { describe, expect, test } from 'vitest'
import { AssertionFailure } from '../../../src/core/index.ts'
import {
  clampedPrice9,
  DELIVERY_MARK_MICROS,
  deliveryMarkOf,
  markOf,
  markStep9,
  nextPremium,
  roundToStep,
} from '../../../src/pricing/index.ts'
import { priceOf } from '../../support/harness.ts'

const tick9 = priceOf('0.5')

describe('the precision of marks', () => {
  test.each([
    ['inverse', '0.5', '0.01'],
    ['inverse', '60000', '0.01'],
    ['linear', '60000', '0.01'],
    ['linear', '1000', '0.01'],
    ['linear', '999.999999999', '0.0001'],
    ['linear', '1', '0.0001'],
    ['linear', '0.999999999', '0.000001'],
  ] as const)('%s at %s: %s', (payoff, price, step) => {
    expect(markStep9({ payoff, tick9 }, priceOf(price))).toBe(priceOf(step))
  })

  test.each([
    ['inverse', '0.5', '0.0005', '0.00001'],
    ['linear', '60000', '0.01', '0.01'],
    ['linear', '60000', '0.025', '0.0001'],
    ['linear', '0.5', '0.000001', '0.000001'],
    ['linear', '0.5', '0.00000025', '0.000000001'],
    ['linear', '0.5', '0.0000001', '0.00000001'],
    ['linear', '0.00001', '0.000000001', '0.000000001'],
  ] as const)('d18 %s at %s with a tick of %s: %s', (payoff, price, tick, step) => {
    expect(markStep9({ payoff, tick9: priceOf(tick) }, priceOf(price))).toBe(priceOf(step))
  })

  test('halves are rounded away from zero', () => {
    expect(roundToStep(priceOf('100.005'), priceOf('0.01'))).toBe(priceOf('100.01'))
    expect(roundToStep(priceOf('100.004999999'), priceOf('0.01'))).toBe(priceOf('100'))
    expect(roundToStep(-priceOf('0.005'), priceOf('0.01'))).toBe(-priceOf('0.01'))
  })

  test('a mark just below a change of precision has that of below', () => {
    const mark = markOf({
      ...{ index9: priceOf('999.99996'), ema9: 0, clampPpm: 5_000, payoff: 'linear', tick9 },
    })
    expect(mark).toBe(priceOf('1000'))
  })
})

describe('bounds', () => {
  test('a premium at the bound is not beyond it', () => {
    // 0.5 % of 333.333333333 is 1.666666666665.
    const at = { index9: priceOf('333.333333333'), clampPpm: 5_000 }
    expect(clampedPrice9({ ...at, ema9: priceOf('1.666666666') })).toBe(priceOf('334.999999999'))
    // The bound itself is 334.999999999665, which rounds up.
    expect(clampedPrice9({ ...at, ema9: priceOf('1.666666667') })).toBe(priceOf('335'))
    expect(clampedPrice9({ ...at, ema9: -priceOf('1.666666667') })).toBe(priceOf('331.666666666'))
  })

  test('is decided to the last unit', () => {
    for (const index9 of [1, 999_983, 60_000_000_000_003, 8_000_000_000_000_000]) {
      for (const clampPpm of [1, 5_000, 30_000, 99_999]) {
        const bound = Number((BigInt(index9) * BigInt(clampPpm)) / 1_000_000n)
        const off = Math.ceil(bound * 1e-6)
        for (const ema9 of [bound - 2 * off, bound - off, bound - 1, bound]) {
          if (ema9 < 0) continue
          expect(clampedPrice9({ index9, ema9, clampPpm })).toBe(index9 + ema9)
          expect(clampedPrice9({ index9, ema9: 0 - ema9, clampPpm })).toBe(index9 - ema9)
        }
        const beyond = clampedPrice9({ index9, ema9: bound + 1, clampPpm })
        const isRounded = 2n * ((BigInt(index9) * BigInt(clampPpm)) % 1_000_000n) >= 1_000_000n
        expect(beyond).toBe(index9 + bound + (isRounded ? 1 : 0))
      }
    }
  })

  test('a bound of 0 is the index', () => {
    const at = { index9: priceOf('60000'), clampPpm: 0, payoff: 'inverse', tick9 } as const
    expect(markOf({ ...at, ema9: 1 })).toBe(priceOf('60000'))
    expect(markOf({ ...at, ema9: -priceOf('500') })).toBe(priceOf('60000'))
  })

  test('a mark is one step at least', () => {
    const at = { index9: priceOf('0.0000001'), ema9: 0, clampPpm: 5_000 } as const
    expect(markOf({ ...at, payoff: 'linear', tick9 })).toBe(priceOf('0.000001'))
    expect(markOf({ ...at, payoff: 'inverse', tick9 })).toBe(priceOf('0.01'))
    const whole = {
      ...at,
      clampPpm: 1_000_000,
      ema9: -priceOf('5'),
      payoff: 'linear',
      tick9,
    } as const
    expect(markOf(whole)).toBe(priceOf('0.000001'))
  })

  test('an index is positive', () => {
    expect(() => markOf({ index9: 0, ema9: 0, clampPpm: 1, payoff: 'linear', tick9 })).toThrow(AssertionFailure)
  })
})

describe('the average premium', () => {
  test('stops within 7 units of its target', () => {
    expect(nextPremium(0, 7)).toBe(0)
    expect(nextPremium(0, 8)).toBe(1)
    expect(nextPremium(0, -8)).toBe(-1)
    expect([7, -7, 0].map((far) => nextPremium(0, far, 999))).toEqual([1, -1, 0])
  })

  test('holds for distances beyond safe integers', () => {
    const far = Number.MAX_SAFE_INTEGER
    // 27 thirty-firsts of it, rounded.
    expect(nextPremium(-far, far)).toBe(-7_844_979_996_064_734)
  })
})

describe('the mark of an expiring future', () => {
  const at = { mark9: priceOf('60250'), mean9: priceOf('60100'), payoff: 'inverse', tick9 } as const

  test('is rounded once', () => {
    // A third of 100.01 and two thirds of 100: 100.00333...
    const linear = {
      mean9: priceOf('100.01'),
      mark9: priceOf('100'),
      payoff: 'linear',
      tick9,
    } as const
    const third = DELIVERY_MARK_MICROS / 3
    expect(deliveryMarkOf({ ...linear, elapsed: third })).toBe(priceOf('100.0033'))
  })

  test('is the ordinary mark while no sample is known', () => {
    expect(deliveryMarkOf({ ...at, mean9: 0, elapsed: 900_000_000 })).toBe(priceOf('60250'))
  })

  test('is not computed outside of the half hour', () => {
    expect(() => deliveryMarkOf({ ...at, elapsed: -1 })).toThrow(AssertionFailure)
    expect(() => deliveryMarkOf({ ...at, elapsed: DELIVERY_MARK_MICROS + 1 })).toThrow(AssertionFailure)
  })
})
