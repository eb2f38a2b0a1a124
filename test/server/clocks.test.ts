/**
 * Timeouts of connections follow the clock of the machine, whatever the clock of the market does, and the journal shows
 * how connections ended.
 */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { createTestVenue, runFile, type Server } from '../../src/node.ts'
import { clientMarket } from '../support/client-market.ts'
import { SocketClient } from '../support/socket-client.ts'

const home = mkdtempSync(join(tmpdir(), 'pitclock-clocks-'))
const MINUTE = 60_000

const scenario = { ...clientMarket, title: 'Clients that listen' }
const order = { instrument_name: 'BTC-PERPETUAL', amount: 10, type: 'limit', price: 90_000 }

let venue: Server
let runs = 0
let out = ''

beforeEach(async () => {
  vi.useFakeTimers({
    toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval', 'performance'],
  })
  runs += 1
  out = join(home, `run-${runs}`)
  venue = await createTestVenue({ scenario, run: { out } })
})

afterEach(async () => {
  await venue.close()
  vi.useRealTimers()
})

afterAll(() => rmSync(home, { recursive: true }))

/** Passes time of the machine while messages of the sockets are processed. */
async function pass(millis: number): Promise<void> {
  vi.advanceTimersByTime(millis)
  await heard()
}

async function pinged({ socket }: SocketClient): Promise<void> {
  const answered = new Promise((resolve) => socket.once('pong', resolve))
  socket.ping()
  await answered
}

/** All messages sent until now have arrived, because both ends answer in order. */
async function heard(): Promise<void> {
  const other = await SocketClient.open(venue.socketUrl)
  await other.ask('public/test')
  await other.close()
}

/** A client with cancel-on-disconnect and a resting order. */
async function restingClient(): Promise<SocketClient> {
  const client = await SocketClient.open(venue.socketUrl)
  await client.authenticate('alice')
  await client.ask('private/enable_cancel_on_disconnect')
  await client.ask('private/buy', order)
  return client
}

async function openOrders(): Promise<number> {
  const authorization = `Basic ${Buffer.from('alice:alice-secret').toString('base64')}`
  const response = await fetch(`${venue.url}/private/get_open_orders`, {
    headers: { authorization },
  })
  const { result } = (await response.json()) as { readonly result: readonly unknown[] }
  return result.length
}

/** The lines of the journal that name one of some methods, and whether its replay has the digest of the session. */
async function journalOf(methods: RegExp): Promise<readonly string[]> {
  const closed = await venue.close()
  if (!closed.ok) throw new Error(closed.error.lines.join())
  const file = join(out, 'journal.jsonl')
  const again = await runFile(file)
  expect(again.ok && again.value.digest).toBe(closed.value.digest)
  return readFileSync(file, 'utf8')
    .split('\n')
    .filter((line) => methods.test(line))
}

describe('V2 steps of virtual time', () => {
  test('V2 close no connection and cancel no order', async () => {
    const client = await restingClient()
    venue.advance('11m')
    for (let count = 0; count < 12; count += 1) venue.advance('1m')
    venue.advance('1h')
    await heard()
    expect(client.closed).toBeNull()
    expect(await openOrders()).toBe(1)
    expect(await client.ask('private/get_open_orders')).toHaveProperty('result.length', 1)
    expect(await journalOf(/sim\/(inactivity|disconnect)/)).toEqual([])
  })

  test('V2 expire no token, but time of the machine does', async () => {
    const client = await SocketClient.open(venue.socketUrl)
    await client.authenticate('alice', 'expires:60')
    venue.advance('2h')
    expect(await client.ask('private/get_positions')).toHaveProperty('result')
    vi.advanceTimersByTime(59_999)
    expect(await client.ask('private/get_positions')).toHaveProperty('result')
    // A token is valid until its end, but not at that instant.
    vi.advanceTimersByTime(1)
    expect(await client.ask('private/get_positions')).toMatchObject({ error: { code: 13009 } })
  })

  test('V2 do not affect heartbeats of direct access', async () => {
    const control = await SocketClient.open(venue.socketUrl)
    await control.authenticate('sim')
    const words = { gateway: 'ETH_A', client_id: 'A1', secret: 'only-here' }
    const { gateway: _, ...credential } = words
    await control.ask('sim/direct/set_credential', { ...credential, account: 'ann' })
    // Sockets are numbered from 1001.
    const logon = { ...words, session: 1001, heartbeats: true, schema_version: 19 }
    expect(await control.ask('sim/direct/logon', logon)).toMatchObject({
      result: { message: 'LogonResponse' },
    })
    venue.advance('1m')
    await pass(4999)
    expect(control.closed).toBeNull()
    await pinged(control)
    await pass(4999)
    expect(control.closed).toBeNull()
    vi.advanceTimersByTime(1)
    await control.until(() => control.closed !== null)
    expect(control.reason).toBe('heartbeat failure')
    expect(await journalOf(/sim\/heartbeat_failure/)).toHaveLength(1)
  })
})

describe('V2 ten minutes of the machine without a frame', () => {
  test('V2 close a connection, cancel its orders, and show the reason in the frame and the journal', async () => {
    const client = await restingClient()
    venue.advance('3h')
    await pass(10 * MINUTE - 1)
    expect(client.closed).toBeNull()
    vi.advanceTimersByTime(1)
    await client.until(() => client.closed !== null)
    expect([client.closed, client.reason]).toEqual([1000, 'inactivity'])
    expect(await openOrders()).toBe(0)
    const lines = await journalOf(/sim\/(inactivity|disconnect)/)
    expect(lines.map((line) => JSON.parse(line))).toMatchObject([
      { method: 'sim/inactivity', time: Date.parse('2026-01-05T12:00:00Z') * 1000 },
    ])
  })

  test('V2 also close a connection without a token', async () => {
    const client = await SocketClient.open(venue.socketUrl)
    vi.advanceTimersByTime(10 * MINUTE)
    await client.until(() => client.closed !== null)
    expect(client.reason).toBe('inactivity')
  })

  test.each(['ping', 'request', 'answer to a heartbeat'])('V2 are restarted by a %s', async (how) => {
    const client = await restingClient()
    if (how === 'answer to a heartbeat') await client.ask('public/set_heartbeat', { interval: 540 })
    await pass(9 * MINUTE)
    if (how === 'ping') await pinged(client)
    else await client.ask('public/test')
    await pass(9 * MINUTE)
    expect(client.closed).toBeNull()
    expect(await openOrders()).toBe(1)
  })
})

test('V2 a client that does not answer heartbeats gets the reason when it is closed', async () => {
  const client = await restingClient()
  await client.ask('public/set_heartbeat', { interval: 10 })
  venue.advance('1h')
  await pass(10_000)
  expect(client.closed).toBeNull()
  vi.advanceTimersByTime(10_000)
  await client.until(() => client.closed !== null)
  expect(client.reason).toBe('heartbeat failure')
  expect(await openOrders()).toBe(0)
  expect(await journalOf(/sim\/heartbeat_failure/)).toHaveLength(1)
})

test('V2 a control that closes a session sends the reason in the frame', async () => {
  const client = await restingClient()
  const control = await SocketClient.open(venue.socketUrl)
  await control.authenticate('sim')
  await control.ask('sim/disconnect', { session: 1001 })
  await client.until(() => client.closed !== null)
  expect(client.reason).toBe('disconnect')
})

test('V2 a restored market reopens sessions that its snapshot does not know', async () => {
  const control = await SocketClient.open(venue.socketUrl)
  await control.authenticate('sim')
  await control.ask('sim/snapshot', { name: 'empty' })
  const client = await restingClient()
  await control.ask('sim/restore', { name: 'empty' })
  expect(await openOrders()).toBe(0)
  await client.ask('private/enable_cancel_on_disconnect')
  await client.ask('private/buy', order)
  venue.advance('11m')
  await heard()
  expect(client.closed).toBeNull()
  expect(await openOrders()).toBe(1)
  expect(await journalOf(/sim\/connect/)).toHaveLength(2)
})
