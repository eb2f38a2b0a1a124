/**
 * Arguments of linked orders in requests: each entry of `otoco_config` follows the rules of an order, at the same
 * steps, and the refusal names the place of the wrong one.
 * Source: interface document, private/sell; trading.md 4.1, 6.14 (C08, C09, C32); coverage R47, R71.
 */
import { describe, expect, test } from 'vitest'
import type { RequestParams } from '../../src/rpc/index.ts'
import { type DeskMarket, deskMarket } from '../support/desk-market.ts'

const perpetual = { instrument_name: 'BTC-PERPETUAL' }
const order = { ...perpetual, amount: 10, price: 49_500 }
const exit = { amount: 10, direction: 'sell', price: 50_500 }
const stop = {
  ...{ amount: 10, direction: 'sell', type: 'stop_market' },
  ...{ trigger: 'mark_price', trigger_price: 49_300 },
}
const oto = { ...order, linked_order_type: 'one_triggers_other' }
const oco = { ...order, linked_order_type: 'one_cancels_other' }
const otoco = { ...order, linked_order_type: 'one_triggers_one_cancels_other' }

const everything = {
  instruments: ['BTC-PERPETUAL', 'BTC_USDC', 'BTC-27MAR26-50000-C', 'BTC_USDC-PERPETUAL'],
  index: { btc_usd: 50_000, btc_usdc: 50_000 },
  accounts: { alice: { BTC: 10, USDC: 1_000_000 }, bob: { BTC: 10 } },
}

function market(): DeskMarket {
  return deskMarket(everything)
}

/** The refusal of an order with these entries. */
function refusalOf(params: RequestParams): string {
  return market().refusal('alice', 'private/buy', params)
}

const wrong = '-32602 Invalid params '

describe('S222 C32a the list of entries', () => {
  test.each([
    ['none where it is needed', oto, undefined, 'otoco_config required'],
    ['null is none', oco, null, 'otoco_config required'],
    ['OTO with none', oto, [], 'otoco_config wrong_length'],
    ['OTO with eleven', oto, Array(11).fill(exit), 'otoco_config wrong_length'],
    ['OCO with none', oco, [], 'otoco_config wrong_length'],
    ['OCO with two', oco, [exit, exit], 'otoco_config wrong_length'],
    ['OTOCO with one', otoco, [exit], 'otoco_config wrong_length'],
    ['OTOCO with three', otoco, [exit, exit, exit], 'otoco_config wrong_length'],
    ['no linked order', order, [exit], 'otoco_config only_with_linked_order_type'],
    ['an empty list of no linked order', order, [], 'otoco_config only_with_linked_order_type'],
    ['no list', oto, exit, 'otoco_config wrong_type'],
  ])('%s', (_title, request, entries, expected) => {
    expect(refusalOf({ ...request, otoco_config: entries })).toBe(wrong + expected)
  })

  test('valid lengths', () => {
    for (const [request, count] of [
      [oto, 1],
      [oto, 10],
      [oco, 1],
      [otoco, 2],
    ] as const) {
      const params = { ...request, otoco_config: Array(count).fill(exit) }
      expect(market().result('alice', 'private/buy', params).order.order_state).toBe('open')
    }
  })

  test('S222 S223 unknown words', () => {
    expect(refusalOf({ ...order, linked_order_type: 'one_follows_other' })).toBe(
      `${wrong}linked_order_type unknown_value`,
    )
    const condition = { trigger_fill_condition: 'second_hit' }
    expect(refusalOf({ ...oto, ...condition, otoco_config: [exit] })).toBe(
      `${wrong}trigger_fill_condition unknown_value`,
    )
  })
})

describe('S224 an entry', () => {
  const { amount: _amount, ...sizeless } = exit
  const { direction: _direction, ...sideless } = exit

  test.each([
    ['without an amount', sizeless, `${wrong}otoco_config.0.amount required`],
    ['null for an amount', { ...exit, amount: null }, `${wrong}otoco_config.0.amount required`],
    ['without a direction', sideless, `${wrong}otoco_config.0.direction required`],
    ['an amount as text', { ...exit, amount: '10' }, `${wrong}otoco_config.0.amount wrong_type`],
    ['an unknown direction', { ...exit, direction: 'up' }, `${wrong}otoco_config.0.direction unknown_value`],
    ['an unknown type', { ...exit, type: 'x' }, `${wrong}otoco_config.0.type unknown_value`],
    ['R46 a label of 65', { ...exit, label: 'x'.repeat(65) }, `${wrong}otoco_config.0.label too_long`],
    ['no entry', 5, `${wrong}otoco_config.0 wrong_type`],
    [
      'reject_post_only without post_only',
      { ...exit, reject_post_only: true },
      `${wrong}otoco_config.0.reject_post_only only_with_post_only`,
    ],
    ['a stop without a source', { ...stop, trigger: null }, `${wrong}otoco_config.0.trigger required`],
    ['a stop without its price', { ...stop, trigger_price: null }, `${wrong}otoco_config.0.trigger_price required`],
    [
      'a trailing stop without its distance',
      { ...stop, type: 'trailing_stop' },
      `${wrong}otoco_config.0.trigger_offset required`,
    ],
    ['R47 a trigger on a limit order', { ...exit, trigger: 'mark_price' }, '11047 unsupported_arg_combination'],
    [
      'post_only with IOC',
      { ...exit, post_only: true, time_in_force: 'immediate_or_cancel' },
      '11047 unsupported_arg_combination',
    ],
    ['post_only on stop_market', { ...stop, post_only: true }, '11055 post_only_not_allowed'],
    ['too small', { ...exit, amount: 5 }, '10002 qty_too_low'],
    ['nothing', { ...exit, amount: 0 }, '10002 qty_too_low'],
    ['off the step', { ...exit, amount: 15 }, '10027 non_integer_contract_amount'],
    ['beyond all sizes', { ...exit, amount: 1e17 }, '10021 invalid_amount'],
    ['a limit order without price', { ...exit, price: null }, '10023 invalid_price'],
    ['a price beyond all prices', { ...exit, price: 1e9 }, '10023 invalid_price'],
    ['a price off the grid', { ...exit, price: 50_500.3 }, '10043 price_wrong_tick'],
    ['a price of zero', { ...exit, price: 0 }, '10043 price_wrong_tick'],
    ['a stop off the grid', { ...stop, trigger_price: 49_300.3 }, '10044 trigger_price_wrong_tick'],
    ['a stop at zero', { ...stop, trigger_price: 0 }, '10044 trigger_price_wrong_tick'],
    ['a stop beyond all prices', { ...stop, trigger_price: 1e9 }, '11036 invalid_trigger_price'],
    [
      'a distance off the grid',
      { ...stop, type: 'trailing_stop', trigger_offset: 0.3 },
      '10044 trigger_price_wrong_tick',
    ],
  ])('%s', (_title, entry, expected) => {
    expect(refusalOf({ ...oto, otoco_config: [entry] })).toBe(expected)
    if (!expected.startsWith(wrong)) {
      expect(refusalOf({ ...otoco, otoco_config: [exit, entry] })).toBe(expected)
    }
  })

  test('the refusal for the second entry names its place', () => {
    expect(refusalOf({ ...otoco, otoco_config: [exit, sideless] })).toBe(`${wrong}otoco_config.1.direction required`)
    const without = { ...stop, trigger: null }
    expect(refusalOf({ ...otoco, otoco_config: [exit, without] })).toBe(`${wrong}otoco_config.1.trigger required`)
  })

  test('reduce_only on spot: 10031; C08 an instrument name in an entry is ignored', () => {
    const spot = { instrument_name: 'BTC_USDC', amount: 1, price: 49_500 }
    const entry = { ...exit, amount: 1, reduce_only: true }
    const linked = { linked_order_type: 'one_triggers_other', otoco_config: [entry] }
    expect(refusalOf({ ...spot, ...linked })).toBe('10031 invalid_args_for_instrument')
    const elsewhere = { ...exit, instrument_name: 'BTC_USDC' }
    const m = market()
    const { order: primary } = m.result('alice', 'private/buy', {
      ...oto,
      otoco_config: [elsewhere],
    })
    const [order_id] = primary.oto_order_ids
    const dormant = m.result('alice', 'private/get_order_state', { order_id })
    expect(dormant.instrument_name).toBe('BTC-PERPETUAL')
  })

  test('options have linked orders, but none that wait for a price', () => {
    const option = { instrument_name: 'BTC-27MAR26-50000-C', amount: 1, price: 0.02 }
    const plain = { amount: 1, direction: 'sell', price: 0.03 }
    const linked = { ...option, linked_order_type: 'one_triggers_other' }
    const request = { ...linked, otoco_config: [plain] }
    const { order } = market().result('alice', 'private/buy', request)
    expect(order.oto_order_ids).toHaveLength(1)
    const stops = {
      ...plain,
      ...{ type: 'stop_limit', trigger: 'mark_price', trigger_price: 0.01 },
    }
    expect(refusalOf({ ...linked, otoco_config: [stops] })).toBe('10031 invalid_args_for_instrument')
  })

  test('default values, and all fields that an entry may have', () => {
    const m = market()
    const said = {
      ...{ amount: 20, direction: 'sell', type: 'stop_limit', label: 'out', price: 49_200 },
      ...{ reduce_only: true, post_only: true, reject_post_only: true },
      ...{ trigger: 'index_price', trigger_price: 49_300 },
    }
    const request = { ...otoco, label: 'in', otoco_config: [exit, said] }
    const { order: primary } = m.result('alice', 'private/buy', request)
    const [plain, full] = primary.oto_order_ids.map((order_id: string) =>
      m.result('alice', 'private/get_order_state', { order_id }),
    )
    expect(plain).toMatchObject({
      ...{ order_type: 'limit', label: '', time_in_force: 'good_til_cancelled', price: 50_500 },
      ...{ post_only: false, reduce_only: false, amount: 10, direction: 'sell' },
    })
    expect(full).toMatchObject({
      ...{ order_type: 'stop_limit', label: 'out', price: 49_200, amount: 20 },
      ...{ post_only: true, reject_post_only: true, reduce_only: true },
      ...{ trigger: 'index_price', trigger_price: 49_300, triggered: false },
    })
  })
})

describe('rule order.validation in requests: of two errors in linked orders, the earlier step wins (C07)', () => {
  const small = { ...exit, amount: 5 }
  const off = { ...exit, amount: 15 }
  const odd = { ...exit, price: 50_500.3 }
  const unpriced = { ...exit, price: null }
  const oddStop = { ...stop, trigger_price: 49_300.3 }

  test.each([
    [
      'parameters of an entry before the instrument',
      { ...oto, instrument_name: 'NO', otoco_config: [{ ...stop, trigger: null }] },
      `${wrong}otoco_config.0.trigger required`,
    ],
    [
      'the length before the instrument',
      { ...otoco, instrument_name: 'NO', otoco_config: [exit] },
      `${wrong}otoco_config wrong_length`,
    ],
    [
      'the instrument before the amount of an entry',
      { ...oto, instrument_name: 'NO', otoco_config: [small] },
      '13020 not_found',
    ],
    ['valid_until before the amount of an entry', { ...oto, valid_until: 1, otoco_config: [small] }, '13888 timed_out'],
    [
      'parameters of the order before those of an entry',
      { ...oto, reject_post_only: true, otoco_config: [{ ...stop, trigger: null }] },
      `${wrong}reject_post_only only_with_post_only`,
    ],
    [
      'arguments of an entry before the amount of the order',
      { ...oto, amount: 5, otoco_config: [{ ...exit, trigger: 'mark_price' }] },
      '11047 unsupported_arg_combination',
    ],
    [
      'arguments of the order before those of an entry',
      { ...oto, trigger: 'mark_price', otoco_config: [{ ...stop, post_only: true }] },
      '11047 unsupported_arg_combination',
    ],
    [
      'arguments of an entry before those of the entry after it',
      {
        ...otoco,
        otoco_config: [
          { ...stop, post_only: true },
          { ...exit, trigger: 'mark_price' },
        ],
      },
      '11055 post_only_not_allowed',
    ],
    [
      'the amount of the order before that of an entry',
      { ...oto, amount: 5, otoco_config: [off] },
      '10002 qty_too_low',
    ],
    [
      'the amount of an entry before that of the entry after it',
      { ...otoco, otoco_config: [small, off] },
      '10002 qty_too_low',
    ],
    ['the same the other way round', { ...otoco, otoco_config: [off, small] }, '10027 non_integer_contract_amount'],
    [
      'the amount of an entry before the price of the order',
      { ...oto, price: 49_500.3, otoco_config: [small] },
      '10002 qty_too_low',
    ],
    [
      'the price of the order before that of an entry',
      { ...oto, type: 'market_limit', otoco_config: [odd] },
      '11030 other_reject no_opposite_price',
    ],
    [
      'the price of an entry before that of the entry after it',
      { ...otoco, otoco_config: [unpriced, odd] },
      '10023 invalid_price',
    ],
    ['the same the other way round', { ...otoco, otoco_config: [odd, unpriced] }, '10043 price_wrong_tick'],
    [
      'the price of an entry before the trigger of the order',
      {
        ...{ ...oto, type: 'stop_limit', trigger: 'mark_price', trigger_price: 0.3 },
        otoco_config: [odd],
      },
      '10043 price_wrong_tick',
    ],
    [
      'the trigger of the order before that of an entry',
      {
        ...{ ...oto, type: 'stop_market', trigger: 'mark_price', trigger_price: 49_000 },
        otoco_config: [oddStop],
      },
      '10035 trigger_price_too_low',
    ],
    [
      'the trigger of an entry before post-only of the order',
      {
        ...{ ...oto, price: 50_100, post_only: true, reject_post_only: true },
        otoco_config: [oddStop],
      },
      '10044 trigger_price_wrong_tick',
    ],
    [
      'the trigger of an entry before the band',
      { ...oto, price: 60_000, otoco_config: [oddStop] },
      '10044 trigger_price_wrong_tick',
    ],
  ])('%s', (_title, params: RequestParams, expected) => {
    const m = market()
    m.result('bob', 'private/sell', { ...order, price: 50_100 })
    if (params['type'] === 'market_limit') m.result('bob', 'private/cancel_all')
    expect(m.refusal('alice', 'private/buy', params)).toBe(expected)
    expect(m.result('alice', 'private/get_open_orders')).toEqual([])
  })
})
