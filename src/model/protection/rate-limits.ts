/**
 * Rate limits: buckets of credits that requests are paid from.
 *
 * Source: trading.md 8 (C47); sessions-blocks-gateways.md 8.12, 8.15; coverage R15, R16.
 */

/** The bucket that a request is paid from; the reader of a request knows it from the method. */
export type RateCharge =
  | 'non_matching'
  | 'get_instruments'
  | 'move_positions'
  | 'get_transaction_log'
  | 'trading'
  | 'cancel_all'
  | 'mass_quote'
  | 'gateway_open_orders'
  | 'gateway_risk_limits'

/** A bucket: it starts full with `burst` requests and gains `rate` of them each second. */
export interface BucketTerms {
  readonly burst: number
  readonly rate: number
}

/** The limits of a run; all but those of R16 are off unless `enabled`. */
export interface RateLimitTerms {
  readonly enabled: boolean
  /** True if a request over its limit closes the session that it came over (R15). */
  readonly disconnects: boolean
  /** Bucket of all requests that are not of the matching engine. */
  readonly nonMatching: BucketTerms
  readonly trading: BucketTerms
  readonly spot: BucketTerms
  readonly cancelAll: BucketTerms
  readonly maximumQuotes: BucketTerms
  readonly maximumMassQuotes: BucketTerms
  readonly guaranteedMassQuotes: BucketTerms
}

/** The venue's own: the lowest tier of volume, off (C47, R15). */
export const defaultRateLimits: RateLimitTerms = {
  enabled: false,
  disconnects: false,
  nonMatching: { burst: 100, rate: 20 },
  trading: { burst: 20, rate: 5 },
  spot: { burst: 250, rate: 200 },
  cancelAll: { burst: 250, rate: 200 },
  maximumQuotes: { burst: 500, rate: 500 },
  maximumMassQuotes: { burst: 10, rate: 10 },
  guaranteedMassQuotes: { burst: 2, rate: 2 },
}
