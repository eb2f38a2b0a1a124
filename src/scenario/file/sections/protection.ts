/**
 * Settings of the exchange about its engines and what protects its markets.
 */
import { z } from 'zod'
import { matchingEngines } from '../../../model/index.ts'
import { limit } from './decimals.ts'

/** Settings of engines and of the speed bump. */
export const protectionFormat = {
  engines: z
    .record(z.string(), z.enum(matchingEngines))
    .optional()
    .meta({
      description:
        'Which engine matches the derivatives of a price index; else BTC on main and the others on alt.',
      examples: [{ eth_usd: 'main' }],
    }),
  speed_bump: z.boolean().optional().meta({
    description:
      'Whether orders that would match wait on the alternative engine, 10 ms but for the largest perpetuals; else true.',
  }),
  bump_limits: z
    .strictObject({ member: limit, queue: limit })
    .optional()
    .meta({
      description:
        'Most orders that wait on a pair of gateways: of one Member, and in all; else 100 and 10000.',
      examples: [{ member: 2 }],
    }),
}
