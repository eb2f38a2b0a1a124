/**
 * sim/set_permissions: what an account may do beside placing orders, which staff of the venue say.
 * Source: sessions document 8.2 (Members); trading.md 6.16, C43.
 */
import { accountId, z } from '../../../core/index.ts'
import { findAccount } from '../../../engine/index.ts'
import { type CommandBody, defineMethod } from '../method.ts'
import { paramFault } from '../params.ts'

/** Permissions with nothing in it, for requests that cannot be read. */
const unreadPermissions: CommandBody & { readonly kind: 'set_permissions' } = {
  kind: 'set_permissions',
  target: accountId(0),
  member: null,
  mmp: null,
  massQuotes: null,
}

/** Permissions that are not named stay as they are. */
export const setPermissions = defineMethod({
  scope: 'sim',
  unread: unreadPermissions,
  params: z.object({
    account: z.string().describe('name of an account'),
    member: z
      .boolean()
      .optional()
      .describe('whether a main account and its subaccounts may use direct access; else not'),
    mmp: z.boolean().optional().describe('whether it may have market-maker protection; else so'),
    mass_quotes: z.boolean().optional().describe('whether it may send mass quotes; else so'),
  }),
  read: (context, params) => {
    const target = findAccount(context.exchange, params.account)
    const isOpen = target !== undefined && !target.house
    return {
      body: {
        kind: 'set_permissions',
        target: target?.id ?? accountId(0),
        member: params.member ?? null,
        mmp: params.mmp ?? null,
        massQuotes: params.mass_quotes ?? null,
      },
      fault: isOpen ? null : paramFault('account', 'unknown_account'),
    }
  },
  reply: () => 'ok',
})
