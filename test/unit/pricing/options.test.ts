/**
 * The functions of option pricing: their accuracy, their edges, and shocked prices (T86). The vectors of the model are
 * in conformance/option-model.test.ts.
 */
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { AssertionFailure, micros } from '../../../src/core/index.ts'
import { defaultPortfolioTerms, flatSmile, specFromName } from '../../../src/model/index.ts'
import {
  boundedVolatility9,
  hasPremium,
  impliedVolatility9,
  nextVolatility9,
  type OptionContract,
  optionContract,
  optionDelta9,
  optionPrice9,
  optionStresses9,
  rollMove9,
  shockedVolatilities,
  smileVolatility9,
  syntheticForward9,
  volatilityBetween9,
} from '../../../src/pricing/index.ts'
import { optionValue } from '../../../src/pricing/options/black76.ts'
import { exponential, logarithm, power } from '../../../src/pricing/options/elementary.ts'
import { normalBelow } from '../../../src/pricing/options/normal.ts'
import { priceOf } from '../../support/harness.ts'

const seed = 7
const day = 86_400_000_000
const month = 30 * day
const call: OptionContract = {
  ...{ right: 'call', strike9: priceOf('65000'), expiration: month, isCoin: true, step9: 10 },
}
const now = { forward9: priceOf('60000'), volatility9: 600_000_000, time: 0 }

/** The distance of two numbers, in units of the larger. */
function apart(found: number, expected: number): number {
  return Math.abs(found - expected) / Math.max(Math.abs(expected), 1e-300)
}

describe('elementary functions, compared with those of the platform', () => {
  test('exponential', () => {
    const law = fc.property(fc.double({ min: -700, max: 700, noNaN: true }), (x) => {
      expect(apart(exponential(x), Math.exp(x))).toBeLessThan(4e-16)
    })
    fc.assert(law, { seed, numRuns: 2_000 })
    expect([exponential(0), exponential(-800), exponential(-1 / 0)]).toEqual([1, 0, 0])
    expect(() => exponential(710)).toThrow(AssertionFailure)
  })

  test('logarithm', () => {
    const law = fc.property(fc.double({ min: 1e-300, max: 1e300, noNaN: true }), (x) => {
      expect(Math.abs(logarithm(x) - Math.log(x))).toBeLessThan(4e-16 * Math.abs(Math.log(x)) + 1e-17)
    })
    fc.assert(law, { seed, numRuns: 2_000 })
    expect(logarithm(1)).toBe(0)
    expect(() => logarithm(0)).toThrow(AssertionFailure)
  })

  test('power', () => {
    expect(power(30, 0.3)).toBeCloseTo(30 ** 0.3, 14)
    expect(power(1, 0.13)).toBe(1)
  })

  test('the normal distribution: symmetric, rising, from 0 to 1', () => {
    const law = fc.property(fc.double({ min: -9, max: 9, noNaN: true }), (x) => {
      expect(normalBelow(x) + normalBelow(-x)).toBeCloseTo(1, 15)
      expect(normalBelow(x + 1e-3)).toBeGreaterThanOrEqual(normalBelow(x))
    })
    fc.assert(law, { seed })
    expect([normalBelow(-40), normalBelow(0), normalBelow(40)]).toEqual([0, 0.5, 1])
    expect(normalBelow(-10)).toBeCloseTo(7.61985302416e-24, 34)
  })
})

describe('laws of option values', () => {
  const market = fc.record({
    forward: fc.double({ min: 1, max: 200_000, noNaN: true }),
    ratio: fc.double({ min: 0.2, max: 5, noNaN: true }),
    years: fc.double({ min: 1e-6, max: 3, noNaN: true }),
    volatility: fc.double({ min: 0.01, max: 5, noNaN: true }),
  })

  test('put-call parity, and between the intrinsic value and the whole', () => {
    const law = fc.property(market, ({ forward, ratio, years, volatility }) => {
      const strike = forward * ratio
      const of = (right: 'call' | 'put'): number => optionValue({ right, forward, strike, years, volatility })
      expect(apart(of('call') - of('put') + strike, forward)).toBeLessThan(1e-13 * (1 + ratio))
      expect(of('call')).toBeGreaterThanOrEqual(forward - strike - forward * 1e-13)
      expect(of('call')).toBeLessThanOrEqual(forward)
      expect(of('put')).toBeLessThanOrEqual(strike)
    })
    fc.assert(law, { seed, numRuns: 1_000 })
  })

  test('the volatility of a price gives the price again', () => {
    const law = fc.property(market, ({ ratio, years, volatility }) => {
      const strike9 = Math.round(60_000e9 * ratio)
      const contract = { ...call, strike9, expiration: Math.round(years * 365 * day), step9: 1 }
      const volatility9 = boundedVolatility9(Math.round(volatility * 1e9))
      const price9 = optionPrice9(contract, { ...now, volatility9 })
      const implied = impliedVolatility9(contract, { ...now, price9 })
      if (implied === 0) return
      const again = optionPrice9(contract, { ...now, volatility9: implied })
      expect(Math.abs(again - price9)).toBeLessThanOrEqual(1)
    })
    fc.assert(law, { seed, numRuns: 500 })
  })
})

describe('contracts', () => {
  test.each([
    ['BTC-27MAR26-65000-C', true, 10],
    ['ETH-27MAR26-3000-P', true, 1_000],
    ['SOL_USDC-27MAR26-150-C', false, 100_000],
  ])('%s: price in coin %s, precision %d', (name, isCoin, step9) => {
    const spec = specFromName(name, { creation: micros(0) })
    if (!spec.ok) throw new Error(spec.error)
    expect(optionContract(spec.value)).toMatchObject({ isCoin, step9 })
  })

  test('a future is not an option', () => {
    const spec = specFromName('BTC-27MAR26', { creation: micros(0) })
    if (!spec.ok) throw new Error(spec.error)
    expect(optionContract(spec.value)).toBeNull()
  })
})

describe('rule option.volatility: across strikes and from second to second', () => {
  test('a smile stays within 1 % and 500 %', () => {
    const at = { forward9: priceOf('60000'), strike9: priceOf('120000') }
    expect(smileVolatility9(flatSmile, at.forward9, at.strike9)).toBe(600_000_000)
    expect(smileVolatility9({ ...flatSmile, skew9: -1_000_000_000 }, at.forward9, at.strike9)).toBe(10_000_000)
    expect(smileVolatility9({ ...flatSmile, curvature9: 10_000_000_000 }, at.forward9, at.strike9)).toBe(5_000_000_000)
    expect(smileVolatility9({ ...flatSmile, atm9: 0 }, at.forward9, at.strike9)).toBe(10_000_000)
  })

  test('2/31 of the way, within bid and ask, and within the bounds', () => {
    const book = { bid9: 400_000_000, mid9: 500_000_000, ask9: 700_000_000 }
    expect(nextVolatility9(531_000_000, book)).toBe(529_000_000)
    expect(nextVolatility9(900_000_000, book)).toBe(700_000_000)
    expect(nextVolatility9(100_000_000, book)).toBe(400_000_000)
    expect(nextVolatility9(10_000_000, { bid9: 0, mid9: 0, ask9: 0 })).toBe(10_000_000)
  })

  test('between two strikes the squares are linear in ln(strike)', () => {
    const nodes = [
      { strike9: priceOf('50000'), volatility9: 300_000_000 },
      { strike9: priceOf('80000'), volatility9: 500_000_000 },
    ]
    const at = (strike: string): number => volatilityBetween9(nodes, priceOf(strike))
    expect([at('40000'), at('50000'), at('80000'), at('90000')]).toEqual([
      ...[300_000_000, 300_000_000, 500_000_000, 500_000_000],
    ])
    // The geometric middle of the strikes: the mean of 0.09 and 0.25.
    expect(at('63245.553203368')).toBe(Math.round(Math.sqrt(0.17) * 1e9))
    expect(() => volatilityBetween9([], priceOf('1'))).toThrow(AssertionFailure)
  })
})

describe('forwards', () => {
  const bounds = { payoff: 'inverse', tick9: priceOf('2.5'), clampPpm: 100_000 } as const
  const of = { ...bounds, index9: priceOf('60000'), time: 0 }
  const at = (expiration: number, futures: readonly [string, number][]): number =>
    syntheticForward9({
      ...{ ...of, expiration },
      futures: futures.map(([mark, end]) => ({ mark9: priceOf(mark), expiration: end })),
    })

  test('without futures ahead the index', () => {
    expect(at(month, [])).toBe(of.index9)
    expect(at(0, [['61000', month]])).toBe(of.index9)
  })

  test('a future in its last half hour has no premium', () => {
    const minute = 60_000_000
    expect([29, 30, 31].map((minutes) => hasPremium(minutes * minute, 0))).toEqual([...[false, false, true]])
    expect(() => at(month, [['61000', 30 * minute]])).toThrow(AssertionFailure)
  })

  test('it stays as near to its index as the mark of a dated future', () => {
    // 1 % in 31 minutes would be a multiple of the index in a month.
    const late = 31 * 60_000_000
    expect(at(month, [['60600', late]])).toBe(priceOf('66000'))
    expect(at(month, [['59400', late]])).toBe(priceOf('54000'))
  })

  test('with a wide band it may fall far below its index', () => {
    // Half of the index after one month is an eighth after three.
    const futures = [{ mark9: priceOf('30000'), expiration: month }]
    const wide = { ...of, clampPpm: 900_000, expiration: 3 * month, futures }
    expect(syntheticForward9(wide)).toBe(priceOf('7500'))
  })

  test('before the first and after the last the annualised premium of that', () => {
    // 61206.04 is 2 % in 30 days.
    const futures: [string, number][] = [['61200', month]]
    expect(at(month, futures)).toBe(priceOf('61200'))
    expect(at(month / 2, futures)).toBe(Math.round(6e6 * Math.sqrt(1.02)) * 1e7)
    expect(at(2 * month, futures)).toBe(priceOf('62424'))
  })

  test('the precision equals that of marks', () => {
    const linear = {
      ...of,
      index9: priceOf('150'),
      expiration: month / 2,
      payoff: 'linear',
    } as const
    const futures = [{ mark9: priceOf('153'), expiration: month }]
    expect(syntheticForward9({ ...linear, futures })).toBe(Math.round(1.5e6 * Math.sqrt(1.02)) * 1e5)
  })
})

describe('rule margin.portfolio.option: shocked prices', () => {
  const terms = defaultPortfolioTerms('btc_usd')
  const at = { volatility9: 600_000_000, expiration: month, time: 0 }

  test('T86 the cells of a short call, price by price and volatility by volatility', () => {
    const { up9, same9, down9 } = shockedVolatilities(terms, at.volatility9, at.expiration, at.time)
    expect([up9, same9, down9]).toEqual([900_000_000, 600_000_000, 450_000_000])
    const shocks = [-160_000, 0, 160_000].flatMap((movePpm) =>
      [up9, same9, down9].map((volatility9) => ({ movePpm, volatility9 })),
    )
    expect(optionStresses9(call, now, shocks).map((cell) => 0 - cell)).toEqual([
      ...[12_355_769, 31_308_004, 35_959_149],
      ...[-33_036_282, 0, 15_416_576],
      ...[-98_451_281, -67_175_634, -52_294_252],
    ])
    expect(optionDelta9(call, now)).toBe(352_226_013)
    expect(rollMove9(terms, month, 0)).toBe(10_000_000)
  })

  test('shocks grow toward expiry by the short power, and shrink beyond by the long one', () => {
    const of = (days: number): readonly number[] => {
      const { up9, down9 } = shockedVolatilities(terms, at.volatility9, days * day, at.time)
      return [up9, down9]
    }
    const scale = 30 ** 0.3
    expect(of(1)).toEqual([...[Math.round(6e8 * (1 + 0.5 * scale)), Math.round(6e8 * (1 - 0.25 * scale))]])
    // Under a day left counts as a day.
    expect(of(0.25)).toEqual(of(1))
    expect(of(120)[0]).toBe(Math.round(6e8 * (1 + 0.5 * 0.25 ** 0.13)))
    const low = shockedVolatilities(terms, 200_000_000, day, at.time)
    expect(low.up9).toBe(Math.round((0.2 + 0.5 * 0.5 * scale) * 1e9))
  })

  test('the premium of a far expiration moves by more than the least', () => {
    const far = rollMove9(terms, 365 * day, 0)
    expect(far).toBe(Math.round((Math.exp(0.075) - 1) * 1e9))
    expect(rollMove9(terms, null, 0)).toBe(10_000_000)
  })
})
