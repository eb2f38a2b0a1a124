/**
 * sim/set_risk_limits: limits on the instruments of one price index, for one portfolio or for all.
 *
 * Source: sessions document 8.15 (get_alt_risk_limits); coverage R58; S249, S250.
 */
import { type DecimalInput, parseDecimalInput, z } from '../../../core/index.ts'
import { findAccount } from '../../../engine/index.ts'
import type { Fault, RiskLimits } from '../../../model/index.ts'
import { defineMethod } from '../method.ts'
import { decimal, earlier, paramFault } from '../params.ts'

const UNLIMITED = -1
const NOT_A_LIMIT = 'expected -1 for no limit or an amount from 0 with up to 9 decimals'

/** Sets the given limits and removes all others; without an account, the limits for all portfolios. */
const setRiskLimits = defineMethod({
  scope: 'sim',
  sessions: 'any',
  command: 'set_risk_limits',
  params: z.object({
    account: z.string().optional().describe('name of an account'),
    index_name: z.string().min(1).describe('a price index such as eth_usd'),
    max_future_position: decimal.optional(),
    max_option_position: decimal.optional(),
    max_future_open_order_size: decimal.optional(),
    max_option_open_order_size: decimal.optional(),
  }),
  read: ({ exchange }, params) => {
    const named = params.account
    const target = named === undefined ? undefined : findAccount(exchange, named)
    const isKnown = named === undefined || (target !== undefined && !target.house)
    let fault: Fault | null = isKnown ? null : paramFault('account', 'unknown_account')
    const limitOf = (name: keyof typeof params & `max_${string}`): number | null => {
      const given = params[name]
      if (given === undefined) return null
      const limit9 = readLimit(given)
      if (limit9 === undefined) fault = earlier(fault, paramFault(name, NOT_A_LIMIT))
      return limit9 ?? null
    }
    const limits: RiskLimits = {
      futurePosition9: limitOf('max_future_position'),
      optionPosition9: limitOf('max_option_position'),
      futureOrder9: limitOf('max_future_open_order_size'),
      optionOrder9: limitOf('max_option_open_order_size'),
    }
    const index = params.index_name
    return { body: { kind: 'set_risk_limits', target: target?.id ?? null, index, limits }, fault }
  },
  reply: () => 'ok',
})

/** A limit in 1e-9, or undefined if it is invalid. */
function readLimit(input: DecimalInput): number | undefined {
  const limit = parseDecimalInput(input, 9)
  if (!limit.ok) return undefined
  if (limit.value === -1_000_000_000n) return UNLIMITED
  const isLimit = limit.value >= 0n && limit.value <= BigInt(Number.MAX_SAFE_INTEGER)
  return isLimit ? Number(limit.value) : undefined
}

/** Controls by their names; a part of the table. */
export const riskLimitControls = {
  'sim/set_risk_limits': setRiskLimits,
} as const
