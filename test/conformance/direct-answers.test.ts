/**
 * Fields that all answers of direct access have: times, execution numbers, and the correlation ids of requests.
 * Source: sessions-blocks-gateways.md 8.5, 8.6, 8.8, 8.9, 8.13.
 */
import { describe, expect, test } from 'vitest'
import type { Json } from '../support/desk-market.ts'
import { type DirectMarket, directMarket, future, perpetual, rejectOf } from '../support/direct-market.ts'

const cancel = 'sim/direct/cancel_order'
const mmpGroup = {
  ...{ index_name: 'eth_usd', interval: 10, frozen_time: 0, quantity_limit: 1 },
  max_quote_quantity: 100,
}

function reported(m: DirectMarket, session: number): readonly Json[] {
  return m.result(null, 'sim/get_session_messages', { session })
}

describe('direct.answers', () => {
  test('an answer repeats the correlation id of its request, with times in nanoseconds and an execution number', () => {
    const m = directMarket()
    const placed = m.place('alice', 1, { correlation_id: '9007199254740993' })
    const now = 1_767_603_600_000_000_000 + 8_000_000 - 1_000_000
    expect(placed).toMatchObject({
      correlation_id: '9007199254740993',
      timestamp_ns: expect.any(Number),
      receive_time_ns: placed.timestamp_ns,
    })
    expect(`${placed.timestamp_ns}`).toMatch(/000000$/)
    expect(Math.abs(placed.timestamp_ns - now)).toBeLessThan(1_000_000_000)
    expect(m.place('alice', 2)).not.toHaveProperty('correlation_id')
    const amend = { client_order_id: 1, amount: 900, correlation_id: -7 }
    const amended = m.result('alice', 'sim/direct/amend_order', amend, 1)
    expect(amended).toMatchObject({ correlation_id: '-7' })
    expect(amended.exec_id).toBeGreaterThan(placed.exec_id)
    const ended = m.result('alice', cancel, { client_order_id: 1, correlation_id: 3 }, 1)
    expect(ended).toMatchObject({ message: 'CancelOrderResponse', correlation_id: '3' })
    const all = { currency_pair: 'eth_usd', correlation_id: 4 }
    expect(m.result('alice', 'sim/direct/mass_cancel', all, 1)).toMatchObject({
      correlation_id: '4',
      exec_id: expect.any(Number),
      total_order_count: 1,
    })
  })

  test('numbers given by clients have 64 bits', () => {
    const m = directMarket()
    const least = `${-(2n ** 63n)}`
    const most = `${2n ** 63n - 1n}`
    expect(m.place('alice', 1, { correlation_id: most })).toMatchObject({ correlation_id: most })
    expect(m.place('alice', 2, { client_order_id: least }).client_order_id).toBe(least)
    const unread = '4 INVALID_FIELD_VALUE Reject'
    for (const wide of [`${2n ** 63n}`, `${-(2n ** 63n) - 1n}`, '9999999999999999999', '7x', '']) {
      expect(m.refusal('alice', 3, { correlation_id: wide })).toBe(unread)
      expect(m.refusal('alice', 3, { client_order_id: wide })).toBe(unread)
      const quote = { instrument_name: perpetual, bid_price: 2970, bid_amount: 1000 }
      const params = { quote_id: wide, mmp_group_id: 1, quotes: [quote] }
      const error = m.error('alice', 'sim/direct/mass_quote', params, 1)
      expect(rejectOf(error)).toBe(unread)
    }
  })

  test('answers to status requests show neither an execution number nor a time of arrival (8.6)', () => {
    const m = directMarket()
    m.result('alice', 'private/set_mmp_config', mmpGroup)
    const asked = { currency_pair: 'eth_usd', correlation_id: 5 }
    const status = m.result('alice', 'sim/direct/get_orders_mmp_status', asked, 1)
    expect(Object.keys(status).toSorted()).toEqual([
      'correlation_id',
      'currency_pair',
      'frozen_until_time',
      'is_frozen',
      'message',
      'timestamp_ns',
    ])
    const wrong = { currency_pair: 'btc_usd', correlation_id: 6 }
    const { data } = m.error('alice', 'sim/direct/get_orders_mmp_status', wrong, 1)
    expect(data).toMatchObject({ reject: 'OrdersMmpStatusReject', correlation_id: '6' })
    expect(data).not.toHaveProperty('exec_id')
  })

  test('a reject repeats correlation id and names of its request; Reject, for unreadable requests, does not', () => {
    const m = directMarket()
    const order = { side: 'buy', amount: 1000, price: 2970, client_order_id: 1, correlation_id: 8 }
    const unknown = { ...order, instrument_name: 'ETH-NOTHING' }
    expect(m.error('alice', 'sim/direct/new_order', unknown, 1).data).toMatchObject({
      ...{ reject: 'NewOrderReject', correlation_id: '8', client_order_id: '1' },
      ...{ exec_id: expect.any(Number), timestamp_ns: expect.any(Number) },
      instrument_name: 'ETH-NOTHING',
    })
    const byId = { order_id: 99, correlation_id: 9 }
    expect(m.error('alice', 'sim/direct/cancel_order_by_id', byId, 1).data).toMatchObject({
      ...{ reject: 'CancelOrderReject', order_id: '99', correlation_id: '9' },
    })
    const unread = m.error('alice', 'sim/direct/new_order', { ...unknown, side: 'both' }, 1)
    expect(unread.data).toEqual({ reason: expect.any(String), reject: 'Reject' })
  })

  test('S324 the message of a released order repeats the correlation id of its request, also after a snapshot', () => {
    const m = directMarket()
    m.place('alice', 1, { instrument_name: future })
    m.place('bob', 7, { instrument_name: future, side: 'sell', correlation_id: 77 })
    m.reopen()
    m.venue.wait('10ms')
    const [placed] = reported(m, 2)
    expect(placed).toMatchObject({ message: 'OrderPlaced', correlation_id: '77' })
    const [filled] = reported(m, 1)
    expect(filled).toMatchObject({ message: 'OrderFilled' })
    expect(filled.timestamp_ns).toBe(placed.timestamp_ns)
    // The message of the release comes before that of the match.
    expect(filled.exec_id).toBeGreaterThan(placed.exec_id)
    expect(filled).not.toHaveProperty('correlation_id')
  })

  test('the confirmation of a cancel that waited has the correlation id and arrival of its request (8.8)', () => {
    const m = directMarket()
    m.connect(3, { account: 'bob', gateway: 'ETH_B' })
    m.place('alice', 1, { instrument_name: future })
    m.place('bob', 7, { instrument_name: future, side: 'sell', correlation_id: 77 })
    m.result('alice', cancel, { client_order_id: 1 }, 1)
    const asked = { client_order_id: 7, correlation_id: 78 }
    const reject = m.error('bob', cancel, asked, 3)
    expect(rejectOf(reject)).toBe('8 SPEED_BUMP_CONVERTED_TO_IOC CancelOrderReject')
    expect(reject.data).toMatchObject({ correlation_id: '78', client_order_id: '7' })
    m.venue.wait('10ms')
    const [confirmed] = reported(m, 3)
    expect(confirmed).toMatchObject({
      ...{ message: 'CancelOrderResponse', correlation_id: '78' },
      receive_time_ns: reject.data?.timestamp_ns,
    })
    expect(confirmed.timestamp_ns).toBeGreaterThan(confirmed.receive_time_ns)
  })

  test('an amend over another session is reported to the order’s session with the amend’s correlation id', () => {
    const m = directMarket()
    m.connect(3, { account: 'alice', gateway: 'ETH_B' })
    m.place('alice', 1, { correlation_id: 1 })
    const amend = { client_order_id: 1, amount: 500, correlation_id: 2 }
    const answer = m.result('alice', 'sim/direct/amend_order', amend, 3)
    expect(reported(m, 1)).toMatchObject([
      {
        ...{ message: 'AmendOrderResponse', correlation_id: '2' },
        ...{ exec_id: answer.exec_id, receive_time_ns: answer.receive_time_ns },
      },
    ])
  })

  test('S325 the end of a freeze has the correlation id of the request that reset it, and no other (8.9)', () => {
    for (const resets of [true, false]) {
      const m = directMarket()
      m.result('alice', 'private/set_mmp_config', mmpGroup)
      m.place('alice', 1, { amount: 4000, flags: ['mmp'] })
      m.place('bob', 1, { side: 'sell', amount: 4000 })
      m.venue.wait('2s')
      if (resets) m.place('alice', 2, { flags: ['mmp', 'reset_mmp'], correlation_id: 12 })
      else m.result('alice', 'private/reset_mmp', { index_name: 'eth_usd' })
      const thawed = reported(m, 1).find(({ message }) => message === 'OrdersMmpUnfrozen')
      expect(thawed).toMatchObject({ template: 326, exec_id: expect.any(Number) })
      expect(thawed?.correlation_id).toBe(resets ? '12' : undefined)
    }
  })
})
