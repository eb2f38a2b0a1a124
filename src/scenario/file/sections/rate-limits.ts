/**
 * The part of a scenario file's venue that limits the rate of requests.
 */
import { z } from '../../../core/index.ts'

/** More than any run asks for; times a thousand it is still exact. */
const REQUESTS_MAX = 1_000_000_000

const requests = z.int().min(0).max(REQUESTS_MAX)

const bucket = z
  .strictObject({
    rate: requests.optional().meta({ description: 'Requests a second.', examples: [5] }),
    burst: requests.optional().meta({ description: 'Requests at once.', examples: [20] }),
  })
  .optional()
  .meta({ description: 'How many requests.', examples: [{ rate: 5, burst: 20 }] })

const settings = z.strictObject({
  enabled: z.boolean().optional().meta({ description: 'Whether they hold; else true.' }),
  disconnects: z
    .boolean()
    .optional()
    .meta({ description: 'Whether a WebSocket ends with a request over its limit; else false.' }),
  non_matching: bucket,
  trading: bucket,
  spot: bucket,
  cancel_all: bucket,
  maximum_quotes: bucket,
  maximum_mass_quotes: bucket,
  guaranteed_mass_quotes: bucket,
})

/** Rate limits of the run; off where nothing is said. */
export const rateLimitFormat = {
  rate_limits: z
    .union([z.boolean(), settings])
    .optional()
    .meta({
      description:
        "Whether the rate of requests is limited, or how; else it is not. What is left out is the venue's own.",
      examples: [true, { trading: { rate: 5, burst: 20 } }],
    }),
}
