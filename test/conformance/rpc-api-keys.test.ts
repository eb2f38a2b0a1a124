/**
 * API keys that owners create and change. Rules: access.keys, access.key-scope. Source: the venue's page of each
 * method; sessions document 2.3, 2.4.
 */
import { describe, expect, test } from 'vitest'
import { auditCopy } from '../../src/engine/index.ts'
import { submit, withoutSecrets } from '../../src/rpc/index.ts'
import { deskMarket, type Json } from '../support/desk-market.ts'

const create = 'private/create_api_key'
const list = 'private/list_api_keys'
const unauthorized = '13009 unauthorized access_token invalid_token'
const all =
  'account:read_write block_rfq:read_write block_trade:read_write trade:read_write wallet:read_write direct_access:read_write'

describe('API keys', () => {
  test('V12 an account has its own key and the keys that it creates', () => {
    const m = deskMarket()
    const [own, ...none]: Json = m.result('alice', list)
    expect(none).toEqual([])
    expect(own).toEqual({
      ...{ id: 1, timestamp: 1_767_603_600_000, client_id: 'alice', client_secret: '***' },
      ...{ max_scope: all, enabled: true, default: true, name: 'default' },
      ...{ enabled_features: [], ip_whitelist: [] },
    })
    const made: Json = m.result('alice', create, {
      ...{ max_scope: 'account:read trade:read_write wallet:none', name: 'desk' },
      enabled_features: ['block_trade_approval'],
    })
    expect(made).toMatchObject({
      ...{ client_id: 'alice/key_2', client_secret: expect.stringMatching(/^[0-9a-f]{64}$/) },
      ...{ max_scope: 'account:read trade:read_write', enabled: true, default: false },
      ...{ name: 'desk', enabled_features: ['block_trade_approval'] },
    })
    const { client_secret, ...rest } = made
    expect(m.result('alice', list)[1]).toEqual({ ...rest, client_secret: '***' })
    expect(m.result('bob', list)).toHaveLength(1)
    auditCopy(m.venue.exchange)
    // Requests in the journal have no secret.
    const reply = { ok: true, sequence: 1, usIn: 0, usOut: 0, result: made } as Json
    expect(JSON.stringify(withoutSecrets(reply))).not.toContain(client_secret)
  })

  test('V12 a run repeats the same secrets, and each key and each reset has a different one', () => {
    const secrets = (): string[] => {
      const m = deskMarket()
      const asked = { max_scope: 'trade:read' }
      const first = m.result('alice', create, asked)
      const second = m.result('bob', create, asked)
      const reset = m.result('alice', 'private/reset_api_key', { id: first.id })
      m.result('alice', 'private/remove_api_key', { id: first.id })
      const again = m.result('alice', create, asked)
      expect(again.client_id).toBe(first.client_id)
      return [first, second, reset, again].map((each: Json) => each.client_secret)
    }
    const given = secrets()
    expect(new Set(given).size).toBe(4)
    expect(secrets()).toEqual(given)
  })

  test('V12 requests use a key by its client_id until it is disabled or removed', () => {
    const m = deskMarket()
    const { id, client_id } = m.result('alice', create, { max_scope: 'account:read trade:read' })
    const isTaken = (): boolean => m.ask(client_id, 'private/get_positions').ok
    expect(isTaken()).toBe(true)
    expect(m.refusal(client_id, 'private/cancel_all')).toBe('13021 forbidden')
    expect(m.result('alice', 'private/disable_api_key', { id }).enabled).toBe(false)
    expect(m.refusal(client_id, 'private/get_positions')).toBe(unauthorized)
    expect(m.result('alice', 'private/enable_api_key', { id }).enabled).toBe(true)
    expect(isTaken()).toBe(true)
    const scope = { id, max_scope: 'trade:none account:read' }
    expect(m.result('alice', 'private/change_scope_in_api_key', scope).max_scope).toBe('account:read')
    expect(m.refusal(client_id, 'private/get_positions')).toBe('13021 forbidden')
    expect(m.result('alice', 'private/remove_api_key', { id })).toBe('ok')
    expect(m.refusal(client_id, 'private/get_account_summaries')).toBe(unauthorized)
    expect(m.refusal('alice', 'private/enable_api_key', { id })).toBe('-32602 Invalid params id unknown_key')
  })

  test('V12 an edit changes the named fields, and a rename only the name', () => {
    const m = deskMarket()
    const { id } = m.result('alice', create, { max_scope: 'trade:read', name: 'one' })
    const name: Json = m.result('alice', 'private/change_api_key_name', { id, name: 'two' })
    expect(name).toMatchObject({ id, name: 'two', client_id: 'alice/key_2', enabled: true })
    const edited: Json = m.result('alice', 'private/edit_api_key', {
      ...{ id, max_scope: ['trade:read_write', 'account:read'], enabled: false },
      ...{ ip_whitelist: ['192.0.2.1'], enabled_features: ['block_trade_approval'] },
    })
    expect(edited).toMatchObject({
      ...{ name: 'two', max_scope: 'account:read trade:read_write', enabled: false },
      ...{ ip_whitelist: ['192.0.2.1'], enabled_features: ['block_trade_approval'] },
    })
    const log: Json = m.result('alice', 'private/get_access_log')
    expect(log.data.map((entry: Json) => [entry.log, entry.data])).toEqual([
      ['changed_scope', 'alice/key_2'],
      ['new_api_key', 'alice/key_2'],
    ])
  })

  test('V12 access.key-scope a key can neither give another key more scopes than it has nor see its secret', () => {
    const m = deskMarket()
    const keys = { max_scope: 'account:read_write trade:read' }
    const { id, client_id } = m.result('alice', create, keys)
    const wide = { max_scope: 'account:read trade:read_write' }
    const beyond = '13403 scope_exceeded'
    expect(m.refusal(client_id, create, wide)).toBe(beyond)
    expect(m.refusal(client_id, 'private/edit_api_key', { id, ...wide })).toBe(beyond)
    expect(m.refusal(client_id, 'private/change_scope_in_api_key', { id, ...wide })).toBe(beyond)
    expect(m.refusal(client_id, 'private/reset_api_key', { id: 1 })).toBe(beyond)
    m.result(client_id, create, { max_scope: 'trade:read' })
    m.result(client_id, 'private/reset_api_key', { id })
    m.result('alice', create, wide)
  })

  test('V12 access.key-scope the scopes of the token apply at the time a request is executed', () => {
    const m = deskMarket()
    const { id } = m.result('alice', create, { max_scope: 'trade:read' })
    const reset = (): string => {
      const request = { method: 'private/reset_api_key', params: { id }, account: 'alice' }
      const rights = ['account:read_write', 'trade:read'] as const
      let answer = 'none'
      submit(m.venue.desk, { ...request, time: m.venue.now, session: 0, rights }, (reply) => {
        answer = reply.ok ? 'done' : `${reply.error.code} ${reply.error.message}`
      })
      return answer
    }
    expect(reset()).toBe('done')
    // An earlier request had given the key more scopes.
    m.result('alice', 'private/change_scope_in_api_key', { id, max_scope: 'trade:read_write' })
    expect(reset()).toBe('13403 scope_exceeded')
  })

  test('V12 terms that the simulator does not enforce are refused by name', () => {
    const m = deskMarket()
    const max_scope = 'trade:read'
    const refusal = (more: object): string => m.refusal('alice', create, { max_scope, ...more })
    expect(refusal({ public_key: 'x' })).toContain('public_key keys that sign with a key pair')
    expect(refusal({ enabled_features: ['restricted_block_trades'] })).toContain('not simulated')
    expect(refusal({ max_scope: 'custody:read' })).toContain('max_scope unknown right custody:read')
    expect(refusal({ name: 'a b' })).toContain('-32602 Invalid params name')
    expect(refusal({ name: 'a'.repeat(17) })).toContain('-32602 Invalid params name')
    const { id } = m.result('alice', create, { max_scope })
    const edit = { id, max_scope, ip_whitelist: ['everywhere'] }
    expect(m.refusal('alice', 'private/edit_api_key', edit)).toContain('ip_whitelist')
    const feature = { id: 1, max_scope: all, enabled_features: ['block_trade_approval'] }
    expect(m.refusal('alice', 'private/edit_api_key', feature)).toContain('cannot have features')
    expect(m.refusal('alice', 'private/remove_api_key', { id: 1 })).toContain('not removed')
  })

  test('V12 access.keys an account can have at most 8 keys', () => {
    const m = deskMarket()
    const max_scope = 'trade:read'
    for (let number = 2; number <= 8; number += 1) m.result('alice', create, { max_scope })
    expect(m.refusal('alice', create, { max_scope })).toContain('at most 8 keys')
    const { id } = m.result('alice', list).at(-1)
    m.result('alice', 'private/remove_api_key', { id })
    m.result('alice', create, { max_scope })
  })

  test('V12 a key declared in a scenario is in the list, and its owner can change it', () => {
    const m = deskMarket()
    m.result(null, 'sim/create_key', { account: 'alice', name: 'desk', scopes: ['trade:read'] })
    const [, desk]: Json = m.result('alice', list)
    expect(desk).toMatchObject({ client_id: 'alice/desk', name: 'desk', max_scope: 'trade:read' })
    m.result('alice', 'private/disable_api_key', { id: desk.id })
    expect(m.refusal('alice/desk', 'private/get_positions')).toBe(unauthorized)
  })
})
