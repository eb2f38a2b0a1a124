/** The guide of metrics in `data/README.md` equals the declarations, and no metric is declared twice. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { inventoryMetrics, orderMetrics, profitMetrics } from '../../../../src/results/metrics/account-metrics.ts'
import { noValueReasons } from '../../../../src/results/metrics/figure.ts'
import { equityMetrics, returnMetrics } from '../../../../src/results/metrics/return-metrics.ts'
import { tradingMetrics } from '../../../../src/results/metrics/trading-metrics.ts'
import { repository } from '../../../support/repository.ts'

const guide = readFileSync(join(repository, 'data/README.md'), 'utf8')

/** Every metric with its unit and its sentence, in the form of the guide. */
function declared(): readonly string[] {
  const exact = Object.entries(profitMetrics).map(([name, { sentence }]) => `| \`${name}\` | currency | ${sentence} |`)
  const others = [equityMetrics, returnMetrics, tradingMetrics, inventoryMetrics, orderMetrics]
  const rows = others.flatMap((group) =>
    Object.entries(group).map(
      ([name, { unit, sentence }]) => `| \`${name}\` | ${unit} | ${sentence.replaceAll('|', '\\|')} |`,
    ),
  )
  return [...exact, ...rows]
}

test('the guide has every metric with its unit and sentence, and no other', () => {
  const section = /## Metrics\n([\s\S]*?)\n## /.exec(`${guide}\n## `)?.[1] ?? ''
  const reported = section.split('\n').filter((line) => /^\| `[a-z0-9_]+` \| [a-zA-Z ]+ \| /.test(line))
  expect(reported).toEqual(declared())
})

test('the guide has every reason, and no other', () => {
  const reasons = guide.slice(guide.indexOf('Why a figure has no value:'))
  const reported = reasons.split('\n').filter((line) => /^\| `[a-z_]+` \| [^|]+ \|$/.test(line))
  const expected = Object.entries(noValueReasons).map(([name, words]) => `| \`${name}\` | ${words} |`)
  expect(reported).toEqual(expected)
})

test('no name stands for two metrics', () => {
  const names = declared().map((line) => /`([a-z0-9_]+)`/.exec(line)?.[1])
  expect(new Set(names).size).toBe(names.length)
  expect(names.length).toBeGreaterThan(120)
})
