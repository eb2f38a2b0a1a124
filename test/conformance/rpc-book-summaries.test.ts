/**
 * Summaries of books.
 * Source: market.md 8; coverage R19, R43, R67.
 */
import { describe, expect, test } from 'vitest'
import type { RequestParams } from '../../src/rpc/index.ts'
import { deskMarket, type Json } from '../support/desk-market.ts'
import { dayInstruments, settledAt, settledDay, trade } from '../support/settled-day.ts'

const [perpetual, delivered, later] = dayInstruments
const byCurrency = 'public/get_book_summary_by_currency'
const byInstrument = 'public/get_book_summary_by_instrument'

describe('public/get_book_summary_by_currency and _by_instrument', () => {
  const first = 1_767_603_600_000

  test('R19 an empty side is null, and so is the mid price', () => {
    const m = deskMarket()
    expect(m.result(null, byInstrument, { instrument_name: perpetual })).toEqual([
      {
        ...{ instrument_name: perpetual, base_currency: 'BTC', quote_currency: 'USD' },
        ...{ creation_timestamp: first + 1, bid_price: null, ask_price: null, mid_price: null },
        ...{ mark_price: 50_000, last: null, high: null, low: null, price_change: null },
        ...{ volume: 0, volume_usd: 0, volume_notional: 0, open_interest: 0 },
        ...{ estimated_delivery_price: 50_000, funding_8h: 0, current_funding: 0 },
      },
    ])
    m.result('alice', 'private/buy', { instrument_name: perpetual, amount: 10, price: 49_990.5 })
    const [one] = m.result(null, byInstrument, { instrument_name: perpetual })
    expect(one).toMatchObject({ bid_price: 49_990.5, ask_price: null, mid_price: null })
    m.result('alice', 'private/sell', { instrument_name: perpetual, amount: 10, price: 50_010 })
    const [both] = m.result(null, byInstrument, { instrument_name: perpetual })
    expect(both).toMatchObject({ ask_price: 50_010, mid_price: 50_000.25 })
  })

  test('statistics and open interest equal those of the ticker', () => {
    const m = deskMarket()
    const of = { buyer: 'bob', seller: 'alice', instrument_name: perpetual }
    trade(m, { ...of, amount: 1000, price: 50_000 })
    trade(m, { ...of, amount: 500, price: 50_100 })
    const [summary] = m.result(null, byInstrument, { instrument_name: perpetual })
    const { stats, open_interest } = m.result(null, 'public/ticker', {
      instrument_name: perpetual,
    })
    expect(summary).toMatchObject({ ...stats, open_interest, last: 50_100 })
  })

  test('R43 by currency and kind: the settlement currency; for spot, base and quote currency', () => {
    const m = deskMarket({
      instruments: ['BTC-PERPETUAL', 'BTC-27MAR26', 'BTC_USDC', 'BTC_USDC-PERPETUAL', 'ETH_BTC'],
    })
    const names = (params: RequestParams): Json =>
      m.result(null, byCurrency, params).map(({ instrument_name }: Json) => instrument_name)
    expect(names({ currency: 'BTC' })).toEqual([...['BTC-PERPETUAL', 'BTC-27MAR26', 'BTC_USDC', 'ETH_BTC']])
    expect(names({ currency: 'BTC', kind: 'future' })).toEqual(['BTC-PERPETUAL', 'BTC-27MAR26'])
    expect(names({ currency: 'USDC', kind: 'any' })).toEqual(['BTC_USDC', 'BTC_USDC-PERPETUAL'])
    expect(names({ currency: 'EURR' })).toEqual([])
    const [spot] = m.result(null, byCurrency, { currency: 'USDC', kind: 'spot' })
    for (const field of ['open_interest', 'estimated_delivery_price', 'current_funding']) {
      expect(spot).not.toHaveProperty(field)
    }
  })

  test('a delivered instrument is in no list, but can be requested by name', () => {
    const m = settledDay()
    const names = m.result(null, byCurrency, { currency: 'BTC' }).map(({ instrument_name }: Json) => instrument_name)
    expect(names).toEqual([perpetual, later])
    expect(m.result(null, byInstrument, { instrument_name: delivered })).toHaveLength(1)
  })

  test('wrong parameters', () => {
    const m = deskMarket()
    expect(m.refusal(null, byCurrency, {})).toBe('-32602 Invalid params currency required')
    expect(m.refusal(null, byCurrency, { currency: 'any' })).toContain('currency unknown_value')
    expect(m.refusal(null, byCurrency, { currency: 'BTC', kind: 'x' })).toContain('kind')
    expect(m.refusal(null, byInstrument, { instrument_name: 'X' })).toBe('13020 not_found')
  })
})

describe('tickers through a settlement', () => {
  const m = settledDay()
  const ticker = (instrument_name: string): Json => m.result(null, 'public/ticker', { instrument_name })

  test('settlement_price while open and settled, delivery_price when delivered (market.md 1.5)', () => {
    expect(ticker(perpetual)).toMatchObject({ state: 'open', settlement_price: 45_000 })
    expect(ticker(perpetual)).not.toHaveProperty('delivery_price')
    m.result(null, 'sim/set_instrument_state', { instrument_name: later, state: 'locked' })
    expect(ticker(later)).not.toHaveProperty('settlement_price')
    m.result(null, 'sim/set_instrument_state', { instrument_name: later, state: 'open' })
    expect(ticker(later)).toMatchObject({ settlement_price: 45_000 })
  })

  test('R67 a delivered instrument shows that state and keeps its delivery price', () => {
    expect(ticker(delivered)).toMatchObject({ state: 'delivered', delivery_price: 45_000 })
    expect(ticker(delivered)).not.toHaveProperty('settlement_price')
    m.result(null, 'sim/set_index', { index_name: 'btc_usd', price: 47_000 })
    expect(ticker(delivered)).toMatchObject({ delivery_price: 45_000, mark_price: 45_000 })
  })

  test('only perpetuals have funding fields', () => {
    const fields = ['funding_8h', 'current_funding', 'interest_value']
    for (const field of fields) expect(ticker(perpetual)).toHaveProperty(field)
    for (const field of fields) expect(ticker(later)).not.toHaveProperty(field)
  })
})

describe('instruments after their delivery (R42, market.md 1.5)', () => {
  test('listed with expired or state until seven days later; their histories stay', () => {
    const m = settledDay()
    const names = (params: RequestParams): Json =>
      m.result(null, 'public/get_instruments', params).map(({ instrument_name }: Json) => instrument_name)
    expect(names({})).toEqual([perpetual, later])
    expect(names({ expired: true })).toEqual([delivered])
    expect(names({ state: 'Delivered' })).toEqual([delivered])
    m.result(null, 'sim/advance', { to: settledAt + 7 * 86_400_000 - 5 })
    expect(names({ expired: true })).toEqual([delivered])
    m.result(null, 'sim/advance', { to: settledAt + 7 * 86_400_000 })
    expect([names({ expired: true }), names({ state: 'delivered' })]).toEqual([[], []])
    const of = { instrument_name: delivered }
    const { settlements } = m.result(null, 'public/get_last_settlements_by_instrument', of)
    expect(settlements).toHaveLength(1)
    expect(m.result(null, 'public/get_last_trades_by_instrument', of).trades).toHaveLength(1)
  })

  test('the week begins with the delivery, which may be days after the expiration', () => {
    const m = deskMarket({ instruments: ['BTC-PERPETUAL', 'BTC-6JAN26'] })
    const day = 86_400_000
    const expired = (): Json =>
      m.result(null, 'public/get_instruments', { expired: true }).map(({ instrument_name }: Json) => instrument_name)
    // A halted book of the currency delays its settlement.
    m.result(null, 'sim/set_instrument_state', { instrument_name: perpetual, state: 'halted' })
    m.result(null, 'sim/advance', { to: settledAt + 8 * day })
    expect(expired()).toEqual([])
    m.result(null, 'sim/set_instrument_state', { instrument_name: perpetual, state: 'open' })
    expect(expired()).toEqual([delivered])
    const deliveredAt = m.venue.now / 1000
    m.result(null, 'sim/advance', { to: Math.floor(deliveredAt) + 7 * day - 20 })
    expect(expired()).toEqual([delivered])
    m.result(null, 'sim/advance', { to: Math.floor(deliveredAt) + 7 * day })
    expect(expired()).toEqual([])
  })
})
