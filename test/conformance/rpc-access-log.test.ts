/**
 * private/get_access_log, sim/log_access and the channel `user.access_log`: access to an account, and changes of its
 * keys. Source: sessions document 2.3, 3.1, 3.4.
 */
import { describe, expect, test } from 'vitest'
import { micros } from '../../src/core/index.ts'
import { findAccount } from '../../src/engine/index.ts'
import { findMethod } from '../../src/gateways/index.ts'
import { defaultConfig } from '../../src/model/index.ts'
import {
  createDesk,
  ownMethods,
  type RequestParams,
  type Subscriber,
  Subscriptions,
  submit,
} from '../../src/rpc/index.ts'
import { type DeskMarket, deskMarket, type Json } from '../support/desk-market.ts'

const first = 1_767_603_600_000
const place = { ip: '127.0.0.1', country: 'Local Country', city: 'Local Town' }

const logOf = (m: DeskMarket, account: string, params: RequestParams = {}): Json =>
  m.result(account, 'private/get_access_log', params)

describe('private/get_access_log', () => {
  test('newest first, ten by default, each account separately', () => {
    const m = deskMarket()
    expect(logOf(m, 'alice')).toEqual({ records_total: 0, data: [] })
    const made = m.result(null, 'sim/log_access', { account: 'alice', log: 'success' })
    expect(made).toEqual({ id: 1, ...place, timestamp: first + 2, log: 'success' })
    for (let count = 2; count <= 25; count += 1) {
      const ip = `10.0.0.${count}`
      m.result(null, 'sim/log_access', { account: 'alice', log: 'failure', ip })
    }
    m.result(null, 'sim/log_access', { account: 'bob', log: 'changed_email' })
    const { records_total, data } = logOf(m, 'alice')
    expect(records_total).toBe(25)
    expect(data.map(({ id }: Json) => id)).toEqual([25, 24, 23, 22, 21, 20, 19, 18, 17, 16])
    expect(data[0]).toMatchObject({ log: 'failure', ip: '10.0.0.25' })
    const last = logOf(m, 'alice', { offset: 23, count: 1000 })
    expect(last).toEqual({ records_total: 25, data: [expect.objectContaining({ id: 2 }), made] })
    expect(logOf(m, 'alice', { offset: 25 }).data).toEqual([])
    expect(logOf(m, 'bob').data).toMatchObject([{ id: 1, log: 'changed_email' }])
  })

  test('a key that is created is logged, and so is a key that is created again', () => {
    const m = deskMarket()
    for (const scopes of [['trade:read'], ['account:read']]) {
      m.result(null, 'sim/create_key', { account: 'alice', name: 'desk', scopes })
    }
    expect(m.refusal(null, 'sim/create_key', { account: 'nobody', name: 'desk' })).toContain('unknown_account')
    expect(logOf(m, 'alice').data).toEqual([
      { id: 2, ...place, timestamp: first + 2, log: 'changed_scope', data: 'alice/desk' },
      { id: 1, ...place, timestamp: first + 1, log: 'new_api_key', data: 'alice/desk' },
    ])
    expect(logOf(m, 'bob').records_total).toBe(0)
  })

  test('S282 it needs the scope account:read; a key with other scopes is refused', () => {
    const m = deskMarket()
    m.result(null, 'sim/create_key', { account: 'alice', name: 'trader', scopes: ['trade:read'] })
    expect(m.refusal('alice/trader', 'private/get_access_log')).toContain('13021')
    expect(m.refusal(null, 'private/get_access_log')).toContain('13009')
    expect(findMethod('private/get_access_log')?.scope).toBe('account:read')
  })

  test('parameters out of range, and entries that are refused', () => {
    const m = deskMarket()
    for (const [params, problem] of [
      [{ offset: -1 }, 'offset too_small'],
      [{ count: 0 }, 'count too_small'],
      [{ count: 1001 }, 'count too_large'],
    ] as const) {
      const refusal = m.refusal('alice', 'private/get_access_log', params)
      expect(refusal).toBe(`-32602 Invalid params ${problem}`)
    }
    const refused = (params: RequestParams): string => m.refusal(null, 'sim/log_access', params)
    expect(refused({ account: 'nobody', log: 'success' })).toContain('account unknown_account')
    expect(refused({ account: 'alice', log: 'robbery' })).toContain('log')
    expect(refused({ account: 'alice' })).toContain('log required')
    expect(logOf(m, 'alice').records_total).toBe(0)
  })

  test('the oldest entries are dropped, and ids continue', () => {
    const m = deskMarket()
    const entry = { account: 'alice', log: 'failure' } as const
    for (let count = 1; count <= 2000; count += 1) m.venue.request('sim/log_access', entry)
    expect(logOf(m, 'alice')).toHaveProperty('data.0.id', 2000)
    expect(logOf(m, 'alice').records_total).toBe(1000)
    expect(m.result(null, 'sim/log_access', entry).id).toBe(2001)
  })

  test('a restored venue has the same entries', () => {
    const m = deskMarket()
    m.venue.request('sim/log_access', { account: 'alice', log: 'success' })
    m.venue.request('sim/snapshot', { name: 'kept' })
    m.venue.request('sim/log_access', { account: 'alice', log: 'failure' })
    m.venue.request('sim/restore', { name: 'kept' })
    expect(logOf(m, 'alice').data).toMatchObject([{ id: 1, log: 'success' }])
  })
})

test('S285 user.access_log sends each new entry of the account once', () => {
  let subscriptions: Subscriptions | undefined
  const watch = {
    emit: (event: Parameters<Subscriptions['events']['emit']>[0]) => subscriptions?.events.emit(event),
  }
  const config = defaultConfig(micros(first * 1000))
  const desk = createDesk({ config, controls: true, methods: ownMethods, watch }, { emit: () => undefined })
  subscriptions = new Subscriptions(desk)
  const ask = (method: string, params: RequestParams): void => {
    const time = desk.exchange.now
    submit(desk, { time, method, params, account: null, session: 0 }, null)
    subscriptions?.flush()
  }
  for (const name of ['alice', 'bob']) ask('sim/create_account', { name })
  ask('sim/log_access', { account: 'alice', log: 'success' })
  const lines: Json[] = []
  const who = (rights: boolean): Subscriber => ({
    ...{ link: 1, account: findAccount(desk.exchange, 'alice')?.id ?? -1, allows: () => rights },
    send: (text) => lines.push(JSON.parse(text).params),
  })
  expect(subscriptions.subscribe({ ...who(true), account: -1 }, 'user.access_log', null)).toBe(false)
  expect(subscriptions.subscribe(who(false), 'user.access_log', null)).toBe(false)
  expect(subscriptions.subscribe(who(true), 'user.access_log.x', null)).toBe(false)
  expect(subscriptions.subscribe(who(true), 'user.access_log', null)).toBe(true)
  ask('sim/log_access', { account: 'alice', log: 'failure', ip: '10.0.0.7' })
  ask('sim/log_access', { account: 'bob', log: 'failure' })
  ask('sim/create_key', { account: 'alice', name: 'desk' })
  expect(lines).toEqual([
    {
      channel: 'user.access_log',
      data: { id: 2, ...place, ip: '10.0.0.7', timestamp: first, log: 'failure' },
    },
    {
      channel: 'user.access_log',
      data: { id: 3, ...place, timestamp: first, log: 'new_api_key', data: 'alice/desk' },
    },
  ])
})
