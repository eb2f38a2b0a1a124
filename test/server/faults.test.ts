/**
 * Faults on demand over real sockets and HTTP: a client meets the requested faults, controls always work, and the
 * journal of the market gives the same events.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeEach, describe, expect, test } from 'vitest'
import { createTestVenue, type RunReport, runFile, type Server } from '../../src/node.ts'
import { type Heard, SocketClient } from '../support/socket-client.ts'

const home = mkdtempSync(join(tmpdir(), 'pitclock-faults-'))
afterAll(() => rmSync(home, { recursive: true }))

const instrument_name = 'BTC-PERPETUAL'
const bid = { instrument_name, amount: 10, price: 59_000 }
const raw = `book.${instrument_name}.raw`

const document = {
  version: 1,
  title: 'A market whose messages meet faults',
  start: '2026-01-05T09:00:00Z',
  instruments: [instrument_name],
  index: { btc_usd: 60_000 },
  accounts: { alice: { deposit: { BTC: 1 } }, bob: { deposit: { BTC: 1 } } },
}

let venue: Server
let alice: SocketClient
let control: SocketClient

async function open(faults: readonly object[] = []): Promise<void> {
  const scenario = { ...document, faults }
  venue = await createTestVenue({ scenario, run: { out: join(home, 'run'), force: true } })
  control = await clientOf('sim')
  alice = await clientOf('alice')
}

async function clientOf(account: string): Promise<SocketClient> {
  const client = await SocketClient.open(venue.socketUrl)
  await client.authenticate(account)
  return client
}

async function setFaults(...faults: readonly object[]): Promise<void> {
  expect((await control.ask('sim/set_faults', { faults })).result).toBe('ok')
}

async function counts(): Promise<unknown> {
  const { result } = await control.ask('sim/get_faults')
  return (result as { readonly counts: unknown }).counts
}

/** Sends a request without waiting for its reply. */
function send(client: SocketClient, id: number, method: string, params: object): void {
  client.socket.send(JSON.stringify({ jsonrpc: '2.0', id, method, params }))
}

/** All messages that the server has sent to a client until now have arrived. */
async function settled(client: SocketClient): Promise<void> {
  await client.ask('public/get_time')
}

function repliesTo({ heard }: SocketClient, id: number): readonly Heard[] {
  return heard.filter((frame) => frame.id === id)
}

/** An order of bob's, which changes the book. */
async function change(price: number): Promise<void> {
  const bob = await clientOf('bob')
  expect((await bob.ask('private/buy', { ...bid, price })).error).toBeUndefined()
  await bob.close()
}

/** Closes the market and runs its journal. */
async function close(): Promise<RunReport> {
  const closed = await venue.close()
  if (!closed.ok) throw new Error(closed.error.lines.join())
  const again = await runFile(join(home, 'run', 'journal.jsonl'))
  expect(again.ok && again.value.digest).toBe(closed.value.digest)
  return closed.value
}

beforeEach(() => open())
afterEach(() => venue.close())

describe('replies over a socket', () => {
  test('are dropped although the request was carried out', async () => {
    await setFaults({ kind: 'drop', of: 'replies', methods: ['private/buy'], most: 1 })
    send(alice, 900, 'private/buy', bid)
    await settled(alice)
    expect(repliesTo(alice, 900)).toEqual([])
    const { result } = await alice.ask('private/get_open_orders', {})
    expect(result).toMatchObject([{ price: 59_000 }])
    expect((await alice.ask('private/buy', bid)).error).toBeUndefined()
    expect(await counts()).toEqual([{ kind: 'drop', of: 'replies', count: 1 }])
    expect((await close()).faults).toEqual([{ kind: 'drop', of: 'replies', count: 1 }])
  })

  test('are delayed by the clock of the market', async () => {
    await setFaults({ kind: 'delay', of: 'replies', by: '200ms', methods: ['private/buy'] })
    send(alice, 900, 'private/buy', bid)
    await settled(alice)
    venue.advance('199ms')
    await settled(alice)
    expect(repliesTo(alice, 900)).toEqual([])
    venue.advance('1ms')
    await settled(alice)
    expect(repliesTo(alice, 900)).toHaveLength(1)
    await close()
  })

  test('are doubled and reordered', async () => {
    await setFaults({ kind: 'double', of: 'replies', methods: ['private/buy'], account: 'alice' })
    send(alice, 900, 'private/buy', bid)
    await settled(alice)
    expect(repliesTo(alice, 900)).toHaveLength(2)
    await setFaults({ kind: 'reorder', of: 'replies', methods: ['public/test'] })
    const from = alice.heard.length
    send(alice, 901, 'public/test', {})
    send(alice, 902, 'public/get_time', {})
    await settled(alice)
    expect(alice.heard.slice(from).map(({ id }) => id)).toMatchObject([902, 901, 3])
    // Without a later reply it is sent when it has waited long enough.
    send(alice, 903, 'public/test', {})
    await control.ask('public/get_time')
    venue.advance('1s')
    await alice.until(() => repliesTo(alice, 903).length === 1)
    await close()
  })
})

describe('notifications', () => {
  test('have a gap that prev_change_id of the book shows', async () => {
    await alice.ask('public/subscribe', { channels: [raw] })
    await setFaults({ kind: 'drop', of: 'notifications', channels: ['book'], most: 1 })
    await change(58_000)
    await change(58_100)
    await settled(alice)
    const [snapshot, second] = alice.reported(raw) as { change_id: number; prev_change_id: number }[]
    expect(second?.prev_change_id).toBe(Number(snapshot?.change_id) + 1)
    expect(alice.reported(raw)).toHaveLength(2)
    await close()
  })

  test('are delayed, doubled and reordered, on the named channels only', async () => {
    const quotes = `quote.${instrument_name}`
    await alice.ask('public/subscribe', { channels: [raw, quotes] })
    await settled(alice)
    await setFaults({ kind: 'double', of: 'notifications', channels: [quotes] })
    await change(58_000)
    await setFaults({ kind: 'reorder', of: 'notifications', channels: [raw], most: 1 })
    const from = alice.heard.length
    await change(58_100)
    await settled(alice)
    const reported = alice.heard.flatMap(({ params }) => (params?.channel ? [params.channel] : []))
    expect(reported.filter((channel) => channel === quotes)).toHaveLength(4)
    const reordered = alice.heard.slice(from).flatMap(({ params }) => params?.channel ?? [])
    expect(reordered.slice(-2)).toEqual([quotes, raw])
    await setFaults({ kind: 'delay', of: 'notifications', by: '1s' })
    await change(58_200)
    await settled(alice)
    const before = alice.reported(raw).length
    venue.advance('1s')
    await settled(alice)
    expect(alice.reported(raw)).toHaveLength(before + 1)
    await close()
  })
})

describe('requests', () => {
  test('are refused in a storm, each with its code, and are in the journal', async () => {
    await setFaults(
      { kind: 'refuse', reason: 'too_many_requests', methods: ['private/buy'] },
      { kind: 'refuse', reason: 'temporarily_unavailable', methods: ['public/ticker'] },
      { kind: 'refuse', reason: 'system_maintenance', account: 'alice' },
    )
    const code = async (method: string, params: object): Promise<number | undefined> =>
      (await alice.ask(method, params)).error?.code
    expect(await code('private/buy', bid)).toBe(10028)
    expect(await code('public/ticker', { instrument_name })).toBe(13028)
    expect(await code('private/get_open_orders', {})).toBe(11051)
    await setFaults()
    expect(await code('private/buy', bid)).toBeUndefined()
    expect((await close()).refused).toBe(3)
  })

  test('over HTTP are answered with 429 and 503, and may get no answer', async () => {
    await setFaults(
      { kind: 'refuse', reason: 'too_many_requests', methods: ['public/ticker'] },
      { kind: 'refuse', reason: 'temporarily_unavailable', methods: ['public/get_time'] },
      { kind: 'refuse', reason: 'system_maintenance', methods: ['public/test'] },
      { kind: 'drop', of: 'replies', methods: ['public/get_currencies'] },
      { kind: 'double', of: 'replies', methods: ['public/status'] },
      { kind: 'delay', of: 'replies', methods: ['public/status'], by: '1s' },
    )
    const ask = async (path: string): Promise<number> => (await fetch(`${venue.url}/${path}`)).status
    expect(await ask(`public/ticker?instrument_name=${instrument_name}`)).toBe(429)
    expect(await ask('public/get_time')).toBe(503)
    expect(await ask('public/test')).toBe(503)
    await expect(ask('public/get_currencies')).rejects.toThrow()
    const late = ask('public/status')
    await alice.ask('public/unsubscribe_all')
    venue.advance('1s')
    expect(await late).toBe(200)
    await close()
  })

  test('over a gateway meet the same faults', async () => {
    const { result } = await alice.ask('public/auth', {
      grant_type: 'client_credentials',
      client_id: 'alice',
      client_secret: 'alice-secret',
      scope: 'session:gateway',
    })
    const authorization = `Bearer ${(result as { access_token: string }).access_token}`
    const ask = async (): Promise<number> => {
      const path = `${venue.gatewayUrl}/ETH_A/api/v2/private/get_open_orders`
      return (await fetch(path, { headers: { authorization } })).status
    }
    await setFaults({ kind: 'refuse', reason: 'too_many_requests' })
    expect(await ask()).toBe(429)
    await setFaults({ kind: 'drop', of: 'replies' })
    await expect(ask()).rejects.toThrow()
    await setFaults()
    expect(await ask()).toBe(200)
    await close()
  })
})

describe('half-open connections', () => {
  test('neither read nor write until they are reset, and then orders are cancelled as on any disconnect', async () => {
    await alice.ask('private/enable_cancel_on_disconnect', { scope: 'connection' })
    await alice.ask('private/buy', bid)
    await alice.ask('public/subscribe', { channels: [raw] })
    await settled(alice)
    const heard = alice.heard.length
    let pongs = 0
    alice.socket.on('pong', () => {
      pongs += 1
    })
    const until = Date.parse(venue.now()) + 5_000
    await setFaults({ kind: 'half_open', account: 'alice', until })
    await change(58_000)
    send(alice, 900, 'public/test', {})
    alice.socket.ping()
    await control.ask('public/get_time')
    venue.advance('4s')
    await control.ask('public/get_time')
    expect(alice.heard).toHaveLength(heard)
    expect([alice.closed, pongs]).toEqual([null, 0])
    const bob = await clientOf('bob')
    const bids = async (): Promise<unknown> => {
      const { result } = await bob.ask('public/get_order_book', { instrument_name })
      return (result as { bids: unknown }).bids
    }
    expect(await bids()).toEqual([
      [59_000, 10],
      [58_000, 10],
    ])
    venue.advance('1s')
    await alice.until(() => alice.closed !== null)
    expect(alice.heard).toHaveLength(heard)
    expect(await bids()).toEqual([[58_000, 10]])
    await close()
  })

  test('are reset when the server stops, which does not wait for them', async () => {
    await settled(alice)
    await setFaults({ kind: 'half_open', account: 'alice' })
    await venue.close()
    await alice.until(() => alice.closed !== null)
    expect(alice.closed).toBe(1006)
  })
})

describe('faults of the market', () => {
  test('begin and end at the times in the file, and clients are notified', async () => {
    await venue.close()
    await open([
      { kind: 'maintenance', from: '10s', until: '20s' },
      { kind: 'index_outage', index: 'btc_usd', from: '30s', until: '5m' },
    ])
    await alice.ask('public/subscribe', { channels: ['platform_state'] })
    venue.advance('10s')
    expect((await alice.ask('private/buy', bid)).error?.code).toBe(11051)
    const over = await fetch(`${venue.url}/private/buy?instrument_name=${instrument_name}&amount=10`)
    expect(over.status).toBe(503)
    expect((await alice.ask('private/get_open_orders', {})).result).toEqual([])
    venue.advance('10s')
    expect((await alice.ask('private/buy', bid)).error).toBeUndefined()
    venue.advance('190s')
    expect((await alice.ask('public/status')).result).toMatchObject({ locked: 'true' })
    venue.advance('2m')
    expect((await alice.ask('public/status')).result).toMatchObject({ locked: 'false' })
    expect(alice.reported('platform_state')).toEqual([
      { maintenance: true },
      { maintenance: false },
      { price_index: 'btc_usd', locked: true },
      { price_index: 'btc_usd', locked: false },
    ])
    await close()
  })

  test('let a running clock jump and continue from there', async () => {
    await venue.close()
    const scenario = { ...document, faults: [{ kind: 'clock_jump', from: '1ms', by: '10m' }] }
    venue = await createTestVenue({
      scenario,
      clock: 'wall',
      run: { out: join(home, 'run'), force: true },
    })
    alice = await clientOf('alice')
    await alice.ask('public/get_time')
    const time = async (): Promise<number> => Number((await alice.ask('public/get_time')).result)
    while ((await time()) < Date.parse('2026-01-05T09:10:00Z'));
    const first = await time()
    await new Promise((resolve) => setTimeout(resolve, 60))
    // It continues at its own pace from the time to which it jumped.
    expect(await time()).toBeGreaterThan(first)
    expect(await time()).toBeLessThan(Date.parse('2026-01-05T09:11:00Z'))
    await close()
  })
})

describe('requested faults', () => {
  test('can be in the file too, are listed with their effects, and are counted in metrics', async () => {
    await venue.close()
    await open([{ kind: 'drop', of: 'replies', methods: ['public/test'], every: 2 }])
    for (const id of [900, 901, 902]) send(alice, id, 'public/test', {})
    await settled(alice)
    expect([900, 901, 902].map((id) => repliesTo(alice, id).length)).toEqual([1, 0, 1])
    const { result } = await control.ask('sim/get_faults')
    expect(result).toMatchObject({
      faults: [{ kind: 'drop', of: 'replies', methods: ['public/test'], every: 2, until: null }],
      counts: [{ kind: 'drop', of: 'replies', count: 1 }],
    })
    const metrics = await (await fetch(venue.url.replace('/api/v2', '/metrics'))).text()
    expect(metrics).toContain('pitclock_faults_total{kind="drop",of="replies"} 1')
  })

  test('never affect the controls, which need their own key', async () => {
    await setFaults(
      { kind: 'refuse', reason: 'system_maintenance' },
      { kind: 'half_open' },
      { kind: 'drop', of: 'replies' },
    )
    expect((await control.ask('sim/get_faults')).result).toBeDefined()
    await setFaults()
    const bob = await clientOf('bob')
    expect((await bob.ask('sim/set_faults', { faults: [] })).error?.code).toBe(13021)
  })

  test.each([
    [{ kind: 'drop' }, 'faults.0.of', 'expected replies or notifications'],
    [{ kind: 'delay', of: 'replies' }, 'faults.0.by', 'expected a delay, such as 250ms'],
    [{ kind: 'delay', of: 'replies', by: '2 s' }, 'faults.0.by', 'expected a duration'],
    [{ kind: 'drop', of: 'replies', by: '1s' }, 'faults.0.by', 'expected no by in a fault of kind drop'],
    [{ kind: 'refuse' }, 'faults.0.reason', 'expected one of too_many_requests'],
    [{ kind: 'half_open', every: 2 }, 'faults.0.every', 'expected no every'],
    [
      { kind: 'drop', of: 'replies', methods: ['sim/advance'] },
      'faults.0.methods.0',
      'expected a served private/ or public/ method',
    ],
    [
      { kind: 'drop', of: 'notifications', channels: ['bok'] },
      'faults.0.channels.0',
      'expected the prefix of a channel name',
    ],
    [{ kind: 'half_open', account: 'carol' }, 'faults.0.account', 'unknown_account'],
    [{ kind: 'half_open', from: 2000, until: 1000 }, 'faults.0.until', 'expected a time after from'],
  ])('that are invalid are refused by name: %j', async (fault, param, problem) => {
    const { error } = await control.ask('sim/set_faults', { faults: [fault] })
    expect(error).toMatchObject({ code: -32602, data: { param } })
    const { reason, detail }: { reason?: string; detail?: string } = error?.data ?? {}
    expect(detail ?? reason).toContain(problem)
    expect((await control.ask('sim/get_faults')).result).toMatchObject({ faults: [] })
  })
})
