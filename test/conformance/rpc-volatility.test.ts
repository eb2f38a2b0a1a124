/**
 * Volatilities of a currency and charts of an index. Source: market.md 7 (volatility index), 8; coverage R63.
 */
import { describe, expect, test } from 'vitest'
import type { RequestParams } from '../../src/rpc/index.ts'
import { type DeskMarket, deskMarket, type Json } from '../support/desk-market.ts'

/** 2026-01-05T09:00:00Z, a full hour. */
const first = 1_767_603_600_000
const [second, minute, hour, day] = [1000, 60_000, 3_600_000, 86_400_000]

function setIndex(m: DeskMarket, after: number, price: number): void {
  m.venue.at(new Date(first + after).toISOString())
  m.venue.request('sim/set_index', { index_name: 'btc_usd', price })
}

function wait(m: DeskMarket, after: number): void {
  m.venue.at(new Date(first + after).toISOString())
}

describe('R63 public/get_historical_volatility', () => {
  const reported = (m: DeskMarket, currency = 'BTC'): Json =>
    m.result(null, 'public/get_historical_volatility', { currency })

  test('the sample deviation of returns of up to 15 days, a day apart', () => {
    const m = deskMarket({ index: { btc_usd: 100_000 } })
    const prices = [100_000]
    for (let count = 1; count <= 20; count += 1) {
      const price = 100_000 + ((count * 7919) % 11) * 1000
      prices.push(price)
      // Values that are set during a day do not count.
      setIndex(m, (count - 1) * day + 5 * hour, 50_000 + count)
      setIndex(m, count * day, price)
    }
    const returns = prices.slice(-15).map((price, at) => {
      const before = prices[prices.length - 16 + at] ?? Number.NaN
      return Math.log(price / before)
    })
    const mean = returns.reduce((sum, each) => sum + each, 0) / 15
    const squares = returns.reduce((sum, each) => sum + (each - mean) ** 2, 0)
    const [time, volatility] = reported(m).at(-1)
    expect(time).toBe(first + 20 * day)
    expect(volatility).toBeCloseTo(Math.sqrt((squares / 14) * 365) * 100, 7)
  })

  test('one value for each hour of 16 days, from the second day of a known index on', () => {
    const m = deskMarket()
    wait(m, 2 * day - 2)
    expect(reported(m)).toEqual([])
    wait(m, 2 * day)
    expect(reported(m)).toEqual([[first + 2 * day, 0]])
    wait(m, 30 * day)
    expect(reported(m)).toHaveLength(384)
    expect(reported(m)[0]).toEqual([first + 14 * day + hour, 0])
  })

  test('a currency without an index in USD has no values', () => {
    const m = deskMarket()
    wait(m, 3 * day)
    expect(reported(m, 'USDC')).toEqual([])
    expect(m.refusal(null, 'public/get_historical_volatility', { currency: 'XYZ' })).toBe(
      '-32602 Invalid params currency unknown_value',
    )
  })
})

describe('R63 public/get_index_chart_data', () => {
  const chart = (m: DeskMarket, range: string): Json =>
    m.result(null, 'public/get_index_chart_data', { index_name: 'btc_usd', range })

  test('means are weighted by time, and the last point covers only a completed interval', () => {
    const m = deskMarket({ index: { btc_usd: 60_000 } })
    setIndex(m, 15 * second, 60_600)
    setIndex(m, 90 * second, 60_000)
    // Each request comes a millisecond later.
    wait(m, 2 * minute - 1)
    const points = [
      [first, 60_450],
      [first + minute, 60_300],
    ]
    expect(chart(m, '1h')).toEqual(points)
    wait(m, 4 * minute - 1)
    // The price was 600 higher for 75 of 240 s.
    expect(chart(m, '1d')).toEqual([[first, 60_187.5]])
    wait(m, 5 * minute - 1)
    expect(chart(m, '2d')).toEqual([[first, 60_150]])
    expect(chart(m, '1h').slice(0, 2)).toEqual(points)
  })

  test.each([
    ['1h', hour, minute],
    ['1d', day, 5 * minute],
    ['2d', 2 * day, 10 * minute],
    ['1m', 30 * day, hour],
    ['1y', 365 * day, day],
  ])('%s goes back that far, with points at that interval', (range, back, spacing) => {
    const m = deskMarket()
    wait(m, 400 * day)
    const points = chart(m, range)
    const now = Math.floor(m.venue.now / 1000)
    expect(points[0][0]).toBe(now - back - ((now - back) % spacing))
    const gaps = points.slice(1).map(([time]: Json, at: number) => time - points[at][0])
    expect(new Set(gaps)).toEqual(new Set([spacing]))
    expect(now - points.at(-1)[0]).toBeLessThanOrEqual(spacing)
  })

  test('hourly points agree with those by the minute, and go back further than stored prices', () => {
    const few = deskMarket({ config: { historyLimits: { prices: 8 } } })
    const all = deskMarket()
    for (const m of [few, all]) {
      for (let count = 1; count <= 120; count += 1) {
        setIndex(m, count * 7 * minute, 50_000 + ((count * 7919) % 400))
      }
    }
    expect(chart(few, '1m').slice(-8)).toEqual(chart(all, '1m').slice(-8))
    const [time, price] = chart(all, '1m')[3]
    const minutes = chart(all, '1d').filter(([at]: Json) => at >= time && at < time + hour)
    const sum = minutes.reduce((total: number, [, mean]: Json) => total + mean, 0)
    expect(minutes).toHaveLength(12)
    expect(price).toBeCloseTo(sum / 12, 6)
  })

  test('wrong parameters', () => {
    const m = deskMarket()
    const asked = (params: RequestParams): string => m.refusal(null, 'public/get_index_chart_data', params)
    expect(asked({ index_name: 'doge_usd', range: '1h' })).toBe('-32602 Invalid params index_name unknown_value')
    expect(asked({ index_name: 'btc_usd', range: '3h' })).toBe('-32602 Invalid params range unknown_value')
  })
})

describe('R63 public/get_supported_index_names', () => {
  test('lists of indices by the products that use them', () => {
    const m = deskMarket({
      instruments: ['BTC-PERPETUAL', 'BTC_USDC', 'ETH_USDC-PERPETUAL'],
      index: { btc_usd: 50_000, btc_usdc: 50_000, eth_usdc: 2500, doge_usdc: 1 },
    })
    const names = (params: RequestParams = {}): Json => m.result(null, 'public/get_supported_index_names', params)
    expect(names()).toEqual(['btc_usd', 'btc_usdc', 'eth_usdc', 'doge_usdc'])
    expect(names({ type: 'spot' })).toEqual(['btc_usdc'])
    expect(names({ type: 'derivative' })).toEqual(['btc_usd', 'eth_usdc'])
  })
})
