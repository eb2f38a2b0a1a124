/**
 * sim/set_public_methods and the channel `platform_state.public_methods_state`: public methods that need a token.
 * Source: sessions document 3.4.
 */
import { expect, test } from 'vitest'
import { audit, auditCopy } from '../../src/engine/index.ts'
import { deskMarket } from '../support/desk-market.ts'
import { messagesOf } from '../support/reported-channels.ts'

const channel = 'platform_state.public_methods_state'

test('while they are closed, who shows no token is refused but for his connection', () => {
  const m = deskMarket()
  const ticker = { instrument_name: 'BTC-PERPETUAL' }
  m.result(null, 'sim/set_public_methods', { allow_unauthenticated: false })
  expect(m.refusal(null, 'public/ticker', ticker)).toContain('13009')
  expect(m.result('alice', 'public/ticker', ticker)).toMatchObject(ticker)
  for (const method of ['test', 'get_time', 'status']) m.result(null, `public/${method}`)
  const { exchange } = m.venue
  audit(exchange)
  // A copy is closed too.
  auditCopy(exchange)
  expect(m.refusal(null, 'sim/set_public_methods')).toContain('allow_unauthenticated')
  m.result(null, 'sim/set_public_methods', { allow_unauthenticated: true })
  m.result(null, 'public/ticker', ticker)
})

test('S285 the channel sends each change, and nothing if nothing changes', () => {
  const reported = messagesOf([[null, channel]], ({ ask }) => {
    for (const allow of [true, false, false, true]) {
      ask(null, 'sim/set_public_methods', { allow_unauthenticated: allow })
    }
  })
  const key = 'allow_unauthenticated_public_requests'
  expect(reported.map(({ data }) => data)).toEqual([{ [key]: false }, { [key]: true }])
  expect(() => messagesOf([[null, `${channel}.x`]], () => undefined)).toThrow(`${channel}.x`)
})
