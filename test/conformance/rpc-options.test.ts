/**
 * Fields of options in tickers, books, summaries and lists of instruments.
 * Source: market.md 1.2, 7, 8; coverage R19, R20, S001.
 */
import { describe, expect, test } from 'vitest'
import { deskMarket, type Json } from '../support/desk-market.ts'

const call = 'BTC-27MAR26-50000-C'
const put = 'BTC_USDC-27MAR26-50000-P'

/** Options at the money. Their forward is the price of the future, 50000; their volatility is 60 %. */
function options(): ReturnType<typeof deskMarket> {
  return deskMarket({
    instruments: [call, put, 'BTC-27MAR26'],
    index: { btc_usd: 50_000, btc_usdc: 50_000 },
  })
}

const greeks = ['delta', 'gamma', 'rho', 'theta', 'vega']

describe('public/ticker of an option', () => {
  test('forward, its name, volatilities in percent and greeks; an empty side has 0 (R19)', () => {
    const m = options()
    const found = m.result(null, 'public/ticker', { instrument_name: call })
    expect(found).toMatchObject({
      ...{ underlying_price: 50_000, underlying_index: 'BTC-27MAR26', interest_rate: 0 },
      ...{ mark_iv: 60, bid_iv: 0, ask_iv: 0, index_price: 50_000 },
    })
    expect(Object.keys(found.greeks).sort()).toEqual(greeks)
    const { delta, gamma, rho, theta, vega } = found.greeks
    expect(delta).toBeGreaterThan(0.5)
    expect(gamma).toBeCloseTo(0.00003, 5)
    for (const value of [rho, vega]) expect(value).toBeGreaterThan(0)
    expect(theta).toBeLessThan(0)
    for (const greek of greeks) {
      const text = `${found.greeks[greek]}`
      expect(text.split('.')[1]?.length ?? 0).toBeLessThanOrEqual(5)
    }
    expect(found.stats).toMatchObject({ volume_usd: 0 })
    for (const field of ['funding_8h', 'current_funding']) expect(found).not.toHaveProperty(field)
  })

  test('the best prices imply volatilities on both sides of the mark volatility', () => {
    const m = options()
    const { mark_price } = m.result(null, 'public/ticker', { instrument_name: call })
    const tick = 0.0005
    const bid = Math.floor(mark_price / tick) * tick
    m.result('alice', 'private/buy', { instrument_name: call, amount: 1, price: bid })
    m.result('bob', 'private/sell', { instrument_name: call, amount: 1, price: bid + tick })
    const { bid_iv, ask_iv } = m.result(null, 'public/get_order_book', { instrument_name: call })
    expect(bid_iv).toBeLessThan(60)
    expect(ask_iv).toBeGreaterThan(60)
    expect(`${bid_iv}`).toMatch(/^\d+(\.\d{1,2})?$/)
  })

  test('a linear option has its mark in the quote currency', () => {
    const m = options()
    const found = m.result(null, 'public/ticker', { instrument_name: put })
    expect(found).toMatchObject({ underlying_price: 50_000, mark_iv: 60 })
    expect(found.mark_price).toBeGreaterThan(1_000)
    expect(found.max_price - found.min_price).toBeCloseTo(4_000, -2)
  })

  test('a future has none of these fields', () => {
    const found = options().result(null, 'public/ticker', { instrument_name: 'BTC-27MAR26' })
    for (const field of ['underlying_price', 'mark_iv', 'greeks', 'interest_rate']) {
      expect(found).not.toHaveProperty(field)
    }
  })
})

test('a book summary of an option: forward and volatility of the mark', () => {
  const rows: readonly Json[] = options().result(null, 'public/get_book_summary_by_currency', {
    ...{ currency: 'BTC', kind: 'option' },
  })
  expect(rows.map(({ instrument_name }) => instrument_name)).toEqual([call])
  expect(rows[0]).toMatchObject({
    ...{ underlying_price: 50_000, underlying_index: 'BTC-27MAR26' },
    ...{ interest_rate: 0, mark_iv: 60, bid_price: null },
  })
  expect(rows[0]).not.toHaveProperty('greeks')
})

test('S001 get_instruments lists options with their right and strike', () => {
  const [found] = options().result(null, 'public/get_instruments', {
    ...{ currency: 'BTC', kind: 'option' },
  })
  expect(found).toMatchObject({
    ...{ instrument_name: call, kind: 'option', option_type: 'call', strike: 50_000 },
    ...{ base_currency: 'BTC', quote_currency: 'BTC', counter_currency: 'USD' },
    ...{ instrument_type: 'reversed', contract_size: 1, min_trade_amount: 0.1, tick_size: 0.0001 },
    tick_size_steps: [{ above_price: 0.005, tick_size: 0.0005 }],
  })
  for (const field of ['max_leverage', 'max_liquidation_commission', 'future_type']) {
    expect(found).not.toHaveProperty(field)
  }
})

test('S031 prices are in the quote currency: the coin for coin options, USDC for linear ones', () => {
  const m = options()
  const of = (name: string): Json => m.result(null, 'public/get_instrument', { instrument_name: name })
  expect([call, put].map((name) => of(name).quote_currency)).toEqual(['BTC', 'USDC'])
  const { underlying_price } = m.result(null, 'public/ticker', { instrument_name: call })
  const inCoin = m.result(null, 'public/ticker', { instrument_name: call }).mark_price
  const inQuote = m.result(null, 'public/ticker', { instrument_name: put }).mark_price
  // At the money a call and a put have the same value.
  expect(inCoin * underlying_price).toBeCloseTo(inQuote, 2)
  m.result('bob', 'private/sell', {
    instrument_name: call,
    amount: 2,
    price: 0.09,
  })
  const { trades } = m.result('alice', 'private/buy', {
    ...{ instrument_name: call, amount: 2, price: 0.09 },
  })
  expect(trades[0]).toMatchObject({ price: 0.09, fee_currency: 'BTC', fee: 0.0006 })
})

test('S042 S058 R50 trades of options show their volatility, and to their parties the forward too', () => {
  const m = options()
  const { mark_price } = m.result(null, 'public/ticker', { instrument_name: call })
  const price = Math.round(mark_price / 0.0005) * 0.0005
  m.result('bob', 'private/sell', { instrument_name: call, amount: 1, price })
  m.result('alice', 'private/buy', { instrument_name: call, amount: 1, price })
  const tape = m.result(null, 'public/get_last_trades_by_instrument', { instrument_name: call })
  expect(tape.trades[0].iv).toBeGreaterThan(55)
  expect(tape.trades[0].iv).toBeLessThan(65)
  expect(tape.trades[0]).not.toHaveProperty('underlying_price')
  const own = m.result('alice', 'private/get_user_trades_by_instrument', {
    instrument_name: call,
  })
  expect(own.trades[0]).toMatchObject({ iv: tape.trades[0].iv, underlying_price: 50_000 })
})
