/**
 * A live market that is put back under a name: it goes on from there, and its journal gives the same events.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { createTestVenue, runFile } from '../../src/node.ts'
import { SocketClient } from '../support/socket-client.ts'

const home = mkdtempSync(join(tmpdir(), 'pitclock-rewind-'))

afterAll(() => rmSync(home, { recursive: true }))

test('R64 a live market that was put back stands at the time of its snapshot', async () => {
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
