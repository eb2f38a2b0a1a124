/**
 * Heartbeats of direct access, and the resending of messages.
 * Source: sessions-blocks-gateways.md 8.4, 8.10.
 */
import { describe, expect, test } from 'vitest'
import type { VenueOptions } from '../../src/program/index.ts'
import type { RequestParams } from '../../src/rpc/index.ts'
import type { Json } from '../support/desk-market.ts'
import { type DirectMarket, directMarket, perpetual } from '../support/direct-market.ts'

const logon = 'sim/direct/logon'
const resend = 'sim/direct/resend_request'

/** A market in which alice is logged on with session 5. */
function market(params: RequestParams = {}, options: Partial<VenueOptions> = {}): DirectMarket {
  const m = directMarket(options)
  m.result(null, 'sim/direct/set_credential', { account: 'alice', client_id: 'A', secret: 's' })
  const usual = { session: 5, gateway: 'ETH_B', client_id: 'A', secret: 's', schema_version: 19 }
  m.result(null, logon, { ...usual, ...params })
  return m
}

function ended(m: DirectMarket, session = 5): string | undefined {
  const layer: readonly Json[] = m.result(null, 'sim/get_session_messages', {
    ...{ session, layer: 'session' },
  })
  return layer.find(({ message }) => message === 'LoggedOut')?.reason
}

function place(m: DirectMarket, client_order_id: number, params: RequestParams = {}): void {
  const order = { instrument_name: perpetual, side: 'buy', amount: 100, price: 2970 }
  m.result('alice', 'sim/direct/new_order', { client_order_id, ...order, ...params }, 5)
}

describe('direct.heartbeat', () => {
  test('five seconds of silence end the session and cancel its flagged orders, if its logon requested that', () => {
    const m = market({ heartbeats: true })
    place(m, 1, { flags: ['cancel_on_disconnect'] })
    place(m, 2)
    m.venue.wait('4999ms')
    expect(ended(m)).toBeUndefined()
    m.venue.wait('1ms')
    expect(ended(m)).toBe('heartbeat failure')
    expect(m.result(null, 'sim/get_session_messages', { session: 5 })).toMatchObject([
      { orders: [{ client_order_id: '1', cancel_reason: { name: 'CLIENT_DISCONNECT' } }] },
    ])
    expect(m.error('alice', 'sim/direct/heartbeat', {}, 5).data?.param).toBe('session')
    // The client logs on again with the old session number: the refused logon opened nothing.
    m.result(null, logon, {
      ...{ session: 5, gateway: 'ETH_B', client_id: 'A', secret: 's', schema_version: 19 },
    })
    const silent = market()
    silent.venue.wait('1m')
    expect(ended(silent)).toBeUndefined()
  })

  test('each request counts as a heartbeat, also after a snapshot; a test request is answered with its number', () => {
    const m = market({ heartbeats: true })
    for (let round = 1; round <= 4; round += 1) {
      m.venue.wait('4s')
      if (round === 2) m.reopen()
      const asked = { correlation_id: round, sequence_number: round }
      if (round % 2 === 0) expect(m.result('alice', 'sim/direct/heartbeat', asked, 5)).toBe('ok')
      else {
        expect(m.result('alice', 'sim/direct/test_request', asked, 5)).toEqual({
          ...{ message: 'Heartbeat', template: 10, correlation_id: `${round}` },
          timestamp_ns: expect.any(Number),
        })
      }
    }
    expect(ended(m)).toBeUndefined()
    // A sequence number other than the next one ends the session here too.
    const lost = m.error('alice', 'sim/direct/test_request', { sequence_number: 9 }, 5)
    expect(lost.message).toBe('sequence gap')
    expect(m.error('bob', 'sim/direct/test_request', {}, 5).data?.param).toBe('session')
    expect(m.error('alice', 'sim/direct/test_request').data?.param).toBe('session')
  })
})

describe('direct.resend', () => {
  /** Makes fills of alice over session 5, each of which sends a message. */
  function fill(m: DirectMarket, count: number): readonly Json[] {
    for (let id = 1; id <= count; id += 1) {
      place(m, id)
      m.place('bob', id, { side: 'sell', amount: 100 })
    }
    return m.result(null, 'sim/get_session_messages', { session: 5 })
  }

  function again(m: DirectMarket, params: RequestParams, session = 5): readonly Json[] {
    return m.result('alice', resend, params, session)
  }

  test('a resend repeats messages unchanged by their sequence numbers, over a later session too', () => {
    const m = market()
    const reported = fill(m, 4)
    expect(reported).toHaveLength(4)
    expect(again(m, { from: 1 })).toEqual(reported)
    expect(again(m, { from: 2, to: 3 })).toEqual(reported.slice(1, 3))
    expect(again(m, { from: 4, to: 99 })).toEqual(reported.slice(3))
    expect(again(m, { from: 5 })).toEqual([])
    m.result('alice', 'sim/direct/logout', {}, 5)
    m.connect(6, { account: 'alice', gateway: 'ETH_B' })
    expect(again(m, { from: 3, of: 5 }, 6)).toEqual(reported.slice(2))
    expect(again(m, { from: 1 }, 6)).toEqual([])
    // Session 1 is on another gateway; session 2 belongs to another portfolio.
    for (const of of [1, 2, 77]) {
      expect(m.error('alice', resend, { from: 1, of }, 6).data).toMatchObject({
        ...{ param: 'of', detail: 'expected a session of the portfolio on this gateway' },
      })
    }
    for (const wrong of [{}, { from: 0 }, { from: 1, to: -1 }]) {
      expect(m.error('alice', resend, wrong, 6).code).toBe(-32602)
    }
  })

  test('a GapFill replaces messages that are no longer kept, and those of the day before', () => {
    const m = market({}, { config: { historyLimits: { messages: 2 } } })
    const kept = fill(m, 5)
    const [{ sequence: first }] = kept
    expect(first).toBeGreaterThan(1)
    expect(again(m, { from: 1 })).toEqual([
      { message: 'GapFill', template: 21, sequence: 1, new_sequence_number: first },
      ...kept,
    ])
    expect(again(m, { from: 1, to: 1 })).toEqual([
      { message: 'GapFill', template: 21, sequence: 1, new_sequence_number: 2 },
    ])
    m.reopen()
    m.venue.wait('24h')
    expect(again(m, { from: first })).toEqual([
      { message: 'GapFill', template: 21, sequence: first, new_sequence_number: 6 },
    ])
  })
})
