/**
 * The entry point that runs in a browser gives the published digest of every scenario that it can read without files.
 * It uses the fast hash; other tests show that the pure one is equal, also for a whole backtest.
 */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import {
  advanceRun,
  closeRun,
  createResultsSink,
  createRun,
  finishRun,
  formatInputError,
  parseScenario,
  type RunDigest,
} from '../../src/index.ts'
import { nodeSha256 } from '../../src/node.ts'
import { isWhole, sampleOf } from '../support/property-runs.ts'
import { assertPublished } from '../support/published-digests.ts'
import { repository } from '../support/repository.ts'

const folder = join(repository, 'scenarios')

/** Populations take long and only repeat scenarios with many steps. */
const names = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter(
  (name) => name.endsWith('.yaml') && !name.startsWith('population'),
)

/** Digests by file as a program computes them, without files that have feeds or strategies. */
function digestsByHand(): Readonly<Record<string, RunDigest>> {
  const found: Record<string, RunDigest> = {}
  for (const name of sampleOf(names, 60)) {
    const parsed = parseScenario(readFileSync(join(folder, name), 'utf8'), name)
    if (!parsed.ok) throw new Error(parsed.error.map(formatInputError).join('\n'))
    const scenario = parsed.value
    if (scenario.feeds.length > 0 || scenario.strategies.length > 0) continue
    const results = createResultsSink({ sha256: nodeSha256, onBlock: () => undefined })
    const run = createRun(scenario, { sink: results, onEquity: results.recordEquity })
    advanceRun(run, Number.POSITIVE_INFINITY)
    finishRun(run)
    found[`scenarios/${name.replaceAll('\\', '/')}`] = closeRun(run, results)
  }
  return found
}

test('U06 the published digests are reproduced from the main entry point alone', () => {
  const found = digestsByHand()
  expect(Object.keys(found).length).toBeGreaterThan(isWhole ? 190 : 40)
  assertPublished(found)
})
