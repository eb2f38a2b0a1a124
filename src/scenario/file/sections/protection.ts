/**
 * Settings of the exchange about its engines and what protects its markets.
 */
import * as z from 'zod'
import { type DecimalInput, parseDecimalInput } from '../../../core/index.ts'
import { baseName, matchingEngines } from '../../../model/index.ts'
import { isDecimal, limit } from './decimals.ts'

/** An amount, or -1 for what has no limit whatever the pair says. */
const riskLimit = z
  .custom<DecimalInput>(isRiskLimit, '-1 for no limit, or an amount from 0 with up to 9 decimals')
  .optional()
  .meta({ type: 'number', minimum: -1, examples: [5000] })

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
  rwa_bases: z
    .array(z.string().regex(baseName))
    .optional()
    .meta({
      description:
        'Bases whose books are on the gateway pair RWA; else metals, oil, stock indices and stocks such as XAU and TSLA.',
      uniqueItems: true,
      examples: [['XAU', 'TSLA']],
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
        'Most orders that wait on a gateway pair: of one Member, and in all; else 100 and 10000.',
      examples: [{ member: 2 }],
    }),
  risk_limits: z
    .record(
      z.string(),
      z.strictObject({
        max_future_position: riskLimit,
        max_option_position: riskLimit,
        max_future_open_order_size: riskLimit,
        max_option_open_order_size: riskLimit,
      }),
    )
    .optional()
    .meta({
      description: 'What portfolios may order and hold on the alternative engine, by price index.',
      examples: [{ eth_usd: { max_future_position: 50_000 } }],
    }),
}

function isRiskLimit(value: unknown): value is DecimalInput {
  if (!isDecimal(value)) return false
  const limit = parseDecimalInput(value, 9)
  if (!limit.ok) return false
  const isAmount = limit.value >= 0n && limit.value <= BigInt(Number.MAX_SAFE_INTEGER)
  return isAmount || limit.value === -1_000_000_000n
}
