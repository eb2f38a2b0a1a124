/**
 * Run folders with several programs and failing disks: two runs into one folder, writes that fail, signals, and
 * messages about a changed folder. It runs the built program.
 */
import {
  copyFileSync,
  existsSync,
  linkSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Manifest, RunComparison } from '../../src/node.ts'
import { appears, begin, pitclock, scratch, shell } from '../support/built-program.ts'
import { sampleOf } from '../support/property-runs.ts'
import { repository } from '../support/repository.ts'

const quick = 'scenarios/orders/market-sell-fills-resting-bid.yaml'
const population = readFileSync(join(repository, 'scenarios/population/drifting-market.yaml'), 'utf8').replace(
  /^until: .*$/m,
  'until: 2026-01-05T09:20:00Z',
)

const signals = [
  ['SIGINT', 130],
  ['SIGTERM', 143],
  ['SIGHUP', 129],
] as const

/** A run of at least a second. */
function slowRun(): string {
  const file = join(scratch(), 'slow.yaml')
  writeFileSync(file, population)
  return file
}

function manifestOf(folder: string): Manifest {
  return JSON.parse(readFileSync(join(folder, 'manifest.json'), 'utf8')) as Manifest
}

describe('two runs into one folder', () => {
  test.each([
    ['a place that is free', []],
    ['a folder that both may replace', ['--force']],
  ])('H01 the first to end gets the folder, the other reports that and exits 4: %s', async (_, force) => {
    const out = join(scratch(), 'run')
    if (force.length > 0) expect(pitclock(['run', quick, '--out', out, '-q']).code).toBe(0)
    const short = ['--set', 'until=2026-01-05T09:02:00Z']
    const long = begin(['run', slowRun(), '--out', out, ...force, ...short, '-q'])
    await appears(join(`${out}.partial`, 'journal.jsonl'))
    long.child.kill('SIGSTOP')
    expect(pitclock(['run', quick, '--out', out, ...force, '-q'])).toMatchObject({ code: 0 })
    long.child.kill('SIGCONT')
    const { code, err } = await long.ended
    expect(code).toBe(4)
    expect(err).toContain(`${out}: expected an output path that no other process has changed`)
    expect(err).toContain(`${out}.partial`)
    expect(pitclock(['inspect', out]).code).toBe(0)
    expect(manifestOf(out).scenario.title).toContain('A market sell fills')
    // The other run is complete in its own folder.
    expect(pitclock(['diff', out, `${out}.partial`]).code).toBe(1)
    expect(readdirSync(join(out, '..')).toSorted()).toEqual(['run', 'run.partial'])
  })

  test('H01 of many runs at once one gets the folder, complete, and exits 0', async () => {
    const out = join(scratch(), 'run')
    const files = readdirSync(join(repository, 'scenarios/orders')).filter((name) => /^[a-m]/.test(name))
    const names = files.slice(0, 6).map((name) => join('scenarios/orders', name))
    const begun = names.map((name) => begin(['run', name, '--out', out, '--force', '-q']))
    const codes = (await Promise.all(begun.map(({ ended }) => ended))).map(({ code }) => code)
    for (const code of codes) expect([0, 4]).toContain(code)
    expect(pitclock(['diff', out, out]).code).toBe(0)
    const winner = names.indexOf(manifestOf(out).made_by.file)
    expect(codes[winner]).toBe(0)
  })
})

describe('a write that fails', () => {
  test('P19 is reported with its file, leaves no folder and exits 4: lines of events', () => {
    const out = join(scratch(), 'run')
    const { code, err } = pitclock(['run', quick, '--out', out, '--events', '/dev/full'])
    expect([code, err]).toEqual([4, 'error: /dev/full: expected a writable path, found no space left on the disk\n'])
    expect(readdirSync(join(out, '..'))).toEqual([])
  })

  test('C4 lines of events replace a file only when they are complete', () => {
    const home = scratch()
    const events = join(home, 'events.jsonl')
    writeFileSync(events, 'as it was')
    const whole = pitclock(['run', quick, '--events', join(home, 'whole.jsonl'), '-q'])
    expect([whole.code, readdirSync(home).toSorted()]).toEqual([0, ['events.jsonl', 'whole.jsonl']])
    const { code, err } = shell(
      `ulimit -f 1; $PITCLOCK run ${slowRun()} --set until=2026-01-05T09:00:30Z -q --events ${events}`,
    )
    expect([code, err]).toEqual([4, expect.stringContaining('events.jsonl')])
    expect(readFileSync(events, 'utf8')).toBe('as it was')
  })

  test('P19 is reported with its file, leaves no folder and exits 4: a file of the folder', () => {
    const out = join(scratch(), 'run')
    const { code, err } = shell(`ulimit -f 40; $PITCLOCK run ${slowRun()} --out ${out}`)
    expect(code).toBe(4)
    expect(err).toMatch(/run\.partial\/[a-z_]+\.(?:arrow|jsonl): expected a writable path/)
    expect(readdirSync(join(out, '..'))).toEqual([])
  })

  test('H06 a full disk behind stdout is reported, exit 4', () => {
    for (const flags of ['--json', '--events -', '']) {
      const { code, err } = shell(`$PITCLOCK run ${quick} ${flags} > /dev/full`)
      expect([code, err]).toEqual([4, 'error: stdout: expected a writable stream, found no space left on the disk\n'])
    }
  })

  test('C7 the program runs with frozen intrinsics of the language', () => {
    const { code, out } = shell(`NODE_OPTIONS=--frozen-intrinsics $PITCLOCK run ${quick}`)
    expect([code, out]).toEqual([0, expect.stringContaining('digest')])
  })

  test('H06 a reader that has closed the stream ends a run without a message', () => {
    const line = `$PITCLOCK run ${slowRun()} --events - | head -n 1; exit \${PIPESTATUS[0]}`
    const { code, out, err } = shell(line)
    expect([code, err]).toEqual([0, ''])
    expect(out).toContain('"kind"')
  })

  test('P20 a dangling link is refused and stays', () => {
    const folder = scratch()
    symlinkSync(join(folder, 'nowhere'), join(folder, 'link'))
    const { code, err } = pitclock(['run', quick, '--out', join(folder, 'link'), '--force'])
    expect(code).toBe(4)
    expect(err).toContain('found a broken link')
    expect(readdirSync(folder)).toEqual(['link'])
  })

  test('C6 a report replaces the file behind a link, and refuses a broken link', () => {
    const folder = scratch()
    const run = join(folder, 'run')
    const page = join(folder, 'page.html')
    const link = join(folder, 'link.html')
    pitclock(['run', quick, '--out', run, '-q'])
    writeFileSync(page, 'as it was')
    symlinkSync(page, link)
    expect(pitclock(['report', run, '--out', link]).code).toBe(4)
    expect(readFileSync(page, 'utf8')).toBe('as it was')
    expect(pitclock(['report', run, '--out', link, '--force']).code).toBe(0)
    expect(lstatSync(link).isSymbolicLink()).toBe(true)
    expect(readFileSync(page, 'utf8')).toContain('<!doctype html>')
    rmSync(page)
    const broken = pitclock(['report', run, '--out', link, '--force'])
    expect([broken.code, broken.err]).toEqual([4, expect.stringContaining('found a broken link')])
    expect(existsSync(page)).toBe(false)
  })

  test('a link to a folder is followed and stays', () => {
    const folder = scratch()
    const link = join(folder, 'latest')
    pitclock(['run', quick, '--out', join(folder, 'first'), '-q'])
    symlinkSync(join(folder, 'first'), link)
    const again = ['run', 'scenarios/orders/post-only-slides.yaml', '--out', link, '-q']
    expect(pitclock(again).err).toContain('(--force replaces it)')
    expect(pitclock([...again, '--force']).code).toBe(0)
    expect(readdirSync(folder).toSorted()).toEqual(['first', 'latest'])
    expect(manifestOf(join(folder, 'first')).made_by.file).toContain('post-only')
  })
})

describe('a signal', () => {
  /** A run of several seconds whose first expectation fails. */
  function failing(folder: string): string {
    expect(population).not.toMatch(/^steps:/m)
    const file = join(folder, 'failing.yaml')
    const step = "{ at: 0ms, call: public/get_time, expect: { result: 'none' } }"
    writeFileSync(file, `${population}\nsteps:\n  - ${step}\n`)
    return file
  }

  test.each(sampleOf(signals, 1))('P23 %s ends a run with %i, whatever failed before', async (signal, exit) => {
    const folder = scratch()
    const out = join(folder, 'run')
    const { child, ended } = begin(['run', failing(folder), '--out', out])
    const journal = join(`${out}.partial`, 'journal.jsonl')
    await appears(journal)
    while (readFileSync(journal).length === 0) await new Promise((go) => setTimeout(go, 20))
    child.kill(signal)
    const { code, err } = await ended
    expect(err).toContain('steps.0.expect.result: expected "none"')
    expect(code).toBe(exit)
    expect(manifestOf(`${out}.partial`).status).toBe('interrupted')
    expect(pitclock(['inspect', `${out}.partial`]).code).toBe(0)
    expect(existsSync(out)).toBe(false)
    const twin = pitclock(['diff', `${out}.partial`, `${out}.partial`])
    expect(twin).toMatchObject({ code: 0, out: expect.stringContaining('equal') })
    expect(twin.err).toContain(`${out}.partial: the run was interrupted; the part before`)
    const named = { expected: 'a complete run', found: 'interrupted' }
    const refused = pitclock(['export', `${out}.partial`, '--format', 'csv', '--json'])
    expect(JSON.parse(refused.out)).toMatchObject({ errors: [named] })
  })

  test('C7 an interrupted run is not compared with a digest of the complete run', async () => {
    const digests = join(scratch(), 'digests.json')
    const file = failing(scratch())
    writeFileSync(digests, JSON.stringify({ [file]: '0'.repeat(64) }))
    const folder = scratch()
    const out = join(folder, 'run')
    const { child, ended } = begin(['run', file, '--out', out, '--check-digests', digests])
    await appears(join(`${out}.partial`, 'journal.jsonl'))
    child.kill('SIGINT')
    const { code, err } = await ended
    expect(code).toBe(130)
    expect(err).not.toContain('expected digest')
  })

  test('a run that ends at once, as after a second signal, leaves a folder that no command accepts', async () => {
    const out = join(scratch(), 'run')
    const { child, ended } = begin(['run', slowRun(), '--out', out, '-q'])
    const partial = `${out}.partial`
    await appears(join(partial, 'journal.jsonl'))
    // The second of two signals may arrive after the files are closed. This one prevents closing.
    child.kill('SIGKILL')
    await ended
    for (const args of [
      ['report', partial],
      ['export', partial, '--format', 'csv'],
      ['diff', partial, partial],
      ['compare', partial, partial],
      ['inspect', partial],
    ]) {
      const { code, err } = pitclock(args)
      expect([args[0], code, err]).toEqual([
        args[0],
        3,
        expect.stringContaining('manifest.json: expected the manifest of a run, found no such file'),
      ])
    }
    expect(readdirSync(join(out, '..'))).toEqual(['run.partial'])
  })
})

describe('a signal to a command whose partial output is useless', () => {
  const recorded = join(scratch(), 'trades.csv')
  const run = join(scratch(), 'run')

  beforeAll(() => {
    const head = 'exchange,symbol,timestamp,local_timestamp,id,side,price,amount\n'
    const row = 'deribit,BTC-PERPETUAL,1723161257823000,1723161257824000,1,buy,60000,10\n'
    writeFileSync(recorded, head + row.repeat(3_000_000))
    expect(pitclock(['run', slowRun(), '--out', run, '-q']).code).toBe(0)
  }, 300_000)
  afterAll(() => {
    for (const path of [recorded, run]) rmSync(path, { recursive: true })
  })

  test.each(sampleOf(signals, 1))('U15 %s leaves nothing of a tape: exit %i', async (signal, exit) => {
    const folder = scratch()
    const [input, out] = [join(folder, 'a.csv'), join(folder, 'a.arrow')]
    linkSync(recorded, input)
    const { child, ended } = begin(['convert', input, '--out', out])
    await appears(`${out}.partial`)
    child.kill(signal)
    expect((await ended).code).toBe(exit)
    expect(readdirSync(folder)).toEqual(['a.csv'])
  })

  test.each(sampleOf(signals, 1))('U15 %s leaves nothing of an export: exit %i', async (signal, exit) => {
    const { child, ended } = begin(['export', run, '--format', 'jsonl'])
    await appears(`${run}-jsonl.partial`)
    child.kill(signal)
    expect((await ended).code).toBe(exit)
    expect(readdirSync(dirname(run))).toEqual(['run'])
  })
})

describe('U9 several files with --out', () => {
  test('get a folder each, and one report shows all', () => {
    const out = join(scratch(), 'runs')
    const all = ['scenarios/orders/book-states.yaml', 'scenarios/orders/post-only-slides.yaml', quick]
    expect(pitclock(['run', ...all, '--out', out, '-q']).code).toBe(0)
    expect(readdirSync(out)).toEqual(all.map((file) => basename(file, '.yaml')).toSorted())
    const folders = readdirSync(out).map((name) => join(out, name))
    const page = join(out, 'report.html')
    expect(pitclock(['report', ...folders, '--out', page]).code).toBe(0)
    expect(existsSync(page)).toBe(true)
  })

  test('must differ in their names', () => {
    const copy = join(scratch(), basename(quick))
    copyFileSync(join(repository, quick), copy)
    const { code, err } = pitclock(['run', quick, copy, '--out', join(scratch(), 'runs')])
    expect(code).toBe(2)
    expect(err).toContain(`--out: expected files with different names, found ${quick} and ${copy}`)
  })
})

describe('a folder that was changed', () => {
  test('H02 diff and inspect exit 3 and name every changed file; --trust shows the folder', () => {
    const folder = scratch()
    const [a, b] = [join(folder, 'a'), join(folder, 'b')]
    for (const out of [a, b]) pitclock(['run', quick, '--out', out, '-q'])
    writeFileSync(join(b, 'journal.jsonl'), '{}\n')
    writeFileSync(join(b, 'notes.txt'), 'mine')
    const compared = pitclock(['diff', a, b])
    expect(compared.code).toBe(3)
    expect(compared.err).toMatch(/b\/journal\.jsonl: expected the file as the run wrote it/)
    expect(compared.err).toMatch(/b\/notes\.txt: expected only files of the run/)
    const inspected = pitclock(['inspect', b])
    expect([inspected.code, inspected.out]).toEqual([3, ''])
    expect(inspected.err).toContain('--trust')
    expect(pitclock(['inspect', b, '--trust']).code).toBe(0)
    const replayed = pitclock(['run', join(b, 'journal.jsonl')])
    expect(replayed.code).toBe(3)
    expect(replayed.err).toContain('expected the file as the run wrote it')
    mkdirSync(join(folder, 'c'))
    copyFileSync(join(a, 'journal.jsonl'), join(folder, 'c', 'journal.jsonl'))
    expect(pitclock(['run', join(folder, 'c', 'journal.jsonl'), '-q']).code).toBe(0)
  })

  test('diff --json exits 1 for different runs and 0 for equal ones', () => {
    const folder = scratch()
    const [a, b] = [join(folder, 'a'), join(folder, 'b')]
    pitclock(['run', quick, '--out', a, '-q'])
    pitclock(['run', 'scenarios/orders/post-only-slides.yaml', '--out', b, '-q'])
    const different = pitclock(['diff', a, b, '--json'])
    const { difference } = JSON.parse(different.out) as RunComparison
    expect([different.code, difference === null]).toEqual([1, false])
    const equal = pitclock(['diff', a, a, '--json'])
    expect([equal.code, (JSON.parse(equal.out) as RunComparison).difference]).toEqual([0, null])
  })
})

describe('the receipt', () => {
  test('P12 names the command, the versions, and every input with its hash', () => {
    const out = join(scratch(), 'run')
    const file = 'scenarios/backtest/two-strategies.yaml'
    const command = ['run', file, '--set', 'until=2026-01-05T09:20:00Z', '--out', out, '-q']
    expect(pitclock(command).code).toBe(0)
    const manifest = manifestOf(out)
    expect(manifest.made_by).toMatchObject({ node: process.versions.node, command, file })
    expect(manifest.made_by.sha256).toBe(manifest.scenario.sha256)
    expect(manifest.feeds.map(({ path }) => path)).toEqual([
      '../../data/recorded-market/incremental_book_L2.csv.gz',
      '../../data/recorded-market/trades.csv.gz',
    ])
    expect(manifest.strategies.map(({ account }) => account)).toEqual(['maker', 'taker'])
    for (const { sources, params } of manifest.strategies) {
      expect(params).not.toBeNull()
      expect(sources.length).toBeGreaterThan(0)
    }
    rmSync(out, { recursive: true })
  })
})
