/**
 * Commands of profiles. Source: coverage R56.
 */
import type { AccountId } from '../../core/index.ts'
import type { AccountProfile } from '../profile.ts'
import type { MarginModel } from '../words/accounts.ts'
import type { CommandHeader } from './header.ts'

/** Changes parts of the profile of an account. Events: none of its own. */
export interface SetProfile extends CommandHeader {
  readonly kind: 'set_profile'
  readonly target: AccountId
  /** Parts that are left out stay as they are. */
  readonly profile: Partial<AccountProfile>
}

/** Removes an empty subaccount. It has no event. */
export interface RemoveAccount extends CommandHeader {
  readonly kind: 'remove_account'
  readonly target: AccountId
}

/** Puts an account under another margin model. Events: `standing`. */
export interface ChangeMarginModel extends CommandHeader {
  readonly kind: 'change_margin_model'
  readonly target: AccountId
  readonly marginModel: MarginModel
  /** True if it is only checked. */
  readonly isTrial: boolean
}

/** Commands of profiles, and of what accounts are. */
export type ProfileCommand = SetProfile | RemoveAccount | ChangeMarginModel

/** Their codes, as in `commandCodes`. */
export const profileCodes = {
  set_profile: 59,
  remove_account: 63,
  change_margin_model: 64,
} as const satisfies { readonly [Kind in ProfileCommand['kind']]: number }
