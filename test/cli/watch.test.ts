/** `run --watch`: it runs a scenario again after a change of the scenario, its strategy or its recorded file. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { afterAll, afterEach, expect, test } from 'vitest'
import { type Begun, begin, pitclock } from '../support/built-program.ts'

const home = mkdtempSync(join(tmpdir(), 'pitclock-watch-'))
afterAll(() => rmSync(home, { recursive: true }))

/** Commands that no test has ended; a failed test leaves one. */
const running = new Set<Begun>()
afterEach(() => {
  for (const { child } of running) child.kill('SIGKILL')
  running.clear()
})

function write(name: string, text: string): string {
  const path = join(home, name)
  writeFileSync(path, text)
  return path
}

function deposit(title: string, balance: number): string {
  return `version: 1
title: ${title}
start: 2026-01-05T09:00:00Z
instruments: [BTC-PERPETUAL]
index: { btc_usd: 50000 }
accounts: { ann: { deposit: { BTC: 1 } } }
expect: { accounts: { ann: { account_summary: { BTC: { balance: ${balance} } } } } }
`
}

const strategy = (amount: number): string => `import { size } from './size.ts'
import { defineStrategy } from 'pitclock'
export default defineStrategy(() => ({
  onStart: (venue) => venue.request('private/buy', { instrument_name: 'BTC-PERPETUAL', amount: size * ${amount}, price: 49000 }),
}))
`
const quoter = `version: 1
title: Quoter
start: 2026-01-05T09:00:00Z
instruments: [BTC-PERPETUAL]
index: { btc_usd: 50000 }
accounts: { ann: { deposit: { BTC: 1 } } }
strategies: [{ account: ann, module: ./quoter.ts }]
expect: { accounts: { ann: { open_orders: [{ amount: 10 }] } } }
`

interface Watching extends Begun {
  /** Waits for the end of the next runs, and returns what they and the command printed. */
  readonly next: () => Promise<string>
}

/** Starts the command and collects its output. */
function watch(...args: readonly string[]): Watching {
  const begun = begin(['run', ...args, '--watch'])
  running.add(begun)
  let said = ''
  for (const stream of [begun.child.stdout, begun.child.stderr]) {
    stream?.on('data', (chunk) => {
      said += String(chunk)
    })
  }
  const next = async (): Promise<string> => {
    while (!said.includes('Ctrl-C ends\n')) await setTimeout(20)
    // The two streams arrive one after the other.
    await setTimeout(100)
    const all = said
    said = ''
    return all
  }
  return { ...begun, next }
}

test('only the scenario that changed runs again, once, and Ctrl-C ends with 130', async () => {
  const first = write('first.yaml', deposit('First', 1))
  const second = write('second.yaml', deposit('Second', 1))
  const { child, ended, next } = watch(first, second)
  const begun = await next()
  expect(begun).toContain('First')
  expect(begun).toContain('Second')
  expect(begun).toMatch(/watching 2 files; Ctrl-C ends\n$/)
  write('second.yaml', deposit('Half a text', 1).slice(0, 60))
  write('second.yaml', deposit('Second again', 2))
  const changed = await next()
  expect(changed).not.toContain('First')
  expect(changed).not.toContain('Half a text')
  expect(changed).toContain(`error: ${second}:7:`)
  // A terminal is cleared, a file or pipe is not.
  expect(changed).not.toContain('\u001b')
  // Nothing changes, and nothing runs.
  await setTimeout(700)
  child.kill('SIGINT')
  const { code, out } = await ended
  expect(code).toBe(130)
  expect(out.match(/First|Second again|Second/g)).toEqual(['First', 'Second', 'Second again'])
})

test('a changed import of its strategy runs a scenario again, also after a mistake', async () => {
  write('size.ts', 'export const size = 1\n')
  write('quoter.ts', strategy(10))
  const file = write('quoter.yaml', quoter)
  const { child, ended, next } = watch(file, '--quiet')
  expect(await next()).toBe('watching one file; Ctrl-C ends\n')
  write('size.ts', 'export const size = 2\n')
  expect(await next()).toContain('expected 10, found 20')
  write('quoter.yaml', 'version: one\n')
  expect(await next()).toContain('expected 1, found')
  write('quoter.yaml', quoter)
  expect(await next()).toContain('expected 10, found 20')
  write('quoter.ts', strategy(5))
  expect(await next()).toBe('watching one file; Ctrl-C ends\n')
  child.kill('SIGTERM')
  expect((await ended).code).toBe(143)
})

test.each<readonly [string, readonly string[], string]>([
  ['stdin', ['-'], 'expected a file that can be read again, found stdin'],
  ['--json', ['first.yaml', '--json'], 'expected no --json'],
  ['--write-digests', ['first.yaml', '--write-digests', 'd.json'], 'expected no --write-digests'],
  ['--out without --force', ['first.yaml', '--out', 'runs'], 'expected --force with --out'],
])('--watch refuses %s', (_, args, words) => {
  write('first.yaml', deposit('First', 1))
  const { code, err } = pitclock(['run', ...args, '--watch'], { cwd: home })
  expect(code).toBe(2)
  expect(err).toContain(words)
})

test('with --out and --force, each run replaces the folder, and all options are kept', async () => {
  const file = write('kept.yaml', deposit('Kept', 1))
  const out = join(home, 'runs')
  const { child, ended, next } = watch(file, '--out', out, '--force', '--set', 'title=Set', '--no-journal')
  await next()
  write('kept.yaml', deposit('Kept', 1.5))
  const again = await next()
  expect(again).toContain('Set\n')
  expect(again).toContain('expected 1.5, found 1')
  expect(pitclock(['inspect', out]).out).not.toContain('journal.jsonl')
  child.kill('SIGINT')
  expect((await ended).code).toBe(130)
})
