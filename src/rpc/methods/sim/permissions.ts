/**
 * sim/set_permissions: permissions of an account in addition to placing orders, which staff of the venue decide.
 * Source: sessions document 8.2 (Members); trading.md 6.16, C43.
 */
import { z } from '../../../core/index.ts'
import { findAccount } from '../../../engine/index.ts'
import { defineMethod, unreadable } from '../method.ts'
import { paramFault } from '../params.ts'

/** Sets permissions of an account. Omitted permissions stay unchanged. */
const setPermissions = defineMethod({
  scope: 'sim',
  sessions: 'any',
  command: 'set_permissions',
  params: z.object({
    account: z.string().describe('name of an account'),
    member: z
      .boolean()
      .optional()
      .describe('true if a main account and its subaccounts may use direct access; default false'),
    mmp: z.boolean().optional().describe('true if it may have market-maker protection; default true'),
    mass_quotes: z.boolean().optional().describe('true if it may send mass quotes; default true'),
  }),
  read: (context, params) => {
    const target = findAccount(context.exchange, params.account)
    if (target === undefined || target.house) {
      return {
        body: unreadable('set_permissions'),
        fault: paramFault('account', 'unknown_account'),
      }
    }
    return {
      body: {
        kind: 'set_permissions',
        target: target.id,
        member: params.member ?? null,
        mmp: params.mmp ?? null,
        massQuotes: params.mass_quotes ?? null,
      },
      fault: null,
    }
  },
  reply: () => 'ok',
})

/** Controls by their names; a part of the table. */
export const permissionControls = {
  'sim/set_permissions': setPermissions,
} as const
