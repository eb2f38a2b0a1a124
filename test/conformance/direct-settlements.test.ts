/**
 * Orders of direct access that are good for a given number of settlements.
 * Source: sessions-blocks-gateways.md 8.5; trading.md 6.3 (C21).
 */
import { describe, expect, test } from 'vitest'
import type { Json } from '../support/desk-market.ts'
import { type DirectMarket, directMarket, future, perpetual } from '../support/direct-market.ts'

function open(m: DirectMarket): readonly string[] {
  return m.result('alice', 'private/get_open_orders', {}, 9).map(({ order_id }: Json) => order_id)
}

/** A market in which session 9 is the REST interface of alice, and orders are good for 1, 2 and 3 settlements. */
function market(): DirectMarket {
  const m = directMarket()
  m.result(null, 'sim/connect', {
    ...{ session: 9, type: 'rest_gateway', account: 'alice', gateway: 'ETH_A' },
  })
  for (const settlements of [1, 2, 3]) m.place('alice', settlements, { time_in_force: settlements })
  m.place('alice', 4, { time_in_force: 'GTC' })
  return m
}

describe('direct.good-for-settlements', () => {
  test('the last of its settlements ends an order, at 08:00 after as many days', () => {
    const m = market()
    expect(open(m)).toHaveLength(4)
    for (const [day, left] of [
      [6, 3],
      [7, 2],
      [8, 1],
      [9, 1],
    ] as const) {
      m.venue.at(`2026-01-0${day}T07:59:59Z`)
      expect(open(m)).toHaveLength(Math.min(left + 1, day === 9 ? 1 : 4))
      m.venue.at(`2026-01-0${day}T08:00:01Z`)
      expect(open(m)).toHaveLength(left)
    }
    const reported: readonly Json[] = m.result(null, 'sim/get_session_messages', { session: 1 })
    expect(reported.map(({ orders: [order] }) => order)).toMatchObject([
      { client_order_id: '1', cancel_reason: { code: 10, name: 'SETTLEMENT' } },
      { client_order_id: '2', cancel_reason: { code: 10, name: 'SETTLEMENT' } },
      { client_order_id: '3', cancel_reason: { code: 10, name: 'SETTLEMENT' } },
    ])
  })

  test('a manual settlement counts as one, and several on one day count once', () => {
    const m = market()
    const settle = (state: string): void =>
      m.result(null, 'sim/set_instrument_state', { instrument_name: perpetual, state })
    settle('settlement')
    expect(open(m)).toHaveLength(3)
    settle('open')
    settle('settlement')
    settle('open')
    expect(open(m)).toHaveLength(3)
    m.venue.at('2026-01-06T08:00:01Z')
    expect(open(m)).toHaveLength(2)
  })

  test('an order waiting behind the speed bump counts settlements too, and a snapshot keeps the count', () => {
    const m = market()
    m.place('alice', 5, { instrument_name: future, time_in_force: 2 })
    m.venue.at('2026-01-06T07:59:59.995Z')
    m.place('bob', 1, { instrument_name: future, side: 'sell', amount: 400, time_in_force: 2 })
    m.venue.at('2026-01-06T08:00:01Z')
    m.reopen()
    expect(m.result('bob', 'private/get_position', { instrument_name: future }).size).toBe(-400)
    expect(open(m)).toHaveLength(4)
    m.venue.at('2026-01-07T08:00:01Z')
    expect(open(m)).toHaveLength(2)
  })

  test('a number that its message field cannot represent is refused', () => {
    const m = directMarket()
    for (const time_in_force of [0, 128, 1.5]) {
      expect(m.refusal('alice', 1, { time_in_force })).toBe('4 INVALID_FIELD_VALUE Reject')
    }
  })
})
