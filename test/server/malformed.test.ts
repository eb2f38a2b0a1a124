/** Input that breaks a careless server: each of these once stopped this server, or passed a check. */
import { mkdtempSync, rmSync } from 'node:fs'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createTestVenue, runFile, type Server } from '../../src/node.ts'
import { SocketClient } from '../support/socket-client.ts'

const home = mkdtempSync(join(tmpdir(), 'pitclock-malformed-'))
const out = join(home, 'run')
let venue: Server

beforeAll(async () => {
  venue = await createTestVenue({
    scenario: {
      version: 1,
      title: 'A market that is badly asked',
      start: '2026-01-05T09:00:00Z',
      instruments: ['BTC-PERPETUAL'],
      index: { btc_usd: 60_000 },
      accounts: { alice: { deposit: { BTC: 1 } } },
    },
    run: { out },
  })
})

afterAll(() => rmSync(home, { recursive: true }))

async function heardFor(text: string): Promise<unknown> {
  const client = await SocketClient.open(venue.socketUrl)
  client.socket.send(text)
  await client.until(() => client.heard.length > 0)
  await client.close()
  return client.heard[0]
}

const ask = (params: string): string => `{"jsonrpc":"2.0","id":5,"method":"public/ticker","params":${params}}`

test.each([
  ['lists in lists', `{"instrument_name":${'['.repeat(15_000)}${']'.repeat(15_000)}}`],
  ['objects in objects', `{"instrument_name":${'{"a":'.repeat(5000)}1${'}'.repeat(5000)}}`],
])('%s beyond any parameter are refused, and the market continues', async (_what, params) => {
  const error = { code: -32_600, data: { reason: 'nested_too_deeply' } }
  expect(await heardFor(ask(params))).toMatchObject({ id: 5, error })
  expect(await heardFor('{"jsonrpc":"2.0","id":6,"method":"public/test"}')).toMatchObject({
    result: { version: '2.1.1' },
  })
})

test('a query parameter of this kind is a text that the method refuses', async () => {
  const deep = `${'['.repeat(4000)}${']'.repeat(4000)}`
  const headers = { Authorization: `Basic ${btoa('alice:alice-secret')}` }
  for (const legs of [deep, '[1e999]']) {
    const response = await fetch(`${venue.url}/private/get_leg_prices?price=1&legs=${legs}`, {
      headers,
    })
    expect([response.status, await response.json()]).toMatchObject([
      400,
      { error: { code: -32_602, data: { param: 'legs', reason: 'wrong_type' } } },
    ])
  }
  const price = await fetch(`${venue.url}/public/get_order_book?instrument_name=BTC-PERPETUAL&depth=1e999`)
  expect(await price.json()).toMatchObject({ error: { data: { param: 'depth' } } })
})

test('a number that a double cannot represent is refused, because the journal would store another one', async () => {
  const error = { code: -32_600, data: { reason: 'number_out_of_range' } }
  expect(await heardFor(ask('{"amount":1e999}'))).toMatchObject({ id: 5, error })
  expect(await heardFor(ask('{"a":[{"b":-1e400}]}'))).toMatchObject({ id: 5, error })
})

test('a body of a megabyte is read to its end and answered', async () => {
  const response = await fetch(venue.url, { method: 'POST', body: 'x'.repeat(1_000_000) })
  expect([response.status, await response.json()]).toMatchObject([
    400,
    { id: null, error: { data: { reason: 'request_entity_too_large' } } },
  ])
})

/** Opens a plain connection; the caller closes it. */
async function plain(): Promise<ReturnType<typeof connect>> {
  const socket = connect(venue.port, '127.0.0.1')
  socket.on('error', () => undefined)
  await new Promise((resolve) => socket.once('connect', resolve))
  return socket
}

test('clients that break off in the middle of an upgrade stop nothing', async () => {
  for (let count = 0; count < 30; count += 1) {
    const socket = await plain()
    const path = count % 2 === 0 ? '/nowhere' : '/ws/api/v2'
    const head = 'Host: x\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13'
    socket.write(`GET ${path} HTTP/1.1\r\n${head}\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n`)
    socket.resetAndDestroy()
  }
  expect(await heardFor('{"jsonrpc":"2.0","id":6,"method":"public/test"}')).toHaveProperty('result')
})

test('messages of a connection that was answered 429 are ignored', async () => {
  const idle = await Promise.all(Array.from({ length: 32 }, () => plain()))
  const late = await plain()
  let reported = ''
  late.on('data', (chunk) => {
    reported += String(chunk)
  })
  const authorization = `Basic ${Buffer.from('alice:alice-secret').toString('base64')}`
  const query = 'instrument_name=BTC-PERPETUAL&amount=10&price=50000&label=late'
  late.write(`GET /api/v2/private/buy?${query} HTTP/1.1\r\nHost: x\r\nAuthorization: ${authorization}\r\n\r\n`)
  await new Promise((resolve) => late.once('close', resolve))
  expect(reported).toMatch(/^HTTP\/1\.1 429 Too Many Requests\r\n/)
  expect(reported).not.toContain('order_id')
  await Promise.all(
    idle.map((each) => {
      each.destroy()
      return new Promise((resolve) => each.once('close', resolve))
    }),
  )
  let orders: { readonly result?: unknown } = {}
  // The server notices the ends of connections after a while.
  while (orders.result === undefined) {
    const headers = { authorization }
    const response = await fetch(`${venue.url}/private/get_open_orders`, { headers }).catch(() => undefined)
    if (response?.status === 200) orders = (await response.json()) as typeof orders
  }
  expect(orders.result).toEqual([])
})

test('a connection has a hundred tokens of a key, and a new one replaces the oldest', async () => {
  const client = await SocketClient.open(venue.socketUrl)
  const tokens: string[] = []
  for (let count = 0; count < 101; count += 1) {
    const { result } = await client.authenticate('alice')
    tokens.push((result as { readonly access_token: string }).access_token)
  }
  const codeOf = async (access_token: string | undefined): Promise<number | undefined> =>
    (await client.ask('private/get_positions', { access_token })).error?.code
  expect(await codeOf(tokens[0])).toBe(13_009)
  expect(await codeOf(tokens[1])).toBeUndefined()
  expect(await codeOf(tokens[100])).toBeUndefined()
  await client.close()
})

test('the journal of all that runs again to its digest', async () => {
  const closed = await venue.close()
  if (!closed.ok) throw new Error(closed.error.lines.join())
  const again = await runFile(join(out, 'journal.jsonl'))
  expect(again.ok && again.value.digest).toBe(closed.value.digest)
})

test('a client without the right to restore does not end its metrics', async () => {
  const metricsWith = async (control: string): Promise<string> => {
    const market = await createTestVenue({
      scenario: {
        version: 1,
        title: 'A market with metrics',
        start: '2026-01-05T09:00:00Z',
        instruments: ['BTC-PERPETUAL'],
        index: { btc_usd: 60_000 },
        accounts: { alice: { deposit: { BTC: 1 } }, bob: { deposit: { BTC: 1 } } },
      },
    })
    const client = await SocketClient.open(market.socketUrl)
    await client.authenticate('alice')
    expect(await client.ask(control, { name: 'x', to: 1 })).toMatchObject({
      error: { code: 13_021 },
    })
    const order = { instrument_name: 'BTC-PERPETUAL', amount: 10, price: 60_000 }
    await client.ask('private/buy', order)
    await client.authenticate('bob')
    expect(await client.ask('private/sell', order)).toMatchObject({
      result: { trades: [{ amount: 10 }] },
    })
    await client.close()
    const closed = await market.close()
    if (!closed.ok) throw new Error(closed.error.lines.join())
    expect(closed.value.trades).toBe(1)
    return JSON.stringify(closed.value.metrics)
  }
  expect(await metricsWith('sim/restore')).toBe(await metricsWith('sim/set_mark'))
})
