/**
 * private/set_self_trading_config: the treatment of orders that would trade with the account's own orders. Source:
 * trading.md 4.9, 6.9 (C27).
 */
import { z } from '../../../core/index.ts'
import { venueSelfMatchModes } from '../../../model/index.ts'
import { defineMethod, validRequest } from '../method.ts'

function preventionOf(block_rfq_self_match_prevention?: boolean | undefined): {
  readonly blockRfq?: boolean
} {
  const blockRfq = block_rfq_self_match_prevention
  return blockRfq === undefined ? {} : { blockRfq }
}

/** Sets the self-match mode, and whether it applies across all accounts of one main account. */
const setSelfTradingConfig = defineMethod({
  scope: 'account:read_write',
  sessions: 'json_rpc',
  command: 'set_self_trading',
  params: z.object({
    mode: z.enum(venueSelfMatchModes).describe('which order is changed when both orders belong to one owner'),
    extended_to_subaccounts: z.boolean().describe('true if orders of the subaccounts count as own orders'),
    block_rfq_self_match_prevention: z
      .boolean()
      .optional()
      .describe('true if Block RFQs may not trade between accounts of one owner; unchanged if omitted'),
  }),
  read: (_context, params) =>
    validRequest({
      kind: 'set_self_trading',
      mode: params.mode,
      extended: params.extended_to_subaccounts,
      ...preventionOf(params.block_rfq_self_match_prevention),
    }),
  reply: () => 'ok',
})

/** Methods by their names; a part of the table. */
export const selfTradingMethods = {
  'private/set_self_trading_config': setSelfTradingConfig,
} as const
