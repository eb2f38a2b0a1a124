/**
 * public/get_volatility_index_data: the volatility of the next 30 days, from prices of options. Source: market.md 7
 * (volatility index), 8.
 */
import { describe, expect, test } from 'vitest'
import type { RequestParams } from '../../src/rpc/index.ts'
import { type DeskMarket, deskMarket, type Json } from '../support/desk-market.ts'

/** 2026-01-28T08:00:00Z: 30, 16 and 58 days before the last Fridays of February, the 13th, and of March. */
const first = 1_769_587_200_000
const [second, minute] = [1000, 60_000]

/** The mark of an option at the money, for a volatility and the days left. */
function atTheMoney(volatility: number, days: number): number {
  const deviation = volatility * Math.sqrt(days / 365)
  // 2 N(x) - 1 by its series, x = deviation / 2.
  let [term, sum] = [deviation / 2, deviation / 2]
  for (let count = 1; count < 12; count += 1) {
    term *= -((deviation / 2) ** 2) / (2 * count)
    sum += term / (2 * count + 1)
  }
  return Math.round(sum * Math.sqrt(2 / Math.PI) * 1e9) / 1e9
}

function optionMarket(...options: string[]): DeskMarket {
  return deskMarket({
    start: '2026-01-28T08:00:00Z',
    instruments: options,
    index: { btc_usd: 60_000 },
    config: { smiles: { btc_usd: { atm9: 550_000_000, skew9: -100_000_000, curvature9: 0 } } },
  })
}

function mark(m: DeskMarket, after: number, instrument_name: string, price: number): void {
  m.venue.at(new Date(first + after).toISOString())
  const reply = m.venue.request('sim/set_mark', { instrument_name, price })
  expect(reply).toMatchObject({ ok: true })
}

function candles(m: DeskMarket, params: RequestParams = {}): Json {
  return m.result(null, 'public/get_volatility_index_data', {
    ...{ currency: 'BTC', start_timestamp: 0, end_timestamp: first + 86_400_000 },
    ...{ resolution: '1', ...params },
  })
}

function valueNow(m: DeskMarket): number {
  return candles(m).data.at(-1)[4]
}

describe('R63 the volatility of 30 days', () => {
  test('between two expiries it interpolates total variance', () => {
    const m = optionMarket('BTC-13FEB26-60000-C', 'BTC-27MAR26-60000-C')
    mark(m, 0, 'BTC-13FEB26-60000-C', atTheMoney(0.5, 16))
    mark(m, 0, 'BTC-27MAR26-60000-C', atTheMoney(0.6, 58))
    const variance = 0.25 * 16 + (0.36 * 58 - 0.25 * 16) * (14 / 42)
    expect(valueNow(m)).toBe(Math.round(Math.sqrt(variance / 30) * 10_000) / 100)
  })

  test('an expiry in exactly 30 days gives the index; beyond the last expiry the last one does', () => {
    const m = optionMarket('BTC-13FEB26-60000-C', 'BTC-27FEB26-60000-P', 'BTC-27MAR26-60000-C')
    mark(m, 0, 'BTC-13FEB26-60000-C', atTheMoney(0.9, 16))
    mark(m, 0, 'BTC-27MAR26-60000-C', atTheMoney(0.2, 58))
    mark(m, 0, 'BTC-27FEB26-60000-P', atTheMoney(0.4, 30))
    expect(valueNow(m)).toBe(40)
    const short = optionMarket('BTC-13FEB26-60000-C')
    mark(short, 0, 'BTC-13FEB26-60000-C', atTheMoney(0.7, 16))
    expect(valueNow(short)).toBe(70)
    const long = optionMarket('BTC-27MAR26-60000-C')
    mark(long, 0, 'BTC-27MAR26-60000-C', atTheMoney(0.8, 58))
    expect(valueNow(long)).toBe(80)
  })

  test('calls and puts of a strike have equal weight; strikes around the forward are weighted by distance', () => {
    const [call, put] = ['BTC-27FEB26-60000-C', 'BTC-27FEB26-60000-P']
    const m = optionMarket(call, put, 'BTC-27FEB26-64000-C', 'BTC-27FEB26-90000-C')
    mark(m, 0, call, atTheMoney(0.4, 30))
    mark(m, 0, put, atTheMoney(0.5, 30))
    expect(valueNow(m)).toBe(45)
    // At 61000, a quarter of the way to 64000, each strike keeps its volatility.
    for (const name of [call, put]) m.result(null, 'sim/set_mark', { instrument_name: name })
    m.result(null, 'sim/set_index', { index_name: 'btc_usd', price: 61_000 })
    const iv = (name: string): number => m.result(null, 'public/ticker', { instrument_name: name }).mark_iv
    const low = (iv(call) + iv(put)) / 2
    const high = iv('BTC-27FEB26-64000-C')
    expect(valueNow(m)).toBeCloseTo(low + (high - low) / 4, 1)
    expect(high).not.toBe(low)
  })

  test('without options the index has no value', () => {
    expect(candles(deskMarket())).toEqual({ data: [], continuation: null })
    const m = optionMarket('BTC-27FEB26-60000-C')
    expect(candles(m, { currency: 'ETH' })).toEqual({ data: [], continuation: null })
  })
})

describe('R63 candles', () => {
  const name = 'BTC-27FEB26-60000-C'

  function moved(): DeskMarket {
    const m = optionMarket(name)
    mark(m, 10 * second, name, atTheMoney(0.6, 30))
    // Only the last value of a second counts.
    mark(m, 20 * second, name, atTheMoney(0.9, 30))
    mark(m, 20 * second + 500, name, atTheMoney(0.5, 30))
    mark(m, 90 * second, name, atTheMoney(0.52, 30))
    m.venue.at(new Date(first + 3 * minute).toISOString())
    return m
  }

  test('open, high, low and close of a minute; a minute without a change repeats the last value', () => {
    expect(candles(moved(), { resolution: '60' })).toEqual({
      data: [
        [first, 55, 60, 50, 50],
        [first + minute, 50, 52, 50, 52],
        [first + 2 * minute, 52, 52, 52, 52],
        [first + 3 * minute, 52, 52, 52, 52],
      ],
      continuation: null,
    })
  })

  test('candles that begin between the requested times', () => {
    const m = moved()
    const span = { start_timestamp: first + 1, end_timestamp: first + 2 * minute }
    const { data } = candles(m, { resolution: '60', ...span })
    expect(data.map(([time]: Json) => time)).toEqual([first + minute, first + 2 * minute])
    expect(candles(m, { resolution: '1D' }).data).toEqual([[first - 28_800_000, 55, 60, 50, 52]])
    const late = { start_timestamp: first + 2, end_timestamp: first + 1 }
    expect(
      m.refusal(null, 'public/get_volatility_index_data', {
        ...{ currency: 'BTC', resolution: '1', ...late },
      }),
    ).toBe('-32602 Invalid params start_timestamp start_after_end')
  })

  test('at most a thousand, and the continuation leads to earlier ones', () => {
    const m = moved()
    m.venue.at(new Date(first + 2500 * second).toISOString())
    const pages: Json[] = []
    let end_timestamp: number | null = first + 86_400_000
    while (end_timestamp !== null) {
      const page: Json = candles(m, { end_timestamp })
      pages.unshift(page.data)
      end_timestamp = page.continuation
    }
    expect(pages.map(({ length }) => length)).toEqual([501, 1000, 1000])
    const times = pages.flat().map(([time]) => time)
    expect(times).toEqual(times.map((_time, at) => first + at * second))
  })
})
