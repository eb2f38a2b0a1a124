/**
 * Cancels by label, lists of orders, order ids, and access to orders of other accounts.
 * Source: trading.md 4.5-4.7, C11, C12, C14, C28; coverage R08, R43, R46, R51, R69.
 */
import { describe, expect, test } from 'vitest'
import type { RequestParams } from '../../src/rpc/index.ts'
import { type DeskMarket, deskMarket, type Json } from '../support/desk-market.ts'

const perpetual = { instrument_name: 'BTC-PERPETUAL' }
const bid = { ...perpetual, amount: 100, price: 49_000 }
const first = 1_767_603_600_000

const every = {
  instruments: [
    'BTC-PERPETUAL',
    'ETH-PERPETUAL',
    'BTC_USDC-PERPETUAL',
    'ETH_USDC-PERPETUAL',
    'BTC_USDC',
    'ETH_BTC',
    'BTC-27MAR26',
    'ETH-27MAR26',
    'BTC_USDC-27MAR26',
  ],
  index: {
    ...{ btc_usd: 50_000, eth_usd: 4000, btc_usdc: 50_000, eth_usdc: 4000, eth_btc: 0.08 },
  },
  accounts: {
    alice: { BTC: 100, ETH: 100, USDC: 1_000_000 },
    bob: { BTC: 100, ETH: 100, USDC: 1_000_000 },
  },
}

describe('cancels by label (S242-S244, C12, R43, R69)', () => {
  function quoted(): DeskMarket {
    const m = deskMarket(every)
    for (const label of ['a', 'a', 'b']) m.result('alice', 'private/buy', { ...bid, label })
    const linear = { instrument_name: 'BTC_USDC-PERPETUAL', amount: 0.1, price: 49_000 }
    m.result('alice', 'private/buy', { ...linear, label: 'a' })
    m.result('alice', 'private/buy', {
      ...{ instrument_name: 'ETH_BTC', amount: 1, price: 0.079, label: 'a' },
    })
    m.result('bob', 'private/buy', { ...bid, label: 'a' })
    return m
  }

  test('S244 cancel_by_label cancels orders with the label, of this account only', () => {
    const m = quoted()
    expect(m.result('alice', 'private/cancel_by_label', { label: 'a' })).toBe(4)
    expect(m.result('alice', 'private/get_open_orders')).toHaveLength(1)
    expect(m.result('bob', 'private/get_open_orders')).toHaveLength(1)
  })

  test('R43 S243 with a currency: the settlement currency; for spot, base and quote', () => {
    const params = (currency: string): object => ({ label: 'a', currency })
    for (const [currency, count] of [
      ['BTC', 3],
      ['ETH', 1],
      ['USDC', 1],
      ['USDT', 0],
    ] as const) {
      const m = quoted()
      expect(m.result('alice', 'private/cancel_by_label', { ...params(currency) })).toBe(count)
    }
  })

  test('cancel_all cancels everything; without orders the answer is 0 (R69)', () => {
    const m = quoted()
    expect(m.result('alice', 'private/cancel_all')).toBe(5)
    expect(m.result('alice', 'private/cancel_all')).toBe(0)
    expect(m.result('alice', 'private/cancel_by_label', { label: 'a' })).toBe(0)
  })
})

describe('open orders (S237-S241, C14, R51)', () => {
  test('R51 S083 S240 the list has instrument_id and product_group, replies do not', () => {
    const m = deskMarket()
    const { order } = m.result('alice', 'private/buy', bid)
    expect(m.result('alice', 'private/get_open_orders')).toEqual([
      { ...order, instrument_id: 1000, product_group: 'BTC' },
    ])
    const state = m.result('alice', 'private/get_order_state', { order_id: '1' })
    expect(state).toEqual(order)
  })

  test('S237 C14 all currencies, in the order of creation', () => {
    const m = deskMarket(every)
    const linear = { instrument_name: 'BTC_USDC-PERPETUAL', amount: 0.1, price: 49_000 }
    m.result('alice', 'private/buy', bid)
    m.result('alice', 'private/buy', linear)
    m.result('alice', 'private/buy', { ...bid, price: 49_500 })
    m.result('alice', 'private/edit', { order_id: '1', amount: 200 })
    const ids = m.result('alice', 'private/get_open_orders').map((order: Json) => order.order_id)
    expect(ids).toEqual(['1', 'BTC_USDC-1', '2'])
  })

  /** Orders of each kind. The label names the kind. */
  function sorted(): DeskMarket {
    const m = deskMarket(every)
    const buy = (label: string, params: RequestParams): void => {
      m.result('alice', 'private/buy', { ...perpetual, amount: 100, ...params, label })
    }
    buy('limit', { price: 49_500 })
    buy('spot', { instrument_name: 'BTC_USDC', amount: 1, price: 49_900 })
    buy('cross', { instrument_name: 'ETH_BTC', amount: 1, price: 0.079 })
    const stop = { trigger: 'mark_price', trigger_price: 50_500, price: 50_500 }
    buy('stop_limit', { ...stop, type: 'stop_limit' })
    buy('stop_market', { ...stop, type: 'stop_market' })
    const take = { ...stop, trigger_price: 49_500 }
    buy('take_limit', { ...take, type: 'take_limit' })
    buy('take_market', { ...take, type: 'take_market' })
    buy('trailing', { trigger: 'mark_price', trigger_offset: 500, type: 'trailing_stop' })
    const secondary = { amount: 100, direction: 'sell', price: 50_500, label: 'dormant' }
    const oto = { linked_order_type: 'one_triggers_other', otoco_config: [secondary] }
    buy('primary', { price: 49_400, ...oto })
    m.result('bob', 'private/buy', { ...bid, label: 'limit' })
    return m
  }

  function labels(m: DeskMarket, method: string, params: RequestParams = {}): string {
    const listed = m.result('alice', `private/${method}`, params)
    for (const order of listed) {
      expect(order).toMatchObject({ instrument_id: expect.any(Number) })
      expect(['BTC', 'ETH']).toContain(order.product_group)
    }
    return listed.map((order: Json) => order.label).join(' ')
  }

  const waiting = 'stop_limit stop_market take_limit take_market trailing'
  const all = `limit spot cross ${waiting} primary dormant`

  test('S238 the filter by kind', () => {
    const m = sorted()
    expect(labels(m, 'get_open_orders')).toBe(all)
    expect(labels(m, 'get_open_orders', { kind: 'spot' })).toBe('spot cross')
    expect(labels(m, 'get_open_orders', { kind: 'future' })).toBe(`limit ${waiting} primary dormant`)
    expect(labels(m, 'get_open_orders', { kind: 'option' })).toBe('')
    const asked = m.refusal('alice', 'private/get_open_orders', { kind: 'swap' })
    expect(asked).toBe('-32602 Invalid params kind unknown_value')
  })

  test.each([
    ['all', all],
    ['limit', 'limit spot cross primary'],
    ['trigger_all', waiting],
    ['stop_all', 'stop_limit stop_market'],
    ['stop_limit', 'stop_limit'],
    ['stop_market', 'stop_market'],
    ['take_all', 'take_limit take_market'],
    ['take_limit', 'take_limit'],
    ['take_market', 'take_market'],
    ['trailing_all', 'trailing'],
    ['trailing_stop', 'trailing'],
  ])('S239 the type %s', (type, expected) => {
    expect(labels(sorted(), 'get_open_orders', { type })).toBe(expected)
  })

  test('S239 another type is refused', () => {
    const asked = deskMarket().refusal('alice', 'private/get_open_orders', { type: 'stop' })
    expect(asked).toBe('-32602 Invalid params type unknown_value')
  })

  test('R43 by currency: spot belongs to base and quote', () => {
    const m = sorted()
    const method = 'get_open_orders_by_currency'
    expect(labels(m, method, { currency: 'USDC' })).toBe('spot')
    expect(labels(m, method, { currency: 'ETH' })).toBe('cross')
    expect(labels(m, method, { currency: 'BTC', type: 'limit' })).toBe('limit spot cross primary')
    expect(labels(m, method, { currency: 'BTC', kind: 'spot' })).toBe('spot cross')
    expect(labels(m, method, { currency: 'USDT' })).toBe('')
    const refused = (params: RequestParams): string => m.refusal('alice', `private/${method}`, params)
    expect(refused({})).toBe('-32602 Invalid params currency required')
    expect(refused({ currency: 'any' })).toBe('-32602 Invalid params currency unknown_value')
  })

  test('by instrument, and by label', () => {
    const m = sorted()
    const method = 'get_open_orders_by_instrument'
    expect(labels(m, method, { instrument_name: 'BTC_USDC' })).toBe('spot')
    expect(labels(m, method, { ...perpetual, type: 'stop_all' })).toBe('stop_limit stop_market')
    const unlisted = { instrument_name: 'NO' }
    expect(m.refusal('alice', `private/${method}`, unlisted)).toBe('13020 not_found')
    const label = 'get_open_orders_by_label'
    expect(labels(m, label, { currency: 'BTC', label: 'limit' })).toBe('limit')
    expect(labels(m, label, { currency: 'BTC', label: 'dormant' })).toBe('dormant')
    expect(labels(m, label, { currency: 'ETH', label: 'limit' })).toBe('')
    expect(labels(m, label, { currency: 'ETH' })).toBe('cross')
  })
})

describe('private/get_order_state_by_label and get_order_margin_by_ids (C14)', () => {
  test('recent orders with a label, open and ended, in the order of creation', () => {
    const m = deskMarket(every)
    const linear = { instrument_name: 'BTC_USDC-PERPETUAL', amount: 0.1, price: 49_500 }
    m.result('alice', 'private/buy', { ...bid, label: 'a' })
    m.result('alice', 'private/buy', { ...bid, label: 'a' })
    m.result('alice', 'private/buy', { ...bid, label: 'b' })
    m.result('alice', 'private/buy', { ...linear, label: 'a' })
    m.result('bob', 'private/buy', { ...bid, label: 'a' })
    m.result('alice', 'private/cancel', { order_id: '1' })
    const ask = (params: RequestParams): Json =>
      m
        .result('alice', 'private/get_order_state_by_label', params)
        .map((order: Json) => [order.order_id, order.order_state])
    const labelled = { currency: 'BTC', label: 'a' }
    expect(ask(labelled)).toEqual([
      ['1', 'cancelled'],
      ['2', 'open'],
    ])
    expect(ask({ currency: 'USDC', label: 'a' })).toEqual([['BTC_USDC-1', 'open']])
    expect(ask({ currency: 'BTC' })).toHaveLength(3)
    expect(ask({ currency: 'BTC', label: 'none' })).toEqual([])
    m.result(null, 'sim/advance', { to: first + 6 + 1_800_000 })
    expect(ask(labelled)).toEqual([['2', 'open']])
    const refused = m.refusal('alice', 'private/get_order_state_by_label', { label: 'a' })
    expect(refused).toBe('-32602 Invalid params currency required')
  })

  test('margins in the order of the request, without ended orders and orders of other accounts', () => {
    const m = deskMarket(every)
    m.result('alice', 'private/buy', { ...bid, amount: 50_000, price: 50_000 })
    const stop = { type: 'stop_market', trigger: 'mark_price', trigger_price: 50_500 }
    m.result('alice', 'private/buy', { ...perpetual, amount: 100, ...stop })
    m.result('alice', 'private/buy', bid)
    m.result('alice', 'private/cancel', { order_id: '3' })
    m.result('bob', 'private/buy', bid)
    const linear = { instrument_name: 'BTC_USDC-PERPETUAL', amount: 0.1, price: 49_500 }
    m.result('alice', 'private/buy', linear)
    const ids = ['BTC_USDC-1', 'SLMB-2', '3', '4', 'nonsense', '1', '1']
    const margins = m.result('alice', 'private/get_order_margin_by_ids', { ids })
    expect(margins.map((each: Json) => [each.order_id, each.initial_margin_currency])).toEqual([
      ['BTC_USDC-1', 'USDC'],
      ['SLMB-2', 'BTC'],
      ['1', 'BTC'],
      ['1', 'BTC'],
    ])
    expect(margins[0].initial_margin).toBeGreaterThan(50)
    expect(margins[1].initial_margin).toBe(0)
    expect(margins[2].initial_margin).toBeGreaterThan(0.02)
    const refused = (params: RequestParams): string => m.refusal('alice', 'private/get_order_margin_by_ids', params)
    expect(refused({})).toBe('-32602 Invalid params ids required')
    expect(refused({ ids: '1' })).toBe('-32602 Invalid params ids wrong_type')
    expect(refused({ ids: [1] })).toBe('-32602 Invalid params ids.0 wrong_type')
    expect(m.result('alice', 'private/get_order_margin_by_ids', { ids: [] })).toEqual([])
  })
})

describe('private/edit_by_label (C11)', () => {
  const edit = { ...perpetual, label: 'a', amount: 200 }

  function labelled(...labels: readonly string[]): DeskMarket {
    const m = deskMarket(every)
    for (const label of labels) m.result('alice', 'private/buy', { ...bid, label })
    return m
  }

  const refused = (m: DeskMarket, params: RequestParams = {}): string =>
    m.refusal('alice', 'private/edit_by_label', { ...edit, ...params })

  test('edits the one order of the instrument with the label', () => {
    const m = labelled('a', 'b')
    const linear = { instrument_name: 'BTC_USDC-PERPETUAL', amount: 0.1, price: 49_500 }
    m.result('alice', 'private/buy', { ...linear, label: 'a' })
    m.result('bob', 'private/buy', { ...bid, label: 'a' })
    const { order, trades } = m.result('alice', 'private/edit_by_label', {
      ...{ ...edit, price: 49_100, post_only: true },
    })
    expect(trades).toEqual([])
    expect(order).toMatchObject({
      ...{ order_id: '1', amount: 200, price: 49_100, replaced: true, post_only: true },
    })
  })

  test('an order that waits, and a secondary', () => {
    const m = labelled()
    const stop = { type: 'stop_market', trigger: 'mark_price', trigger_price: 50_500 }
    m.result('alice', 'private/buy', { ...perpetual, amount: 100, ...stop, label: 'a' })
    expect(m.result('alice', 'private/edit_by_label', { ...edit, trigger_price: 50_600 }).order).toMatchObject({
      order_id: 'SLMB-1',
      trigger_price: 50_600,
      amount: 200,
    })
    const secondary = { amount: 100, direction: 'sell', price: 50_500, label: 'b' }
    const oto = { linked_order_type: 'one_triggers_other', otoco_config: [secondary] }
    m.result('alice', 'private/buy', { ...bid, ...oto })
    const { order } = m.result('alice', 'private/edit_by_label', { ...edit, label: 'b' })
    expect(order).toMatchObject({ order_id: 'OTO-3', amount: 200 })
  })

  test('no match is 10004, several are 13032; ended orders do not count', () => {
    const several = labelled('a', 'a')
    expect(refused(several)).toBe('13032 non_unique_order_label')
    several.result('alice', 'private/cancel', { order_id: '1' })
    expect(several.result('alice', 'private/edit_by_label', edit).order.order_id).toBe('2')
    expect(refused(labelled('b'))).toBe('10004 order_not_found')
    expect(refused(labelled('a'), { instrument_name: 'ETH-PERPETUAL' })).toBe('10004 order_not_found')
  })

  test('its parameters; of two errors, the earlier step wins', () => {
    const m = labelled('a', 'a')
    const wrong = '-32602 Invalid params '
    expect(refused(m, { label: null })).toBe(`${wrong}label required`)
    expect(refused(m, { label: '' })).toBe(`${wrong}label too_small`)
    expect(refused(m, { instrument_name: null })).toBe(`${wrong}instrument_name required`)
    expect(refused(m, { amount: null })).toBe(`${wrong}amount required`)
    expect(refused(m, { instrument_name: 'NO' })).toBe('13020 not_found')
    expect(refused(m, { instrument_name: 'NO', valid_until: 1 })).toBe('13888 timed_out')
    expect(refused(m, { valid_until: 1 })).toBe('13888 timed_out')
    expect(refused(m, { amount: 15 })).toBe('13032 non_unique_order_label')
    const one = labelled('a')
    expect(refused(one, { amount: 15, price: 0.3 })).toBe('10027 non_integer_contract_amount')
    expect(refused(one, { advanced: 'usd', amount: 15 })).toBe('11041 not_adv_order')
  })

  test('it ignores display_amount and trigger_offset', () => {
    const m = labelled('a')
    const params = { ...edit, display_amount: 5, max_show: 5, trigger_offset: 5 }
    const { order } = m.result('alice', 'private/edit_by_label', params)
    expect(order.amount).toBe(200)
    expect(order).not.toHaveProperty('display_amount')
  })
})

describe('order ids (R08, C02)', () => {
  test('prefixes: none for coin BTC, the coin for ETH, the pair for linear and spot', () => {
    const m = deskMarket(every)
    const idOf = (instrument_name: string, amount: number, price: number): string =>
      m.result('alice', 'private/buy', { instrument_name, amount, price }).order.order_id
    expect(idOf('BTC-PERPETUAL', 10, 49_500)).toBe('1')
    expect(idOf('BTC-PERPETUAL', 10, 49_400)).toBe('2')
    expect(idOf('BTC-27MAR26', 10, 49_500)).toBe('3')
    expect(idOf('ETH_BTC', 1, 0.079)).toBe('ETH_BTC-4')
    expect(idOf('ETH-PERPETUAL', 10, 3990)).toBe('ETH-1')
    expect(idOf('ETH-27MAR26', 10, 3990)).toBe('ETH-2')
    expect(idOf('BTC_USDC-PERPETUAL', 0.1, 49_900)).toBe('BTC_USDC-1')
    expect(idOf('ETH_USDC-PERPETUAL', 0.1, 3990)).toBe('ETH_USDC-2')
    expect(idOf('BTC_USDC', 0.1, 49_900)).toBe('BTC_USDC-3')
    expect(idOf('BTC_USDC-27MAR26', 0.1, 49_900)).toBe('BTC_USDC-4')
    const open = m.result('alice', 'private/get_open_orders')
    for (const { order_id } of open) {
      expect(m.result('alice', 'private/get_order_state', { order_id }).order_id).toBe(order_id)
      expect(m.result('alice', 'private/cancel', { order_id }).order_state).toBe('cancelled')
    }
    expect(open).toHaveLength(10)
  })

  test.each([
    '',
    '0',
    '01',
    '-1',
    '1.0',
    ' 1',
    'BTC-1',
    'ETH-1',
    'BTC_USDC-1',
    'NOPE-1',
    'ETH_NOPE-1',
    'SLIS-103',
    'SLMB-1',
    'OTO-1',
    '9999999999999',
    '99999999999999',
    '999999999999999',
    '9'.repeat(40),
  ])('%j does not match any order, open or ended: 10004', (order_id) => {
    const m = deskMarket(every)
    m.result('alice', 'private/buy', bid)
    const unknown = '10004 order_not_found'
    const refuses = (): void => {
      expect(m.refusal('alice', 'private/get_order_state', { order_id })).toBe(unknown)
      expect(m.refusal('alice', 'private/cancel', { order_id })).toBe(unknown)
      expect(m.refusal('alice', 'private/edit', { order_id, amount: 10 })).toBe(unknown)
      expect(m.refusal('alice', 'private/get_user_trades_by_order', { order_id })).toBe(unknown)
    }
    refuses()
    m.result('alice', 'private/cancel', { order_id: '1' })
    refuses()
  })
})

describe('orders of others and ended orders (C28)', () => {
  const notOwner = '10029 not_owner_of_order'

  test('an order of another account: 10029, open or ended', () => {
    const m = deskMarket()
    m.result('alice', 'private/buy', bid)
    const refuses = (): void => {
      expect(m.refusal('bob', 'private/get_order_state', { order_id: '1' })).toBe(notOwner)
      expect(m.refusal('bob', 'private/cancel', { order_id: '1' })).toBe(notOwner)
      expect(m.refusal('bob', 'private/edit', { order_id: '1', amount: 10 })).toBe(notOwner)
      expect(m.refusal('bob', 'private/get_user_trades_by_order', { order_id: '1' })).toBe(notOwner)
    }
    refuses()
    m.result('alice', 'private/cancel', { order_id: '1' })
    refuses()
  })

  test('S231 an ended order: 10010 for edit, 11044 for cancel', () => {
    const m = deskMarket()
    m.result('alice', 'private/buy', { ...bid, price: 49_500 })
    m.result('bob', 'private/sell', { ...bid, price: 49_500 })
    for (const [account, order_id] of [
      ['alice', '1'],
      ['bob', '2'],
    ] as const) {
      const edit = { order_id, amount: 10 }
      expect(m.refusal(account, 'private/edit', edit)).toBe('10010 already_closed')
      expect(m.refusal(account, 'private/cancel', { order_id })).toBe('11044 not_open_order')
    }
  })
})
