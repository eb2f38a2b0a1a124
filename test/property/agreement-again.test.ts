/**
 * The second half of the runs of `agreement.test.ts`, with other seeds.
 */
import { expect, test } from 'vitest'
import { agreementRuns, agreeOnStreams } from '../support/agreement.ts'
import { isWhole } from '../support/property-runs.ts'

test('engine and naive exchange agree on random streams of other seeds', {
  timeout: 600_000,
}, () => {
  const seen = agreeOnStreams(agreementRuns, 44)
  if (isWhole) expect(seen.get('trade') ?? 0).toBeGreaterThan(agreementRuns)
})
