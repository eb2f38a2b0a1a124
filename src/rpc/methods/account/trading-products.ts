/**
 * private/set_disabled_trading_products: the kinds of instruments that an account may not trade.
 *
 * Assumed: a main account names one of its subaccounts or itself; open orders stay.
 * Source: trading.md 4.1, 4.9.
 */
import { accountId, z } from '../../../core/index.ts'
import { allAccounts } from '../../../engine/index.ts'
import { tradingProducts } from '../../../model/index.ts'
import { defineMethod } from '../method.ts'
import { mainFault, ownerFault } from './owner.ts'

/** Rejects orders in these products from now on (11042); all other products are allowed again. */
const setDisabledTradingProducts = defineMethod({
  scope: 'account:read_write',
  sessions: 'json_rpc',
  command: 'set_disabled_products',
  params: z.object({
    user_id: z.int().min(0).describe('number of the account, from get_subaccounts'),
    trading_products: z
      .array(z.enum(tradingProducts))
      .describe('products that the account may not trade; an empty list allows all'),
  }),
  read: (context, params) => {
    const { exchange } = context
    const known = allAccounts(exchange)[params.user_id] !== undefined
    const body = {
      kind: 'set_disabled_products',
      target: accountId(known ? params.user_id : 0),
      products: params.trading_products,
    } as const
    const fault = mainFault(context) ?? ownerFault(context, { subaccount_id: params.user_id })
    return { body, fault }
  },
  reply: () => 'ok',
})

/** Methods by their names; a part of the table. */
export const tradingProductMethods = {
  'private/set_disabled_trading_products': setDisabledTradingProducts,
} as const
