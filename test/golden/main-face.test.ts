/**
 * The face that runs in a browser reaches the published digest of every scenario that it can read by itself. The hash
 * is the fast one; that the pure one gives the same is shown elsewhere, by a whole backtest too.
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

/** Populations are long, and nothing more than other scenarios with many steps. */
const names = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter(
  (name) => name.endsWith('.yaml') && !name.startsWith('population'),
)

/** Digests by file as a program computes them; files with feeds or strategies are left out. */
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

test('U06 from the main face alone the published digests are reached', () => {
  const found = digestsByHand()
  expect(Object.keys(found).length).toBeGreaterThan(isWhole ? 190 : 40)
  assertPublished(found)
})
