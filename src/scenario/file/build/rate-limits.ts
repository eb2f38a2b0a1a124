/**
 * The rate limits of a file in which nothing is wrong.
 */
import type { BucketTerms, RateLimitTerms } from '../../../model/index.ts'
import type { ScenarioShape } from '../format.ts'

type Written = NonNullable<ScenarioShape['venue']>['rate_limits']

/** Rate limits of a file; those that it leaves out are the venue's own. */
export function rateLimitsOf(written: Written, usual: RateLimitTerms): RateLimitTerms {
  if (written === undefined) return usual
  if (typeof written === 'boolean') return { ...usual, enabled: written }
  return {
    enabled: written.enabled ?? true,
    disconnects: written.disconnects ?? usual.disconnects,
    nonMatching: bucketOf(written.non_matching, usual.nonMatching),
    trading: bucketOf(written.trading, usual.trading),
    spot: bucketOf(written.spot, usual.spot),
    cancelAll: bucketOf(written.cancel_all, usual.cancelAll),
    maximumQuotes: bucketOf(written.maximum_quotes, usual.maximumQuotes),
    maximumMassQuotes: bucketOf(written.maximum_mass_quotes, usual.maximumMassQuotes),
    guaranteedMassQuotes: bucketOf(written.guaranteed_mass_quotes, usual.guaranteedMassQuotes),
  }
}

function bucketOf(
  written: { readonly rate?: number | undefined; readonly burst?: number | undefined } | undefined,
  usual: BucketTerms,
): BucketTerms {
  return { rate: written?.rate ?? usual.rate, burst: written?.burst ?? usual.burst }
}
