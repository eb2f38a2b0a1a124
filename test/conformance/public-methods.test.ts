/**
 * sim/set_public_methods and the channel `platform_state.public_methods_state`: public methods that require a token.
 * Source: sessions document 3.4.
 */
import { expect, test } from 'vitest'
import { audit, auditCopy } from '../../src/engine/index.ts'
import { deskMarket } from '../support/desk-market.ts'
import { messagesOf } from '../support/reported-channels.ts'

const channel = 'platform_state.public_methods_state'

test('while they are closed, a request without a token is refused, except methods about the connection', () => {
  const m = deskMarket()
  const ticker = { instrument_name: 'BTC-PERPETUAL' }
  m.result(null, 'sim/set_public_methods', { allow_unauthenticated: false })
  expect(m.refusal(null, 'public/ticker', ticker)).toContain('13009')
  expect(m.result('alice', 'public/ticker', ticker)).toMatchObject(ticker)
  for (const method of ['test', 'get_time', 'status']) m.result(null, `public/${method}`)
  const { exchange } = m.venue
  audit(exchange)
  // The setting is part of a copy.
  auditCopy(exchange)
  expect(m.refusal(null, 'sim/set_public_methods')).toContain('allow_unauthenticated')
  m.result(null, 'sim/set_public_methods', { allow_unauthenticated: true })
  m.result(null, 'public/ticker', ticker)
})

test('S285 the channel reports each change, and nothing if the setting stays the same', () => {
  const reported = messagesOf([[null, channel]], ({ ask }) => {
    for (const allow of [true, false, false, true]) {
      ask(null, 'sim/set_public_methods', { allow_unauthenticated: allow })
    }
  })
  const key = 'allow_unauthenticated_public_requests'
  expect(reported.map(({ data }) => data)).toEqual([{ [key]: false }, { [key]: true }])
  expect(() => messagesOf([[null, `${channel}.x`]], () => undefined)).toThrow(`${channel}.x`)
})
