/**
 * Switches of the venue's staff: inactive gateways, disabled messages, and icebergs that may only be cancelled.
 * Source: sessions-blocks-gateways.md 8.4, 8.7, 8.14.
 */
import { describe, expect, test } from 'vitest'
import { restore, snapshot, stateHash } from '../../src/engine/index.ts'
import { type DirectMarket, directMarket, perpetual, rejectOf } from '../support/direct-market.ts'

function switches(m: DirectMarket): readonly string[] {
  return m.events.flatMap((event) =>
    event.kind === 'standing' ? [`${event.protection} ${event.group} ${event.change}`] : [],
  )
}

describe('gateway.switches', () => {
  test('S300 S307 an inactive gateway refuses every message, and sessions stay open', () => {
    const m = directMarket()
    m.connect(3, { account: 'alice', gateway: 'ETH_B' })
    m.place('alice', 1)
    m.result(null, 'sim/set_gateway_active', { gateway: 'ETH_A', active: false })
    const requests = {
      'sim/direct/new_order': {
        client_order_id: 2,
        instrument_name: perpetual,
        side: 'buy',
        amount: 1,
      },
      'sim/direct/amend_order': { client_order_id: 1, amount: 500 },
      'sim/direct/cancel_order': { client_order_id: 1 },
      'sim/direct/mass_cancel': { currency_pair: 'eth_usd' },
      'sim/direct/get_orders_mmp_status': { currency_pair: 'eth_usd' },
    }
    for (const [method, params] of Object.entries(requests)) {
      expect(rejectOf(m.error('alice', method, params, 1)), method).toBe('6 GATEWAY_NOT_ACTIVE Reject')
    }
    // The other gateway of the pair still accepts messages.
    m.result('alice', 'sim/direct/amend_order', { client_order_id: 1, amount: 500 }, 3)
    m.result(null, 'sim/set_gateway_active', { gateway: 'ETH_A', active: true })
    m.result('alice', 'sim/direct/cancel_order', { client_order_id: 1 }, 1)
    expect(switches(m).slice(-2)).toEqual(['gateway ETH_A off', 'gateway ETH_A on'])
  })

  test('S328 a session below version 14 gets MESSAGE_DISABLED from an inactive gateway', () => {
    const m = directMarket()
    m.connect(3, { account: 'alice', gateway: 'ETH_B', schema_version: 13 })
    m.result(null, 'sim/set_gateway_active', { gateway: 'ETH_B', active: false })
    const error = m.error('alice', 'sim/direct/cancel_order', { client_order_id: 1 }, 3)
    expect(rejectOf(error)).toBe('5 MESSAGE_DISABLED Reject')
  })

  test('S301 S307 a disabled message is refused, named by name or number; other messages are accepted', () => {
    const m = directMarket()
    m.place('alice', 1)
    m.result(null, 'sim/set_message_enabled', { message: 110, enabled: false })
    const amend = { client_order_id: 1, amount: 500 }
    expect(rejectOf(m.error('alice', 'sim/direct/amend_order', amend, 1))).toBe('5 MESSAGE_DISABLED Reject')
    m.place('alice', 2)
    // Setting the same state twice sends one message.
    m.result(null, 'sim/set_message_enabled', { message: 'AmendOrderRequest', enabled: false })
    m.result(null, 'sim/set_message_enabled', { message: 'AmendOrderRequest', enabled: true })
    m.result('alice', 'sim/direct/amend_order', amend, 1)
    expect(switches(m).slice(-2)).toEqual(['message AmendOrderRequest off', 'message AmendOrderRequest on'])
    expect(m.error(null, 'sim/set_message_enabled', { message: 999, enabled: true })).toMatchObject({
      code: -32602,
      data: { param: 'message', reason: 'unknown_value' },
    })
  })

  test('S299 S332 in cancel-only mode new icebergs are refused; cancels and amends that reduce are accepted', () => {
    const m = directMarket()
    m.connect(3, { account: 'alice', gateway: 'ETH_B', schema_version: 17 })
    const iceberg = { amount: 1000, show_amount: 100 }
    m.place('alice', 1, iceberg)
    m.place('alice', 2)
    m.result(null, 'sim/set_algo_cancel_only', { enabled: true })
    expect(m.refusal('alice', 3, iceberg)).toBe('31 CANCEL_ONLY NewOrderReject')
    const order = {
      client_order_id: 3,
      instrument_name: perpetual,
      side: 'buy',
      price: 2970,
      ...iceberg,
    }
    expect(rejectOf(m.error('alice', 'sim/direct/new_order', order, 3))).toBe(
      '7 NOT_ALLOWED_BY_MARKET_STATE NewOrderReject',
    )
    m.place('alice', 3)
    const amend = 'sim/direct/amend_order'
    m.result('alice', amend, { client_order_id: 1, amount: 800 }, 1)
    for (const changes of [
      { client_order_id: 1, amount: 900 },
      { client_order_id: 2, show_amount: 100 },
    ]) {
      expect(rejectOf(m.error('alice', amend, changes, 1))).toBe('31 CANCEL_ONLY AmendOrderReject')
    }
    m.result('alice', 'sim/direct/cancel_order', { client_order_id: 1 }, 1)
    const rpc = { instrument_name: perpetual, amount: 1000, price: 2970, display_amount: 100 }
    m.result('alice', 'private/buy', rpc)
    expect(switches(m).at(-1)).toBe('algo_cancel_only null on')
  })

  test('switches and limits survive a snapshot', () => {
    const m = directMarket()
    m.result(null, 'sim/set_gateway_active', { gateway: 'ETH_B', active: false })
    m.result(null, 'sim/set_message_enabled', { message: 130, enabled: false })
    m.result(null, 'sim/set_algo_cancel_only', { enabled: true })
    m.result(null, 'sim/set_risk_limits', { index_name: 'eth_usd', max_future_position: 5000 })
    m.result(null, 'sim/lock_portfolio', { account: 'alice' })
    m.place('bob', 1)
    const { exchange } = m.venue
    const again = restore(snapshot(exchange))
    expect(again.ok && stateHash(again.value)).toBe(stateHash(exchange))
    expect(again.ok && snapshot(again.value)).toEqual(snapshot(exchange))
  })
})
