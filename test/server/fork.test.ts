/**
 * Forks of a live market: a fork continues from the same state, with its own clients, and ends as the first market
 * would have. Rule: sim.fork.
 */
import { createHmac } from 'node:crypto'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { createTestVenue, type MarketAccess, runFile } from '../../src/node.ts'
import { busyMarket } from '../support/busy-market.ts'
import { isWhole } from '../support/property-runs.ts'
import { SocketClient } from '../support/socket-client.ts'

const home = mkdtempSync(join(tmpdir(), 'pitclock-fork-'))

afterAll(() => rmSync(home, { recursive: true }))

async function client(venue: Pick<MarketAccess, 'socketUrl'>, key: string): Promise<SocketClient> {
  const opened = await SocketClient.open(venue.socketUrl)
  await opened.authenticate(key)
  return opened
}

const recorded = join(import.meta.dirname, '../../scenarios/backtest/market-maker.yaml')
const bid = { instrument_name: 'BTC-PERPETUAL', amount: 1000, price: 100_050 }

/** The digest of a market with trades, after it is closed. */
async function digestOf(market: MarketAccess): Promise<string> {
  const closed = await market.close()
  if (!closed.ok) throw new Error(closed.error.lines.join())
  expect(closed.value.trades).toBeGreaterThan(0)
  return closed.value.digest
}

describe('sim.fork', () => {
  test.each([
    ['traders of a population', busyMarket],
    ['a recorded book and a strategy', recorded],
  ])('S009 with the same requests a fork of %s ends like its market', async (_, scenario) => {
    const venue = await createTestVenue({ scenario })
    venue.advance('20s')
    const fork = await venue.fork('twin')
    expect(fork.now()).toBe(venue.now())
    expect(fork.url).toBe(`http://127.0.0.1:${venue.port}/forks/twin/api/v2`)
    for (const each of [venue, fork]) each.advance(isWhole ? '10m' : '2m')
    expect(await digestOf(fork)).toBe(await digestOf(venue))
  })

  test('faults reach its strategies as before, whichever clients had some', async () => {
    const venue = await createTestVenue({ scenario: recorded })
    const control = await client(venue, 'sim')
    const fault = { kind: 'drop', of: 'notifications', channels: ['book'], probability: 0.5 }
    await control.ask('sim/set_faults', { faults: [fault] })
    const watcher = await SocketClient.open(venue.socketUrl)
    await watcher.authenticate('maker')
    await watcher.ask('public/subscribe', { channels: ['book.BTC-PERPETUAL.raw'] })
    venue.advance('10m')
    const { result } = await control.ask('sim/get_faults')
    expect(result).toMatchObject({ counts: [{ kind: 'drop', of: 'notifications' }] })
    for (const each of [watcher, control]) await each.close()
    const fork = await venue.fork('twin')
    for (const each of [venue, fork]) each.advance('10m')
    expect(await digestOf(fork)).toBe(await digestOf(venue))
  })

  test('clients of a fork move only the fork, and its folder runs again to its digest', async () => {
    const out = join(home, 'run')
    const venue = await createTestVenue({ scenario: busyMarket, run: { out } })
    venue.advance('5s')
    const alice = await client(venue, 'alice')
    const control = await client(venue, 'sim')
    await control.ask('sim/snapshot', { name: 'early' })
    venue.advance('5s')
    const bought = await alice.ask('private/buy', bid)
    expect(bought.result).toMatchObject({ order: { order_state: 'filled' } })
    expect(await control.ask('sim/fork', { name: 'other', from: 'early' })).toMatchObject({
      result: {
        name: 'other',
        api: '/forks/other/api/v2',
        websocket: '/forks/other/ws/api/v2',
        timestamp: Date.parse('2026-01-05T09:00:05Z'),
      },
    })
    const there = { socketUrl: venue.socketUrl.replace('/ws/', '/forks/other/ws/') }
    const twin = await client(there, 'alice')
    const steers = await client(there, 'sim')
    const position = { instrument_name: 'BTC-PERPETUAL' }
    // The fork has no later trades of its market, and tokens of one market are invalid in the other.
    expect(await twin.ask('private/get_position', position)).toMatchObject({ result: { size: 0 } })
    await steers.ask('sim/advance', { to: Date.parse('2026-01-05T09:00:30Z') })
    const sold = await twin.ask('private/sell', { ...bid, price: 99_900 })
    expect(sold.result).toMatchObject({ order: { filled_amount: 1000 } })
    expect(await alice.ask('private/get_position', position)).toMatchObject({
      result: { size: 1000 },
    })
    expect(venue.now()).toBe('2026-01-05T09:00:10Z')
    const health = await fetch(`http://127.0.0.1:${venue.port}/forks/other/healthz`)
    expect(await health.json()).toMatchObject({ status: 'open', time: '2026-01-05T09:00:30Z' })
    for (const each of [alice, control, twin, steers]) await each.close()
    const digest = await digestOf(venue)
    const again = async (folder: string): Promise<unknown> => {
      const run = await runFile(join(folder, 'journal.jsonl'))
      return run.ok ? run.value.digest : run.error.lines
    }
    expect(await again(out)).toBe(digest)
    const manifest = JSON.parse(readFileSync(`${out}-other/manifest.json`, 'utf8')) as {
      readonly digest: string
    }
    expect(manifest.digest).not.toBe(digest)
    expect(await again(`${out}-other`)).toBe(manifest.digest)
  })

  test('a fork of a fork, and a fork of a restored market', async () => {
    const venue = await createTestVenue({ scenario: busyMarket })
    const control = await client(venue, 'sim')
    venue.advance('5s')
    await control.ask('sim/snapshot', { name: 'early' })
    venue.advance('5s')
    await control.ask('sim/restore', { name: 'early' })
    venue.advance('1s')
    const first = await venue.fork('first')
    first.advance('2s')
    const there = await client(first, 'sim')
    await there.ask('sim/fork', { name: 'second' })
    const place = { socketUrl: venue.socketUrl.replace('/ws/', '/forks/second/ws/') }
    const steers = await client(place, 'sim')
    const time = await steers.ask('public/get_time')
    expect(time.result).toBe(Date.parse('2026-01-05T09:00:08Z'))
    await venue.close()
  })

  test('names are letters, digits, - and _, and unique; an unknown snapshot is refused', async () => {
    const venue = await createTestVenue({ scenario: busyMarket })
    const control = await client(venue, 'sim')
    const refusal = async (params: object): Promise<unknown> => (await control.ask('sim/fork', params)).error?.data
    expect(await refusal({ name: 'a b' })).toMatchObject({ param: 'name' })
    expect(await refusal({})).toMatchObject({ param: 'name', reason: 'required' })
    expect(await refusal({ name: 'one', from: 'never' })).toEqual({
      param: 'from',
      reason: 'unknown_value',
      detail: 'no snapshot is named never',
    })
    expect(await refusal({ name: 'one' })).toBeUndefined()
    expect(await refusal({ name: 'one' })).toEqual({ param: 'name', reason: 'exists' })
    await expect(venue.fork('one')).rejects.toThrow('fork one')
    const none = await fetch(`http://127.0.0.1:${venue.port}/forks/none/api/v2/public/get_time`)
    expect(none.status).toBe(404)
    const alice = await client(venue, 'alice')
    expect(await alice.ask('sim/fork', { name: 'two' })).toMatchObject({ error: { code: 13021 } })
    await venue.close()
  })

  test('a fork that cannot open is reported, ends nothing, and leaves its name free', async () => {
    const out = join(home, 'taken')
    mkdirSync(`${out}-b`)
    writeFileSync(join(`${out}-b`, 'notes.txt'), 'not a run')
    const venue = await createTestVenue({ scenario: busyMarket, run: { out } })
    await expect(venue.fork('b')).rejects.toThrow('folder')
    const gone = await fetch(`http://127.0.0.1:${venue.port}/forks/b/api/v2/public/get_time`)
    expect(gone.status).toBe(404)
    rmSync(`${out}-b`, { recursive: true })
    const fork = await venue.fork('b')
    await fork.close()
    rmSync(`${out}-b`, { recursive: true })
    const again = await venue.fork('b')
    expect(again.now()).toBe(venue.now())
    await venue.close()
  })

  test('tokens of a market are invalid in its forks, even if both issued them in the same way', async () => {
    const venue = await createTestVenue({ scenario: busyMarket })
    const fork = await venue.fork('b')
    const tokenOf = async (market: MarketAccess, key: string): Promise<string> => {
      const given = `client_id=${key}&client_secret=${key}-secret&grant_type=client_credentials`
      const answer = await fetch(`${market.url}/public/auth?${given}&scope=session:x`)
      const { result } = (await answer.json()) as { readonly result: { access_token: string } }
      return result.access_token
    }
    const ofAlice = await tokenOf(venue, 'alice')
    const ofControl = await tokenOf(fork, 'sim')
    const statusOf = async (token: string): Promise<number> => {
      const headers = { authorization: `Bearer ${token}` }
      return (await fetch(`${fork.url}/sim/get_faults`, { headers })).status
    }
    expect([await statusOf(ofAlice), await statusOf(ofControl)]).toEqual([403, 200])
    const control = await client(fork, 'sim')
    // If a request has a token, only the token counts.
    const shown = await control.ask('sim/get_faults', { access_token: 'none' })
    expect(shown.error).toMatchObject({ code: 13021 })
    await venue.close()
  })

  test('a signature covers the address that was sent, or that a client appends', async () => {
    const venue = await createTestVenue({ scenario: busyMarket })
    const fork = await venue.fork('b')
    const path = '/api/v2/private/get_open_orders'
    const statusOf = async (uri: string, nonce: string): Promise<number> => {
      const ts = String(Date.parse(fork.now()))
      const text = `${ts}\n${nonce}\nGET\n${uri}\n\n`
      const sig = createHmac('sha256', 'alice-secret').update(text).digest('hex')
      const headers = {
        authorization: `deri-hmac-sha256 id=alice,ts=${ts},nonce=${nonce},sig=${sig}`,
      }
      return (await fetch(`http://127.0.0.1:${venue.port}/forks/b${path}`, { headers })).status
    }
    expect(await statusOf(`/forks/b${path}`, 'one')).toBe(200)
    expect(await statusOf(path, 'two')).toBe(200)
    expect(await statusOf('/forks/c/api/v2/private/get_open_orders', 'three')).toBe(401)
    await venue.close()
  })

  test('a fork has no connections of its market: snapshots and restores there keep their orders', async () => {
    const venue = await createTestVenue({ scenario: { ...busyMarket, population: undefined } })
    const alice = await client(venue, 'alice')
    await alice.ask('private/enable_cancel_on_disconnect')
    await alice.ask('private/buy', { ...bid, price: 90_000 })
    const fork = await venue.fork('b')
    const steers = await client(fork, 'sim')
    const there = await client(fork, 'alice')
    const orders = async (): Promise<unknown> =>
      ((await there.ask('private/get_open_orders')).result as readonly unknown[]).length
    expect(await orders()).toBe(1)
    await steers.ask('sim/snapshot', { name: 'here' })
    await steers.ask('sim/restore', { name: 'here' })
    expect(await orders()).toBe(1)
    await venue.close()
  })

  test('a server that does not serve sim/ has no forks either', async () => {
    const venue = await createTestVenue({ scenario: busyMarket, clock: 'wall' })
    await expect(venue.fork('one')).rejects.toThrow('fork one')
    await venue.close()
  })
})
