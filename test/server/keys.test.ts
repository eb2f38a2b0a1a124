/**
 * Keys that accounts declare, as clients use them: each has a secret and its own scopes, and requests carry its name.
 */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createTestVenue, type Server } from '../../src/node.ts'

let venue: Server

beforeAll(async () => {
  venue = await createTestVenue({
    scenario: {
      version: 1,
      title: 'Keys of accounts',
      start: '2026-01-05T09:00:00Z',
      instruments: ['BTC-PERPETUAL'],
      index: { btc_usd: 50_000 },
      accounts: {
        maker: {
          deposit: { BTC: 10 },
          keys: {
            desk: { app_name: 'blotter' },
            reader: { scopes: ['trade:read', 'account:read'] },
          },
        },
      },
    },
  })
})

afterAll(async () => {
  await venue.close()
})

// biome-ignore lint/suspicious/noExplicitAny: replies are read by tests as clients read them.
type Body = any

async function ask(method: string, params: object, token?: string): Promise<Body> {
  const response = await fetch(`${venue.url}/${method}`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
    },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
  })
  return await response.json()
}

async function auth(id: string, more: object = {}): Promise<Body> {
  const grant_type = 'client_credentials'
  const secret = { client_id: id, client_secret: `${id}-secret` }
  return await ask('public/auth', { grant_type, ...secret, ...more })
}

test('a server lists the keys that accounts declare', () => {
  expect(venue.keys.map(({ client_id }) => client_id)).toEqual(['maker', 'maker/desk', 'maker/reader', 'sim'])
})

test('an order of a key shows the name of its application', async () => {
  const { result } = await auth('maker/desk')
  const order = { instrument_name: 'BTC-PERPETUAL', amount: 100, price: 40_000 }
  const placed = await ask('private/buy', order, result.access_token)
  expect(placed.result.order).toMatchObject({ app_name: 'blotter', order_state: 'open' })
  const whole = await auth('maker')
  const plain = await ask('private/buy', order, whole.result.access_token)
  expect(plain.result.order).not.toHaveProperty('app_name')
  // A refreshed token still belongs to the key.
  const { refresh_token } = result
  const again = await ask('public/auth', { grant_type: 'refresh_token', refresh_token })
  const later = await ask('private/buy', order, again.result.access_token)
  expect(later.result.order).toMatchObject({ app_name: 'blotter' })
})

test('a token allows no more than its key', async () => {
  const { result } = await auth('maker/reader', { scope: 'trade:read_write wallet:read' })
  expect(result.scope).toContain('trade:read ')
  expect(result.scope).not.toContain('read_write')
  expect(result.scope).not.toContain('wallet:read')
  const order = { instrument_name: 'BTC-PERPETUAL', amount: 100, price: 40_000 }
  const refused = await ask('private/buy', order, result.access_token)
  expect(refused.error).toMatchObject({ code: 13021 })
  const read = await ask('private/get_open_orders', {}, result.access_token)
  expect(read.result).toBeInstanceOf(Array)
})

test('an undeclared key or a wrong secret is refused', async () => {
  for (const params of [
    { client_id: 'maker/other', client_secret: 'maker/other-secret' },
    { client_id: 'maker/desk', client_secret: 'maker-secret' },
    { client_id: 'nobody/desk', client_secret: 'nobody/desk-secret' },
    { client_id: '/desk', client_secret: '/desk-secret' },
  ]) {
    const answer = await ask('public/auth', { grant_type: 'client_credentials', ...params })
    expect(answer.error).toMatchObject({ code: 13004 })
  }
})
