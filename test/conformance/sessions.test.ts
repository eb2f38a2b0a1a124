/**
 * Sessions: how they open and end, and the orders that end with them.
 * Source: trading.md 10 (C49); interface document, private/logout; sessions document 2.6, 8.2, 8.4, 8.10; coverage R12,
 * R60, R77; S007, S086, S177, S273, S276, S277, S284, S327.
 */
import { describe, expect, test } from 'vitest'
import type { RequestParams } from '../../src/rpc/index.ts'
import { type By, TimedDesk } from '../support/timed-desk.ts'

const future = 'ETH-27MAR26'
const minutes = 60_000_000

function order(price: number, more: RequestParams = {}): RequestParams {
  return { instrument_name: future, amount: 100, price, ...more }
}

/** The prices of an account's open orders. */
function prices(m: TimedDesk, account: string): readonly number[] {
  const orders: readonly { readonly price: number }[] = m.result(account, 'private/get_open_orders')
  return orders.map(({ price }) => price)
}

/** Two orders over session 1, one of them a stop, one over session 2 and one over HTTP. */
function desk(enable: 'connection' | 'account' | null): TimedDesk {
  const m = new TimedDesk({})
  const over = (session: number): By => ({ as: 'maker', session })
  if (enable !== null) {
    m.result(over(1), 'private/enable_cancel_on_disconnect', { scope: enable })
  }
  m.at(1).result(over(1), 'private/buy', order(3990))
  m.result(over(2), 'private/buy', order(3980))
  m.result('maker', 'private/buy', order(3970))
  m.result(over(1), 'private/buy', order(3960))
  m.result(over(1), 'private/sell', {
    ...order(3900, { type: 'stop_limit', trigger: 'index_price', trigger_price: 3900 }),
  })
  return m
}

describe('rule session.cancel-on-disconnect: orders of a connection end with it (C49)', () => {
  test.each([
    ['sim/disconnect', 'disconnect', 3, [3980, 3970]],
    ['sim/heartbeat_failure', 'heartbeat_failure', 3, [3980, 3970]],
    ['sim/logout', 'logout', 0, [3990, 3980, 3970, 3960, 3900]],
  ])('%s (S086, S276, S277)', (method, how, cancelled, left) => {
    const m = desk('connection')
    expect(m.at(2).result({}, method, { session: 1 })).toEqual({ cancelled })
    expect(prices(m, 'maker')).toEqual(left)
    expect(m.eventsOf('session').at(-1)).toMatchObject({
      ...{ change: 'closed', session: 1, how, cancelled, converted: 0 },
    })
    const ended = m.eventsOf('order cancelled')
    expect(ended.map(({ reason }) => reason)).toEqual(new Array(cancelled).fill('cancel_on_disconnect'))
  })

  test('inactivity of ten minutes; a request in time restarts the timer (S277)', () => {
    const m = desk('connection')
    m.at(5 * minutes).result({ as: 'maker', session: 1 }, 'public/get_time')
    m.result({ as: 'maker', session: 1 }, 'private/get_positions')
    m.until(15 * minutes)
    expect(prices(m, 'maker')).toHaveLength(5)
    m.until(15 * minutes + 1)
    expect(prices(m, 'maker')).toEqual([3980, 3970])
    expect(m.eventsOf('session').at(-1)).toMatchObject({ how: 'inactivity', cancelled: 3 })
  })

  test('a request at the last instant counts (DESIGN 4)', () => {
    const m = desk('connection')
    m.at(1 + 10 * minutes).result({ as: 'maker', session: 1 }, 'private/get_positions')
    m.until(11 * minutes)
    expect(prices(m, 'maker')).toHaveLength(5)
  })

  test('no order ends if the setting is off, or was switched off again', () => {
    const off = desk(null)
    expect(off.at(2).result({}, 'sim/disconnect', { session: 1 })).toEqual({ cancelled: 0 })
    const again = desk('connection')
    again.result({ as: 'maker', session: 1 }, 'private/disable_cancel_on_disconnect')
    again.until(11 * minutes)
    expect(again.eventsOf('session').at(-1)).toMatchObject({ cancelled: 0 })
    expect(prices(again, 'maker')).toHaveLength(5)
  })

  test('scope account applies to later connections too (R12)', () => {
    const m = desk('account')
    const get = 'private/get_cancel_on_disconnect'
    expect(m.result('maker', get, { scope: 'account' })).toEqual({
      scope: 'account',
      enabled: true,
    })
    expect(m.result('maker', get)).toEqual({ scope: 'connection', enabled: false })
    expect(m.result({ as: 'maker', session: 2 }, get)).toMatchObject({ enabled: true })
    m.result({ as: 'maker', session: 3 }, 'private/buy', order(3950))
    expect(m.result({ as: 'maker', session: 3 }, get)).toMatchObject({ enabled: true })
    expect(m.result({}, 'sim/disconnect', { session: 3 })).toEqual({ cancelled: 1 })
    expect(m.result({}, 'sim/disconnect', { session: 1 })).toEqual({ cancelled: 3 })
    m.result('maker', 'private/disable_cancel_on_disconnect', { scope: 'account' })
    m.result({ as: 'maker', session: 1 }, 'private/buy', order(3940))
    expect(m.result({}, 'sim/disconnect', { session: 1 })).toEqual({ cancelled: 0 })
  })

  test('an order edited over another connection stays with its own', () => {
    const m = desk('connection')
    const [{ order_id }] = m.result('maker', 'private/get_open_orders')
    m.result({ as: 'maker', session: 2 }, 'private/edit', { order_id, amount: 90 })
    expect(m.result({}, 'sim/disconnect', { session: 1 })).toEqual({ cancelled: 3 })
  })

  test('orders from fired triggers and dormant secondaries end too', () => {
    const m = new TimedDesk({ config: { speedBumps: false } })
    const by = { as: 'maker', session: 1 }
    m.result(by, 'private/enable_cancel_on_disconnect')
    m.result(by, 'private/sell', {
      ...order(4010, { type: 'stop_limit', trigger: 'index_price', trigger_price: 3990 }),
    })
    m.result(by, 'private/buy', {
      ...order(3900, { linked_order_type: 'one_triggers_other' }),
      otoco_config: [{ direction: 'sell', amount: 100, price: 4100 }],
    })
    m.result({}, 'sim/set_index', { index_name: 'eth_usd', price: 3985 })
    expect(m.result({}, 'sim/disconnect', { session: 1 })).toEqual({ cancelled: 3 })
    expect(prices(m, 'maker')).toEqual([])
  })

  test('an order behind the speed bump keeps waiting, as immediate-or-cancel', () => {
    const m = desk('connection')
    const by = { as: 'taker', session: 4 }
    m.result(by, 'private/enable_cancel_on_disconnect')
    const sent = m.ask(by, 'private/sell', order(3960, { amount: 500 }))
    expect(m.at(2).result({}, 'sim/disconnect', { session: 4 })).toEqual({ cancelled: 0 })
    expect(m.eventsOf('session').at(-1)).toMatchObject({ cancelled: 0, converted: 1 })
    m.until(20_000)
    expect(sent.reply.result.order).toMatchObject({ order_state: 'cancelled', filled_amount: 400 })
  })
})

describe('sessions are independent', () => {
  const member = (): TimedDesk => {
    const m = new TimedDesk({})
    m.result({}, 'sim/set_permissions', { account: 'maker', member: true })
    const gateway = { type: 'direct_access', account: 'maker', gateway: 'ETH_A' }
    m.result({}, 'sim/connect', { ...gateway, session: 7 })
    return m
  }

  test('a session number that is used again does not end orders of the earlier connection (C49)', () => {
    const m = desk(null)
    m.result({}, 'sim/disconnect', { session: 1 })
    m.result({ as: 'maker', session: 1 }, 'private/enable_cancel_on_disconnect')
    m.result({ as: 'maker', session: 1 }, 'private/buy', order(3950))
    // The order that the old stop becomes belongs to no connection either.
    m.result({}, 'sim/set_index', { index_name: 'eth_usd', price: 3890 })
    expect(m.result({}, 'sim/disconnect', { session: 1 })).toEqual({ cancelled: 1 })
  })

  test('any request restarts the timer, also one without an account (R13)', () => {
    const m = desk('connection')
    m.at(9 * minutes).result({ session: 1 }, 'public/get_time')
    m.until(18 * minutes)
    expect(prices(m, 'maker')).toHaveLength(5)
  })

  test('a gateway accepts only its own messages, and only for its own portfolio (8.2)', () => {
    const m = member()
    const buy = 'private/buy'
    expect(m.refusal({ as: 'taker', session: 7 }, buy, order(3990))).toBe('-32601 Method not found')
    expect(m.refusal({ as: 'maker', session: 7 }, buy, order(3990))).toBe('-32601 Method not found')
    expect(m.refusal({ as: 'maker', session: 7 }, 'private/get_open_orders')).toBe('-32601 Method not found')
    m.result({}, 'sim/connect', {
      ...{ session: 8, type: 'rest_gateway', account: 'maker', gateway: 'ETH_A' },
    })
    expect(m.refusal({ as: 'maker', session: 8 }, buy, order(3990))).toBe('-32601 Method not found')
    expect(m.result({ as: 'maker', session: 8 }, 'private/cancel_all')).toBe(0)
  })

  test('a message over an ended session does not open one, and the session can be opened again', () => {
    const m = member()
    m.result({}, 'sim/disconnect', { session: 7 })
    const params = {
      client_order_id: '1',
      instrument_name: future,
      side: 'buy',
      amount: 1,
      price: 1,
    }
    m.ask({ as: 'maker', session: 7 }, 'sim/direct/new_order', params)
    const gateway = { type: 'direct_access', account: 'maker', gateway: 'ETH_A' }
    expect(m.result({}, 'sim/connect', { ...gateway, session: 7 })).toBe('ok')
  })
})

describe('private/logout', () => {
  test('closes the connection and cancels nothing (S177, S276)', () => {
    const m = desk('connection')
    expect(m.result({ as: 'maker', session: 1 }, 'private/logout')).toBeNull()
    expect(prices(m, 'maker')).toHaveLength(5)
    expect(m.eventsOf('session').at(-1)).toMatchObject({ how: 'logout' })
    expect(m.refusal({}, 'sim/disconnect', { session: 1 })).toBe('-32602 Invalid params')
  })

  test('over HTTP the request is refused, because there is no connection (S273, S007)', () => {
    const m = desk('connection')
    const websocket = '10030 must_be_websocket_request'
    expect(m.refusal('maker', 'private/logout')).toBe(websocket)
    expect(m.refusal('maker', 'private/enable_cancel_on_disconnect')).toBe(websocket)
    expect(m.refusal('maker', 'private/disable_cancel_on_disconnect')).toBe(websocket)
  })
})

describe('sim/connect', () => {
  const member = (): TimedDesk => {
    const m = new TimedDesk({})
    m.result({}, 'sim/set_permissions', { account: 'maker', member: true })
    return m
  }
  const direct = { session: 7, type: 'direct_access', account: 'maker', gateway: 'ETH_A' }

  test.each<[string, RequestParams]>([
    ['no number', { session: 0 }],
    ['a kind that there is not', { session: 1, type: 'fix' }],
    ['direct access of nobody', { ...direct, account: 'nobody' }],
    ['direct access without an account', { session: 7, type: 'direct_access', gateway: 'ETH_A' }],
    ['direct access without a gateway', { ...direct, gateway: 'ETH_C' }],
    ['an account that is of no Member', { ...direct, account: 'taker' }],
    ['a schema version that is not served (S326)', { ...direct, schema_version: 20 }],
    ['one too old', { ...direct, schema_version: 8 }],
    ['a WebSocket on a gateway', { session: 1, gateway: 'ETH_A' }],
  ])('refuses %s', (_name, params) => {
    expect(member().refusal({}, 'sim/connect', params)).toBe('-32602 Invalid params')
  })

  test('a number opens once; a second session of a portfolio on a gateway replaces the first (S284)', () => {
    const m = member()
    m.result({}, 'sim/connect', { ...direct, cancel_on_disconnect: true, schema_version: 13 })
    expect(m.refusal({}, 'sim/connect', { session: 7 })).toBe('-32602 Invalid params')
    m.result({}, 'sim/connect', { ...direct, session: 8 })
    m.result({}, 'sim/connect', { ...direct, session: 9, gateway: 'ETH_B' })
    expect(m.eventsOf('session').map(({ change, session, how }) => [change, session, how])).toEqual([
      ['opened', 7, null],
      ['closed', 7, 'displaced'],
      ['opened', 8, null],
      ['opened', 9, null],
    ])
  })

  test('before version 13 a logon has no cancel-on-disconnect (R60, S327)', () => {
    const m = member()
    m.result({}, 'sim/connect', { ...direct, cancel_on_disconnect: true, schema_version: 12 })
    m.result({}, 'sim/connect', {
      ...direct,
      gateway: 'ETH_B',
      session: 8,
      cancel_on_disconnect: true,
      schema_version: 13,
    })
    expect(m.eventsOf('session').map(({ cancelOnDisconnect }) => cancelOnDisconnect)).toEqual([false, true])
  })
})
