/**
 * A portfolio that staff lock for direct access.
 * Source: sessions-blocks-gateways.md 8.11; coverage R61.
 */
import { describe, expect, test } from 'vitest'
import { directMarket, future, perpetual, rejectOf } from '../support/direct-market.ts'

const order = { instrument_name: perpetual, side: 'buy', price: 2970, amount: 1000 }

describe('portfolio.lock', () => {
  test('S172 S174 S248 orders and quotes of direct access are cancelled at once, those of JSON-RPC stay', () => {
    const m = directMarket()
    m.connect(5, { account: 'alice', type: 'rest_gateway' })
    m.result('alice', 'private/set_mmp_config', {
      ...{ index_name: 'eth_usd', mmp_group: 'mine', interval: 10, frozen_time: 10 },
      max_quote_quantity: 100,
    })
    const quotes = [{ instrument_name: perpetual, bid_price: 2990, bid_amount: 1000 }]
    m.result('alice', 'sim/direct/mass_quote', { quote_id: 1, mmp_group_id: 1, quotes }, 1)
    m.place('alice', 1)
    m.result('alice', 'private/buy', { instrument_name: perpetual, amount: 1000, price: 2965 })
    expect(m.result('alice', 'private/lock_portfolio', {}, 5)).toBe('ok')
    const locks = (): readonly object[] =>
      m.events.filter((event) => event.kind === 'standing' && event.protection === 'portfolio_lock')
    expect(locks()).toMatchObject([{ change: 'on', cancelled: 2 }])
    expect(m.result('alice', 'private/get_open_orders')).toHaveLength(1)
    // A second lock changes nothing.
    expect(m.result('alice', 'private/lock_portfolio', {}, 5)).toBe('ok')
    expect(locks()).toHaveLength(1)
    m.result('alice', 'private/buy', { instrument_name: perpetual, amount: 1000, price: 2965 })
    expect(m.result('alice', 'private/unlock_portfolio', {}, 5)).toBe('ok')
    expect(m.result('alice', 'private/unlock_portfolio', {}, 5)).toBe('ok')
    expect(locks()).toMatchObject([{ change: 'on' }, { change: 'off', cancelled: 0 }])
    expect(m.result('alice', 'private/get_open_orders')).toHaveLength(2)
  })

  test('S173 S298 new orders, amends and quotes are refused on every gateway, cancels are accepted (R61)', () => {
    const m = directMarket()
    m.connect(3, { account: 'alice', gateway: 'ETH_B' })
    m.place('bob', 1)
    m.result(null, 'sim/lock_portfolio', { account: 'alice' })
    for (const session of [1, 3]) {
      const error = m.error('alice', 'sim/direct/new_order', { client_order_id: 1, ...order }, session)
      expect(rejectOf(error)).toBe('26 PORTFOLIO_LOCKED NewOrderReject')
    }
    const amend = { client_order_id: 1, amount: 500 }
    expect(rejectOf(m.error('alice', 'sim/direct/amend_order', amend, 1))).toBe('26 PORTFOLIO_LOCKED AmendOrderReject')
    expect(rejectOf(m.error('alice', 'sim/direct/cancel_order', { client_order_id: 1 }, 1))).toBe(
      '1 UNKNOWN_ORDER CancelOrderReject',
    )
    // The lock applies to one portfolio.
    m.place('bob', 2)
    m.result(null, 'sim/disconnect', { session: 1 })
    m.connect(4, { account: 'alice' })
    expect(rejectOf(m.error('alice', 'sim/direct/new_order', { client_order_id: 1, ...order }, 4))).toBe(
      '26 PORTFOLIO_LOCKED NewOrderReject',
    )
  })

  test('an order that waits behind the speed bump becomes immediate-or-cancel (8.8)', () => {
    const m = directMarket()
    m.place('bob', 1, { instrument_name: future, side: 'sell', price: 3010, amount: 400 })
    expect(m.place('alice', 1, { instrument_name: future, price: 3010 })).toMatchObject({
      status: 'queued',
    })
    m.result(null, 'sim/lock_portfolio', { account: 'alice' })
    m.venue.wait('10ms')
    const reported = m.result(null, 'sim/get_session_messages', { session: 1 })
    expect(reported).toMatchObject([
      {
        ...{ message: 'OrderPlaced', status: 'canceled', filled_amount: 400 },
        cancel_reason: { code: 2, name: 'TIME_IN_FORCE' },
      },
    ])
  })

  test('an unknown or internal account cannot be locked', () => {
    const m = directMarket()
    for (const account of ['nobody', 'house.fees']) {
      expect(m.error(null, 'sim/lock_portfolio', { account })).toMatchObject({
        code: -32602,
        data: { param: 'account', reason: 'unknown_account' },
      })
    }
  })
})
