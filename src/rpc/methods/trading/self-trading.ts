/**
 * private/set_self_trading_config: what happens when an account meets its own orders.
 * Source: trading.md 4.9, 6.9 (C27).
 */
import { z } from '../../../core/index.ts'
import { venueSelfMatchModes } from '../../../model/index.ts'
import { defineMethod } from '../method.ts'

function preventionOf(params: { readonly block_rfq_self_match_prevention?: boolean | undefined }): {
  readonly blockRfq?: boolean
} {
  const blockRfq = params.block_rfq_self_match_prevention
  return blockRfq === undefined ? {} : { blockRfq }
}

/** Sets the mode, and whether it reaches over the accounts of one main account. */
const setSelfTradingConfig = defineMethod({
  scope: 'account:read_write',
  sessions: 'json_rpc',
  command: 'set_self_trading',
  params: z.object({
    mode: z.enum(venueSelfMatchModes).describe('which order yields when both are of one owner'),
    extended_to_subaccounts: z.boolean().describe('orders of its subaccounts count as own'),
    block_rfq_self_match_prevention: z
      .boolean()
      .optional()
      .describe('keeps Block RFQs from trading between accounts of one owner; else as before'),
  }),
  read: (_context, params) => ({
    body: {
      kind: 'set_self_trading',
      mode: params.mode,
      extended: params.extended_to_subaccounts,
      ...preventionOf(params),
    },
    fault: null,
  }),
  reply: () => 'ok',
})

/** Methods by their names; a part of the table. */
export const selfTradingMethods = {
  'private/set_self_trading_config': setSelfTradingConfig,
} as const
