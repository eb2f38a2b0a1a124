/**
 * The engine and the naive exchange agree: on every event, and after every command in cash, equity, margins, reserves,
 * positions, queues and live orders. Every command passes the laws of `laws.ts`.
 *
 * Half of the runs are here and half in `agreement-again.test.ts`, so that they run in parallel. PITCLOCK_RUNS sets
 * their number; PITCLOCK_SEED replays a failure, which is written as a scenario.
 */
import { expect, test } from 'vitest'
import { agreementRuns, agreeOnStreams, notReached } from '../support/agreement.ts'
import { isWhole } from '../support/property-runs.ts'

test('engine and naive exchange agree on random streams, which reach every listed situation', {
  timeout: 600_000,
}, () => {
  const seen = agreeOnStreams(agreementRuns, 4)
  if (isWhole) expect(seen.get('trade') ?? 0).toBeGreaterThan(agreementRuns)
  expect(notReached(seen)).toEqual([])
})
