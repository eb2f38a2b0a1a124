/**
 * Rate limits: buckets of credits that pay for requests.
 *
 * Source: trading.md 8 (C47); sessions-blocks-gateways.md 8.12, 8.15; coverage R15, R16.
 */

import type { Group, Said, SettingsOf } from '../settings/declaration.ts'
import { defaultsOf } from '../settings/defaults.ts'

/** The bucket that pays for a request. The reader of a request determines it from the method. */
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

/** A bucket: it starts full with `burst` requests and gains `rate` requests each second. */
export interface BucketTerms {
  readonly burst: number
  readonly rate: number
}

/** The limits of a run. All limits except those of R16 are off unless `enabled`. */
export interface RateLimitTerms {
  readonly enabled: boolean
  /** True if a request over its limit closes its session (R15). */
  readonly disconnects: boolean
  /** Bucket of all requests that do not use the matching engine. */
  readonly nonMatching: BucketTerms
  readonly trading: BucketTerms
  readonly spot: BucketTerms
  readonly cancelAll: BucketTerms
  readonly maximumQuotes: BucketTerms
  readonly maximumMassQuotes: BucketTerms
  readonly guaranteedMassQuotes: BucketTerms
}

/** More than any run needs; a thousand times this number is still exact. */
const REQUESTS_MAX = 1_000_000_000

/** The declaration of a bucket with its sentence. The default is the bucket of the lowest volume tier (C47, R15). */
function bucket(key: string, says: string, usual: BucketTerms): Said & Group {
  const limit = { unit: 'count', max: REQUESTS_MAX } as const
  return {
    key,
    says,
    examples: [{ rate: 5, burst: 20 }],
    verbatim: true,
    inFiles: ['rate', 'burst'],
    fields: {
      burst: {
        ...limit,
        key: 'burst',
        default: usual.burst,
        says: 'Maximum burst of requests',
        examples: [20],
      },
      rate: {
        ...limit,
        key: 'rate',
        default: usual.rate,
        says: 'Requests per second',
        examples: [5],
      },
    },
  }
}

/** Declaration of the rate limits. */
export const rateSettings: SettingsOf<RateLimitTerms> = {
  enabled: {
    key: 'enabled',
    unit: 'flag',
    default: false,
    says: 'True if the limits apply',
    otherwise: 'true',
  },
  disconnects: {
    key: 'disconnects',
    unit: 'flag',
    default: false,
    says: 'True if a request over its limit closes the WebSocket',
  },
  nonMatching: bucket('non_matching', 'Requests to other services than the matching engine', {
    burst: 100,
    rate: 20,
  }),
  trading: bucket('trading', 'Requests to the matching engine', { burst: 20, rate: 5 }),
  spot: bucket('spot', 'Spot requests to the matching engine', { burst: 250, rate: 200 }),
  cancelAll: bucket('cancel_all', 'Requests that cancel all orders', { burst: 250, rate: 200 }),
  maximumQuotes: bucket('maximum_quotes', 'Quotes of mass quotes', { burst: 500, rate: 500 }),
  maximumMassQuotes: bucket('maximum_mass_quotes', 'Mass quotes', { burst: 10, rate: 10 }),
  guaranteedMassQuotes: bucket('guaranteed_mass_quotes', 'Mass quotes that are always accepted', {
    burst: 2,
    rate: 2,
  }),
}

/** The default: off. */
export const defaultRateLimits: RateLimitTerms = defaultsOf(rateSettings)
