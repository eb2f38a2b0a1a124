/** An event log on disk: a run writes it, `inspect` counts it and finds its digest; a damaged log is refused. */
import {
  lstatSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openEventLog } from '../../../../src/engine.ts'
import { digestOfLog } from '../../../../src/index.ts'
import { inspect, nodeSha256, runFile } from '../../../../src/node.ts'
import { repository } from '../../../support/repository.ts'

const scenario = join(repository, 'scenarios/orders/post-only-slides.yaml')
const look = { head: 0, format: null, symbol: null, columns: null, sha256: null } as const

let home = ''
beforeAll(() => {
  home = mkdtempSync(join(tmpdir(), 'pitclock-log-'))
})
afterAll(() => rmSync(home, { recursive: true, force: true }))

async function writtenLog(): Promise<{ readonly log: string; readonly digest: string }> {
  const log = join(home, 'run.log')
  const run = await runFile(scenario, { log })
  if (!run.ok) throw new Error(run.error.lines.join('\n'))
  expect(run.value.tables).toEqual([])
  return { log, digest: run.value.digest }
}

async function faultOf(log: string): Promise<string | undefined> {
  const found = await inspect(log, look)
  return found.ok ? undefined : found.error.error.found
}

test('a log on disk has the digest of its run, and the events that a program reads', async () => {
  const { log, digest } = await writtenLog()
  const found = await inspect(log, look)
  if (!found.ok || found.value.type !== 'log') throw new Error('expected a log')
  expect(found.value.digest).toBe(digest)
  expect(found.value.families).toContainEqual({ family: 'order', events: 3 })
  const opened = openEventLog(readFileSync(log))
  if (!opened.ok) throw new Error(opened.error.found)
  const changes: string[] = []
  opened.value.each('order', ({ change }) => void changes.push(change))
  expect(changes.length).toBe(3)
  expect(digestOfLog(opened.value.records, nodeSha256)).toBe(digest)
})

test('a log that is cut, changed or too large is refused', async () => {
  const { log } = await writtenLog()
  const bytes = readFileSync(log)
  writeFileSync(log, bytes.subarray(0, -8))
  expect(await faultOf(log)).toBe('a log that ends inside a record')
  bytes[21] = 99
  writeFileSync(log, bytes)
  expect(await faultOf(log)).toBe('code 99 at byte 21')
  // A file with holes takes no room.
  truncateSync(log, 2 ** 31)
  expect(await faultOf(log)).toBe('2147483648 bytes')
})

test('a run that fails keeps the existing log, and leaves no other file', async () => {
  const log = join(home, 'older.log')
  writeFileSync(log, 'an older log')
  const run = await runFile(scenario, { log, events: '/dev/full' })
  expect(run.ok).toBe(false)
  expect(readFileSync(log, 'utf8')).toBe('an older log')
  expect(readdirSync(home).filter((name) => name.includes('partial'))).toEqual([])
})

test('a log replaces the target of a link', async () => {
  const [target, link] = [join(home, 'target.log'), join(home, 'link.log')]
  writeFileSync(target, '')
  symlinkSync(target, link)
  const run = await runFile(scenario, { log: link })
  expect(run.ok).toBe(true)
  expect(lstatSync(link).isSymbolicLink()).toBe(true)
  const found = await inspect(target, look)
  expect(found.ok && found.value.type).toBe('log')
})
