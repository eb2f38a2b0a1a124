/**
 * Market-maker protection in requests and replies: its methods, the flag of orders, and the fields that show it.
 * Source: trading.md 5.1, 7.1, C37, C43; coverage R11.
 */
import { describe, expect, test } from 'vitest'
import type { RequestParams } from '../../src/rpc/index.ts'
import { type DeskMarket, deskMarket, type Json } from '../support/desk-market.ts'

const limits = {
  ...{ index_name: 'btc_usd', interval: 10, frozen_time: 5 },
  ...{ quantity_limit: 1, delta_limit: 0.5, vega_limit: 0, max_quote_quantity: 2 },
}
const record = {
  ...{ index_name: 'btc_usd', id: 1, interval: 10, frozen_time: 5 },
  ...{ quantity_limit: 1, delta_limit: 0.5, max_quote_quantity: 2, block_rfq: false },
}
const wrong = '-32602 Invalid params '
const perpetual = { instrument_name: 'BTC-PERPETUAL' }
const frozenFor = (m: DeskMarket): Json => m.result('alice', 'private/get_mmp_status')

function set(m: DeskMarket, params: RequestParams): Json {
  return m.result('alice', 'private/set_mmp_config', { ...limits, ...params })
}

/** Alice has two protected offers, and a fill of the first reached the delta limit. */
function tripped(params: RequestParams = {}): { readonly m: DeskMarket; readonly second: Json } {
  const m = deskMarket()
  set(m, params)
  const offer = { ...perpetual, amount: 25_000, mmp: true }
  m.result('alice', 'private/sell', { ...offer, price: 50_000 })
  const second = m.result('alice', 'private/sell', { ...offer, price: 50_010 }).order
  m.result('bob', 'private/buy', { ...perpetual, amount: 25_000, price: 50_010 })
  return { m, second }
}

describe('private/set_mmp_config and get_mmp_config', () => {
  test('C37 an array of one record, which get_mmp_config repeats; a limit of 0 is off', () => {
    const m = deskMarket()
    expect(set(m, {})).toEqual([record])
    expect(m.result('alice', 'private/get_mmp_config')).toEqual([record])
    expect(m.result('bob', 'private/get_mmp_config')).toEqual([])
  })

  test('a group is named by its index and name, or by its number', () => {
    const m = deskMarket()
    set(m, {})
    const named = { ...record, mmp_group: 'wide', id: 2 }
    expect(set(m, { mmp_group: 'wide' })).toEqual([named])
    const list = (params: RequestParams): Json => m.result('alice', 'private/get_mmp_config', params)
    expect(list({ index_name: 'btc_usd' })).toEqual([record, named])
    expect(list({ index_name: 'btc_usd', mmp_group: 'wide' })).toEqual([named])
    expect(list({ index_name: 'eth_usd' })).toEqual([])
    expect(list({ block_rfq: true })).toEqual([])
    expect(m.refusal('alice', 'private/get_mmp_config', { mmp_group: 'wide' })).toBe(`${wrong}index_name required`)
  })

  test('an interval of 0 removes it, and keeps its number for later', () => {
    const m = deskMarket()
    set(m, {})
    expect(set(m, { interval: 0 })).toEqual([{ ...record, interval: 0 }])
    expect(m.result('alice', 'private/get_mmp_config')).toEqual([])
    set(m, { mmp_group: 'wide' })
    expect(set(m, {})).toEqual([record])
  })

  test.each([
    ['private/set_mmp_config', { ...limits, block_rfq: true }],
    ['private/set_mmp_config', { ...limits, index_name: 'all', block_rfq: true, trade_count_limit: 3 }],
    ['private/reset_mmp', { index_name: 'all', block_rfq: true }],
  ])('D09 protection of Block RFQs is separate from that of orders: %s %j', (method, params) => {
    const m = deskMarket()
    m.result('alice', method, params)
    expect(m.result('alice', 'private/get_mmp_config')).toEqual([])
    const isSet = method === 'private/set_mmp_config'
    expect(m.result('alice', 'private/get_mmp_config', { block_rfq: true })).toHaveLength(isSet ? 1 : 0)
    expect(m.result('alice', 'private/get_mmp_status', { block_rfq: true })).toEqual([])
  })

  test.each([
    [{ interval: 3601 }, `${wrong}interval too_large`],
    [{ interval: 1.5 }, `${wrong}interval wrong_type`],
    [{ frozen_time: -1 }, `${wrong}frozen_time too_small`],
    [{ quantity_limit: 1.00001 }, `${wrong}quantity_limit not_a_limit`],
    [{ delta_limit: -1 }, `${wrong}delta_limit not_a_limit`],
    [{ vega_limit: 1e15 }, `${wrong}vega_limit not_a_limit`],
    [{ max_quote_quantity: undefined }, `${wrong}max_quote_quantity required`],
    [{ mmp_group: '' }, `${wrong}mmp_group`],
    [{ mmp_group: 'x'.repeat(65) }, `${wrong}mmp_group too_long`],
    [{ trade_count_limit: 3 }, `${wrong}trade_count_limit only_with_block_rfq`],
    [{ trade_count_limit: 1001, block_rfq: true, index_name: 'all' }, `${wrong}trade_count_limit too_large`],
    [{ index_name: 'all' }, `${wrong}index_name only_with_block_rfq`],
    [{ index_name: 'doge_usd' }, `${wrong}index_name unknown_value`],
    [{ delta_limit: 1 }, `${wrong}delta_limit not_below_quantity_limit`],
    [{ max_quote_quantity: 400 }, '10009 not_enough_funds'],
  ])('C43 %j', (params: RequestParams, expected) => {
    const m = deskMarket()
    const refusal = m.refusal('alice', 'private/set_mmp_config', { ...limits, ...params })
    expect(refusal.slice(0, expected.length)).toBe(expected)
  })
})

describe('the flag of orders', () => {
  test('S090 S100 an order and its fills show it, and a cancelled one gives the reason', () => {
    const { m, second } = tripped()
    expect(second).toMatchObject({ mmp: true, order_state: 'open' })
    const pulled = m.result('alice', 'private/get_order_state', { order_id: second.order_id })
    expect(pulled).toMatchObject({
      ...{ order_state: 'cancelled', cancel_reason: 'mmp_trigger', mmp_cancelled: true, mmp: true },
    })
    const { trades } = m.result('alice', 'private/get_user_trades_by_instrument', perpetual)
    expect(trades).toMatchObject([{ mmp: true }])
    const bobs = m.result('bob', 'private/get_user_trades_by_instrument', perpetual)
    expect(bobs.trades).toMatchObject([{ mmp: false }])
  })

  test('S091 an order cancelled by a new configuration shows that, and not a trip', () => {
    const m = deskMarket()
    set(m, {})
    const bid = { ...perpetual, amount: 10, price: 49_000, mmp: true }
    const { order } = m.result('alice', 'private/buy', bid)
    set(m, { interval: 0 })
    const gone = m.result('alice', 'private/get_order_state', { order_id: order.order_id })
    expect(gone).toMatchObject({ cancel_reason: 'mmp_config_curtailment', mmp: true })
    expect(gone).not.toHaveProperty('mmp_cancelled')
  })

  test.each([
    ['13040 mmp_required', { permission: false }],
    ['11030 other_reject mmp_not_configured', { interval: 0 }],
    ['11030 other_reject max_quote_quantity', { max_quote_quantity: 0.0001 }],
  ] as const)('C43 %s', (expected, { permission, ...params }: Json) => {
    const m = deskMarket()
    set(m, params)
    if (permission === false) {
      m.result(null, 'sim/set_permissions', { account: 'alice', mmp: false })
    }
    const bid = { ...perpetual, amount: 10, price: 49_000, mmp: true }
    expect(m.refusal('alice', 'private/buy', bid)).toBe(expected)
  })

  test('S235 an edit turns it on and off, by label too; if omitted it stays', () => {
    const m = deskMarket()
    set(m, {})
    const bid = { ...perpetual, amount: 10, price: 49_000, label: 'a' }
    const { order_id } = m.result('alice', 'private/buy', bid).order
    const edit = (params: RequestParams): Json =>
      m.result('alice', 'private/edit', { order_id, amount: 10, ...params }).order.mmp
    expect(edit({ mmp: true })).toBe(true)
    expect(edit({})).toBe(true)
    const labelled = { ...perpetual, label: 'a', amount: 10 }
    const edited = m.result('alice', 'private/edit_by_label', { ...labelled, mmp: false })
    expect(edited.order.mmp).toBe(false)
  })
})

describe('private/get_mmp_status and reset_mmp', () => {
  test('a frozen group is listed with its end time in milliseconds, and refuses with 13030', () => {
    const { m } = tripped()
    const until = Math.floor(m.venue.now / 1000) + 5000
    expect(frozenFor(m)).toEqual([{ index_name: 'btc_usd', frozen_until: until }])
    const bid = { ...perpetual, amount: 10, price: 49_000 }
    expect(m.refusal('alice', 'private/buy', { ...bid, mmp: true })).toBe('13030 mmp_trigger')
    m.result('alice', 'private/buy', bid)
    m.venue.wait('5s')
    expect(frozenFor(m)).toEqual([])
    m.result('alice', 'private/buy', { ...bid, mmp: true })
  })

  test('R11 0 means frozen until a reset; a reset answers ok, in the first second too', () => {
    const { m } = tripped({ frozen_time: 0 })
    expect(frozenFor(m)).toEqual([{ index_name: 'btc_usd', frozen_until: 0 }])
    expect(m.result('alice', 'private/reset_mmp', { index_name: 'btc_usd' })).toBe('ok')
    expect(frozenFor(m)).toEqual([])
    expect(m.result('alice', 'private/reset_mmp', { index_name: 'btc_usd' })).toBe('ok')
    expect(m.refusal('alice', 'private/reset_mmp', { index_name: 'all' })).toBe(
      `${wrong}index_name only_with_block_rfq`,
    )
  })
})
