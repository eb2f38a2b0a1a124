/**
 * The envelope of a request: its method, its params as a whole, and its secrets in the journal.
 * Source: sessions document 1.1; S016; coverage R45, R57.
 */
import { describe, expect, test } from 'vitest'
import { micros } from '../../src/core/index.ts'
import { openVenue } from '../../src/program/index.ts'
import type { RequestParams } from '../../src/rpc/index.ts'
import { decodeJournal, encodeJournalRequest } from '../../src/scenario/index.ts'
import { DeskMarket } from '../support/desk-market.ts'

/** Requests of programs without type checks. */
function untyped(value: unknown): never {
  return value as never
}

describe('the envelope of a request', () => {
  test('D07 params that are a list or a scalar get -32600, and nothing throws', () => {
    const m = new DeskMarket()
    for (const params of [[], [1], 5, 'text', true]) {
      expect(m.ask('alice', 'private/get_open_orders', untyped(params)).error).toEqual({
        code: -32600,
        message: 'Invalid Request',
        data: { reason: 'params_not_an_object' },
      })
    }
    const venue = openVenue({ start: '2026-01-05T09:00:00Z', accounts: { a: {} } })
    expect(venue.request('public/get_time', untyped([]))).toMatchObject({
      ok: false,
      error: { code: -32600 },
    })
  })

  test('D07 S016 params that are missing or null count as empty', () => {
    const m = new DeskMarket()
    for (const params of [undefined, null]) {
      const reply = m.ask('alice', 'private/get_open_orders', untyped(params ?? {}))
      expect(reply.result).toEqual([])
    }
    const venue = openVenue({ start: '2026-01-05T09:00:00Z', accounts: { a: {} } })
    for (const params of [undefined, null]) {
      const reply = venue.as('a').request('private/get_open_orders', untyped(params))
      expect(reply).toMatchObject({ ok: true, result: [] })
    }
  })

  test('D07 a method that is not a string gets -32600, whatever the account', () => {
    const m = new DeskMarket()
    for (const method of [5, null, undefined, {}, ['private/buy']]) {
      for (const account of ['alice', null]) {
        expect(m.ask(account, untyped(method)).error).toEqual({
          code: -32600,
          message: 'Invalid Request',
          data: { reason: 'method_not_a_string' },
        })
      }
    }
  })
})

describe('secrets of requests', () => {
  const written = (method: string, params: RequestParams): string =>
    JSON.stringify(encodeJournalRequest({ time: micros(1), account: 'alice', session: 3, method, params }, 1))

  test('D02 R57 a journal never contains a token, whichever method uses it', () => {
    const params = { access_token: 'SECRETTOKEN', invalidate_token: true }
    expect(written('private/logout', params)).toContain('"params":{"access_token":"***","invalidate_token":true}')
    for (const name of ['access_token', 'client_secret', 'refresh_token', 'signature']) {
      for (const method of ['public/auth', 'private/get_positions', 'nonsense']) {
        expect(written(method, { [name]: 'SECRETTOKEN' })).not.toContain('SECRETTOKEN')
      }
    }
    for (const value of [['SECRETTOKEN'], { a: 'SECRETTOKEN' }]) {
      expect(written('private/logout', { access_token: value })).not.toContain('SECRETTOKEN')
    }
    expect(written('private/logout', { access_token: 987_654 })).not.toContain('987654')
    expect(written('private/buy', { label: 'kept', price: 5 })).toContain('"label":"kept"')
  })

  test('D02 the placeholder for a secret gets the same answer as the secret', () => {
    for (const token of ['SECRETTOKEN', 7, true, ['x'], { a: 1 }, null]) {
      const first = new DeskMarket()
      const again = new DeskMarket()
      first.session = 3
      again.session = 3
      const params = untyped({ access_token: token }) as RequestParams
      const line = JSON.parse(written('private/logout', params))
      const reported = first.ask('alice', 'private/logout', params)
      const retold = again.ask('alice', 'private/logout', line.params)
      expect(retold).toEqual(reported)
    }
  })

  test('D07 a journal stores malformed params and reads them back', () => {
    const line = written('private/buy', untyped([1, 2]))
    expect(line).toContain('"params":[1,2]')
    expect(written('private/buy', untyped(undefined))).toContain('"params":{}')
    const read = decodeJournal(`{}\n${line}\n`, 'j.jsonl')
    expect(read.ok ? [] : read.error.filter((error) => error.line === 2)).toEqual([])
  })
})
