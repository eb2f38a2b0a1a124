/**
 * Funding as arithmetic, exact to the last digit: the rate, the accumulator and the payment to a position. Tests with
 * marks and a clock are in funding.test.ts.
 *
 * Source: market.md 3.3, 3.4 (T29-T38); golden funding-rate (real tickers of June 2022).
 */
import { describe, expect, test } from 'vitest'
import { formatScaled, type Micros, micros, microsOfMillis } from '../../src/core/index.ts'
import { type FundingTerms, specFromName } from '../../src/model/index.ts'
import { fundingExcess, fundingIncrement, fundingOf, fundingRate8 } from '../../src/pricing/index.ts'
import { money, priceOf, start } from '../support/harness.ts'

/** The rate shown for a mark and an index. */
function rateAt(at: Parameters<typeof fundingExcess>[0]): number {
  return fundingRate8(fundingExcess(at), at.index9)
}

/** The increase of the accumulator at a rate in 1e-8. */
function gainOf(of: Omit<Parameters<typeof fundingIncrement>[0], 'excess'> & { readonly rate8: number }): bigint {
  const { rate8, payoff, elapsed, index9 } = of
  const excess = BigInt(rate8) * BigInt(index9)
  return fundingIncrement({ payoff, elapsed, index9, excess })
}

function termsOf(name: string): FundingTerms {
  const spec = specFromName(name, { creation: start })
  if (!spec.ok || spec.value.funding === null) throw new Error(`${name} has no funding`)
  return spec.value.funding
}

const bitcoin = termsOf('BTC-PERPETUAL')
const uncapped: FundingTerms = { dampers: bitcoin.dampers, cap8: 100_000_000 }
/** A time when the damper was 0.05 %. */
const june2022: Micros = microsOfMillis(1_654_246_806_027)

/** The rate for 8 hours as a decimal. */
function rate(mark: string, index: string, terms = bitcoin, time = start): string {
  const prices = { mark9: priceOf(mark), index9: priceOf(index) }
  return formatScaled(BigInt(rateAt({ ...prices, terms, time })), 8)
}

describe('the rate for 8 hours', () => {
  test.each([
    ['T29 a premium within the damper is free', '36288.31', '36297.02', '0'],
    ['T30 of either sign', '92281.78', '92263.55', '0'],
    ['T31 what exceeds the damper is paid by longs', '10010', '10000', '0.00075'],
    ['T32 or by shorts', '9990', '10000', '-0.00075'],
    ['T33 up to the cap', '10100', '10000', '0.005'],
    ['T33 of either sign', '9900', '10000', '-0.005'],
  ])('%s', (_title, mark, index, expected) => {
    expect(rate(mark, index)).toBe(expected)
  })

  test('T34 the damper was 0.05 % until 2022, and no cap applied', () => {
    expect(rate('3931.97', '3910.46', uncapped, june2022)).toBe('0.00500063')
  })
})

/** Observed in tickers of June 2022, when the damper was 0.05 %. */
test.each([
  [1_654_246_806_027, '30436.94', '30418.45', 10_785, 2],
  [1_654_161_785_818, '29932.79', '29930.44', 0, 0],
  [1_654_340_303_741, '29700.53', '29695.49', 0, 0],
])('golden funding-rate: a real ticker at %i', (time, mark, index, printed8, tolerance8) => {
  const found = rateAt({
    mark9: priceOf(mark),
    index9: priceOf(index),
    terms: bitcoin,
    time: microsOfMillis(time),
  })
  expect(Math.abs(found - printed8)).toBeLessThanOrEqual(tolerance8)
})

const usd = priceOf('10')
const minute = 60_000_000

describe('the accumulator', () => {
  test('T35 a minute at 0.075 %: what 10000 USD pay and receive', () => {
    const gain = gainOf({
      ...{ payoff: 'inverse', rate8: 75_000, elapsed: minute, index9: priceOf('10000') },
    })
    expect(gain).toBe(156_250_000_000_000n)
    const holding = { payoff: 'inverse', amountStep9: usd, from: 0n, to: gain } as const
    expect(money(fundingOf(holding.payoff, 1000, holding.amountStep9, holding.from, holding.to))).toBe('-0.000001563')
    expect(money(fundingOf(holding.payoff, -1000, holding.amountStep9, holding.from, holding.to))).toBe('0.000001563')
  })

  test('T36 three spans at three rates and indices, one position throughout', () => {
    const spans = [
      { rate8: 75_000, elapsed: minute, index9: priceOf('10000') },
      { rate8: 0, elapsed: 30_000_000, index9: priceOf('10005') },
      { rate8: -50_000, elapsed: 90_000_000, index9: priceOf('9980.5') },
    ]
    const gains = spans.map((span) => gainOf({ payoff: 'inverse', ...span }))
    expect(gains).toEqual([156_250_000_000_000n, 0n, -156_555_282_801_463n])
    const to = gains.reduce((sum, gain) => sum + gain, 0n)
    expect(to).toBe(-305_282_801_463n)
    const holding = { payoff: 'inverse', amountStep9: usd, from: 0n, to } as const
    expect(money(fundingOf(holding.payoff, 25_000, holding.amountStep9, holding.from, holding.to))).toBe('0.000000076')
    // `interest_value` is the accumulator in coin times 1e6: 1e-18.
    expect(formatScaled(to, 18)).toBe('-0.000000305282801463')
  })

  test('T37 a linear perpetual pays quote for each coin', () => {
    const to = gainOf({
      ...{ payoff: 'linear', rate8: 10_000, elapsed: 60 * minute, index9: priceOf('60000') },
    })
    expect(formatScaled(to, 18)).toBe('0.75')
    const holding = { payoff: 'linear', amountStep9: priceOf('0.001'), from: 0n, to } as const
    expect(money(fundingOf(holding.payoff, 2000, holding.amountStep9, holding.from, holding.to))).toBe('-1.5')
  })

  test('T38 half an hour at 0.02 % is 0.00125 % of an hour', () => {
    // At an index of 1 the accumulator is the interest itself.
    const half = { payoff: 'linear', elapsed: 30 * minute, index9: priceOf('1') } as const
    const hour = gainOf({ ...half, rate8: 20_000 }) + gainOf({ ...half, rate8: 0 })
    expect(formatScaled(hour, 18)).toBe('0.0000125')
  })
})

test('the damper at a time is the latest one that has begun', () => {
  const dampers = [
    { from: micros(0), rate8: 50_000 },
    { from: micros(1000), rate8: 25_000 },
  ]
  const terms = { dampers, cap8: 1_000_000 }
  const at = (time: number): string => rate('10010', '10000', terms, micros(time))
  expect([at(0), at(999), at(1000), at(5000)]).toEqual([...['0.0005', '0.0005', '0.00075', '0.00075']])
})

test('F09 funding accrues at the exact rate, not at the shown rate, which is rounded to 1e-8', () => {
  // A premium of 0.075 % and a third of 1e-8 of the index, shown as 0.00075.
  const at = {
    mark9: priceOf('30030.00010001'),
    index9: priceOf('30000'),
    terms: bitcoin,
    time: start,
  }
  const excess = fundingExcess(at)
  expect(fundingRate8(excess, at.index9)).toBe(75_000)
  const exact = fundingIncrement({
    payoff: 'linear',
    elapsed: 28_800_000_000,
    index9: at.index9,
    excess,
  })
  // (mark - index) - 0.025 % of the index, for 8 hours, in 1e-18.
  expect(formatScaled(exact, 18)).toBe('22.50010001')
  expect(gainOf({ payoff: 'linear', elapsed: 28_800_000_000, index9: at.index9, rate8: 75_000 })).toBe(
    22_500_000_000_000_000_000n,
  )
})
