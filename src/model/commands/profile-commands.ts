/**
 * Commands of profiles. Source: coverage R56.
 */
import type { AccountId } from '../../core/index.ts'
import type { AccountProfile } from '../profile.ts'
import type { CommandHeader } from './header.ts'

/** Changes parts of the profile of an account. Events: none of its own. */
export interface SetProfile extends CommandHeader {
  readonly kind: 'set_profile'
  readonly target: AccountId
  /** Parts that are left out stay as they are. */
  readonly profile: Partial<AccountProfile>
}

/** Commands of profiles. */
export type ProfileCommand = SetProfile

/** Their codes, as in `commandCodes`. */
export const profileCodes = {
  set_profile: 59,
} as const satisfies { readonly [Kind in ProfileCommand['kind']]: number }
