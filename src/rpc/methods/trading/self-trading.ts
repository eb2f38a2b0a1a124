/**
 * private/set_self_trading_config: what happens when an account meets its own orders.
 * Source: trading.md 4.9, 6.9 (C27).
 */
import * as z from 'zod'
import { venueSelfMatchModes } from '../../../model/index.ts'
import { type CommandBody, defineMethod } from '../method.ts'
import { argumentFault } from '../params.ts'

/** A setting for requests that cannot be read; its fault keeps it from being used. */
const unreadSelfTrading: CommandBody & { readonly kind: 'set_self_trading' } = {
  kind: 'set_self_trading',
  mode: 'reject_taker',
  extended: false,
}

/** Sets the mode, and whether it reaches over the accounts of one main account. */
export const setSelfTradingConfig = defineMethod({
  scope: 'account:read_write',
  unread: unreadSelfTrading,
  params: z.object({
    mode: z.enum(venueSelfMatchModes).describe('which order yields when both are of one owner'),
    extended_to_subaccounts: z.boolean().describe('orders of its subaccounts count as own'),
    block_rfq_self_match_prevention: z
      .boolean()
      .default(false)
      .describe('there are no Block RFQs yet'),
  }),
  read: (_context, params) => ({
    body: {
      kind: 'set_self_trading',
      mode: params.mode,
      extended: params.extended_to_subaccounts,
    },
    fault: params.block_rfq_self_match_prevention ? argumentFault('not_implemented') : null,
  }),
  reply: () => 'ok',
})
