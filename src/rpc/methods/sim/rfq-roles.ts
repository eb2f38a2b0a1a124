/**
 * sim/set_block_rfq_role: what an account is to Block RFQs, which staff of the venue say: maker, aliases, the broker
 * whose client it is, limits on the size of its quotes. Source: sessions document 5.4, 5.5.
 */
import { type AccountId, z } from '../../../core/index.ts'
import { findAccount } from '../../../engine/index.ts'
import { type Fault, instrumentKinds, type RfqQuoteLimit } from '../../../model/index.ts'
import { defineMethod, type ReadContext, unreadable } from '../method.ts'
import { decimal, earlier, paramFault, readAmount9 } from '../params.ts'

const alias = z
  .string()
  .regex(/^[A-Za-z0-9_-]{1,32}$/)
  .optional()

/** Parts of a role that are not named stay as they are. */
const setBlockRfqRole = defineMethod({
  scope: 'sim',
  sessions: 'any',
  command: 'set_rfq_party',
  params: z.object({
    account: z.string().describe('name of an account'),
    maker: z.boolean().optional().describe('whether it may quote Block RFQs; else not'),
    maker_alias: alias.describe('its name as a maker; else MAKER and its number'),
    taker_alias: alias.describe('its name as a taker; else TAKER and its number'),
    broker: z.string().optional().describe('name of the account whose client it is'),
    quote_limits: z
      .array(
        z.object({
          kind: z.enum(instrumentKinds),
          currency_pair: z.string(),
          amount: decimal,
        }),
      )
      .optional()
      .describe('most of a leg that it may quote: kind, currency_pair such as BTC_USD, and amount'),
  }),
  read: (context, params) => {
    const target = accountNamed(context, params.account)
    const broker = params.broker === undefined ? null : accountNamed(context, params.broker)
    let fault: Fault | null = null
    if (target === undefined) fault = paramFault('account', 'unknown_account')
    if (broker === undefined) fault = earlier(fault, paramFault('broker', 'unknown_account'))
    const limits = params.quote_limits?.map(({ kind, currency_pair: pair, amount }) => {
      const amount9 = Number(readAmount9(amount) ?? -1n)
      const isSize = Number.isSafeInteger(amount9) && amount9 >= 0
      if (!isSize) fault = earlier(fault, paramFault('quote_limits', 'not_a_limit'))
      return { kind, pair, amount9: isSize ? amount9 : 0 } satisfies RfqQuoteLimit
    })
    if (target === undefined) return { body: unreadable('set_rfq_party'), fault }
    return {
      body: {
        kind: 'set_rfq_party',
        target,
        maker: params.maker ?? null,
        makerAlias: params.maker_alias ?? null,
        takerAlias: params.taker_alias ?? null,
        broker: broker ?? null,
        quoteLimits: limits ?? null,
      },
      fault,
    }
  },
  reply: () => 'ok',
})

function accountNamed({ exchange }: ReadContext, name: string): AccountId | undefined {
  const found = findAccount(exchange, name)
  return found === undefined || found.house ? undefined : found.id
}

/** Controls by their names; a part of the table. */
export const rfqRoleControls = {
  'sim/set_block_rfq_role': setBlockRfqRole,
} as const
