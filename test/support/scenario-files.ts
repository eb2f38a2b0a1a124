/**
 * The scenario files of the repository, except populations, backtests and scenarios with strategies, which other tests run.
 */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { formatInputError } from '../../src/core/index.ts'
import { parseScenario, type Scenario } from '../../src/scenario/index.ts'
import { repository } from './repository.ts'

const folder = join(repository, 'scenarios')
const elsewhere = /^(?:population|backtest)\//

/** Paths below `scenarios`, sorted. */
export const scenarioFiles: readonly string[] = readdirSync(folder, {
  recursive: true,
  encoding: 'utf8',
})
  .map((name) => name.replaceAll('\\', '/'))
  .filter((name) => name.endsWith('.yaml') && !elsewhere.test(name))
  .filter((name) => !/^strategies:/m.test(readFileSync(join(folder, name), 'utf8')))
  .toSorted()

/** Parses one of these files. */
export function scenarioOf(name: string): Scenario {
  const parsed = parseScenario(readFileSync(join(folder, name), 'utf8'), name)
  if (!parsed.ok) throw new Error(parsed.error.map(formatInputError).join('\n'))
  return parsed.value
}
