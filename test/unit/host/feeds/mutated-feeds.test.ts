/** A sample of `npm run fuzz:feeds`: mutated files of every kind are read or refused with a message. */
import { writeFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { randomStream } from '../../../../src/core/index.ts'
import { feedKinds, mutatedFeed, originalFeeds, readAnyhow } from '../../../support/feed-cases.ts'
import { askedRuns } from '../../../support/property-runs.ts'

const folder = await mkdtemp(join(tmpdir(), 'pitclock-mutated-'))
const originals = await originalFeeds()
afterAll(() => rm(folder, { recursive: true, force: true }))

test.each(feedKinds)('H00 H04 H07 mutated files of kind %s end with a message', async (kind) => {
  const seed = process.env['PITCLOCK_SEED'] ?? '7'
  const path = join(folder, kind)
  const counts = { read: 0, refused: 0 }
  const files = askedRuns(200, 1, 20)
  for (let number = 0; number < files; number += 1) {
    const mutated = mutatedFeed(originals, { seed, kind, number })
    writeFileSync(path, mutated.bytes)
    counts[await readAnyhow(path, mutated, randomStream(seed, `read/${kind}/${number}`))] += 1
  }
  expect(counts.read + counts.refused).toBe(files)
  expect(counts.refused).toBeGreaterThan(0)
})
