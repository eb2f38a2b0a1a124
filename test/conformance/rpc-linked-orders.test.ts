/**
 * Linked orders in requests and replies: the kinds of links, how orders name each other, the reply to the request, and
 * the later events.
 * Source: interface document, Order; trading.md 5.1, 6.14 (C32); coverage R08.
 */
import { describe, expect, test } from 'vitest'
import type { RequestParams } from '../../src/rpc/index.ts'
import { type DeskMarket, deskMarket, type Json } from '../support/desk-market.ts'

const perpetual = { instrument_name: 'BTC-PERPETUAL' }
const entry = { ...perpetual, amount: 100, price: 49_500 }
const take = { amount: 100, direction: 'sell', price: 50_500, label: 'take' }
const stop = {
  ...{ amount: 100, direction: 'sell', type: 'stop_market', label: 'stop' },
  ...{ trigger: 'mark_price', trigger_price: 49_300 },
}

function linked(type: string, entries: readonly Json[], params: RequestParams = {}): RequestParams {
  return { ...entry, linked_order_type: type, otoco_config: entries, ...params }
}

const oto = (entries: readonly Json[], params: RequestParams = {}): RequestParams =>
  linked('one_triggers_other', entries, params)
const oco = (partner: Json, params: RequestParams = {}): RequestParams => linked('one_cancels_other', [partner], params)
const otoco = (params: RequestParams = {}): RequestParams =>
  linked('one_triggers_one_cancels_other', [take, stop], params)

function state(m: DeskMarket, order_id: string): Json {
  return m.result('alice', 'private/get_order_state', { order_id })
}

function openIds(m: DeskMarket, params: RequestParams = {}): readonly string[] {
  const open = m.result('alice', 'private/get_open_orders', params)
  return open.map((order: Json) => order.order_id)
}

const linkFields = 'oto_order_ids is_primary_otoco is_secondary_oto primary_order_id oco_ref trigger_fill_condition'

function linksOf(order: Json): object {
  return Object.fromEntries(Object.entries(order).filter(([field]) => linkFields.split(' ').includes(field)))
}

describe('one triggers other (S104, S222)', () => {
  test('C14 the primary names its secondaries, which wait with separate ids', () => {
    const m = deskMarket()
    const { order, trades } = m.result('alice', 'private/buy', oto([take, stop]))
    expect(trades).toEqual([])
    expect(order).toMatchObject({ order_id: '1', order_state: 'open', order_type: 'limit' })
    expect(linksOf(order)).toEqual({
      ...{ oto_order_ids: ['OTO-2', 'OTO-3'], trigger_fill_condition: 'first_hit' },
    })
    const waits = { is_secondary_oto: true, trigger_fill_condition: 'first_hit' }
    const [plain, waiting] = [state(m, 'OTO-2'), state(m, 'OTO-3')]
    expect([linksOf(plain), linksOf(waiting)]).toEqual([waits, waits])
    expect(plain).toMatchObject({
      ...{ order_state: 'untriggered', order_type: 'limit', price: 50_500, label: 'take' },
    })
    expect(plain).not.toHaveProperty('triggered')
    expect(waiting).toMatchObject({
      ...{ order_state: 'untriggered', order_type: 'stop_market', price: 'market_price' },
      ...{ triggered: false, trigger: 'mark_price', trigger_price: 49_300, label: 'stop' },
    })
    expect(openIds(m)).toEqual(['1', 'OTO-2', 'OTO-3'])
  })

  test('a fill places them: each is triggered, and the placed order names the primary', () => {
    const m = deskMarket()
    m.result('alice', 'private/buy', oto([take, stop]))
    m.result('bob', 'private/sell', { ...entry, amount: 40 })
    expect(state(m, '1')).toMatchObject({ order_state: 'open', filled_amount: 40 })
    expect(state(m, 'OTO-2').order_state).toBe('triggered')
    expect(state(m, 'OTO-3')).toMatchObject({ order_state: 'triggered', triggered: true })
    const placed = { primary_order_id: '1', trigger_fill_condition: 'first_hit' }
    const [plain, waiting] = [state(m, '5'), state(m, 'SLMS-6')]
    expect([linksOf(plain), linksOf(waiting)]).toEqual([placed, placed])
    expect(plain).toMatchObject({ order_state: 'open', amount: 100, price: 50_500, label: 'take' })
    expect(plain).not.toHaveProperty('trigger_order_id')
    expect(waiting).toMatchObject({ order_state: 'untriggered', trigger_price: 49_300 })
    expect(openIds(m)).toEqual(['1', '5', 'SLMS-6'])
  })

  test('a primary that fills at once: its reply has only its own trades', () => {
    const m = deskMarket()
    m.result('bob', 'private/sell', { ...entry, amount: 100 })
    m.result('bob', 'private/buy', { ...entry, amount: 100, price: 49_400 })
    const exit = { ...take, price: 49_400 }
    const { order, trades } = m.result('alice', 'private/buy', oto([exit]))
    expect(order).toMatchObject({ order_id: '3', order_state: 'filled' })
    expect(trades.map((trade: Json) => [trade.order_id, trade.direction])).toEqual([['3', 'buy']])
    expect(state(m, '5')).toMatchObject({ order_state: 'filled', average_price: 49_400 })
  })

  test('S093 a cancelled primary cancels its secondaries: oto_primary_closed', () => {
    const m = deskMarket()
    m.result('alice', 'private/buy', oto([take, stop]))
    m.result('alice', 'private/cancel', { order_id: '1' })
    for (const id of ['OTO-2', 'OTO-3']) {
      expect(state(m, id)).toMatchObject({
        ...{ order_state: 'cancelled', cancel_reason: 'oto_primary_closed' },
      })
    }
    expect(openIds(m)).toEqual([])
  })

  test('S223 complete_fill and incremental are shown on all of them', () => {
    for (const condition of ['complete_fill', 'incremental']) {
      const m = deskMarket()
      const params = oto([take], { trigger_fill_condition: condition })
      const { order } = m.result('alice', 'private/buy', params)
      expect(order.trigger_fill_condition).toBe(condition)
      expect(state(m, 'OTO-2').trigger_fill_condition).toBe(condition)
    }
  })

  test('incremental: the placed order grows, and the secondary waits until the last fill', () => {
    const m = deskMarket()
    m.result('alice', 'private/buy', oto([take], { trigger_fill_condition: 'incremental' }))
    m.result('bob', 'private/sell', { ...entry, amount: 40 })
    expect(state(m, 'OTO-2')).toMatchObject({ order_state: 'untriggered', amount: 100 })
    expect(state(m, '4')).toMatchObject({ amount: 40, primary_order_id: '1' })
    m.result('bob', 'private/sell', { ...entry, amount: 60 })
    expect(state(m, '4')).toMatchObject({ amount: 100, order_state: 'open' })
    expect(state(m, 'OTO-2').order_state).toBe('triggered')
  })

  test('C32g a user edits and cancels a secondary by its id', () => {
    const m = deskMarket()
    m.result('alice', 'private/buy', oto([take, stop]))
    const edited = m.result('alice', 'private/edit', {
      ...{ order_id: 'OTO-2', amount: 50, price: 50_600 },
    })
    expect(edited.order).toMatchObject({
      ...{ order_id: 'OTO-2', order_state: 'untriggered', amount: 50, price: 50_600 },
      ...{ replaced: true, is_secondary_oto: true },
    })
    const moved = { order_id: 'OTO-3', amount: 100, trigger_price: 49_350 }
    expect(m.result('alice', 'private/edit', moved).order.trigger_price).toBe(49_350)
    expect(m.result('alice', 'private/cancel', { order_id: 'OTO-2' })).toMatchObject({
      ...{ order_state: 'cancelled', cancel_reason: 'user_request' },
    })
    expect(openIds(m)).toEqual(['1', 'OTO-3'])
  })

  test('secondaries of market types have no price, and are never shown as market_limit (S063)', () => {
    const m = deskMarket()
    const entries = ['market', 'market_limit', 'trailing_stop'].map((type) => ({
      ...{ amount: 100, direction: 'sell', type },
      ...(type === 'trailing_stop' ? { trigger: 'index_price', trigger_offset: 100 } : {}),
    }))
    m.result('alice', 'private/buy', oto(entries))
    expect(state(m, 'OTO-2')).toMatchObject({ order_type: 'market', price: 'market_price' })
    expect(state(m, 'OTO-2')).not.toHaveProperty('original_order_type')
    expect(state(m, 'OTO-3')).toMatchObject({
      ...{ order_type: 'limit', original_order_type: 'market_limit', price: 'market_price' },
    })
    const trailing = state(m, 'OTO-4')
    expect(trailing).toMatchObject({ trigger_offset: 100, price: 'market_price' })
    expect(trailing).not.toHaveProperty('trigger_price')
    expect(trailing).not.toHaveProperty('trigger_reference_price')
    const edit = { order_id: 'OTO-2', amount: 50 }
    expect(m.refusal('alice', 'private/edit', { ...edit, price: 50_000 })).toBe('11047 unsupported_arg_combination')
    expect(m.result('alice', 'private/edit', edit).order).toMatchObject({
      ...{ order_type: 'market', price: 'market_price', amount: 50 },
    })
    expect(m.refusal('alice', 'private/edit', { ...edit, post_only: true })).toBe('11055 post_only_not_allowed')
  })

  test('C32f a refused secondary becomes rejected, and the primary stays open', () => {
    const m = deskMarket()
    m.result(
      'alice',
      'private/buy',
      oto([
        { ...take, price: 60_000 },
        { ...take, price: 40_000 },
      ]),
    )
    m.result('bob', 'private/sell', { ...entry, amount: 40 })
    expect(state(m, 'OTO-3')).toMatchObject({ order_state: 'rejected' })
    const { entries } = m.result('alice', 'private/get_trigger_order_history', { currency: 'BTC' })
    const states = entries.map((each: Json) => [each.trigger_order_id, each.order_state])
    expect(states).toEqual([
      ['OTO-3', 'rejected:price_too_low'],
      ['OTO-2', 'triggered'],
    ])
    expect(entries[1]).toMatchObject({
      ...{ order_id: '5', is_secondary_oto: true, request: 'trigger:order', price: 60_000 },
    })
    expect(entries[1]).not.toHaveProperty('trigger')
    expect(state(m, '1').order_state).toBe('open')
  })

  test('13901 for the limit of dormant secondaries, without the number', () => {
    const limits = { total: 10, future: 10, option: 10, spot: 10, triggers: 10, secondaries: 1 }
    const m = deskMarket({ config: { openOrderLimits: limits } })
    expect(m.refusal('alice', 'private/buy', oto([take, take]))).toBe('13901 no_more_oto_orders')
    m.result('alice', 'private/buy', oto([take]))
    expect(m.refusal('alice', 'private/buy', oto([take]))).toBe('13901 no_more_oto_orders')
  })
})

describe('one cancels other (S104, S222)', () => {
  test('both members have one oco_ref; the reply shows the request order', () => {
    const m = deskMarket()
    const { order } = m.result('alice', 'private/buy', oco(take))
    const pair = { oco_ref: 'OCO-1', trigger_fill_condition: 'first_hit' }
    expect(order).toMatchObject({ order_id: '1', order_state: 'open', direction: 'buy' })
    expect(linksOf(order)).toEqual(pair)
    expect(state(m, '2')).toMatchObject({ order_state: 'open', direction: 'sell', price: 50_500 })
    expect(linksOf(state(m, '2'))).toEqual(pair)
  })

  test('S093 a fill of one closes the other: oco_other_closed', () => {
    const m = deskMarket()
    m.result('alice', 'private/buy', oco(take))
    m.result('bob', 'private/sell', { ...entry, amount: 10 })
    expect(state(m, '2')).toMatchObject({
      ...{ order_state: 'cancelled', cancel_reason: 'oco_other_closed' },
    })
    expect(state(m, '1')).toMatchObject({ order_state: 'open', filled_amount: 10 })
  })

  test('a request order that fills at once closes its partner, which is not part of the reply', () => {
    const m = deskMarket()
    m.result('bob', 'private/sell', { ...entry, amount: 100 })
    const { order, trades } = m.result('alice', 'private/buy', oco(take))
    expect([order.order_state, trades.length]).toEqual(['filled', 1])
    expect(state(m, '3')).toMatchObject({ cancel_reason: 'oco_other_closed' })
  })

  test('a partner that trades within the request is not in its reply', () => {
    const m = deskMarket()
    m.result('bob', 'private/buy', { ...entry, amount: 10, price: 50_000 })
    const { order, trades } = m.result('alice', 'private/buy', oco({ ...take, price: 50_000 }))
    expect(trades).toEqual([])
    expect(order).toMatchObject({
      ...{ order_id: '2', order_state: 'cancelled', cancel_reason: 'oco_other_closed' },
    })
    const made = m.result('alice', 'private/get_user_trades_by_order', { order_id: '3' })
    expect(made).toMatchObject([{ order_id: '3', direction: 'sell', amount: 10 }])
  })

  test('incremental: the partner is cut and keeps its place', () => {
    const m = deskMarket()
    m.result('alice', 'private/buy', oco(take, { trigger_fill_condition: 'incremental' }))
    m.result('bob', 'private/sell', { ...entry, amount: 40 })
    expect(state(m, '2')).toMatchObject({ order_state: 'open', amount: 60, replaced: false })
  })

  test('S093 a cancel of one closes the other, and the reply shows the cancelled one', () => {
    const m = deskMarket()
    m.result('alice', 'private/buy', oco(take))
    expect(m.result('alice', 'private/cancel', { order_id: '2' })).toMatchObject({
      ...{ order_id: '2', cancel_reason: 'user_request' },
    })
    expect(state(m, '1').cancel_reason).toBe('oco_other_closed')
  })

  test('C32b if one is refused, both are', () => {
    const m = deskMarket()
    expect(m.refusal('alice', 'private/buy', oco({ ...take, price: 40_000 }))).toBe('10005 price_too_low 49250')
    expect(openIds(m)).toEqual([])
  })

  test('C32d a member that fires passes its oco_ref on', () => {
    const m = deskMarket()
    m.result('alice', 'private/sell', oco(stop, { price: 50_500 }))
    expect(state(m, 'SLMS-2').oco_ref).toBe('OCO-1')
    m.result(null, 'sim/set_mark', { ...perpetual, price: 49_300 })
    expect(state(m, 'SLMS-2').order_state).toBe('triggered')
    expect(state(m, '3')).toMatchObject({ oco_ref: 'OCO-1', trigger_order_id: 'SLMS-2' })
    expect(state(m, '1').order_state).toBe('open')
    m.result('bob', 'private/buy', { ...entry, amount: 10, price: state(m, '3').price })
    expect(state(m, '1').cancel_reason).toBe('oco_other_closed')
  })

  test('prefixes: partners of a coin other than BTC', () => {
    const m = deskMarket({
      instruments: ['ETH-PERPETUAL', 'BTC_USDC-PERPETUAL'],
      index: { eth_usd: 4000, btc_usdc: 50_000 },
      accounts: { alice: { ETH: 100, USDC: 100_000 } },
    })
    const eth = { instrument_name: 'ETH-PERPETUAL', amount: 10, price: 3990 }
    const partner = { amount: 10, direction: 'sell', price: 4010 }
    const { order } = m.result('alice', 'private/buy', { ...oco(partner), ...eth })
    expect(order).toMatchObject({ order_id: 'ETH-1', oco_ref: 'ETH-OCO-1' })
    const linear = { instrument_name: 'BTC_USDC-PERPETUAL', amount: 0.01 }
    const other = { amount: 0.01, direction: 'sell', price: 50_500 }
    const placed = m.result('alice', 'private/buy', { ...oto([other]), ...linear })
    expect(placed.order.oto_order_ids).toEqual(['BTC_USDC-OTO-2'])
  })
})

describe('one triggers one cancels other (S104, S222)', () => {
  test('the primary shows it, and the two secondaries have an oco_ref from the start', () => {
    const m = deskMarket()
    const { order } = m.result('alice', 'private/buy', otoco())
    const primary = {
      ...{ oto_order_ids: ['OTO-2', 'OTO-3'], is_primary_otoco: true },
      trigger_fill_condition: 'first_hit',
    }
    expect(linksOf(order)).toEqual(primary)
    expect(linksOf(state(m, '1'))).toEqual(primary)
    expect(linksOf(m.result('alice', 'private/get_open_orders')[0])).toEqual(primary)
    const waits = {
      ...{ is_secondary_oto: true, oco_ref: 'OCO-2', trigger_fill_condition: 'first_hit' },
    }
    expect([linksOf(state(m, 'OTO-2')), linksOf(state(m, 'OTO-3'))]).toEqual([waits, waits])
  })

  test('D08 a primary names only secondaries that still wait', () => {
    const m = deskMarket()
    const exit = { amount: 100, direction: 'sell', price: 51_000 }
    const [first, second] = [
      { ...exit, label: 'one' },
      { ...exit, label: 'two' },
    ]
    m.result('alice', 'private/buy', oto([first, second]))
    const reported = (): Json => [
      m.result('alice', 'private/get_open_orders')[0].oto_order_ids,
      state(m, '1').oto_order_ids,
    ]
    expect(reported()).toEqual([
      ['OTO-2', 'OTO-3'],
      ['OTO-2', 'OTO-3'],
    ])
    m.result('alice', 'private/cancel_by_label', { label: 'one' })
    expect(reported()).toEqual([['OTO-3'], ['OTO-3']])
    m.result('alice', 'private/cancel_by_label', { label: 'two' })
    expect(reported()).toEqual([null, null])
    const order = m.result('alice', 'private/cancel', { order_id: '1' })
    expect(order.oto_order_ids).toBe(null)
  })

  test('a fill places both, still linked; a fill of one closes the other', () => {
    const m = deskMarket()
    m.result('alice', 'private/buy', otoco())
    m.result('bob', 'private/sell', entry)
    const placed = {
      ...{ primary_order_id: '1', oco_ref: 'OCO-2', trigger_fill_condition: 'first_hit' },
    }
    expect([linksOf(state(m, '5')), linksOf(state(m, 'SLMS-6'))]).toEqual([placed, placed])
    expect(state(m, '1')).toMatchObject({ order_state: 'filled', is_primary_otoco: true })
    m.result('bob', 'private/buy', { ...entry, amount: 10, price: 50_500 })
    expect(state(m, 'SLMS-6')).toMatchObject({
      ...{ order_state: 'cancelled', cancel_reason: 'oco_other_closed' },
    })
    const { entries } = m.result('alice', 'private/get_trigger_order_history', { currency: 'BTC' })
    expect(entries.map((each: Json) => [each.trigger_order_id, each.order_state])).toEqual([
      ['SLMS-6', 'cancelled'],
      ['OTO-3', 'triggered'],
      ['OTO-2', 'triggered'],
    ])
    expect(entries[0].oco_ref).toBe('OCO-2')
  })

  test('a trigger order as primary passes its secondaries on', () => {
    const m = deskMarket()
    const waits = {
      type: 'stop_limit',
      trigger: 'mark_price',
      trigger_price: 50_200,
      price: 50_300,
    }
    const { order } = m.result('alice', 'private/buy', otoco(waits))
    expect(order).toMatchObject({ order_id: 'SLMB-1', is_primary_otoco: true })
    m.result(null, 'sim/set_mark', { ...perpetual, price: 50_200 })
    expect(state(m, '4')).toMatchObject({
      ...{ trigger_order_id: 'SLMB-1', oto_order_ids: ['OTO-2', 'OTO-3'], is_primary_otoco: true },
    })
  })

  test('a cancel of a dormant one closes its partner', () => {
    const m = deskMarket()
    m.result('alice', 'private/buy', otoco())
    m.result('alice', 'private/cancel', { order_id: 'OTO-3' })
    expect(state(m, 'OTO-2').cancel_reason).toBe('oco_other_closed')
    expect(openIds(m)).toEqual(['1'])
  })

  test('a one_triggers_other with two entries is no OTOCO', () => {
    const m = deskMarket()
    const { order } = m.result('alice', 'private/buy', oto([take, stop]))
    expect(order).not.toHaveProperty('is_primary_otoco')
    expect(state(m, 'OTO-2')).not.toHaveProperty('oco_ref')
  })
})

test('an order without links has none of these fields', () => {
  const m = deskMarket()
  expect(linksOf(m.result('alice', 'private/buy', entry).order)).toEqual({})
})
