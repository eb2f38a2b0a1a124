/**
 * sim/set_profile: choices of an account's owner, which get_subaccounts and get_account_summary return. Source:
 * coverage R56.
 */
import { z } from '../../../core/index.ts'
import { findAccount } from '../../../engine/index.ts'
import { type AccountProfile, profileSettings } from '../../../model/index.ts'
import { defineMethod, unreadable } from '../method.ts'
import { paramFault } from '../params.ts'
import { givenSettings, settingParams } from '../setting-params.ts'

/** Sets parts of a profile. Omitted parts stay unchanged. */
const setProfile = defineMethod({
  scope: 'sim',
  sessions: 'any',
  command: 'set_profile',
  params: z.object({
    account: z.string().describe('name of an account'),
    ...settingParams(profileSettings),
  }),
  read: (context, params) => {
    const target = findAccount(context.exchange, params.account)
    if (target === undefined || target.house) {
      return { body: unreadable('set_profile'), fault: paramFault('account', 'unknown_account') }
    }
    const { values: profile, fault } = givenSettings<AccountProfile>(profileSettings, params)
    return { body: { kind: 'set_profile', target: target.id, profile }, fault }
  },
  reply: () => 'ok',
})

/** Controls by their names; a part of the table. */
export const profileControls = {
  'sim/set_profile': setProfile,
} as const
