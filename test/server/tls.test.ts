/**
 * A server with TLS: requests, sockets, and handshakes that never finish. Only this test uses the key and certificate.
 */
import { readFileSync } from 'node:fs'
import { request } from 'node:https'
import { type AddressInfo, connect, type Socket } from 'node:net'
import { join } from 'node:path'
import { connect as connectTls } from 'node:tls'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { WebSocket } from 'ws'
import { createTestVenue, type Server } from '../../src/node.ts'
import { openHttp } from '../../src/server/listener.ts'
import { repository } from '../support/repository.ts'

const pem = readFileSync(join(repository, 'test/fixtures/localhost.pem'), 'utf8')
const tls = { key: pem, cert: pem }

/** The header of a ClientHello of 512 bytes, and its first six. */
const halfHello = Buffer.from('160301020001' + '0001fc0303', 'hex')

let venue: Server

beforeAll(async () => {
  venue = await createTestVenue({
    scenario: {
      version: 1,
      title: 'A market behind TLS',
      start: '2026-01-05T09:00:00Z',
      instruments: ['BTC-PERPETUAL'],
      index: { btc_usd: 60_000 },
      accounts: { alice: { deposit: { BTC: 1 } } },
    },
    tls,
  })
})

afterAll(() => venue.close())

/** Opens a connection and sends bytes. */
async function begun(port: number, bytes: Buffer): Promise<Socket> {
  return await new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1', () => {
      socket.write(bytes)
      resolve(socket)
    })
    socket.on('error', () => undefined)
  })
}

/** Resolves once a connection is closed. */
async function closed(socket: Socket): Promise<void> {
  socket.resume()
  await new Promise((resolve) => socket.once('close', resolve))
}

/** Connections whose handshake does not finish: silent ones, and some that stop in the middle of a message. */
async function unfinished(port: number): Promise<readonly Socket[]> {
  const texts = [Buffer.alloc(0), halfHello.subarray(0, 3), halfHello, halfHello]
  return await Promise.all(texts.map((bytes) => begun(port, bytes)))
}

test('it answers requests and sockets, and its addresses say so', async () => {
  expect([venue.url, venue.socketUrl]).toEqual([expect.stringMatching(/^https:/), expect.stringMatching(/^wss:/)])
  const status = await new Promise((resolve, reject) => {
    const asked = request(`${venue.url}/public/get_time`, { ca: pem }, (response) => {
      response.resume()
      resolve(response.statusCode)
    })
    asked.once('error', reject).end()
  })
  expect(status).toBe(200)
  const socket = new WebSocket(venue.socketUrl, { ca: pem })
  await new Promise((resolve) => socket.once('open', resolve))
  socket.send('{"jsonrpc":"2.0","id":1,"method":"public/test"}')
  const reply = await new Promise((resolve) => socket.once('message', (data) => resolve(`${data}`)))
  expect(JSON.parse(String(reply))).toMatchObject({ id: 1, result: {} })
  socket.close()
})

describe('B7 slow handshakes', () => {
  test('B7 end at their time limit, even if bytes keep arriving, and so do requests after a handshake', async () => {
    const millis = 300
    const http = openHttp((_, response) => response.end('there'), tls, millis)
    await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve))
    const { port } = http.address() as AddressInfo
    const from = performance.now()
    const sockets = await unfinished(port)
    const [, , , dripping] = sockets
    const drip = setInterval(() => dripping?.write('x'), millis / 6)
    const greeted = connectTls({ port, host: '127.0.0.1', ca: pem })
    greeted.on('error', () => undefined)
    await new Promise((resolve) => greeted.once('secureConnect', resolve))
    greeted.write('GET / HTTP/1.1\r\nHost: local')
    await Promise.all([...sockets, greeted].map(closed))
    clearInterval(drip)
    expect(performance.now() - from).toBeGreaterThan(millis * 0.9)
    // A request in time gets its answer.
    const status = await new Promise((resolve) => {
      request({ port, host: '127.0.0.1', ca: pem, agent: false }, (response) => {
        resolve(response.resume().statusCode)
      }).end()
    })
    expect(status).toBe(200)
    http.close()
  })

  test('A3 B7 are closed when the server stops, which does not wait for them', async () => {
    const sockets = await unfinished(venue.port)
    const from = performance.now()
    expect((await venue.close()).ok).toBe(true)
    await Promise.all(sockets.map(closed))
    // The time limit of a handshake is 15 seconds.
    expect(performance.now() - from).toBeLessThan(10_000)
  })
})
