/**
 * A live session is a run: its journal gives the same events, whatever clients did and however they left.
 */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { createServer, runFile, type ServerOptions } from '../../src/node.ts'
import { SocketClient } from '../support/socket-client.ts'

const home = mkdtempSync(join(tmpdir(), 'pitclock-live-'))

afterAll(() => rmSync(home, { recursive: true }))

const scenario = {
  version: 1,
  title: 'A market that goes on by itself',
  start: '2026-01-05T07:59:50Z',
  instruments: ['BTC-PERPETUAL', 'ETH-PERPETUAL'],
  venue: { listed_futures: ['BTC'] },
  index: { btc_usd: 60_000, eth_usd: 3000 },
  accounts: Object.fromEntries(
    Array.from({ length: 10 }, (_, at) => [`client-${at}`, { deposit: { BTC: 10, ETH: 10 } }]),
  ),
  population: {
    instrument: 'BTC-PERPETUAL',
    duration: '1h',
    index: { name: 'btc_usd', price: 60_000, tick: 0.5, every: '4s', step: 12 },
    amount: 10,
    makers: {
      count: 2,
      deposit: { BTC: 20 },
      every: '2s',
      orders: 3,
      offset: [4, 60],
      size: [10, 400],
    },
    takers: { count: 2, deposit: { BTC: 5 }, every: '10s', size: [5, 300], limit_percent: 25 },
  },
}

/** What a client asks for; what is wrong or not allowed is asked for too. */
function requestOf(count: number): readonly [method: string, params: object] {
  const instrument = count % 3 === 0 ? 'ETH-PERPETUAL' : 'BTC-PERPETUAL'
  const price = (instrument === 'ETH-PERPETUAL' ? 3000 : 60_000) + ((count * 7) % 40) - 20
  const order = {
    instrument_name: instrument,
    amount: 10 * (1 + (count % 5)),
    price,
    type: 'limit',
  }
  const asked: readonly (readonly [string, object])[] = [
    ['private/buy', order],
    ['private/sell', order],
    ['private/sell', { ...order, amount: 7 }],
    ['private/cancel_all', {}],
    ['private/buy', { ...order, type: 'market', price: undefined }],
    ['public/ticker', { instrument_name: instrument }],
    ['private/get_positions', {}],
    ['public/nothing', {}],
    ['sim/set_index', { index_name: 'btc_usd', price: 1 }],
    ['private/edit', { order_id: String(count), amount: 10, price }],
  ]
  return asked[(count * 13) % asked.length] ?? ['public/get_time', {}]
}

async function live(
  options: ServerOptions,
  requests: number,
): Promise<{ readonly out: string; readonly digest: string }> {
  const out = join(home, `run-${requests}-${options.clock}`.replace(':', '-'))
  const opened = await createServer({ scenario, ...options, run: { out } })
  if (!opened.ok) throw new Error(opened.error.lines.join())
  const server = opened.value
  const clients = await Promise.all(
    Array.from({ length: 10 }, async (_, at) => {
      const client = await SocketClient.open(server.socketUrl)
      await client.authenticate(`client-${at}`)
      await client.ask('private/enable_cancel_on_disconnect')
      await client.ask('private/subscribe', {
        channels: ['book.BTC-PERPETUAL.100ms', 'user.changes.any.any.raw'],
      })
      return client
    }),
  )
  const each = Math.ceil(requests / clients.length)
  await Promise.all(
    clients.map(async (client, at) => {
      for (let count = 0; count < each; count += 1) {
        const [method, params] = requestOf(count * clients.length + at)
        await client.ask(method, params)
        if (options.clock === 'stepped' && at === 0 && count % 10 === 0) server.advance('900ms')
      }
    }),
  )
  // Some break off, some leave, some are there to the end.
  clients[0]?.socket.terminate()
  await clients[1]?.close()
  const closed = await server.close()
  if (!closed.ok) throw new Error(closed.error.lines.join())
  return { out, digest: closed.value.digest }
}

test.each(['stepped', 'scaled:20'])(
  'a session with a %s clock runs again to its digest',
  async (clock) => {
    const { out, digest } = await live({ clock }, 600)
    const journal = join(out, 'journal.jsonl')
    const again = await runFile(journal)
    expect(again.ok && again.value.digest).toBe(digest)
    expect(again.ok && again.value.trades).toBeGreaterThan(20)
    const text = readFileSync(journal, 'utf8')
    // Secrets are hidden; connections that broke and controls that were refused are there.
    expect(text).not.toContain('-secret')
    expect(text.match(/"method":"sim\/disconnect"/g)?.length).toBeGreaterThanOrEqual(1)
    expect(text).toContain(`"refused":"${clock === 'stepped' ? 'forbidden' : 'method_not_found'}"`)
  },
)
