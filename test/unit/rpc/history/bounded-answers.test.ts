/** Answers from a history that has dropped its oldest records, compared with one that keeps them all. */
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { micros } from '../../../../src/core/index.ts'
import { defaultConfig, type HistoryLimits } from '../../../../src/model/index.ts'
import { createDesk, type Desk, ownMethods, type RequestParams, submit } from '../../../../src/rpc/index.ts'
import type { Json } from '../../../support/desk-market.ts'

const [minute, hour, day] = [60_000, 3_600_000, 86_400_000]
/** 2026-01-05T09:00:00Z. */
const first = 1_767_603_600_000
const perpetual = { instrument_name: 'BTC-PERPETUAL' }

function ask(desk: Desk, account: string | null, method: string, params: RequestParams): Json {
  let answer: Json
  const time = desk.exchange.now
  submit(desk, { time, method, params, account, session: 0 }, (reply) => {
    answer = reply.ok ? reply.result : reply.error
  })
  return answer
}

function market(history: Partial<HistoryLimits>): Desk {
  const config = { ...defaultConfig(micros(first * 1000)), priceBands: false }
  const desk = createDesk({ config, controls: true, methods: ownMethods, history }, { emit: () => {} })
  ask(desk, null, 'sim/list_instrument', perpetual)
  ask(desk, null, 'sim/set_index', { index_name: 'btc_usd', price: 50_000 })
  for (const name of ['alice', 'bob']) {
    ask(desk, null, 'sim/create_account', { name })
    ask(desk, null, 'sim/deposit', { account: name, currency: 'BTC', amount: 10 })
  }
  return desk
}

describe('statistics of a day', () => {
  interface Wish {
    /** Since the trade before, in milliseconds. */
    readonly wait: number
    readonly lots: number
    readonly price: number
  }

  function trade(desk: Desk, { wait, lots, price }: Wish): void {
    const at = Math.floor(desk.exchange.now / 1000) + wait
    // A day at a full minute begins just after it.
    ask(desk, null, 'sim/advance', { to: at % minute === 0 ? at + 1 : at })
    const order = { ...perpetual, amount: 10 * lots, price }
    ask(desk, 'alice', 'private/sell', order)
    const { trades } = ask(desk, 'bob', 'private/buy', order)
    expect(trades).toHaveLength(1)
  }

  const statistics = (desk: Desk): Json => ask(desk, null, 'public/ticker', perpetual).stats

  const wishes = fc.array(
    fc.record({
      wait: fc.oneof(fc.nat(5 * minute), fc.nat(9 * hour)),
      lots: fc.integer({ min: 1, max: 50 }),
      price: fc.integer({ min: 49_000, max: 51_000 }),
    }),
    { minLength: 1, maxLength: 25 },
  )

  test('T104 T105 a tape that is cut has the same day at every full minute', () => {
    fc.assert(
      fc.property(wishes, fc.integer({ min: 1, max: 6 }), (given, trades) => {
        const [few, all] = [market({ trades }), market({})]
        for (const wish of given) {
          trade(few, wish)
          trade(all, wish)
        }
        for (let part = 0; part < 4; part += 1) {
          for (const desk of [few, all]) {
            const now = Math.floor(desk.exchange.now / 1000)
            const to = now - (now % minute) + minute + part * 7 * hour
            ask(desk, null, 'sim/advance', { to })
          }
          expect(statistics(few)).toEqual(statistics(all))
        }
      }),
      { numRuns: 30 },
    )
  })

  test('in the minute in which the day begins, all trades count after the tape has lost them', () => {
    const [few, all] = [market({ trades: 1 }), market({})]
    for (const desk of [few, all]) {
      trade(desk, { wait: 10_000, lots: 1, price: 49_000 })
      trade(desk, { wait: 20_000, lots: 2, price: 50_500 })
      trade(desk, { wait: hour, lots: 4, price: 50_000 })
      // Between the first two trades.
      ask(desk, null, 'sim/advance', { to: first + day + 20_000 })
    }
    expect(statistics(all)).toMatchObject({ volume_usd: 60, low: 50_000, high: 50_500 })
    expect(statistics(few)).toMatchObject({ volume_usd: 70, low: 49_000, high: 50_500 })
    // From the end of that minute on both are the same again.
    for (const desk of [few, all]) ask(desk, null, 'sim/advance', { to: first + day + minute })
    expect(statistics(few)).toEqual(statistics(all))
    expect(statistics(few)).toMatchObject({ volume_usd: 40, price_change: -0.9901 })
  })
})

describe('funding of a history that has dropped old prices', () => {
  const range = { ...perpetual, start_timestamp: 0, end_timestamp: 4_000_000_000_000 }

  /** Twelve hours in which mark and index change by the minute. */
  function halfDay(history: Partial<HistoryLimits>): Desk {
    const desk = market(history)
    for (let at = 0; at < 720; at += 1) {
      ask(desk, null, 'sim/set_index', { index_name: 'btc_usd', price: 50_000 + (at % 3) })
      ask(desk, null, 'sim/set_mark', { ...perpetual, price: 50_100 + (at % 2) })
      ask(desk, null, 'sim/advance', { to: first + (at + 1) * minute })
    }
    return desk
  }

  const [few, all] = [halfDay({ prices: 100 }), halfDay({})]
  const hours = (desk: Desk): Json => ask(desk, null, 'public/get_funding_rate_history', range)

  test('T38 stored hours equal those of an endless history, others are left out', () => {
    const known = hours(few)
    expect(hours(all)).toHaveLength(12)
    expect(known.length).toBeGreaterThan(0)
    expect(known.length).toBeLessThan(4)
    const same = hours(all).slice(-known.length)
    for (const [at, { interest_8h, ...own }] of known.entries()) {
      expect(same[at]).toMatchObject(own)
      expect(interest_8h).toBeLessThanOrEqual(same[at].interest_8h)
      expect(interest_8h).toBeGreaterThanOrEqual(own.interest_1h)
    }
  })

  test('no sum includes what was dropped: the value since the start is the value of the stored part', () => {
    const value = (desk: Desk, start: number): Json =>
      ask(desk, null, 'public/get_funding_rate_value', { ...range, start_timestamp: start })
    expect([...all.history.funding.values()].map(({ knownFrom }) => knownFrom)).toEqual([0])
    const [rates] = few.history.funding.values()
    expect(rates?.knownFrom).toBe(rates?.times[0])
    const [{ timestamp }] = hours(few)
    expect(value(few, timestamp)).toBe(value(all, timestamp))
    expect(value(few, 0)).toBeLessThan(value(all, 0) / 2)
    expect(value(few, 0)).toBe(value(few, first))
  })

  test('a chart begins with the history', () => {
    const chart = (desk: Desk): Json =>
      ask(desk, null, 'public/get_funding_chart_data', { ...perpetual, length: '8h' }).data
    expect(chart(all)).toHaveLength(480)
    expect(chart(few).length).toBeGreaterThan(0)
    expect(chart(few).length).toBeLessThan(200)
    for (const { index_price } of chart(few)) expect(index_price).toBeGreaterThan(0)
  })
})
