/**
 * Messages that sessions of direct access receive without a request.
 * Source: sessions-blocks-gateways.md 8.6, 8.8, 8.10, 8.11, 8.13.
 */
import { describe, expect, test } from 'vitest'
import type { Json } from '../support/desk-market.ts'
import { type DirectMarket, directMarket, future, perpetual, rejectOf } from '../support/direct-market.ts'

const cancel = 'sim/direct/cancel_order'

function reported(m: DirectMarket, session: number, since = 0): readonly Json[] {
  return m.result(null, 'sim/get_session_messages', { session, since })
}

/** The names of the received messages. */
function names(m: DirectMarket, session: number): readonly string[] {
  return reported(m, session).map(({ message }) => message)
}

describe('direct.messages-received', () => {
  test('S289 a maker receives a message for each fill, a taker only the response', () => {
    const m = directMarket()
    m.place('alice', 1)
    m.place('bob', 1, { side: 'sell', amount: 600 })
    m.place('bob', 2, { side: 'sell', amount: 400 })
    expect(names(m, 2)).toEqual([])
    expect(reported(m, 1)).toMatchObject([
      {
        ...{ sequence: 1, message: 'OrderFilled', template: 300, client_order_id: '1' },
        ...{ match_id: 1, price: 2970, amount: 600, filled_amount: 600, side: 'buy', flags: [] },
      },
      { sequence: 2, match_id: 2, amount: 400, filled_amount: 1000, flags: ['is_fully_filled'] },
    ])
    expect(reported(m, 1, 1)).toMatchObject([{ sequence: 2 }])
  })

  test('S287 S331 a cancel over another session is reported from version 17; its sender gets a reply (S288)', () => {
    for (const [schema_version, expected] of [
      [16, []],
      [17, ['OrdersCanceled']],
    ] as const) {
      const m = directMarket()
      m.connect(3, { account: 'alice', gateway: 'ETH_B', schema_version })
      const order = { client_order_id: 1, instrument_name: perpetual, side: 'buy', amount: 1000 }
      m.result('alice', 'sim/direct/new_order', { ...order, price: 2970 }, 3)
      const confirmed = m.result('alice', cancel, { client_order_id: 1 }, 1)
      expect(confirmed).toMatchObject({ message: 'CancelOrderResponse' })
      expect(names(m, 3)).toEqual(expected)
      expect(names(m, 1)).toEqual([])
    }
  })

  test('an amend over another session is also reported to the order’s session', () => {
    const m = directMarket()
    m.connect(3, { account: 'alice', gateway: 'ETH_B' })
    m.place('alice', 1)
    m.result('alice', 'sim/direct/amend_order', { client_order_id: 1, amount: 500 }, 3)
    expect(reported(m, 1)).toMatchObject([{ message: 'AmendOrderResponse', template: 210, amount: 500 }])
    m.result('alice', 'sim/direct/amend_order', { client_order_id: 1, amount: 400 }, 1)
    expect(names(m, 1)).toHaveLength(1)
  })

  test('orders cancelled by staff are reported together, with the number of the reason', () => {
    const m = directMarket()
    for (let id = 1; id <= 102; id += 1) m.place('alice', id, { amount: 1 })
    m.result(null, 'sim/lock_portfolio', { account: 'alice' })
    const [first, last] = reported(m, 1)
    expect(first).toMatchObject({ message: 'OrdersCanceled', template: 310, flags: [] })
    expect(first.orders).toHaveLength(100)
    expect(first.orders[0]).toMatchObject({
      client_order_id: '1',
      filled_amount: 0,
      cancel_reason: { code: 15, name: 'PORTFOLIO_LOCKED' },
      flags: [],
    })
    expect(last).toMatchObject({ flags: ['is_last_message'] })
    expect(last.orders).toHaveLength(2)
  })

  test('mass cancels are reported on the sessions of the orders, with BY_REQUEST', () => {
    const m = directMarket()
    m.place('alice', 1)
    m.result('alice', 'sim/direct/mass_cancel', { currency_pair: 'eth_usd' }, 1)
    expect(reported(m, 1)).toMatchObject([
      { message: 'OrdersCanceled', orders: [{ cancel_reason: { code: 12, name: 'BY_REQUEST' } }] },
    ])
  })

  test('messages for a closed session are kept for a later resend (8.10)', () => {
    const m = directMarket()
    m.place('alice', 1, { flags: ['cancel_on_disconnect'] })
    m.place('alice', 2)
    m.result(null, 'sim/disconnect', { session: 1 })
    m.place('bob', 1, { side: 'sell', amount: 1000 })
    expect(reported(m, 1)).toMatchObject([
      {
        message: 'OrdersCanceled',
        orders: [{ cancel_reason: { code: 7, name: 'CLIENT_DISCONNECT' } }],
      },
      { message: 'OrderFilled', client_order_id: '2' },
    ])
  })

  test('S289 an order that waited is reported at its release, with its fills', () => {
    const m = directMarket()
    m.place('alice', 1, { instrument_name: future })
    m.place('bob', 7, { instrument_name: future, side: 'sell', amount: 1500 })
    expect(names(m, 2)).toEqual([])
    m.venue.wait('10ms')
    expect(reported(m, 2)).toMatchObject([
      {
        ...{ message: 'OrderPlaced', template: 312, client_order_id: '7', status: 'active' },
        ...{ amount: 1500, filled_amount: 1000, visible_amount: 500 },
        fills: [{ match_id: 1, price: 2970, amount: 1000 }],
      },
    ])
    expect(names(m, 1)).toEqual(['OrderFilled'])
  })

  test('S331 later changes of a released order are separate messages, and its first message stays unchanged', () => {
    const m = directMarket()
    m.place('alice', 1, { instrument_name: future })
    m.place('bob', 7, { instrument_name: future, side: 'sell' })
    m.result('alice', cancel, { client_order_id: 1 }, 1)
    m.venue.wait('10ms')
    const before = reported(m, 2)
    expect(before).toMatchObject([{ message: 'OrderPlaced', status: 'active', fills: [] }])
    m.result('bob', 'sim/direct/mass_cancel', { currency_pair: 'eth_usd' }, 2)
    expect(reported(m, 2)).toEqual([
      ...before,
      expect.objectContaining({
        message: 'OrdersCanceled',
        orders: [expect.objectContaining({ cancel_reason: { code: 12, name: 'BY_REQUEST' } })],
      }),
    ])
  })

  test('an order that was to be cancelled but matched is reported in one message (8.8)', () => {
    const m = directMarket()
    m.place('alice', 1, { instrument_name: future })
    m.place('bob', 7, { instrument_name: future, side: 'sell', amount: 1500 })
    m.error('bob', cancel, { client_order_id: 7 }, 2)
    m.venue.wait('10ms')
    expect(reported(m, 2)).toMatchObject([
      {
        ...{ message: 'OrderPlaced', status: 'canceled', filled_amount: 1000 },
        cancel_reason: { code: 2, name: 'TIME_IN_FORCE' },
        fills: [{ amount: 1000 }],
      },
    ])
  })

  test('an order without a match is confirmed to the cancel’s sender, and reported to its own session (8.8)', () => {
    const m = directMarket()
    m.connect(3, { account: 'bob', gateway: 'ETH_B' })
    m.place('alice', 1, { instrument_name: future })
    m.place('bob', 7, { instrument_name: future, side: 'sell' })
    m.result('alice', cancel, { client_order_id: 1 }, 1)
    expect(rejectOf(m.error('bob', cancel, { client_order_id: 7 }, 3))).toBe(
      '8 SPEED_BUMP_CONVERTED_TO_IOC CancelOrderReject',
    )
    m.venue.wait('10ms')
    expect(reported(m, 3)).toMatchObject([
      { message: 'CancelOrderResponse', template: 220, client_order_id: '7', filled_amount: 0 },
    ])
    expect(reported(m, 2)).toMatchObject([
      { message: 'OrdersCanceled', orders: [{ cancel_reason: { name: 'TIME_IN_FORCE' } }] },
    ])
  })

  test('a freeze and its end are reported to the portfolio’s sessions on the gateway pair', () => {
    const m = directMarket()
    m.connect(3, { account: 'alice', gateway: 'BTC_A' })
    const group = {
      ...{ index_name: 'eth_usd', interval: 10, frozen_time: 2, quantity_limit: 1 },
      max_quote_quantity: 100,
    }
    m.result('alice', 'private/set_mmp_config', group)
    m.place('alice', 1, { amount: 4000, flags: ['mmp'] })
    m.place('alice', 2, { amount: 1000, flags: ['mmp'], price: 2965 })
    m.place('bob', 1, { side: 'sell', amount: 4000 })
    m.venue.wait('2s')
    expect(reported(m, 1)).toMatchObject([
      { message: 'OrderFilled' },
      {
        message: 'OrdersCanceled',
        orders: [{ cancel_reason: { code: 4, name: 'MM_PROTECTION' } }],
      },
      {
        ...{ message: 'OrdersMmpTriggered', template: 322, currency_pair: 'eth_usd' },
        trigger: { code: 0, name: 'quantity' },
        quantity_level: expect.any(Number),
      },
      { message: 'OrdersMmpUnfrozen', template: 326 },
    ])
    expect(names(m, 3)).toEqual([])
  })

  test('R11 a reset by JSON-RPC in the first second is reported once, when direct access is free', () => {
    const m = directMarket()
    const group = {
      ...{ index_name: 'eth_usd', interval: 10, frozen_time: 0, quantity_limit: 1 },
      max_quote_quantity: 100,
    }
    m.result('alice', 'private/set_mmp_config', group)
    m.place('alice', 1, { amount: 4000, flags: ['mmp'] })
    m.place('bob', 1, { side: 'sell', amount: 4000 })
    m.result('alice', 'private/reset_mmp', { index_name: 'eth_usd' })
    expect(names(m, 1)).toEqual(['OrderFilled', 'OrdersMmpTriggered'])
    m.venue.wait('2s')
    const [, tripped, unfrozen, ...others] = reported(m, 1)
    expect(unfrozen?.message).toBe('OrdersMmpUnfrozen')
    expect(unfrozen?.timestamp - tripped?.timestamp).toBe(1000)
    expect(others).toEqual([])
  })

  test('messages survive a snapshot', () => {
    const m = directMarket()
    m.place('alice', 1)
    m.place('bob', 1, { side: 'sell', amount: 600 })
    m.reopen()
    expect(reported(m, 1)).toHaveLength(1)
  })
})
