/** The published digests of scenarios, compared with the digests of runs. `npm run digests` writes the file. */
import { join } from 'node:path'
import { checkDigests, digestsOfRun, readDigests } from '../../src/host/index.ts'
import type { RunDigest } from '../../src/results/index.ts'
import { repository } from './repository.ts'

const file = join(repository, 'scenarios/digests.json')

/** The published digest of the events of a scenario; throws for an unknown scenario. */
export function publishedEvents(scenario: string): string {
  const read = readDigests(file)
  const found = read.ok ? read.value.get(scenario) : undefined
  if (found === undefined) throw new RangeError(`${scenario}: expected a digest, found none`)
  return found.events
}

/** Throws if the digests of a run differ from the published ones; runs are keyed by the paths of their scenarios. */
export function assertPublished(found: Readonly<Record<string, Pick<RunDigest, 'digest' | 'tables'>>>): void {
  const runs = Object.entries(found).map(([file, run]) => [file, digestsOfRun(run)] as const)
  const { wrong } = checkDigests(file, new Map(runs))
  if (wrong.length === 0) return
  throw new Error([...wrong, 'npm run digests -- --help says how to publish others'].join('\n'))
}
