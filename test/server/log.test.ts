/** The log of a server: its lines, and that no line contains a secret. */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { createServer, createTestVenue, type Server } from '../../src/node.ts'
import { signatureOf } from '../../src/server/access/credentials.ts'
import { SocketClient } from '../support/socket-client.ts'

const home = mkdtempSync(join(tmpdir(), 'pitclock-log-'))

afterAll(() => rmSync(home, { recursive: true }))

const scenario = {
  version: 1,
  title: 'A market with a log',
  start: '2026-01-05T09:00:00Z',
  instruments: ['BTC-PERPETUAL'],
  index: { btc_usd: 100_000 },
  accounts: { alice: { deposit: { BTC: 10 } }, bob: { deposit: { BTC: 10 } } },
}

type Line = Readonly<Record<string, unknown>>

function linesOf(file: string): readonly Line[] {
  return readFileSync(file, 'utf8')
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as Line)
}

function messagesOf(file: string): readonly unknown[] {
  return linesOf(file).map(({ msg }) => msg)
}

function basic(id: string, secret: string): string {
  return `Basic ${Buffer.from(`${id}:${secret}`).toString('base64')}`
}

/** A session that uses every kind of secret, right and wrong. Returns these secrets. */
async function session(venue: Server): Promise<readonly string[]> {
  const client = await SocketClient.open(venue.socketUrl)
  const { result } = await client.authenticate('alice')
  const pair = result as { readonly access_token: string; readonly refresh_token: string }
  const { access_token, refresh_token } = pair
  await client.ask('private/get_positions', { access_token })
  const wrong = 'wrong-secret-of-alice'
  const credentials = { grant_type: 'client_credentials', client_id: 'alice' }
  await client.ask('public/auth', { ...credentials, client_secret: wrong })
  // A client may send a secret in place of a name: as a client id, a parameter, a method.
  await client.ask('public/auth', { ...credentials, client_id: wrong, client_secret: 'alice' })
  await client.ask('public/get_time', { [wrong]: 1, [access_token]: 1, user_password: wrong })
  await client.ask(`private/${access_token}`, {})
  const refreshed = await client.ask('public/auth', { grant_type: 'refresh_token', refresh_token })
  const next = refreshed.result as typeof pair
  await client.ask('private/get_positions', { access_token: 'stolen_token' })
  const timestamp = String(Date.parse(scenario.start))
  const signature = signatureOf('alice-secret', { timestamp, nonce: 'once', rest: '' })
  const signed = { timestamp: Number(timestamp), nonce: 'once', data: '', signature }
  const words = { grant_type: 'client_signature', client_id: 'alice' }
  expect(await client.ask('public/auth', { ...words, ...signed })).toHaveProperty('result')
  expect(await client.ask('public/auth', { ...words, ...signed })).toHaveProperty('error')
  const headers = [
    basic('alice', 'alice-secret'),
    basic('alice', wrong),
    `Bearer ${next.access_token}`,
    `deri-hmac-sha256 id=alice,ts=1,sig=${signature},nonce=n`,
    `Secret ${wrong}`,
  ]
  for (const authorization of headers) {
    const path = `private/get_positions?password=${wrong}`
    await fetch(`${venue.url}/${path}`, { headers: { authorization } })
  }
  client.socket.send(`{"client_secret":"${wrong}"`)
  await client.ask('public/get_time')
  await client.close()
  return [
    ...['alice-secret', 'bob-secret', wrong, 'stolen_token', signature, access_token],
    ...[refresh_token, next.access_token, next.refresh_token],
    ...headers.map((header) => header.split(' ')[1] ?? ''),
  ]
}

test.each(['info', 'debug'] as const)('a log of level %s contains no secret of a session', async (level) => {
  const file = join(home, `secrets-${level}.log`)
  const venue = await createTestVenue({ scenario, log: { level, file } })
  const secrets = await session(venue)
  await venue.close()
  const text = readFileSync(file, 'utf8')
  expect(secrets.length).toBe(14)
  for (const secret of secrets) expect(text).not.toContain(secret)
  const failed = linesOf(file).filter(({ msg }) => msg === 'authentication failed')
  expect(failed.map(({ door, method, code }) => `${door} ${method} ${code}`)).toEqual([
    'websocket public/auth 13004',
    'websocket public/auth 13004',
    'websocket private/get_positions 13009',
    'websocket public/auth 13004',
    'http private/get_positions 13009',
    'http private/get_positions 13009',
    // A token that lives with a connection is invalid over HTTP.
    'http private/get_positions 13009',
    'http private/get_positions 13009',
  ])
  expect(text.includes('"msg":"request"')).toBe(level === 'debug')
})

test('connections are logged with the reason of their end and their refused requests', async () => {
  const file = join(home, 'connections.log')
  const venue = await createTestVenue({ scenario, log: { file } })
  const [leaves, logsOut, stays] = await Promise.all([
    SocketClient.open(venue.socketUrl),
    SocketClient.open(venue.socketUrl),
    SocketClient.open(venue.socketUrl),
  ])
  await leaves.ask('public/get_time', { tiem: 1 })
  await leaves.ask('public/get_time', { tiem: 1 })
  await leaves.ask('public/nothing')
  await leaves.close()
  await logsOut.authenticate('alice')
  logsOut.socket.send('{"jsonrpc":"2.0","id":99,"method":"private/logout","params":{}}')
  await logsOut.until(() => logsOut.closed !== null)
  await stays.ask('public/get_time')
  await venue.close()
  const lines = linesOf(file)
  expect(lines[0]).toMatchObject({
    ...{ level: 'info', msg: 'listening', clock: 'stepped', port: venue.port },
    virtual: '2026-01-05T09:00:00Z',
  })
  const closed = lines.filter(({ msg }) => msg === 'connection closed')
  expect(closed.map(({ reason, requests, refused }) => [reason, requests, refused])).toEqual([
    ['the client disconnected', 3, 1],
    ['logout', 2, 0],
    ['the server is shutting down', 1, 0],
  ])
  expect(lines.filter(({ msg }) => msg === 'connection opened')).toHaveLength(3)
  // A name is logged once, and counted at the end.
  const unknown = lines.filter(({ msg }) => msg === 'unknown parameter')
  expect(unknown).toMatchObject([{ method: 'public/get_time', parameter: 'tiem' }])
  expect(lines.at(-1)).toMatchObject({
    ...{ msg: 'stopped', how: 'complete', unknown_parameters: { tiem: 2 } },
    requests: { 'websocket ok': 5, 'websocket unknown_method': 1 },
  })
})

test('a level hides lower ones, and without the option nothing is logged', async () => {
  const file = join(home, 'warnings.log')
  const venue = await createTestVenue({ scenario, log: { file, level: 'warn' } })
  const client = await SocketClient.open(venue.socketUrl)
  await client.ask('private/get_positions')
  await client.close()
  await venue.close()
  expect(messagesOf(file)).toEqual(['authentication failed'])
})

test('a file that cannot be written is reported before the server starts', async () => {
  const log = { file: join(home, 'nowhere', 'server.log') }
  expect(await createServer({ scenario, log })).toEqual({
    ok: false,
    error: {
      kind: 'io',
      lines: [`${log.file}: no such file`],
      errors: [
        {
          code: 'FILE',
          file: log.file,
          expected: 'a file that can be written',
          found: 'no such file',
        },
      ],
    },
  })
  const level = 'loud' as 'info'
  await expect(createServer({ scenario, log: { level } })).rejects.toThrow(
    'log.level: expected one of silent, error, warn, info, debug, found loud',
  )
})
