/**
 * Sessions of direct access begin and end: logon with a credential, sequence numbers, and the messages to the client.
 * Source: sessions-blocks-gateways.md 8.2, 8.4, 8.10, 8.13.
 */
import { describe, expect, test } from 'vitest'
import type { RequestParams } from '../../src/rpc/index.ts'
import type { Json } from '../support/desk-market.ts'
import { type DirectMarket, directMarket, perpetual } from '../support/direct-market.ts'

const cancel = 'sim/direct/cancel_order'

function layer(m: DirectMarket, session: number): readonly Json[] {
  return m.result(null, 'sim/get_session_messages', { session, layer: 'session' })
}

function ended(m: DirectMarket, session: number): string | undefined {
  return layer(m, session).find(({ message }) => message === 'LoggedOut')?.reason
}

/** A market in which alice has a credential. */
function market(): DirectMarket {
  const m = directMarket()
  m.result(null, 'sim/direct/set_credential', { account: 'alice', client_id: 'A1', secret: 's3' })
  return m
}

function logonOf(params: RequestParams = {}): RequestParams {
  const usual = { session: 5, gateway: 'ETH_B', client_id: 'A1', secret: 's3' }
  return { ...usual, schema_version: 19, ...params }
}

describe('direct.logon', () => {
  test('S284 S289 S326 a credential opens a session, and from version 12 on the answer shows the version', () => {
    const m = market()
    expect(m.result(null, 'sim/direct/logon', logonOf())).toEqual({
      ...{ message: 'LogonResponse', template: 2, heartbeat_interval_seconds: 5 },
      ...{ schema_version: 19, timestamp_ns: expect.any(Number) },
    })
    const old = m.result(null, 'sim/direct/logon', logonOf({ session: 6, schema_version: 11 }))
    expect(old).not.toHaveProperty('schema_version')
    const unnamed = { session: 7, gateway: 'ETH_A', client_id: 'A1', secret: 's3' }
    expect(m.result(null, 'sim/direct/logon', unnamed)).not.toHaveProperty('schema_version')
    const order = { client_order_id: 1, instrument_name: perpetual, side: 'buy', amount: 1000 }
    m.result('alice', 'sim/direct/new_order', { ...order, price: 2970 }, 6)
  })

  test('S326 a refused logon is answered with LoggedOut and its reason, and opens no session', () => {
    const m = market()
    const account = { account: 'carol', client_id: 'C1', secret: 'c' }
    m.result(null, 'sim/direct/set_credential', account)
    for (const [params, reason] of [
      [{ secret: 's4' }, 'bad credentials'],
      [{ client_id: 'A2' }, 'bad credentials'],
      [{ schema_version: 8 }, 'unsupported schema version'],
      [{ schema_version: 20 }, 'unsupported schema version'],
      [{ client_id: 'C1', secret: 'c' }, 'direct access requires the portfolio of a Member'],
    ] as const) {
      expect(m.error(null, 'sim/direct/logon', logonOf(params))).toMatchObject({
        ...{ code: -32602, message: reason, data: { reject: 'LoggedOut' } },
      })
    }
    const unknown = m.error(null, 'sim/get_session_messages', { session: 5, layer: 'session' })
    expect(unknown.data?.param).toBe('session')
  })

  test('both answers are messages of the session, and LoggedOut gives the reason whichever side ended it', () => {
    const m = market()
    for (const [how, reason] of [
      ['sim/logout', 'logout'],
      ['sim/disconnect', 'disconnect'],
      ['sim/heartbeat_failure', 'heartbeat failure'],
    ] as const) {
      const session = 10 + reason.length
      m.result(null, 'sim/direct/logon', logonOf({ session }))
      m.result(null, how, { session })
      expect(layer(m, session)).toMatchObject([
        { sequence: 1, message: 'LogonResponse', template: 2, schema_version: 19 },
        { sequence: 2, message: 'LoggedOut', template: 5, reason },
      ])
    }
    m.result(null, 'sim/direct/logon', logonOf({ session: 40 }))
    m.result(null, 'sim/direct/logon', logonOf({ session: 41 }))
    expect([ended(m, 40), ended(m, 41)]).toEqual(['displaced', undefined])
    // Messages after a sequence number continue with the next number.
    const since = { session: 40, layer: 'session', since: 1 }
    expect(m.result(null, 'sim/get_session_messages', since)).toMatchObject([{ sequence: 2 }])
    // Messages about orders have separate sequence numbers.
    expect(m.result(null, 'sim/get_session_messages', { session: 40 })).toEqual([])
  })

  test('a logout is answered with LoggedOut, and flagged orders are cancelled (8.10)', () => {
    const m = market()
    m.result(null, 'sim/direct/logon', logonOf({ cancel_on_disconnect: true }))
    const order = { client_order_id: 1, instrument_name: perpetual, side: 'buy', amount: 1000 }
    m.result('alice', 'sim/direct/new_order', { ...order, price: 2970 }, 5)
    expect(m.result('alice', 'sim/direct/logout', { reason: 'done' }, 5)).toMatchObject({
      ...{ message: 'LoggedOut', template: 5, reason: 'done' },
    })
    expect(ended(m, 5)).toBe('done')
    expect(m.result(null, 'sim/get_session_messages', { session: 5 })).toMatchObject([
      { message: 'OrdersCanceled', orders: [{ cancel_reason: { name: 'CLIENT_DISCONNECT' } }] },
    ])
    expect(m.error('alice', 'sim/direct/logout', {}, 5).data?.param).toBe('session')
    expect(m.error('alice', 'sim/direct/logout').data?.param).toBe('session')
  })

  test('a credential belongs to one portfolio, which has at most eight', () => {
    const m = market()
    const set = 'sim/direct/set_credential'
    const taken = { account: 'bob', client_id: 'A1', secret: 'x' }
    expect(m.error(null, set, taken).data?.detail).toContain('no other portfolio')
    for (let n = 2; n <= 8; n += 1) {
      m.result(null, set, { account: 'alice', client_id: `A${n}`, secret: 'x' })
    }
    const ninth = { account: 'alice', client_id: 'A9', secret: 'x' }
    expect(m.error(null, set, ninth).data?.detail).toContain('at most 8')
    m.result(null, set, { account: 'alice', client_id: 'A1', secret: 'new' })
    m.result(null, 'sim/direct/logon', logonOf({ secret: 'new' }))
    expect(m.error(null, set, { ...ninth, account: 'nobody' }).data?.param).toBe('account')
    expect(m.error(null, set, { ...ninth, client_id: 'a name too long for it' }).data?.param).toBe('client_id')
  })
})

describe('direct.sequence', () => {
  const order = { instrument_name: perpetual, side: 'buy', amount: 1000, price: 2970 }

  /** Places an order with a sequence number over a session of alice. */
  function place(m: DirectMarket, sequence_number: number, session = 5): Json {
    const params = { client_order_id: 100 + sequence_number, ...order, sequence_number }
    return m.ask('alice', 'sim/direct/new_order', params, session)
  }

  test('a sequence number other than the next one ends the session and does nothing more', () => {
    for (const [number, reason] of [
      [1, 'sequence too low'],
      [4, 'sequence gap'],
    ] as const) {
      const m = market()
      m.result(null, 'sim/direct/logon', logonOf())
      place(m, 1)
      // A message without a sequence number is not counted; a refused one is.
      m.result('alice', 'sim/direct/new_order', { client_order_id: 1, ...order }, 5)
      expect(place(m, 2, 5).ok).toBe(true)
      const found = place(m, number)
      expect(found).toMatchObject({
        ...{ ok: false, error: { message: reason, data: { reject: 'LoggedOut' } } },
      })
      expect(ended(m, 5)).toBe(reason)
      expect(m.result('alice', 'private/get_position', { instrument_name: perpetual }).size).toBe(0)
      expect(place(m, 3).error.data.param).toBe('session')
    }
  })

  test('sequence numbers continue over sessions of a portfolio on a gateway until a logon resets them', () => {
    const m = market()
    m.result(null, 'sim/direct/logon', logonOf())
    place(m, 1)
    m.result('alice', 'sim/direct/logout', {}, 5)
    m.result(null, 'sim/direct/logon', logonOf({ session: 6 }))
    expect(place(m, 2, 6).ok).toBe(true)
    // A refused message is counted.
    const twice = { client_order_id: 102, ...order, sequence_number: 3 }
    expect(m.error('alice', 'sim/direct/new_order', twice, 6).code).toBe(4)
    m.reopen()
    m.result(null, 'sim/direct/logon', logonOf({ session: 7, reset_sequence: true }))
    expect(ended(m, 6)).toBe('displaced')
    const first = { client_order_id: 102, sequence_number: 1 }
    expect(m.result('alice', cancel, first, 7)).toMatchObject({ client_order_id: '102' })
    // The other gateway has separate sequence numbers.
    const other = { client_order_id: 999, ...order, sequence_number: 1 }
    expect(m.result('alice', 'sim/direct/new_order', other, 1).status).toBe('active')
  })

  test('an account can neither end the session of another account by a sequence number nor move its numbers', () => {
    const m = market()
    m.result(null, 'sim/direct/logon', logonOf())
    // A number far ahead, and the next number.
    for (const sequence_number of [9, 1]) {
      const params = { client_order_id: 1, ...order, sequence_number }
      expect(m.error('bob', 'sim/direct/new_order', params, 5).data?.param).toBe('session')
      expect(ended(m, 5)).toBeUndefined()
    }
    expect(place(m, 1).ok).toBe(true)
    m.result(null, 'sim/logout', { session: 5 })
    expect(place(m, 2).error.data.param).toBe('session')
    m.result(null, 'sim/direct/logon', logonOf({ session: 6 }))
    expect(place(m, 2, 6).ok).toBe(true)
  })

  test('an unreadable message uses its sequence number, and ends the session if that is wrong', () => {
    const m = market()
    m.result(null, 'sim/direct/logon', logonOf())
    place(m, 1)
    const unread = { client_order_id: 1, ...order, side: 'up' }
    const reject = { code: 4, data: { reject: 'Reject' } }
    const second = { ...unread, sequence_number: 2 }
    expect(m.error('alice', 'sim/direct/new_order', second, 5)).toMatchObject(reject)
    expect(place(m, 3).ok).toBe(true)
    // A malformed sequence number is not counted.
    const none = { client_order_id: 1, ...order, sequence_number: 'four' }
    expect(m.error('alice', 'sim/direct/new_order', none, 5)).toMatchObject(reject)
    const sixth = { ...unread, sequence_number: 6 }
    expect(m.error('alice', 'sim/direct/new_order', sixth, 5).message).toBe('sequence gap')
    expect(ended(m, 5)).toBe('sequence gap')
  })

  test('a logout uses its sequence number, and still ends the session if that is wrong', () => {
    const m = market()
    m.result(null, 'sim/direct/logon', logonOf())
    const logout = 'sim/direct/logout'
    // Another account can neither log the session out nor use its sequence number.
    expect(m.error('bob', logout, { sequence_number: 1 }, 5).data?.param).toBe('session')
    expect(ended(m, 5)).toBeUndefined()
    m.result('alice', logout, { sequence_number: 1 }, 5)
    expect(ended(m, 5)).toBe('logout')
    m.result(null, 'sim/direct/logon', logonOf({ session: 6 }))
    expect(place(m, 2, 6).ok).toBe(true)
    const late = { sequence_number: 7, reason: 'done' }
    expect(m.error('alice', logout, late, 6)).toMatchObject({
      ...{ message: 'sequence gap', data: { reject: 'LoggedOut' } },
    })
    expect(ended(m, 6)).toBe('sequence gap')
  })

  test('messages during maintenance use their sequence numbers too, and a wrong one ends the session', () => {
    const m = market()
    m.result(null, 'sim/direct/logon', logonOf())
    m.result(null, 'sim/set_maintenance', { active: true })
    expect(place(m, 1).ok).toBe(false)
    expect(ended(m, 5)).toBeUndefined()
    m.result(null, 'sim/set_maintenance', { active: false })
    expect(place(m, 2).ok).toBe(true)
    m.result(null, 'sim/set_maintenance', { active: true })
    expect(place(m, 2).error.message).toBe('sequence too low')
    expect(ended(m, 5)).toBe('sequence too low')
  })
})
