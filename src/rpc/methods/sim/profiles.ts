/**
 * sim/set_profile: what an account's owner chose, which get_subaccounts and get_account_summary tell. Source: coverage R56.
 */
import { z } from '../../../core/index.ts'
import { findAccount } from '../../../engine/index.ts'
import { currencies } from '../../../model/index.ts'
import { defineMethod, unreadable } from '../method.ts'
import { paramFault } from '../params.ts'

/** Parts of a profile that are not named stay as they are. */
const setProfile = defineMethod({
  scope: 'sim',
  sessions: 'any',
  command: 'set_profile',
  params: z.object({
    account: z.string().describe('name of an account'),
    email: z.string().min(1).max(128).optional().describe('else its name at example.com'),
    login_enabled: z.boolean().optional().describe('whether its owner may log in; else not'),
    is_password: z.boolean().optional().describe('whether it has a password; else not'),
    receive_notifications: z.boolean().optional().describe('whether it is written to; else not'),
    security_keys_enabled: z
      .boolean()
      .optional()
      .describe('whether it has security keys; else not'),
    security_keys_assignments: z
      .array(z.string().min(1).max(32))
      .optional()
      .describe('what these are asked for, such as login; else nothing'),
    portfolio: z
      .array(z.enum(currencies))
      .optional()
      .describe(
        'currencies whose portfolios are told though there is nothing in them; else BTC and ETH alone',
      ),
  }),
  read: (context, params) => {
    const target = findAccount(context.exchange, params.account)
    if (target === undefined || target.house) {
      return { body: unreadable('set_profile'), fault: paramFault('account', 'unknown_account') }
    }
    const given = {
      email: params.email,
      loginEnabled: params.login_enabled,
      hasPassword: params.is_password,
      receivesNotifications: params.receive_notifications,
      securityKeysEnabled: params.security_keys_enabled,
      securityKeys: params.security_keys_assignments,
      currencies: params.portfolio,
    }
    const profile = Object.fromEntries(
      Object.entries(given).filter(([, value]) => value !== undefined),
    )
    return {
      body: { kind: 'set_profile', target: target.id, profile },
      fault: null,
    }
  },
  reply: () => 'ok',
})

/** Controls by their names; a part of the table. */
export const profileControls = {
  'sim/set_profile': setProfile,
} as const
