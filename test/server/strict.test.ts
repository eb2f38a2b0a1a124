/**
 * Parameters that a method does not have: ignored as the venue does (R32), refused where the server is strict.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { createTestVenue, runFile } from '../../src/node.ts'
import { SocketClient } from '../support/socket-client.ts'

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

test('a strict server refuses it by name, changes nothing, and its journal does so again', async () => {
  const out = join(home, 'run')
  const venue = await createTestVenue({ scenario, strict: true, run: { out } })
  const client = await SocketClient.open(venue.socketUrl)
  // Who may not ask is told that first.
  expect(await client.ask('private/buy', misspelt)).toMatchObject({ error: { code: 13009 } })
  const { result } = await client.authenticate('alice')
  expect(await client.ask('private/buy', misspelt)).toMatchObject(refused)
  const legs = [{ instrument_name: 'BTC-PERPETUAL', amount: 10, diretcion: 'buy' }]
  expect(await client.ask('private/get_leg_prices', { legs })).toMatchObject({
    error: { code: -32602, data: { param: 'legs.0.diretcion' } },
  })
  // A token may be shown with any request; what is no method is none, whatever it is given.
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
