/**
 * A live market that is restored to a named snapshot: it continues from there, and its journal gives the same events.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { createTestVenue, runFile } from '../../src/node.ts'
import { busyMarket } from '../support/busy-market.ts'
import { SocketClient } from '../support/socket-client.ts'

const home = mkdtempSync(join(tmpdir(), 'pitclock-rewind-'))

afterAll(() => rmSync(home, { recursive: true }))

test('R64 the clock of a restored live market has the time of its snapshot', async () => {
  const out = join(home, 'run')
  const venue = await createTestVenue({
    scenario: {
      version: 1,
      title: 'A market that is put back',
      start: '2026-01-05T09:00:00Z',
      instruments: ['BTC-PERPETUAL'],
      index: { btc_usd: 60_000 },
      accounts: { alice: { deposit: { BTC: 1 } } },
    },
    run: { out },
  })
  const client = await SocketClient.open(venue.socketUrl)
  await client.authenticate('sim')
  venue.advance('20s')
  await client.ask('sim/snapshot', { name: 'before' })
  venue.advance('30s')
  await client.ask('sim/restore', { name: 'before' })
  expect(venue.now()).toBe('2026-01-05T09:00:20Z')
  expect(venue.advance('5s')).toBe('2026-01-05T09:00:25Z')
  await client.close()
  const closed = await venue.close()
  if (!closed.ok) throw new Error(closed.error.lines.join())
  const again = await runFile(join(out, 'journal.jsonl'))
  expect(again.ok && again.value.digest).toBe(closed.value.digest)
})

interface BookMessage {
  readonly type: string
  readonly change_id: number
  readonly prev_change_id?: number
}

describe('R64 clients of a restored market', () => {
  test('stay connected, and their subscriptions start again with the restored book', async () => {
    const venue = await createTestVenue({ scenario: busyMarket })
    const control = await SocketClient.open(venue.socketUrl)
    await control.authenticate('sim')
    venue.advance('10s')
    const watcher = await SocketClient.open(venue.socketUrl)
    await watcher.authenticate('alice')
    const name = 'book.BTC-PERPETUAL.raw'
    await watcher.ask('public/subscribe', { channels: [name, 'trades.BTC-PERPETUAL.raw'] })
    await control.ask('sim/snapshot', { name: 'here' })
    const read = async (): Promise<unknown> => {
      const params = { instrument_name: 'BTC-PERPETUAL', depth: 100 }
      const { result } = await watcher.ask('public/get_order_book', params)
      const { bids, asks, change_id } = result as Record<string, unknown>
      return { bids, asks, change_id }
    }
    const before = await read()
    venue.advance('10s')
    // Its reply arrives after all earlier messages.
    await watcher.ask('public/test')
    const firstTrades = watcher.reported('trades.BTC-PERPETUAL.raw').flat().length
    const heard = watcher.reported(name).length
    await control.ask('sim/restore', { name: 'here' })
    expect(await read()).toEqual(before)
    const [anew, ...others] = watcher.reported(name).slice(heard) as BookMessage[]
    expect(others).toEqual([])
    expect(anew).toMatchObject({ type: 'snapshot', change_id: (before as BookMessage).change_id })
    venue.advance('10s')
    await read()
    const messages = watcher.reported(name).slice(heard) as BookMessage[]
    for (const [at, { prev_change_id: continued }] of messages.entries()) {
      expect(continued).toBe(messages[at - 1]?.change_id)
    }
    // The same traders repeat their actions.
    const trades = watcher.reported('trades.BTC-PERPETUAL.raw').flat()
    expect(firstTrades).toBeGreaterThan(5)
    expect(trades.slice(firstTrades)).toEqual(trades.slice(0, firstTrades))
    await venue.close()
  })

  test('clients that left since then are gone after it, and their cancel-on-disconnect orders end', async () => {
    const venue = await createTestVenue({ scenario: { ...busyMarket, population: undefined } })
    const control = await SocketClient.open(venue.socketUrl)
    await control.authenticate('sim')
    const alice = await SocketClient.open(venue.socketUrl)
    await alice.authenticate('alice')
    await alice.ask('private/enable_cancel_on_disconnect')
    const order = { instrument_name: 'BTC-PERPETUAL', amount: 1000, price: 50_000 }
    await alice.ask('private/buy', order)
    await control.ask('sim/snapshot', { name: 'here' })
    await alice.close()
    const again = await SocketClient.open(venue.socketUrl)
    await again.authenticate('alice')
    expect(await again.ask('private/get_open_orders')).toMatchObject({ result: [] })
    await control.ask('sim/restore', { name: 'here' })
    expect(await again.ask('private/get_open_orders')).toMatchObject({ result: [] })
    await venue.close()
  })

  test('with feeds and strategies a restore is refused, in the journal too', async () => {
    const out = join(home, 'maker')
    const scenario = join(import.meta.dirname, '../../scenarios/backtest/market-maker.yaml')
    const recorded = join(import.meta.dirname, '../../data/recorded-market')
    const venue = await createTestVenue({ scenario, run: { out } })
    const control = await SocketClient.open(venue.socketUrl)
    await control.authenticate('sim')
    await control.ask('sim/snapshot', { name: 'here' })
    venue.advance('10s')
    expect(await control.ask('sim/restore', { name: 'here' })).toMatchObject({
      error: { code: -32600, data: { reason: 'feeds_or_strategies_go_on' } },
    })
    expect(venue.now()).toBe('2026-01-05T09:00:10Z')
    await control.close()
    const closed = await venue.close()
    const again = await runFile(join(out, 'journal.jsonl'), { feeds: recorded })
    expect(again).toMatchObject({ value: { digest: closed.ok ? closed.value.digest : '' } })
  })
})
