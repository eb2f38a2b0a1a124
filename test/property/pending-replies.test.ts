/**
 * Law: a snapshot holds the requests whose replies are pending behind the speed bump. A desk that is saved and restored
 * before each request of a run gives the same events and the same replies, each as often and at the same time.
 */
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { isWhole, sampledNumbers } from '../support/property-runs.ts'
import { runCut } from '../support/protection-cuts.ts'
import { intentArbitrary } from '../support/protection-intents.ts'
import { runProtections } from '../support/protection-run.ts'

test('R64 a desk that is cut at every request answers like an uncut one', () => {
  let held = 0
  for (const seed of sampledNumbers(3, 1)) {
    const { sent } = runProtections(fc.sample(intentArbitrary, { seed, numRuns: 30 }))
    const whole = runCut(sent, () => false)
    expect(runCut(sent, () => true)).toEqual(whole)
    expect(whole.replies.length).toBe(sent.length)
    held += whole.replies.filter(([, { usIn, usOut }]) => usOut > usIn).length
  }
  if (isWhole) expect(held).toBeGreaterThan(3)
}, 60_000)
