/**
 * Bulk cancels, lists of orders, ids, and whose orders one may see and change.
 * Source: trading.md 4.5-4.7, C12, C14, C28; coverage R08, R43, R51, R69.
 */
import { describe, expect, test } from 'vitest'
import { type DeskMarket, deskMarket, type Json } from '../support/desk-market.ts'

const perpetual = { instrument_name: 'BTC-PERPETUAL' }
const bid = { ...perpetual, amount: 100, price: 49_000 }

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

describe('bulk cancels (S242-S244, C12, R43, R69)', () => {
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

  test('S244 cancel_by_label cancels what carries the label, of this account only', () => {
    const m = quoted()
    expect(m.result('alice', 'private/cancel_by_label', { label: 'a' })).toBe(4)
    expect(m.result('alice', 'private/get_open_orders')).toHaveLength(1)
    expect(m.result('bob', 'private/get_open_orders')).toHaveLength(1)
  })

  test('R43 S243 with a currency: settlement currency, for spot base and quote', () => {
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

  test('cancel_all takes everything; nothing to cancel is 0 (R69)', () => {
    const m = quoted()
    expect(m.result('alice', 'private/cancel_all')).toBe(5)
    expect(m.result('alice', 'private/cancel_all')).toBe(0)
    expect(m.result('alice', 'private/cancel_by_label', { label: 'a' })).toBe(0)
  })

  test('options of cancel_all that are not served are refused and cancel nothing', () => {
    const m = quoted()
    for (const params of [{ detailed: true }, { freeze_quotes: true }]) {
      expect(m.refusal('alice', 'private/cancel_all', params)).toBe('10033 not_implemented')
    }
    const none = { detailed: false, freeze_quotes: false }
    expect(m.result('alice', 'private/cancel_all', none)).toBe(5)
  })
})

describe('open orders (S237-S241, C14, R51)', () => {
  test('R51 S083 S240 the list names instrument_id and product_group, replies do not', () => {
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

  test('S238 S239 the filters by kind and by type', () => {
    const m = deskMarket(every)
    m.result('alice', 'private/buy', bid)
    m.result('alice', 'private/sell', { ...perpetual, amount: 10, type: 'market' })
    m.result('alice', 'private/buy', { instrument_name: 'BTC_USDC', amount: 1, price: 49_900 })
    const count = (params: object): number =>
      m.result('alice', 'private/get_open_orders', { ...params }).length
    expect(count({})).toBe(3)
    expect(count({ kind: 'future' })).toBe(2)
    expect(count({ kind: 'spot' })).toBe(1)
    expect(count({ kind: 'option' })).toBe(0)
    for (const type of ['all', 'limit']) expect(count({ type })).toBe(3)
    const triggers =
      'trigger_all stop_all stop_limit stop_market take_all take_limit take_market ' +
      'trailing_all trailing_stop'
    for (const type of triggers.split(' ')) expect([type, count({ type })]).toEqual([type, 0])
    const asked = (params: object): string =>
      m.refusal('alice', 'private/get_open_orders', { ...params })
    expect(asked({ type: 'stop' })).toBe('-32602 Invalid params type unknown_value')
    expect(asked({ kind: 'swap' })).toBe('-32602 Invalid params kind unknown_value')
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
    'OTO-1',
    '99999999999999',
    '999999999999999',
    '9'.repeat(40),
  ])('%j names no order, live or ended: 10004', (order_id) => {
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

  test('an order of another account: 10029, live or ended', () => {
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
