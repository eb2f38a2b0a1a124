/**
 * private/mass_quote and private/cancel_quotes in requests and replies, and quotes in lists of orders and trades.
 * Source: trading.md 5.1, 5.2, 6.16 (C34, C35), 9.1; coverage S071, S073, S103.
 */
import { describe, expect, test } from 'vitest'
import type { RequestParams } from '../../src/rpc/index.ts'
import { type DeskMarket, deskMarket, type Json } from '../support/desk-market.ts'

const wrong = '-32602 Invalid params '
const perpetual = 'BTC-PERPETUAL'
const sides = { bid: { price: 49_900, amount: 1000 }, ask: { price: 50_100, amount: 2000 } }

/** Alice quotes with group `one` over connection 1. */
function quoting(): DeskMarket {
  const m = deskMarket()
  m.session = 1
  m.result('alice', 'private/enable_cancel_on_disconnect')
  m.result('alice', 'private/set_mmp_config', {
    ...{ index_name: 'btc_usd', mmp_group: 'one', interval: 10, frozen_time: 10 },
    max_quote_quantity: 100,
  })
  return m
}

function request(entry: object, more: RequestParams = {}): RequestParams {
  const quotes = [{ instrument_name: perpetual, quote_set_id: 'set', ...entry }] as never
  return { quote_id: 'id', mmp_group: 'one', quotes, ...more }
}

function quote(m: DeskMarket, entry: object, more: RequestParams = {}): Json {
  return m.result('alice', 'private/mass_quote', request(entry, { detailed: true, ...more }))
}

describe('C34h: the reply', () => {
  test('S103 S071 S073 C34i: with `detailed` has orders marked as quotes, trades and errors', () => {
    const m = quoting()
    const reply = quote(m, sides)
    expect(reply).toMatchObject({ trades: [], errors: [] })
    expect(reply.orders).toHaveLength(2)
    expect(reply.orders[0]).toMatchObject({
      ...{ quote: true, quote_id: 'id', quote_set_id: 'set', mmp_group: 'one', mmp: true },
      ...{ api: false, label: '', direction: 'buy', price: 49_900, amount: 1000, contracts: 100 },
      ...{ order_type: 'limit', time_in_force: 'good_til_cancelled', order_state: 'open' },
      ...{ filled_amount: 0, max_show: 1000 },
    })
  })

  test('without it, it only counts errors', () => {
    const m = quoting()
    const crossed = { bid: sides.ask, ask: sides.bid }
    expect(quote(m, crossed, { detailed: false })).toEqual({ errors_count: 2 })
    expect(quote(m, sides, { detailed: false })).toEqual({ errors_count: 0 })
  })

  test('lists a refused side by instrument, side, code and message', () => {
    const m = quoting()
    const reply = quote(m, {
      bid: { price: 49_900.3, amount: 1000 },
      ask: { price: 50_100, amount: 5 },
    })
    expect(reply.errors).toEqual([
      {
        ...{ instrument_name: perpetual, side: 'bid' },
        error: { code: 10043, message: 'price_wrong_tick' },
      },
      { instrument_name: perpetual, side: 'ask', error: { code: 10002, message: 'qty_too_low' } },
    ])
    expect(quote(m, { bid: { price: 49_900 } }).errors[0].error).toEqual({
      ...{ code: -32602, message: 'Invalid params' },
      data: { reason: 'required', param: 'bid.amount' },
    })
  })

  test('lists the fills of the quote at its entry, as the user trades show them', () => {
    const m = quoting()
    m.result('bob', 'private/sell', { instrument_name: perpetual, amount: 300, price: 50_000 })
    const reply = quote(m, { bid: { price: 50_000, amount: 1000 } })
    expect(reply.orders).toMatchObject([
      { order_state: 'open', amount: 700, filled_amount: 300, average_price: 50_000 },
    ])
    const reported = { amount: 300, mmp: true, api: false, quote_id: 'id', quote_set_id: 'set' }
    expect(reply.trades).toMatchObject([{ ...reported, liquidity: 'T' }])
    m.result('bob', 'private/sell', { instrument_name: perpetual, amount: 700, price: 50_000 })
    const { trades } = m.result('alice', 'private/get_user_trades_by_instrument', {
      ...{ instrument_name: perpetual, sorting: 'asc' },
    })
    expect(trades).toMatchObject([reported, { ...reported, amount: 700, liquidity: 'M', state: 'filled' }])
  })

  test('lists a cancelled side among its orders', () => {
    const m = quoting()
    quote(m, sides)
    expect(quote(m, { bid: { amount: 0 } }, { quote_id: 'last' }).orders).toMatchObject([
      { order_state: 'cancelled', cancel_reason: 'user_request', quote_id: 'last', amount: 1000 },
    ])
  })

  test('to a request that does not wait lists the sides that were accepted', () => {
    const m = quoting()
    const entry = { ...sides, ask: { amount: 10 } }
    const pending = [{ instrument_name: perpetual, side: 'bid' }]
    const more = { wait_for_response: false }
    expect(quote(m, entry, more)).toMatchObject({
      ...{ orders: [], trades: [], pending_requests: pending },
      errors: [{ side: 'ask' }],
    })
    expect(quote(m, entry, { ...more, detailed: false })).toEqual({
      ...{ errors_count: 1, pending_requests_count: 1 },
    })
  })

  test('C34g: open orders list quotes with their open amounts', () => {
    const m = quoting()
    quote(m, sides)
    m.result('bob', 'private/sell', { instrument_name: perpetual, amount: 300, price: 49_900 })
    const listed = m.result('alice', 'private/get_open_orders')
    expect(listed).toMatchObject([
      { amount: 700, filled_amount: 300, quote: true },
      { amount: 2000, filled_amount: 0, quote: true },
    ])
    const state = m.result('alice', 'private/get_order_state', { order_id: listed[0].order_id })
    expect(state).toMatchObject({ amount: 700, contracts: 70, quote_set_id: 'set' })
  })
})

describe('its parameters', () => {
  test.each([
    [{ quotes: [] }, `${wrong}quotes too_small`],
    [{ mmp_group: null }, `${wrong}mmp_group required`],
    [{ quote_id: 7 }, `${wrong}quote_id wrong_type`],
    [{ quotes: [{ instrument_name: perpetual }] }, `${wrong}quotes.0.quote_set_id required`],
    [{ quotes: [{ instrument_name: perpetual, quote_set_id: 's' }] }, `${wrong}quotes.0 bid_or_ask_required`],
    [{ quotes: [{ instrument_name: 'NONE', quote_set_id: 's', bid: sides.bid }] }, '13020 not_found'],
    [{ mmp_group: 'two' }, '11030 other_reject unknown_mmp_group'],
    [{ valid_until: 1 }, '13888 timed_out'],
  ])('%j', (more, expected) => {
    const params = request(sides, more as RequestParams)
    expect(quoting().refusal('alice', 'private/mass_quote', params)).toBe(expected)
  })

  test('13042 over a connection without cancel on disconnect, 13902 and 13040 if staff forbid it', () => {
    const m = quoting()
    const refusal = (): string => m.refusal('alice', 'private/mass_quote', request(sides))
    m.result('alice', 'private/disable_cancel_on_disconnect')
    expect(refusal()).toMatch(/^13042 /)
    m.result('alice', 'private/enable_cancel_on_disconnect')
    m.result(null, 'sim/set_permissions', { account: 'alice', mmp: false, mass_quotes: false })
    expect(refusal()).toMatch(/^13902 /)
    m.result(null, 'sim/set_permissions', { account: 'alice', mass_quotes: true })
    expect(refusal()).toMatch(/^13040 /)
  })

  test('C28: private/edit does not change a quote (10031), private/cancel cancels it', () => {
    const m = quoting()
    const order_id = quote(m, sides).orders[0].order_id
    const params = { order_id, amount: 10, price: 49_900 }
    expect(m.refusal('alice', 'private/edit', params)).toMatch(/^10031 /)
    expect(m.result('alice', 'private/cancel', { order_id })).toMatchObject({
      ...{ order_state: 'cancelled', quote: true },
    })
  })
})

describe('private/cancel_quotes C35', () => {
  const cancel = 'private/cancel_quotes'

  test.each([
    [{ cancel_type: 'all' }, 2],
    [{ cancel_type: 'quote_set_id', quote_set_id: 'set' }, 2],
    [{ cancel_type: 'quote_set_id', quote_set_id: 'other' }, 0],
    [{ cancel_type: 'instrument', instrument_name: perpetual }, 2],
    [{ cancel_type: 'instrument_kind', kind: 'future' }, 2],
    [{ cancel_type: 'instrument_kind', kind: 'option' }, 0],
    [{ cancel_type: 'currency', currency: 'BTC' }, 2],
    [{ cancel_type: 'currency_pair', currency_pair: 'eth_usd' }, 0],
    [{ cancel_type: 'delta', min_delta: 0, max_delta: 1 }, 0],
    [{ cancel_type: 'currency', currency: 'ETH', kind: 'option' }, 0],
  ])('%j cancels %d', (params, count) => {
    const m = quoting()
    quote(m, sides)
    expect(m.result('alice', cancel, params)).toBe(count)
  })

  test('with `detailed` the answer lists them', () => {
    const m = quoting()
    quote(m, sides)
    expect(m.result('alice', cancel, { cancel_type: 'all', detailed: true })).toMatchObject([
      { order: { direction: 'buy', order_state: 'cancelled', quote: true, amount: 1000 } },
      { order: { direction: 'sell', cancel_reason: 'user_request' } },
    ])
  })

  test.each([
    [{}, `${wrong}cancel_type required`],
    [{ cancel_type: 'label' }, `${wrong}cancel_type unknown_value`],
    [{ cancel_type: 'delta', min_delta: 0.1 }, `${wrong}max_delta required`],
    [{ cancel_type: 'delta', min_delta: -1, max_delta: 1 }, `${wrong}min_delta invalid`],
    [{ cancel_type: 'delta', min_delta: 0.5, max_delta: 0.1 }, `${wrong}min_delta above_max_delta`],
    [{ cancel_type: 'currency' }, `${wrong}currency required`],
    [{ cancel_type: 'instrument_kind' }, `${wrong}kind required`],
    [{ cancel_type: 'instrument' }, `${wrong}instrument_name required`],
    [{ cancel_type: 'instrument', instrument_name: 'NONE' }, '13020 not_found'],
  ])('%j is refused', (params: RequestParams, expected) => {
    expect(quoting().refusal('alice', cancel, params)).toBe(expected)
  })

  test('C12: freeze_quotes refuses new quotes for a second (13043), here and in bulk cancels', () => {
    const m = quoting()
    for (const [method, params] of [
      [cancel, { cancel_type: 'all' }],
      ['private/cancel_all', {}],
      ['private/cancel_all_by_currency', { currency: 'BTC' }],
    ] as const) {
      quote(m, sides)
      expect(m.result('alice', method, { ...params, freeze_quotes: true })).toBe(2)
      expect(m.refusal('alice', 'private/mass_quote', request(sides))).toMatch(/^13043 /)
      m.venue.wait('1s')
    }
    expect(quote(m, sides).errors).toEqual([])
  })
})

test('D11 a single side that crosses the account’s resting other side is refused (13910)', () => {
  const m = quoting()
  quote(m, sides)
  const codes = (entry: object): Json => quote(m, entry).errors.map(({ error }: Json) => error.code)
  expect(codes({ bid: { price: 50_200 } })).toEqual([13_910])
  expect(codes({ bid: { price: 50_200 }, ask: { amount: 3000 } })).toEqual([13_910, 13_910])
})
