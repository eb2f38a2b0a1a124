/**
 * Runs that are saved, cut and resumed: the folder equals that of the uncut run, byte for byte, wherever they are cut;
 * and runs that cannot be resumed are refused by name and change nothing.
 */
import { cpSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { afterAll, afterEach, beforeEach, describe, expect, test } from 'vitest'
import marketMaker from '../../../scenarios/backtest/market-maker.ts'
import { micros, type Result } from '../../../src/core/index.ts'
import {
  type ResumeOptions,
  type RunFault,
  type RunFileOptions,
  type RunReport,
  resumeRun,
  runDocument,
  runFile,
} from '../../../src/node.ts'
import { sampleOf } from '../../support/property-runs.ts'
import { repository } from '../../support/repository.ts'

const MINUTE = 60_000_000
const makerFile = join(repository, 'scenarios/backtest/market-maker.yaml')
const populationFile = join(repository, 'scenarios/population/drifting-market.yaml')

let home = ''
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'pitclock-resume-'))
})
afterEach(() => {
  rmSync(home, { recursive: true, force: true })
})

/** Interrupts a run at its n-th pause. */
function afterPauses(pauses: number): Required<Pick<ResumeOptions, 'interrupted' | 'onProgress'>> {
  let seen = 0
  return {
    interrupted: () => seen >= pauses,
    onProgress: () => {
      seen += 1
    },
  }
}

function reportOf(result: Result<RunReport, RunFault>): RunReport {
  if (!result.ok) throw new Error(result.error.lines.join('\n'))
  return result.value
}

function faultOf(result: Result<RunReport, RunFault>): string {
  if (result.ok) throw new Error('expected a fault')
  return [...result.error.lines, result.error.hint ?? ''].join('\n')
}

/** Every file of a folder with its bytes. */
function filesOf(folder: string): ReadonlyMap<string, string> {
  return new Map(
    readdirSync(folder)
      .toSorted()
      .map((name) => [name, readFileSync(join(folder, name), 'base64')]),
  )
}

interface Case {
  readonly file: string
  readonly options: Partial<RunFileOptions>
}

const maker: Case = {
  file: makerFile,
  options: { set: ['until=2026-01-05T09:40:00Z'], saveEvery: micros(10 * MINUTE) },
}
const population: Case = {
  file: populationFile,
  options: { set: ['until=2026-01-05T09:03:00Z'], saveEvery: micros(MINUTE), format: 'csv' },
}

/** Each kind of fault, so that messages are late and books have gaps at every cut. */
const faults = [
  '{ kind: drop, of: replies, probability: 0.05 }',
  '{ kind: delay, of: replies, by: 40s, probability: 0.2 }',
  '{ kind: delay, of: notifications, channels: [book], by: 30s, every: 7 }',
  '{ kind: reorder, of: notifications, by: 1m, probability: 0.1 }',
  '{ kind: double, of: notifications, probability: 0.1 }',
  '{ kind: refuse, reason: too_many_requests, probability: 0.1 }',
]
const faulty: Case = {
  file: makerFile,
  options: {
    set: ['until=2026-01-05T09:20:00Z', `faults=[${faults.join(', ')}]`],
    saveEvery: micros(2 * MINUTE),
  },
}

const uncutFolders = new Map<Case, string>()
afterAll(() => {
  for (const folder of uncutFolders.values()) rmSync(folder, { recursive: true, force: true })
})

/** The folder of a run without a cut. */
async function uncut(which: Case): Promise<string> {
  const known = uncutFolders.get(which)
  if (known !== undefined) return known
  const out = join(mkdtempSync(join(tmpdir(), 'pitclock-uncut-')), 'run')
  const { file, options } = which
  const report = reportOf(await runFile(file, { ...options, saveEvery: null, out }))
  expect(report.status).toBe('complete')
  uncutFolders.set(which, out)
  return out
}

/** Runs until the given pause and leaves the run there. */
async function cut({ file, options }: Case, pauses: number, out: string): Promise<RunReport> {
  return reportOf(await runFile(file, { ...options, out, ...afterPauses(pauses) }))
}

/** Runs that differ in their inputs besides a feed and a strategy; each is cut and resumed. */
const others: readonly (readonly [string, () => Promise<void>])[] = [
  [
    'is the uncut one with a population, in another format, cut again and again',
    async () => {
      const whole = await uncut(population)
      const out = join(home, 'cut')
      let report = await cut(population, 3, out)
      let cuts = 0
      while (report.status === 'interrupted') {
        cuts += 1
        report = reportOf(await resumeRun(out, afterPauses(3)))
      }
      expect(cuts).toBeGreaterThan(2)
      expect(filesOf(out)).toEqual(filesOf(whole))
    },
  ],
  [
    'is the uncut one with faults of messages, and tells what they did',
    async () => {
      const whole = await uncut(faulty)
      const out = join(home, 'cut')
      let report = await cut(faulty, 4, out)
      let cuts = 0
      while (report.status === 'interrupted') {
        cuts += 1
        report = reportOf(await resumeRun(out, afterPauses(4)))
      }
      expect(cuts).toBeGreaterThan(2)
      expect(filesOf(out)).toEqual(filesOf(whole))
      const { faults: reported } = reportOf(await runFile(faulty.file, { set: faulty.options.set ?? [] }))
      expect(report.faults).toEqual(reported)
      expect(reported).toHaveLength(faults.length)
    },
  ],
  [
    'tells the same at its end',
    async () => {
      const whole = reportOf(await runFile(maker.file, { ...maker.options, saveEvery: null, tables: true }))
      const out = join(home, 'cut')
      await cut(maker, 20, out)
      const resumed = reportOf(await resumeRun(out))
      expect({ ...resumed, out: null }).toEqual(whole)
    },
  ],
  [
    'may be a journal',
    async () => {
      const whole = await uncut(maker)
      const journal = join(home, 'journal.jsonl')
      cpSync(join(whole, 'journal.jsonl'), journal)
      const feeds = join(repository, 'scenarios/backtest')
      const out = join(home, 'cut')
      const options = { feeds, saveEvery: micros(MINUTE) }
      const report = await cut({ file: journal, options }, 9, out)
      expect(report.status).toBe('interrupted')
      const resumed = reportOf(await resumeRun(out))
      const { digest } = reportOf(await runFile(makerFile, { set: maker.options.set ?? [] }))
      expect(resumed.digest).toBe(digest)
    },
  ],
  [
    'may be that of a program, which gives its document and its strategies again',
    async () => {
      const folder = join(repository, 'scenarios/backtest')
      const sizes = { half_spread: 2, size: 500, max_position: 10_000, skew: 0.25, requote: 1 }
      const params = { instrument: 'BTC-PERPETUAL', ...sizes }
      const document = {
        version: 1,
        title: 'A maker of a program',
        start: '2026-01-05T09:00:00Z',
        until: '2026-01-05T09:20:00Z',
        instruments: ['BTC-PERPETUAL'],
        index: { from: 'mid' },
        accounts: { maker: { deposit: { BTC: 10 } } },
        feeds: [
          {
            format: 'tardis.incremental_book_L2',
            path: '../../data/recorded-market/incremental_book_L2.csv.gz',
            instrument: 'BTC-PERPETUAL',
          },
        ],
        strategies: [{ account: 'maker', module: 'own', params }],
      }
      const given = { strategies: { own: marketMaker }, folder }
      const out = join(home, 'cut')
      const whole = reportOf(await runDocument(document, given))
      const saveEvery = micros(MINUTE)
      const report = reportOf(await runDocument(document, { ...given, out, saveEvery, ...afterPauses(5) }))
      expect(report.status).toBe('interrupted')
      expect(faultOf(await resumeRun(out))).toContain('expected the scenario document from the program')
      const resumed = reportOf(await resumeRun(out, { document, ...given }))
      expect(resumed.digest).toBe(whole.digest)
    },
  ],
]

describe('a run that was cut and resumed', () => {
  // Pauses are a hundred steps apart. The first is before the first save, so the interruption saves the run.
  test.each(sampleOf([1, 4, 13, 22, 31], 1))('is the uncut one, cut at pause %i', async (pauses) => {
    const whole = await uncut(maker)
    const out = join(home, 'cut')
    const report = await cut(maker, pauses, out)
    expect(report.status).toBe('interrupted')
    expect(report.out).toBe(`${out}.partial`)
    const resumed = reportOf(await resumeRun(out))
    expect(resumed.status).toBe('complete')
    expect(resumed.out).toBe(out)
    expect(filesOf(out)).toEqual(filesOf(whole))
    expect(existsSync(`${out}.partial`)).toBe(false)
  })

  test.each(sampleOf(others, 1))('%s', async (_, resume) => await resume())

  test('D24 has no sums of several branches, like the uncut one', async () => {
    const file = join(home, 'branches.yaml')
    const waits = Array.from({ length: 400 }, () => '  - { after: 1s, call: public/get_time }')
    const steps = [
      '  - { at: 0s, call: sim/snapshot, params: { name: a } }',
      '  - { at: 1s, as: ann, call: private/buy, params: { ...ORDER } }',
      '  - { at: 2s, as: bob, call: private/sell, params: { ...ORDER } }',
      '  - { at: 3s, call: sim/restore, params: { name: a } }',
    ].map((line) => line.replace('...ORDER', 'instrument_name: BTC-PERPETUAL, amount: 10, price: 50000'))
    const head = [
      ...['version: 1', 'title: Two branches', 'start: 2026-01-05T09:00:00Z'],
      ...['instruments: [BTC-PERPETUAL]', 'index: { btc_usd: 50000 }'],
      'accounts: { ann: { deposit: { BTC: 1 } }, bob: { deposit: { BTC: 1 } } }',
    ]
    writeFileSync(file, [...head, 'steps:', ...steps, ...waits, ''].join('\n'))
    const whole = reportOf(await runFile(file))
    expect(whole.performance).toEqual([])
    const out = join(home, 'cut')
    const options = { saveEvery: micros(MINUTE) }
    expect((await cut({ file, options }, 2, out)).status).toBe('interrupted')
    const resumed = reportOf(await resumeRun(out))
    const { performance, performance_totals: totals, metrics } = whole
    expect(resumed).toMatchObject({ performance, performance_totals: totals, metrics })
  })

  test('keeps a complete folder of another run', async () => {
    const out = join(home, 'cut')
    await cut(maker, 20, out)
    const other = reportOf(await runFile(makerFile, { set: maker.options.set ?? [], out }))
    const before = filesOf(out)
    expect(faultOf(await resumeRun(out))).toContain('found the folder of another run')
    expect(filesOf(out)).toEqual(before)
    expect(other.out).toBe(out)
  })
})

describe('a run that cannot be saved reports the reason before it begins', () => {
  test('without a folder, with lines to elsewhere, or with a strategy without save', async () => {
    const saveEvery = micros(MINUTE)
    expect(faultOf(await runFile(makerFile, { saveEvery }))).toContain(
      'saveEvery: expected a folder for the saved run, found none',
    )
    const out = join(home, 'run')
    const events = join(home, 'events.jsonl')
    expect(faultOf(await runFile(makerFile, { saveEvery, out, events }))).toContain(
      'expected a run that writes only to its folder, found events',
    )
    const silent = join(home, 'silent.yaml')
    const text = readFileSync(makerFile, 'utf8')
      .replace('./market-maker.ts', './silent.ts')
      .replaceAll('../../data/', `${join(repository, 'data')}/`)
    writeFileSync(silent, text)
    const defined = "import { defineStrategy } from 'pitclock'"
    writeFileSync(join(home, 'silent.ts'), `${defined}\nexport default defineStrategy(() => ({}))\n`)
    expect(faultOf(await runFile(silent, { saveEvery, out }))).toContain(
      'expected strategies with save and load, found ./silent.ts without them',
    )
    expect(readdirSync(home)).not.toContain('run.partial')
  })
})

describe('differences from the saved run are refused by name', () => {
  /** A copy of the backtest that may be changed. */
  async function saved(
    pauses = 20,
    until = '2026-01-05T09:40:00Z',
  ): Promise<{ readonly folder: string; readonly out: string }> {
    const folder = join(home, 'scenarios/backtest')
    for (const part of ['scenarios/backtest', 'data/recorded-market']) {
      cpSync(join(repository, part), join(home, part), { recursive: true })
    }
    const out = join(home, 'cut')
    const file = join(folder, 'market-maker.yaml')
    const options = { ...maker.options, set: [`until=${until}`] }
    await cut({ file, options }, pauses, out)
    return { folder, out }
  }

  test.each(
    sampleOf(
      [
        ['market-maker.yaml', 'market-maker.yaml: expected the file as it was when the run began'],
        ['market-maker.ts', 'market-maker.ts: expected the strategy as it was when the run began'],
        ['../../data/recorded-market/trades.csv.gz', 'trades.csv.gz: expected the recorded file as it was'],
      ],
      1,
    ),
  )('a changed %s', async (name, words) => {
    const { folder, out } = await saved()
    const partial = filesOf(join(`${out}.partial`, 'saved'))
    const path = join(folder, name)
    const bytes = readFileSync(path)
    const isText = !name.endsWith('.gz')
    const more = gzipSync('\n')
    writeFileSync(path, isText ? `${bytes.toString()}\n` : Buffer.concat([bytes, more]))
    expect(faultOf(await resumeRun(out))).toContain(words)
    expect(filesOf(join(`${out}.partial`, 'saved'))).toEqual(partial)
    writeFileSync(path, bytes)
    expect(reportOf(await resumeRun(out)).status).toBe('complete')
  })

  test.each(
    sampleOf(
      [
        ['saved/checkpoint', 'found a damaged file'],
        ['saved/blocks', 'expected the saved rows, found other bytes'],
        ['saved/log', 'expected the saved log, found other bytes'],
        ['saved/notes', 'expected the saved notes, found other bytes'],
        ['journal.jsonl', 'expected the saved journal, found other bytes'],
      ],
      1,
    ),
  )('C5 a damaged %s is bad data, not a failure to write', async (name, words) => {
    // Long enough for a table to have a whole block.
    const { out } = await saved(400, '2026-01-05T14:00:00Z')
    const path = join(`${out}.partial`, name)
    const bytes = readFileSync(path)
    const at = Math.min(1000, bytes.length >> 1)
    bytes[at] = (bytes[at] ?? 0) ^ 1
    writeFileSync(path, bytes)
    const resumed = await resumeRun(out)
    expect(faultOf(resumed)).toContain(words)
    expect(resumed).toMatchObject({ error: { kind: 'input' } })
  })

  test('a shortened file, a save of an older version, another process, and a folder that was never saved', async () => {
    const { out } = await saved()
    for (const [name, damage, ...words] of [
      ['log', (bytes: Buffer) => bytes.subarray(0, -1), 'expected the saved log, found other bytes'],
      ['notes', (bytes: Buffer) => bytes.subarray(0, -1), 'expected the saved notes, found other bytes'],
      [
        'checkpoint',
        (bytes: Buffer) => Buffer.concat([Buffer.from('PITCLOCK CHECKPOINT 2\n'), bytes.subarray(22)]),
        'expected the state of a run, version 3, found version 2',
        'start the run again: pitclock run FILE --out DIR --save-every DURATION',
      ],
    ] as const) {
      const path = join(`${out}.partial`, 'saved', name)
      const bytes = readFileSync(path)
      writeFileSync(path, damage(bytes))
      const fault = faultOf(await resumeRun(out))
      for (const word of words) expect(fault).toContain(word)
      writeFileSync(path, bytes)
    }
    const owner = join(`${out}.partial`, 'saved', 'owner')
    writeFileSync(owner, String(process.ppid))
    expect(faultOf(await resumeRun(out))).toContain(`found a run that process ${process.ppid} is writing`)
    // A dead process does not own the folder.
    writeFileSync(owner, '4194304999')
    expect(reportOf(await resumeRun(out)).status).toBe('complete')
    expect(faultOf(await resumeRun(out))).toContain('found a folder without a saved state')
    expect(faultOf(await resumeRun(join(home, 'nothing')))).toContain('found none')
  })
})
