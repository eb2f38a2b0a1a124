/**
 * Funding rates over time: their value, hours, charts, and the fields of tickers and positions.
 * Source: market.md 3.4 (T36, T38), 8.
 */
import { describe, expect, test } from 'vitest'
import type { RequestParams } from '../../src/rpc/index.ts'
import { type DeskMarket, deskMarket, type Json } from '../support/desk-market.ts'

const perpetual = { instrument_name: 'BTC-PERPETUAL' }
const value = 'public/get_funding_rate_value'
const history = 'public/get_funding_rate_history'
const chart = 'public/get_funding_chart_data'
/** 2026-01-05T09:00:00Z. */
const first = 1_767_603_600_000
const [minute, hour] = [60_000, 3_600_000]

function setMark(m: DeskMarket, at: number, price: number): void {
  m.venue.at(new Date(at - 1).toISOString())
  m.result(null, 'sim/set_mark', { ...perpetual, price })
}

/**
 * The rate is 0.0002 from 10:00 to 10:30 and otherwise 0: the mark is 0.045 % above the index, less the damper of 0.025
 * %.
 */
function halfAnHour(): DeskMarket {
  const m = deskMarket({ index: { btc_usd: 100_000 } })
  setMark(m, first + hour, 100_045)
  setMark(m, first + 1.5 * hour, 100_000)
  return m
}

describe('public/get_funding_rate_value', () => {
  const m = halfAnHour()
  m.result(null, 'sim/advance', { to: first + 4 * hour })
  const between = (start: number, end: number): Json =>
    m.result(null, value, { ...perpetual, start_timestamp: start, end_timestamp: end })

  test('T38 the integral of the rate, exact for any start and end', () => {
    expect(between(first + hour, first + 2 * hour)).toBe(0.0000125)
    expect(between(first, first + 4 * hour)).toBe(0.0000125)
    expect(between(first + hour, first + 1.25 * hour)).toBe(0.00000625)
    expect(between(first + 1.25 * hour, first + 9 * hour)).toBe(0.00000625)
    // One millisecond at 0.0002 per 8 hours.
    expect(between(first + hour, first + hour + 1)).toBe(6.944444e-12)
    expect(between(first + 2 * hour, first + 3 * hour)).toBe(0)
    expect(between(first + hour, first + hour)).toBe(0)
  })

  test('nothing in the future, nothing before the listing', () => {
    expect(between(first + 5 * hour, first + 6 * hour)).toBe(0)
    expect(between(0, first)).toBe(0)
  })
})

describe('public/get_funding_rate_history', () => {
  const m = halfAnHour()
  m.venue.at('2026-01-05T12:15:00Z')
  m.result(null, 'sim/set_index', { index_name: 'btc_usd', price: 101_000 })
  m.result(null, 'sim/advance', { to: first + 11 * hour + 5 })
  const hours = (params: RequestParams = {}): Json =>
    m.result(null, history, {
      ...{ ...perpetual, start_timestamp: 0, end_timestamp: 4_000_000_000_000, ...params },
    })

  test('T38 the interest of an hour, the sum of the last eight hours, and the index at both ends', () => {
    const [before, mixed, after, fourth] = hours()
    expect(before).toEqual({
      ...{ timestamp: first + hour, index_price: 100_000, prev_index_price: 100_000 },
      ...{ interest_1h: 0, interest_8h: 0 },
    })
    expect(mixed).toMatchObject({ timestamp: first + 2 * hour, interest_1h: 0.0000125 })
    expect(after).toMatchObject({ interest_1h: 0, interest_8h: 0.0000125 })
    expect(fourth).toMatchObject({ index_price: 101_000, prev_index_price: 100_000 })
    const eight = hours().map(({ interest_8h }: Json) => interest_8h)
    const sums = hours().map((_: Json, at: number) =>
      hours()
        .slice(Math.max(0, at - 7), at + 1)
        .reduce((sum: number, { interest_1h }: Json) => sum + interest_1h, 0),
    )
    for (const [at, interest] of eight.entries()) expect(interest).toBeCloseTo(sums[at], 15)
  })

  test('the hours that end between start and end, inclusive, without the current hour', () => {
    const ends = (start: number, end: number): Json =>
      hours({ start_timestamp: start, end_timestamp: end }).map(({ timestamp }: Json) => timestamp)
    expect(ends(first + hour, first + 3 * hour)).toEqual([1, 2, 3].map((at) => first + at * hour))
    expect(ends(first + hour + 1, first + 2 * hour - 1)).toEqual([])
    expect(hours()).toHaveLength(11)
  })

  test('one call returns the newest 744 hours at most', () => {
    const long = halfAnHour()
    long.result(null, 'sim/advance', { to: first + 1000 * hour })
    const found = long.result(null, history, {
      ...{ ...perpetual, start_timestamp: 0, end_timestamp: 4_000_000_000_000 },
    })
    expect(found).toHaveLength(744)
    expect(found.at(-1).timestamp).toBe(first + 1000 * hour)
  })
})

describe('public/get_funding_chart_data', () => {
  const m = halfAnHour()
  m.result(null, 'sim/advance', { to: first + 2 * hour })

  test.each([
    ['8h', minute, 121],
    ['24h', 5 * minute, 25],
    ['1m', hour, 3],
  ])('%s has a point for each %i ms since listing', (length, spacing, count) => {
    const { data, current_interest, interest_8h } = m.result(null, chart, { ...perpetual, length })
    expect(data).toHaveLength(count)
    expect([data[0].timestamp, data[1].timestamp - data[0].timestamp]).toEqual([first, spacing])
    expect(data.at(-1)).toEqual({
      ...{ timestamp: first + 2 * hour, index_price: 100_000, interest_8h: 0.0000125 },
    })
    expect([current_interest, interest_8h]).toEqual([0, 0.0000125])
  })

  test('a full window has as many points as it has intervals', () => {
    const long = halfAnHour()
    long.result(null, 'sim/advance', { to: first + 900 * hour })
    const count = (length: string): number => long.result(null, chart, { ...perpetual, length }).data.length
    expect([count('8h'), count('24h'), count('1m')]).toEqual([480, 288, 720])
  })

  test('another length is refused', () => {
    expect(m.refusal(null, chart, { ...perpetual, length: '1y' })).toBe('-32602 Invalid params length unknown_value')
    expect(m.refusal(null, chart, perpetual)).toBe('-32602 Invalid params length required')
  })
})

describe('tickers and positions', () => {
  test('funding_8h is the average of 8 hours, current_funding the rate now', () => {
    const m = deskMarket({ index: { btc_usd: 100_000 } })
    setMark(m, first + hour, 100_045)
    m.result(null, 'sim/advance', { to: first + 5 * hour })
    m.venue.wait('999us')
    const ticker = m.result(null, 'public/ticker', perpetual)
    // Four of eight hours at 0.0002. The request comes 2 ms later.
    expect(ticker).toMatchObject({ current_funding: 0.0002, funding_8h: 0.0001 })
    const [summary] = m.result(null, 'public/get_book_summary_by_instrument', perpetual)
    expect(summary).toMatchObject({ current_funding: 0.0002, funding_8h: 0.0001 })
    // From 14:00 on the mark is the index. Two of the 8 hours until 20:00 had the rate.
    setMark(m, first + 5 * hour + minute, 100_000)
    m.result(null, 'sim/advance', { to: first + 11 * hour + minute })
    const later = m.result(null, 'public/ticker', perpetual)
    expect(later).toMatchObject({ current_funding: 0, funding_8h: 0.00005 })
  })

  test('T36 interest_value and realized_funding of a long position through three rates', () => {
    const { venue } = deskMarket({
      index: { btc_usd: 10_000 },
      accounts: { alice: { BTC: 100 } },
    })
    const reference = (seconds: number, index: number, mark: number): void => {
      venue.at(new Date(first + 1_000_000 + seconds * 1000).toISOString())
      venue.request('sim/set_index', { index_name: 'btc_usd', price: index })
      venue.request('sim/set_mark', { ...perpetual, price: mark })
    }
    const give = { account: 'alice', ...perpetual, amount: 250_000, price: 10_000 }
    venue.request('sim/give_position', give)
    const positionOf = (): unknown => {
      const reply = venue.as('alice').request('private/get_position', perpetual)
      return reply.ok ? reply.result : reply.error
    }
    reference(0, 10_000, 10_010)
    reference(60, 10_005, 10_005)
    expect(positionOf()).toMatchObject({
      ...{ realized_funding: -0.000039063, realized_profit_loss: -0.000039063 },
      interest_value: 0.00015625,
    })
    reference(90, 9980.5, 9973.014625)
    venue.wait('90s')
    expect(positionOf()).toMatchObject({
      ...{ realized_funding: 0.000000076, interest_value: -3.05282801463e-7 },
    })
    const ticker = venue.request('public/ticker', perpetual)
    const funding = { current_funding: -0.0005, interest_value: -3.05282801463e-7 }
    expect(ticker).toMatchObject({ result: funding })
  })
})

describe('wrong instruments and times', () => {
  const m = deskMarket({ instruments: ['BTC-PERPETUAL', 'BTC-27MAR26'] })
  const range = { start_timestamp: 1, end_timestamp: 2 }

  test.each([value, history, chart])('%s', (method) => {
    const params = { ...range, length: '8h' }
    const dated = { ...params, instrument_name: 'BTC-27MAR26' }
    expect(m.refusal(null, method, dated)).toBe('10031 invalid_args_for_instrument')
    expect(m.refusal(null, method, { ...params, instrument_name: 'X' })).toBe('13020 not_found')
    expect(m.refusal(null, method, params)).toBe('-32602 Invalid params instrument_name required')
  })

  test.each([value, history])('%s with wrong times', (method) => {
    const asked = (params: RequestParams): string => m.refusal(null, method, { ...perpetual, ...params })
    const late = { start_timestamp: 5, end_timestamp: 4 }
    expect(asked(late)).toBe('-32602 Invalid params start_timestamp start_after_end')
    expect(asked({ start_timestamp: 5 })).toBe('-32602 Invalid params end_timestamp required')
    expect(asked({ ...range, end_timestamp: -1 })).toContain('end_timestamp too_small')
  })
})
