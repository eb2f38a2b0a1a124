/**
 * Requests that the venue accepts although they do not match the schema: unknown parameters (R32), text in place of
 * numbers and the like, slashes. A strict server refuses them.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { openVenue } from '../../src/index.ts'
import { createTestVenue, runFile, type Server } from '../../src/node.ts'
import { type Heard, SocketClient } from '../support/socket-client.ts'

const home = mkdtempSync(join(tmpdir(), 'pitclock-strict-'))

afterAll(() => rmSync(home, { recursive: true }))

const scenario = {
  version: 1,
  title: 'A market for clients that misspell',
  start: '2026-01-05T09:00:00Z',
  instruments: ['BTC-PERPETUAL'],
  index: { btc_usd: 100_000 },
  accounts: { alice: { deposit: { BTC: 10 } } },
}

const misspelt = {
  ...{ instrument_name: 'BTC-PERPETUAL', amount: 10, price: 90_000, type: 'limit' },
  post_onyl: true,
}

const refused = {
  error: { code: -32602, data: { reason: 'unknown_parameter', param: 'post_onyl' } },
}

test('R32 a parameter that a method does not have is ignored', async () => {
  const venue = await createTestVenue({ scenario })
  const client = await SocketClient.open(venue.socketUrl)
  await client.authenticate('alice')
  expect(await client.ask('private/buy', misspelt)).toMatchObject({ result: { trades: [] } })
  await client.close()
  await venue.close()
})

test('a strict server refuses it by name, changes nothing, and a replay of its journal does the same', async () => {
  const out = join(home, 'run')
  const venue = await createTestVenue({ scenario, strict: true, run: { out } })
  const client = await SocketClient.open(venue.socketUrl)
  // A client without access gets that error first.
  expect(await client.ask('private/buy', misspelt)).toMatchObject({ error: { code: 13009 } })
  const { result } = await client.authenticate('alice')
  expect(await client.ask('private/buy', misspelt)).toMatchObject(refused)
  const legs = [{ instrument_name: 'BTC-PERPETUAL', amount: 10, diretcion: 'buy' }]
  expect(await client.ask('private/get_leg_prices', { legs })).toMatchObject({
    error: { code: -32602, data: { param: 'legs.0.diretcion' } },
  })
  // A token may be sent with any request, and an unknown method stays unknown with any parameters.
  const { access_token } = result as { readonly access_token: string }
  expect(await client.ask('private/get_open_orders', { access_token })).toMatchObject({
    result: [],
  })
  expect(await client.ask('public/nothing', { any: 1 })).toMatchObject({ error: { code: -32601 } })
  const response = await fetch(`${venue.url}/public/get_time?tiem=1`)
  expect([response.status, await response.json()]).toMatchObject([
    400,
    { error: { code: -32602, data: { param: 'tiem' } } },
  ])
  await client.close()
  const closed = await venue.close()
  const again = await runFile(join(out, 'journal.jsonl'))
  expect(again.ok && again.value.digest).toBe(closed.ok && closed.value.digest)
  expect(again.ok && again.value.refused).toBe(closed.ok && closed.value.refused)
})

/** Each parameter as text although the method declares another type. */
const asText = [
  ['private/buy', { ...misspelt, amount: '10', price: '90000', post_onyl: undefined }],
  ['public/get_instruments', { currency: 'BTC', expired: 'false' }],
  [
    'private/get_transaction_log',
    { currency: 'BTC', start_timestamp: '1613657734000', end_timestamp: '1613660407000', count: 5 },
  ],
  [
    'private/get_leg_prices',
    { legs: [{ instrument_name: 'BTC-PERPETUAL', amount: '10', direction: 'buy' }], price: '1' },
  ],
  ['private/get_order_margin_by_ids', { ids: '["1"]' }],
] as const

/** Sends the request over a socket, as a body and, for flat parameters, as a query. */
async function askEachWay(
  venue: Server,
  method: string,
  params: Readonly<Record<string, unknown>>,
): Promise<readonly unknown[]> {
  const client = await SocketClient.open(venue.socketUrl)
  await client.authenticate('alice')
  const overSocket = await client.ask(method, params)
  await client.close()
  const headers = {
    authorization: `Basic ${Buffer.from('alice:alice-secret').toString('base64')}`,
    'content-type': 'application/json',
  }
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params })
  const posted = await fetch(venue.url, { method: 'POST', headers, body })
  const query = new URLSearchParams()
  for (const [name, value] of Object.entries(params)) {
    if (value === undefined) continue
    query.append(name, typeof value === 'object' ? JSON.stringify(value) : String(value))
  }
  const got = await fetch(`${venue.url}/${method}?${query}`, { headers })
  return [overSocket, await posted.json(), await got.json()]
}

test.each(asText)('V5 %s reads text as the declared type in every transport', async (method, params) => {
  const venue = await createTestVenue({ scenario })
  for (const reply of await askEachWay(venue, method, params)) {
    expect(reply).not.toHaveProperty('error.data.reason', 'wrong_type')
    expect(reply).not.toHaveProperty('error.code', -32602)
  }
  await venue.close()
})

test.each(asText)('V5 a strict server refuses %s with text, except in a query', async (method, params) => {
  const venue = await createTestVenue({ scenario, strict: true })
  const [socket, body, query] = await askEachWay(venue, method, params)
  const wrong = { error: { code: -32602, data: { reason: 'wrong_type' } } }
  expect([socket, body]).toMatchObject([wrong, wrong])
  expect(query).not.toHaveProperty('error.code', -32602)
  await venue.close()
})

test('V5 text that cannot be converted, and text for text parameters, stay unchanged', async () => {
  const venue = await createTestVenue({ scenario })
  const order = { ...misspelt, post_onyl: undefined, label: '10' }
  for (const reply of await askEachWay(venue, 'private/buy', order)) {
    expect(reply).toMatchObject({ result: { order: { label: '10' } } })
  }
  for (const amount of ['ten', '', '0x10', '1_000', 'Infinity']) {
    for (const reply of await askEachWay(venue, 'private/buy', { ...order, amount })) {
      expect(reply).toMatchObject({ error: { code: -32602, data: { param: 'amount' } } })
    }
  }
  await venue.close()
})

test('V5 programs stay strict', async () => {
  const open = openVenue({ start: '2026-01-05T09:00:00Z', instruments: ['BTC-PERPETUAL'] })
  const reply = open.request('public/get_instruments', {
    currency: 'BTC',
    expired: 'false' as never,
  })
  expect(reply).toMatchObject({ ok: false, error: { code: -32602 } })
})

test('V6 V10 a slash before a method and after an address are accepted, unless the server is strict', async () => {
  for (const strict of [false, true]) {
    const venue = await createTestVenue({ scenario, strict })
    const client = await SocketClient.open(venue.socketUrl)
    const codes = [(await client.ask('/public/get_time')).error?.code]
    await client.close()
    const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: '/public/get_time', params: {} })
    for (const path of ['', '/', '/public/get_time']) {
      const posted = await fetch(`${venue.url}${path}`, { method: 'POST', body })
      codes.push(((await posted.json()) as Heard).error?.code)
    }
    const got = await fetch(`${venue.url}/public/get_time/`)
    codes.push(((await got.json()) as Heard).error?.code)
    const [unknown, mismatch] = strict ? [-32601, -32600] : [undefined, undefined]
    expect(codes).toEqual([unknown, unknown, unknown, mismatch, unknown])
    const opened = SocketClient.open(`${venue.socketUrl}/`)
    if (strict) await expect(opened).rejects.toThrow('404')
    else await (await opened).close()
    await venue.close()
  }
})
