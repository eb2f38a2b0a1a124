/** Comparing two builds: the options, and the rows of both builds side by side. */
import { describe, expect, test } from 'vitest'
import { compareRows } from '../../bench/against.ts'
import { readBenchOptions } from '../../bench/options.ts'
import { comparisonOf } from '../../bench/report.ts'
import type { BenchRow } from '../../bench/row.ts'

const sections = ['engine', 'margin', 'start']

describe('options', () => {
  test('all sections are measured by default', () => {
    expect(readBenchOptions(['--against', 'HEAD~1'], sections)).toEqual({
      ok: true,
      value: { against: 'HEAD~1', sections, rounds: 5, json: false },
    })
  })

  test('named sections are measured in the given order', () => {
    const args = ['--against', 'main', '--only', 'start,engine', '--rounds', '3', '--json']
    expect(readBenchOptions(args, sections)).toEqual({
      ok: true,
      value: { against: 'main', sections: ['engine', 'start'], rounds: 3, json: true },
    })
  })

  test.each([
    [['--only', 'engin'], '--only: expected sections of engine, margin, start, found engin'],
    [['--only', ''], '--only: expected sections of engine, margin, start, found nothing'],
    [['--rounds', '2'], '--rounds: expected with --against only'],
    [['--against', 'a', '--rounds', '0'], '--rounds: expected a whole number from 1 to 99, found 0'],
    [['--against', 'a', '--rounds', 'x'], '--rounds: expected a whole number from 1 to 99, found x'],
    [['--agains', 'a'], "Unknown option '--agains'"],
    [['--against'], "Option '--against <value>' argument missing"],
  ])('%j is refused', (args, error) => {
    const read = readBenchOptions(args, sections)
    expect(read.ok ? '' : read.error).toContain(error)
  })
})

const rows = (...figures: readonly (readonly [string, number])[]): readonly BenchRow[] =>
  figures.map(([name, value]) => ({ name, value, unit: 'us' }))

test('the ratio is the median of pairs, not the ratio of medians', () => {
  const old = [rows(['order', 10]), rows(['order', 100]), rows(['order', 40])]
  const fresh = [rows(['order', 20]), rows(['order', 50]), rows(['order', 20])]
  expect(compareRows([{ section: 'engine', old, new: fresh }])).toEqual([
    { section: 'engine', name: 'order', unit: 'us', old: 40, new: 20, ratio: 0.5 },
  ])
})

test('a row that one build lacks has no ratio', () => {
  const pairs = { section: 'engine', old: [rows(['gone', 1])], new: [rows(['fresh', 2])] }
  const compared = compareRows([pairs, { section: 'new', old: [[]], new: [rows(['first', 3])] }])
  expect(comparisonOf(compared).split('\n')).toEqual([
    'section  figure  unit  old  new  new/old',
    'engine   fresh   us    -    2    -',
    'engine   gone    us    1    -    -',
    'new      first   us    -    3    -',
  ])
})
