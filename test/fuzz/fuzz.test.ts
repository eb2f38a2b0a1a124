/**
 * Mutated scenario files, journals and snapshots: each gives a run or a list of mistakes with their places, never an
 * exception. A sample runs with the other tests; `npm run fuzz:scenarios`, `npm run fuzz:journals` and
 * `npm run fuzz:snapshots` try 20,000 of each.
 */
import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { randomStream } from '../../src/core/index.ts'
import { pitclock } from '../support/built-program.ts'
import { type FuzzReport, fuzz, journalOf, scenarioTexts, tryJournal, tryScenario } from '../support/fuzz-run.ts'
import { mutateJsonLines, mutateText, poolOf } from '../support/mutations.ts'
import { mutateSnapshot, snapshotKinds } from '../support/snapshot-cases.ts'

const SAMPLE = 150
const cases = Number(process.env['PITCLOCK_FUZZ_CASES'] ?? SAMPLE)
const seed = process.env['PITCLOCK_FUZZ_SEED'] ?? 'fuzz'
const RSS_MAX = 2 ** 31

function report(found: FuzzReport): void {
  const { refused, run, slowestMillis, failures } = found
  const slowest = `slowest ${Math.round(slowestMillis)} ms`
  const rss = process.memoryUsage().rss
  process.stderr.write(`${found.cases} cases: ${refused} refused, ${run} run, ${slowest}\n`)
  expect(failures).toEqual([])
  expect(run).toBeGreaterThan(0)
  expect(refused).toBeGreaterThan(0)
  expect(rss).toBeLessThan(RSS_MAX)
}

describe('a mutated file', () => {
  const texts = scenarioTexts()
  const pool = poolOf(texts)
  const scenario = (random: ReturnType<typeof randomStream>): string => mutateText(random.pick(texts), pool, random)

  test('H03 scenarios run or are refused with their mistakes', () => {
    report(fuzz({ name: 'case.yaml', seed, cases }, scenario, tryScenario))
  })

  test('H03 journals run or are refused with their mistakes', () => {
    const random = randomStream(seed, 'journals')
    const some = Array.from({ length: 40 }, () => journalOf(random.pick(texts)))
    const journals = some.filter((text) => text !== null)
    expect(journals.length).toBeGreaterThan(10)
    const mutated = (stream: typeof random): string => mutateJsonLines(stream.pick(journals), stream)
    report(fuzz({ name: 'case.jsonl', seed, cases }, mutated, tryJournal))
  })

  test('H03 the program ends with 0, 1 or 3 and without a stack trace', () => {
    const folder = mkdtempSync(join(tmpdir(), 'pitclock-fuzz-'))
    const names = Array.from({ length: 12 }, (_, at) => {
      const file = join(folder, `${at}.yaml`)
      writeFileSync(file, scenario(randomStream(seed, `program ${at}`)))
      return file
    })
    const { code, err } = pitclock(['run', '--quiet', ...names])
    expect([0, 1, 3, 4]).toContain(code)
    expect(err).not.toMatch(/internal error|^ +at /m)
  })
})

describe('a mutated snapshot', () => {
  const examples = [
    'protections/bump-taker-meets-what-is-left',
    'protections/quotes-behind-the-bump',
    'orders/snapshot-restore',
  ]

  test('H03 snapshots are refused with a message or restored to a known state', () => {
    const kinds = examples.flatMap((name) => snapshotKinds(name))
    const share = Math.ceil(cases / kinds.length)
    let refused = 0
    for (const [at, { name, originals, again }] of kinds.entries()) {
      expect(originals.length).toBeGreaterThan(1)
      const known = new Set(originals.map(textOf))
      for (const bytes of originals) expect(textOf(again(bytes) ?? none)).toBe(textOf(bytes))
      for (let number = 0; number < share; number += 1) {
        const bytes = mutateSnapshot(originals, randomStream(seed, `snapshot ${at} ${number}`))
        const place = `case ${number} of ${name} ${at} with seed ${seed}`
        let found: Uint8Array | null = null
        try {
          found = again(bytes)
        } catch (error) {
          throw new Error(`${place} ended in an exception`, { cause: error })
        }
        if (found === null) refused += 1
        else if (!known.has(textOf(bytes)) || textOf(found) !== textOf(bytes)) {
          throw new Error(`${place} gave a state that was no snapshot's`)
        }
      }
    }
    process.stderr.write(`${share * kinds.length} snapshots: ${refused} refused\n`)
    expect(refused).toBeGreaterThan(cases / 2)
  })
})

const none = new Uint8Array()

function textOf(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString('latin1')
}

describe('H03 times outside the range of a run', () => {
  const market = [
    'version: 1',
    'title: t',
    'instruments: [BTC-PERPETUAL]',
    'index: { btc_usd: 100000 }',
    'venue: { listed_futures: [BTC] }',
  ]

  test.each([
    ['no start', [], 'start: expected a text such as'],
    ['1970', ['start: 1970-01-01T00:00:00Z'], 'expected a time from 2000-01-01T00:00:00Z to'],
    ['2099', ['start: 2099-06-01T00:00:00Z'], 'to 2086-01-01T00:00:00Z'],
    [
      'a run of a century',
      ['start: 2026-01-01T00:00:00Z', 'until: 36500d'],
      'expected a time up to ten years after the start, 2036-01-09T00:00:00Z',
    ],
  ])('%s', (_, lines, message) => {
    const file = join(mkdtempSync(join(tmpdir(), 'pitclock-time-')), 'a.yaml')
    writeFileSync(file, [...market, ...lines, ''].join('\n'))
    const { code, err } = pitclock(['run', file])
    expect(code).toBe(3)
    expect(err).toContain(message)
    expect(err).toMatch(/a\.yaml:\d+:\d+: /)
  })
})
