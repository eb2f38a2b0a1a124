/**
 * A live session is a run: its journal gives the same events, whatever clients did and however they disconnected, and
 * up to the point where it was killed. The other tests send a few hundred requests, `npm run soak:server` sends
 * 100,000.
 */
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { instrumentAt } from '../../src/engine/index.ts'
import { createServer, runFile, type ServerOptions } from '../../src/node.ts'
import { orderIdOut } from '../../src/rpc/index.ts'
import { advanceRun, createJournalRun, decodeJournal, finishRun } from '../../src/scenario/index.ts'
import { ForkedServer } from '../support/forked-server.ts'
import { liveScenario, requestOf } from '../support/live-session.ts'
import { SocketClient } from '../support/socket-client.ts'

const home = mkdtempSync(join(tmpdir(), 'pitclock-live-'))

afterAll(() => rmSync(home, { recursive: true }))

const isWhole = process.env['PITCLOCK_WHOLE'] === '1'
const REQUESTS = isWhole ? 100_000 : 600
const LIMIT_MILLIS = 1_800_000

async function live(
  options: ServerOptions,
  requests: number,
): Promise<{ readonly out: string; readonly digest: string }> {
  const out = join(home, `run-${requests}-${options.clock}`.replace(':', '-'))
  const opened = await createServer({ scenario: liveScenario, ...options, run: { out } })
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
  // Some break off, some disconnect, some stay until the end.
  clients[0]?.socket.terminate()
  await clients[1]?.close()
  const closed = await server.close()
  if (!closed.ok) throw new Error(closed.error.lines.join())
  return { out, digest: closed.value.digest }
}

test.each(['stepped', 'scaled:20'])(
  'a session with a %s clock runs again to its digest',
  async (clock) => {
    const { out, digest } = await live({ clock }, REQUESTS)
    const journal = join(out, 'journal.jsonl')
    const again = await runFile(journal)
    expect(again.ok && again.value.digest).toBe(digest)
    expect(again.ok && again.value.trades).toBeGreaterThan(20)
    const text = readFileSync(journal, 'utf8')
    // Secrets are hidden. Broken connections and refused controls are in the journal.
    expect(text).not.toContain('-secret')
    expect(text.match(/"method":"sim\/disconnect"/g)?.length).toBeGreaterThanOrEqual(1)
    expect(text).toContain(`"refused":"${clock === 'stepped' ? 'forbidden' : 'method_not_found'}"`)
    process.stderr.write(`${text.split('\n').length - 2} requests, digest ${digest.slice(0, 12)}\n`)
  },
  LIMIT_MILLIS,
)

/** Sends requests of ten clients until their server has ended; collects the reported orders by label. */
async function askUntilDead(url: string, reported: Map<string, string>): Promise<void> {
  const clients = await Promise.all(
    Array.from({ length: 10 }, async (_, at) => {
      const client = await SocketClient.open(url)
      await client.authenticate(`client-${at}`)
      return client
    }),
  )
  await Promise.all(
    clients.map(async (client, at) => {
      client.socket.on('error', () => undefined)
      const gone = client.until(() => client.closed !== null).then(() => null)
      for (let count = at; ; count += clients.length) {
        const [method, params] = requestOf(count)
        const reply = await Promise.race([client.ask(method, params), gone])
        if (reply === null) return
        const { order } = (reply.result ?? {}) as { readonly order?: { order_id: string } }
        if (order !== undefined) reported.set(String(count), order.order_id)
      }
    }),
  )
}

test(
  'the journal of a killed server has every order that it reported; a cut-off line is reported',
  async () => {
    const out = join(home, 'killed')
    const server = await ForkedServer.begin({
      ...{ scenario: liveScenario, clock: 'scaled:20', run: { out } },
    })
    const reported = new Map<string, string>()
    const asking = askUntilDead(server.place.socketUrl, reported)
    while (reported.size < REQUESTS / 6) await new Promise((resolve) => setTimeout(resolve, 5))
    await server.kill()
    await asking
    expect(existsSync(out)).toBe(false)
    const file = join(`${out}.partial`, 'journal.jsonl')
    const text = readFileSync(file, 'utf8')
    const journal = decodeJournal(text, file)
    if (!journal.ok) throw new Error('the journal of a server that was killed can be read')
    const { head, requests } = journal.value
    const run = createJournalRun(head, requests, {}, null)
    advanceRun(run, Number.POSITIVE_INFINITY)
    finishRun(run)
    const { exchange, history } = run.desk
    const ids = new Map(
      [...history.orders.values()].map(({ order, label, instrument }) => [
        label,
        orderIdOut(instrumentAt(exchange, instrument), order),
      ]),
    )
    const missing = [...reported].filter(([label, id]) => ids.get(label) !== id)
    expect(missing).toEqual([])
    expect(reported.size).toBeGreaterThanOrEqual(REQUESTS / 6)
    // A line that was cut off is reported with its number.
    const cut = decodeJournal(text.slice(0, -20), file)
    const line = text.split('\n').length - 1
    expect(cut.ok ? [] : cut.error).toMatchObject([{ line, found: 'an incomplete line' }])
    process.stderr.write(`killed after ${requests.length} requests; ${reported.size} orders told\n`)
  },
  LIMIT_MILLIS,
)
