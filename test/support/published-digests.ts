/**
 * The digests of scenarios that are published, held against those that runs give. A fault is told as the lines that the
 * files would have, so that a new scenario, or a change that means to alter results, takes them from there.
 */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { RunDigest } from '../../src/results/index.ts'
import { digestOfTables } from './naive-digest.ts'
import { repository } from './repository.ts'

/** What a run gives. */
type Given = Pick<RunDigest, 'digest' | 'tables'>

/** The files with what they list of a run: of its events, and of the tables that are read from its log. */
const lists: Readonly<Record<string, (run: Given) => string>> = {
  'scenarios/digests.json': ({ digest }) => digest,
  // What tables read from the log still says what the engine's events said before there was a log.
  'test/golden/table-digests.json': ({ tables }) => digestOfTables(tables),
}

/** Throws where a scenario has no published digest or another one, with the lines of both files that would be right. */
export function assertPublished(found: Readonly<Record<string, Given>>): void {
  const faults: string[] = []
  for (const [list, digestOf] of Object.entries(lists)) {
    const published = JSON.parse(readFileSync(join(repository, list), 'utf8')) as Readonly<
      Record<string, string>
    >
    const wrong = Object.entries(found).filter(([name, run]) => published[name] !== digestOf(run))
    const linesOf = (runs: typeof wrong): string[] =>
      runs.map(([name, run]) => `  ${JSON.stringify(name)}: ${JSON.stringify(digestOf(run))},`)
    const missing = linesOf(wrong.filter(([name]) => published[name] === undefined))
    const other = linesOf(wrong.filter(([name]) => published[name] !== undefined))
    if (missing.length > 0) faults.push(`${list} has no line of what is new:`, ...missing)
    if (other.length > 0) faults.push(`${list} has other digests of:`, ...other)
  }
  if (faults.length > 0) throw new Error(faults.join('\n'))
}
