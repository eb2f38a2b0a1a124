/** `/metrics`: the figures that Prometheus reads from a server. */
import { mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { afterAll, describe, expect, test } from 'vitest'
import { createServer, createTestVenue, type Server, type ServerOptions } from '../../src/node.ts'
import { SocketClient } from '../support/socket-client.ts'

const home = mkdtempSync(join(tmpdir(), 'pitclock-metrics-'))

afterAll(() => rmSync(home, { recursive: true }))

const scenario = {
  version: 1,
  title: 'A market that is measured',
  start: '2026-01-05T09:00:00Z',
  instruments: ['BTC-PERPETUAL'],
  index: { btc_usd: 100_000 },
  accounts: { alice: { deposit: { BTC: 10 } }, bob: { deposit: { BTC: 10 } } },
}

/** The figures of a server by name and labels. */
async function scrape({ port }: Server): Promise<ReadonlyMap<string, number>> {
  const response = await fetch(`http://127.0.0.1:${port}/metrics`)
  expect(response.headers.get('content-type')).toMatch(/^text\/plain; version=0\.0\.4/)
  const lines = (await response.text()).split('\n')
  return new Map(
    lines
      .filter((line) => line !== '' && !line.startsWith('#'))
      .map((line) => [line.slice(0, line.lastIndexOf(' ')), Number(line.split(' ').at(-1))]),
  )
}

async function opened(options: ServerOptions): Promise<Server> {
  const server = await createServer({ scenario, ...options })
  if (!server.ok) throw new Error(server.error.lines.join())
  return server.value
}

/** The sums of a figure over all outcomes, without zeros. */
function requestsOf(figures: ReadonlyMap<string, number>): Readonly<Record<string, number>> {
  const found = [...figures].flatMap(([name, value]) => {
    const [, door, outcome] = /^pitclock_requests_total\{door="(\w+)",outcome="(\w+)"\}$/.exec(name) ?? []
    return door === undefined || value === 0 ? [] : [[`${door} ${outcome}`, value] as const]
  })
  return Object.fromEntries(found)
}

describe('metrics', () => {
  test('requests are counted by transport and outcome; notifications and connections too', async () => {
    const venue = await createTestVenue({ scenario })
    const client = await SocketClient.open(venue.socketUrl)
    await client.ask('private/get_positions')
    await client.authenticate('alice', 'trade:read_write')
    await client.ask('private/get_account_summary', { currency: 'BTC' })
    await client.ask('private/buy', { instrument_name: 'BTC-PERPETUAL', amount: 7 })
    await client.ask('public/nothing')
    await client.ask('public/get_order_book', { instrument_name: 7 })
    client.socket.send('{')
    await client.ask('private/subscribe', { channels: ['user.orders.any.any.raw'] })
    const order = { instrument_name: 'BTC-PERPETUAL', amount: 10, price: 90_000, type: 'limit' }
    await client.ask('private/buy', order)
    await client.until(() => client.reported('user.orders.any.any.raw').length > 0)
    await fetch(`${venue.url}/public/get_time`)
    await fetch(venue.url, { method: 'POST', body: '[]' })
    const figures = await scrape(venue)
    expect(requestsOf(figures)).toEqual({
      ...{ 'http ok': 1, 'http malformed': 1 },
      ...{ 'websocket ok': 3, 'websocket malformed': 1, 'websocket unknown_method': 1 },
      ...{ 'websocket unauthorized': 1, 'websocket forbidden': 1 },
      ...{ 'websocket invalid_params': 1, 'websocket refused': 1 },
    })
    expect(figures.get('pitclock_notifications_total')).toBe(1)
    expect(figures.get('pitclock_connections{door="websocket"}')).toBe(1)
    expect(figures.get('pitclock_connections{door="http"}')).toBeGreaterThanOrEqual(1)
    expect(figures.get('pitclock_virtual_time_seconds')).toBe(Date.parse(scenario.start) / 1000)
    expect(figures.get('pitclock_clock_lag_max_seconds')).toBe(0)
    expect(figures.get('pitclock_event_loop_lag_seconds{quantile="1"}')).toBeGreaterThanOrEqual(0)
    await client.close()
    venue.advance('5s')
    const later = await scrape(venue)
    expect(later.get('pitclock_connections{door="websocket"}')).toBe(0)
    // A clock that is set by a control has no lag.
    expect(later.get('pitclock_clock_lag_max_seconds')).toBe(0)
    await venue.close()
  })

  test('names of parameters are no labels: whatever clients send, the set of figures stays the same', async () => {
    const venue = await createTestVenue({ scenario })
    const before = [...(await scrape(venue)).keys()]
    for (let count = 0; count < 5; count += 1) {
      await fetch(`${venue.url}/public/get_time?a${count}=1&b=2`)
      await fetch(`${venue.url}/public/get_${count}`)
    }
    const figures = await scrape(venue)
    expect([...figures.keys()]).toEqual(before)
    expect(figures.get('pitclock_unknown_parameters_total')).toBe(10)
    await venue.close()
  })

  test('two servers in one process are measured separately', async () => {
    const [one, other] = await Promise.all([createTestVenue({ scenario }), createTestVenue({ scenario })])
    await fetch(`${one.url}/public/get_time`)
    expect(requestsOf(await scrape(one))).toEqual({ 'http ok': 1 })
    expect(requestsOf(await scrape(other))).toEqual({})
    await Promise.all([one.close(), other.close()])
  })

  test('the journal figure equals the size of its file', async () => {
    const out = join(home, 'run')
    const venue = await opened({ clock: 'stepped', run: { out } })
    await fetch(`${venue.url}/public/get_time`)
    const bytes = statSync(join(`${out}.partial`, 'journal.jsonl')).size
    expect((await scrape(venue)).get('pitclock_journal_bytes')).toBe(bytes)
    await venue.close()
    const none = await createTestVenue({ scenario })
    expect((await scrape(none)).get('pitclock_journal_bytes')).toBe(0)
    await none.close()
  })

  test('the lag of a scaled clock is reported in virtual seconds', async () => {
    const venue = await opened({ clock: 'scaled:1000' })
    await scrape(venue)
    // The event loop is checked every 20 ms, from the first scrape on.
    await setTimeout(100)
    const until = performance.now() + 150
    while (performance.now() < until);
    await setTimeout(50)
    const figures = await scrape(venue)
    // 150 ms of real time are 150 s of the market.
    expect(figures.get('pitclock_clock_lag_max_seconds')).toBeGreaterThanOrEqual(149)
    expect(figures.get('pitclock_event_loop_lag_seconds{quantile="1"}')).toBeGreaterThan(0.1)
    await venue.close()
  })

  test('a client that does not read is disconnected and counted; its waiting bytes are reported', async () => {
    const venue = await createTestVenue({ scenario })
    const client = await SocketClient.open(venue.socketUrl)
    client.socket.pause()
    const ask = (id: number): string =>
      JSON.stringify({ jsonrpc: '2.0', id, method: 'public/get_instruments', params: {} })
    let queued = 0
    let slow = 0
    for (let id = 0; slow === 0; id += 1) {
      for (let each = 0; each < 500; each += 1) client.socket.send(ask(id))
      const figures = await scrape(venue)
      queued = Math.max(queued, figures.get('pitclock_queued_bytes') ?? 0)
      slow = figures.get('pitclock_slow_clients_total') ?? 0
    }
    expect(slow).toBe(1)
    expect(queued).toBeGreaterThan(0)
    client.socket.terminate()
    await venue.close()
  })
})
