/**
 * Malformed frames and requests over HTTP and WebSockets, mixed with valid ones. The server never stops and answers
 * every valid id once. It closes connections that break the protocol and does not disturb others, and its memory stays
 * flat. The other tests try a few thousand, `npm run fuzz:frames` tries a million.
 */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { Agent, request as httpRequest } from 'node:http'
import { connect, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { WebSocket } from 'ws'
import { type RandomStream, randomStream } from '../../src/core/index.ts'
import { runFile } from '../../src/node.ts'
import { badBytes, badPath, badText, cutBytes } from '../support/bad-frames.ts'
import { ForkedServer, type Place } from '../support/forked-server.ts'

const isWhole = process.env['PITCLOCK_WHOLE'] === '1'
const total = Number(process.env['PITCLOCK_FUZZ_CASES'] ?? (isWhole ? 1_000_000 : 2000))
const seed = process.env['PITCLOCK_FUZZ_SEED'] ?? 'frames'
const TENTHS = 10
const SOCKETS = 6
const BROWSERS = 4
const BATCH = 100
const LIMIT_MILLIS = 3_600_000
/** Growth that is allowed: compiled code, and the hundred tokens that a connection may have. */
const GROWTH_MAX = 8_000_000

let server: ForkedServer | undefined
const home = mkdtempSync(join(tmpdir(), 'pitclock-frames-'))
const out = join(home, 'run')
const log = join(home, 'server.log')

afterAll(async () => {
  await server?.kill()
  rmSync(home, { recursive: true })
})

const scenario = {
  version: 1,
  title: 'A market that is badly asked',
  start: '2026-01-05T09:00:00Z',
  instruments: ['BTC-PERPETUAL'],
  index: { btc_usd: 60_000 },
  venue: {
    history_limits: { trades: 50, ended_orders: 50, transactions: 50, prices: 50, candles: 50 },
  },
  accounts: { alice: { deposit: { BTC: 1000 } }, bob: { deposit: { BTC: 1000 } } },
}

/** The errors, of which the first are kept. */
const wrong: string[] = []
let numbered = 0

function nextId(): string {
  numbered += 1
  return `f${numbered}`
}

const LISTED_MAX = 20

function blame(text: string): void {
  if (wrong.length < LISTED_MAX) wrong.push(text)
}

const credentials = (account: string): object => ({
  ...{ grant_type: 'client_credentials', client_id: account },
  client_secret: `${account}-secret`,
})

/** A socket that sends batches and counts the replies by id. */
class Asker {
  readonly #socket: WebSocket
  readonly #random: RandomStream
  #answers = new Map<unknown, number>()
  #wake: () => void = () => undefined

  constructor(socket: WebSocket, random: RandomStream) {
    this.#socket = socket
    this.#random = random
    socket.on('message', (data) => {
      const { id, method } = JSON.parse(String(data)) as { id?: unknown; method?: string }
      if (method === 'subscription') return
      this.#answers.set(id, (this.#answers.get(id) ?? 0) + 1)
      if (id === 'end') this.#wake()
    })
    socket.on('close', (code) => {
      blame(`a socket that broke no rule was closed with ${code}`)
      this.#wake()
    })
  }

  static async open({ socketUrl }: Place, name: string): Promise<Asker> {
    const socket = new WebSocket(socketUrl)
    await new Promise((resolve) => socket.once('open', resolve))
    return new Asker(socket, randomStream(seed, name))
  }

  async batch(count: number, account: string | null): Promise<void> {
    const random = this.#random
    const expected = new Map<unknown, number>([['end', 1]])
    const send = (text: string, isBinary = false): void => {
      this.#socket.send(isBinary ? Buffer.from(text) : text)
    }
    this.#answers = new Map()
    if (account !== null) {
      const params = credentials(account)
      send(JSON.stringify({ jsonrpc: '2.0', id: 'me', method: 'public/auth', params }))
      expected.set('me', 1)
    }
    const texts = new Map<unknown, string>()
    for (let each = 0; each < count; each += 1) {
      const { text, id, isBinary } = badText(random, nextId())
      expected.set(id, (expected.get(id) ?? 0) + 1)
      texts.set(id, text)
      // The protocol allows texts in parts, with pings between them.
      if (!isBinary && random.int(0, 30) === 0) {
        const middle = random.int(0, text.length)
        this.#socket.send(text.slice(0, middle), { fin: false })
        this.#socket.ping()
        this.#socket.send(text.slice(middle), { fin: true })
      } else send(text, isBinary)
    }
    const ended = new Promise<void>((resolve) => {
      this.#wake = resolve
    })
    send('{"jsonrpc":"2.0","id":"end","method":"public/test"}')
    await ended
    for (const [id, times] of expected) {
      const found = this.#answers.get(id) ?? 0
      if (found !== times) {
        blame(`${JSON.stringify(id)} answered ${found} times, not ${times}: ${texts.get(id)}`)
      }
    }
    for (const id of this.#answers.keys()) {
      if (!expected.has(id)) blame(`${JSON.stringify(id)} was answered and never asked`)
    }
  }

  close(): void {
    this.#socket.removeAllListeners('close')
    this.#socket.close()
  }
}

interface Answered {
  readonly status: number
  readonly body: string
}

/** Sends the given request over HTTP, valid or not. */
async function browse(
  agent: Agent,
  of: { readonly port: number; readonly path: string; readonly body: string | null },
): Promise<Answered> {
  const { port, path, body } = of
  const headers: Record<string, string> = {}
  if (path.length % 3 === 0) {
    headers['authorization'] = `Basic ${Buffer.from('alice:alice-secret').toString('base64')}`
  } else if (path.length % 7 === 0) headers['authorization'] = 'Bearer \u00ff\u00fe, deri-hmac-sha256'
  const method = body === null ? 'GET' : 'POST'
  return await new Promise((resolve, reject) => {
    const asked = httpRequest({ agent, port, path, method, headers }, (response) => {
      let text = ''
      response.on('data', (chunk) => {
        text += String(chunk)
      })
      response.once('end', () => resolve({ status: response.statusCode ?? 0, body: text }))
      response.once('error', reject)
    })
    asked.once('error', reject)
    asked.end(body ?? undefined)
  })
}

const statuses = new Set([200, 400, 401, 403, 404])

async function browseOnce(agent: Agent, port: number, random: RandomStream): Promise<void> {
  const isGet = random.int(0, 1) === 0
  let given = badText(random, nextId())
  // Over HTTP there are no binary frames.
  while (given.isBinary) given = badText(random, nextId())
  const path = isGet ? badPath(random) : '/api/v2'
  const body = isGet ? null : given.text
  try {
    const answered = await browse(agent, { port, path, body })
    if (!statuses.has(answered.status)) blame(`${answered.status}: ${path} ${body}`)
    const { id } = JSON.parse(answered.body) as { readonly id?: unknown }
    if (!isGet && id !== given.id) blame(`${JSON.stringify(id)} for ${body}`)
  } catch (error) {
    blame(`${String(error)}: ${path} ${body}`)
  }
}

async function plain(port: number): Promise<Socket> {
  const socket = connect(port, '127.0.0.1')
  socket.on('error', () => undefined)
  await new Promise((resolve) => socket.once('connect', resolve))
  return socket
}

const CLOSE_MILLIS = 20_000

/** Breaks a rule and waits until the server closes the connection, or breaks it off. */
async function breakOnce(port: number, random: RandomStream): Promise<void> {
  const socket = await plain(port)
  const closed = new Promise<string>((resolve) => socket.once('close', () => resolve('closed')))
  socket.resume()
  if (random.int(0, 3) === 0) {
    socket.write(cutBytes(random), () => {
      if (random.int(0, 1) === 0) socket.destroy()
      else socket.resetAndDestroy()
    })
    await closed
    return
  }
  const bytes = badBytes(random)
  socket.write(bytes)
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<string>((resolve) => {
    timer = setTimeout(() => resolve('open'), CLOSE_MILLIS)
  })
  const found = await Promise.race([closed, late])
  clearTimeout(timer)
  if (found === 'open') blame(`not closed: ${bytes.subarray(-200).toString('latin1')}`)
  socket.destroy()
}

/** A connection that never finishes its request. After the server has closed it, a new one starts. */
function dawdle(port: number): () => void {
  let socket: Socket | undefined
  let isOver = false
  const begin = (): void => {
    if (isOver) return
    socket = connect(port, '127.0.0.1')
    socket.on('error', () => undefined)
    socket.once('close', begin)
    socket.write('POST /api/v2 HTTP/1.1\r\nHost: x\r\nX-Slow: ')
  }
  begin()
  const timer = setInterval(() => socket?.write('s'), 500)
  return () => {
    isOver = true
    clearInterval(timer)
    socket?.destroy()
  }
}

test(
  'a million malformed frames and requests stop nothing, and every valid id is answered once',
  async () => {
    const begun = performance.now()
    server = await ForkedServer.begin({
      scenario,
      // A faster clock would end sessions of clients that wait for the others.
      clock: 'wall',
      log: { level: 'error', file: log },
      run: { out },
    })
    const { place } = server
    const askers = await Promise.all(Array.from({ length: SOCKETS }, (_, at) => Asker.open(place, `socket ${at}`)))
    const agents = Array.from({ length: BROWSERS }, () => new Agent({ keepAlive: true, maxSockets: 1 }))
    const slow = Array.from({ length: 4 }, () => dawdle(place.port))
    const randoms = agents.map((_, at) => randomStream(seed, `browser ${at}`))
    const breaking = randomStream(seed, 'breaking')
    const perTenth = total / TENTHS
    const heaps: number[] = []
    const frames = Math.ceil((perTenth * 0.87) / SOCKETS)
    for (let tenth = 0; tenth < TENTHS; tenth += 1) {
      await Promise.all([
        ...askers.map(async (asker, at) => {
          const account = at < 2 ? 'alice' : at < 4 ? 'bob' : null
          for (let left = frames; left > 0; left -= BATCH) {
            await asker.batch(Math.min(left, BATCH), account)
          }
        }),
        ...agents.map(async (agent, at) => {
          for (let left = (perTenth * 0.12) / BROWSERS; left > 0; left -= 1) {
            await browseOnce(agent, place.port, randoms[at] ?? breaking)
          }
        }),
        (async () => {
          for (let left = perTenth * 0.01; left > 0; left -= 1) {
            await breakOnce(place.port, breaking)
          }
        })(),
      ])
      const { heap, rss } = await server.memory()
      heaps.push(heap)
      const seconds = Math.round((performance.now() - begun) / 1000)
      const megabytes = (bytes: number): string => (bytes / 1e6).toFixed(1)
      process.stderr.write(
        `tenth ${tenth + 1}: ${megabytes(heap)} MB in use, ${megabytes(rss)} MB resident, ${seconds} s\n`,
      )
      if (wrong.length > 0) break
    }
    for (const end of slow) end()
    for (const agent of agents) agent.destroy()
    for (const asker of askers) asker.close()
    expect(wrong).toEqual([])
    expect(server.isAlive).toBe(true)
    const health = await fetch(`http://127.0.0.1:${place.port}/healthz`)
    expect(await health.json()).toMatchObject({ status: 'open' })
    const metrics = await (await fetch(`http://127.0.0.1:${place.port}/metrics`)).text()
    expect(metrics.match(/outcome="fault"\} (\d+)/g)).toEqual([
      'outcome="fault"} 0',
      'outcome="fault"} 0',
      'outcome="fault"} 0',
    ])
    const [third = 0] = heaps.slice(2)
    expect(Math.min(...heaps.slice(-3)) - third).toBeLessThan(GROWTH_MAX)
    const digest = await server.close()
    expect(readFileSync(log, 'utf8')).toBe('')
    // The journal has every request that reached the market, in whatever form it was sent.
    const again = await runFile(join(out, 'journal.jsonl'))
    expect(again.ok ? again.value.digest : again.error).toBe(digest)
  },
  LIMIT_MILLIS,
)
