/**
 * Profiles of accounts, which a control sets. Source: coverage R56.
 */
import { assert } from '../../core/index.ts'
import { type ProfileCommand, type SetProfile, usualProfile } from '../../model/index.ts'
import { type Exchange, pass, type Turn, type Verdict } from '../state/index.ts'
import { badParam } from './argument-refusals.ts'
import { type Handlers, seal } from './handler.ts'

function checkSetProfile(exchange: Exchange, { target }: SetProfile): Verdict<null> {
  const row = exchange.accounts[target]
  if (row !== undefined && !row.account.house) return pass(null)
  return badParam('account', 'profiles are of an account of a trader')
}

function commitSetProfile({ exchange }: Turn, { target, profile }: SetProfile): number {
  assert(exchange.accounts[target]?.account.house === false, 'a profile belongs to a trader')
  const before = exchange.profiles.get(target) ?? usualProfile
  exchange.profiles.set(target, { ...before, ...profile })
  return 1
}

export const profilesHandlers: Handlers<ProfileCommand['kind']> = {
  set_profile: seal({ check: checkSetProfile, commit: commitSetProfile }),
}
