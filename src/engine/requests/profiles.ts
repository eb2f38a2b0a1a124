/**
 * Profiles of accounts, which a control sets. Source: coverage R56.
 */
import { type SetProfile, usualProfile, validationStep } from '../../model/index.ts'
import { type Exchange, pass, refuse, type Turn, type Verdict } from '../state/index.ts'
import { type Handlers, seal } from './handler.ts'

function checkSetProfile(exchange: Exchange, { target }: SetProfile): Verdict<null> {
  const row = exchange.accounts[target]
  if (row !== undefined && !row.account.house) return pass(null)
  const problem = 'profiles are of an account of a trader'
  return refuse(validationStep.parameters, { reason: 'invalid_params', param: 'account', problem })
}

function commitSetProfile({ exchange }: Turn, { target, profile }: SetProfile): number {
  const before = exchange.profiles.get(target) ?? usualProfile
  exchange.profiles.set(target, { ...before, ...profile })
  return 1
}

export const profilesHandlers: Handlers<'set_profile'> = {
  set_profile: seal({ check: checkSetProfile, commit: commitSetProfile }),
}
