/**
 * The server from a client's view, each in a separate process: orders over one socket compared with a bare echo in the
 * same rotation, the latency of a request at a steady rate, a thousand subscribers of one book, memory of a connection.
 *
 * Times are wall-clock times as a client sees them, so ratios are more reliable than figures.
 */
import { type ChildProcess, fork } from 'node:child_process'
import { createServer as createHttpServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { WebSocket, WebSocketServer } from 'ws'
import { createServer } from '../../src/node.ts'
import { bytesInUse, median, percentile } from './measure.ts'
import type { BenchRow } from './row.ts'

/** Kinds of servers that `--serve KIND` starts. */
export type ServedSort = 'echo' | 'venue'

const ROUNDS = 5
const REQUESTS = 15_000
const IN_FLIGHT = 64
const RATE = 10_000
/** All replies of a round are fewer than a server buffers for a slow client. */
const RATE_SECONDS = 1.5
const SUBSCRIBERS = 1000
const CHANGES = 200
/** Connections for each client address, fewer than the server's limit. */
const PER_ADDRESS = 30

/** Serves until its parent exits; any message of the parent asks for its memory. */
export async function serveBench(sort: ServedSort): Promise<void> {
  const url = sort === 'echo' ? await serveEcho() : await serveVenue()
  process.on('message', () => process.send?.({ bytes: bytesInUse() }))
  process.on('disconnect', () => process.exit(0))
  process.send?.({ url })
}

/** The minimum of any server of JSON over sockets: it reads a message and writes one. */
async function serveEcho(): Promise<string> {
  const http = createHttpServer()
  const sockets = new WebSocketServer({ server: http })
  sockets.on('connection', (socket) => {
    socket.on('message', (data: Buffer) => {
      socket.send(JSON.stringify(JSON.parse(data.toString('utf8'))))
    })
  })
  await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve))
  return `ws://127.0.0.1:${(http.address() as AddressInfo).port}`
}

async function serveVenue(): Promise<string> {
  const scenario = {
    version: 1,
    title: 'A market to measure',
    start: '2026-01-05T09:00:00Z',
    instruments: ['BTC-PERPETUAL'],
    index: { btc_usd: 100_000 },
    accounts: { maker: { deposit: { BTC: 1000 } } },
  }
  const opened = await createServer({ scenario })
  if (!opened.ok) throw new RangeError(opened.error.lines.join('\n'))
  return opened.value.socketUrl
}

interface Served {
  readonly url: string
  readonly child: ChildProcess
}

async function begin(sort: ServedSort): Promise<Served> {
  const [, main = ''] = process.argv
  const child = fork(main, ['--serve', sort], { execArgv: ['--expose-gc'] })
  const { url = '' } = await reported(child)
  return { child, url }
}

async function reported(child: ChildProcess): Promise<{ readonly url?: string; readonly bytes?: number }> {
  return await new Promise((resolve) => {
    child.once('message', (message) => resolve(message as object))
  })
}

async function memoryOf({ child }: Served): Promise<number> {
  child.send('memory')
  const { bytes = Number.NaN } = await reported(child)
  return bytes
}

async function open(url: string, localAddress = '127.0.0.1'): Promise<WebSocket> {
  const socket = new WebSocket(url, { localAddress })
  await new Promise((resolve, reject) => {
    socket.once('open', resolve)
    socket.once('error', reject)
  })
  return socket
}

/** Sends a request and waits for the next message. */
async function ask(socket: WebSocket, method: string, params: object): Promise<void> {
  const answered = new Promise((resolve) => socket.once('message', resolve))
  socket.send(JSON.stringify({ jsonrpc: '2.0', id: 0, method, params }))
  await answered
}

async function authenticate(socket: WebSocket): Promise<void> {
  const key = { client_id: 'maker', client_secret: 'maker-secret' }
  await ask(socket, 'public/auth', { grant_type: 'client_credentials', ...key })
}

/** The text of an order, or of the cancel of the one before it. */
function requestText(count: number): string {
  const isOrder = count % 2 === 0
  const label = `b${count - (isOrder ? 0 : 1)}`
  const price = 99_000 + (count % 100)
  return isOrder
    ? `{"jsonrpc":"2.0","id":${count},"method":"private/buy","params":{"instrument_name":"BTC-PERPETUAL","amount":10,"type":"limit","price":${price},"label":"${label}"}}`
    : `{"jsonrpc":"2.0","id":${count},"method":"private/cancel_by_label","params":{"label":"${label}"}}`
}

/** Requests per second over one socket with a fixed number in flight; every answer is checked. */
async function ratePerSecond(socket: WebSocket): Promise<number> {
  let sent = 0
  let answered = 0
  const begun = performance.now()
  await new Promise<void>((resolve, reject) => {
    const next = (): void => {
      socket.send(requestText(sent))
      sent += 1
    }
    const hear = (data: Buffer): void => {
      const { error } = JSON.parse(data.toString('utf8')) as { readonly error?: object }
      if (error !== undefined) reject(new RangeError(`expected an answer, found ${String(data)}`))
      answered += 1
      if (sent < REQUESTS) next()
      if (answered < REQUESTS) return
      socket.off('message', hear)
      resolve()
    }
    socket.on('message', hear)
    for (let count = 0; count < IN_FLIGHT; count += 1) next()
  })
  return REQUESTS / ((performance.now() - begun) / 1000)
}

/** Figures of a venue and of an echo, by round. */
interface Beside {
  readonly echo: readonly number[]
  readonly venue: readonly number[]
}

/** Measures an echo and a venue in turn, each over a separate socket. */
async function besideEcho({ url }: Served, measure: (socket: WebSocket) => Promise<number>): Promise<Beside> {
  const echo = await begin('echo')
  const sockets = { echo: await open(echo.url), venue: await open(url) }
  await authenticate(sockets.venue)
  const found = { echo: [] as number[], venue: [] as number[] }
  for (let round = 0; round <= ROUNDS; round += 1) {
    const first = round % 2 === 0 ? 'echo' : 'venue'
    for (const who of [first, first === 'echo' ? 'venue' : 'echo'] as const) {
      const figure = await measure(sockets[who])
      // The first round warms up.
      if (round > 0) found[who].push(figure)
    }
  }
  for (const socket of Object.values(sockets)) socket.terminate()
  echo.child.kill()
  return found
}

/** Orders and cancels over one socket, and the same texts to an echo. */
async function benchOrders(of: Served): Promise<readonly BenchRow[]> {
  const { echo, venue } = await besideEcho(of, ratePerSecond)
  const ratios = venue.map((rate, at) => rate / (echo[at] ?? Number.NaN))
  const name = 'orders and cancels over one socket, 64 in flight'
  return [
    { name, value: median(venue), unit: 'requests/s' },
    { name: 'a bare ws echo with JSON of the same texts', value: median(echo), unit: 'requests/s' },
    { name: `${name}, against the echo`, value: median(ratios), unit: 'x', target: '>= 0.5' },
  ]
}

const MILLIS_PER_SECOND = 1000

/** Times from the due time of each request to its answer, at a steady rate, for this server and for an echo. */
async function benchRate(of: Served): Promise<readonly BenchRow[]> {
  const { echo, venue } = await besideEcho(of, slowestAtRate)
  const name = 'p99 of a request over a socket at 10,000 requests/s'
  return [
    { name, value: median(venue), unit: 'ms' },
    { name: `${name}: of a bare echo`, value: median(echo), unit: 'ms' },
  ]
}

/** The 99th percentile of milliseconds from the due time of a request to its answer. */
async function slowestAtRate(socket: WebSocket): Promise<number> {
  const total = RATE * RATE_SECONDS
  const taken = new Float64Array(total)
  let answered = 0
  const done = new Promise<void>((resolve, reject) => {
    socket.once('close', () => reject(new RangeError('a client that fell behind was closed')))
    socket.on('message', (data: Buffer) => {
      const { id } = JSON.parse(data.toString('utf8')) as { readonly id: number }
      taken[id] = performance.now() - dueAt(id)
      answered += 1
      if (answered === total) resolve()
    })
  })
  const begun = performance.now() + 100
  const dueAt = (count: number): number => begun + (count / RATE) * MILLIS_PER_SECOND
  let sent = 0
  while (sent < total) {
    while (sent < total && dueAt(sent) <= performance.now()) {
      socket.send(requestText(sent))
      sent += 1
    }
    await new Promise((resolve) => setImmediate(resolve))
  }
  await done
  socket.removeAllListeners('close').removeAllListeners('message')
  return percentile(taken.sort(), 0.99)
}

/** Many subscribers of one raw book: the delay of their messages, and the memory of each. */
async function benchSubscribers(venue: Served): Promise<readonly BenchRow[]> {
  const maker = await open(venue.url, '127.0.0.1')
  await authenticate(maker)
  const before = await memoryOf(venue)
  const sockets: WebSocket[] = []
  for (let count = 0; count < SUBSCRIBERS; count += 1) {
    sockets.push(await open(venue.url, `127.0.0.${2 + Math.floor(count / PER_ADDRESS)}`))
  }
  const idle = (await memoryOf(venue)) - before
  for (const socket of sockets) {
    await authenticate(socket)
    await ask(socket, 'private/subscribe', { channels: ['book.BTC-PERPETUAL.raw'] })
  }
  const subscribed = (await memoryOf(venue)) - before
  let heard = 0
  let onAll: () => void = () => undefined
  for (const socket of sockets) {
    socket.on('message', () => {
      heard += 1
      if (heard === SUBSCRIBERS) onAll()
    })
  }
  // Waits for the first messages of the subscriptions.
  await new Promise((resolve) => setTimeout(resolve, MILLIS_PER_SECOND))
  const times: number[] = []
  for (let change = 0; change < CHANGES; change += 1) {
    heard = 0
    const all = new Promise<void>((resolve) => {
      onAll = resolve
    })
    const begun = performance.now()
    maker.send(requestText(change))
    await all
    times.push(performance.now() - begun)
  }
  for (const socket of [maker, ...sockets]) socket.terminate()
  const kilobytes = (bytes: number): number => bytes / SUBSCRIBERS / 1000
  const name = '1,000 subscribers of one raw book'
  return [
    { name: `${name}: time until the last receives a change`, value: median(times), unit: 'ms' },
    { name: `${name}: notifications`, value: SUBSCRIBERS / (median(times) / 1000), unit: '/s' },
    { name: 'memory of a connection that asked nothing', value: kilobytes(idle), unit: 'KB' },
    { name: 'memory of one with a token and a book', value: kilobytes(subscribed), unit: 'KB' },
  ]
}

/** Every figure of the server. */
export async function benchServer(): Promise<readonly BenchRow[]> {
  const venue = await begin('venue')
  const rows = [...(await benchOrders(venue)), ...(await benchRate(venue)), ...(await benchSubscribers(venue))]
  venue.child.kill()
  return rows
}
