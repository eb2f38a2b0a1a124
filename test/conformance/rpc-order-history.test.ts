/**
 * Orders that have ended, and user trades over all instruments of a currency.
 * Source: trading.md 4.8 (C15); coverage R08, R35, R38, R43.
 */
import { describe, expect, test } from 'vitest'
import type { RequestParams } from '../../src/rpc/index.ts'
import { type DeskMarket, deskMarket, type Json } from '../support/desk-market.ts'

const perpetual = { instrument_name: 'BTC-PERPETUAL' }
const bid = { ...perpetual, amount: 10, price: 49_500 }
const first = 1_767_603_600_000
const half = 1_800_000
const wrong = '-32602 Invalid params '

const every = {
  instruments: ['BTC-PERPETUAL', 'BTC-27MAR26', 'ETH-PERPETUAL', 'BTC_USDC', 'ETH_BTC'],
  index: { btc_usd: 50_000, eth_usd: 4000, btc_usdc: 50_000, eth_btc: 0.08 },
  accounts: {
    alice: { BTC: 100, ETH: 100, USDC: 1_000_000 },
    bob: { BTC: 100, ETH: 100, USDC: 1_000_000 },
  },
}

/** Alice buys from a resting order of bob. */
function trade(m: DeskMarket, params: RequestParams = bid): void {
  m.result('bob', 'private/sell', params)
  m.result('alice', 'private/buy', params)
}

const idsOf = (orders: Json): readonly string[] => orders.map((order: Json) => order.order_id)

describe('private/get_order_history_by_currency and _by_instrument (C15)', () => {
  function history(m: DeskMarket, params: RequestParams = {}): Json {
    return m.result('alice', 'private/get_order_history_by_currency', {
      currency: 'BTC',
      ...params,
    })
  }

  /** Orders end in turn: 2 filled, 3 cancelled, 4 partly filled, SLMS-6 cancelled. Order 7 is open. */
  function busy(): DeskMarket {
    const m = deskMarket(every)
    trade(m)
    m.result('alice', 'private/buy', bid)
    m.result('alice', 'private/cancel', { order_id: '3' })
    m.result('alice', 'private/buy', { ...bid, amount: 20 })
    m.result('bob', 'private/sell', bid)
    m.result('alice', 'private/cancel', { order_id: '4' })
    const stop = { ...perpetual, amount: 10, type: 'stop_market', trigger: 'mark_price' }
    m.result('alice', 'private/sell', { ...stop, trigger_price: 49_000 })
    m.result('alice', 'private/cancel', { order_id: 'SLMS-6' })
    m.result('alice', 'private/buy', bid)
    return m
  }

  test('closed orders with a fill, newest first, in the form of get_order_state', () => {
    const m = busy()
    const orders = history(m)
    expect(idsOf(orders)).toEqual(['4', '2'])
    expect(orders).toEqual(['4', '2'].map((order_id) => m.result('alice', 'private/get_order_state', { order_id })))
    expect(orders[0]).toMatchObject({ order_state: 'cancelled', filled_amount: 10 })
    const byInstrument = 'private/get_order_history_by_instrument'
    expect(m.result('alice', byInstrument, perpetual)).toEqual(orders)
    expect(m.result('alice', byInstrument, { instrument_name: 'BTC-27MAR26' })).toEqual([])
  })

  test('include_unfilled adds orders without a fill', () => {
    const m = busy()
    expect(idsOf(history(m, { include_unfilled: true }))).toEqual(['SLMS-6', '4', '3', '2'])
  })

  test('orders that end in one millisecond are listed in the reverse order of creation', () => {
    const m = deskMarket(every)
    for (const amount of [10, 20, 30]) m.result('alice', 'private/buy', { ...bid, amount })
    m.result('alice', 'private/cancel_all')
    expect(idsOf(history(m, { include_unfilled: true }))).toEqual(['3', '2', '1'])
    m.result('alice', 'private/buy', bid)
    m.result('alice', 'private/buy', bid)
    m.result('alice', 'private/cancel', { order_id: '5' })
    m.result('alice', 'private/cancel', { order_id: '4' })
    expect(idsOf(history(m, { include_unfilled: true, count: 2 }))).toEqual(['4', '5'])
  })

  test('count and offset', () => {
    const m = busy()
    const page = (params: RequestParams): readonly string[] => idsOf(history(m, { include_unfilled: true, ...params }))
    expect(page({ count: 2 })).toEqual(['SLMS-6', '4'])
    expect(page({ count: 2, offset: 1 })).toEqual(['4', '3'])
    expect(page({ offset: 4 })).toEqual([])
  })

  test('with_continuation changes the form of the result, and pages through to the end', () => {
    const m = busy()
    const ask = (params: RequestParams): Json =>
      history(m, { include_unfilled: true, with_continuation: true, count: 3, ...params })
    const page = ask({})
    expect([idsOf(page.orders), page.continuation]).toEqual([['SLMS-6', '4', '3'], `${first + 4}.3`])
    const { continuation } = page
    const last = ask({ continuation })
    expect([idsOf(last.orders), last.continuation]).toEqual([['2'], 'none'])
    expect(idsOf(ask({ continuation, with_continuation: false }))).toEqual(['2'])
    expect(ask({ count: 4 }).continuation).toBe('none')
    expect(ask({ continuation, offset: 1 })).toEqual({ orders: [], continuation: 'none' })
  })

  test('historical: either the last 30 minutes or everything before, without overlap or gap', () => {
    const m = busy()
    m.result(null, 'sim/advance', { to: first + 2 + half })
    expect(idsOf(history(m))).toEqual(['4'])
    expect(idsOf(history(m, { historical: true }))).toEqual(['2'])
    for (const historical of [false, true]) {
      expect(idsOf(history(m, { historical, include_old: true }))).toEqual(['4', '2'])
    }
  })

  test('R43 by currency and kind: spot belongs to base and quote', () => {
    const m = deskMarket(every)
    trade(m)
    trade(m, { instrument_name: 'BTC_USDC', amount: 0.1, price: 49_900 })
    trade(m, { instrument_name: 'ETH_BTC', amount: 1, price: 0.08 })
    trade(m, { instrument_name: 'ETH-PERPETUAL', amount: 10, price: 4000 })
    expect(idsOf(history(m))).toEqual(['ETH_BTC-4', 'BTC_USDC-2', '2'])
    expect(idsOf(history(m, { currency: 'ETH' }))).toEqual(['ETH-2', 'ETH_BTC-4'])
    expect(idsOf(history(m, { currency: 'USDC' }))).toEqual(['BTC_USDC-2'])
    expect(idsOf(history(m, { currency: 'ETH', kind: 'spot' }))).toEqual(['ETH_BTC-4'])
    expect(idsOf(history(m, { kind: 'future' }))).toEqual(['2'])
    expect(idsOf(history(m, { kind: 'combo' }))).toEqual([])
    expect(idsOf(history(m, { kind: 'any', count: 1 }))).toEqual(['ETH_BTC-4'])
  })

  test('wrong parameters', () => {
    const m = deskMarket(every)
    const refused = (method: string, params: RequestParams): string =>
      m.refusal('alice', `private/get_order_history_by_${method}`, params)
    expect(refused('currency', {})).toBe(`${wrong}currency required`)
    expect(refused('currency', { currency: 'any' })).toBe(`${wrong}currency unknown_value`)
    expect(refused('instrument', {})).toBe(`${wrong}instrument_name required`)
    expect(refused('instrument', { instrument_name: 'NO' })).toBe('13020 not_found')
    for (const [params, problem] of [
      [{ count: 0 }, 'count too_small'],
      [{ count: 1001 }, 'count too_large'],
      [{ count: 1.5 }, 'count wrong_type'],
      [{ offset: -1 }, 'offset too_small'],
      [{ continuation: 'none' }, 'continuation invalid'],
      [{ continuation: 5 }, 'continuation wrong_type'],
      [{ kind: 'swap' }, 'kind unknown_value'],
    ] as const) {
      expect(refused('currency', { currency: 'BTC', ...params })).toBe(wrong + problem)
    }
    const unlisted = { instrument_name: 'NO', continuation: 'x' }
    expect(refused('instrument', unlisted)).toBe(`${wrong}continuation invalid`)
  })
})

describe('private/get_user_trades_by_currency and the forms by time (C15, R08, R35)', () => {
  /** Five trades of alice: at 2, 4, 6, 8 and 10 ms. */
  function traded(): DeskMarket {
    const m = deskMarket(every)
    trade(m)
    trade(m, { instrument_name: 'BTC-27MAR26', amount: 10, price: 50_000 })
    trade(m, { instrument_name: 'ETH_BTC', amount: 1, price: 0.08 })
    trade(m, { instrument_name: 'ETH-PERPETUAL', amount: 10, price: 4000 })
    trade(m)
    return m
  }

  const m = traded()
  const idsBy = (method: string, params: RequestParams = {}): readonly string[] =>
    m.result('alice', `private/get_user_trades_by_${method}`, params).trades.map((each: Json) => each.trade_id)
  const ofBtc = (params: RequestParams = {}): readonly string[] => idsBy('currency', { currency: 'BTC', ...params })

  test('newest first over all instruments of the currency; spot belongs to base and quote', () => {
    expect(ofBtc()).toEqual(['4', 'ETH_BTC-3', '2', '1'])
    expect(idsBy('currency', { currency: 'ETH' })).toEqual(['ETH-1', 'ETH_BTC-3'])
    expect(idsBy('currency', { currency: 'USDC' })).toEqual([])
    expect(ofBtc({ kind: 'spot' })).toEqual(['ETH_BTC-3'])
    expect(ofBtc({ kind: 'future', count: 2 })).toEqual(['4', '2'])
    expect(ofBtc({ kind: 'any', sorting: 'asc', count: 1 })).toEqual(['1'])
  })

  test('R08 ids as bounds, by their numbers, inclusive; with a start the default order is ascending', () => {
    expect(ofBtc({ start_id: '2' })).toEqual(['2', 'ETH_BTC-3', '4'])
    expect(ofBtc({ start_id: 'ETH_BTC-2', end_id: '3' })).toEqual(['2', 'ETH_BTC-3'])
    expect(ofBtc({ end_id: '2' })).toEqual(['2', '1'])
    expect(ofBtc({ start_id: '2', sorting: 'desc' })).toEqual(['4', 'ETH_BTC-3', '2'])
    expect(ofBtc({ start_id: '5' })).toEqual([])
    expect(ofBtc({ start_id: '1', end_timestamp: first + 4 })).toEqual(['1', '2'])
  })

  test('by time: both times are required', () => {
    const both = { start_timestamp: first + 4, end_timestamp: first + 8 }
    expect(idsBy('currency_and_time', { currency: 'BTC', ...both })).toEqual(['2', 'ETH_BTC-3'])
    expect(idsBy('currency_and_time', { currency: 'ETH', ...both, sorting: 'desc' })).toEqual([
      ...['ETH-1', 'ETH_BTC-3'],
    ])
    const all = { start_timestamp: first, end_timestamp: first + 10 }
    expect(idsBy('instrument_and_time', { ...perpetual, ...all })).toEqual(['1', '4'])
    expect(idsBy('instrument_and_time', { ...perpetual, ...all, count: 1 })).toEqual(['1'])
    const refused = (method: string, params: RequestParams): string =>
      m.refusal('alice', `private/get_user_trades_by_${method}`, params)
    const from = { start_timestamp: first }
    const to = { end_timestamp: first }
    for (const [method, of] of [
      ['currency_and_time', { currency: 'BTC' }],
      ['instrument_and_time', perpetual],
    ] as const) {
      expect(refused(method, { ...of, ...from })).toBe(`${wrong}end_timestamp required`)
      expect(refused(method, { ...of, ...to })).toBe(`${wrong}start_timestamp required`)
      const crossed = { ...of, start_timestamp: 5, end_timestamp: 4 }
      expect(refused(method, crossed)).toBe(`${wrong}start_timestamp start_after_end`)
    }
    const unlisted = { instrument_name: 'NO', ...all }
    expect(refused('instrument_and_time', unlisted)).toBe('13020 not_found')
  })

  test('malformed ids, or a start after the end', () => {
    const refused = (params: RequestParams): string =>
      m.refusal('alice', 'private/get_user_trades_by_currency', { currency: 'BTC', ...params })
    expect(refused({ start_id: 'x' })).toBe(`${wrong}start_id invalid`)
    expect(refused({ end_id: '' })).toBe(`${wrong}end_id invalid`)
    expect(refused({ start_id: 5 })).toBe(`${wrong}start_id wrong_type`)
    expect(refused({ start_id: '3', end_id: '2' })).toBe(`${wrong}start_id start_after_end`)
    expect(refused({ count: 1001 })).toBe(`${wrong}count too_large`)
  })

  test('C15a after 24 hours a trade is historical, and in the archive', () => {
    const old = traded()
    old.result(null, 'sim/advance', { to: first + 86_400_000 + 3 })
    const ask = (historical: boolean): Json =>
      old.result('alice', 'private/get_user_trades_by_currency', {
        ...{ currency: 'BTC', historical },
      }).trades
    expect(ask(true).map((each: Json) => [each.trade_id, each.state])).toEqual([
      ['2', 'archive'],
      ['1', 'archive'],
    ])
    expect(ask(false).map((each: Json) => each.trade_id)).toEqual(['4', 'ETH_BTC-3'])
  })
})

describe('trades of subaccounts: 13021 except for their main account', () => {
  function family(): { readonly m: DeskMarket; readonly idOf: (name: string) => number } {
    const m = deskMarket(every)
    m.result(null, 'sim/create_account', { name: 'desk', main: 'alice' })
    m.result(null, 'sim/deposit', { account: 'desk', currency: 'BTC', amount: 10 })
    m.result('bob', 'private/sell', bid)
    m.result('desk', 'private/buy', bid)
    const idOf = (name: string): number => {
      const params = { currency: 'BTC', extended: true }
      return m.result(name, 'private/get_account_summary', params).id
    }
    return { m, idOf }
  }

  const queries: readonly (readonly [string, RequestParams])[] = [
    ['by_currency', { currency: 'BTC' }],
    ['by_currency_and_time', { currency: 'BTC', start_timestamp: 0, end_timestamp: 9e12 }],
    ['by_instrument', perpetual],
    ['by_instrument_and_time', { ...perpetual, start_timestamp: 0, end_timestamp: 9e12 }],
    ['by_order', { order_id: '2' }],
  ]

  test.each(queries)('get_user_trades_%s', (name, params) => {
    const { m, idOf } = family()
    const method = `private/get_user_trades_${name}`
    const subaccount_id = idOf('desk')
    const reply = m.result('alice', method, { ...params, subaccount_id })
    const trades = name === 'by_order' ? reply : reply.trades
    expect(trades).toMatchObject([{ order_id: '2', direction: 'buy' }])
    const forbidden = '13021 forbidden'
    expect(m.refusal('bob', method, { ...params, subaccount_id })).toBe(forbidden)
    expect(m.refusal('desk', method, { ...params, subaccount_id })).toBe(forbidden)
    expect(m.refusal('alice', method, { ...params, subaccount_id: idOf('bob') })).toBe(forbidden)
    expect(m.refusal('alice', method, { ...params, subaccount_id: 999 })).toBe(forbidden)
    expect(m.refusal('alice', method, { ...params, subaccount_id: 0 })).toBe(forbidden)
    const text = m.refusal('alice', method, { ...params, subaccount_id: 'desk' })
    expect(text).toBe(`${wrong}subaccount_id wrong_type`)
  })

  test('without a subaccount id a main account sees only its own trades, and so with its own id', () => {
    const { m, idOf } = family()
    const method = 'private/get_user_trades_by_currency'
    expect(m.result('alice', method, { currency: 'BTC' }).trades).toEqual([])
    const own = { currency: 'BTC', subaccount_id: idOf('alice') }
    expect(m.result('alice', method, own).trades).toEqual([])
    const order = { order_id: '2', subaccount_id: idOf('alice') }
    expect(m.refusal('alice', 'private/get_user_trades_by_order', order)).toBe('10029 not_owner_of_order')
  })
})
