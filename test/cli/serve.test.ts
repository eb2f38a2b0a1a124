/**
 * `pitclock serve` as a program in any language starts it: one line shows its address, a signal ends it, and its
 * journal runs again.
 */
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { type AddressInfo, connect, createServer as createListener } from 'node:net'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { begin, failingDisk, pitclock, type Ran, scratch } from '../support/built-program.ts'
import { type Ready, serve } from '../support/served-program.ts'
import { SocketClient } from '../support/socket-client.ts'

/** Sends a GET request with a key. */
async function ask(ready: Ready, path: string, key?: string): Promise<unknown> {
  const found = ready.keys.find(({ client_id: id }) => id === key)
  const pair = Buffer.from(`${found?.client_id}:${found?.client_secret}`).toString('base64')
  const headers: Record<string, string> = found === undefined ? {} : { authorization: `Basic ${pair}` }
  const response = await fetch(`${ready.url}/${path}`, { headers })
  return ((await response.json()) as { readonly result?: unknown }).result
}

const market = `version: 1
title: Two sides
start: 2026-01-05T09:00:00Z
instruments: [BTC-PERPETUAL]
index: { btc_usd: 60000 }
accounts:
  alice: { deposit: { BTC: 10 } }
  bob: { deposit: { BTC: 10 } }
`

const trade = async (ready: Ready): Promise<void> => {
  const order = 'instrument_name=BTC-PERPETUAL&amount=100&price=60000'
  await ask(ready, `private/sell?${order}&label=one`, 'alice')
  const taken = await ask(ready, `private/buy?${order}`, 'bob')
  expect(taken).toMatchObject({ trades: [{ amount: 100, price: 60_000 }] })
}

test('one line shows its address, and a signal ends it with a folder whose journal has the same digest', async () => {
  const home = scratch()
  const scenario = join(home, 'market.yaml')
  writeFileSync(scenario, market)
  const out = join(home, 'live')
  const server = await serve([scenario, '--clock', 'stepped', '--out', out])
  const { ready } = server
  expect(ready).toMatchObject({ version: 1, clock: 'stepped', time: '2026-01-05T09:00:00Z' })
  expect(ready.keys.map(({ client_id: id }) => id)).toEqual(['alice', 'bob', 'sim'])
  await trade(ready)
  const to = Date.parse(ready.time) + 5000
  expect(await ask(ready, `sim/advance?to=${to}`, 'sim')).toBe(to)
  server.child.kill('SIGINT')
  expect(await server.ended).toMatchObject({ code: 0, err: '' })
  expect(readdirSync(out)).toEqual(expect.arrayContaining(['fills.arrow', 'manifest.json']))
  const manifest = JSON.parse(readFileSync(join(out, 'manifest.json'), 'utf8')) as {
    readonly digest: string
  }
  const again = pitclock(['run', join(out, 'journal.jsonl'), '--json'])
  expect(again.code).toBe(0)
  expect(JSON.parse(again.out)).toMatchObject({ runs: [{ digest: manifest.digest, trades: 1 }] })
})

test('the journal of a killed server has every request that it answered', async () => {
  const out = join(scratch(), 'killed')
  const server = await serve(['--clock', 'stepped', '--out', out])
  const to = Date.parse(server.ready.time) + 3000
  await ask(server.ready, `sim/advance?to=${to}`, 'sim')
  await ask(server.ready, 'private/get_positions', 'alice')
  server.child.kill('SIGKILL')
  await server.ended
  expect(existsSync(out)).toBe(false)
  const journal = join(`${out}.partial`, 'journal.jsonl')
  expect(readFileSync(journal, 'utf8')).toMatch(/"method":"private\/get_positions".*\n$/)
  expect(pitclock(['run', journal]).code).toBe(0)
  const whole = pitclock(['inspect', `${out}.partial`])
  expect([whole.code, whole.err]).toEqual([3, expect.stringContaining('expected the manifest')])
})

test('--log writes lines of JSON to a file, /metrics is served, and --strict refuses misspelt parameters', async () => {
  const log = join(scratch(), 'server.log')
  const server = await serve(['--clock', 'stepped', '--strict', '--log', log])
  const { port, url } = server.ready
  const metrics = await fetch(`http://127.0.0.1:${port}/metrics`)
  expect(await metrics.text()).toContain('pitclock_requests_total{door="http",outcome="ok"} 0\n')
  const misspelt = await fetch(`${url}/public/get_time?tiem=1`)
  expect(misspelt.status).toBe(400)
  server.child.kill('SIGINT')
  expect(await server.ended).toMatchObject({ code: 0, err: '' })
  const lines = readFileSync(log, 'utf8').trimEnd().split('\n')
  const messages = lines.map((line) => (JSON.parse(line) as { readonly msg: string }).msg)
  expect(messages).toEqual(['listening', 'unknown parameter', 'stopped'])
})

test('the greeting shows addresses and keys, and -q prints nothing', async () => {
  const reported = begin(['serve', '--port', '0', '--clock', 'stepped', '--set', 'seed=7'])
  await new Promise<void>((resolve) => {
    let text = ''
    reported.child.stderr?.on('data', (chunk) => {
      text += String(chunk)
      if (text.includes('more accounts')) resolve()
    })
  })
  reported.child.kill('SIGTERM')
  const { code, out, err } = await reported.ended
  expect(code).toBe(0)
  expect(err).toMatch(/http {7}http:\/\/127\.0\.0\.1:\d+\/api\/v2/)
  expect(err).toMatch(/alice +alice-secret/)
  expect(out).toContain('digest')
})

/** The time between a fault and the end of the process, in milliseconds. */
interface Lived {
  readonly wall: number
  readonly waited: number
  readonly worked: number
}

describe('a market that fails internally ends its server', () => {
  test.each([
    ['A2 A3 an internal fault', 'defect', 70, /internal error in pitclock .*a planted defect/s],
    ['A3 a full disk', 'full', 4, /journal\.jsonl: expected a writable path, found no/],
  ] as const)('%s', async (_, kind, code, words) => {
    const home = scratch()
    const [out, mark] = [join(home, 'live'), join(home, 'fault')]
    const args = ['--clock', 'stepped', '--out', out]
    const server = await serve(args, failingDisk(mark, kind))
    const socket = await SocketClient.open(server.ready.socket_url)
    // Clients that do not disconnect by themselves: two with unfinished requests, and one that ignores the close frame.
    const rest = ['', 'POST /api/v2 HTTP/1.1\r\nHost: localhost\r\n'].map((text) => {
      const slow = connect(server.ready.port, '127.0.0.1', () => slow.write(text))
      return slow.on('error', () => undefined)
    })
    const silent = await SocketClient.open(server.ready.socket_url)
    silent.socket.pause()
    await ask(server.ready, 'private/get_positions', 'alice')
    writeFileSync(mark, '')
    const response = await fetch(`${server.ready.url}/public/get_time`)
    expect(await response.json()).toMatchObject({
      error: { code: 11094, data: { reason: 'market_ended' } },
    })
    await socket.until(() => socket.closed !== null)
    expect([socket.closed, socket.reason]).toEqual([1011, 'internal_server_error 11094'])
    expect(socket.heard).toMatchObject([{ id: null, error: { code: 11094 } }])
    expect(await server.ended).toMatchObject({ code, err: expect.stringMatching(words) })
    for (const slow of rest) slow.destroy()
    silent.socket.terminate()
    // A busy machine may suspend the process. Its own waiting and work after the fault take less than a second.
    const lived = JSON.parse(readFileSync(`${mark}.end`, 'utf8')) as Lived
    expect(lived.waited + lived.worked).toBeLessThan(1000)
    process.stderr.write(`${kind}: ended after ${JSON.stringify(lived)} ms\n`)
    await expect(fetch(`${server.ready.url}/public/get_time`)).rejects.toThrow()
    const journal = readFileSync(join(`${out}.partial`, 'journal.jsonl'), 'utf8')
    expect(journal).toMatch(/"method":"private\/get_positions".*\n$/)
  })

  test('A4 of two servers with one folder the second to end reports where its own folder is', async () => {
    const out = join(scratch(), 'live')
    const first = await serve(['--clock', 'stepped', '--out', out])
    const second = await serve(['--clock', 'stepped', '--out', out])
    first.child.kill('SIGTERM')
    expect(await first.ended).toMatchObject({ code: 0 })
    second.child.kill('SIGTERM')
    const { code, err } = await second.ended
    expect([code, err]).toEqual([4, expect.stringContaining('expected an output path that no other')])
    expect(err).toContain(`hint: the complete output is in ${out}.2.partial`)
    const whole = pitclock(['inspect', `${out}.2.partial`])
    expect([whole.code, whole.err]).toEqual([0, ''])
  })
})

test('errors at the start are reported, each with its exit code', async () => {
  const taken = createListener()
  await new Promise<void>((resolve) => taken.listen(0, '127.0.0.1', resolve))
  const { port } = taken.address() as AddressInfo
  const busy = await begin(['serve', '--port', String(port)]).ended
  taken.close()
  expect([busy.code, busy.err]).toEqual([4, expect.stringContaining(String(port))])
  const cases: readonly (readonly [readonly string[], number, RegExp])[] = [
    [['--port', '70000'], 2, /--port: expected a port from 0 to 65535, found 70000/],
    [['--port', 'http'], 2, /--port: expected a port from 0 to 65535, found http/],
    [['--clock', 'scaled'], 2, /--clock: expected wall, stepped or scaled:RATE .*, found scaled/],
    [['--clock', 'scaled:0'], 2, /a rate up to 100000, found scaled:0/],
    [['--clock', 'scaled:100001'], 2, /a rate up to 100000, found scaled:100001/],
    [['--log-level', 'loud'], 2, /--log-level: expected one of silent, .*, found loud/],
    [['--log', 'no-such/server.log', '--port', '0'], 4, /no-such\/server\.log/],
    [['--tls-key', 'key.pem'], 2, /--tls-key and --tls-cert: expected both, found one/],
    [['--tls-key', 'no.pem', '--tls-cert', 'no.pem'], 4, /no\.pem/],
    [['no-such.yaml', '--port', '0'], 4, /no-such\.yaml/],
    [['--set', 'sed=1', '--port', '0'], 3, /sed/],
  ]
  const ran = cases.map(([args]): Ran => pitclock(['serve', ...args]))
  for (const [at, [args, code, words]] of cases.entries()) {
    expect([args, ran[at]?.code, ran[at]?.err]).toEqual([args, code, expect.stringMatching(words)])
  }
})
