/**
 * sim/set_public_methods and the channel `platform_state.public_methods_state`: public methods that need a token.
 * Source: sessions document 3.4.
 */
import { expect, test } from 'vitest'
import { micros } from '../../src/core/index.ts'
import { audit, auditCopy } from '../../src/engine/index.ts'
import { defaultConfig, type Event } from '../../src/model/index.ts'
import { Venue } from '../../src/program/index.ts'
import { ChannelHub, createDesk, ownMethods } from '../../src/rpc/index.ts'
import { deskMarket } from '../support/desk-market.ts'

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

test('S285 the channel tells each change, and none that is none', () => {
  let hub: ChannelHub | undefined
  const watch = { emit: (event: Event): void => hub?.events.emit(event) }
  const config = defaultConfig(micros(1_767_603_600_000_000))
  const venue = new Venue(
    createDesk({ config, controls: true, methods: ownMethods, watch }, { emit: () => undefined }),
  )
  hub = new ChannelHub(venue.desk)
  const told: unknown[] = []
  const send = (text: string): number => told.push(JSON.parse(text).params.data)
  const nobody = { link: 1, account: -1 as const, allows: () => false, send }
  expect(hub.subscribe(nobody, channel, null)).toBe(true)
  expect(hub.subscribe(nobody, `${channel}.x`, null)).toBe(false)
  for (const allow of [true, false, false, true]) {
    venue.request('sim/set_public_methods', { allow_unauthenticated: allow })
    hub.flush()
  }
  const key = 'allow_unauthenticated_public_requests'
  expect(told).toEqual([{ [key]: false }, { [key]: true }])
})
