/**
 * The second REST gateway over HTTP: its envelope, its tokens, its limits, its methods, and its journal.
 * Source: sessions document 1.5, 8.11, 8.15; coverage R28, R59.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { request } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createTestVenue, runFile, type Server, type ServerOptions } from '../../src/node.ts'
import { SocketClient } from '../support/socket-client.ts'

const home = mkdtempSync(join(tmpdir(), 'pitclock-gateway-'))

afterAll(() => rmSync(home, { recursive: true }))

const scenario = {
  version: 1,
  title: 'A market with gateways',
  start: '2026-01-05T09:00:00Z',
  instruments: ['ETH-PERPETUAL', 'ETH-27MAR26', 'ETH-27MAR26-3000-C', 'BTC-PERPETUAL'],
  index: { eth_usd: 3000, btc_usd: 100_000 },
  accounts: {
    alice: { deposit: { BTC: 10, ETH: 100 } },
    bob: { deposit: { BTC: 10, ETH: 100 } },
  },
}

interface Answer {
  readonly status: number
  readonly body: unknown
}

/** Sends a GET request to a gateway. */
async function ask(venue: Server, path: string, authorization?: string, gateway = 'ETH_A'): Promise<Answer> {
  const headers: Record<string, string> = authorization === undefined ? {} : { authorization }
  const response = await fetch(`${venue.gatewayUrl}/${gateway}/api/v2/${path}`, { headers })
  return { status: response.status, body: await response.json() }
}

/** The header with a token that an account gets over HTTP. */
async function bearer(venue: Server, account: string, scope = ''): Promise<string> {
  const key = `client_id=${account}&client_secret=${account}-secret`
  const words = `grant_type=client_credentials&${key}&scope=${scope}`
  const response = await fetch(`${venue.url}/public/auth?${words}`)
  const { result } = (await response.json()) as { result: { access_token: string } }
  return `Bearer ${result.access_token}`
}

function reported(result: unknown): Answer {
  return { status: 200, body: { jsonrpc: '2.0', result, id: null } }
}

function failed(status: number, error: object): Answer {
  return { status, body: { jsonrpc: '2.0', error, id: null } }
}

const eth = { instrument_name: 'ETH-PERPETUAL', amount: 1000, price: 2970, type: 'limit' }
const btc = { instrument_name: 'BTC-PERPETUAL', amount: 10, price: 99_000, type: 'limit' }

describe('envelopes and tokens', () => {
  let venue: Server

  beforeAll(async () => {
    venue = await createTestVenue({ scenario })
  })

  afterAll(async () => {
    await venue.close()
  })

  const invalidToken = {
    ...{ code: 13009, message: 'unauthorized' },
    data: { reason: 'invalid_token', param: 'access_token' },
  }

  test('S281 S008 a Bearer token is the only accepted authentication', async () => {
    const path = 'private/get_open_orders'
    const token = await bearer(venue, 'alice')
    const basic = `Basic ${Buffer.from('alice:alice-secret').toString('base64')}`
    expect(await ask(venue, path, token)).toEqual(reported([]))
    const refused = failed(401, invalidToken)
    expect(await ask(venue, path)).toEqual(refused)
    expect(await ask(venue, path, basic)).toEqual(refused)
    expect(await ask(venue, path, 'Bearer nothing')).toEqual(refused)
    const shown = `${path}?access_token=${token.slice('Bearer '.length)}`
    expect(await ask(venue, shown)).toEqual(refused)
    expect(await ask(venue, path, await bearer(venue, 'sim'))).toEqual(refused)
  })

  test('S282 reads need direct_access:read, changes read_write (R59)', async () => {
    const cases = [
      ['trade:read_write', 'private/get_open_orders', 'direct_access:read'],
      ['trade:read_write', 'private/get_alt_risk_limits', 'direct_access:read'],
      ['direct_access:read', 'private/cancel_all', 'direct_access:read_write'],
      ['direct_access:read', 'private/lock_portfolio', 'direct_access:read_write'],
      ['direct_access:read', 'private/unlock_portfolio', 'direct_access:read_write'],
    ] as const
    for (const [scope, method, param] of cases) {
      const token = await bearer(venue, 'alice', scope)
      const error = {
        ...{ code: 13021, message: 'forbidden' },
        data: { reason: 'scope_mismatch', param },
      }
      expect(await ask(venue, method, token), method).toEqual(failed(403, error))
    }
    const reads = await bearer(venue, 'alice', 'direct_access:read')
    expect(await ask(venue, 'private/get_alt_risk_limits', reads)).toEqual(reported([]))
    // JSON-RPC still requires its own scopes.
    const trade = await bearer(venue, 'alice', 'trade:read')
    const usual = await fetch(`${venue.url}/private/get_open_orders`, {
      headers: { authorization: trade },
    })
    expect(usual.status).toBe(200)
  })

  test('S293 a method that a gateway does not serve is unknown, and an unknown gateway is not found', async () => {
    const token = await bearer(venue, 'alice')
    const unknown = failed(400, {
      ...{ code: -32601, message: 'Method not found' },
      data: { reason: 'method_not_found' },
    })
    expect(await ask(venue, 'private/get_positions', token)).toEqual(unknown)
    expect(await ask(venue, 'public/auth')).toEqual(unknown)
    expect(await ask(venue, 'public/nothing')).toEqual(unknown)
    expect(await ask(venue, 'sim/advance?to=1', await bearer(venue, 'sim'))).toEqual(unknown)
    for (const path of ['SOL_A/api/v2/public/get_instruments', 'ETH_A/public/get_instruments']) {
      expect((await fetch(`${venue.gatewayUrl}/${path}`)).status).toBe(404)
    }
    const posted = await fetch(`${venue.gatewayUrl}/ETH_A/api/v2/public/get_instruments`, {
      method: 'POST',
    })
    expect([posted.status, posted.headers.get('allow')]).toEqual([405, 'GET'])
    const wrong = await ask(venue, 'public/get_instruments?kind=future')
    expect(wrong).toMatchObject({
      status: 400,
      body: { error: { code: -32602, data: { param: 'kind' } } },
    })
  })

  test('S293 results and errors repeat the id of the query or of the body', async () => {
    const token = await bearer(venue, 'alice')
    const path = 'private/get_open_orders'
    expect((await ask(venue, `${path}?id=7`, token)).body).toMatchObject({ id: 7, result: [] })
    expect((await ask(venue, `${path}?id=seven`)).body).toMatchObject({ id: 'seven', error: {} })
    const target = new URL(`${venue.gatewayUrl}/ETH_A/api/v2/${path}`)
    const body = JSON.stringify({ jsonrpc: '2.0', id: 9, method: path, params: {} })
    // `fetch` sends no body with GET.
    const text = await new Promise<string>((resolve) => {
      const headers = { authorization: token, 'content-length': body.length }
      const asked = request(target, { method: 'GET', headers })
      asked.on('response', async (response) => {
        let heard = ''
        for await (const part of response) heard += String(part)
        resolve(heard)
      })
      asked.end(body)
    })
    expect(JSON.parse(text)).toEqual({ jsonrpc: '2.0', id: 9, result: [] })
  })

  test('S026 instruments are those of the alternative engine, with kinds of the gateway', async () => {
    const { body } = await ask(venue, 'public/get_instruments?currency=eth')
    const { result } = body as { readonly result: readonly Record<string, unknown>[] }
    expect(result.map(({ instrument_name: name, kind }) => [name, kind])).toEqual([
      ['ETH-PERPETUAL', 'perp_future'],
      ['ETH-27MAR26', 'dated_future'],
      ['ETH-27MAR26-3000-C', 'option'],
    ])
    expect(result[2]).toEqual({
      ...{ instrument_id: expect.any(Number), instrument_name: 'ETH-27MAR26-3000-C' },
      ...{ currency_pair: 'eth_usd', currency_pair_id: expect.any(Number) },
      ...{ kind: 'option', product_group: expect.any(String), option_type: 'call', strike: 3000 },
      ...{ base_currency: 'ETH', quote_currency: 'ETH', settlement_currency: 'ETH' },
      ...{ settlement_period: 'month', tick_size: 0.0001, min_trade_amount: 1, contract_size: 1 },
      ...{ is_active: true, expiration_timestamp: Date.parse('2026-03-27T08:00:00Z') },
      ...{ creation_timestamp: expect.any(Number), maker_commission: 0.0003 },
      ...{ taker_commission: 0.0003, block_trade_commission: expect.any(Number) },
    })
    const all = await ask(venue, 'public/get_instruments?kind=perp_future')
    expect(all.body).toMatchObject({ result: [{ instrument_name: 'ETH-PERPETUAL' }] })
    expect(await ask(venue, 'public/get_instruments?currency=BTC')).toEqual(reported([]))
  })
})

describe('portfolios', () => {
  test('S314 open orders are limited to 10 requests a minute, separately on gateways A and B', async () => {
    const venue = await createTestVenue({ scenario })
    const token = await bearer(venue, 'alice')
    const path = 'private/get_open_orders'
    const statuses = async (count: number, gateway: string): Promise<readonly number[]> => {
      const found: number[] = []
      for (let at = 0; at < count; at += 1) {
        found.push((await ask(venue, path, token, gateway)).status)
      }
      return found
    }
    const ten = Array.from({ length: 10 }, () => 200)
    expect(await statuses(11, 'ETH_A')).toEqual([...ten, 429])
    expect(await statuses(11, 'ETH_B')).toEqual([...ten, 429])
    expect(await ask(venue, path, token)).toEqual(
      failed(429, {
        ...{ code: 10028, message: 'too_many_requests' },
        data: { reason: 'too_many_requests' },
      }),
    )
    expect((await ask(venue, path, await bearer(venue, 'bob'))).status).toBe(200)
    const limits = 'private/get_alt_risk_limits'
    expect((await ask(venue, limits, token)).status).toBe(200)
    expect((await ask(venue, limits, token)).status).toBe(429)
    venue.advance('60s')
    expect(await statuses(1, 'ETH_A')).toEqual([200])
    await venue.close()
  })

  test('S009 S245 S246 S248 S249 requests of portfolios take effect, and the journal has the same digest', async () => {
    const out = join(home, 'run')
    const options: ServerOptions = { scenario, run: { out } }
    const venue = await createTestVenue(options)
    const client = await SocketClient.open(venue.socketUrl)
    await client.authenticate('alice')
    await client.ask('private/buy', eth)
    await client.ask('private/buy', btc)
    const token = await bearer(venue, 'alice')
    const listed = await ask(venue, 'private/get_open_orders', token)
    // There sizes are in coins, and the books are those of the alternative engine.
    expect(listed.body).toMatchObject({
      result: [{ instrument_name: 'ETH-PERPETUAL', side: 'buy', price: 2970, amount: 0.336700337 }],
    })
    expect(await ask(venue, 'private/cancel_all', token)).toEqual(reported(2))
    expect((await client.ask('private/get_open_orders')).result).toEqual([])
    const control = await SocketClient.open(venue.socketUrl)
    await control.authenticate('sim')
    const limit = { index_name: 'eth_usd', max_future_position: 5000 }
    await control.ask('sim/set_risk_limits', limit)
    expect(await ask(venue, 'private/get_alt_risk_limits?currency=eth', token)).toEqual(
      reported([{ currency_pair: 'eth_usd', max_future_position: 5000 }]),
    )
    expect(await ask(venue, 'private/lock_portfolio', token)).toEqual(reported('ok'))
    expect(await ask(venue, 'private/unlock_portfolio', token, 'BTC_B')).toEqual(reported('ok'))
    await ask(venue, 'public/get_instruments')
    await ask(venue, 'private/cancel_all')
    await ask(venue, 'private/get_positions', token)
    venue.advance('5s')
    await Promise.all([client.close(), control.close()])
    const closed = await venue.close()
    const again = await runFile(join(out, 'journal.jsonl'))
    expect(again.ok && again.value.digest).toBe(closed.ok && closed.value.digest)
    expect(again.ok && again.value.refused).toBe(closed.ok && closed.value.refused)
  })

  test('a restored market opens its sessions again', async () => {
    const venue = await createTestVenue({ scenario })
    const control = await SocketClient.open(venue.socketUrl)
    await control.authenticate('sim')
    await control.ask('sim/snapshot', { name: 'before' })
    const token = await bearer(venue, 'alice')
    expect(await ask(venue, 'private/lock_portfolio', token)).toEqual(reported('ok'))
    await control.ask('sim/restore', { name: 'before' })
    expect(await ask(venue, 'private/lock_portfolio', token)).toEqual(reported('ok'))
    await control.close()
    await venue.close()
  })

  test('a strict gateway checks its own parameters, and metrics count its requests separately', async () => {
    const venue = await createTestVenue({ scenario, strict: true })
    const token = await bearer(venue, 'alice')
    // JSON-RPC has a filter by kind; a gateway does not.
    expect(await ask(venue, 'private/get_open_orders?kind=option', token)).toEqual(
      failed(400, {
        ...{ code: -32602, message: 'Invalid params' },
        data: { reason: 'unknown_parameter', param: 'kind' },
      }),
    )
    const metrics = await fetch(`http://127.0.0.1:${venue.port}/metrics`)
    expect(await metrics.text()).toContain('pitclock_requests_total{door="gateway",outcome="invalid_params"} 1\n')
    await venue.close()
  })
})
