/**
 * API keys that clients of a server create and use: their secrets are sealed, and a key that is disabled, removed,
 * reset or changed is refused at once, with its tokens. Rules: access.key-ends, access.key-scope.
 */
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { createTestVenue, type Server } from '../../src/node.ts'
import { SocketClient } from '../support/socket-client.ts'

let venue: Server
const open: SocketClient[] = []

beforeAll(async () => {
  venue = await createTestVenue({
    scenario: {
      version: 1,
      title: 'Keys that owners make',
      start: '2026-01-05T09:00:00Z',
      instruments: ['BTC-PERPETUAL'],
      index: { btc_usd: 50_000 },
      accounts: {
        alice: { deposit: { BTC: 10 } },
        kid: { main: 'alice' },
        // One test disables the key of this account.
        carol: { deposit: { BTC: 1 } },
      },
    },
  })
})

afterEach(async () => {
  await Promise.all(open.splice(0).map((each) => each.close()))
  // An account has 8 keys at most.
  const { result } = await asAlice('list_api_keys')
  for (const { id } of result.slice(1)) await asAlice('remove_api_key', { id })
})

afterAll(async () => {
  await venue.close()
})

// biome-ignore lint/suspicious/noExplicitAny: replies are read by tests as clients read them.
type Body = any

async function ask(method: string, params: object, authorization?: string): Promise<Body> {
  const response = await fetch(`${venue.url}/${method}`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      ...(authorization === undefined ? {} : { authorization }),
    },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
  })
  return await response.json()
}

/** The header of a client that sends its key with each request. */
function basic(id: string, secret = `${id}-secret`): string {
  return `Basic ${Buffer.from(`${id}:${secret}`).toString('base64')}`
}

const asAlice = (method: string, params: object = {}): Promise<Body> => ask(`private/${method}`, params, basic('alice'))

interface Made {
  readonly id: number
  readonly client_id: string
  readonly client_secret: string
}

async function make(max_scope: string): Promise<Made> {
  return (await asAlice('create_api_key', { max_scope })).result
}

function auth({ client_id, client_secret }: Made, scope = ''): Promise<Body> {
  const grant_type = 'client_credentials'
  return ask('public/auth', { grant_type, client_id, client_secret, scope })
}

test('V12 a client logs in with a key that it created, limited to its scopes', async () => {
  const key = await make('trade:read account:read')
  const { result } = await auth(key, 'trade:read_write account:read wallet:read')
  expect(result.scope).toBe('account:read trade:read connection mainaccount')
  const bearer = `Bearer ${result.access_token}`
  expect((await ask('private/get_open_orders', {}, bearer)).result).toEqual([])
  expect((await ask('private/cancel_all', {}, bearer)).error.code).toBe(13021)
  expect((await ask('private/get_transfers', { currency: 'BTC' }, bearer)).error.code).toBe(13021)
  // The exchange's internal form of the secret is refused, and so is the form of keys in scenarios.
  expect(key.client_secret).toMatch(/^[\w-]{43}$/)
  for (const client_secret of [`${key.client_id}-secret`, '***', '']) {
    expect((await auth({ ...key, client_secret })).error.code).toBe(13004)
  }
  expect((await asAlice('list_api_keys')).result.at(-1).client_secret).toBe('***')
})

test('V12 access.key-ends a disabled key is refused, with its tokens and sockets, until it is enabled', async () => {
  const key = await make('trade:read_write account:read')
  const { result } = await auth(key)
  const unused = await auth(key)
  const bearer = `Bearer ${result.access_token}`
  const socket = await SocketClient.open(venue.socketUrl)
  open.push(socket)
  await socket.ask('public/auth', { grant_type: 'client_credentials', ...login(key) })
  expect((await socket.ask('private/get_positions', {})).result).toEqual([])
  expect((await asAlice('disable_api_key', { id: key.id })).result.enabled).toBe(false)
  expect((await ask('private/get_open_orders', {}, bearer)).error.code).toBe(13009)
  expect((await ask('private/get_open_orders', {}, basic(key.client_id, key.client_secret))).error.code).toBe(13009)
  expect((await socket.ask('private/get_positions', {})).error?.code).toBe(13009)
  expect((await auth(key)).error.code).toBe(13004)
  const refresh = { grant_type: 'refresh_token', refresh_token: result.refresh_token }
  expect((await ask('public/auth', refresh)).error.code).toBe(13009)
  await asAlice('enable_api_key', { id: key.id })
  expect((await auth(key)).result.scope).toContain('trade:read_write')
  // Earlier tokens stay invalid, including an unused one and the token of an open socket.
  const old = `Bearer ${unused.result.access_token}`
  expect((await ask('private/get_open_orders', {}, old)).error.code).toBe(13009)
  expect((await socket.ask('private/get_positions', {})).error?.code).toBe(13009)
})

test('V12 access.key-ends scopes that a key gets back do not restore its tokens', async () => {
  const key = await make('trade:read_write')
  const bearer = `Bearer ${(await auth(key)).result.access_token}`
  for (const max_scope of ['trade:read', 'trade:read_write']) {
    const changed = await asAlice('change_scope_in_api_key', { id: key.id, max_scope })
    expect(changed.error).toBeUndefined()
  }
  expect((await ask('private/get_open_orders', {}, bearer)).error.code).toBe(13009)
})

function login({ client_id, client_secret }: Made): object {
  return { client_id, client_secret }
}

test.each([
  ['remove_api_key', {}, false],
  ['reset_api_key', {}, false],
  ['change_scope_in_api_key', { max_scope: 'trade:read' }, true],
  ['edit_api_key', { max_scope: 'trade:read_write', ip_whitelist: ['127.0.0.1'] }, true],
])('V12 %s ends the tokens of a key', async (method, params, isTaken) => {
  const key = await make('trade:read_write')
  const { result } = await auth(key)
  const bearer = `Bearer ${result.access_token}`
  expect((await ask('private/get_open_orders', {}, bearer)).result).toEqual([])
  const changed = await asAlice(method, { id: key.id, ...params })
  expect(changed.error).toBeUndefined()
  expect((await ask('private/get_open_orders', {}, bearer)).error.code).toBe(13009)
  expect((await auth(key)).error === undefined).toBe(isTaken)
  if (method !== 'reset_api_key') return
  const { client_secret } = changed.result
  expect(client_secret).not.toBe(key.client_secret)
  expect((await auth({ ...key, client_secret })).result.token_type).toBe('bearer')
})

test('V12 a key is accepted only from the addresses of its whitelist', async () => {
  const key = await make('trade:read')
  const edit = (ip_whitelist: readonly string[]): Promise<Body> =>
    asAlice('edit_api_key', { id: key.id, max_scope: 'trade:read', ip_whitelist })
  await edit(['192.0.2.1'])
  expect((await auth(key)).error.code).toBe(13004)
  expect((await ask('private/get_open_orders', {}, basic(key.client_id, key.client_secret))).error.code).toBe(13009)
  await edit(['192.0.2.1', '127.0.0.1'])
  expect((await auth(key)).result.scope).toContain('trade:read')
  await edit([])
  expect((await auth(key)).result.scope).toContain('trade:read')
})

test('V12 a token cannot give a key more scopes than it has itself, even if its own key has more', async () => {
  const words = {
    grant_type: 'client_credentials',
    client_id: 'alice',
    client_secret: 'alice-secret',
  }
  const { result } = await ask('public/auth', { ...words, scope: 'account:read_write trade:read' })
  const bearer = `Bearer ${result.access_token}`
  const wide = { max_scope: 'trade:read_write' }
  expect((await ask('private/create_api_key', wide, bearer)).error).toMatchObject({ code: 13403 })
  const { id } = await make('wallet:read')
  expect((await ask('private/reset_api_key', { id }, bearer)).error.code).toBe(13403)
  expect((await ask('private/reset_api_key', { id: 1 }, bearer)).error.code).toBe(13403)
  const narrow = { max_scope: 'trade:read' }
  expect((await ask('private/create_api_key', narrow, bearer)).result.max_scope).toBe('trade:read')
})

test('V12 the key of an account itself can be disabled, and then another key can log in', async () => {
  const asCarol = (method: string, params: object): Promise<Body> => ask(`private/${method}`, params, basic('carol'))
  const { result } = await asCarol('create_api_key', { max_scope: 'account:read_write' })
  expect((await asCarol('disable_api_key', { id: 1 })).result).toMatchObject({ default: true })
  expect((await asCarol('list_api_keys', {})).error.code).toBe(13009)
  const other = basic(result.client_id, result.client_secret)
  expect((await ask('private/enable_api_key', { id: 1 }, other)).result.enabled).toBe(true)
  expect((await asCarol('list_api_keys', {})).result).toHaveLength(2)
})

test('V12 a removed subaccount has no key and no token', async () => {
  const kid = await ask('public/auth', {
    ...{ grant_type: 'client_credentials', client_id: 'kid', client_secret: 'kid-secret' },
  })
  const bearer = `Bearer ${kid.result.access_token}`
  const { result } = await asAlice('get_subaccounts')
  const { id } = result.find(({ username }: Body) => username === 'kid')
  expect((await asAlice('remove_subaccount', { subaccount_id: id })).result).toBe('ok')
  expect((await ask('private/get_positions', {}, bearer)).error.code).toBe(13009)
  expect((await ask('private/get_positions', {}, basic('kid'))).error.code).toBe(13009)
})

test('V12 public/auth shows the features of a key', async () => {
  const enabled_features = ['block_trade_approval']
  const made = await asAlice('create_api_key', { max_scope: 'trade:read', enabled_features })
  expect((await auth(made.result)).result.enabled_features).toEqual(enabled_features)
})
