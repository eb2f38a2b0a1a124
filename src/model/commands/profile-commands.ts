/**
 * Commands of profiles. Source: coverage R56.
 */
import type { AccountId } from '../../core/index.ts'
import type { AccountProfile } from '../profile.ts'
import type { MarginModel } from '../words/accounts.ts'
import type { CommandHeader } from './header.ts'

/** Changes parts of the profile of an account. It has no event except `request`. */
export interface SetProfile extends CommandHeader {
  readonly kind: 'set_profile'
  readonly target: AccountId
  /** Omitted parts do not change. */
  readonly profile: Partial<AccountProfile>
}

/** Removes an empty subaccount. It has no event. */
export interface RemoveAccount extends CommandHeader {
  readonly kind: 'remove_account'
  readonly target: AccountId
}

/** Changes the margin model of an account. Events: `standing`. */
export interface ChangeMarginModel extends CommandHeader {
  readonly kind: 'change_margin_model'
  readonly target: AccountId
  readonly marginModel: MarginModel
  /** True if the engine only checks whether the change is possible. */
  readonly isTrial: boolean
}

/** Commands of profiles, subaccounts and margin models. */
export type ProfileCommand = SetProfile | RemoveAccount | ChangeMarginModel

/** The codes of these commands, as in `commandCodes`. */
export const profileCodes = {
  set_profile: 59,
  remove_account: 63,
  change_margin_model: 64,
} as const satisfies { readonly [Kind in ProfileCommand['kind']]: number }
