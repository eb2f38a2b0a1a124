import { writeFileSync } from 'node:fs'
import { scenarioOfRun } from '../support/protection-scenario.ts'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { intentArbitrary } from '../support/protection-intents.ts'
import { BrokenLaw, runProtections } from '../support/protection-run.ts'

test('x', () => {
  const all = new Map<string, number>()
  const t0 = Date.now()
  let n = 0
  try {
    fc.assert(
      fc.property(fc.noBias(fc.array(intentArbitrary, { maxLength: 120, size: 'max' })), (intents) => {
        n += 1
        for (const [k, v] of runProtections(intents).seen) all.set(k, (all.get(k) ?? 0) + v)
      }),
      { numRuns: Number(process.env['PITCLOCK_RUNS'] ?? 20), seed: Number(process.env['PITCLOCK_SEED'] ?? 7), interruptAfterTimeLimit: 45_000, endOnFailure: process.env['SHRINK'] === undefined },
    )
  } catch (e) {
    const cause = (e as any).cause
    if (cause instanceof BrokenLaw) {
      for (const s of cause.sent.slice(12)) console.log(JSON.stringify(s))
      writeFileSync('/tmp/broken.yaml', scenarioOfRun(cause.sent, { title: cause.message }))
      console.log(cause.stack?.split('\n').slice(0,1), (cause.cause as any)?.stack)
    }
    else throw e
  }
  console.log(n, Date.now() - t0, [...all].sort())
  expect(n).toBeGreaterThan(0)
})
