/**
 * Trigger orders in requests and replies: their ids and fields, the orders that they become, edits, cancels, and their
 * history.
 * Source: interface document, Order; trading.md 4.4, 4.8, 5.1, 5.3 (C19), 6.13 (C31); coverage R08.
 */
import { describe, expect, test } from 'vitest'
import type { RequestParams } from '../../src/rpc/index.ts'
import { type DeskMarket, deskMarket, type Json } from '../support/desk-market.ts'

const perpetual = { instrument_name: 'BTC-PERPETUAL' }
const plain = { ...perpetual, amount: 100, price: 49_000 }
const stopLimit = {
  ...{ ...perpetual, amount: 100, type: 'stop_limit', price: 49_400 },
  ...{ trigger: 'mark_price', trigger_price: 49_500 },
}
const stopMarket = { ...stopLimit, type: 'stop_market', price: null }
const trailing = {
  ...{ ...perpetual, amount: 100, type: 'trailing_stop' },
  ...{ trigger: 'mark_price', trigger_offset: 500 },
}
const first = 1_767_603_600_000

function state(m: DeskMarket, order_id: string, account = 'alice'): Json {
  return m.result(account, 'private/get_order_state', { order_id })
}

function moveIndex(m: DeskMarket, price: number): void {
  m.result(null, 'sim/set_index', { index_name: 'btc_usd', price })
}

function history(m: DeskMarket, params: RequestParams = {}): Json {
  return m.result('alice', 'private/get_trigger_order_history', { currency: 'BTC', ...params })
}

describe('an order that waits (S066, S081, S082, S099)', () => {
  test('a stop-limit order, exactly', () => {
    const m = deskMarket()
    const { order, trades } = m.result('alice', 'private/sell', { ...stopLimit, label: 'out' })
    expect(trades).toEqual([])
    expect(order).toEqual({
      ...{ order_id: 'SLMS-1', order_state: 'untriggered', order_type: 'stop_limit' },
      ...{ time_in_force: 'good_til_cancelled', instrument_name: 'BTC-PERPETUAL' },
      ...{ creation_timestamp: first + 1, last_update_timestamp: first + 1, direction: 'sell' },
      user_id: 4,
      ...{ price: 49_400, label: 'out', post_only: false, api: true, web: false, amount: 100 },
      ...{ contracts: 10, filled_amount: 0, average_price: 0, max_show: 100, mmp: false },
      ...{ risk_reducing: false, replaced: false, reduce_only: false, is_liquidation: false },
      ...{ triggered: false, trigger: 'mark_price', trigger_price: 49_500 },
    })
    expect(state(m, 'SLMS-1')).toEqual(order)
    expect(m.result('alice', 'private/get_open_orders')).toEqual([
      { ...order, instrument_id: 1000, product_group: 'BTC' },
    ])
  })

  test('S066 an order of a market type has the price market_price', () => {
    const m = deskMarket()
    for (const params of [stopMarket, { ...stopMarket, type: 'take_market', trigger_price: 50_500 }, trailing]) {
      const { order } = m.result('alice', 'private/sell', params)
      expect(order).toMatchObject({ price: 'market_price', order_type: params.type })
      expect(state(m, order.order_id)).toEqual(order)
      expect(order).not.toHaveProperty('original_order_type')
    }
  })

  test('S099 a trailing stop: offset, reference, and a trigger price that never moves back', () => {
    const m = deskMarket()
    const { order } = m.result('alice', 'private/sell', trailing)
    expect(order).toMatchObject({
      ...{ trigger_offset: 500, trigger_reference_price: 50_000, trigger_price: 49_500 },
    })
    moveIndex(m, 50_300)
    expect(state(m, 'SLMS-1')).toMatchObject({
      ...{ trigger_price: 49_800, trigger_reference_price: 50_000 },
    })
    moveIndex(m, 50_000)
    expect(state(m, 'SLMS-1').trigger_price).toBe(49_800)
  })

  test('C02 R08 ids show source and side, and each number occurs once over all sources', () => {
    const m = deskMarket({
      instruments: ['BTC-PERPETUAL', 'ETH-PERPETUAL', 'BTC_USDC-PERPETUAL'],
      index: { btc_usd: 50_000, eth_usd: 4000, btc_usdc: 50_000 },
      accounts: { alice: { BTC: 10, ETH: 100, USDC: 100_000 }, bob: { BTC: 10 } },
    })
    m.result('alice', 'private/sell', { ...plain, price: 50_000 })
    m.result('bob', 'private/buy', { ...plain, price: 50_000 })
    const ids: string[] = []
    for (const trigger of ['index_price', 'mark_price', 'last_price']) {
      const sell = { ...stopLimit, trigger }
      const buy = { ...sell, trigger_price: 50_500, price: 50_500 }
      ids.push(m.result('alice', 'private/buy', buy).order.order_id)
      ids.push(m.result('alice', 'private/sell', sell).order.order_id)
    }
    expect(ids).toEqual(['SLIB-3', 'SLIS-4', 'SLMB-5', 'SLMS-6', 'SLTB-7', 'SLTS-8'])
    const eth = { ...stopMarket, instrument_name: 'ETH-PERPETUAL', trigger_price: 3900 }
    expect(m.result('alice', 'private/sell', eth).order.order_id).toBe('ETH-SLMS-1')
    const linear = { ...stopMarket, instrument_name: 'BTC_USDC-PERPETUAL', amount: 0.01 }
    expect(m.result('alice', 'private/sell', linear).order.order_id).toBe('BTC_USDC-SLMS-1')
    expect(m.result('alice', 'private/buy', plain).order.order_id).toBe('9')
  })

  test.each(['1', 'SLMB-1', 'SLIS-1', 'SLTS-1', 'OTO-1', 'ETH-SLMS-1', 'SLMS-2', 'slms-1'])(
    '%s is not the same as SLMS-1, live or ended: 10004',
    (order_id) => {
      const m = deskMarket()
      m.result('alice', 'private/sell', stopLimit)
      const refuses = (): void => {
        const unknown = '10004 order_not_found'
        expect(m.refusal('alice', 'private/get_order_state', { order_id })).toBe(unknown)
        expect(m.refusal('alice', 'private/cancel', { order_id })).toBe(unknown)
        expect(m.refusal('alice', 'private/edit', { order_id, amount: 100 })).toBe(unknown)
        const trades = 'private/get_user_trades_by_order'
        expect(m.refusal('alice', trades, { order_id })).toBe(unknown)
        const margins = m.result('alice', 'private/get_order_margin_by_ids', { ids: [order_id] })
        expect(margins).toEqual([])
      }
      refuses()
      m.result('alice', 'private/cancel', { order_id: 'SLMS-1' })
      refuses()
    },
  )

  test('post-only is kept for the resulting order, and so is display', () => {
    const m = deskMarket()
    const params = { ...stopLimit, amount: 5000, post_only: true, display_amount: 1000 }
    expect(m.result('alice', 'private/sell', params).order).toMatchObject({
      ...{ post_only: true, reject_post_only: false, max_show: 1000 },
      ...{ display_amount: 1000, refresh_amount: 1000 },
    })
  })

  test('C31 the refusal shows the limit for one source: 11035', () => {
    const limits = { total: 10, future: 10, option: 10, spot: 10, triggers: 1, secondaries: 10 }
    const m = deskMarket({ config: { openOrderLimits: limits } })
    m.result('alice', 'private/sell', stopLimit)
    expect(m.refusal('alice', 'private/sell', stopMarket)).toBe('11035 no_more_triggers 1')
    m.result('alice', 'private/sell', { ...stopMarket, trigger: 'index_price' })
    m.result('alice', 'private/buy', plain)
  })
})

describe('an order that fires (C31)', () => {
  test('it is triggered, and the resulting order names it', () => {
    const m = deskMarket()
    m.result('alice', 'private/sell', { ...stopLimit, label: 'out' })
    moveIndex(m, 49_500)
    expect(state(m, 'SLMS-1')).toMatchObject({
      ...{ order_state: 'triggered', triggered: true, price: 49_400, trigger_price: 49_500 },
      last_update_timestamp: first + 2,
    })
    const [became] = m.result('alice', 'private/get_open_orders')
    expect(became).toMatchObject({
      ...{ order_id: '2', order_state: 'open', order_type: 'limit', price: 49_400, label: 'out' },
      ...{ trigger_order_id: 'SLMS-1', creation_timestamp: first + 2, direction: 'sell' },
    })
    for (const absent of ['triggered', 'trigger', 'trigger_price', 'original_order_type']) {
      expect(became).not.toHaveProperty(absent)
    }
    expect(m.refusal('alice', 'private/cancel', { order_id: 'SLMS-1' })).toBe('11044 not_open_order')
    const edit = { order_id: 'SLMS-1', amount: 10 }
    expect(m.refusal('alice', 'private/edit', edit)).toBe('10010 already_closed')
  })

  test('C16 a market order: filled it stays a market order, resting it becomes a plain limit order', () => {
    const m = deskMarket()
    m.result('bob', 'private/buy', { ...plain, amount: 40, price: 49_480 })
    m.result('alice', 'private/sell', { ...stopMarket, amount: 40 })
    m.result('alice', 'private/sell', { ...stopMarket, amount: 60 })
    moveIndex(m, 49_500)
    const filled = state(m, '4')
    expect(filled).toMatchObject({
      ...{ order_state: 'filled', order_type: 'market', trigger_order_id: 'SLMS-2' },
    })
    const rests = state(m, '5')
    expect(rests).toMatchObject({
      ...{ order_state: 'open', order_type: 'limit', trigger_order_id: 'SLMS-3' },
    })
    expect(rests).not.toHaveProperty('original_order_type')
    const [trade] = m.result('alice', 'private/get_user_trades_by_order', { order_id: '4' })
    expect(trade).toMatchObject({ order_type: 'market', liquidity: 'T', order_id: '4' })
    m.result('bob', 'private/buy', { ...plain, amount: 10, price: rests.price })
    const [made] = m.result('alice', 'private/get_user_trades_by_order', { order_id: '5' })
    expect(made).toMatchObject({ order_type: 'limit', liquidity: 'M' })
    expect(made).not.toHaveProperty('original_order_type')
  })

  test('orders that a request fires are not part of its reply', () => {
    const m = deskMarket()
    m.result('alice', 'private/sell', { ...plain, amount: 10, price: 50_000 })
    m.result('alice', 'private/sell', { ...plain, amount: 10, price: 50_100 })
    m.result('bob', 'private/buy', { ...plain, amount: 10, price: 50_000 })
    const stop = { ...perpetual, amount: 50, type: 'stop_market', trigger: 'last_price' }
    m.result('bob', 'private/buy', { ...stop, trigger_price: 50_100 })
    m.result('alice', 'private/sell', { ...plain, amount: 50, price: 50_200 })
    const { order, trades } = m.result('bob', 'private/buy', {
      ...{ ...plain, amount: 10, price: 50_100 },
    })
    expect(order.order_state).toBe('filled')
    expect(trades.map((trade: Json) => [trade.order_id, trade.price])).toEqual([[order.order_id, 50_100]])
    expect(state(m, 'SLTB-4', 'bob').order_state).toBe('triggered')
    expect(state(m, '7', 'bob')).toMatchObject({ order_state: 'filled', average_price: 50_200 })
  })

  test('if the resulting order is refused, the trigger order is rejected and no other order exists', () => {
    const m = deskMarket()
    m.result('alice', 'private/sell', { ...stopMarket, reduce_only: true })
    moveIndex(m, 49_500)
    const rejected = state(m, 'SLMS-1')
    expect(rejected).toMatchObject({ order_state: 'rejected', triggered: false })
    expect(rejected).not.toHaveProperty('cancel_reason')
    expect(m.result('alice', 'private/get_open_orders')).toEqual([])
  })
})

describe('edits and cancels of an order that waits (S231, S235)', () => {
  test('S084 a cancel answers with the order; its price is still market_price', () => {
    const m = deskMarket()
    const { order } = m.result('alice', 'private/sell', stopMarket)
    const cancelled = m.result('alice', 'private/cancel', { order_id: 'SLMS-1' })
    expect(cancelled).toEqual({
      ...{ ...order, order_state: 'cancelled', cancel_reason: 'user_request' },
      last_update_timestamp: first + 2,
    })
    expect(cancelled.price).toBe('market_price')
  })

  test('S235 price, trigger price, amount and flags of a stop', () => {
    const m = deskMarket()
    m.result('alice', 'private/sell', stopLimit)
    const { order, trades } = m.result('alice', 'private/edit', {
      ...{ order_id: 'SLMS-1', amount: 200, price: 49_300, trigger_price: 49_350 },
      ...{ post_only: true, reduce_only: true },
    })
    expect(trades).toEqual([])
    expect(order).toMatchObject({
      ...{ order_state: 'untriggered', replaced: true, amount: 200, price: 49_300 },
      ...{ trigger_price: 49_350, post_only: true, reduce_only: true, order_type: 'stop_limit' },
    })
  })

  test('S235 the offset of a trailing stop; its extreme price is kept (C31)', () => {
    const m = deskMarket()
    m.result('alice', 'private/sell', trailing)
    moveIndex(m, 50_200)
    const edit = { order_id: 'SLMS-1', amount: 100, trigger_offset: 300 }
    expect(m.result('alice', 'private/edit', edit).order).toMatchObject({
      ...{ trigger_offset: 300, trigger_price: 49_900, trigger_reference_price: 50_000 },
    })
  })

  const edit = { order_id: 'SLMS-1', amount: 100 }

  test.each([
    ['off the grid', stopLimit, { trigger_price: 49_400.3 }, '10044 trigger_price_wrong_tick'],
    ['beyond all prices', stopLimit, { trigger_price: 1e9 }, '11036 invalid_trigger_price'],
    ['that holds already', stopLimit, { trigger_price: 50_500 }, '10034 trigger_price_too_high'],
    ['a distance off the grid', trailing, { trigger_offset: 0.3 }, '10044 trigger_price_wrong_tick'],
    ['no distance', trailing, { trigger_offset: 0 }, '10044 trigger_price_wrong_tick'],
    ['a limit price off the grid', stopLimit, { price: 49_400.3 }, '10043 price_wrong_tick'],
    ['post_only where it becomes a market order', stopMarket, { post_only: true }, '11055 post_only_not_allowed'],
    ['an amount below the minimum', stopLimit, { amount: 5 }, '10002 qty_too_low'],
    [
      'the amount before the trigger price',
      stopLimit,
      { amount: 15, trigger_price: 0.3 },
      '10027 non_integer_contract_amount',
    ],
    ['the price before the trigger price', stopLimit, { price: 0.3, trigger_price: 0.3 }, '10043 price_wrong_tick'],
    ['S219 mmp on a stop', stopLimit, { mmp: true }, '11047 unsupported_arg_combination'],
  ])('%s', (_title, order, change, expected) => {
    const m = deskMarket()
    const { order: placed } = m.result('alice', 'private/sell', order)
    expect(m.refusal('alice', 'private/edit', { ...edit, ...change })).toBe(expected)
    expect(state(m, 'SLMS-1')).toEqual(placed)
  })

  test.each([{ trigger_price: 49_000 }, { trigger_offset: 10 }])(
    'S235 %j of an order without a trigger: 11047',
    (change) => {
      const m = deskMarket()
      m.result('alice', 'private/buy', plain)
      const params = { order_id: '1', amount: 100, ...change }
      expect(m.refusal('alice', 'private/edit', params)).toBe('11047 unsupported_arg_combination')
    },
  )

  test.each([
    ['a distance of a stop', stopLimit, { trigger_offset: 10 }],
    ['a trigger price of a trailing stop', trailing, { trigger_price: 49_000 }],
    ['a price of a trailing stop', trailing, { price: 49_000 }],
    ['a price of a stop that becomes a market order', stopMarket, { price: 49_000 }],
    ['a price off the grid, of the same', stopMarket, { price: 0.3 }],
    ['a size to show of an order without a limit', stopMarket, { display_amount: 1000 }],
    ['the older name of it', stopMarket, { max_show: 1000 }],
  ])('B06 an edit of a field that the order does not have is refused: %s', (_title, order, change) => {
    const m = deskMarket()
    const { order: placed } = m.result('alice', 'private/sell', order)
    const unfit = '11047 unsupported_arg_combination'
    expect(m.refusal('alice', 'private/edit', { ...edit, ...change })).toBe(unfit)
    expect(state(m, 'SLMS-1')).toEqual(placed)
  })

  test('B06 an edit by label refuses a price of a trailing stop', () => {
    const m = deskMarket()
    m.result('alice', 'private/sell', { ...trailing, label: 'x' })
    const params = { ...perpetual, label: 'x', amount: 200, price: 49_000 }
    const unfit = '11047 unsupported_arg_combination'
    expect(m.refusal('alice', 'private/edit_by_label', params)).toBe(unfit)
  })
})

describe('private/get_trigger_order_history (C19)', () => {
  test('no entry at creation; exactly one when the order stops waiting', () => {
    const m = deskMarket()
    m.result('alice', 'private/sell', { ...stopLimit, label: 'out', post_only: true })
    expect(history(m)).toEqual({ entries: [], continuation: 'none' })
    moveIndex(m, 49_500)
    const entry = {
      ...{ timestamp: first + 3, last_update_timestamp: first + 3, trigger: 'mark_price' },
      ...{ trigger_price: 49_500, trigger_order_id: 'SLMS-1', order_id: '2', label: 'out' },
      ...{ order_state: 'triggered', request: 'trigger:order', source: 'api' },
      ...{ instrument_name: 'BTC-PERPETUAL', direction: 'sell', price: 49_400, amount: 100 },
      ...{ reduce_only: false, post_only: true, order_type: 'limit', trigger_offset: null },
    }
    expect(history(m)).toEqual({ entries: [entry], continuation: 'none' })
    m.result('alice', 'private/cancel', { order_id: '2' })
    expect(history(m).entries).toHaveLength(1)
    expect(m.result('bob', 'private/get_trigger_order_history', { currency: 'BTC' })).toEqual({
      ...{ entries: [], continuation: 'none' },
    })
  })

  test('cancelled by its user, and rejected with the reason', () => {
    const m = deskMarket()
    m.result('alice', 'private/sell', trailing)
    m.result('alice', 'private/cancel', { order_id: 'SLMS-1' })
    m.result('alice', 'private/sell', { ...stopMarket, reduce_only: true })
    moveIndex(m, 49_500)
    const [rejected, cancelled] = history(m).entries
    expect(rejected).toMatchObject({
      ...{ order_state: 'rejected:reduce_direction', request: 'trigger:order' },
      ...{ trigger_order_id: 'SLMS-2', order_type: 'market', price: 'market_price' },
      ...{ reduce_only: true, order_id: null, trigger_offset: null },
    })
    expect(cancelled).toMatchObject({
      ...{ order_state: 'cancelled', request: 'cancel', trigger_order_id: 'SLMS-1' },
      ...{ trigger_offset: 500, order_id: null },
    })
  })

  test('pages: newest first, the continuation names the last entry', () => {
    const m = deskMarket()
    for (let order = 1; order <= 5; order += 1) {
      m.result('alice', 'private/sell', stopLimit)
      m.result('alice', 'private/cancel', { order_id: `SLMS-${order}` })
    }
    const ids = (page: Json): Json => page.entries.map((entry: Json) => entry.trigger_order_id)
    const page = history(m, { count: 2 })
    expect(ids(page)).toEqual(['SLMS-5', 'SLMS-4'])
    expect(page.continuation).toBe(`${first + 8}.SLMS-4`)
    const next = history(m, { count: 2, continuation: page.continuation })
    expect(ids(next)).toEqual(['SLMS-3', 'SLMS-2'])
    const last = history(m, { count: 2, continuation: next.continuation })
    expect([ids(last), last.continuation]).toEqual([['SLMS-1'], 'none'])
    const beyond = history(m, { continuation: `${first}.SLMS-1` })
    expect(beyond).toEqual({ entries: [], continuation: 'none' })
    const forgotten = history(m, { continuation: `${first + 5}.SLMS-99` })
    expect(ids(forgotten)).toEqual(['SLMS-2', 'SLMS-1'])
  })

  test('wrong parameters', () => {
    const m = deskMarket({
      ...{ instruments: ['BTC-PERPETUAL', 'BTC-27MAR26'], index: { btc_usd: 50_000 } },
    })
    const refused = (params: RequestParams): string => m.refusal('alice', 'private/get_trigger_order_history', params)
    const wrong = '-32602 Invalid params '
    expect(refused({})).toBe(`${wrong}currency required`)
    expect(refused({ currency: 'any' })).toBe(`${wrong}currency unknown_value`)
    expect(refused({ currency: 'BTC', count: 0 })).toBe(`${wrong}count too_small`)
    expect(refused({ currency: 'BTC', count: 1001 })).toBe(`${wrong}count too_large`)
    for (const continuation of ['', 'none', '5', 'x.SLMS-1', '5.', '5.nonsense', '-5.SLMS-1']) {
      const params = { currency: 'BTC', continuation }
      expect(refused(params)).toBe(`${wrong}continuation invalid`)
    }
    const unlisted = { currency: 'BTC', instrument_name: 'NO' }
    expect(refused(unlisted)).toBe('13020 not_found')
    expect(refused({ ...unlisted, continuation: 'x' })).toBe(`${wrong}continuation invalid`)
    m.result('alice', 'private/sell', stopLimit)
    m.result('alice', 'private/cancel_all')
    const counts = [{ instrument_name: 'BTC-PERPETUAL' }, { instrument_name: 'BTC-27MAR26' }, { currency: 'ETH' }].map(
      (params) => history(m, params).entries.length,
    )
    expect(counts).toEqual([1, 0, 0])
  })
})
