/**
 * Indices, delivery prices, histories of marks, and methods that clients call at their start.
 * Source: market.md 3.1, 3.5, 8; coverage R63.
 */
import { describe, expect, test } from 'vitest'
import type { RequestParams } from '../../src/rpc/index.ts'
import { deskMarket, type Json } from '../support/desk-market.ts'
import { settledAt, settledDay } from '../support/settled-day.ts'

const perpetual = { instrument_name: 'BTC-PERPETUAL' }
const first = 1_767_603_600_000
const day = 86_400_000

describe('public/get_index_price and get_index_price_names', () => {
  test('the index and the estimated delivery price, which equals the index outside the window', () => {
    const m = deskMarket({ index: { btc_usd: 50_000, eth_usd: 2500.25 } })
    const price = (index_name: string): Json => m.result(null, 'public/get_index_price', { index_name })
    expect(price('btc_usd')).toEqual({ index_price: 50_000, estimated_delivery_price: 50_000 })
    expect(price('eth_usd')).toEqual({ index_price: 2500.25, estimated_delivery_price: 2500.25 })
    expect(m.result(null, 'public/get_index_price_names')).toEqual(['btc_usd', 'eth_usd'])
  })

  test('T40 in the last half hour of an expiry, the mean of the values so far', () => {
    const m = deskMarket({ instruments: ['BTC-6JAN26'], index: { btc_usd: 60_000 } })
    const { venue } = m
    for (let sample = 0; sample < 150; sample += 1) {
      venue.at(new Date(settledAt - 1_800_000 + sample * 4000 - 1).toISOString())
      venue.request('sim/set_index', { index_name: 'btc_usd', price: 60_000 + sample })
    }
    // Values of an instant are taken before its requests, so the last value was taken 4 s ago.
    venue.at(new Date(settledAt - 1_200_000 - 1).toISOString())
    expect(venue.request('public/get_index_price', { index_name: 'btc_usd' })).toMatchObject({
      result: { index_price: 60_149, estimated_delivery_price: 60_074.5 },
    })
    const ticker = venue.request('public/ticker', { instrument_name: 'BTC-6JAN26' })
    expect(ticker).toMatchObject({ result: { estimated_delivery_price: 60_074.5 } })
  })

  test('an index that the run does not know: -32602', () => {
    const m = deskMarket()
    for (const method of ['public/get_index_price', 'public/get_delivery_prices']) {
      const asked = (params: RequestParams): string => m.refusal(null, method, params)
      const unknown = '-32602 Invalid params index_name unknown_value'
      expect(asked({ index_name: 'doge_usd' })).toBe(unknown)
      expect(asked({})).toBe('-32602 Invalid params index_name required')
    }
  })
})

describe('public/get_delivery_prices', () => {
  const m = settledDay()
  m.result(null, 'sim/set_index', { index_name: 'btc_usd', price: 46_000.5 })
  m.result(null, 'sim/advance', { to: settledAt + day })
  m.result(null, 'sim/advance', { to: settledAt + 2 * day })
  const page = (params: RequestParams = {}): Json =>
    m.result(null, 'public/get_delivery_prices', { index_name: 'btc_usd', ...params })
  const all = [
    { date: '2026-01-08', delivery_price: 46_000.5 },
    { date: '2026-01-07', delivery_price: 46_000.5 },
    { date: '2026-01-06', delivery_price: 45_000 },
  ]

  test('one for each day, newest first, with the total count', () => {
    expect(page()).toEqual({ data: all, records_total: 3 })
  })

  test('offset and count', () => {
    expect(page({ count: 2 })).toEqual({ data: all.slice(0, 2), records_total: 3 })
    expect(page({ offset: 1, count: 1 })).toEqual({ data: all.slice(1, 2), records_total: 3 })
    expect(page({ offset: 5 })).toEqual({ data: [], records_total: 3 })
  })

  test.each([
    [{ count: 0 }, 'count too_small'],
    [{ count: 1001 }, 'count too_large'],
    [{ offset: -1 }, 'offset too_small'],
    [{ offset: 0.5 }, 'offset wrong_type'],
  ])('R38 %j is refused', (params, problem) => {
    const asked = { index_name: 'btc_usd', ...params }
    expect(m.refusal(null, 'public/get_delivery_prices', asked)).toBe(`-32602 Invalid params ${problem}`)
  })
})

describe('public/get_mark_price_history', () => {
  const method = 'public/get_mark_price_history'

  test('changes between two times, both inclusive to the millisecond', () => {
    const m = deskMarket()
    for (const price of [50_100, 50_200, 50_300]) {
      m.result(null, 'sim/set_mark', { ...perpetual, price })
    }
    const marks = (start: number, end: number): Json =>
      m.result(null, method, { ...perpetual, start_timestamp: start, end_timestamp: end })
    expect(marks(0, first + day)).toEqual([
      [first, 50_000],
      [first + 1, 50_100],
      [first + 2, 50_200],
      [first + 3, 50_300],
    ])
    expect(marks(first + 2, first + 2)).toEqual([[first + 2, 50_200]])
    expect(marks(first + 4, first + day)).toEqual([])
    m.venue.wait('999us')
    m.result(null, 'sim/set_mark', { ...perpetual, price: 50_400 })
    const [[at]] = marks(first + 5, first + day)
    expect(marks(at, at)).toEqual([[at, 50_400]])
  })

  test('an instrument without an index has no history', () => {
    const m = deskMarket({ index: {} })
    const range = { start_timestamp: 0, end_timestamp: first + day }
    expect(m.result(null, method, { ...perpetual, ...range })).toEqual([])
  })

  test('wrong times and names', () => {
    const m = deskMarket()
    const asked = (params: RequestParams): string => m.refusal(null, method, params)
    const range = { start_timestamp: 5, end_timestamp: 6 }
    expect(asked({ ...range, instrument_name: 'X' })).toBe('13020 not_found')
    const late = { ...perpetual, start_timestamp: 7, end_timestamp: 6 }
    expect(asked(late)).toBe('-32602 Invalid params start_timestamp start_after_end')
    expect(asked(perpetual)).toBe('-32602 Invalid params start_timestamp required')
  })
})

describe('instruments and currencies (R63)', () => {
  test('public/get_contract_size', () => {
    const names = ['BTC-PERPETUAL', 'ETH-PERPETUAL', 'BTC_USDC-PERPETUAL', 'BTC_USDC']
    const m = deskMarket({ instruments: names })
    const size = (instrument_name: string): Json => m.result(null, 'public/get_contract_size', { instrument_name })
    expect(names.map(size)).toEqual([10, 1, 0.001, 0.0001].map((contract_size) => ({ contract_size })))
    const missing = { instrument_name: 'BTC-1JAN27' }
    expect(m.refusal(null, 'public/get_contract_size', missing)).toBe('13020 not_found')
  })

  test('public/get_instrument equals an entry of get_instruments, also after delivery', () => {
    const m = settledDay()
    const one = (instrument_name: string): Json => m.result(null, 'public/get_instrument', { instrument_name })
    const [open] = m.result(null, 'public/get_instruments', { kind: 'future' })
    expect(one('BTC-PERPETUAL')).toEqual(open)
    expect(one('BTC-6JAN26')).toMatchObject({ state: 'delivered', is_active: false })
    const missing = { instrument_name: 'BTC-1JAN27' }
    expect(m.refusal(null, 'public/get_instrument', missing)).toBe('13020 not_found')
  })

  test('S022 R44 public/get_currencies lists the twelve currencies that accounts can hold', () => {
    const listed = deskMarket().result(null, 'public/get_currencies')
    expect(listed.map(({ currency }: Json) => currency)).toEqual([
      ...['BTC', 'ETH', 'USDC', 'USDT', 'EURR', 'SOL'],
      ...['XRP', 'STETH', 'USYC', 'PAXG', 'BNB', 'USDE'],
    ])
    expect(listed[0]).toMatchObject({ currency_long: 'Bitcoin', decimals: 8, withdrawal_fee: 0 })
  })
})
