/**
 * Requests with two errors: the one that is reported. Also the arguments of edit.
 * Source: trading.md C07, 4.2 (C10); interface document, private/edit.
 */
import { describe, expect, test } from 'vitest'
import type { RequestParams } from '../../src/rpc/index.ts'
import { type DeskMarket, deskMarket } from '../support/desk-market.ts'

const perpetual = { instrument_name: 'BTC-PERPETUAL' }
const order = { ...perpetual, amount: 10, price: 49_000 }
const spot = { instrument_name: 'BTC_USDC', amount: 1, price: 49_000 }

const everything = {
  instruments: ['BTC-PERPETUAL', 'BTC_USDC'],
  index: { btc_usd: 50_000, btc_usdc: 50_000 },
  accounts: { alice: { BTC: 10, USDC: 1_000_000 }, bob: { BTC: 10 } },
}

describe('rule order.validation in requests: of two errors, the earlier step wins (C07)', () => {
  const bad = { instrument_name: 'BTC-NOTHING' }

  test.each([
    ['method before authentication', null, 'private/nothing', {}, '-32601 Method not found'],
    ['authentication before parameters', null, 'private/buy', {}, '13009 unauthorized access_token invalid_token'],
    [
      'parameters before instrument',
      'alice',
      'private/buy',
      { ...bad, amount: 'x' },
      '-32602 Invalid params amount wrong_type',
    ],
    ['missing amount before instrument', 'alice', 'private/buy', bad, '-32602 Invalid params amount required'],
    [
      'reject_post_only alone before instrument',
      'alice',
      'private/buy',
      { ...bad, amount: 10, reject_post_only: true },
      '-32602 Invalid params reject_post_only only_with_post_only',
    ],
    [
      'parameters before valid_until',
      'alice',
      'private/buy',
      { ...order, valid_until: 1, amount: null },
      '-32602 Invalid params amount required',
    ],
    ['valid_until before instrument', 'alice', 'private/buy', { ...order, ...bad, valid_until: 1 }, '13888 timed_out'],
    [
      'instrument before arguments',
      'alice',
      'private/buy',
      { ...order, ...bad, post_only: true, type: 'market' },
      '13020 not_found',
    ],
    [
      'arguments before amount',
      'alice',
      'private/buy',
      { ...order, amount: 1, post_only: true, type: 'market' },
      '11055 post_only_not_allowed',
    ],
    [
      'disagreeing sizes before a missing price',
      'alice',
      'private/buy',
      { ...perpetual, amount: 10, contracts: 2 },
      '10021 invalid_amount',
    ],
    [
      'amount before price',
      'alice',
      'private/buy',
      { ...order, amount: 15, price: 0.3 },
      '10027 non_integer_contract_amount',
    ],
    ['too small before price', 'alice', 'private/buy', { ...order, amount: 5, price: 0.3 }, '10002 qty_too_low'],
    ['amount before a missing price', 'alice', 'private/buy', { ...perpetual, amount: 5 }, '10002 qty_too_low'],
    ['price before band', 'alice', 'private/buy', { ...order, price: 99_999.9 }, '10043 price_wrong_tick'],
    [
      'band before margin',
      'alice',
      'private/buy',
      { ...order, amount: 1e9, price: 60_000 },
      '10007 price_too_high 50750',
    ],
    [
      'C07 reduce-only before margin',
      'alice',
      'private/buy',
      { ...order, amount: 1e9, reduce_only: true },
      '11030 other_reject reduce_direction',
    ],
    [
      'band before reduce-only',
      'alice',
      'private/buy',
      { ...order, price: 60_000, reduce_only: true },
      '10007 price_too_high 50750',
    ],
    [
      'price before the trigger price',
      'alice',
      'private/buy',
      { ...order, type: 'stop_limit', trigger: 'mark_price', trigger_price: 0.3, price: 0.3 },
      '10043 price_wrong_tick',
    ],
    [
      'C31 the trigger price alone: a stop meets no band before it fires',
      'alice',
      'private/buy',
      {
        ...{ ...order, type: 'stop_limit', price: 90_000, trigger: 'mark_price' },
        trigger_price: 49_000,
      },
      '10035 trigger_price_too_low',
    ],
    [
      'a tip before the price',
      'alice',
      'private/buy',
      { ...order, amount: 5000, display_amount: 5, price: 0.3 },
      '10036 invalid_max_show_amount',
    ],
    [
      'arguments before a tip',
      'alice',
      'private/buy',
      { ...order, amount: 5000, display_amount: 5, trigger_price: 1 },
      '11047 unsupported_arg_combination',
    ],
    [
      'margin before self-match',
      'alice',
      'private/buy',
      { ...order, amount: 1e9, price: 50_100 },
      '10009 not_enough_funds',
    ],
  ])('%s', (_title, account, method, params, expected) => {
    const m = deskMarket()
    m.result('alice', 'private/sell', { ...order, price: 50_100 })
    expect(m.refusal(account, method, params)).toBe(expected)
  })

  test('edit: parameters, valid_until, order, arguments, amount, price', () => {
    const m = deskMarket()
    m.result('alice', 'private/buy', order)
    const edit = (params: RequestParams): string => m.refusal('alice', 'private/edit', params)
    expect(edit({ order_id: '9', amount: 'x', valid_until: 1 })).toContain('amount wrong_type')
    expect(edit({ order_id: '9', valid_until: 1 })).toContain('amount required')
    expect(edit({ order_id: '9', amount: 5, valid_until: 1 })).toBe('13888 timed_out')
    expect(edit({ order_id: '9', amount: 5, advanced: 'usd' })).toBe('10004 order_not_found')
    expect(edit({ order_id: '1', amount: 5, advanced: 'usd' })).toBe('11041 not_adv_order')
    expect(edit({ order_id: '1', amount: 15, price: 0.3 })).toBe('10027 non_integer_contract_amount')
    expect(edit({ order_id: '1', amount: 20, price: 0.3 })).toBe('10043 price_wrong_tick')
    expect(edit({ order_id: '1', amount: 20, price: 60_000 })).toBe('10007 price_too_high 50750')
  })
})

describe('arguments of private/edit (S231-S235, C10)', () => {
  function resting(params: RequestParams = {}): DeskMarket {
    const m = deskMarket(everything)
    m.result('alice', 'private/buy', { ...order, ...params })
    return m
  }

  test.each([
    ['S232 no order id', { amount: 10 }, '-32602 Invalid params order_id required'],
    ['S232 no size', { order_id: '1' }, '-32602 Invalid params amount required'],
    ['S232 sizes that disagree', { order_id: '1', amount: 10, contracts: 2 }, '10021 invalid_amount'],
    ['a size below the minimum', { order_id: '1', amount: 5 }, '10002 qty_too_low'],
    [
      'S233 reject_post_only on an order that is not post-only',
      { order_id: '1', amount: 10, reject_post_only: true },
      '-32602 Invalid params reject_post_only only_with_post_only',
    ],
    ['S234 advanced on a plain order', { order_id: '1', amount: 10, advanced: 'usd' }, '11041 not_adv_order'],
    [
      'S235 a trigger price on an order without trigger',
      { order_id: '1', amount: 10, trigger_price: 5 },
      '11047 unsupported_arg_combination',
    ],
    [
      'S235 mmp where its group has no limits',
      { order_id: '1', amount: 10, mmp: true },
      '11030 other_reject mmp_not_configured',
    ],
    [
      'S235 a trigger offset on an order without trigger',
      { order_id: '1', amount: 10, trigger_offset: 5 },
      '11047 unsupported_arg_combination',
    ],
    [
      'C26 reduce_only without a position',
      { order_id: '1', amount: 10, reduce_only: true },
      '11030 other_reject reduce_direction',
    ],
    [
      'S235 S313 a tip that is too small',
      { order_id: '1', amount: 5000, display_amount: 990 },
      '10036 invalid_max_show_amount',
    ],
    ['a tip off the step', { order_id: '1', amount: 5000, display_amount: 1005 }, '10036 invalid_max_show_amount'],
    [
      'the amount before the tip',
      { order_id: '1', amount: 15, display_amount: 1005 },
      '10027 non_integer_contract_amount',
    ],
    [
      'the tip before the price',
      { order_id: '1', amount: 5000, display_amount: 1005, price: 0.3 },
      '10036 invalid_max_show_amount',
    ],
  ])('%s', (_title, params, expected) => {
    expect(resting().refusal('alice', 'private/edit', params)).toBe(expected)
  })

  test('reduce_only on spot: 10031', () => {
    const m = resting(spot)
    const params = { order_id: 'BTC_USDC-1', amount: 1, reduce_only: true }
    expect(m.refusal('alice', 'private/edit', params)).toBe('10031 invalid_args_for_instrument')
  })

  test('a request for the order of another account gets only the error about its owner', () => {
    const m = resting()
    for (const params of [{ advanced: 'usd' }, { reject_post_only: true }, { price: 0.3 }]) {
      const edit = { order_id: '1', amount: 15, ...params }
      expect(m.refusal('bob', 'private/edit', edit)).toBe('10029 not_owner_of_order')
    }
    expect(m.refusal('bob', 'private/edit', { order_id: '1' })).toContain('amount required')
  })

  test('post_only on a good-til-day order: 11047', () => {
    const m = resting({ time_in_force: 'good_til_day' })
    const params = { order_id: '1', amount: 10, post_only: true }
    expect(m.refusal('alice', 'private/edit', params)).toBe('11047 unsupported_arg_combination')
  })

  test('S233 parameters that are absent stay unchanged (C10)', () => {
    const m = resting({ label: 'keep', post_only: true, reject_post_only: true })
    const edited = m.result('alice', 'private/edit', { order_id: '1', contracts: 2 })
    expect(edited.order).toMatchObject({
      ...{ price: 49_000, amount: 20, label: 'keep', replaced: true },
      ...{ post_only: true, reject_post_only: true },
    })
    const plain = m.result('alice', 'private/edit', { order_id: '1', amount: 20, post_only: false })
    expect(plain.order).toMatchObject({ post_only: false })
    expect(plain.order).not.toHaveProperty('reject_post_only')
    const slide = m.result('alice', 'private/edit', { order_id: '1', amount: 20, post_only: true })
    expect(slide.order).toMatchObject({ post_only: true, reject_post_only: false })
  })
})
