/**
 * The digests of scenarios that are published, compared with those that runs give. `npm run digests` writes the file.
 */
import { join } from 'node:path'
import { checkDigests, digestsOfRun } from '../../src/host/index.ts'
import type { RunDigest } from '../../src/results/index.ts'
import { repository } from './repository.ts'

/** Throws for runs, by the paths of their scenarios, whose digests are not the published ones. */
export function assertPublished(
  found: Readonly<Record<string, Pick<RunDigest, 'digest' | 'tables'>>>,
): void {
  const runs = Object.entries(found).map(([file, run]) => [file, digestsOfRun(run)] as const)
  const { wrong } = checkDigests(join(repository, 'scenarios/digests.json'), new Map(runs))
  if (wrong.length === 0) return
  throw new Error([...wrong, 'npm run digests -- --help says how to publish others'].join('\n'))
}
