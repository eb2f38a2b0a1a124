/**
 * What options are worth: published vectors, and what real tickers printed.
 *
 * Vectors are exact to the digits they were published with. Tickers print forward and volatility with two
 * decimals, so that the rest agrees as far as these allow; how far that is, `option-model.json` says.
 * Source: market.md 7 (T89-T99); coverage R20; golden files option-model and put-call-parity.
 */
import { readFileSync } from 'node:fs'
import { gunzipSync } from 'node:zlib'
import { describe, expect, test } from 'vitest'
import { micros } from '../../src/core/index.ts'
import { type Instrument, specFromName } from '../../src/model/index.ts'
import {
  impliedVolatility9,
  type OptionContract,
  optionContract,
  optionGreeks9,
  optionPrice9,
} from '../../src/pricing/index.ts'
import { black76, type Valuation } from '../../src/pricing/options/black76.ts'
import { normalBelow } from '../../src/pricing/options/normal.ts'
import { goldenFile } from '../support/golden.ts'
import { hasRecordedFeeds, recordedFile } from '../support/recorded-feeds.ts'

const ONE9 = 1_000_000_000

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

function contractOf(name: string): OptionContract {
  const spec = specFromName(name, { creation: micros(0) })
  if (!spec.ok) throw new Error(spec.error)
  const contract = optionContract(spec.value as Instrument)
  if (contract === null) throw new Error(`${name} is an option`)
  return contract
}

function count9(decimal: number): number {
  return Math.round(decimal * ONE9)
}

describe('rule option.model: Black-76 without interest', () => {
  test.each(vectors)('%s: exact to ten decimals', (_id, of, expected) => {
    const found = black76(of)
    for (const [field, text] of Object.entries(expected)) {
      const digits = text.split('.')[1]?.length ?? 0
      expect([field, found[field as keyof Valuation].toFixed(digits)]).toEqual([field, text])
    }
  })

  test('rule option.theta: T93 R20 the theta that is reported is the value that is left: -0.80591', () => {
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

  test('rule option.price: a mark is rounded to the digits of its currency, and never 0', () => {
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

  test('without time left an option is worth what it would be delivered at', () => {
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

describe('real tickers, recomputed from the forward and volatility that they print', () => {
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
      // What they print differs by up to one unit of its last digit: forward and volatility are rounded.
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
  ] as const)('%s of a real trade', (_id, name, millis, forward, price, expected) => {
    const at = { price9: count9(price), forward9: count9(forward), time: millis * 1_000 }
    expect(percentOf(impliedVolatility9(contractOf(name), at))).toBe(expected)
  })

  test('T99 a call of 30 days at 0.0250 and 0.0300', () => {
    const contract = contractOf('BTC-27MAR26-65000-C')
    const at = { forward9: 60_000 * ONE9, time: contract.expiration - 2_592e9 }
    const of = (price9: number): string =>
      percentOf(impliedVolatility9(contract, { ...at, price9 }))
    expect([of(25_000_000), of(30_000_000)]).toEqual(['48.14', '53.05'])
  })

  test('no price, or one at or below the intrinsic value, implies none; the highest is 500 %', () => {
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

/** Rows of a CSV file as records. */
function recordsOf(text: string): readonly Record<string, string>[] {
  const [head = '', ...lines] = text.trim().split('\n')
  const names = head.trim().split(',')
  return lines.map((line) => {
    const values = line.trim().split(',')
    return Object.fromEntries(names.map((name, at) => [name, values[at] ?? '']))
  })
}

/** The value below which a part of the values lies. */
function quantile(values: readonly number[], part: number): number {
  const sorted = [...values].sort((left, right) => left - right)
  return sorted[Math.floor(part * (sorted.length - 1))] ?? 0
}

const isHere = hasRecordedFeeds()
const model = isHere ? goldenFile('option-model.json') : undefined

interface Errors {
  readonly delta: number[]
  readonly gamma: number[]
  readonly vega: number[]
  readonly theta: number[]
  readonly rho: number[]
  readonly mark: number[]
  readonly bid: number[]
  readonly ask: number[]
}

/** How far what a ticker prints is from what its forward and volatility make of it. */
function errorsOf(file: string): Errors {
  const errors: Errors = {
    ...{ delta: [], gamma: [], vega: [], theta: [], rho: [], mark: [], bid: [], ask: [] },
  }
  for (const row of recordsOf(readFileSync(recordedFile('deribit', file), 'utf8'))) {
    const number = (name: string): number => Number(row[name] ?? Number.NaN)
    const contract = contractOf(row['instrument_name'] ?? '')
    const time = number('timestamp_ms') * 1_000
    const forward9 = count9(number('underlying_price'))
    const market = { forward9, volatility9: count9(number('mark_iv') / 100), time }
    const greeks = optionGreeks9(contract, market)
    for (const greek of ['delta', 'gamma', 'vega', 'theta', 'rho'] as const) {
      const rounded = Number((greeks[`${greek}9`] / ONE9).toFixed(5))
      errors[greek].push(Math.abs(rounded - number(greek)))
    }
    errors.mark.push(Math.abs(optionPrice9(contract, market) / ONE9 - number('mark_price')))
    for (const side of ['bid', 'ask'] as const) {
      if (row[`${side}_iv`] === undefined) continue
      const price9 = count9(number(`best_${side}_price`))
      const found = impliedVolatility9(contract, { price9, forward9, time })
      errors[side].push(Math.abs(found / 1e7 - number(`${side}_iv`)))
    }
  }
  return errors
}

describe('golden option-model', () => {
  test.skipIf(!isHere)('the capture of July 2021: 89 tickers', () => {
    const seen = model.observed_error_on_stored_files['capture-2021-07-22 (89 tickers)']
    const errors = errorsOf('capture-2021-07-22/option_tickers.csv')
    expect(errors.delta).toHaveLength(89)
    for (const greek of ['delta', 'gamma', 'vega', 'theta', 'rho'] as const) {
      // The errors are given with two digits, and greeks here are rounded as those of the tickers.
      expect(Math.max(...errors[greek])).toBeLessThan(seen[greek] * 1.02 + 1.01e-5)
    }
    expect(quantile(errors.mark, 0.9)).toBeLessThan(seen.mark_price_p90 * 1.02)
    expect(Math.max(...errors.mark)).toBeLessThan(seen.mark_price_max * 1.02)
    expect(Math.max(...errors.bid)).toBeLessThan(seen.bid_iv_max * 1.01)
    expect(quantile(errors.ask, 0.9)).toBeLessThan(seen.ask_iv_p90 * 1.01)
  })

  test.skipIf(!isHere)('the file of January 2022: 106 tickers', () => {
    const seen = model.observed_error_on_stored_files['options-eth-2022-01-27 (106 tickers)']
    const errors = errorsOf('options-eth-2022-01-27/option_tickers.csv')
    expect(errors.delta).toHaveLength(106)
    for (const greek of ['delta', 'gamma', 'vega', 'theta', 'rho'] as const) {
      expect(Math.max(...errors[greek])).toBeLessThan(seen[greek] * 1.02 + 1.01e-5)
    }
    expect(quantile(errors.mark, 0.9)).toBeLessThan(seen.mark_price_p90 * 1.02)
    expect(Math.max(...errors.mark)).toBeLessThan(seen.mark_price_max * 1.02)
  })

  test.skipIf(!isHere)('single tickers of 2022', () => {
    for (const { instrument_name, timestamp, underlying_price, mark_iv, ...of } of model.cases) {
      const contract = contractOf(instrument_name)
      const forward9 = count9(underlying_price)
      const market = { forward9, volatility9: count9(mark_iv / 100), time: timestamp * 1_000 }
      const greeks = optionGreeks9(contract, market)
      const mark = Math.abs(optionPrice9(contract, market) / ONE9 - of.expect.mark_price)
      expect(mark).toBeLessThanOrEqual(of.tolerance.mark_price)
      for (const greek of ['delta', 'gamma', 'vega', 'theta', 'rho'] as const) {
        const error = Math.abs(greeks[`${greek}9`] / ONE9 - of.expect[greek])
        expect(error).toBeLessThanOrEqual(of.tolerance[greek])
      }
    }
  })
})

describe('golden put-call-parity', () => {
  test.skipIf(!isHere)('C - P = 1 - K / F on 342 real pairs, and in our prices exactly', () => {
    const { expect: facts } = goldenFile('put-call-parity.json')
    const path = recordedFile('deribit', 'book-summary-eth-2024-01-08', 'book_summary.csv.gz')
    const rows = recordsOf(gunzipSync(readFileSync(path)).toString('utf8'))
    const byName = new Map(rows.map((row) => [row['instrument_name'] ?? '', row]))
    const real: number[] = []
    const ours: number[] = []
    for (const [name, call] of byName) {
      const put = byName.get(name.replace(/-C$/, '-P'))
      if (!name.endsWith('-C') || put === undefined) continue
      const forward = Number(call['underlying_price'])
      const parity = 1 - Number(call['strike_price']) / forward
      real.push(Math.abs(Number(call['mark_price']) - Number(put['mark_price']) - parity))
      const contract = contractOf(name)
      const time = Number(call['creation_timestamp']) * 1_000
      const market = { forward9: count9(forward), volatility9: 600_000_000, time }
      const priceOf = (right: 'call' | 'put'): number =>
        optionPrice9({ ...contract, right, step9: 1 }, market) / ONE9
      ours.push(Math.abs(priceOf('call') - priceOf('put') - parity))
    }
    expect(real).toHaveLength(facts.pairs)
    expect(quantile(real, 0.5)).toBeLessThanOrEqual(facts.median_abs_error_max)
    expect(quantile(real, 0.9)).toBeLessThanOrEqual(facts.p90_abs_error_max)
    expect(Math.max(...real)).toBeLessThanOrEqual(facts.max_abs_error_max)
    expect(Math.max(...ours)).toBeLessThanOrEqual(2.5e-9)
  })
})
