/** Answers of histories that have dropped their oldest records say from when on they are complete. */
import { describe, expect, test } from 'vitest'
import { micros } from '../../../../src/core/index.ts'
import { openVenue, type Venue } from '../../../../src/index.ts'
import {
  defaultConfig,
  type HistoryLimits,
  readSettings,
  venueSettings,
  writeSettings,
} from '../../../../src/model/index.ts'
import { parseScenario } from '../../../../src/scenario/index.ts'
import type { Json } from '../../../support/desk-market.ts'

const start = 1_767_603_600_000
const instrument_name = 'BTC-PERPETUAL'

/** A venue with the given number of trades, one a second, each of two orders that end. */
function traded(count: number, historyLimits: Partial<HistoryLimits> = {}): Venue {
  const venue = openVenue({
    start: '2026-01-05T09:00:00Z',
    instruments: [instrument_name],
    index: { btc_usd: 50_000 },
    accounts: { a: { BTC: 1000 }, b: { BTC: 1000 } },
    config: { historyLimits },
  })
  for (let at = 0; at < count; at += 1) {
    const order = { instrument_name, amount: 10, price: 50_000 }
    venue.as('a').request('private/sell', order)
    venue.as('b').request('private/buy', order)
    venue.request('sim/advance', { to: start + (at + 1) * 1000 })
  }
  return venue
}

function ask(venue: Venue, method: string, params: object, account: string | null = 'a'): Json {
  const asking: Json = account === null ? venue : venue.as(account)
  const { ok, result, error } = asking.request(method, params)
  expect(error).toBeUndefined()
  expect(ok).toBe(true)
  return result
}

const publicTrades = 'public/get_last_trades_by_instrument'
const range = { start_timestamp: 0, end_timestamp: 4_000_000_000_000 }

describe('a history of 10 trades that keeps 4', () => {
  // At 8 the oldest 4 go; of 10 the last 6 are left, from the fifth on.
  const venue = traded(10, { trades: 4, endedOrders: 4, transactions: 4 })
  const first = start + 4000

  test('B02 public trades say before which time or sequence they were cut', () => {
    const byTime = ask(venue, publicTrades, { instrument_name, sorting: 'asc', count: 3 }, null)
    expect(byTime).toMatchObject({ has_more: true, truncated_before: first })
    expect(byTime.trades[0].trade_seq).toBe(5)
    const bySequence = { instrument_name, start_seq: 1, end_seq: 4 }
    const gone = ask(venue, publicTrades, bySequence, null)
    expect(gone).toEqual({ trades: [], has_more: false, truncated_before: 5 })
    const byCurrency = { currency: 'BTC', sorting: 'asc' }
    const ofCurrency = ask(venue, 'public/get_last_trades_by_currency', byCurrency, null)
    expect(ofCurrency).toMatchObject({ truncated_before: first })
  })

  test('B02 a range that the history still holds whole says nothing of the cut', () => {
    for (const part of [{ start_seq: 5 }, { start_timestamp: first + 1 }]) {
      const page = ask(venue, publicTrades, { instrument_name, ...part }, null)
      expect(Object.keys(page)).toEqual(['trades', 'has_more'])
    }
  })

  test('B02 trades, orders and log of an account say before which time they were cut', () => {
    const own = { instrument_name, sorting: 'asc' }
    const trades = ask(venue, 'private/get_user_trades_by_instrument', own)
    expect(trades).toMatchObject({ truncated_before: first })
    const paged = { instrument_name, with_continuation: true }
    const orders = ask(venue, 'private/get_order_history_by_instrument', paged)
    expect(orders.truncated_before).toBeGreaterThan(start)
    const triggers = ask(venue, 'private/get_trigger_order_history', { currency: 'BTC' })
    expect(triggers.truncated_before).toBe(orders.truncated_before)
    const log = ask(venue, 'private/get_transaction_log', { currency: 'BTC', ...range })
    expect(log.truncated_before).toBeGreaterThan(start)
    expect(log.truncated_before).toBe(log.logs.at(-1).timestamp)
  })
})

test('B02 settlements of currency and account say before which time they were cut', () => {
  const venue = traded(1, { settlements: 1, accountSettlements: 1 })
  venue.request('sim/advance', { to: start + 72 * 3_600_000 })
  for (const method of ['public/get_last_settlements_by_currency', 'private/get_settlement_history_by_currency']) {
    const page = ask(venue, method, { currency: 'BTC' })
    expect(page.truncated_before).toBe(page.settlements.at(-1).timestamp)
  }
})

test('B02 a venue that was restored from its snapshot reports the cut of a history', () => {
  const venue = traded(10, { trades: 4 })
  ask(venue, 'sim/snapshot', { name: 'kept' }, null)
  ask(venue, 'sim/restore', { name: 'kept' }, null)
  const page = ask(venue, publicTrades, { instrument_name, start_seq: 1 }, null)
  expect(page.truncated_before).toBe(5)
})

test('B02 histories without a cut answer with the fields that they always had', () => {
  const venue = traded(10)
  const page = ask(venue, publicTrades, { instrument_name, start_seq: 1 }, null)
  expect(Object.keys(page)).toEqual(['trades', 'has_more'])
  const own = ask(venue, 'private/get_user_trades_by_instrument', { instrument_name })
  expect(Object.keys(own)).toEqual(['trades', 'has_more'])
  const paged = { instrument_name, with_continuation: true }
  const orders = ask(venue, 'private/get_order_history_by_instrument', paged)
  expect(Object.keys(orders)).toEqual(['orders', 'continuation'])
  const log = ask(venue, 'private/get_transaction_log', { currency: 'BTC', ...range })
  expect(Object.keys(log)).toEqual(['logs', 'continuation'])
})

test.each([0, 1.5, 2_000_000_000])('B02 %s is no limit of a history', (trades) => {
  expect(() => traded(0, { trades })).toThrow('historyLimits.trades')
})

test('B02 limits of a history go through a journal, and a scenario file sets them', () => {
  const historyLimits = { trades: 7, endedOrders: 8, accountSettlements: 9 }
  const config = { ...defaultConfig(micros(start * 1000)), historyLimits }
  const written = writeSettings(venueSettings, config)
  const words = { trades: 7, ended_orders: 8, account_settlements: 9 }
  expect(written).toHaveProperty('history_limits', words)
  const reading = { place: 'journal', start: config.start, path: [] } as const
  const { start: _start, ...settings } = config
  expect(readSettings(venueSettings, written, reading)).toEqual({ values: settings, faults: [] })
  const text = `version: 1
title: limits
start: 2026-01-05T09:00:00Z
instruments: [BTC-PERPETUAL]
index: { btc_usd: 50000 }
venue: { history_limits: { trades: 7, ended_orders: 8, account_settlements: 9 } }
steps:
  - { at: 0s, call: public/get_time }
`
  const parsed = parseScenario(text, 'limits.yaml')
  expect(parsed).toMatchObject({ ok: true, value: { config: { historyLimits } } })
})
