/** The pages that may use a server, and the time limit of slow requests. Slow requests take 15 seconds of real time. */
import { type IncomingHttpHeaders, request } from 'node:http'
import { connect, type Socket } from 'node:net'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { WebSocket } from 'ws'
import { createServer, createTestVenue, type Server } from '../../src/node.ts'
import { SocketClient } from '../support/socket-client.ts'

const scenario = {
  version: 1,
  title: 'A market for clients',
  start: '2026-01-05T09:00:00Z',
  instruments: ['BTC-PERPETUAL'],
  index: { btc_usd: 100_000 },
  accounts: { alice: { deposit: { BTC: 10 } } },
}
const APP = 'https://app.example'

let closed: Server
let open: Server

beforeAll(async () => {
  closed = await createTestVenue({ scenario })
  open = await createTestVenue({ scenario, cors: [APP] })
})

afterAll(async () => {
  await Promise.all([closed.close(), open.close()])
})

interface Answer {
  readonly status: number
  readonly text: string
  readonly headers: IncomingHttpHeaders
}

async function asked(venue: Server, headers: Record<string, string>, method = 'GET'): Promise<Answer> {
  return await new Promise((resolve, reject) => {
    const path = '/api/v2/public/get_time'
    const sent = request({ host: '127.0.0.1', port: venue.port, path, method, headers }, (response) => {
      let text = ''
      response.on('data', (part) => {
        text += String(part)
      })
      response.on('end', () => {
        resolve({ status: response.statusCode ?? 0, text, headers: response.headers })
      })
    })
    sent.on('error', reject)
    sent.end()
  })
}

/** The status that answers an upgrade. */
async function upgraded(venue: Server, headers: Record<string, string>): Promise<number> {
  const socket = new WebSocket(venue.socketUrl, { headers })
  return await new Promise((resolve) => {
    socket.on('open', () => {
      socket.terminate()
      resolve(101)
    })
    socket.on('unexpected-response', (_request, { statusCode }) => resolve(statusCode ?? 0))
    socket.on('error', () => undefined)
  })
}

const taken: readonly Record<string, string>[] = [
  {},
  { origin: 'http://localhost:3000' },
  { origin: 'https://127.0.0.1' },
  { origin: 'http://[::1]:8080' },
  { origin: 'http://app.localhost' },
  { host: 'localhost' },
  { host: '127.0.0.1:1' },
  { host: '[::1]:8420' },
]
const refused: readonly Record<string, string>[] = [
  { origin: 'https://evil.example' },
  { origin: APP },
  { origin: 'null' },
  { origin: 'file://' },
  { origin: '' },
  { origin: 'http://localhost.evil.example' },
  { origin: 'http://127.0.0.1.evil.example' },
  { origin: 'http://evil.example/http://localhost' },
  { origin: 'http://localhost@evil.example' },
  { host: 'evil' },
  { host: 'evil.example:8420' },
  { host: 'localhost.evil.example' },
  { host: 'localhost@evil.example' },
  { host: '0.0.0.0:8420' },
  { host: '203.0.113.7' },
  { host: 'app.example', origin: 'http://localhost' },
  { host: 'localhost', origin: 'https://evil.example' },
  { 'sec-fetch-site': 'cross-site' },
]

describe('B5 pages, server.origins', () => {
  test.each(taken)('B5 %o may use a server on this machine', async (headers) => {
    const { status, headers: reported } = await asked(closed, headers)
    expect(status).toBe(200)
    expect(reported['access-control-allow-origin']).toBe(headers['origin'])
    expect(await upgraded(closed, headers)).toBe(101)
  })

  test.each(refused)('B5 %o may not, and gets the reason', async (headers) => {
    for (const method of ['GET', 'POST', 'OPTIONS']) {
      const answer = await asked(closed, headers, method)
      expect(answer.status).toBe(403)
      expect(answer.headers).not.toHaveProperty('access-control-allow-origin')
      expect(JSON.parse(answer.text).error).toMatch(/^(Host|Origin|Sec-Fetch-Site) .*: expected/)
    }
    expect(await upgraded(closed, headers)).toBe(403)
  })

  test('B5 origins named by --cors may, and their hosts are accepted as names of the server', async () => {
    const app = await asked(open, { origin: APP })
    expect([app.status, app.headers['access-control-allow-origin']]).toEqual([200, APP])
    expect((await asked(open, { origin: APP }, 'OPTIONS')).status).toBe(204)
    expect(await upgraded(open, { origin: APP })).toBe(101)
    expect((await asked(open, { host: 'app.example:8420' })).status).toBe(200)
    for (const origin of ['http://app.example', 'https://app.example:8443', 'https://x.app.example']) {
      expect((await asked(open, { origin })).status).toBe(403)
    }
    expect((await asked(open, { host: 'evil.example' })).status).toBe(403)
  })

  test('B5 forks, gateways and other pages refuse them in the same way', async () => {
    await closed.fork('beside')
    const headers = { origin: 'https://evil.example' }
    for (const path of ['/forks/beside/api/v2/public/get_time', '/healthz', '/metrics']) {
      const response = await fetch(`http://127.0.0.1:${closed.port}${path}`, { headers })
      expect(response.status).toBe(403)
    }
  })

  test('B5 an invalid origin is refused as an option', async () => {
    for (const origin of ['app.example', `${APP}/`, '', '*']) {
      await expect(createServer({ scenario, cors: [origin] })).rejects.toThrow('cors: expected')
    }
  })
})

describe('B7 slow requests', () => {
  async function begun(text: string): Promise<Socket> {
    return await new Promise((resolve) => {
      const socket = connect(closed.port, '127.0.0.1', () => {
        socket.write(text)
        resolve(socket)
      })
      socket.on('error', () => undefined)
    })
  }

  test('B7 end after 15 seconds, and then free the place of their address', async () => {
    const head = 'POST /api/v2 HTTP/1.1\r\nHost: localhost\r\n'
    const slow = ['', 'GET', head, `${head}Content-Length: 10\r\n\r\n{`]
    const sockets = await Promise.all(Array.from({ length: 32 }, (_, at) => begun(slow[at % 4] ?? '')))
    const heard = sockets.map(
      (socket) =>
        new Promise<string>((resolve) => {
          let text = ''
          socket.on('data', (part) => {
            text += String(part)
          })
          socket.on('close', () => resolve(text))
        }),
    )
    await expect(SocketClient.open(closed.socketUrl)).rejects.toThrow('429')
    const from = performance.now()
    // Bytes that arrive slowly do not extend the time of a request.
    const drip = setInterval(() => {
      for (const [at, socket] of sockets.entries()) if (at % 4 === 2) socket.write('x')
    }, 1000)
    const texts = await Promise.all(heard)
    clearInterval(drip)
    expect(performance.now() - from).toBeGreaterThan(13_000)
    expect(performance.now() - from).toBeLessThan(60_000)
    // Connections of earlier tests may still be counted.
    for (const text of texts) expect(text).toMatch(/ (408|429) /)
    expect(texts.filter((text) => text.includes(' 408 ')).length).toBeGreaterThan(24)
    const again = await SocketClient.open(closed.socketUrl)
    expect(await again.ask('public/test')).toHaveProperty('result')
    await again.close()
  })
})
