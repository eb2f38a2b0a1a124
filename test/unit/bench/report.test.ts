/** Printed figures: those that meet their targets, those that miss them, and missing ones. */
import { expect, test } from 'vitest'
import { isMet, jsonOf, tableOf } from '../../bench/report.ts'
import type { BenchRow } from '../../bench/row.ts'

/** A row in the form of a section's result. */
function given(value: number, target?: string): BenchRow {
  const row = { name: 'order', value, unit: 'us', ...(target === undefined ? {} : { target }) }
  return JSON.parse(JSON.stringify(row)) as BenchRow
}

test.each([
  [199, '< 200', true],
  [200, '< 200', false],
  [3000, '<= 3,000', true],
  [8, '8', true],
  [7.9, '>= 8', false],
  [1, undefined, null],
])('a figure of %d with the target %s', (value, target, met) => {
  expect(isMet(given(value, target))).toBe(met)
})

test.each(['< 200', '>= 0.5', '8'])('a missing figure does not meet %s', (target) => {
  expect(isMet(given(Number.NaN, target))).toBe(false)
  expect(isMet(given(Number.POSITIVE_INFINITY, target))).toBe(false)
})

test('a missing figure is a dash in the table, and null for programs', () => {
  const rows = [given(0.4321, '< 1'), given(Number.POSITIVE_INFINITY, '5,000'), given(1234.5)]
  expect(tableOf(rows)).toBe(
    [
      'figure  value  unit  target',
      'order   0.432  us    < 1     met',
      'order   -      us    5,000   MISSED',
      'order   1,235  us',
    ].join('\n'),
  )
  const { figures } = jsonOf(rows, 'own generator') as { readonly figures: readonly object[] }
  expect(figures[1]).toEqual({
    name: 'order',
    value: null,
    unit: 'us',
    target: '5,000',
    met: false,
  })
})
