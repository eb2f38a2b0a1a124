/**
 * The whole table of methods, scopes and tokens, over sockets and HTTP. A request gets nothing if it has no token, an
 * expired token, one of another connection or address, an invalid one, or one without the scope. The expected scopes
 * come from the documents (`access-scopes.ts`).
 *
 * The other tests try a seeded sample of the cases; `npm run fuzz:access` tries all.
 */
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { randomStream } from '../../src/core/index.ts'
import { methodNames } from '../../src/gateways/index.ts'
import { createTestVenue, type Server } from '../../src/node.ts'
import {
  enough,
  gatewayOnly,
  gatewayRows,
  privateRows,
  type ScopeRow,
  socketOnly,
  tooLittle,
} from '../support/access-scopes.ts'
import { clientMarket, openClients } from '../support/client-market.ts'
import { SocketClient } from '../support/socket-client.ts'

const isWhole = process.env['PITCLOCK_WHOLE'] === '1'
/** The sample tries one of this many cases on average. */
const SHARE = 12

const main = (name: string, scope: string): ScopeRow => ({
  ...{ method: name, scope, isMain: false, params: {} },
})
const rows: readonly ScopeRow[] = [
  ...methodNames.filter((name) => name.startsWith('public/')).map((name) => main(name, 'public')),
  ...privateRows,
  ...methodNames.filter((name) => name.startsWith('sim/')).map((name) => main(name, 'sim')),
]

/** Parameters that any method can use; each method ignores those of the others. */
const plausible = {
  ...{ instrument_name: 'BTC-PERPETUAL', instrument_names: ['BTC-PERPETUAL'], amount: 10 },
  ...{ price: 90_000, currency: 'BTC', currency_pair: 'btc_usd', index_name: 'btc_usd' },
  ...{ label: 'table', order_id: '1', id: 7, name: 'x', account: 'bob', session: 900, count: 5 },
  ...{ channels: ['announcements'], interval: 10, client_name: 'x', client_version: '1' },
  ...{ index: 'btc_usd', title: 'x', log: 'success', enabled: true, address: 'x', to: 'alice' },
  ...{ mode: 'cancel_maker', extended_to_subaccounts: true, source: 1, destination: 2 },
}

/** Tokens by their defect. All belong to the account alice, except those of the controls. */
const states = [
  'none',
  'garbage',
  'refresh',
  'expired',
  'revoked',
  'foreign',
  'elsewhere',
  'narrow',
  'subaccount',
  'right',
] as const
type State = (typeof states)[number]

/** Ways to send a request. */
const doors = ['shown', 'remembered', 'GET', 'GET query', 'POST'] as const
type Door = (typeof doors)[number]

interface Answer {
  readonly status: number | null
  readonly code: number | null
  readonly reason: string
  readonly param: string
}

let venue: Server
const socket = openClients(() => venue)

beforeAll(async () => {
  const { alice, bob } = clientMarket.accounts
  const accounts = { alice, bob, kid: { main: 'alice' } }
  venue = await createTestVenue({
    scenario: { ...clientMarket, title: 'Who may ask what', accounts },
  })
})

afterAll(async () => {
  await venue.close()
})

interface Pair {
  readonly access_token: string
  readonly refresh_token: string
}

async function give(account: string, scope: string, over?: SocketClient): Promise<Pair> {
  if (over !== undefined) return (await over.authenticate(account, scope)).result as Pair
  const words = { client_id: account, client_secret: `${account}-secret`, scope }
  const query = new URLSearchParams({ grant_type: 'client_credentials', ...words })
  const response = await fetch(`${venue.url}/public/auth?${query}`)
  return ((await response.json()) as { readonly result: Pair }).result
}

async function renew(refresh_token: string): Promise<void> {
  const query = new URLSearchParams({ grant_type: 'refresh_token', refresh_token })
  expect((await fetch(`${venue.url}/public/auth?${query}`)).status).toBe(200)
}

/** Tokens of every kind, each made once for its scope. */
class Tokens {
  readonly #known = new Map<string, Promise<string | null>>()
  #holder: SocketClient | undefined

  of(state: State, { scope }: ScopeRow): Promise<string | null> {
    const key = `${state} ${scope}`
    const known = this.#known.get(key) ?? this.#make(state, scope)
    this.#known.set(key, known)
    return known
  }

  async #make(state: State, scope: string): Promise<string | null> {
    const who = scope === 'sim' ? 'sim' : 'alice'
    const words = enough(scope)
    switch (state) {
      case 'none':
        return null
      case 'garbage':
        return `1767603600000.1abcdefg.${'A'.repeat(43)}`
      case 'refresh':
        return (await give(who, words)).refresh_token
      case 'expired': {
        const { access_token } = await give(who, `${words} expires:1`)
        vi.advanceTimersByTime(2000)
        return access_token
      }
      case 'revoked': {
        const { access_token, refresh_token } = await give(who, words)
        await renew(refresh_token)
        return access_token
      }
      case 'foreign':
        this.#holder ??= await SocketClient.open(venue.socketUrl)
        return (await give(who, words, this.#holder)).access_token
      case 'elsewhere':
        return (await give(who, `${words} ip:203.0.113.7`)).access_token
      case 'narrow':
        return (await give('alice', tooLittle(scope))).access_token
      case 'subaccount':
        return (await give('kid', words)).access_token
      case 'right':
        return (await give(who, `${words} ip:127.0.0.1`)).access_token
    }
  }

  async close(): Promise<void> {
    await this.#holder?.close()
  }
}

function answerOf(status: number | null, body: { readonly error?: unknown; readonly message?: unknown }): Answer {
  const { error } = body
  // The flat error of R30.
  if (typeof error === 'number') return { status, code: error, reason: 'flat', param: '' }
  const { code = null, data } = (error ?? {}) as {
    readonly code?: number
    readonly data?: { readonly reason?: string; readonly param?: string }
  }
  return { status, code, reason: data?.reason ?? '', param: data?.param ?? '' }
}

/** Sends a request over HTTP. */
async function overHttp(door: Door, row: ScopeRow, token: string | null): Promise<Answer> {
  const headers: Record<string, string> =
    token === null || door === 'GET query' ? {} : { authorization: `Bearer ${token}` }
  const shown = token !== null && door === 'GET query' ? { access_token: token } : {}
  const params = { ...plausible, ...row.params, ...shown }
  if (door === 'POST') {
    const body = JSON.stringify({ jsonrpc: '2.0', id: 7, method: row.method, params })
    const response = await fetch(venue.url, { method: 'POST', headers, body })
    return answerOf(response.status, (await response.json()) as object)
  }
  const words = Object.entries(params).map(([name, value]): [string, string] => [
    name,
    typeof value === 'object' ? JSON.stringify(value) : String(value),
  ])
  const query = new URLSearchParams(words)
  const response = await fetch(`${venue.url}/${row.method}?${query}`, { headers })
  return answerOf(response.status, (await response.json()) as object)
}

/** Sends a request over a socket, which closes without an answer if that is expected. */
async function overSocket(client: SocketClient, row: ScopeRow, token: string | null): Promise<Answer | 'closed'> {
  const shown = token === null ? {} : { access_token: token }
  const asked = client.ask(row.method, { ...plausible, ...row.params, ...shown })
  const left = client.until(() => client.closed !== null).then(() => 'closed' as const)
  const heard = await Promise.race([asked, left])
  return heard === 'closed' ? 'closed' : answerOf(null, heard)
}

const statuses: ReadonlyMap<number, number> = new Map([
  [13_009, 401],
  [13_021, 403],
])

/** The answer that the documents require; null if the request passes the check, whatever its result. */
function expectedOf(state: State, door: Door, row: ScopeRow): Answer | null {
  const isHttp = door !== 'shown' && door !== 'remembered'
  const error = (code: number, reason: string, param: string): Answer => ({
    status: isHttp ? (statuses.get(code) ?? 400) : null,
    ...{ code, reason, param },
  })
  const { method, scope, isMain } = row
  if (scope === 'public') return null
  if (scope === 'sim') {
    if (state === 'right') return null
    // Methods about orders check the account before everything else; methods about sessions are controls.
    if (
      method.startsWith('sim/direct/') &&
      !/\/(set_credential|logon|logout|heartbeat|test_request|resend_request)$/.test(method)
    ) {
      return error(-32_602, 'not_own_direct_session', 'session')
    }
    return error(13_021, 'scope_mismatch', 'sim')
  }
  const isNobody = state !== 'right' && state !== 'narrow' && state !== 'subaccount'
  if (isNobody) {
    // Source: sessions document 1.3: logout and subscriptions are refused over HTTP for every caller (S293).
    if (isHttp && socketOnly.has(method) && scope === 'any') return error(10_030, '', '')
    if (isHttp && method === 'private/get_subaccounts') return error(13_009, 'flat', '')
    return error(13_009, 'invalid_token', 'access_token')
  }
  if (gatewayOnly.has(method)) return error(-32_601, '', '')
  const isShort = state === 'narrow' && scope !== 'any'
  if (!isShort && !(isMain && state === 'subaccount')) return null
  return error(13_021, 'scope_mismatch', isMain ? `${scope} mainaccount` : scope)
}

/**
 * True if an answer says that the token does not suffice. Other refusals, such as a quote by an account that is no
 * maker, do not count.
 */
function isRefusal({ code, reason, param }: Answer): boolean {
  const isNobody = code === 13_009 && param === 'access_token'
  return isNobody || reason === 'scope_mismatch' || code === -32_601 || reason === 'flat'
}

/** The whole state of the account, which a refused request must not change. */
async function holdings(): Promise<unknown> {
  const { access_token } = await give('alice', '')
  const client = await socket()
  const ask = async (method: string, params = {}): Promise<unknown> =>
    (await client.ask(method, { access_token, ...params })).result
  return [
    await ask('private/get_open_orders'),
    await ask('private/get_positions'),
    await ask('private/get_account_summary', { currency: 'BTC' }),
    await ask('private/get_subaccounts'),
    await ask('private/get_mmp_config'),
    await ask('public/get_announcements'),
  ]
}

// Tokens expire by the clock of the machine, which advances only when a test says so.
beforeAll(() => void vi.useFakeTimers({ toFake: ['performance'] }))
afterAll(() => void vi.useRealTimers())

test('the table of the documents contains every method of the table', () => {
  const own = new Set(privateRows.map(({ method }) => method))
  const where = 'test/support/access-scopes.ts has each in the row of its scope'
  expect([...own].sort(), where).toEqual(methodNames.filter((name) => name.startsWith('private/')).sort())
})

test('S202 S282 no method answers a request without the right token, over any transport', async () => {
  const tokens = new Tokens()
  const chance = randomStream('access', 'table')
  let asked = 0
  let passed = 0
  const wrong: string[] = []
  const check = (of: object, found: Answer, expected: Answer | null): void => {
    asked += 1
    if (expected === null) {
      passed += 1
      if (isRefusal(found)) wrong.push(JSON.stringify({ ...of, found }))
    } else if (JSON.stringify(found) !== JSON.stringify(expected)) {
      wrong.push(JSON.stringify({ ...of, found, expected }))
    }
  }
  await give('alice', '')
  const before = await holdings()
  // Requests that are allowed come last, because they change the state.
  for (const state of states) {
    if (state === 'right') expect(await holdings()).toEqual(before)
    for (const door of doors) {
      for (const row of rows) {
        if (!isWhole && chance.int(0, SHARE - 1) > 0) continue
        const { method } = row
        const isRemembered = door === 'remembered'
        // A connection remembers only its own access token, for its own address.
        if (isRemembered && ['garbage', 'refresh', 'foreign', 'elsewhere'].includes(state)) continue
        const expected = expectedOf(state, door, row)
        const token = await tokens.of(state, row)
        const of = { state, door, method, scope: row.scope, params: row.params }
        if (door === 'shown' || isRemembered) {
          const client = await clientOf(state, door, row)
          const found = await overSocket(client, row, isRemembered ? null : token)
          const isLogout = method === 'private/logout' && expected === null
          if (found === 'closed' || isLogout) {
            asked += 1
            if (found !== 'closed' || !isLogout) wrong.push(JSON.stringify({ ...of, found }))
          } else check(of, found, expected)
          continue
        }
        const found = await overHttp(door, row, token)
        check(of, found, expected)
        if (expected === null && socketOnly.has(method) && found.code !== 10_030) {
          wrong.push(JSON.stringify({ ...of, found, expected: 'a WebSocket is needed' }))
        }
      }
    }
  }
  await tokens.close()
  process.stderr.write(`${asked} questions, ${passed} of them allowed\n`)
  expect(wrong).toEqual([])
  expect(passed).toBeGreaterThan(asked / 5)
})

const clients = new Map<string, SocketClient>()

/** The socket for the request: one without a token, or one that remembers a token of a scope. */
async function clientOf(state: State, door: Door, { scope }: ScopeRow): Promise<SocketClient> {
  const key = door === 'shown' ? 'bare' : `${state} ${scope}`
  const known = clients.get(key)
  if (known !== undefined && known.closed === null) return known
  // The number of connections that an address may have.
  for (const [name, each] of clients) {
    if (name === 'bare') continue
    clients.delete(name)
    await each.close()
  }
  const client = await socket()
  clients.set(key, client)
  if (door === 'shown' || state === 'none') return client
  if (state === 'narrow') await give('alice', tooLittle(scope), client)
  else if (state === 'subaccount') await give('kid', enough(scope), client)
  else {
    const who = scope === 'sim' ? 'sim' : 'alice'
    const life = { expired: ' expires:1', revoked: ` session:${scope}` }[state as string] ?? ''
    const { refresh_token } = await give(who, `${enough(scope)}${life}`, client)
    if (state === 'expired') vi.advanceTimersByTime(2000)
    // The new pair goes to another client, so that the connection remembers an expired token.
    if (state === 'revoked') await renew(refresh_token)
  }
  return client
}

test('S281 S282 no method of a gateway answers such a request either', async () => {
  const tokens = new Tokens()
  const wrong: unknown[] = []
  for (const state of states) {
    for (const { method, scope } of gatewayRows) {
      const row = main(method, scope)
      const token = await tokens.of(state, row)
      const headers: Record<string, string> = token === null ? {} : { authorization: `Bearer ${token}` }
      const response = await fetch(`${venue.gatewayUrl}/BTC_A/api/v2/${method}`, { headers })
      const found = answerOf(response.status, (await response.json()) as object)
      const passes = state === 'right' || state === 'subaccount' || scope === 'public'
      const expected = state === 'narrow' ? [403, 13_021] : [401, 13_009]
      const isRight = passes ? !isRefusal(found) : found.status === expected[0] && found.code === expected[1]
      if (!isRight) wrong.push({ state, method, found })
    }
  }
  await tokens.close()
  expect(wrong).toEqual([])
})
