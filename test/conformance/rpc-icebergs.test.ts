/**
 * Icebergs, reduce-only orders and private/close_position in requests and replies.
 * Source: trading.md 4.6 (C13), 5.1 (C17), 6.7 (C25), 6.8 (C26); S217, S213.
 */
import { describe, expect, test } from 'vitest'
import type { RequestParams } from '../../src/rpc/index.ts'
import { type DeskMarket, deskMarket, type Json } from '../support/desk-market.ts'

const perpetual = { instrument_name: 'BTC-PERPETUAL' }
const ask = { ...perpetual, amount: 5000, price: 50_000, display_amount: 1000 }

function state(m: DeskMarket, order_id: string): Json {
  return m.result('alice', 'private/get_order_state', { order_id })
}

function bookOf(m: DeskMarket): Json {
  return m.result(null, 'public/get_order_book', perpetual)
}

describe('icebergs (S076, S098, S217, C25)', () => {
  test('C17 display_amount is the amount visible now, refresh_amount and max_show the display size', () => {
    const m = deskMarket()
    const { order } = m.result('alice', 'private/sell', ask)
    expect(order).toMatchObject({
      ...{ amount: 5000, max_show: 1000, display_amount: 1000, refresh_amount: 1000 },
    })
    expect(bookOf(m).asks).toEqual([[50_000, 1000]])
    m.result('bob', 'private/buy', { ...perpetual, amount: 400, price: 50_000 })
    expect(state(m, '1')).toMatchObject({
      ...{ filled_amount: 400, display_amount: 600, refresh_amount: 1000, max_show: 1000 },
    })
    m.result('bob', 'private/buy', { ...perpetual, amount: 600, price: 50_000 })
    expect(state(m, '1')).toMatchObject({ filled_amount: 1000, display_amount: 1000 })
    expect(bookOf(m).asks).toEqual([[50_000, 1000]])
  })

  test('the last visible part is the remainder: 4500 of 5000 filled shows 500', () => {
    const m = deskMarket()
    m.result('alice', 'private/sell', ask)
    m.result('bob', 'private/buy', { ...perpetual, amount: 4500, price: 50_000 })
    expect(state(m, '1')).toMatchObject({
      ...{ display_amount: 500, refresh_amount: 1000, order_state: 'open' },
    })
    m.result('bob', 'private/buy', { ...perpetual, amount: 500, price: 50_000 })
    expect(state(m, '1')).toMatchObject({
      ...{ display_amount: 0, refresh_amount: 1000, order_state: 'filled', max_show: 1000 },
    })
  })

  test('the hidden part is a separate trade: liquidity T with the taker fee, and its own direction', () => {
    const m = deskMarket()
    m.result('alice', 'private/sell', ask)
    const { trades } = m.result('bob', 'private/buy', { ...perpetual, amount: 3000, price: 50_000 })
    expect(trades.map((trade: Json) => [trade.amount, trade.liquidity])).toEqual([
      [1000, 'T'],
      [2000, 'T'],
    ])
    const made = m.result('alice', 'private/get_user_trades_by_order', {
      ...{ order_id: '1', sorting: 'asc' },
    })
    expect(made.map((trade: Json) => [trade.amount, trade.liquidity, trade.direction])).toEqual([
      [1000, 'M', 'sell'],
      [2000, 'T', 'sell'],
    ])
    expect(made.map((trade: Json) => trade.order_type)).toEqual(['limit', 'limit'])
    // 0.05 % of 2000 USD at 50000, and nothing for the visible part.
    expect(made.map((trade: Json) => trade.fee)).toEqual([0, 0.00002])
    const { trades: tape } = m.result(null, 'public/get_last_trades_by_instrument', perpetual)
    expect(tape.map((trade: Json) => trade.direction)).toEqual(['buy', 'buy'])
  })

  test('S235 S313 an edit of the display amount; if it is absent it stays, 0 shows everything', () => {
    const m = deskMarket()
    m.result('alice', 'private/sell', ask)
    const edit = (params: RequestParams): Json =>
      m.result('alice', 'private/edit', { order_id: '1', amount: 5000, ...params }).order
    expect(edit({ price: 50_100 })).toMatchObject({ display_amount: 1000, refresh_amount: 1000 })
    expect(edit({ display_amount: 2000 })).toMatchObject({ max_show: 2000, display_amount: 2000 })
    expect(edit({ max_show: 1000 })).toMatchObject({ max_show: 1000, display_amount: 1000 })
    const plain = edit({ display_amount: 0 })
    expect(plain.max_show).toBe(5000)
    expect(plain).not.toHaveProperty('display_amount')
    expect(plain).not.toHaveProperty('refresh_amount')
    const refused = { order_id: '1', amount: 5000, display_amount: 990 }
    expect(m.refusal('alice', 'private/edit', refused)).toBe('10036 invalid_max_show_amount')
    const odd = { ...refused, display_amount: 1005 }
    expect(m.refusal('alice', 'private/edit', odd)).toBe('10036 invalid_max_show_amount')
  })

  test('S217 the limits, to the last unit', () => {
    const m = deskMarket({ accounts: { alice: { BTC: 10 }, bob: { BTC: 10 } } })
    const sell = { ...ask, amount: 100_990, display_amount: 1000 }
    expect(m.result('alice', 'private/sell', sell).order.max_show).toBe(1000)
    const refused = { ...sell, amount: 101_000 }
    expect(m.refusal('alice', 'private/sell', refused)).toBe('10036 invalid_max_show_amount')
  })
})

describe('reduce-only orders (S057, S070, S213, C26)', () => {
  function long(amount = 300): DeskMarket {
    const m = deskMarket()
    const given = { account: 'alice', ...perpetual, amount, price: 50_000 }
    m.result(null, 'sim/give_position', given)
    return m
  }

  const reduce = { ...perpetual, amount: 200, price: 50_500, reduce_only: true }

  test('the flag is shown, on the order and on its trades', () => {
    const m = long()
    const { order } = m.result('alice', 'private/sell', reduce)
    expect(order).toMatchObject({ reduce_only: true, amount: 200 })
    m.result('bob', 'private/buy', { ...perpetual, amount: 50, price: 50_500 })
    const [trade] = m.result('alice', 'private/get_user_trades_by_order', { order_id: '1' })
    expect(trade.reduce_only).toBe(true)
  })

  test('the accepted amount is cut to the position', () => {
    const m = long(150)
    expect(m.result('alice', 'private/sell', reduce).order).toMatchObject({
      ...{ amount: 150, order_state: 'open', max_show: 150, replaced: false },
    })
    const { order } = m.result('alice', 'private/sell', { ...reduce, price: 50_600 })
    expect(order).toMatchObject({ order_state: 'cancelled', cancel_reason: 'risk_mitigation' })
  })

  test('wrong side or no position: 11030', () => {
    const m = long()
    const wrong = '11030 other_reject reduce_direction'
    expect(m.refusal('alice', 'private/buy', { ...reduce, price: 49_500 })).toBe(wrong)
    expect(m.refusal('bob', 'private/sell', reduce)).toBe(wrong)
  })

  test('S233 on edit: turned on only if the order reduces, turned off at any time', () => {
    const m = long()
    m.result('alice', 'private/sell', { ...reduce, reduce_only: false })
    m.result('alice', 'private/buy', { ...reduce, price: 49_500, reduce_only: false })
    const edit = (order_id: string, reduce_only: boolean): RequestParams => ({
      ...{ order_id, amount: 200, reduce_only },
    })
    expect(m.result('alice', 'private/edit', edit('1', true)).order.reduce_only).toBe(true)
    expect(m.result('alice', 'private/edit', edit('1', false)).order.reduce_only).toBe(false)
    expect(m.refusal('alice', 'private/edit', edit('2', true))).toBe('11030 other_reject reduce_direction')
  })
})

describe('private/close_position (C13)', () => {
  const close = (m: DeskMarket, params: RequestParams = {}): Json =>
    m.result('alice', 'private/close_position', { ...perpetual, type: 'market', ...params })
  const refused = (m: DeskMarket, params: RequestParams = {}): string =>
    m.refusal('alice', 'private/close_position', { ...perpetual, type: 'market', ...params })

  function holding(amount: number): DeskMarket {
    const m = deskMarket()
    const given = { account: 'alice', ...perpetual, amount, price: 50_000 }
    m.result(null, 'sim/give_position', given)
    m.result('bob', 'private/buy', { ...perpetual, amount: 1000, price: 49_900 })
    m.result('bob', 'private/sell', { ...perpetual, amount: 1000, price: 50_100 })
    return m
  }

  test('a market order over the whole position, reduce-only, on the opposite side', () => {
    const m = holding(300)
    const { order, trades } = close(m)
    expect(order).toMatchObject({
      ...{ direction: 'sell', amount: 300, order_type: 'market', reduce_only: true, label: '' },
      ...{ order_state: 'filled', average_price: 49_900, time_in_force: 'good_til_cancelled' },
    })
    expect(trades).toMatchObject([{ amount: 300, reduce_only: true }])
    expect(m.result('alice', 'private/get_position', perpetual).size).toBe(0)
    const short = holding(-300)
    expect(close(short).order).toMatchObject({ direction: 'buy', average_price: 50_100 })
  })

  test('a limit order rests at its price', () => {
    const m = holding(300)
    const { order, trades } = close(m, { type: 'limit', price: 50_050 })
    expect(trades).toEqual([])
    expect(order).toMatchObject({ order_type: 'limit', price: 50_050, amount: 300 })
    expect(order).toMatchObject({ reduce_only: true, order_state: 'open' })
  })

  test('no position: 11030; errors of earlier checks come first', () => {
    const m = deskMarket({
      instruments: ['BTC-PERPETUAL', 'BTC_USDC', 'BTC-FS-27MAR26_PERP', 'BTC-27MAR26-50000-C'],
      index: { btc_usd: 50_000, btc_usdc: 50_000 },
    })
    expect(refused(m)).toBe('11030 other_reject no_position')
    expect(refused(m, { type: 'limit', price: 49_500 })).toBe('11030 other_reject no_position')
    expect(refused(m, { type: 'limit' })).toBe('10023 invalid_price')
    expect(refused(m, { type: 'limit', price: 0.3 })).toBe('10043 price_wrong_tick')
    expect(refused(m, { type: 'limit', price: 60_000 })).toBe('10007 price_too_high 50750')
    expect(refused(m, { instrument_name: 'NO' })).toBe('13020 not_found')
    expect(refused(m, { type: 'stop_market' })).toBe('-32602 Invalid params type unknown_value')
    expect(refused(m, { type: null })).toBe('-32602 Invalid params type required')
    for (const instrument_name of ['BTC_USDC', 'BTC-FS-27MAR26_PERP']) {
      expect(refused(m, { instrument_name })).toBe('10031 invalid_args_for_instrument')
    }
    const instrument_name = 'BTC-27MAR26-50000-C'
    expect(refused(m, { instrument_name })).toBe('11030 other_reject no_position')
  })

  test('R47 a price is ignored on a market order', () => {
    expect(close(holding(300), { price: 0.3 }).order.order_state).toBe('filled')
  })

  test('the position at the arrival of the request counts', () => {
    const m = holding(300)
    m.result('alice', 'private/sell', { ...perpetual, amount: 200, price: 49_900 })
    expect(close(m).order.amount).toBe(100)
    expect(refused(m)).toBe('11030 other_reject no_position')
  })
})
