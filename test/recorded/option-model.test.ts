/**
 * Values of options, compared with observed tickers. Tickers print forward and volatility with two decimals, which
 * limits the precision of the other fields; `option-model.json` lists the limits.
 * Source: market.md 7; golden files option-model and put-call-parity.
 */
import { readFileSync } from 'node:fs'
import { gunzipSync } from 'node:zlib'
import { describe, expect, test } from 'vitest'
import { impliedVolatility9, optionGreeks9, optionPrice9 } from '../../src/pricing/index.ts'
import { goldenFile } from '../support/golden.ts'
import { contractOf, count9, ONE9 } from '../support/option-contracts.ts'
import { recordedFile } from '../support/recorded-feeds.ts'

/** Rows of a CSV file as records. */
function recordsOf(text: string): readonly Record<string, string>[] {
  const [head = '', ...lines] = text.trim().split('\n')
  const names = head.trim().split(',')
  return lines.map((line) => {
    const values = line.trim().split(',')
    return Object.fromEntries(names.map((name, at) => [name, values[at] ?? '']))
  })
}

/** The value below which the given share of the values lies. */
function quantile(values: readonly number[], part: number): number {
  const sorted = [...values].sort((left, right) => left - right)
  return sorted[Math.floor(part * (sorted.length - 1))] ?? 0
}

const model = goldenFile('option-model.json')

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

/** The differences between the printed values of tickers and those computed from their forward and volatility. */
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
  test('the capture of July 2021: 89 tickers', () => {
    const seen = model.observed_error_on_stored_files['capture-2021-07-22 (89 tickers)']
    const errors = errorsOf('capture-2021-07-22/option_tickers.csv')
    expect(errors.delta).toHaveLength(89)
    for (const greek of ['delta', 'gamma', 'vega', 'theta', 'rho'] as const) {
      // The expected errors have two digits, and greeks here are rounded like those of the tickers.
      expect(Math.max(...errors[greek])).toBeLessThan(seen[greek] * 1.02 + 1.01e-5)
    }
    expect(quantile(errors.mark, 0.9)).toBeLessThan(seen.mark_price_p90 * 1.02)
    expect(Math.max(...errors.mark)).toBeLessThan(seen.mark_price_max * 1.02)
    expect(Math.max(...errors.bid)).toBeLessThan(seen.bid_iv_max * 1.01)
    expect(quantile(errors.ask, 0.9)).toBeLessThan(seen.ask_iv_p90 * 1.01)
  })

  test('the file of January 2022: 106 tickers', () => {
    const seen = model.observed_error_on_stored_files['options-eth-2022-01-27 (106 tickers)']
    const errors = errorsOf('options-eth-2022-01-27/option_tickers.csv')
    expect(errors.delta).toHaveLength(106)
    for (const greek of ['delta', 'gamma', 'vega', 'theta', 'rho'] as const) {
      expect(Math.max(...errors[greek])).toBeLessThan(seen[greek] * 1.02 + 1.01e-5)
    }
    expect(quantile(errors.mark, 0.9)).toBeLessThan(seen.mark_price_p90 * 1.02)
    expect(Math.max(...errors.mark)).toBeLessThan(seen.mark_price_max * 1.02)
  })

  test('single tickers of 2022', () => {
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
  test('C - P = 1 - K / F holds for 342 observed pairs, and exactly for our prices', () => {
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
      const priceOf = (right: 'call' | 'put'): number => optionPrice9({ ...contract, right, step9: 1 }, market) / ONE9
      ours.push(Math.abs(priceOf('call') - priceOf('put') - parity))
    }
    expect(real).toHaveLength(facts.pairs)
    expect(quantile(real, 0.5)).toBeLessThanOrEqual(facts.median_abs_error_max)
    expect(quantile(real, 0.9)).toBeLessThanOrEqual(facts.p90_abs_error_max)
    expect(Math.max(...real)).toBeLessThanOrEqual(facts.max_abs_error_max)
    expect(Math.max(...ours)).toBeLessThanOrEqual(2.5e-9)
  })
})
