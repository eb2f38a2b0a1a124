/**
 * public/get_tradingview_chart_data. Source: market.md 8 (T105).
 */
import { describe, expect, test } from 'vitest'
import type { RequestParams } from '../../src/rpc/index.ts'
import { type DeskMarket, deskMarket, type Json } from '../support/desk-market.ts'
import { trade } from '../support/settled-day.ts'

const method = 'public/get_tradingview_chart_data'
const instrument_name = 'BTC-PERPETUAL'
/** 2026-01-05T09:00:00Z, a full hour. */
const first = 1_767_603_600_000
const minute = 60_000

function at(m: DeskMarket, minutes: number, amount: number, price: number): void {
  m.venue.at(new Date(first + minutes * minute).toISOString())
  trade(m, { buyer: 'bob', seller: 'alice', instrument_name, amount, price })
}

/** Trades in the minutes 1, 3 and 7. */
function traded(): DeskMarket {
  const m = deskMarket()
  at(m, 1, 1000, 50_000)
  at(m, 1.25, 500, 50_200)
  at(m, 1.5, 500, 49_800.5)
  at(m, 1.75, 100, 49_900)
  at(m, 3, 10, 50_100)
  at(m, 7, 20, 50_300)
  m.result(null, 'sim/advance', { to: first + 10 * minute })
  return m
}

describe('bars', () => {
  const m = traded()
  const chart = (params: RequestParams = {}): Json =>
    m.result(null, method, {
      ...{ instrument_name, start_timestamp: first, end_timestamp: first + 10 * minute },
      ...{ resolution: '1', ...params },
    })

  test('of one minute: bars without trades repeat the close, and bars before the first trade are missing', () => {
    const { status, ticks, open, high, low, close, volume, cost } = chart()
    expect(status).toBe('ok')
    expect(ticks).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10].map((bar) => first + bar * minute))
    expect(open.slice(0, 7)).toEqual([50_000, 49_900, 50_100, 50_100, 50_100, 50_100, 50_300])
    expect(high.slice(0, 3)).toEqual([50_200, 49_900, 50_100])
    expect(low.slice(0, 3)).toEqual([49_800.5, 49_900, 50_100])
    expect(close.slice(0, 3)).toEqual([49_900, 49_900, 50_100])
    expect(cost.slice(0, 7)).toEqual([2100, 0, 10, 0, 0, 0, 20])
    // 1000/50000 + 500/50200 + 500/49800.5 + 100/49900 BTC.
    expect(volume.slice(0, 2)).toEqual([0.04200423, 0])
    for (const list of [open, high, low, close, volume, cost]) expect(list).toHaveLength(10)
  })

  test('T105 volume in coin with 8 decimals, cost in USD', () => {
    const desk = deskMarket({ index: { btc_usd: 87_456 } })
    at(desk, 2, 8370, 87_456)
    const bar = desk.result(null, method, {
      ...{ instrument_name, start_timestamp: first, end_timestamp: first + 2 * minute },
      resolution: '1',
    })
    expect(bar).toEqual({
      ...{ status: 'ok', ticks: [first + 2 * minute], volume: [0.09570527], cost: [8370] },
      ...{ open: [87_456], high: [87_456], low: [87_456], close: [87_456] },
    })
  })

  test('of several minutes are aligned to the epoch', () => {
    expect(chart({ resolution: '5' })).toMatchObject({
      ticks: [0, 5, 10].map((bar) => first + bar * minute),
      ...{ open: [50_000, 50_300, 50_300], high: [50_200, 50_300, 50_300] },
      ...{ low: [49_800.5, 50_300, 50_300], close: [50_100, 50_300, 50_300] },
      cost: [2110, 20, 0],
    })
    const midnight = Date.UTC(2026, 0, 5)
    expect(chart({ resolution: '1D' })).toMatchObject({ ticks: [midnight], cost: [2130] })
    expect(chart({ resolution: '720' }).ticks).toEqual([midnight])
    for (const resolution of ['3', '10', '15', '30', '60', '120', '180', '360']) {
      const { cost } = chart({ resolution })
      expect(cost.reduce((sum: number, bar: number) => sum + bar, 0)).toBe(2130)
    }
  })

  test('from the bar that contains the start to the bar that contains the end', () => {
    const { ticks, close } = chart({
      ...{ start_timestamp: first + 2.5 * minute, end_timestamp: first + 4.5 * minute },
    })
    expect(ticks).toEqual([2, 3, 4].map((bar) => first + bar * minute))
    expect(close).toEqual([49_900, 50_100, 50_100])
  })

  test('not before the first trade, and not in the future', () => {
    const none = { status: 'no_data', ticks: [], open: [], volume: [], cost: [] }
    expect(chart({ end_timestamp: first + minute - 1 })).toMatchObject(none)
    expect(chart({ start_timestamp: first + 20 * minute, end_timestamp: 2 * first })).toMatchObject(none)
    expect(chart({ end_timestamp: 2 * first }).ticks.at(-1)).toBe(first + 10 * minute)
  })

  test('the newest 5000 bars at most', () => {
    const long = traded()
    long.result(null, 'sim/advance', { to: first + 6000 * minute })
    const { ticks } = long.result(null, method, {
      ...{ instrument_name, start_timestamp: 0, end_timestamp: 2 * first, resolution: '1' },
    })
    expect([ticks.length, ticks.at(-1)]).toEqual([5000, first + 6000 * minute])
  })
})

test('linear trades: volume in base coin, cost in quote', () => {
  const m = deskMarket({
    ...{ instruments: ['BTC_USDC-PERPETUAL'], index: { btc_usdc: 50_000 } },
    accounts: { alice: { USDC: 100_000 }, bob: { USDC: 100_000 } },
  })
  const of = { buyer: 'bob', seller: 'alice', instrument_name: 'BTC_USDC-PERPETUAL' }
  trade(m, { ...of, amount: 0.02, price: 50_100 })
  const chart = m.result(null, method, {
    ...{ instrument_name: of.instrument_name, resolution: '60' },
    ...{ start_timestamp: first, end_timestamp: first + minute },
  })
  expect(chart).toMatchObject({ volume: [0.02], cost: [1002], close: [50_100] })
})

test.each([
  [{ resolution: '2' }, '-32602 Invalid params resolution unknown_value'],
  [{ resolution: 1 }, '-32602 Invalid params resolution unknown_value'],
  [{ resolution: null }, '-32602 Invalid params resolution required'],
  [{ start_timestamp: 9 }, '-32602 Invalid params start_timestamp start_after_end'],
  [{ end_timestamp: 'x' }, '-32602 Invalid params end_timestamp wrong_type'],
  [{ instrument_name: 'X' }, '13020 not_found'],
])('%j is refused', (params, expected) => {
  const asked = { instrument_name, start_timestamp: 1, end_timestamp: 2, resolution: '1' }
  expect(deskMarket().refusal(null, method, { ...asked, ...params })).toBe(expected)
})
