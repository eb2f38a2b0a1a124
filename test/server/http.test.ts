/** The interface over HTTP: addresses, bodies, statuses, and the three forms of authentication. */
import { createHmac } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createServer, createTestVenue, type Server } from '../../src/node.ts'

const scenario = {
  version: 1,
  title: 'A market for clients over HTTP',
  start: '2026-01-05T09:00:00Z',
  instruments: ['BTC-PERPETUAL'],
  index: { btc_usd: 100_000 },
  accounts: { alice: { deposit: { BTC: 10 } }, bob: { deposit: { BTC: 10 } } },
}

let venue: Server

beforeAll(async () => {
  venue = await createTestVenue({ scenario, cors: true })
})

afterAll(async () => {
  await venue.close()
})

interface Answer {
  readonly status: number
  readonly body: {
    readonly id?: unknown
    readonly result?: unknown
    readonly error?: { readonly code: number; readonly data?: object } | number
    readonly message?: string
  }
}

async function get(path: string, authorization?: string): Promise<Answer> {
  const headers: Record<string, string> = authorization === undefined ? {} : { authorization }
  const response = await fetch(`${venue.url}${path}`, { headers })
  return { status: response.status, body: (await response.json()) as Answer['body'] }
}

async function post(path: string, body: string, authorization?: string): Promise<Answer> {
  const headers = {
    'content-type': 'application/json',
    ...(authorization === undefined ? {} : { authorization }),
  }
  const response = await fetch(`${venue.url}${path}`, { method: 'POST', body, headers })
  return { status: response.status, body: (await response.json()) as Answer['body'] }
}

function basic(account: string): string {
  return `Basic ${Buffer.from(`${account}:${account}-secret`).toString('base64')}`
}

describe('addresses', () => {
  test('S004 S005 a query has the types that the method declares, and no id', async () => {
    const { status, body } = await get('/public/get_order_book?instrument_name=BTC-PERPETUAL&depth=5')
    expect(status).toBe(200)
    expect(body).toMatchObject({ jsonrpc: '2.0', result: { instrument_name: 'BTC-PERPETUAL' } })
    expect(body).not.toHaveProperty('id')
    const wrong = await get('/public/get_order_book?instrument_name=BTC-PERPETUAL&depth=five')
    expect(wrong).toMatchObject({ status: 400, body: { error: { code: -32602 } } })
  })

  test('S002 S005 a body has an id, which the answer repeats, with or without the method in its address', async () => {
    const request = '{"jsonrpc":"2.0","id":"a","method":"public/get_time","params":{}}'
    for (const path of ['', '/public/get_time']) {
      expect(await post(path, request)).toMatchObject({ status: 200, body: { id: 'a' } })
    }
    expect(await post('/public/status', request)).toMatchObject({
      status: 400,
      body: { error: { code: -32600, data: { reason: 'method_not_that_of_the_path' } } },
    })
    expect(await post('/public/get_time', '{"jsonrpc":"2.0","id":1}')).toMatchObject({
      status: 200,
    })
  })

  test.each([
    ['a text that is no JSON', '{', 400, -32700],
    ['R31 a batch', '[]', 400, -32600],
    ['an unknown method', '{"jsonrpc":"2.0","id":1,"method":"public/x"}', 400, -32601],
    ['more than 32 KiB', `{"x":"${'x'.repeat(40_000)}"}`, 400, -32600],
  ])('R14 %s', async (_what, text, status, code) => {
    expect(await post('', text)).toMatchObject({ status, body: { error: { code } } })
  })

  test('an address outside the interface is not found', async () => {
    const response = await fetch(`http://127.0.0.1:${venue.port}/nothing`)
    expect(response.status).toBe(404)
    const other = await fetch(`${venue.url}/public/get_time`, { method: 'DELETE' })
    expect(other.status).toBe(405)
  })

  test('S321 health shows the clock and the version of the interface', async () => {
    const response = await fetch(`http://127.0.0.1:${venue.port}/healthz`)
    expect(await response.json()).toMatchObject({
      status: 'open',
      clock: 'stepped',
      version: '2.1.1',
    })
  })

  test('pages of other origins may send requests if the server allows it', async () => {
    const response = await fetch(`${venue.url}/public/get_time`, { method: 'OPTIONS' })
    expect(response.status).toBe(204)
    expect(response.headers.get('access-control-allow-origin')).toBe('*')
  })
})

describe('authentication', () => {
  test('S280 the secret of a key', async () => {
    const path = '/private/get_account_summary?currency=BTC'
    expect(await get(path, basic('alice'))).toMatchObject({
      status: 200,
      body: { result: { balance: 10 } },
    })
    const wrong = `Basic ${Buffer.from('alice:wrong').toString('base64')}`
    expect(await get(path, wrong)).toMatchObject({ status: 401, body: { error: { code: 13009 } } })
    expect(await get(path)).toMatchObject({ status: 401, body: { error: { code: 13009 } } })
  })

  test('S280 a token', async () => {
    const { body } = await get(
      '/public/auth?grant_type=client_credentials&client_id=alice&client_secret=alice-secret&scope=trade:read',
    )
    const { access_token } = body.result as { readonly access_token: string }
    const bearer = `Bearer ${access_token}`
    expect(await get('/private/get_positions', bearer)).toMatchObject({ status: 200 })
    expect(await get(`/private/get_positions?access_token=${access_token}`)).toMatchObject({
      status: 200,
    })
    expect(await get('/private/get_account_summary?currency=BTC', bearer)).toMatchObject({
      status: 403,
      body: { error: { code: 13021, data: { reason: 'scope_mismatch', param: 'account:read' } } },
    })
    expect(await get('/public/auth?grant_type=client_credentials&client_id=alice&client_secret=no')).toMatchObject({
      status: 401,
      body: { error: { code: 13004 } },
    })
  })

  test('S280 a signature of the request, valid once', async () => {
    const uri = '/api/v2/private/get_positions?currency=BTC'
    const signed = (nonce: string, ts: number, secret = 'alice-secret'): string => {
      const text = `${ts}\n${nonce}\nGET\n${uri}\n\n`
      const sig = createHmac('sha256', secret).update(text).digest('hex')
      return `deri-hmac-sha256 id=alice,ts=${ts},sig=${sig},nonce=${nonce}`
    }
    const virtual = Date.parse('2026-01-05T09:00:00Z')
    const path = '/private/get_positions?currency=BTC'
    const statusOf = async (header: string): Promise<number> => (await get(path, header)).status
    expect(await statusOf(signed('one', Date.now()))).toBe(200)
    expect(await statusOf(signed('one', Date.now()))).toBe(401)
    expect(await statusOf(signed('two', virtual))).toBe(200)
    expect(await statusOf(signed('three', virtual - 61_000))).toBe(401)
    expect(await statusOf(signed('four', virtual, 'bob-secret'))).toBe(401)
  })

  test('S294 R30 get_subaccounts answers a bad token with a flat error', async () => {
    expect(await get('/private/get_subaccounts')).toEqual({
      status: 401,
      body: { jsonrpc: '2.0', id: null, message: 'unauthorized', error: 13009 },
    })
    expect(await get('/private/get_subaccounts', basic('alice'))).toMatchObject({ status: 200 })
  })

  test.each([
    ['S007 subscribing', '/public/subscribe?channels=["ticker.BTC-PERPETUAL.100ms"]', 400],
    ['S007 heartbeats', '/public/set_heartbeat?interval=10', 400],
    ['S273 logging out', '/private/logout', 400],
    ['S007 subscribing privately', '/private/subscribe?channels=["user.lock"]', 400],
    ['R12 cancel-on-disconnect of the connection', '/private/enable_cancel_on_disconnect', 400],
  ])('%s needs a WebSocket', async (_what, path, status) => {
    expect(await get(path, basic('alice'))).toMatchObject({
      status,
      body: { error: { code: 10030 } },
    })
  })

  test('S273 logging out over HTTP answers 400 even without a token', async () => {
    for (const path of ['/private/logout', '/private/unsubscribe_all']) {
      expect(await get(path)).toMatchObject({ status: 400, body: { error: { code: 10030 } } })
    }
  })

  test('S293 a query repeats its id, unless it is a parameter', async () => {
    expect((await get('/public/get_time?id=7')).body.id).toBe(7)
    expect((await get('/public/get_time?id=seven')).body.id).toBe('seven')
    expect((await get('/public/nothing?id=7')).body.id).toBe(7)
    const block = await get('/private/get_block_trade?id=BLOCK-7', basic('alice'))
    expect('id' in block.body).toBe(false)
  })

  test('R12 cancel-on-disconnect of the account does not', async () => {
    const path = '/private/enable_cancel_on_disconnect?scope=account'
    expect(await get(path, basic('alice'))).toMatchObject({ status: 200, body: { result: 'ok' } })
  })
})

describe('how servers are opened', () => {
  test('a port that is in use is reported, and nothing stays open', async () => {
    const second = await createServer({ scenario, port: venue.port })
    expect(second).toMatchObject({ ok: false, error: { kind: 'io' } })
  })

  test('a scenario with a mistake is not served', async () => {
    const opened = await createServer({ scenario: { ...scenario, instruments: ['BTC-NOTHING'] } })
    expect(opened).toMatchObject({ ok: false, error: { kind: 'input' } })
  })

  test('an unknown kind of clock is refused', async () => {
    await expect(createServer({ scenario, clock: 'fast' })).rejects.toThrow(
      'clock: expected wall, stepped or scaled:RATE with a rate up to 100000, found fast',
    )
  })

  test('controls are served only if an option enables them', async () => {
    const opened = await createServer({ scenario, clock: 'wall' })
    if (!opened.ok) throw new Error(opened.error.lines.join())
    const sim = `Basic ${Buffer.from('sim:sim-secret').toString('base64')}`
    const response = await fetch(`${opened.value.url}/sim/advance?to=1`, {
      headers: { authorization: sim },
    })
    expect(await response.json()).toMatchObject({ error: { code: -32601 } })
    await opened.value.close()
  })

  test.each(['wall', 'scaled:60', 'stepped'])(
    'V13 sim/advance moves a clock of %s, to a time or by a duration',
    async (clock) => {
      const opened = await createServer({ scenario, clock, sim: true })
      if (!opened.ok) throw new Error(opened.error.lines.join())
      const headers = { authorization: `Basic ${Buffer.from('sim:sim-secret').toString('base64')}` }
      const askNumber = async (path: string): Promise<number> => {
        const response = await fetch(`${opened.value.url}/${path}`, { headers })
        return ((await response.json()) as { readonly result: number }).result
      }
      const before = await askNumber('public/get_time')
      const to = before + 3_600_000
      const reached = await askNumber(`sim/advance?to=${to}`)
      expect(reached).toBeGreaterThanOrEqual(to)
      expect(await askNumber('sim/advance?by=1.5h')).toBeGreaterThanOrEqual(reached + 5_400_000)
      const now = opened.value.now()
      expect(opened.value.advance('250us')).not.toBe(now)
      expect(() => opened.value.advance('104249d')).toThrow('a duration to a time before mid-2255')
      await opened.value.close()
    },
  )
})
