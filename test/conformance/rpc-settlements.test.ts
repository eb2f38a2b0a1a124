/**
 * Records of settlements, deliveries and bankruptcies: the public ones and those of an account.
 * Source: interface document, Settlement record and public/get_last_settlements_by_currency; market.md 3.6, 3.7;
 * coverage R38-R40, R66.
 */
import { describe, expect, test } from 'vitest'
import { amount } from '../../src/core/index.ts'
import type { RequestParams } from '../../src/rpc/index.ts'
import { type DeskMarket, deskMarket, type Json } from '../support/desk-market.ts'
import { dayInstruments, settledAt, settledDay } from '../support/settled-day.ts'

const [perpetual, delivered, later] = dayInstruments
const byCurrency = 'public/get_last_settlements_by_currency'
const byInstrument = 'public/get_last_settlements_by_instrument'
const ownByCurrency = 'private/get_settlement_history_by_currency'
const ownByInstrument = 'private/get_settlement_history_by_instrument'
const day = 86_400_000

const m = settledDay()

const records = (params: RequestParams = {}): Json =>
  m.result(null, byCurrency, { currency: 'BTC', ...params }).settlements

/** Records as `type instrument`. */
const named = (list: Json): readonly string[] =>
  list.map(({ type, instrument_name = '' }: Json) => `${type} ${instrument_name}`.trim())

describe('public records', () => {
  test('R39 newest first: bankruptcy, settlements, delivery, even without open interest', () => {
    expect(named(records())).toEqual([
      'bankruptcy',
      `settlement ${later}`,
      `settlement ${perpetual}`,
      `delivery ${delivered}`,
    ])
    expect(new Set(records().map(({ timestamp }: Json) => timestamp))).toEqual(new Set([settledAt]))
  })

  test('S106-S113 R40 fields of a settlement and a delivery, exactly', () => {
    const [, , settled, gone] = records()
    expect(settled).toEqual({
      ...{ type: 'settlement', timestamp: settledAt, instrument_name: perpetual },
      ...{ index_price: 45_000, mark_price: 45_000, position: 350_000 },
      ...{ profit_loss: 0, session_profit_loss: 0, funding: 0 },
    })
    // S113: only records of perpetuals have funding.
    expect(gone).toEqual({
      ...{ type: 'delivery', timestamp: settledAt, instrument_name: delivered },
      ...{ index_price: 45_000, mark_price: 45_000, position: 10_000 },
      ...{ profit_loss: 0, session_profit_loss: 0 },
    })
  })

  test('S114 S108 R66 fields of a bankruptcy, exactly: both spellings, no instrument', () => {
    expect(records({ type: 'bankruptcy' })).toEqual([
      {
        ...{ type: 'bankruptcy', timestamp: settledAt, session_profit_loss: 0.088489687 },
        ...{ session_bankruptcy: 0.066666667, session_bankrupcy: 0.066666667 },
        ...{ funded: 0.05, socialized: -0.016666667 },
        ...{ session_tax: -0.016666667, session_tax_rate: 0.188345869 },
      },
    ])
  })

  test('S189 by type', () => {
    expect(named(records({ type: 'settlement' }))).toEqual([`settlement ${later}`, `settlement ${perpetual}`])
    expect(named(records({ type: 'delivery' }))).toEqual([`delivery ${delivered}`])
  })

  test('by instrument; bankruptcies have no instrument', () => {
    const of = (instrument_name: string, params: RequestParams = {}): Json =>
      m.result(null, byInstrument, { instrument_name, ...params }).settlements
    expect(named(of(perpetual))).toEqual([`settlement ${perpetual}`])
    expect(named(of(delivered))).toEqual([`delivery ${delivered}`])
    expect(of(perpetual, { type: 'bankruptcy' })).toEqual([])
    expect(m.refusal(null, byInstrument, { instrument_name: 'BTC-1JAN27' })).toBe('13020 not_found')
  })

  test('S188 the listed currencies, and no others', () => {
    for (const currency of ['ETH', 'USDC', 'USDT', 'EURR', 'SOL']) {
      const page = m.result(null, byCurrency, { currency })
      expect(page).toEqual({ settlements: [], continuation: 'none' })
    }
    const asked = (params: RequestParams): string => m.refusal(null, byCurrency, params)
    expect(asked({ currency: 'DOGE' })).toBe('-32602 Invalid params currency unknown_value')
    expect(asked({})).toBe('-32602 Invalid params currency required')
  })

  test('S192 search_start_timestamp is the latest time, inclusive', () => {
    expect(records({ search_start_timestamp: settledAt })).toHaveLength(4)
    expect(records({ search_start_timestamp: settledAt - 1 })).toEqual([])
  })
})

describe('pages (S190, S191, S193)', () => {
  test('S191 each token leads to the next page; the last page has no token', () => {
    const seen: string[] = []
    let params: RequestParams = { currency: 'BTC', count: 3 }
    const first = m.result(null, byCurrency, params)
    seen.push(...named(first.settlements))
    expect(seen).toHaveLength(3)
    expect(first.continuation).toMatch(/^[1-9A-HJ-NP-Za-km-z]+$/)
    params = { ...params, continuation: first.continuation }
    const second = m.result(null, byCurrency, params)
    expect(second.continuation).toBe('none')
    expect([...seen, ...named(second.settlements)]).toEqual(named(records()))
  })

  test('S190 20 by default, up to 1000', () => {
    const many = settledDay()
    for (let days = 1; days <= 10; days += 1) {
      many.result(null, 'sim/advance', { to: settledAt + days * day })
    }
    const page = (params: RequestParams): Json => many.result(null, byCurrency, { currency: 'BTC', ...params })
    expect(page({}).settlements).toHaveLength(20)
    expect(page({}).settlements[0].timestamp).toBe(settledAt + 10 * day)
    expect(page({ count: 1000 })).toMatchObject({ continuation: 'none' })
    expect(page({ count: 1000 }).settlements).toHaveLength(24)
  })

  test.each([
    [{ count: 0 }, 'count too_small'],
    [{ count: 1001 }, 'count too_large'],
    [{ count: 1.5 }, 'count wrong_type'],
    [{ count: '5' }, 'count wrong_type'],
    [{ continuation: 'none' }, 'continuation invalid'],
    [{ continuation: '0OIl' }, 'continuation invalid'],
    [{ continuation: 7 }, 'continuation wrong_type'],
    [{ type: 'expiry' }, 'type unknown_value'],
    [{ search_start_timestamp: -1 }, 'search_start_timestamp too_small'],
  ])('R38 S190 S191 %j is refused in all four lists', (params, problem) => {
    const expected = `-32602 Invalid params ${problem}`
    const instrument_name = perpetual
    expect(m.refusal(null, byCurrency, { currency: 'BTC', ...params })).toBe(expected)
    expect(m.refusal(null, byInstrument, { instrument_name, ...params })).toBe(expected)
    expect(m.refusal('bob', ownByCurrency, { currency: 'BTC', ...params })).toBe(expected)
    expect(m.refusal('bob', ownByInstrument, { instrument_name, ...params })).toBe(expected)
  })
})

describe('an account’s own records (market.md 3.6)', () => {
  const own = (account: string, params: RequestParams = {}): Json =>
    m.result(account, ownByCurrency, { currency: 'BTC', ...params }).settlements

  test('the position before, the realized profit, and the total profit', () => {
    expect(own('alice')).toEqual([
      {
        ...{ type: 'settlement', timestamp: settledAt, instrument_name: perpetual },
        ...{ index_price: 45_000, mark_price: 45_000, position: 50_000, funding: 0 },
        ...{ profit_loss: 0, session_profit_loss: -0.111111111 },
      },
      {
        ...{ type: 'delivery', timestamp: settledAt, instrument_name: delivered },
        ...{ index_price: 45_000, mark_price: 45_000, position: -10_000 },
        ...{ profit_loss: 0.022621424, session_profit_loss: 0.022621424 },
      },
    ])
  })

  test('R66 the bankrupt account, and the accounts that paid a part of the loss', () => {
    expect(own('carol', { type: 'bankruptcy' })).toEqual([
      {
        ...{ type: 'bankruptcy', timestamp: settledAt, session_profit_loss: -0.666666667 },
        ...{ session_bankruptcy: 0.066666667, session_bankrupcy: 0.066666667 },
        ...{ session_tax: 0, session_tax_rate: 0.188345869 },
        ...{ funded: 0.05, socialized: -0.016666667 },
      },
    ])
    expect(own('bob', { type: 'bankruptcy' })).toEqual([
      {
        ...{ type: 'bankruptcy', timestamp: settledAt, session_profit_loss: 0.088489687 },
        ...{ session_bankruptcy: 0, session_bankrupcy: 0 },
        ...{ session_tax: -0.016666667, session_tax_rate: 0.188345869 },
        ...{ funded: 0, socialized: -0.016666667 },
      },
    ])
    expect(own('alice', { type: 'bankruptcy' })).toEqual([])
  })

  test('market.md 3.7 the payment of the fund is divided among debtors by their losses', () => {
    const two = deskMarket({
      accounts: { ann: { BTC: 1 }, one: { BTC: 0.6 }, two: { BTC: 0.6 } },
      config: { insuranceFund: { BTC: amount(50_000_000n) }, marks: 'index' },
    })
    for (const [account, size] of [
      ['one', 300_000],
      ['two', 330_000],
      ['ann', -450_000],
    ] as const) {
      const of = { account, instrument_name: perpetual, amount: size, price: 50_000 }
      two.result(null, 'sim/give_position', of)
    }
    two.result(null, 'sim/set_index', { index_name: 'btc_usd', price: 45_000 })
    two.result(null, 'sim/advance', { to: settledAt })
    const bankrupt = (account: string | null, method: string): Json =>
      two.result(account, method, { currency: 'BTC', type: 'bankruptcy' }).settlements[0]
    // Losses of 0.066666667 and 0.133333333, of which the fund pays a quarter.
    const all = bankrupt(null, byCurrency)
    expect(all).toMatchObject({ session_bankruptcy: 0.2, funded: 0.05, socialized: -0.15 })
    const { session_tax_rate } = all
    expect(bankrupt('one', ownByCurrency)).toMatchObject({
      ...{ session_bankruptcy: 0.066666667, funded: 0.016666667, socialized: -0.05 },
      ...{ session_tax: 0, session_tax_rate },
    })
    expect(bankrupt('two', ownByCurrency)).toMatchObject({
      ...{ session_bankruptcy: 0.133333333, funded: 0.033333333, socialized: -0.1 },
      ...{ session_tax: 0, session_tax_rate },
    })
    expect(bankrupt('ann', ownByCurrency)).toMatchObject({
      ...{ session_bankruptcy: 0, funded: 0, socialized: -0.15 },
      ...{ session_tax: -0.15, session_tax_rate },
    })
  })

  test('by instrument, by type, by time and in pages', () => {
    const of = (params: RequestParams): Json =>
      m.result('bob', ownByInstrument, { instrument_name: delivered, ...params })
    expect(named(of({}).settlements)).toEqual([`delivery ${delivered}`])
    expect(of({ type: 'settlement' }).settlements).toEqual([])
    expect(own('bob', { search_start_timestamp: settledAt - 1 })).toEqual([])
    const page = m.result('bob', ownByCurrency, { currency: 'BTC', count: 2 })
    const { continuation } = page
    const rest = m.result('bob', ownByCurrency, { currency: 'BTC', continuation })
    expect([...named(page.settlements), ...named(rest.settlements)]).toEqual(named(own('bob')))
    expect(m.refusal('bob', ownByInstrument, { instrument_name: 'X' })).toBe('13020 not_found')
    expect(m.refusal(null, ownByCurrency, { currency: 'BTC' })).toContain('13009')
  })
})

test('S111 S112 sums of all holders: zero up to the rounding of each', () => {
  const moved: DeskMarket = settledDay()
  const instrument_name = perpetual
  moved.result('alice', 'private/sell', { instrument_name, amount: 20_010, price: 45_010 })
  moved.result('bob', 'private/buy', { instrument_name, amount: 20_010, price: 45_010 })
  moved.result(null, 'sim/set_index', { index_name: 'btc_usd', price: 45_678.9 })
  moved.result(null, 'sim/advance', { to: settledAt + day })
  const [settled] = moved.result(null, byInstrument, { instrument_name, count: 1 }).settlements
  const parts = ['alice', 'bob', 'carol'].map(
    (account) => moved.result(account, ownByInstrument, { instrument_name, count: 1 }).settlements[0],
  )
  expect(settled.timestamp).toBe(settledAt + day)
  // The house account holds the other side of carol's position, and has no public record.
  expect(Math.abs(settled.session_profit_loss)).toBeLessThanOrEqual(4e-9)
  expect(Math.abs(settled.profit_loss)).toBeLessThanOrEqual(4e-9)
  expect(parts[0].profit_loss).not.toBe(0)
  expect(parts[0].profit_loss).toBe(-parts[1].profit_loss)
  expect(settled.position).toBe(329_990)
})

describe('records of options', () => {
  const call = 'BTC-6JAN26-40000-C'
  const untouched = 'BTC-6JAN26-60000-C'
  const stays = 'BTC-27MAR26-50000-C'

  /** Alice bought 1.5 calls from Bob. They expire at 50,000 at the next 08:00. */
  function delivered(): DeskMarket {
    const venue = deskMarket({
      instruments: ['BTC-PERPETUAL', 'BTC_USDC', call, untouched, stays],
      index: { btc_usd: 50_000, btc_usdc: 50_000 },
      config: { priceBands: false },
    })
    for (const instrument_name of [call, stays]) {
      const order = { instrument_name, amount: 1.5, price: 0.2 }
      venue.result('bob', 'private/sell', order)
      venue.result('alice', 'private/buy', order)
    }
    venue.venue.at('2026-01-06T08:00:01Z')
    return venue
  }

  test('S033 S034 R39 R40 delivered options have a record, even without open interest; others do not', () => {
    const venue = delivered()
    const { settlements } = venue.result(null, byCurrency, { currency: 'BTC' })
    expect(named(settlements)).toEqual(['settlement BTC-PERPETUAL', `delivery ${untouched}`, `delivery ${call}`])
    const [, empty, full] = settlements
    // The size is in coin, and the profits of the holders sum to zero.
    expect(full).toMatchObject({
      ...{ type: 'delivery', position: 1.5, mark_price: 50_000, index_price: 50_000 },
      ...{ profit_loss: 0, session_profit_loss: 0 },
    })
    expect(full).not.toHaveProperty('funding')
    expect(empty).toMatchObject({ position: 0, profit_loss: 0 })
    expect(venue.result(null, byCurrency, { currency: 'USDC' }).settlements).toEqual([])
    expect(venue.result(null, 'public/ticker', { instrument_name: call })).toMatchObject({
      ...{ state: 'delivered', delivery_price: 50_000 },
    })
  })

  test('S033 an option that stays open has neither a record nor a cash flow', () => {
    const venue = delivered()
    for (const account of ['alice', 'bob']) {
      const own = venue.result(account, ownByCurrency, { currency: 'BTC' }).settlements
      expect(named(own)).toEqual([`delivery ${call}`])
      const span = { start_timestamp: 0, end_timestamp: 4_000_000_000_000 }
      const { logs } = venue.result(account, 'private/get_transaction_log', {
        ...{ currency: 'BTC', ...span },
      })
      const rows = logs.filter(({ instrument_name }: Json) => instrument_name === stays)
      expect(rows.map(({ type }: Json) => type)).toEqual(['trade'])
    }
  })

  test('the holder receives the intrinsic value, and the writer pays it', () => {
    const venue = delivered()
    const of = (account: string): Json => venue.result(account, ownByCurrency, { currency: 'BTC' }).settlements[0]
    // 10,000 of 50,000 for each of 1.5 coins.
    expect(of('alice')).toMatchObject({ position: 1.5, session_profit_loss: expect.any(Number) })
    const balance = (account: string): number =>
      venue.result(account, 'private/get_account_summary', { currency: 'BTC' }).balance
    // Premiums of 0.3 each, 0.3 from the delivery, and fees of 0.00045 each. Delivery of daily options is free.
    expect([balance('alice'), balance('bob')]).toEqual([9.6991, 10.2991])
  })
})
