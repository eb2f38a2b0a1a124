/**
 * Orders of direct access: the fields of their messages, who sees the orders, and the order of their checks.
 * Source: sessions-blocks-gateways.md 8.1, 8.2, 8.5-8.8; coverage R60, R61.
 */
import { describe, expect, test } from 'vitest'
import { answered, directMarket, future, perpetual, rejectOf } from '../support/direct-market.ts'

const amend = 'sim/direct/amend_order'
const cancel = 'sim/direct/cancel_order'

describe('direct.responses', () => {
  test('S289 the response to an order that rests shows it as active with its fields', () => {
    const m = directMarket()
    expect(m.place('alice', 17, { flags: ['post_only'] })).toEqual({
      message: 'NewOrderResponse',
      ...answered,
      side: 'buy',
      order_id: expect.stringMatching(/^[0-9]+$/),
      client_order_id: '17',
      instrument_name: perpetual,
      status: 'active',
      price: 2970,
      amount: 1000,
      filled_amount: 0,
      visible_amount: 1000,
      fills: [],
      flags: ['post_only'],
    })
  })

  test('S289 an order that matches at once lists its fills with the match ids of the engine', () => {
    const m = directMarket()
    m.place('alice', 1, { price: 2990 })
    m.place('alice', 2, { price: 2980 })
    const sold = m.place('bob', 1, { side: 'sell', amount: 1500, price: 2970 })
    expect(sold).toMatchObject({
      status: 'filled',
      filled_amount: 1500,
      visible_amount: 0,
      fills: [
        { match_id: 1, price: 2990, amount: 1000 },
        { match_id: 2, price: 2980, amount: 500 },
      ],
    })
  })

  test('a market order without liquidity ends with the reason TIME_IN_FORCE', () => {
    const m = directMarket()
    const order = { side: 'sell', time_in_force: 'IOC', price: null }
    expect(m.place('bob', 1, order)).toMatchObject({
      status: 'canceled',
      cancel_reason: { code: 2, name: 'TIME_IN_FORCE' },
    })
    expect(m.refusal('bob', 2, { ...order, flags: ['market_limit'] })).toBe('6 INVALID_PRICE NewOrderReject')
  })

  test('S333 flags are repeated from version 19 on, without flags newer than the session’s version (R60)', () => {
    const m = directMarket()
    m.connect(3, { account: 'alice', gateway: 'ETH_B', schema_version: 18 })
    const order = {
      instrument_name: perpetual,
      side: 'buy',
      price: 2970,
      amount: 1000,
      flags: ['post_only'],
    }
    const old = m.result('alice', 'sim/direct/new_order', { client_order_id: 1, ...order }, 3)
    expect(old).not.toHaveProperty('flags')
  })

  test('S330 the confirmation of a cancel shows sizes from version 16 on', () => {
    const m = directMarket()
    m.connect(3, { account: 'alice', gateway: 'ETH_B', schema_version: 15 })
    m.place('alice', 1)
    m.place('alice', 2)
    expect(m.result('alice', cancel, { client_order_id: 1 }, 1)).toEqual({
      message: 'CancelOrderResponse',
      ...answered,
      order_id: expect.any(String),
      client_order_id: '1',
      instrument_name: perpetual,
      amount: 1000,
      filled_amount: 0,
    })
    expect(m.result('alice', cancel, { client_order_id: 2 }, 3)).not.toHaveProperty('amount')
  })

  test('after an amend over another session of the portfolio, the order stays with its first session', () => {
    const m = directMarket()
    m.connect(3, { account: 'alice', gateway: 'ETH_B' })
    m.place('alice', 1)
    const amended = m.result('alice', amend, { client_order_id: 1, amount: 500, price: 2965 }, 3)
    expect(amended).toMatchObject({
      message: 'AmendOrderResponse',
      status: 'active',
      price: 2965,
      amount: 500,
    })
    m.result(null, 'sim/logout', { session: 3 })
    expect(m.result('alice', cancel, { client_order_id: 1 }, 1)).toMatchObject({ amount: 500 })
  })
})

describe('direct.routing', () => {
  test('an instrument is reached over its own gateway pair; instruments of the main engine are not (8.1)', () => {
    const m = directMarket()
    const wrong = '1 INVALID_INSTRUMENT NewOrderReject'
    expect(m.refusal('alice', 1, { instrument_name: 'BTC-PERPETUAL', price: 40_000 })).toBe(wrong)
    expect(m.refusal('alice', 1, { instrument_name: 'SOL-PERPETUAL' })).toBe(wrong)
    m.connect(3, { account: 'alice', gateway: 'BTC_A' })
    const order = { client_order_id: 1, instrument_name: perpetual, side: 'buy', amount: 1000 }
    const error = m.error('alice', 'sim/direct/new_order', { ...order, price: 2970 }, 3)
    expect(rejectOf(error)).toBe(wrong)
    m.place('alice', 1)
    expect(rejectOf(m.error('alice', cancel, { client_order_id: 1 }, 3))).toBe('6 INVALID_INSTRUMENT CancelOrderReject')
  })
})

describe('direct.messages', () => {
  test('a request without a session of its account is refused', () => {
    const m = directMarket()
    const order = { client_order_id: 1, instrument_name: perpetual, side: 'buy', amount: 1000 }
    for (const [account, session] of [
      ['alice', 0],
      ['alice', 2],
      ['alice', 9],
      [null, 1],
    ] as const) {
      expect(m.error(account, 'sim/direct/new_order', order, session)).toMatchObject({
        code: -32602,
        data: { param: 'session' },
      })
    }
  })
})

describe('direct.visibility', () => {
  test('JSON-RPC and direct access do not see the orders of each other (8.2)', () => {
    const m = directMarket()
    const direct = m.place('alice', 1)
    const { order } = m.result('alice', 'private/buy', {
      ...{ instrument_name: perpetual, amount: 1000, price: 2965 },
    })
    expect(m.result('alice', 'private/get_open_orders')).toHaveLength(1)
    const wireId = 'ETH-1'
    for (const method of ['private/get_order_state', 'private/cancel']) {
      expect(m.error('alice', method, { order_id: wireId })).toMatchObject({ code: 10004 })
    }
    const edit = { order_id: wireId, amount: 500, price: 2965 }
    expect(m.error('alice', 'private/edit', edit)).toMatchObject({ code: 10004 })
    expect(m.result('alice', 'private/cancel_all')).toBe(1)
    expect(order.order_id).toBe('ETH-2')
    const byId = 'sim/direct/cancel_order_by_id'
    m.result('alice', 'private/buy', { instrument_name: perpetual, amount: 1000, price: 2965 })
    const foreign = Number(direct.order_id) + 256
    expect(rejectOf(m.error('alice', byId, { order_id: foreign }, 1))).toBe('1 UNKNOWN_ORDER CancelOrderReject')
    expect(m.result('alice', byId, { order_id: direct.order_id }, 1)).toMatchObject({
      client_order_id: '1',
    })
  })

  test('fills and positions are visible over both (8.2)', () => {
    const m = directMarket()
    m.place('alice', 1)
    m.place('bob', 1, { side: 'sell' })
    const { trades } = m.result('alice', 'private/get_user_trades_by_instrument', {
      instrument_name: perpetual,
    })
    expect(trades).toHaveLength(1)
    expect(m.result('alice', 'private/get_position', { instrument_name: perpetual })).toMatchObject({
      size: 1000,
    })
  })
})

describe('direct.check-order', () => {
  test('the first failing check of the binary gateway decides (8.7)', () => {
    const m = directMarket()
    m.place('alice', 1)
    m.place('bob', 1, { side: 'sell', price: 3010 })
    // Each row fails at its own check and at all later ones.
    const crossing = { price: 3010, flags: ['post_only_reject'] }
    expect(m.refusal('alice', 2, crossing)).toBe('8 POST_ONLY NewOrderReject')
    expect(m.refusal('alice', 2, { ...crossing, amount: 900_000_000 })).toBe('3 INSUFFICIENT_MARGIN NewOrderReject')
    const high = { ...crossing, amount: 900_000_000, price: 9000 }
    expect(m.refusal('alice', 2, high)).toBe('22 PRICE_TOO_HIGH NewOrderReject')
    expect(m.refusal('alice', 1, high)).toBe('4 DUPLICATE_CLIENT_ORDER_ID NewOrderReject')
    expect(m.refusal('alice', 1, { ...high, price: 9000.001 })).toBe('6 INVALID_PRICE NewOrderReject')
    expect(m.refusal('alice', 1, { ...high, price: 9000.001, amount: 0.5 })).toBe('5 INVALID_QUANTITY NewOrderReject')
    const both = { price: 9000.001, amount: 0.5, flags: ['post_only', 'post_only_reject'] }
    expect(m.refusal('alice', 1, both)).toBe('2 INVALID_FIELD NewOrderReject')
    m.result(null, 'sim/set_instrument_state', { instrument_name: perpetual, state: 'locked' })
    expect(m.refusal('alice', 1, both)).toBe('7 NOT_ALLOWED_BY_MARKET_STATE NewOrderReject')
    const unknown = { ...both, instrument_name: 'ETH-NOTHING' }
    expect(m.refusal('alice', 1, unknown)).toBe('1 INVALID_INSTRUMENT NewOrderReject')
    m.result(null, 'sim/set_algo_cancel_only', { enabled: true })
    expect(m.refusal('alice', 1, { ...both, show_amount: 100 })).toBe('31 CANCEL_ONLY NewOrderReject')
    m.result(null, 'sim/lock_portfolio', { account: 'alice' })
    expect(m.refusal('alice', 1, { ...unknown, show_amount: 100 })).toBe('26 PORTFOLIO_LOCKED NewOrderReject')
    m.result(null, 'sim/set_permissions', { account: 'alice', member: false })
    expect(m.refusal('alice', 1, unknown)).toBe('10 PERMISSION_ERROR NewOrderReject')
    m.result(null, 'sim/set_gateway_active', { gateway: 'ETH_A', active: false })
    expect(m.refusal('alice', 1, unknown)).toBe('6 GATEWAY_NOT_ACTIVE Reject')
    m.result(null, 'sim/set_message_enabled', { message: 'NewOrderRequest', enabled: false })
    expect(m.refusal('alice', 1, unknown)).toBe('5 MESSAGE_DISABLED Reject')
    expect(m.refusal('alice', 1, { ...unknown, side: 'both' })).toBe('4 INVALID_FIELD_VALUE Reject')
  })

  test('a client order id is free again after the order ends, and other portfolios may use it too (8.5)', () => {
    const m = directMarket()
    m.place('alice', 1)
    m.place('bob', 1)
    m.connect(3, { account: 'alice', gateway: 'ETH_B' })
    const order = {
      client_order_id: 1,
      instrument_name: perpetual,
      side: 'buy',
      price: 2970,
      amount: 1000,
    }
    expect(rejectOf(m.error('alice', 'sim/direct/new_order', order, 3))).toBe(
      '4 DUPLICATE_CLIENT_ORDER_ID NewOrderReject',
    )
    m.result('alice', cancel, { client_order_id: 1 }, 1)
    m.result('alice', 'sim/direct/new_order', order, 3)
  })
})

describe('direct.speed-bump', () => {
  test('S305 a pending order is queued; a cancel meanwhile converts it (8), a later one has no effect (7)', () => {
    const m = directMarket()
    m.place('alice', 1, { instrument_name: future })
    const sold = m.place('bob', 7, { instrument_name: future, side: 'sell' })
    expect(sold).toMatchObject({ status: 'queued', filled_amount: 0, visible_amount: 1000 })
    expect(m.refusal('bob', 7, { instrument_name: future })).toBe('4 DUPLICATE_CLIENT_ORDER_ID NewOrderReject')
    expect(rejectOf(m.error('bob', cancel, { client_order_id: 7 }, 2))).toBe(
      '8 SPEED_BUMP_CONVERTED_TO_IOC CancelOrderReject',
    )
    expect(rejectOf(m.error('bob', cancel, { client_order_id: 7 }, 2))).toBe('7 TIME_IN_FORCE CancelOrderReject')
    m.venue.wait('10ms')
    expect(rejectOf(m.error('bob', cancel, { client_order_id: 7 }, 2))).toBe('1 UNKNOWN_ORDER CancelOrderReject')
    expect(m.result('bob', 'private/get_position', { instrument_name: future })).toMatchObject({
      size: -1000,
    })
  })
})
