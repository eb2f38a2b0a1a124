/**
 * Mutated scenario files and journals: whatever is in them, the answer is a run or a list of mistakes with
 * their places, never an exception. A sample runs with the other tests; `npm run fuzz:scenarios` and
 * `npm run fuzz:journals` try 20,000 of each.
 */
import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { randomStream } from '../../src/core/index.ts'
import { pitclock } from '../support/built-program.ts'
import {
  type FuzzReport,
  fuzz,
  journalOf,
  scenarioTexts,
  tryJournal,
  tryScenario,
} from '../support/fuzz-run.ts'
import { mutateJsonLines, mutateText, poolOf } from '../support/mutations.ts'

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
  const scenario = (random: ReturnType<typeof randomStream>): string =>
    mutateText(random.pick(texts), pool, random)

  test('H03 scenarios are refused with their mistakes or run', () => {
    report(fuzz({ name: 'case.yaml', seed, cases }, scenario, tryScenario))
  })

  test('H03 journals are refused with their mistakes or run', () => {
    const random = randomStream(seed, 'journals')
    const some = Array.from({ length: 40 }, () => journalOf(random.pick(texts)))
    const journals = some.filter((text) => text !== null)
    expect(journals.length).toBeGreaterThan(10)
    const mutated = (stream: typeof random): string =>
      mutateJsonLines(stream.pick(journals), stream)
    report(fuzz({ name: 'case.jsonl', seed, cases }, mutated, tryJournal))
  })

  test('H03 the program ends with 0, 1 or 3 and without a stack', () => {
    const folder = mkdtempSync(join(tmpdir(), 'pitclock-fuzz-'))
    const names = Array.from({ length: 12 }, (_, at) => {
      const file = join(folder, `${at}.yaml`)
      writeFileSync(file, scenario(randomStream(seed, `program ${at}`)))
      return file
    })
    const { code, err } = pitclock(['run', '--quiet', ...names])
    expect([0, 1, 3, 4]).toContain(code)
    expect(err).not.toMatch(/internal fault|^ +at /m)
  })
})

describe('H03 times that no run can have', () => {
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
