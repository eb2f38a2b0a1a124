/**
 * private/get_alt_risk_limits of the REST gateway: the limits of a portfolio's orders and positions on the alternative
 * engine, by currency pair. Limits that are not set are omitted, and -1 means no limit.
 *
 * Source: sessions document 8.15; coverage R58; S249, S250.
 */
import { scaledToNumber, z } from '../../../../core/index.ts'
import { allInstruments, viewRiskLimits } from '../../../../engine/index.ts'
import { asker, defineMethod, queryOf, type ReplyContext } from '../../method.ts'

/** The limits of one pair. */
export interface WireRiskLimits {
  readonly currency_pair: string
  readonly max_future_position?: number
  readonly max_option_position?: number
  readonly max_future_open_order_size?: number
  readonly max_option_open_order_size?: number
}

/** The limits in force, pairs in alphabetical order; a currency selects the pairs with that base currency. */
export const getAltRiskLimits = defineMethod({
  scope: 'direct_access:read',
  sessions: 'rest_gateway',
  command: 'query',
  charge: 'gateway_risk_limits',
  params: z.object({
    currency: z.string().optional().describe('base currency, in upper or lower case'),
  }),
  read: () => queryOf(null),
  reply: (context, { currency }): readonly WireRiskLimits[] =>
    viewRiskLimits(context.exchange, asker(context))
      .filter(([pair]) => currency === undefined || hasBase(context, pair, currency))
      .map(([currency_pair, limits]) => ({
        currency_pair,
        ...field('max_future_position', limits.futurePosition9),
        ...field('max_option_position', limits.optionPosition9),
        ...field('max_future_open_order_size', limits.futureOrder9),
        ...field('max_option_open_order_size', limits.optionOrder9),
      })),
})

function hasBase({ exchange }: ReplyContext, pair: string, currency: string): boolean {
  const base = allInstruments(exchange).find(({ priceIndex }) => priceIndex === pair)?.baseCurrency
  return (base ?? pair.split('_')[0] ?? '').toLowerCase() === currency.toLowerCase()
}

function field(name: keyof WireRiskLimits, limit9: number | null): object {
  if (limit9 === null) return {}
  return { [name]: limit9 < 0 ? -1 : scaledToNumber(BigInt(limit9), 9) }
}

/** Methods by their names; a part of the table. */
export const altRiskLimitMethods = {
  'private/get_alt_risk_limits': getAltRiskLimits,
} as const
