/**
 * Values of options: published vectors and observed tickers.
 *
 * Vectors are exact to the published digits. Tickers print forward and volatility with two decimals, which limits the
 * precision of the other fields; `option-model.json` lists the limits.
 * Source: market.md 7 (T89-T99); coverage R20; golden files option-model and put-call-parity.
 */
import { describe, expect, test } from 'vitest'
import { impliedVolatility9, type OptionContract, optionGreeks9, optionPrice9 } from '../../src/pricing/index.ts'
import { black76, type Valuation } from '../../src/pricing/options/black76.ts'
import { normalBelow } from '../../src/pricing/options/normal.ts'
import { contractOf, count9, ONE9 } from '../support/option-contracts.ts'

type Vector = readonly [
  id: string,
  of: Parameters<typeof black76>[0],
  expected: Partial<Record<keyof Valuation, string>>,
]

const month = 30 / 365
const vectors: readonly Vector[] = [
  [
    'T89',
    { right: 'call', forward: 60_000, strike: 65_000, years: month, volatility: 0.6 },
    {
      ...{ usd: '2237.8681554047', coin: '0.0372978026', delta: '0.3522260125' },
      ...{ gamma: '0.0000359708', vega: '63.8604485925', theta: '-63.8604485925' },
      rho: '15.5307062444',
    },
  ],
  [
    'T90',
    { right: 'put', forward: 60_000, strike: 65_000, years: month, volatility: 0.6 },
    {
      ...{ usd: '7237.8681554047', coin: '0.1206311359', delta: '-0.6477739875' },
      ...{ gamma: '0.0000359708', vega: '63.8604485925', theta: '-63.8604485925' },
      rho: '-37.8939512899',
    },
  ],
  [
    'T91',
    { right: 'call', forward: 60_000, strike: 60_000, years: month, volatility: 0.6 },
    {
      ...{ usd: '4112.3644309521', coin: '0.0685394072', delta: '0.5342697036' },
      ...{ gamma: '0.0000385112', vega: '68.3705725320', theta: '-68.3705725320' },
      rho: '22.9675214667',
    },
  ],
  [
    'T92',
    { right: 'call', forward: 150, strike: 160, years: 7 / 365, volatility: 0.9 },
    {
      ...{ usd: '3.7104095781', delta: '0.3243762513', gamma: '0.0192362651' },
      ...{ vega: '0.0747052212', theta: '-0.4802478506', rho: '0.0086197862' },
    },
  ],
  [
    'T93',
    { right: 'put', forward: 60_000, strike: 55_000, years: 0.5 / 365, volatility: 0.8 },
    { usd: '0.8059050031', theta: '-0.8059050031' },
  ],
]

describe('rule option.model: Black-76 without interest', () => {
  test.each(vectors)('%s: exact to ten decimals', (_id, of, expected) => {
    const found = black76(of)
    for (const [field, text] of Object.entries(expected)) {
      const digits = text.split('.')[1]?.length ?? 0
      expect([field, found[field as keyof Valuation].toFixed(digits)]).toEqual([field, text])
    }
  })

  test('rule option.theta: T93 R20 the reported theta is the remaining value: -0.80591', () => {
    const contract: OptionContract = {
      ...{ right: 'put', strike9: 55_000 * ONE9, expiration: 43_200_000_000 },
      ...{ isCoin: true, step9: 10 },
    }
    const market = { forward9: 60_000 * ONE9, volatility9: 800_000_000, time: 0 }
    expect(optionGreeks9(contract, market).theta9).toBe(-805_905_003)
  })

  test.each([
    [-3, 0.0013498980316301],
    [-1, 0.158655253931457],
    [0.25, 0.5987063256829237],
    [2, 0.9772498680518208],
  ])('N(%d) to sixteen decimals', (x, expected) => {
    expect(Math.abs(normalBelow(x) - expected)).toBeLessThan(1e-15)
  })

  test('rule option.price: a mark is rounded to the digits of its currency, and is never 0', () => {
    const at = { forward9: 60_000 * ONE9, volatility9: 600_000_000 }
    const of = (name: string, forward9 = at.forward9): number => {
      const contract = contractOf(name)
      return optionPrice9(contract, { ...at, forward9, time: contract.expiration - 2_592e9 })
    }
    expect(of('BTC-27MAR26-65000-C')).toBe(37_297_800)
    expect(of('ETH-27MAR26-3000-C', 3_000 * ONE9)).toBe(68_539_000)
    expect(of('BTC_USDC-27MAR26-65000-C')).toBe(2_237_868_200_000)
    expect(of('BTC-27MAR26-900000-C')).toBe(10)
    expect(of('ETH-27MAR26-900000-C')).toBe(1_000)
  })

  test('an option without time left is worth its delivery value', () => {
    const contract = contractOf('BTC-27MAR26-50000-C')
    const of = (forward: number): number =>
      optionPrice9(contract, {
        ...{ forward9: forward * ONE9, volatility9: 600_000_000, time: contract.expiration },
      })
    expect(of(62_500)).toBe(200_000_000)
    expect(of(50_000)).toBe(10)
    const { delta9, gamma9, vega9, theta9 } = optionGreeks9(contract, {
      ...{ forward9: 62_500 * ONE9, volatility9: 600_000_000, time: contract.expiration },
    })
    expect([delta9, gamma9, vega9, theta9]).toEqual([ONE9, 0, 0, 0])
  })
})

describe('observed tickers, recomputed from the forward and volatility that they print', () => {
  test.each([
    [
      ...['T94', 'BTC-31DEC21-34000-P', 1_626_993_722_933, 32_744.81, 80.02],
      {
        ...{ price: '0.2335051', vega: '85.22248', theta: '-21.12773' },
        ...{ rho: '-94.98731', delta: '-0.42256' },
      },
    ],
    [
      ...['T95', 'BTC-5JUN20-9250-C', 1_590_969_652_595, 9_440.73, 63.21],
      { price: '0.03847796', delta: '0.62959', gamma: '0.00058', vega: '3.88497' },
    ],
    ['T96', 'ETH-23JUL21-2300-C', 1_626_993_723_632, 2_005.38, 111.4, { theta: '-0.00146' }],
  ] as const)('%s %s', (_id, name, millis, forward, percent, expected) => {
    const contract = contractOf(name)
    const market = {
      forward9: count9(forward),
      volatility9: count9(percent / 100),
      time: millis * 1_000,
    }
    const { delta9, gamma9, vega9, theta9, rho9 } = optionGreeks9(contract, market)
    const found: Record<string, number> = {
      ...{ price: optionPrice9(contract, market) / ONE9, delta: delta9 / ONE9 },
      ...{ gamma: gamma9 / ONE9, vega: vega9 / ONE9, theta: theta9 / ONE9, rho: rho9 / ONE9 },
    }
    for (const [field, value] of Object.entries(expected)) {
      // The printed value may differ by one unit of its last digit, because forward and volatility are rounded.
      const unit = 10 ** -(value.split('.')[1]?.length ?? 0)
      const isNear = Math.abs((found[field] ?? 0) - Number(value)) < unit
      expect([field, isNear]).toEqual([field, true])
    }
  })
})

describe('rule option.implied-volatility', () => {
  const percentOf = (volatility9: number): string => (volatility9 / 1e7).toFixed(2)

  test.each([
    ['T97', 'BTC-27MAY20-8750-C', 1_590_480_620_145, 8_994.95, 0.028, '38.51'],
    ['T98', 'BTC-19MAY26-75000-C', 1_779_118_041_757, 76_185.14, 0.0174, '41.02'],
  ] as const)('%s of an observed trade', (_id, name, millis, forward, price, expected) => {
    const at = { price9: count9(price), forward9: count9(forward), time: millis * 1_000 }
    expect(percentOf(impliedVolatility9(contractOf(name), at))).toBe(expected)
  })

  test('T99 a call of 30 days at 0.0250 and 0.0300', () => {
    const contract = contractOf('BTC-27MAR26-65000-C')
    const at = { forward9: 60_000 * ONE9, time: contract.expiration - 2_592e9 }
    const of = (price9: number): string => percentOf(impliedVolatility9(contract, { ...at, price9 }))
    expect([of(25_000_000), of(30_000_000)]).toEqual(['48.14', '53.05'])
  })

  test('a missing price, or one at or below the intrinsic value, implies none; the highest is 500 %', () => {
    const contract = contractOf('BTC-27MAR26-50000-C')
    const at = { forward9: 62_500 * ONE9, time: contract.expiration - 2_592e9 }
    const of = (price9: number): number => impliedVolatility9(contract, { ...at, price9 })
    expect([of(0), of(199_999_999), of(200_000_000)]).toEqual([0, 0, 0])
    expect(of(200_000_001)).toBeGreaterThan(0)
    expect(of(999_999_999)).toBe(5_000_000_000)
    const over = { ...at, price9: 300_000_000, time: contract.expiration }
    expect(impliedVolatility9(contract, over)).toBe(0)
  })
})
