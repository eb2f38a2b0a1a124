/**
 * Checks of the section `record.metrics` of a file: a period, periods in a year, a rate, an index of the run.
 */
import { nearest } from '../../../core/index.ts'
import { type Findings, meant, nodeAt, report, textAt } from '../located.ts'
import { checkRange } from './decimal-checks.ts'
import { checkDuration } from './duration-checks.ts'

const PERIOD_MICROS_MIN = 1_000_000
const PERIOD_MICROS_MAX = 31_536_000_000_000

/** Checks the section; `indices` are those that have a price. */
export function checkMetrics(findings: Findings, indices: ReadonlySet<string>): void {
  const base = ['record', 'metrics']
  checkDuration(findings, [...base, 'every'], {
    min: PERIOD_MICROS_MIN,
    max: PERIOD_MICROS_MAX,
    expected: 'a duration from 1s to 365d',
  })
  const section = nodeAt(findings.root, base)
  if (section === undefined) return
  const year = nodeAt(section, ['periods_per_year'])
  if (year !== undefined) {
    checkRange(findings, {
      path: [...base, 'periods_per_year'],
      node: year,
      decimals: 6,
      min: 1n,
      max: 1_000_000_000_000_000n,
      meaning: 'a number above 0 and up to 1000000000',
    })
  }
  const rate = nodeAt(section, ['risk_free'])
  if (rate !== undefined) {
    checkRange(findings, {
      path: [...base, 'risk_free'],
      node: rate,
      decimals: 9,
      min: -500_000_000n,
      max: 10_000_000_000n,
      meaning: 'a rate of a year from -0.5 to 10',
    })
  }
  const benchmark = textAt(section, 'benchmark')
  if (benchmark === undefined || indices.has(benchmark)) return
  const expected = 'an index that has a price in this file'
  report(findings, [...base, 'benchmark'], { expected, ...meant(nearest(benchmark, indices)) })
}
