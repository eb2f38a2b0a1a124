/**
 * Bulk cancels in requests: the orders that each one cancels, their sequence, and the answer.
 * Source: trading.md 4.5 (C12), 6.14; coverage R38, R43, R46, R69; S169, S242-S244.
 */
import { describe, expect, test } from 'vitest'
import type { RequestParams } from '../../src/rpc/index.ts'
import { type DeskMarket, deskMarket, type Json } from '../support/desk-market.ts'

const perpetual = { instrument_name: 'BTC-PERPETUAL' }
const bid = { ...perpetual, amount: 100, price: 49_000 }
const stops = { ...perpetual, amount: 100, trigger: 'mark_price' }

const every = {
  instruments: ['BTC-PERPETUAL', 'ETH-PERPETUAL', 'BTC_USDC-PERPETUAL', 'BTC_USDC', 'ETH_BTC'],
  index: { btc_usd: 50_000, eth_usd: 4000, btc_usdc: 50_000, eth_btc: 0.08 },
  accounts: {
    alice: { BTC: 100, ETH: 100, USDC: 1_000_000 },
    bob: { BTC: 100, ETH: 100, USDC: 1_000_000 },
  },
}

/** Orders of alice, each in another instrument or of another type. The label names the kind. */
function quoted(): DeskMarket {
  const m = deskMarket(every)
  const buy = (label: string, params: RequestParams): void => {
    m.result('alice', 'private/buy', { ...params, label })
  }
  buy('btc', bid)
  buy('eth', { instrument_name: 'ETH-PERPETUAL', amount: 10, price: 3990 })
  buy('linear', { instrument_name: 'BTC_USDC-PERPETUAL', amount: 0.1, price: 49_500 })
  buy('spot', { instrument_name: 'BTC_USDC', amount: 0.1, price: 49_500 })
  buy('cross', { instrument_name: 'ETH_BTC', amount: 1, price: 0.079 })
  const stop = { ...stops, trigger_price: 50_500 }
  buy('stop_limit', { ...stop, type: 'stop_limit', price: 50_500 })
  buy('stop_market', { ...stop, type: 'stop_market' })
  const take = { ...stops, trigger_price: 49_500 }
  buy('take_limit', { ...take, type: 'take_limit', price: 49_500 })
  buy('take_market', { ...take, type: 'take_market' })
  buy('trailing', { ...stops, type: 'trailing_stop', trigger_offset: 500 })
  m.result('alice', 'private/sell', { ...perpetual, amount: 10, type: 'market', label: 'market' })
  m.result('bob', 'private/buy', { ...bid, label: 'btc' })
  return m
}

const plain = 'btc eth linear spot cross market'
const waiting = 'stop_limit stop_market take_limit take_market trailing'

/** The labels of the cancelled orders, in their sequence. The count must agree. */
function taken(method: string, params: RequestParams = {}): string {
  const count = quoted().result('alice', `private/${method}`, params)
  const listed = quoted().result('alice', `private/${method}`, { ...params, detailed: true })
  expect(listed).toHaveLength(count)
  for (const { order } of listed) {
    expect(order).toMatchObject({ order_state: 'cancelled', cancel_reason: 'user_request' })
    expect(order).not.toHaveProperty('instrument_id')
  }
  return listed.map(({ order }: Json) => order.label).join(' ')
}

describe('the orders that a bulk cancel covers (C12, R43)', () => {
  const everything = 'btc eth linear spot cross stop_limit stop_market take_limit take_market'

  test('cancel_all cancels everything, in the order of creation', () => {
    expect(taken('cancel_all')).toBe(`${everything} trailing market`)
  })

  test.each([
    [{ currency: 'BTC' }, 'btc spot cross stop_limit stop_market take_limit take_market trailing market'],
    [{ currency: 'ETH' }, 'eth cross'],
    [{ currency: 'USDC' }, 'linear spot'],
    [{ currency: 'USDT' }, ''],
    [{ currency: 'BTC', kind: 'spot' }, 'spot cross'],
    [{ currency: 'USDC', kind: 'future' }, 'linear'],
    [{ currency: 'USDC', kind: 'any' }, 'linear spot'],
    [{ currency: 'BTC', kind: 'combo' }, ''],
    [{ currency: 'BTC', type: 'limit' }, 'btc spot cross market'],
    [{ currency: 'BTC', type: 'all', kind: 'option' }, ''],
  ])('cancel_all_by_currency %j', (params, expected) => {
    expect(taken('cancel_all_by_currency', params)).toBe(expected)
  })

  test.each([
    ['btc_usd', 'btc stop_limit stop_market take_limit take_market trailing market'],
    ['btc_usdc', 'linear spot'],
    ['eth_btc', 'cross'],
    ['BTC_USD', ''],
    ['doge_usd', ''],
  ])('cancel_all_by_currency_pair %s, a price index', (currency_pair, expected) => {
    expect(taken('cancel_all_by_currency_pair', { currency_pair })).toBe(expected)
  })

  test('cancel_all_by_currency_pair with kind and type', () => {
    const pair = { currency_pair: 'btc_usdc' }
    expect(taken('cancel_all_by_currency_pair', { ...pair, kind: 'spot' })).toBe('spot')
    const waits = { currency_pair: 'btc_usd', type: 'stop' }
    expect(taken('cancel_all_by_currency_pair', waits)).toBe('stop_limit stop_market')
  })

  test.each([
    ['all', `btc ${waiting} market`],
    ['limit', 'btc market'],
    ['trigger_all', waiting],
    ['stop', 'stop_limit stop_market'],
    ['take', 'take_limit take_market'],
    ['trailing_stop', 'trailing'],
  ])('C12b cancel_all_by_instrument with the type %s', (type, expected) => {
    expect(taken('cancel_all_by_instrument', { ...perpetual, type })).toBe(expected)
  })

  test('cancel_all_by_instrument with and without the combos that have it as a leg', () => {
    const params = { instrument_name: 'ETH-PERPETUAL' }
    for (const include_combos of [false, true]) {
      expect(taken('cancel_all_by_instrument', { ...params, include_combos })).toBe('eth')
    }
  })

  test.each([
    [{ currency: 'any' }, `${everything} trailing market`],
    [{ currency: 'any', kind: 'spot' }, 'spot cross'],
    [{ currency: 'any', type: 'limit' }, plain],
    [{ currency: 'ETH', kind: 'future' }, 'eth'],
    [{ currency: ['ETH', 'USDC'] }, 'eth linear spot cross'],
    [{ currency: ['ETH', 'USDC'], kind: 'spot', type: 'limit' }, 'spot cross'],
    [{ currency: ['USDT'] }, ''],
  ])('cancel_all_by_kind_or_type %j', (params, expected) => {
    expect(taken('cancel_all_by_kind_or_type', params)).toBe(expected)
  })

  test('S242 cancel_by_label covers waiting orders too; its result is always a number', () => {
    const m = quoted()
    expect(m.result('alice', 'private/cancel_by_label', { label: 'trailing' })).toBe(1)
    const detailed = { label: 'btc', detailed: true }
    expect(m.result('alice', 'private/cancel_by_label', detailed)).toBe(1)
    expect(m.result('bob', 'private/get_open_orders')).toHaveLength(1)
  })

  test('R69 if no order matches, the answer is 0 or an empty list', () => {
    const m = deskMarket(every)
    for (const [method, params] of [
      ['cancel_all', {}],
      ['cancel_all_by_currency', { currency: 'BTC' }],
      ['cancel_all_by_currency_pair', { currency_pair: 'btc_usd' }],
      ['cancel_all_by_instrument', perpetual],
      ['cancel_all_by_kind_or_type', { currency: 'any' }],
    ] as const) {
      expect(m.result('alice', `private/${method}`, { ...params })).toBe(0)
      expect(m.result('alice', `private/${method}`, { ...params, detailed: true })).toEqual([])
    }
  })
})

describe('C12d C12e orders that end through links are counted and listed in their place', () => {
  const entry = { ...perpetual, amount: 100, price: 49_500 }
  const exit = { amount: 100, direction: 'sell', price: 50_500 }

  function listed(params: RequestParams, request: RequestParams): Json {
    const m = deskMarket()
    m.result('alice', 'private/buy', params)
    m.result('alice', 'private/buy', { ...bid, label: 'last' })
    const orders = m.result('alice', 'private/cancel_all_by_instrument', {
      ...{ ...perpetual, ...request, detailed: true },
    })
    return orders.map(({ order }: Json) => [order.order_id, order.cancel_reason])
  }

  test('the partner of an order', () => {
    const pair = { ...entry, linked_order_type: 'one_cancels_other', otoco_config: [exit] }
    expect(listed(pair, {})).toEqual([
      ['1', 'user_request'],
      ['2', 'oco_other_closed'],
      ['3', 'user_request'],
    ])
  })

  test('secondaries of a primary, whatever the filter', () => {
    const oto = { ...entry, linked_order_type: 'one_triggers_other', otoco_config: [exit, exit] }
    expect(listed(oto, { type: 'limit' })).toEqual([
      ['1', 'user_request'],
      ['OTO-2', 'oto_primary_closed'],
      ['OTO-3', 'oto_primary_closed'],
      ['4', 'user_request'],
    ])
  })
})

describe('wrong parameters', () => {
  const wrong = '-32602 Invalid params '

  test.each([
    ['cancel_all_by_currency', {}, `${wrong}currency required`],
    ['cancel_all_by_currency', { currency: 'any' }, `${wrong}currency unknown_value`],
    ['cancel_all_by_currency', { currency: 'DOGE' }, `${wrong}currency unknown_value`],
    ['cancel_all_by_currency', { currency: 'BTC', kind: 'swap' }, `${wrong}kind unknown_value`],
    ['cancel_all_by_currency', { currency: 'BTC', type: 'stop_all' }, `${wrong}type unknown_value`],
    ['cancel_all_by_currency_pair', {}, `${wrong}currency_pair required`],
    ['cancel_all_by_currency_pair', { currency_pair: 5 }, `${wrong}currency_pair wrong_type`],
    ['cancel_all_by_instrument', {}, `${wrong}instrument_name required`],
    ['cancel_all_by_instrument', { instrument_name: 'NO' }, '13020 not_found'],
    ['cancel_all_by_kind_or_type', { kind: 'spot' }, `${wrong}currency required`],
    ['cancel_all_by_kind_or_type', { currency: 'DOGE' }, `${wrong}currency unknown_value`],
    ['cancel_all_by_kind_or_type', { currency: [] }, `${wrong}currency too_small`],
    ['cancel_all_by_kind_or_type', { currency: ['DOGE'] }, `${wrong}currency unknown_value`],
    ['cancel_all_by_kind_or_type', { currency: ['any'] }, `${wrong}currency unknown_value`],
    ['cancel_all', { detailed: 1 }, `${wrong}detailed wrong_type`],
    ['cancel_by_label', {}, `${wrong}label required`],
    ['cancel_by_label', { label: '' }, `${wrong}label too_small`],
  ])('%s %j', (method, params, expected) => {
    const m = quoted()
    expect(m.refusal('alice', `private/${method}`, params)).toBe(expected)
  })

  test('a currency without open orders cancels nothing', () => {
    const m = quoted()
    expect(m.result('alice', 'private/cancel_all_by_currency', { currency: 'SOL' })).toBe(0)
  })

  test('freeze_quotes cancels the same orders as without it', () => {
    for (const [method, params] of [
      ['cancel_all', {}],
      ['cancel_all_by_currency', { currency: 'BTC' }],
      ['cancel_all_by_currency_pair', { currency_pair: 'btc_usd' }],
      ['cancel_all_by_instrument', perpetual],
      ['cancel_all_by_kind_or_type', { currency: 'any' }],
    ] as const) {
      const plain = quoted().result('alice', `private/${method}`, params)
      const frozen = { ...params, freeze_quotes: true }
      expect(quoted().result('alice', `private/${method}`, frozen)).toBe(plain)
    }
    const m = quoted()
    const none = { detailed: false, freeze_quotes: false }
    expect(m.result('alice', 'private/cancel_all', none)).toBe(11)
  })
})
