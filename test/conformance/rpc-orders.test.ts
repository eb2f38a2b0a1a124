/**
 * Orders as JSON: which fields, when, with which values; ids; who may see and change what.
 * Source: interface document, Order; trading.md 4.4-4.7, 5.1 (C16, C17), C28; coverage R08, R29, R51.
 */
import { describe, expect, test } from 'vitest'
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
    'BTC-27MAR26-50000-C',
    'ETH-27MAR26-4000-C',
    'BTC_USDC-27MAR26-50000-C',
    'BTC-CS-27MAR26-50000_60000',
  ],
  index: {
    ...{ btc_usd: 50_000, eth_usd: 4000, btc_usdc: 50_000, eth_usdc: 4000, eth_btc: 0.08 },
  },
  accounts: {
    alice: { BTC: 100, ETH: 100, USDC: 1_000_000 },
    bob: { BTC: 100, ETH: 100, USDC: 1_000_000 },
  },
}

function expectKeys(value: object, keys: string): void {
  expect(Object.keys(value).toSorted()).toEqual(keys.split(' ').toSorted())
}

const always =
  'order_id order_state order_type time_in_force instrument_name creation_timestamp ' +
  'last_update_timestamp direction price label post_only api web amount contracts filled_amount ' +
  'average_price max_show mmp risk_reducing replaced'

describe('the order object (S061-S079, C17)', () => {
  test('S230 a resting order, exactly', () => {
    const m = deskMarket()
    const { order, trades } = m.result('alice', 'private/buy', { ...bid, label: 'q1' })
    expect(trades).toEqual([])
    const at = first + 1
    expect(order).toEqual({
      order_id: '1',
      order_state: 'open',
      order_type: 'limit',
      time_in_force: 'good_til_cancelled',
      instrument_name: 'BTC-PERPETUAL',
      creation_timestamp: at,
      last_update_timestamp: at,
      direction: 'buy',
      price: 49_000,
      label: 'q1',
      post_only: false,
      api: true,
      web: false,
      amount: 100,
      contracts: 10,
      filled_amount: 0,
      average_price: 0,
      max_show: 100,
      mmp: false,
      risk_reducing: false,
      replaced: false,
      reduce_only: false,
    })
  })

  test('R29 S078 no is_liquidation outside a liquidation; S070 reduce_only not on spot', () => {
    const m = deskMarket(every)
    expectKeys(m.result('alice', 'private/buy', bid).order, `${always} reduce_only`)
    const spot = { instrument_name: 'BTC_USDC', amount: 1, price: 49_900 }
    const { order } = m.result('alice', 'private/buy', spot)
    expectKeys(order, `${always} is_rebalance`)
    expect(order.is_rebalance).toBe(false)
  })

  test('S068 S069 post_only always, reject_post_only only with it', () => {
    const m = deskMarket()
    const { order: slides } = m.result('alice', 'private/buy', { ...bid, post_only: true })
    expect(slides).toMatchObject({ post_only: true, reject_post_only: false })
    const rejecting = { ...bid, post_only: true, reject_post_only: true }
    const { order: rejects } = m.result('alice', 'private/buy', rejecting)
    expect(rejects).toMatchObject({ post_only: true, reject_post_only: true })
  })

  test('S211 a post-only order that would take rests just off the spread', () => {
    const m = deskMarket()
    m.result('bob', 'private/sell', { ...bid, price: 50_000 })
    const { order, trades } = m.result('alice', 'private/buy', {
      ...{ ...bid, price: 50_100, post_only: true },
    })
    expect(order).toMatchObject({ order_state: 'open', price: 49_999.5 })
    expect(trades).toEqual([])
  })

  test('S073 S074 S075 a partial fill: amount stays, filled_amount grows, average from the fills', () => {
    const m = deskMarket()
    m.result('bob', 'private/sell', { ...bid, amount: 40, price: 50_000 })
    m.result('bob', 'private/sell', { ...bid, amount: 20, price: 50_100 })
    const { order } = m.result('alice', 'private/buy', { ...bid, price: 50_100 })
    expect(order).toMatchObject({
      ...{ order_state: 'open', amount: 100, filled_amount: 60, contracts: 10, price: 50_100 },
      // R27: 60 / (40 / 50000 + 20 / 50100)
      ...{ average_price: 50_033.28894807, max_show: 100 },
    })
  })

  test('S065 last_update_timestamp moves with a fill of the maker, creation_timestamp stays', () => {
    const m = deskMarket()
    m.result('alice', 'private/buy', { ...bid, price: 49_500 })
    m.result('bob', 'private/sell', { ...bid, price: 49_500, amount: 10 })
    expect(m.result('alice', 'private/get_order_state', { order_id: '1' })).toMatchObject({
      ...{ creation_timestamp: first + 1, last_update_timestamp: first + 2, filled_amount: 10 },
    })
  })

  test('S077 an edit sets replaced, keeps the id and answers with the order', () => {
    const m = deskMarket()
    m.result('alice', 'private/buy', bid)
    const { order, trades } = m.result('alice', 'private/edit', { order_id: '1', amount: 50 })
    expect(trades).toEqual([])
    expect(order).toMatchObject({
      ...{ order_id: '1', amount: 50, price: 49_000, replaced: true, order_state: 'open' },
      ...{ creation_timestamp: first + 1, last_update_timestamp: first + 2 },
    })
  })

  test('S236 an edit that crosses trades at once', () => {
    const m = deskMarket()
    m.result('bob', 'private/sell', { ...bid, price: 50_000 })
    m.result('alice', 'private/buy', bid)
    const edit = { order_id: '2', amount: 100, price: 50_000 }
    const { order, trades } = m.result('alice', 'private/edit', edit)
    expect(order).toMatchObject({ order_state: 'filled', average_price: 50_000, replaced: true })
    expect(trades).toMatchObject([{ order_id: '2', liquidity: 'T', amount: 100, state: 'filled' }])
  })

  test('C24 S092 an edit of a reject-post-only order that would take cancels it', () => {
    const m = deskMarket()
    m.result('bob', 'private/sell', { ...bid, price: 50_000 })
    m.result('alice', 'private/buy', { ...bid, post_only: true, reject_post_only: true })
    const edit = { order_id: '2', amount: 100, price: 50_000 }
    expect(m.result('alice', 'private/edit', edit).order).toMatchObject({
      ...{ order_state: 'cancelled', cancel_reason: 'edit_post_only_reject', price: 49_000 },
    })
  })
})

describe('market orders (C16, S063, S097)', () => {
  test('one that never rests is a market order', () => {
    const m = deskMarket()
    m.result('bob', 'private/sell', { ...bid, price: 50_000 })
    const buy = { ...perpetual, amount: 100, type: 'market' }
    const { order, trades } = m.result('alice', 'private/buy', buy)
    expect(order).toMatchObject({ order_type: 'market', order_state: 'filled', price: 50_750 })
    expect(order).not.toHaveProperty('original_order_type')
    expect(trades[0].order_type).toBe('market')
    expect(trades[0]).not.toHaveProperty('original_order_type')
  })

  test('one whose remainder rests is a limit order at the band that was a market order', () => {
    const m = deskMarket()
    m.result('bob', 'private/sell', { ...bid, amount: 40, price: 50_000 })
    const buy = { ...perpetual, amount: 100, type: 'market' }
    const { order, trades } = m.result('alice', 'private/buy', buy)
    const shown = { order_type: 'limit', original_order_type: 'market', price: 50_750 }
    expect(order).toMatchObject({ ...shown, order_state: 'open', filled_amount: 40 })
    expect(trades[0].order_type).toBe('market')
    expect(m.result('alice', 'private/get_order_state', { order_id: '2' })).toEqual(order)
    m.result('bob', 'private/sell', { ...perpetual, amount: 60, price: 50_750 })
    expect(m.result('alice', 'private/get_order_state', { order_id: '2' })).toMatchObject({
      ...{ ...shown, order_state: 'filled' },
    })
    const made = m.result('alice', 'private/get_user_trades_by_order', { order_id: '2' })
    expect(made.map((trade: Json) => [trade.liquidity, trade.order_type])).toEqual([
      ['M', 'limit'],
      ['T', 'market'],
    ])
    expect(made[0].original_order_type).toBe('market')
  })

  test('one that rested and was edited into a taker stays a limit order', () => {
    const m = deskMarket()
    m.result('alice', 'private/sell', { ...perpetual, amount: 100, type: 'market' })
    m.result('bob', 'private/buy', bid)
    const edit = { order_id: '1', amount: 100, price: 49_250 }
    const { order } = m.result('alice', 'private/edit', { ...edit, price: 49_260 })
    expect(order).toMatchObject({ order_type: 'limit', original_order_type: 'market' })
    m.result('bob', 'private/buy', { ...bid, price: 49_255 })
    const crossed = m.result('alice', 'private/edit', edit)
    const shown = { order_type: 'limit', original_order_type: 'market' }
    expect(crossed.order).toMatchObject({ ...shown, order_state: 'filled' })
    expect(crossed.trades).toMatchObject([{ ...shown, liquidity: 'T', price: 49_255 }])
  })

  test('a market-limit order is always a limit order', () => {
    const m = deskMarket()
    m.result('bob', 'private/sell', { ...bid, amount: 40, price: 50_000 })
    const buy = { ...perpetual, amount: 100, type: 'market_limit' }
    const shown = { order_type: 'limit', original_order_type: 'market_limit', price: 50_000 }
    const { order, trades } = m.result('alice', 'private/buy', buy)
    expect(order).toMatchObject({ ...shown, order_state: 'open', filled_amount: 40 })
    expect(trades[0]).toMatchObject({ order_type: 'limit', original_order_type: 'market_limit' })
    expect(m.refusal('alice', 'private/sell', { ...buy, instrument_name: 'BTC-PERPETUAL' })).toBe(
      '10003 order_overlap',
    )
  })

  test('C20 market-limit with nobody opposite: 11030', () => {
    const buy = { ...perpetual, amount: 100, type: 'market_limit' }
    expect(deskMarket().refusal('alice', 'private/buy', buy)).toBe(
      '11030 other_reject no_opposite_price',
    )
  })
})

describe('cancelled orders (S084-S095, C21)', () => {
  test('S084 private/cancel answers with the order, cancelled by its user', () => {
    const m = deskMarket()
    const { order } = m.result('alice', 'private/buy', bid)
    const cancelled = m.result('alice', 'private/cancel', { order_id: '1' })
    expect(cancelled).toEqual({
      ...order,
      ...{ order_state: 'cancelled', cancel_reason: 'user_request' },
      last_update_timestamp: first + 2,
    })
    expect(m.result('alice', 'private/get_order_state', { order_id: '1' })).toEqual(cancelled)
  })

  test.each(['immediate_or_cancel', 'fill_or_kill'])('S095 %s ends without a reason', (force) => {
    const m = deskMarket()
    m.result('bob', 'private/sell', { ...bid, amount: 40, price: 50_000 })
    const buy = { ...bid, price: 50_000, time_in_force: force }
    const { order, trades } = m.result('alice', 'private/buy', buy)
    const filled = force === 'fill_or_kill' ? 0 : 40
    expect(order).toMatchObject({ order_state: 'cancelled', filled_amount: filled })
    expect(order).not.toHaveProperty('cancel_reason')
    expect(trades).toHaveLength(filled === 0 ? 0 : 1)
  })

  test('S094 good_til_day ends at 08:00 with the reason settlement', () => {
    const m = deskMarket()
    m.result('alice', 'private/buy', { ...bid, time_in_force: 'good_til_day' })
    m.result(null, 'sim/advance', { to: first + 23 * 3_600_000 })
    expect(m.result('alice', 'private/get_order_state', { order_id: '1' })).toMatchObject({
      ...{ order_state: 'cancelled', cancel_reason: 'settlement' },
      last_update_timestamp: first + 23 * 3_600_000,
    })
    expect(m.refusal('alice', 'private/cancel', { order_id: '1' })).toBe('11044 not_open_order')
  })

  test('C18 S087 a maker cancelled by self-match: risk_mitigation', () => {
    const m = deskMarket({ config: { selfMatch: 'cancel_maker' } })
    m.result('alice', 'private/sell', { ...bid, price: 50_000 })
    const { order, trades } = m.result('alice', 'private/buy', { ...bid, price: 50_000 })
    expect([order.order_id, order.order_state, trades]).toEqual(['2', 'open', []])
    expect(m.result('alice', 'private/get_order_state', { order_id: '1' })).toMatchObject({
      ...{ order_state: 'cancelled', cancel_reason: 'risk_mitigation' },
    })
  })
})

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
    m.result(null, 'sim/set_mark', { instrument_name: 'BTC-27MAR26-50000-C', price: 0.02 })
    m.result(null, 'sim/set_mark', { instrument_name: 'ETH-27MAR26-4000-C', price: 0.02 })
    m.result(null, 'sim/set_mark', { instrument_name: 'BTC_USDC-27MAR26-50000-C', price: 900 })
    m.result(null, 'sim/set_mark', { instrument_name: 'BTC-CS-27MAR26-50000_60000', price: 0.01 })
    const idOf = (instrument_name: string, amount: number, price: number): string =>
      m.result('alice', 'private/buy', { instrument_name, amount, price }).order.order_id
    expect(idOf('BTC-PERPETUAL', 10, 49_500)).toBe('1')
    expect(idOf('BTC-27MAR26-50000-C', 1, 0.01)).toBe('2')
    expect(idOf('BTC-CS-27MAR26-50000_60000', 1, 0.01)).toBe('3')
    expect(idOf('ETH_BTC', 1, 0.079)).toBe('ETH_BTC-4')
    expect(idOf('ETH-PERPETUAL', 10, 3990)).toBe('ETH-1')
    expect(idOf('ETH-27MAR26-4000-C', 1, 0.01)).toBe('ETH-2')
    expect(idOf('BTC_USDC-PERPETUAL', 0.1, 49_900)).toBe('BTC_USDC-1')
    expect(idOf('ETH_USDC-PERPETUAL', 0.1, 3990)).toBe('ETH_USDC-2')
    expect(idOf('BTC_USDC', 0.1, 49_900)).toBe('BTC_USDC-3')
    expect(idOf('BTC_USDC-27MAR26-50000-C', 0.1, 800)).toBe('BTC_USDC-4')
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
