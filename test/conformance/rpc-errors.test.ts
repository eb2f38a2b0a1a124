/**
 * Error codes and messages, each caused by a request if one can cause it; and which requests need an account.
 * Source: trading.md 9.1, C07; sessions document 1.2; coverage R14, R33, R64.
 */
import { describe, expect, test } from 'vitest'
import { price9 } from '../../src/core/index.ts'
import { methodNames } from '../../src/gateways/index.ts'
import { defaultConfig, type RejectReason } from '../../src/model/index.ts'
import { createDesk, envelope, ownMethods, submit } from '../../src/rpc/index.ts'
import { errorOf } from '../../src/rpc/wire/request.ts'
import { deskMarket } from '../support/desk-market.ts'

const perpetual = { instrument_name: 'BTC-PERPETUAL' }
const order = { ...perpetual, amount: 10, price: 49_500 }

/** Methods about a connection, which a request without a session lacks (S273, R14). */
const socketOnly: readonly string[] = [
  ...['private/logout', 'private/subscribe', 'private/unsubscribe', 'private/unsubscribe_all'],
  ...['public/subscribe', 'public/unsubscribe', 'public/unsubscribe_all', 'public/hello'],
  ...['public/set_heartbeat', 'public/disable_heartbeat'],
]

describe('requests that need an account (S010, S011, S015)', () => {
  test('S011 every private method needs an account: 13009', () => {
    const m = deskMarket()
    const methods = methodNames.filter((name) => name.startsWith('private/'))
    expect(methods.length).toBeGreaterThan(10)
    for (const method of methods.filter((name) => !socketOnly.includes(name))) {
      for (const account of [null, 'nobody', '', 'positions']) {
        expect(m.error(account, method)).toEqual({
          code: 13009,
          message: 'unauthorized',
          data: { reason: 'invalid_token', param: 'access_token' },
        })
      }
    }
  })

  test('S293 a method that needs a WebSocket is refused for that reason first: 10030', () => {
    const m = deskMarket()
    for (const method of socketOnly) {
      for (const account of [null, 'nobody', 'alice']) {
        // This check comes before missing and wrong parameters.
        for (const params of [{}, { channels: 7, interval: 1, client_name: 7 }]) {
          const refused = { code: 10030, message: 'must_be_websocket_request' }
          expect(m.error(account, method, params)).toEqual(refused)
        }
      }
    }
  })

  test('no client can act as a house account', () => {
    const m = deskMarket()
    const house = m.venue.exchange.accounts.map(({ account }) => account).filter((of) => of.house)
    expect(house.length).toBeGreaterThan(0)
    for (const { name } of house) {
      expect(m.error(name, 'private/get_positions').code).toBe(13009)
    }
  })

  test('S010 public methods need no account, but may have one', () => {
    const m = deskMarket()
    for (const account of [null, 'alice', 'nobody']) {
      expect(m.result(account, 'public/ticker', perpetual).state).toBe('open')
    }
  })

  test.each(['private/BUY', 'private/', 'public/buy', 'buy', '', 'toString', '__proto__', 'sim/x'])(
    'S015 %j does not exist: -32601',
    (method) => {
      const m = deskMarket()
      expect(m.error('alice', method)).toEqual({ code: -32601, message: 'Method not found' })
    },
  )

  test('R64 controls are refused with -32601 if they are not served', () => {
    const start = defaultConfig(deskMarket().venue.now)
    const desk = createDesk({ config: start, controls: false, methods: ownMethods }, { emit: () => {} })
    const codes = methodNames
      .filter((name) => name.startsWith('sim/'))
      .map((method) => {
        let code: number | undefined
        const request = { time: desk.exchange.now, method, params: {}, account: null, session: 0 }
        submit(desk, request, (reply) => {
          code = reply.ok ? 0 : reply.error.code
        })
        return code
      })
    expect(codes.length).toBeGreaterThan(5)
    expect(new Set(codes)).toEqual(new Set([-32601]))
  })
})

describe('codes and messages (trading.md 9.1)', () => {
  test.each([
    ['authorization_required', 10000],
    ['qty_too_low', 10002],
    ['order_overlap', 10003],
    ['order_not_found', 10004],
    ['not_enough_funds', 10009],
    ['already_closed', 10010],
    ['price_not_allowed', 10011],
    ['book_closed', 10012],
    ['locked_by_admin', 10019],
    ['invalid_or_unsupported_instrument', 10020],
    ['invalid_amount', 10021],
    ['invalid_price', 10023],
    ['non_integer_contract_amount', 10027],
    ['not_owner_of_order', 10029],
    ['invalid_args_for_instrument', 10031],
    ['not_implemented', 10033],
    ['trigger_price_too_high', 10034],
    ['trigger_price_too_low', 10035],
    ['invalid_max_show_amount', 10036],
    ['retry', 10040],
    ['settlement_in_progress', 10041],
    ['price_wrong_tick', 10043],
    ['trigger_price_wrong_tick', 10044],
    ['post_only_price_modification_not_possible', 11021],
    ['other_reject no_opposite_price', 11030],
    ['other_reject reduce_direction', 11030],
    ['other_reject no_position', 11030],
    ['other_reject lsp_reduce_only', 11030],
    ['other_reject not_lsp_participant', 11030],
    ['invalid_trigger_price', 11036],
    ['outdated_instrument_for_IV_order', 11037],
    ['no_adv_for_futures', 11038],
    ['no_adv_postonly', 11039],
    ['not_adv_order', 11041],
    ['not_open_order', 11044],
    ['outdated_instrument', 11046],
    ['unsupported_arg_combination', 11047],
    ['wrong_max_show_for_option', 11048],
    ['post_only_reject', 11054],
    ['post_only_not_allowed', 11055],
    ['account_locked', 11098],
    ['too_many_subaccounts', 12001],
    ['unavailable_in_subaccount', 13012],
    ['not_found', 13020],
    ['forbidden', 13021],
    ['non_unique_order_label', 13032],
    ['active_combo_limit_reached', 13035],
    ['unavailable_for_combo_books', 13036],
    ['timed_out', 13888],
  ] as const satisfies readonly (readonly [RejectReason, number])[])('%s is %i', (reason, code) => {
    expect(errorOf({ reason })).toEqual({ code, message: reason })
  })

  test('codes with a value append it after a space', () => {
    const limit = price9(43_666_428_800_000)
    expect(errorOf({ reason: 'price_too_high', limit })).toEqual({
      ...{ code: 10007, message: 'price_too_high 43666.4288' },
    })
    expect(errorOf({ reason: 'price_too_low', limit }).message).toBe('price_too_low 43666.4288')
    for (const [reason, code] of [
      ['pme_max_total_open_orders', 10013],
      ['pme_max_future_open_orders', 10014],
      ['pme_max_option_open_orders', 10015],
      ['non_pme_max_future_position_size', 10018],
      ['max_spot_open_orders', 11013],
      ['no_more_triggers', 11035],
    ] as const) {
      expect(errorOf({ reason, limit: 5 })).toEqual({ code, message: `${reason} 5` })
    }
    // The table has this message without its value.
    expect(errorOf({ reason: 'no_more_oto_orders', limit: 5 })).toEqual({
      ...{ code: 13901, message: 'no_more_oto_orders' },
    })
    expect(errorOf({ reason: 'not_enough_funds_in_currency', currency: 'USDC' })).toEqual({
      ...{ code: 10039, message: 'not_enough_funds_in_currency USDC' },
    })
  })

  test('B08 a malformed request: -32600 (R45)', () => {
    const m = deskMarket()
    const untyped = (value: unknown): never => value as never
    const invalid = (reason: string): object => ({
      error: { code: -32600, message: 'Invalid Request', data: { reason } },
    })
    for (const params of [[], ['BTC-PERPETUAL'], 7, 'text', false]) {
      const reply = m.ask('alice', 'private/buy', untyped(params))
      expect(reply).toMatchObject(invalid('params_not_an_object'))
    }
    for (const method of [7, null, {}, []]) {
      expect(m.ask('alice', untyped(method))).toMatchObject(invalid('method_not_a_string'))
    }
  })
})

describe('refusals through requests', () => {
  test.each([
    ['C23 10007', 'private/buy', { ...order, price: 50_750.5 }, '10007 price_too_high 50750'],
    ['C23 10005', 'private/sell', { ...order, price: 49_249.5 }, '10005 price_too_low 49250'],
    ['10009', 'private/buy', { ...order, amount: 50_000_000 }, '10009 not_enough_funds'],
    ['R14 13020', 'private/buy', { ...order, instrument_name: 'X' }, '13020 not_found'],
    ['S296 13888', 'private/buy', { ...order, valid_until: 1_767_603_600_000 }, '13888 timed_out'],
    [
      '11054',
      'private/buy',
      { ...order, price: 50_000, post_only: true, reject_post_only: true },
      '11054 post_only_reject',
    ],
    ['C27 10003', 'private/sell', { ...order, price: 49_400 }, '10003 order_overlap'],
  ])('%s', (_title, method, params, expected) => {
    const m = deskMarket()
    m.result('bob', 'private/sell', { ...order, price: 50_000 })
    m.result('alice', 'private/buy', { ...order, price: 49_400 })
    expect(m.refusal('alice', method, params)).toBe(expected)
  })

  test('11021: a band that leaves no price inside the spread', () => {
    const m = deskMarket()
    m.result('bob', 'private/sell', { ...order, price: 50_000 })
    m.result(null, 'sim/set_index', { index_name: 'btc_usd', price: 49_000 })
    const buy = { ...order, price: 50_000, post_only: true }
    expect(m.refusal('alice', 'private/buy', buy)).toBe('11021 post_only_price_modification_not_possible')
  })

  test('C22 the states of a book', () => {
    const found = (['settlement', 'locked', 'halted', 'inactive', 'delivered'] as const).map((state) => {
      const m = deskMarket()
      m.result('alice', 'private/buy', order)
      m.result(null, 'sim/set_instrument_state', { ...perpetual, state })
      return [
        m.refusal('alice', 'private/buy', order),
        m.refusal('alice', 'private/edit', { order_id: '1', amount: 20 }),
      ]
    })
    expect(found).toEqual([
      ['10041 settlement_in_progress', '10041 settlement_in_progress'],
      ['10019 locked_by_admin', '10019 locked_by_admin'],
      ['10012 book_closed', '10012 book_closed'],
      // These states cancel all orders.
      ['10012 book_closed', '10010 already_closed'],
      ['10012 book_closed', '10010 already_closed'],
    ])
  })

  test('C22 cancels are accepted while the book is open or locked', () => {
    for (const [state, answer] of [
      ['locked', 'cancelled'],
      ['settlement', '10041 settlement_in_progress'],
      ['halted', '10012 book_closed'],
    ] as const) {
      const m = deskMarket()
      m.result('alice', 'private/buy', order)
      m.result(null, 'sim/set_instrument_state', { ...perpetual, state })
      const found =
        state === 'locked'
          ? m.result('alice', 'private/cancel', { order_id: '1' }).order_state
          : m.refusal('alice', 'private/cancel', { order_id: '1' })
      expect([state, found]).toEqual([state, answer])
    }
  })

  test('C36 too many open orders: the limit is in the message', () => {
    const openOrderLimits = {
      ...{ total: 2, future: 1, option: 1, spot: 1, triggers: 1, secondaries: 1 },
    }
    const m = deskMarket({
      instruments: ['BTC-PERPETUAL', 'BTC_USDC'],
      index: { btc_usd: 50_000, btc_usdc: 50_000 },
      accounts: { alice: { BTC: 10, USDC: 200_000 } },
      config: { openOrderLimits },
    })
    const spot = { instrument_name: 'BTC_USDC', amount: 1, price: 49_900 }
    // An order of an option cannot be open yet; the message of its limit, 10015, is tested above.
    const refusals = [order, spot].map((params) => {
      m.result('alice', 'private/buy', params)
      return m.refusal('alice', 'private/buy', params)
    })
    expect(refusals).toEqual(['10014 pme_max_future_open_orders 1', '10013 pme_max_total_open_orders 2'])
    m.result('alice', 'private/cancel', { order_id: '1' })
    expect(m.refusal('alice', 'private/buy', spot)).toBe('11013 max_spot_open_orders 1')
  })

  test('10039: for spot, the currency that is insufficient', () => {
    const m = deskMarket({ instruments: ['BTC_USDC'], index: { btc_usdc: 50_000 } })
    const spot = { instrument_name: 'BTC_USDC', amount: 100, price: 50_000 }
    expect(m.refusal('alice', 'private/buy', spot)).toBe('10039 not_enough_funds_in_currency USDC')
    expect(m.refusal('alice', 'private/sell', spot)).toBe('10039 not_enough_funds_in_currency BTC')
  })
})

describe('the envelope of replies (S013, S014, S017)', () => {
  test('results and errors have id and times; a reply that does not wait takes no time', () => {
    const m = deskMarket()
    const reply = m.ask(null, 'public/get_time')
    const time = reply.usIn
    expect(envelope(reply, 7)).toEqual({
      ...{ jsonrpc: '2.0', id: 7, result: 1_767_603_600_001 },
      ...{ usIn: time, usOut: time, usDiff: 0, testnet: true },
    })
    expect(envelope(m.ask('alice', 'private/cancel', { order_id: '5' }), 'x')).toEqual({
      ...{ jsonrpc: '2.0', id: 'x', error: { code: 10004, message: 'order_not_found' } },
      ...{ usIn: time + 1000, usOut: time + 1000, usDiff: 0, testnet: true },
    })
  })
})
