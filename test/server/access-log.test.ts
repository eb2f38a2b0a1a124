/**
 * Access logs of a server: each attempt to log in is logged with the address of the client, and the journal gives the
 * same log.
 */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { findAccount } from '../../src/engine/index.ts'
import { createTestVenue, type Server } from '../../src/node.ts'
import { advanceRun, createJournalRun, decodeJournal, finishRun } from '../../src/scenario/index.ts'
import { SocketClient } from '../support/socket-client.ts'

const home = mkdtempSync(join(tmpdir(), 'pitclock-access-'))
const out = join(home, 'run')
let venue: Server

beforeAll(async () => {
  venue = await createTestVenue({
    scenario: {
      version: 1,
      title: 'Who came',
      start: '2026-01-05T09:00:00Z',
      instruments: ['BTC-PERPETUAL'],
      index: { btc_usd: 60_000 },
      accounts: { alice: { deposit: { BTC: 1 }, keys: { desk: {} } }, bob: {} },
    },
    run: { out },
  })
})

afterAll(() => rmSync(home, { recursive: true }))

interface Entry {
  readonly id: number
  readonly log: string
  readonly ip: string
  readonly data?: string
}

/** The log as its account reads it, oldest first, with the text of each entry. */
async function entriesOf(client: SocketClient): Promise<readonly string[]> {
  const { result } = await client.ask('private/get_access_log', { count: 1000 })
  const { data } = result as { readonly data: readonly Entry[] }
  expect(data.map(({ id }) => id)).toEqual(data.map((_, at) => data.length - at))
  return data.toReversed().map(({ log, ip, data: about = '' }) => `${log} ${ip} ${about}`.trim())
}

async function overHttp(secret: string): Promise<number> {
  const words = `grant_type=client_credentials&client_id=alice&client_secret=${secret}`
  return (await fetch(`${venue.url}/public/auth?${words}`)).status
}

test('each attempt to log in with a key is logged, right or wrong, over sockets and HTTP', async () => {
  const reader = await SocketClient.open(venue.socketUrl)
  await reader.authenticate('alice')
  const channels = ['user.access_log']
  expect(await reader.ask('private/subscribe', { channels })).toMatchObject({ result: channels })
  const other = await SocketClient.open(venue.socketUrl)
  const credentials = { grant_type: 'client_credentials', client_id: 'alice' }
  const wrong = await other.ask('public/auth', { ...credentials, client_secret: 'guessed-word' })
  expect(wrong).toMatchObject({ error: { code: 13004 } })
  await other.ask('public/auth', { ...credentials, client_id: 'carol', client_secret: 'x' })
  await other.ask('public/auth', { ...credentials, client_id: 'alice' })
  await other.authenticate('alice/desk')
  const signature = { grant_type: 'client_signature', timestamp: 1, signature: 'made-up-word' }
  await other.ask('public/auth', { ...signature, client_id: 'alice/desk' })
  expect(await overHttp('alice-secret')).toBe(200)
  expect(await overHttp('guessed-word')).toBe(401)
  await other.authenticate('sim')
  const key = { account: 'alice', name: 'late' }
  expect(await other.ask('sim/create_key', key)).toMatchObject({ result: 'ok' })
  // A key that is sent with its request is no log-in, and neither is a refreshed token.
  const authorization = `Basic ${Buffer.from('alice:alice-secret').toString('base64')}`
  await fetch(`${venue.url}/private/get_positions`, { headers: { authorization } })
  const { result } = await other.authenticate('bob')
  const { refresh_token } = result as { readonly refresh_token: string }
  await other.ask('public/auth', { grant_type: 'refresh_token', refresh_token })
  expect(await entriesOf(other)).toEqual(['success 127.0.0.1'])
  const reported = await entriesOf(reader)
  expect(reported).toEqual([
    'new_api_key 127.0.0.1 alice/desk',
    'success 127.0.0.1',
    'failure 127.0.0.1',
    'success 127.0.0.1',
    'failure 127.0.0.1',
    'success 127.0.0.1',
    'failure 127.0.0.1',
    'new_api_key 127.0.0.1 alice/late',
  ])
  const heard = reader.reported('user.access_log') as readonly Entry[]
  expect(heard.map(({ log }) => log)).toEqual(reported.slice(2).map((line) => line.split(' ')[0]))
  expect(JSON.stringify(heard)).not.toMatch(/guessed|made-up|secret/)
  expect(await other.ask('sim/log_access', { account: 'nobody', log: 'success' })).toMatchObject({
    error: { code: -32602 },
  })
})

test('the journal of the session gives the same log, and contains no secret', async () => {
  const closed = await venue.close()
  if (!closed.ok) throw new Error(closed.error.lines.join())
  const text = readFileSync(join(out, 'journal.jsonl'), 'utf8')
  expect(text).not.toMatch(/guessed-word|made-up-word|alice-secret/)
  const journal = decodeJournal(text, 'journal.jsonl')
  if (!journal.ok) throw new Error('the journal can be read')
  const { head, requests } = journal.value
  const hooks = { sink: { emit: () => undefined } }
  const run = createJournalRun(head, requests, hooks, null)
  advanceRun(run, Number.POSITIVE_INFINITY)
  finishRun(run)
  const { exchange, history } = run.desk
  const alice = findAccount(exchange, 'alice')
  const entries = history.accessLog.rows.get(alice?.id ?? (0 as never)) ?? []
  expect(entries.map(({ log }) => log)).toEqual([
    ...['new_api_key', 'success', 'failure', 'success', 'failure', 'success', 'failure'],
    'new_api_key',
  ])
})
